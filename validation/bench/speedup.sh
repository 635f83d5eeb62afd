#!/bin/sh
# The seed paper's figure of speed-ups, redone: the device in single and in double over one core of
# the same machine with the backend cpu in double, for ELBA water and a DMPC membrane at several
# sizes and time steps. Writes TABLE.tsv, TABLE.txt to read, and with gnuplot TABLE.svg; 20 fs is
# there to strain it.
#
#   speedup.sh TABLE.tsv      AMPHI_BENCH: bench_device; SIZES_WATER, SIZES_MEMBRANE, FS="1 10 20";
#                             STEPS=1000 of the device, CPU_STEPS=5; JOBS=1: cores at a time
set -eu

table=$1
here=$(dirname "$0")
bench=${AMPHI_BENCH:-build/validation/bench/bench_device}
water=${SIZES_WATER:-840,3360,13440,53760,107520,218400}
membrane=${SIZES_MEMBRANE:-1472,5888,23552,94208,211968}
. "$here/machine.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# job SYSTEM FS: the smallest system, to be replicated
job() {
    start='<box x="2.93 nm" y="2.93 nm" z="2.93 nm"/>
        <start><fill type="water" count="840" seed="3"/>'
    [ "$1" = water ] || start='<start><bilayer normal="z" water-per-lipid="31" seed="1">
        <leaflet side="upper"><lipid type="DMPC" count="16"/></leaflet>
        <leaflet side="lower"><lipid type="DMPC" count="16"/></leaflet></bilayer>'
    echo "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>
        <system>$start
        <velocities temperature=\"303 K\" seed=\"1\"/></start></system>
        <plan timestep=\"$2 fs\"><run name=\"a\" ensemble=\"nvt\" length=\"1 ns\"><thermostat
        temperature=\"303 K\"/></run></plan></amphi>"
}

# measure SYSTEM FS BACKEND PRECISION STEPS
measure() {
    sizes=$membrane
    [ "$1" = water ] && sizes=$water
    AMPHI_BACKEND=$3 "$bench" "$work/$1-$2.xml" "$4" "$sizes" "$5" nvt | bench_lines "$1" "$3"
}

for system in water membrane; do
    for fs in ${FS:-1 10 20}; do
        job $system "$fs" >"$work/$system-$fs.xml"
        [ "$(device)" = none ] || for precision in single double; do
            measure $system "$fs" cuda $precision "${STEPS:-1000}" >>"$work/lines"
        done
    done
done
core=0
for system in water membrane; do
    for fs in ${FS:-1 10 20}; do
        (
            export OMP_NUM_THREADS=1
            measure $system "$fs" cpu double "${CPU_STEPS:-5}" >"$work/cpu-$system-$fs"
        ) &
        core=$((core + 1))
        [ $((core % ${JOBS:-1})) -ne 0 ] || wait
    done
done
wait
cat "$work"/cpu-* >>"$work/lines"

awk -F '\t' -v OFS='\t' '{
        at = $5 OFS $7 OFS $10
        if (!(at in seen)) { seen[at] = ++n; key[n] = at }
        us[at, $8, $9] = $11
        where = $1 ", " $3 ", " $4 ", commit " $2
    }
    END {
        print "# " where "; microseconds a step, and times faster than one core in double"
        print "system", "beads", "fs", "cpu_double", "cuda_double", "cuda_single", "gain_double",
            "gain_single"
        for (k = 1; k <= n; k++) {
            at = key[k]
            c = us[at, "cpu", "double"]; d = us[at, "cuda", "double"]; s = us[at, "cuda", "single"]
            print at, c, d, s, (d > 0 ? sprintf("%.0f", c / d) : "-"),
                (s > 0 ? sprintf("%.0f", c / s) : "-")
        }
    }' "$work/lines" | {
    read -r where
    read -r head
    echo "$where"
    echo "$head"
    sort -t "$(printf '\t')" -k1,1 -k3,3n -k2,2n
} >"$table"
head -n 1 "$table" | tee "${table%.tsv}.txt"
if command -v column >/dev/null; then
    tail -n +2 "$table" | column -t -s "$(printf '\t')" | tee -a "${table%.tsv}.txt"
else
    tail -n +2 "$table" | tee -a "${table%.tsv}.txt"
fi
if command -v gnuplot >/dev/null; then
    gnuplot -e "table='$table'" "$here/speedup.gp" >"${table%.tsv}.svg"
fi
