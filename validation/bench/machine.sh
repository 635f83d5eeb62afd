# For scripts that write dated lines: what machine this is, and what bench_device prints as columns.

processor() {
    lscpu | sed -n 's/^Model name: *//p' | head -n 1
}

device() {
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
    echo "${name:-none}"
}

commit() {
    if [ -f built.txt ]; then # of a bundle
        sed -n 's/^commit \([^ ]*\).*/\1/p' built.txt
    else
        git log -1 --format=%h 2>/dev/null || echo unknown
    fi
}

# Those worth measuring here.
backends() {
    [ "$(device)" = none ] || echo cuda
    echo cpu
}

# bench_lines SYSTEM BACKEND: "nvt 5888 beads single 10.0 fs 39.1 us/step ..." as a line of the
# table
bench_lines() {
    awk -v OFS='\t' -v date="$(date +%Y-%m-%d)" -v commit="$(commit)" -v processor="$(processor)" \
        -v device="$(device)" -v name="$1" -v backend="$2" '$3 == "beads" && $8 ~ /^us/ {
            print date, commit, processor, device, name, $1, $2, backend, $4, $5, $7 }'
}
