#!/bin/sh
# The whole validation on a machine with an NVIDIA GPU, from the folder that `make bundle` made.
# Ends with one short table. Logs go to logs/.
#
#   sh gpu.sh [PART ...]       parts: tests agree memory sanitizers kernels bench speedup; default: all
#   AGAIN=5 sh gpu.sh agree    the comparison with the reference, and equal bits, so many times
#   TOOLS="memcheck" PRECISIONS="single" sh gpu.sh sanitizers
set -u
cd "$(dirname "$0")" || exit 2

parts=${*:-tests agree memory sanitizers kernels bench speedup}
export AMPHI_PROGRAM="$PWD/amphi" AMPHI_DATA="$PWD"
[ -d shared ] && export AMPHI_SHARED="$PWD/shared"
logs=${LOGS:-$PWD/logs}
scratch=${TMPDIR:-/tmp}/amphi-bundle.$$
table=$logs/table.txt
mkdir -p "$logs" "$scratch"
trap 'rm -rf "$scratch"' EXIT
: >"$table"

# row WHAT RESULT REMARK
row() {
    printf '%-28s %-6s %s\n' "$1" "$2" "$3" | tee -a "$table"
}

# verdict STATUS: 0 is pass
verdict() {
    if [ "$1" -eq 0 ]; then echo pass; else echo FAIL; fi
}

# one TESTS NAME LOG: as `make check` does it
one() {
    began=$(date +%s)
    timeout 600 "./tests-$1" "$2" >"$3" 2>&1
    echo "exit status $? after $(($(date +%s) - began)) s" >>"$3"
}

# judge WHAT LOGS...: the tally of some tests, kept, and a row
judge() {
    what=$1
    shift
    awk -f validation/tally.awk "$@" >"$logs/$what.txt"
    status=$?
    row "$what" "$(verdict $status)" "$(tail -n 1 "$logs/$what.txt")"
    grep -h FAILED "$logs/$what.txt"
}

# Everything but what wants the device for itself; programs take the device where there is one.
run_tests() {
    mkdir -p "$logs/unit" "$logs/property"
    for folder in unit property; do
        "./tests-$folder" | grep -v 'test_device_memory' | sed "s/^/$folder /"
    done >"$scratch/list"
    export logs
    xargs -P "${JOBS:-8}" -L 1 sh -c '
        began=$(date +%s)
        timeout 600 "./tests-$1" "$2" >"$logs/$1/$2.log" 2>&1
        echo "exit status $? after $(($(date +%s) - began)) s" >>"$logs/$1/$2.log"' sh <"$scratch/list"
    judge tests $(ls "$logs"/unit/*.log "$logs"/property/*.log 2>/dev/null)
}

# The same program again and again: forces, every ensemble, equal bits.
run_agree() {
    mkdir -p "$logs/agree"
    for k in $(seq "${AGAIN:-5}"); do
        one agree test_agree_cuda "$logs/agree/test_agree_cuda-$k.log"
    done
    judge agree "$logs"/agree/*.log
    hashes=$(grep -hv 'exit status' "$logs"/agree/*.log >"$scratch/all" && for f in "$logs"/agree/*.log; do
        grep -v 'exit status' "$f" | md5sum
    done | sort -u | wc -l)
    row 'agree, figures alike' "$([ "$hashes" -eq 1 ] && echo pass || echo FAIL)" "$hashes kind(s) of log"
}

run_memory() {
    mkdir -p "$logs/memory"
    one unit test_device_memory "$logs/memory/test_device_memory.log"
    judge memory "$logs"/memory/*.log
    ./amphi run systems/bilayer-2048.xml --dry-run --backend cuda --precision single >"$logs/dry-run.txt" 2>&1
    row 'dry run' "$(verdict $?)" "$(grep device "$logs/dry-run.txt" | sed 's/^ *device *//')"
}

# sanitize TOOL PRECISION LOOK: a report is an error
sanitize() {
    name=$1-$2${3:+-$3}
    began=$(date +%s)
    steps=24 downhill=30
    [ -z "$3" ] || steps=8
    case $1 in
    racecheck | synccheck) steps=4 downhill=10 ;; # which are slow
    esac
    LOOK=$3 STEPS=$steps DOWNHILL=$downhill CHECK="compute-sanitizer --tool $1 --error-exitcode 9 --log-file $logs/sanitizers/$name-%p.txt" \
        timeout "${LIMIT:-600}" sh exercise.sh "$scratch/$name" "$2" >"$logs/sanitizers/$name.log" 2>&1
    status=$?
    n=$(cat "$logs"/sanitizers/"$name"-[0-9]*.txt 2>/dev/null | grep -c 'ERROR SUMMARY\|RACECHECK SUMMARY')
    row "$1 $2${3:+, plain launches}" "$(verdict $status)" \
        "$n of 5 jobs looked at, $(($(date +%s) - began)) s$([ $status -eq 0 ] || printf ', %s' "$(tail -n 1 "$logs/sanitizers/$name.log")")"
}

