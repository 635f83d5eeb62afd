#!/bin/sh
# batch.sh [--cores N] [--max-hours H] [--dir DIR] [--tar FILE] [NAME...]: the simulations of
# physics.sh side by side on N cores (all; default drift water gayberne elba-water starts), in the
# order that ends soonest, or on one core the shortest first. The same command goes on with what is
# not done. Needs the program amphi, sh and awk. FILE receives the tables, without states and
# trajectories; physics.sh --judge takes DIR/NAME from it. Ends with 0: all done, 8: the same
# command goes on, 1: something failed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cores=$(nproc) hours=24 dir=build/physics tar=
while [ $# -gt 0 ]; do
    case $1 in
    --cores) cores=$2 ;;
    --max-hours) hours=$2 ;;
    --dir) dir=$2 ;;
    --tar) tar=$2 ;;
    --*) echo "batch.sh: no option $1" >&2; exit 2 ;;
    *) break ;;
    esac
    shift 2 || exit 2
done
names=" ${*:-drift water gayberne elba-water starts} "
for name in $names; do
    case " drift water gayberne elba-water starts " in
    *" $name "*) ;;
    *)
        echo "batch.sh: not side by side: $name; write: sh validation/physics/physics.sh $name" >&2
        exit 2
        ;;
    esac
done
PHYSICS_UNTIL=$(awk -v now="$(date +%s)" -v h="$hours" 'BEGIN { printf "%d", now + h * 3600 }')
export PHYSICS_UNTIL
work=$dir/batch
mkdir -p "$work" || exit 4
rm -f "$work"/*.ended

# Each unit with its folder, the threads that it likes, and about how many seconds of one core it
# takes.
units() {
    cat <<UNITS
drift drift 8 700
water-ssd-rf-2048 water 2 320
water-ssd-e-2048 water 2 320
elba-water-5fs elba-water 1 210
gayberne gayberne 2 230
water-ssd-rf-256 water 1 150
water-ssd-e-256 water 1 150
elba-water-10fs elba-water 1 110
elba-water-10fs-full elba-water 1 110
UNITS
    awk '!/^#/ { print "starts-" $1 "-SEED", "starts", 1, ($1 ~ /bilayer/ ? 25 : 8) }' \
        "$here/jobs/starts.txt" |
        while read -r unit folder threads seconds; do
            for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                echo "${unit%SEED}$seed $folder $threads $seconds"
            done
        done
}
order=-r
[ "$cores" -gt 1 ] || order=
# shellcheck disable=SC2086
units | awk -v names="$names" 'index(names, " " $2 " ")' | sort -s -n $order -k 4,4 >"$work/units"

# unit NAME FOLDER THREADS
unit() {
    THREADS=$3 sh "$here/simulate.sh" "$1" "$dir/$2" >"$work/$1.log" 2>&1
    echo "$? $3" >"$work/$1.new"
    mv "$work/$1.new" "$work/$1.ended"
}

# The cores of ended units are free again; one line for each of them.
busy=0 failed=0 stopped=0 done=0 total=$(wc -l <"$work/units")
reap() {
    for ended in "$work"/*.ended; do
        [ -e "$ended" ] || return 0
        read -r status threads <"$ended"
        rm -f "$ended"
        name=${ended##*/}
        busy=$((busy - threads))
        case $status in
        0) done=$((done + 1)) ;;
        8) stopped=$((stopped + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
        echo "$(date +%T) ${name%.ended}: status $status; $done of $total done, $failed failed"
        [ "$status" -eq 0 ] || [ "$status" -eq 8 ] || tail -n 5 "$work/${name%.ended}.log"
    done
}

while read -r name folder threads _; do
    [ "$threads" -le "$cores" ] || threads=$cores
    reap
    while [ $((busy + threads)) -gt "$cores" ]; do
        sleep 0.3
        reap
    done
    if [ "$(date +%s)" -ge $((PHYSICS_UNTIL - 1)) ]; then
        stopped=$((stopped + 1))
        continue
    fi
    busy=$((busy + threads))
    unit "$name" "$folder" "$threads" </dev/null &
done <"$work/units"
while [ "$busy" -gt 0 ]; do
    sleep 0.3
    reap
done

if [ -n "$tar" ]; then
    (cd "$dir" && find . \( -name '*.tsv' -o -name '*.xml' -o -name '*.log' -o -name status.json \
        -o -name start.data \) ! -name '*.psf' | tar czf - -T -) >"$tar" || failed=$((failed + 1))
fi
echo "$done done, $failed failed, $stopped to go on with"
[ $failed -eq 0 ] || exit 1
[ $stopped -eq 0 ] || exit 8
