#!/bin/sh
# simulate.sh UNIT DIR: runs one unit of work of physics.sh in DIR, or goes on with it. It needs the
# program amphi, sh and awk. Units: drift gayberne dopc tension JOB (of jobs/) starts-SYSTEM-SEED
# laws-JOB-PRECISION precisions-SYSTEM-start-SEED precisions-SYSTEM-FS-PRECISION-SEED (SYSTEM:
# membrane water).
# AMPHI_PROGRAM, AMPHI_SAMPLE, AMPHI_DATA, THREADS, BACKEND, UNTIL as in physics.sh;
# PHYSICS_UNTIL: seconds of the epoch at which to stop. Ends with 0: done, 8: to be continued,
# other: failed.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
jobs=$root/validation/physics/jobs
program=${AMPHI_PROGRAM:-$root/build/amphi}
sampler=${AMPHI_SAMPLE:-$root/build/validation/physics/sample}
export AMPHI_DATA="${AMPHI_DATA:-$root}" OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
threads=${THREADS:-$(nproc)}
[ $# -eq 2 ] || { echo "usage: simulate.sh UNIT DIR" >&2; exit 2; }
unit=$1
mkdir -p "$2" && cd "$2" || exit 4

# limits: the options that make a run stop in time.
limits() {
    [ -z "${PHYSICS_UNTIL:-}" ] ||
        awk -v left=$((PHYSICS_UNTIL - $(date +%s))) \
            'BEGIN { printf "--max-hours %.5f", (left < 1 ? 1 : left) / 3600 }'
}

is_done() {
    grep -q '"state":"done"' "$1/status.json" 2>/dev/null
}

# run_file NAME THREADS OPTION...: NAME.xml, in NAME.run.
run_file() {
    name=$1 with=$2
    shift 2
    [ -n "${UNTIL:-}" ] || ! is_done "$name.run" || return 0
    # shellcheck disable=SC2046,SC2086 # options and their values
    "$program" run "$name.xml" -o "$name.run" --threads "$with" ${BACKEND:+--backend $BACKEND} \
        ${UNTIL:+--until $UNTIL} "$@" $(limits)
}

# run JOB NAME THREADS: the job file, in NAME.run.
run() {
    cp "$jobs/$1.xml" "$2.xml.new" && mv "$2.xml.new" "$2.xml" || return 4
    run_file "$2" "$3"
}

# pair FIRST SECOND: two jobs side by side, each in JOB.run, with half of the threads each.
pair() {
    if [ "$threads" -lt 2 ]; then
        run "$1" "$1" 1 && run "$2" "$2" 1
        return
    fi
    run "$1" "$1" $((threads / 2)) &
    first=$!
    run "$2" "$2" $((threads / 2))
    second=$?
    wait $first
    first=$?
    [ $first -ne 0 ] || return $second
    return $first
}

# The stored membrane of the ELBA tutorials where there is one; a built one otherwise.
drift_start() {
    [ ! -s start.data ] || return 0
    stored=${AMPHI_SHARED:-$root/../shared}/reference/elba/dmpc/data.dmpc.gz
    if [ -r "$stored" ]; then
        gunzip -c "$stored" >data.dmpc || return 4
        run drift-start start "$threads" || return $?
    else
        echo "drift: no stored membrane at $stored: one is built"
        run drift-start-built start "$threads" || return $?
    fi
    "$program" convert start.run/run.chk start.new --to lammps-data && mv start.new start.data
}

# starts SYSTEM SEED: minimises, looks at the forces, warms up; a line 'system seed minimised
# force_kJ_mol_nm warmed temperature_K' in starts.tsv, with the two exit statuses. What went well is
# thrown away.
starts() {
    name=$1-$2
    ! awk -v s="$1" -v n="$2" '$1 == s && $2 == n { found = 1 } END { exit !found }' starts.tsv \
        2>/dev/null || return 0
    for wanted in run look; do
        awk -v which="$1" -v seed="$2" -v wanted=$wanted -v state="$name.run/run.chk" \
            -f "$jobs/starts.awk" "$jobs/starts.txt" "$root/systems/$1.xml" >"$name-$wanted.xml"
    done
    force=nan warmed=none temperature=nan
    "$program" run "$name-run.xml" -o "$name.run" --threads "$threads" -n 500 >"$name.log" 2>&1
    minimised=$?
    if [ $minimised -eq 0 ]; then
        "$program" evaluate "$name-look.xml" -o "$name.look" --backend cpu >>"$name.log" 2>&1
        force=$(awk '/^largest force/ { f = $3 } END { print f == "" ? "nan" : f }' "$name.log")
        # shellcheck disable=SC2046
        "$program" run "$name-run.xml" -o "$name.run" --threads "$threads" $(limits) \
            >>"$name.log" 2>&1
        warmed=$?
        [ $warmed -ne 8 ] || return 8
        temperature=$(awk -F '\t' '
            /^step/ { for (k = 1; k <= NF; k++) if ($k == "temperature") c = k }
            END { print c ? $c : "nan" }' "$name.run/energy.tsv")
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" $minimised "$force" $warmed "$temperature" \
        >>starts.tsv
    echo "starts: $1, seed $2: minimised $minimised, largest force $force kJ/mol/nm," \
        "warmed $warmed," \
        "$temperature K"
    if [ $minimised -eq 0 ] && [ "$warmed" = 0 ]; then
        rm -rf "$name.run" "$name.look" "$name.log" "$name-run.xml" "$name-look.xml"
    fi
}

# precisions_start SYSTEM SEED: where all precisions begin.
precisions_start() {
    start=precisions-water-start.xml
    [ "$1" = water ] || start=drift-start-built.xml
    sed "s/seed=\"1\"/seed=\"$2\"/" "$jobs/$start" >"$1-start-$2.xml" || return 4
    run_file "$1-start-$2" "$threads"
}

# precisions SYSTEM FS PRECISION SEED: NVE from there; of the membrane 2 ns at 5 fs, 1 ns at more.
precisions() {
    name=$1-$2fs-$3-$4
    length='2 ns'
    [ "$2" -le 5 ] || length='1 ns'
    sed "s/-start-1\.run/-start-$4.run/; s/timestep=\"[0-9]* fs\"/timestep=\"$2 fs\"/
        s/length=\"2 ns\"/length=\"$length\"/" \
        "$jobs/precisions-$1.xml" >"$name.xml" || return 4
    run_file "$name" "$threads" --precision "$3" --no-report
}

# tension: four seeds at once.
tension() {
    for seed in 1 2 3 4; do
        sed "s/seed=\"1\"/seed=\"$seed\"/" "$jobs/tension.xml" >"tension-$seed.xml" || return 4
    done
    # shellcheck disable=SC2046 # options and their values
    "$program" run tension-1.xml tension-2.xml tension-3.xml tension-4.xml --no-report \
        ${BACKEND:+--backend "$BACKEND"} ${UNTIL:+--until "$UNTIL"} $(limits)
}

# laws JOB PRECISION: one process and one thread, whole or not at all.
laws() {
    samples=laws-$1-$2.samples
    [ ! -s "$samples" ] || return 0
    every=10
    [ "$1" != steps ] || every=4
    "$sampler" "$jobs/laws-$1.xml" $every "${BACKEND:-cpu}" "$2" >"$samples.new" || return $?
    mv "$samples.new" "$samples"
}

case $unit in
laws-*-*)
    precision=${unit##*-}
    system=${unit#laws-}
    laws "${system%-*}" "$precision"
    ;;
precisions-*-start-*)
    system=${unit#precisions-}
    precisions_start "${system%%-*}" "${unit##*-}"
    ;;
precisions-*)
    # shellcheck disable=SC2046 # four words
    precisions $(echo "${unit#precisions-}" | tr - ' ')
    ;;
drift) drift_start && pair drift-10fs drift-5fs ;;
tension) tension ;;
gayberne) run gayberne-start start "$threads" && pair gayberne-2fs gayberne-1fs ;;
starts-*)
    seed=${unit##*-}
    system=${unit#starts-}
    starts "${system%-*}" "$seed"
    ;;
*) run "$unit" "$unit" "$threads" ;;
esac