# racecheck and synccheck do not follow kernels into the conditional nodes of a graph
# (compute-sanitizer 2025.3 reports each thread of the first one, or falls): they see every step
# launched plainly.
run_sanitizers() {
    command -v compute-sanitizer >/dev/null || { row sanitizers none 'no compute-sanitizer'; return; }
    mkdir -p "$logs/sanitizers"
    for tool in ${TOOLS:-memcheck initcheck racecheck synccheck}; do
        for precision in ${PRECISIONS:-single double}; do
            sanitize "$tool" "$precision" always &
            case $tool in
            memcheck | initcheck) sanitize "$tool" "$precision" "" & ;;
            esac
        done
        wait # a device that is shared by many programs spends its time on changing between them
    done
}

# Every kernel of the program by its plain name: was it launched by the same jobs? Instances of a
# template for other sizes of systems are only counted.
run_kernels() {
    if ! command -v ncu >/dev/null || ! command -v cuobjdump >/dev/null; then
        row kernels none 'no ncu or no cuobjdump'
        return
    fi
    cuobjdump -res-usage amphi 2>/dev/null | sed -n 's/.*Function \([^: ]*\):.*/\1/p' | sort -u >"$scratch/all"
    for precision in single double; do
        LOOK=always STEPS=6 CHECK="ncu --csv --print-kernel-base mangled --metrics launch__grid_size
            --log-file $scratch/$precision-%p.csv" \
            sh exercise.sh "$scratch/kernels-$precision" "$precision" >"$logs/kernels-$precision.log" 2>&1 &
    done
    wait
    cat "$scratch"/*.csv | awk -F '","' 'NF > 5 { print $5 }' | sort -u >"$scratch/ran"
    comm -12 "$scratch/all" "$scratch/ran" >"$logs/kernels-ran.txt"
    comm -23 "$scratch/all" "$scratch/ran" >"$logs/kernels-not.txt"
    for list in all ran; do # without the arguments of templates
        c++filt <"$scratch/$list" | sed 's/(.*//; s/<.*//; s/.* //' | sort -u >"$scratch/$list.plain"
    done
    missing=$(comm -23 "$scratch/all.plain" "$scratch/ran.plain" | tr '\n' ' ')
    row kernels "$([ -z "$missing" ] && [ -s "$scratch/all" ] && echo pass || echo FAIL)" \
        "$(wc -l <"$logs/kernels-ran.txt") of $(wc -l <"$scratch/all") instances ran${missing:+; not $missing}"
}

run_bench() {
    {
        ./bench_device systems/bilayer-128.xml single "${SIZES:-5888,94208}" "${STEPS:-2000}"
        ./bench_device systems/bilayer-128.xml double "${SIZES:-5888,94208}" "${STEPS:-1000}"
        ./bench_device systems/water-ssd-rf.xml single 100000 "${STEPS:-1000}"
    } 2>&1 | tee "$logs/bench.txt"
    row bench "$([ "$(grep -c us/step "$logs/bench.txt")" -ge 3 ] && echo pass || echo FAIL)" logs/bench.txt
    ./amphi run systems/bilayer-128.xml --dry-run --timings --backend cuda --precision single >"$logs/timings.txt" 2>&1
    row timings "$(verdict $?)" logs/timings.txt
}

run_speedup() {
    AMPHI_BENCH=./bench_device sh speedup.sh "$logs/speedup.tsv" >"$logs/speedup.log" 2>&1
    row speedup "$(verdict $?)" logs/speedup.tsv
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
lscpu | sed -n 's/^Model name: *//p'
cat built.txt
for part in $parts; do
    "run_$part"
done
echo
cat "$table"
! grep -q ' FAIL ' "$table"
