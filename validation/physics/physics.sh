#!/bin/sh
# physics.sh [--simulate|--judge] NAME [DIR]: the long runs that say whether the statistics are
# right. NAME: drift water gayberne elba-water b08o-parts dopc starts laws, or all of these; and for
# a GPU precisions b08o tension. Runs in DIR (default build/physics/NAME; of all: build/physics), or
# goes on there, then judges: lines 'PASS name value +- error bound', and last 'N passed, N failed,
# N skipped'.
# README.md beside this file says what, and for how long.
#   AMPHI_PROGRAM   the program; default build/amphi
#   AMPHI_JUDGE     default build/validation/physics/judge
#   AMPHI_SAMPLE    default build/validation/physics/sample, for laws
#   AMPHI_DATA      root of the force fields
#   AMPHI_SHARED    where reference/elba lies
#   THREADS         of one run
#   MAX_HOURS       then it stops; the same command goes on
#   BACKEND         cpu or cuda; default: the program's
#   UNTIL           100ns: of each run, in place of the job's length
# Ends with 0: passed, 1: failed, 2: wrong command line, 8: not done yet.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/validation/physics
judge=${AMPHI_JUDGE:-$root/build/validation/physics/judge}
lammps=${LAMMPS:-lmp}
does=both
case ${1:-} in
--simulate | --judge)
    does=$1
    shift
    ;;
esac
names="drift water gayberne elba-water b08o-parts dopc starts laws"
case " $names all precisions b08o tension " in
*" ${1:-} "*) ;;
*)
    echo "usage: physics.sh [--simulate|--judge] NAME [DIR]" >&2
    echo "    NAME: $names all precisions b08o tension" >&2
    exit 2
    ;;
esac
[ -z "${MAX_HOURS:-}" ] || {
    PHYSICS_UNTIL=$(awk -v now="$(date +%s)" -v h="$MAX_HOURS" '
        BEGIN { printf "%d", now + h * 3600 }')
    export PHYSICS_UNTIL
}

units_of() {
    case $1 in
    laws)
        for precision in double fixed; do
            echo laws-elba-$precision laws-steps-$precision laws-water-$precision
        done
        ;;
    drift | gayberne | dopc | b08o | tension) echo "$1" ;;
    precisions)
        for seed in 1 2 3 4; do
            echo precisions-membrane-start-$seed precisions-water-start-$seed
        done
        for seed in 1 2 3 4; do
            echo precisions-membrane-5-single-$seed
            for precision in double fixed; do
                for fs in 5 10 14; do echo precisions-membrane-$fs-$precision-$seed; done
                for fs in 1 2 4; do echo precisions-water-$fs-$precision-$seed; done
            done
        done
        ;;
    b08o-parts) echo b08o-chains b08o-slab ;;
    water) echo water-ssd-rf-256 water-ssd-e-256 water-ssd-rf-2048 water-ssd-e-2048 ;;
    elba-water) echo elba-water-10fs-full elba-water-5fs elba-water-10fs ;;
    starts)
        for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            awk -v seed=$seed '!/^#/ { print "starts-" $1 "-" seed }' "$here/jobs/starts.txt"
        done
        ;;
    esac
}

# LAMMPS from the same start, one process, over 60 ps at 5 fs and 100 ps at 10 fs. It cannot go on:
# what did not end begins anew.
peer() {
    if ! command -v "$lammps" >/dev/null; then
        echo "SKIPPED: LAMMPS beside amphi: no $lammps here (Debian: apt-get install lammps)"
        return 0
    fi
    for run in "5 20 12000" "10 10 10000"; do
        # shellcheck disable=SC2086 # three numbers
        set -- "$peer_dir" $run
        log=$1/lammps-$2fs.log
        ! grep -q '^Total wall time' "$log" 2>/dev/null || continue
        echo "LAMMPS: $4 steps of $2 fs, into $log"
        awk -f "$here/jobs/lammps-data.awk" "$1/start.data" >"$1/start.lammps-data" || return 4
        "$lammps" -in "$here/jobs/drift.lammps" -var data "$1/start.lammps-data" -var dt "$2" \
            -var every "$3" -var steps "$4" -log "$log" -screen none || return 1
    done
}

# draw DIR: one page of each precision, laws-double.svg, where gnuplot is.
draw() {
    for precision in double fixed; do
        [ -s "$1/laws-$precision-page.tsv" ] || continue
        if ! command -v gnuplot >/dev/null; then
            echo "SKIPPED: laws-$precision.svg: no gnuplot here (apt-get install gnuplot-nox)"
            return 0
        fi
        (cd "$1" && gnuplot -e "precision='$precision'" "$here/laws.gp") || return 1
    done
}

# simulate NAME DIR: 0, or the status of the first unit that did not end well.
simulate() {
    first=0
    for unit in $(units_of "$1"); do
        [ "$1" = starts ] || echo "== $unit"
        sh "$here/simulate.sh" "$unit" "$2"
        status=$?
        [ $status -eq 0 ] || [ $first -ne 0 ] || first=$status
        [ $status -ne 8 ] || break
    done
    peer_dir=$2
    if [ "$1" = drift ] && [ $first -eq 0 ]; then
        peer || first=$?
    fi
    return $first
}

if [ "$1" = all ]; then
    dir=${2:-$root/build/physics}
else
    dir=$(dirname "${2:-$root/build/physics/$1}")/$(basename "${2:-$1}")
    names=$1
fi
unfinished=0 failed=0 log=$(mktemp) || exit 4
trap 'rm -f "$log"' EXIT
for name in $names; do
    [ "$1" = all ] && folder=$dir/$name || folder=$dir
    mkdir -p "$folder" || exit 4
    status=0
    if [ "$does" != --judge ]; then
        simulate "$name" "$folder"
        status=$?
    fi
    case $status in
    0)
        [ "$does" = --simulate ] || "$judge" "$name" "$folder" >>"$log" || failed=1
        [ "$does" = --simulate ] || [ "$name" != laws ] || draw "$folder" >>"$log" || failed=1
        ;;
    8) unfinished=1 ;;
    *)
        echo "FAIL $name ended with status $status" >>"$log"
        echo "0 passed, 1 failed, 0 skipped" >>"$log"
        failed=1
        ;;
    esac
done
if [ "$does" != --simulate ]; then
    grep -v '^[0-9]* passed, ' "$log"
    awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $1; f += $3; s += $5 }
        END { printf "%d passed, %d failed, %d skipped\n", p, f, s }' "$log"
fi
[ $failed -eq 0 ] || exit 1
[ $unfinished -eq 0 ] || { echo "not done yet: the same command goes on"; exit 8; }
