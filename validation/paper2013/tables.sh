# From what was measured to tables, figures and the page. Sourced by paper.sh.

# One line a timing; parts of a step in the paper's three kernels, bonds and the rest.
gather() {
    printf 'system\tbeads\tfs\tbackend\tprecision\tthreads\tstep_us\tforces_us\tbonded_us\t'
    printf 'neighbours_us\tintegration_us\tother_us\n'
    for f in "$out"/timings/*.tsv; do
        awk -F '\t' -v OFS='\t' '
            /^# whole_step_us/ { split($0, word, ": "); step = word[2] }
            /^#/ || $1 == "part" { next }
            $1 ~ /^pairs/ { us["forces"] += $2; next }
            $1 ~ /^bonded/ { us["bonded"] += $2; next }
            $1 ~ /^list/ { us["list"] += $2; next }
            $1 ~ /^(kick|drift|motion|move)/ { us["motion"] += $2; next }
            { us["other"] += $2 }
            END {
                n = split(FILENAME, path, "/"); split(path[n], name, ".")
                print name[1], name[2], name[3], name[4], name[5], name[6] + 0, step,
                    us["forces"] + 0,
                      us["bonded"] + 0, us["list"] + 0, us["motion"] + 0, us["other"] + 0
            }' "$f"
    done | sort -t "$(printf '\t')" -k1,1 -k3,3n -k4,6 -k2,2n
}

# Branches and divergent ones by kernel of the paper: system, kernel, launches, branches, divergent.
gather_branches() {
    printf 'system\tkernel\tlaunches\tbranches\tdivergent\n'
    for f in "$out"/branches/*.csv; do
        [ -e "$f" ] || continue
        awk -v OFS='\t' -v name="$(basename "$f" | sed 's/[.].*//')" '
            function kernel_of(text) {
                if (text ~ /k_(fixed_)?pairs/) return "forces"
                if (text ~ /fill_rows|(check|count|place|sort)_beads|scan_counts|sort_rows/)
                    return "neighbours"
                if (text ~ /k_(fixed_)?(kick|drift|step)/) return "integration"
                return ""
            }
            {
                gsub(/^"|"$/, "")
                n = split($0, cell, "\",\"")
                if (cell[1] == "ID") for (k = 1; k <= n; k++) at[cell[k]] = k
                kernel = kernel_of(cell[at["Kernel Name"]])
                if (cell[1] !~ /^[0-9]+$/ || kernel == "") next
                value = cell[at["Metric Value"]]; gsub(/,/, "", value)
                if (cell[at["Metric Name"]] ~ /divergent/) divergent[kernel] += value
                else { branches[kernel] += value; launches[kernel]++ }
            }
            END {
                for (k in branches) print name, k, launches[k], branches[k], divergent[k] + 0
            }' "$f"
    done
}

gather >"$out/times.tsv"
gather_branches >"$out/branches.tsv"
rm -f "$out"/table*.tsv "$out"/figure*.tsv "$out"/*.svg
awk -F '\t' -v OFS='\t' -v to="$out" -v size="$table" -v study="$study" \
    -v branches="$out/branches.tsv" \
    -f "$here/speed.awk" "$out/times.tsv"
flow() {
    echo '# Flow chart of the force kernel: pairs in range that take a branch'
    echo '# Lennard-Jones and Gay-Berne exclude each other, and one of them acts between all' \
        'types: together they are all pairs in range, each up to its own cut-off. The paper' \
        'counts 23 ways through its kernel, here each term.'
    printf 'system\tterm\tpairs\tshare %%\tpaper: most .. least %%\n'
    for f in "$out"/counts/*.txt; do
        [ ! -e "$f" ] || awk -v name="$(basename "$f" | sed 's/[.].*//')" -f "$here/flow.awk" "$f"
    done
}

# energies BEADS FILE...: of a bead, less the first, of all modes: what figure 11 shows
energies() {
    beads=$1
    shift
    awk -F '\t' -v OFS='\t' -v beads="$beads" '
        /^#/ { next }
        $1 == "time_ps" { head = head OFS $2; row = 0; modes++; next }
        !row++ { first = $2 }
        { time[row] = $1; value[row, modes] = ($2 - first) / beads }
        row > rows { rows = row }
        END {
            print "time_ps" head
            for (row = 1; row <= rows; row++) {
                line = time[row]
                for (k = 1; k <= modes; k++)
                    line = line OFS ((row, k) in value ? value[row, k] : "nan")
                print line
            }
        }' "$@"
}

# accuracy_tables BACKEND LENGTH: tables 6 and 7, figure 11 and its curves, from one folder a
# precision
accuracy_tables() {
    backend=$1 of=$2
    set --
    for p in $precisions; do
        from=$(compared "$backend" "$of" "$p")
        [ -e "$from" ] || from=$from.part
        for name in compare nve-total nvt-total; do
            [ ! -s "$from/$name.tsv" ] || set -- "$@" "$from/$name.tsv"
        done
    done
    [ $# -gt 0 ] || return 0
    settled=$(beads_of lipids "$accuracy")
    awk -F '\t' -v OFS='\t' -v backend="$backend" -v beads="$settled" -v to="$out" \
        -f "$here/accuracy.awk" "$@"
    for kind in total potential; do
        set --
        for p in $precisions; do
            from=$(compared "$backend" "$of" "$p")
            [ -e "$from" ] || from=$from.part
            [ ! -s "$from/nve-$kind.tsv" ] || set -- "$@" "$from/nve-$kind.tsv"
        done
        [ $# -eq 0 ] || energies "$settled" "$@" >"$out/figure11-$kind-$backend.tsv"
    done
}

flow >"$out/table-flow.tsv"
accuracy_tables cuda "$length"
accuracy_tables cpu "$cpu_length"
if command -v gnuplot >/dev/null; then
    gnuplot -e "folder='$out'" "$here/speed.gp"
    for f in "$out"/figure11-*-*.tsv; do
        [ ! -e "$f" ] || gnuplot -e "data='$f'" "$here/energy.gp"
    done
fi

page() {
    echo '# The 2013 paper, redone here'
    echo
    echo "$(date +%Y-%m-%d), $("$amphi" --version | head -n 1), $(processor)," \
        "$(nproc) processors, GPU: $gpu."
    echo "Sizes: $scale; table sizes near $table beads, time steps at $study." \
        'A dash: not measured here.'
    echo
    echo 'Shkurti, Orsi, Macii, Ficarra, Acquaviva, J. Comput. Chem. 34, 803 (2013), compares three'
    echo 'cards (GTX295, GTX480, C2050) with one core of an i7-920. Here one core of this machine'
    echo 'in double is the base.'
    echo "The model is B08o, in the style of the paper's, at 1 fs; ELBA where the time step is"
    echo 'longer.'
    for name in table1 table3 table4 table5 table6-cuda table6-cpu table7-cuda table7-cpu table8 \
        figure7 figure9 \
        figure10 figure11-cuda figure11-cpu table-flow; do
        [ ! -s "$out/$name.tsv" ] || awk -F '\t' -f "$here/page.awk" "$out/$name.tsv"
        for svg in "$out/$name.svg" "$out"/figure11-total-"${name#figure11-}".svg \
            "$out"/figure11-potential-"${name#figure11-}".svg; do
            [ ! -s "$svg" ] || printf '\n![%s](%s)\n' "$(basename "$svg" .svg)" "$(basename "$svg")"
        done
    done
}
page >"$out/paper2013.md"
