#!/bin/sh
# The evaluation of the 2013 paper (Shkurti et al., J. Comput. Chem. 34, 803) redone here: its
# tables 1 and 3 to 8, figures 7, 9, 10 and 11, and how often each branch of its force kernel is
# taken, with the paper's numbers beside ours. Writes OUT/paper2013.md, a table.tsv or figure.tsv of
# each, and with gnuplot the figures. What is there is not measured again: the same command goes on
# where it was stopped.
#
#   paper.sh [--short|--tiny] [OUT]     OUT: build/paper2013
#       --short   for a laptop: thousands of beads, picoseconds        --tiny   for a test: a minute
#   AMPHI_PROGRAM   build/amphi        THREADS   of the CPU columns beside those of one core: all
#   WATER LIPIDS    sizes in beads     TABLE     the size of tables 1, 4, 5, 8     STUDY   figure 10
#   FS              its time steps     ACCURACY  beads of tables 6 and 7           LENGTH  on a GPU
#   GPU=none        to leave it out            MAX_S     seconds, after which nothing more is begun
#                   and `amphi compare` is stopped: tables 6 and 7 and figure 11 then say how long
#   CPU_LENGTH      of the CPU columns of tables 6 and 7 and of figure 11
#   PRECISIONS      of the same
#   SETTLE          fs of the membrane of tables 6 and 7 at constant pressure before that
#   ONLY            shell patterns of pieces to measure, as they are named while it runs, with : for
#                   blanks and commas: 'time:lipids:*:cpu:* count:*'. Commands with other patterns
#                   and the same OUT may run side by side; the last, without, makes the tables.
# Ends with 1 where a piece failed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scale=full
case ${1:-} in
--short | --tiny) scale=${1#--} && shift ;;
-*) echo 'usage: paper.sh [--short|--tiny] [OUT]' >&2 && exit 2 ;;
esac
out=${1:-build/paper2013}
amphi=${AMPHI_PROGRAM:-$root/build/amphi}
AMPHI_DATA=${AMPHI_DATA:-$root}
export AMPHI_DATA
threads=${THREADS:-$(nproc)}
failed=0 began=$(date +%s)
[ -x "$amphi" ] || { echo "paper.sh: no program $amphi" >&2 && exit 2; }
. "$here/../bench/machine.sh"
gpu=$(device)
"$amphi" --version | grep -q cuda || gpu=none
gpu=${GPU:-$gpu}
. "$here/jobs.sh"
. "$here/measure.sh"

case $scale in
full)
    water='840 5000 23000 50000 80000 100000 218904'
    lipids='1472 5888 23000 50048 80040 100004 218868'
    table=100000 study=80000 steps='1 10 20' accuracy=23000 length=1ns cpu_length=10ps
    minimise=300 warm=2000 settle_warm=10000 settle=1000000
    ;;
short)
    water='840 3360' lipids='1472 5888' table=4500 study=3360 steps='1 10 20'
    accuracy=1472 length=20ps
    cpu_length=2ps minimise=200 warm=500 settle_warm=1000 settle=2000
    ;;
tiny)
    water=840 lipids=1472 table=1100 study=840 steps=10 accuracy=1472 length=0.2ps cpu_length=0.2ps
    minimise=60 warm=50 settle_warm=50 settle=20
    ;;
esac
water=${WATER:-$water} lipids=${LIPIDS:-$lipids} table=${TABLE:-$table} study=${STUDY:-$study}
steps=${FS:-$steps} accuracy=${ACCURACY:-$accuracy} length=${LENGTH:-$length}
cpu_length=${CPU_LENGTH:-$cpu_length} settle=${SETTLE:-$settle}
precisions=${PRECISIONS:-single double fixed}

# Every mode against one core in double, at every size; with a GPU the processor's others at one
# size.
cores='cpu:single:1 cpu:fixed:1'
[ "$threads" -eq 1 ] || cores="$cores cpu:single:$threads cpu:double:$threads cpu:fixed:$threads"
modes=$cores best="--backend cpu --precision single --threads $threads" pairs='cpu:single:1'
[ "$gpu" = none ] || {
    modes='cuda:single cuda:double cuda:fixed' best='--backend cuda --precision single'
    pairs='cuda:single cuda:double'
}

# nearest "SIZES" BEADS
nearest() {
    echo "$1" | tr ' ' '\n' | awk -v to="$2" '
        { d = $1 > to ? $1 / to : to / $1; if (NR == 1 || d < least) { least = d; best = $1 } }
        END { print best }'
}

# at "SYSTEMS" "SIZES" "STEPS" MODES...
at() {
    systems=$1 sizes=$2 fs_list=$3
    shift 3
    for s in $systems; do for n in $sizes; do for f in $fs_list; do for m; do
        timing "$s" "$n" "$f" "$m"
    done; done; done; done
}

# shellcheck disable=SC2086 # lists of words
measure_speed() {
    at water "$water" 1 cpu:double:1 $modes
    at lipids "$lipids" 1 cpu:double:1 $modes
    at mixed "$water" 1 cpu:double:1 $pairs
    [ $scale = tiny ] ||
        at 'elba-water elba-mixed' "$(nearest "$water" "$table")" 1 cpu:double:1 $pairs
    [ "$gpu" = none ] || at water "$(nearest "$water" "$table")" 1 $cores
    [ "$gpu" = none ] || at lipids "$(nearest "$lipids" "$table")" 1 $cores
    if [ $scale = tiny ]; then elba=elba-water; else elba='elba-water elba-lipids'; fi
    at "$elba" "$study" "$steps" cpu:double:1 $modes
}

mkdir -p "$out/starts" "$out/timings" "$out/counts" "$out/branches" "$out/compare" "$out/logs"
counts water "$(nearest "$water" 5000)"
counts lipids "$(nearest "$lipids" 5000)"
measure_speed
[ "$gpu" = none ] || accuracy cuda "$length"
accuracy cpu "$cpu_length"
[ "$gpu" = none ] || ! command -v ncu >/dev/null || {
    divergence water "$(nearest "$water" "$table")"
    divergence lipids "$(nearest "$lipids" "$table")"
}
if [ -n "${ONLY:-}" ]; then
    say "$ONLY: done; $failed pieces failed"
    [ $failed -eq 0 ] && exit 0 || exit 1
fi
. "$here/tables.sh"
say "$out/paper2013.md; $failed pieces failed"
[ $failed -eq 0 ]
