#!/bin/sh
# Microseconds a step of membranes and liquids, as dated lines at the end of a table.
#
#   results.sh TABLE.tsv      AMPHI_BENCH: bench_device; BACKENDS="cuda cpu";
#                             SIZES=5888,23552,94208; STEPS=2000 of the device; a processor takes
#                             STEPS / 100
#
# Columns: date, commit, processor, device, system, ensemble, beads, backend, precision, fs,
# microseconds for one step.
set -eu

table=$1
bench=${AMPHI_BENCH:-build/validation/bench/bench_device}
here=$(dirname "$0")
. "$here/machine.sh"

columns='date commit processor device system ensemble beads backend precision fs us_per_step'
[ -s "$table" ] || echo "$columns" | tr ' ' '\t' >"$table"

# measure BACKEND PRECISION SYSTEM SIZES STEPS ENSEMBLE
measure() {
    AMPHI_BACKEND=$1 "$bench" "systems/$3.xml" "$2" "$4" "$5" "$6" |
        bench_lines "$3" "$1" | tee -a "$table"
}

for backend in ${BACKENDS:-$(backends)}; do
    steps=${STEPS:-2000}
    sizes=${SIZES:-5888,23552,94208}
    [ "$backend" = cuda ] || steps=$((steps / 100 + 1))
    for precision in single double fixed; do
        measure "$backend" "$precision" bilayer-128 "$sizes" "$steps" nvt
    done
    measure "$backend" single bilayer-128 "${sizes%%,*}" "$steps" npt
    measure "$backend" single water-ssd-rf "${sizes##*,}" "$steps" nvt
done
