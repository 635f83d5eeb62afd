#!/bin/sh
# LAMMPS and amphi in turn on one DMPC membrane of 6784 beads at 10 fs, NVE, one core each; two
# threads against one; and time against size, on copies of the membrane. Prints medians with their
# spread, ratios, and whether each target is met. Fails only when something did not run. The machine
# should have nothing else to do: a few minutes.
#
#   AMPHI_PROGRAM=build/amphi ROUNDS=3 STEPS=400 sh validation/bench/vs-lammps.sh
#
# The start is the peer's relaxed membrane where it is found, else one that amphi builds and
# relaxes; both programs read the same positions, velocities and dipoles.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
amphi=${AMPHI_PROGRAM:-$root/build/amphi}
case $amphi in /*) ;; *) amphi=$PWD/$amphi ;; esac
AMPHI_DATA=${AMPHI_DATA:-$root}
export AMPHI_DATA
rounds=${ROUNDS:-3}
steps=${STEPS:-400}
lmp=$(command -v lmp || true)
peer=$root/../shared/reference/elba/dmpc/data.dmpc.gz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

fail() {
    echo "vs-lammps: $*" >&2
    exit 1
}

[ -x "$amphi" ] || fail "no $amphi: make, or name it with AMPHI_PROGRAM"

# ---- the start ----

build_start() {
    cat >relax.xml <<'XML'
<amphi version="1">
  <forcefield><include href="forcefield:elba"/></forcefield>
  <system><start>
    <bilayer normal="z" water-per-lipid="40" seed="1">
      <leaflet side="upper"><lipid type="DMPC" count="64"/></leaflet>
      <leaflet side="lower"><lipid type="DMPC" count="64"/></leaflet>
    </bilayer>
    <velocities temperature="303 K" seed="1"/>
  </start></system>
  <plan timestep="5 fs">
    <minimise name="relax" steps="300"/>
    <run name="warm" ensemble="nvt" length="10 ps">
      <thermostat temperature="303 K" time="0.2 ps" remove-drift="yes"/></run>
  </plan>
  <output><energies every="1 ps"/></output>
</amphi>
XML
    "$amphi" run relax.xml -o relax.run --quiet >relax.log 2>&1 || fail "$(cat relax.log)"
    "$amphi" convert relax.run/run.chk start.data --quiet >convert.log 2>&1 ||
        fail "$(cat convert.log)"
}

# LAMMPS wants extended beads everywhere, and a third bead of restraints, which it does not use: the
# public file has none, and calls them type 5, amphi type 4. amphi reads the file as it was.
for_lammps() {
    awk '
        /angle types/ { $1 = 5 }
        /^[A-Z]/ { section = $1 }
        section == "Atoms" && NF > 11 && $11 == 0 { $11 = 5; $12 /= 65.449847 }
        section == "Bonds" && NF == 4 { near[$3] = near[$3] " " $4; near[$4] = near[$4] " " $3 }
        section == "Angles" && NF == 5 && $2 == 4 { $2 = 5 }
        section == "Angles" && NF == 5 && $4 == $5 {
            n = split(near[$3], other, " ")
            for (k = 1; k <= n; k++) if (other[k] != $4) $5 = other[k]
            n = split(near[$4], other, " ")
            for (k = 1; k <= n && $4 == $5; k++) if (other[k] != $3) $5 = other[k]
        }
        { print }' start.data >lammps.data
}

write_deck() {
    {
        cat <<'DECK'
units real
atom_style hybrid angle dipole sphere
boundary p p p
bond_style harmonic
angle_style hybrid cosine/squared dipole
pair_style lj/sf/dipole/sf 12.0 12.0
special_bonds lj/coul 0.0 1.0 1.0
read_data lammps.data
DECK
        # kcal/mol and Angstrom, water chol phos gly est tail: Orsi & Essex (2011)
        awk 'BEGIN {
            split("0.550 0.725 0.943 0.651 0.710 0.554 1.434 1.434 1.171 1.171 1.095 1.434 1.171 " \
                  "1.171 1.095 0.956 0.956 0.894 0.956 0.894 0.837", e, " ")
            split("3.050 4.225 4.125 3.825 3.825 3.775 5.400 5.300 5.000 5.000 4.950 5.200 4.900 " \
                  "4.900 4.850 4.600 4.600 4.550 4.600 4.550 4.500", s, " ")
            for (i = 1; i <= 6; i++) for (j = i; j <= 6; j++) {
                k++; print "pair_coeff", i, j, e[k], s[k] }
            split("4.77 4.41 4.14 4.095 4.05", r, " ")
            for (b = 1; b <= 5; b++) print "bond_coeff", b, 1.506, r[b]
            split("115 90 180 120", t, " ")
            for (a = 1; a <= 4; a++) print "angle_coeff", a, "cosine/squared 3.585", t[a]
            print "angle_coeff 5 dipole 1.195 0.0" }'
        cat <<DECK
neighbor 2.0 bin
neigh_modify delay 0 every 1 check yes
fix 1 all nve/sphere update dipole
timestep 10.0
thermo 50
run ${steps}
DECK
    } >in.lammps
}

# NAME DATA COPIES CONSERVED: sums of energies as often as LAMMPS, or of every step.
write_job() {
    {
        echo '<amphi version="1"><forcefield><include href="forcefield:elba"/></forcefield><system>'
        for copy in $(seq "$3"); do
            echo '<molecule type="DMPC" count="128"/><molecule type="water" count="5120"/>'
        done
        echo "<start><coordinates file=\"$2\" format=\"lammps-data\" dipoles=\"file\"/></start>"
        echo '</system>'
        echo '<interactions><constants coulomb="138.935456264 kJ*nm/mol/e^2"/></interactions>'
        echo '<plan timestep="10 fs"><run name="nve" ensemble="nve" length="1 ns"/></plan>'
        echo "<output><energies every=\"0.5 ps\" conserved=\"$4\"/></output></amphi>"
    } >"$1.xml"
}

# ---- runs: each appends a line of ms a step to times.NAME ----

run_lammps() {
    OMP_NUM_THREADS=1 "$lmp" -in in.lammps -log none >lammps.log 2>&1 ||
        fail "$(tail -5 lammps.log)"
    awk '/^Loop time/ { print 1000 * $4 / $9 }' lammps.log >>times.lammps
}

# NAME JOB SET PRECISION THREADS STEPS
run_amphi() {
    AMPHI_CPU=$3 "$amphi" run "$2.xml" -o "$2.run" --fresh --yes --quiet --precision "$4" \
        --backend cpu --threads "$5" -n "$6" >amphi.log 2>&1 || fail "$(tail -5 amphi.log)"
    # 10 fs a step
    sed 's/.*"ns_per_day":\([0-9.e+]*\).*/\1/' "$2.run/status.json" |
        awk '{ print 864 / $1 }' >>"times.$1"
}

median() {
    sort -g "times.$1" | awk '{ t[NR] = $1 }
        END { print NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}

# NAME WORDS
line() {
    sort -g "times.$1" |
        awk -v what="$2" -v mid="$(median "$1")" -v peer="$(median lammps 2>/dev/null)" '
        { t[NR] = $1 }
        END { printf "  %-34s %8.2f  %7.2f .. %-7.2f %s\n", what, mid, t[1], t[NR],
                     (peer > 0 ? sprintf("%5.2f", peer / mid) : "") }'
}

# WORDS VALUE MUST AIM: at least
judge() {
    awk -v what="$1" -v is="$2" -v must="$3" -v aim="$4" 'BEGIN {
        printf "  %-44s %5.2f  at least %s: %s%s\n", what, is, must,
            (is >= must ? "met" : "NOT met"),
               (aim == "" ? "" : sprintf("; aim %s: %s", aim, (is >= aim ? "met" : "not met"))) }'
}

ratio() {
    awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN { print a / b }'
}

if [ -f "$peer" ]; then
    gunzip -c "$peer" >start.data
    echo "start: the peer's membrane"
else
    echo "start: a membrane built by amphi"
    build_start
fi
for_lammps
write_deck
write_job one start.data 1 sample
write_job mean start.data 1 mean
sets=v3
grep -q avx512vl /proc/cpuinfo && sets="v4 v3"
[ -n "$lmp" ] || echo "LAMMPS: skipped, there is no lmp (Debian's package lammps)"
case $sets in v3) echo "AVX-512: skipped, this machine has none" ;; esac

for round in $(seq "$rounds"); do
    [ -z "$lmp" ] || run_lammps
    for set in $sets; do
        for precision in single double; do
            run_amphi "$precision-$set" one "$set" "$precision" 1 "$steps"
        done
    done
    best=${sets%% *}
    run_amphi "mean" mean "$best" single 1 "$steps"
    [ "$(nproc)" -lt 2 ] || run_amphi "two-single" one "$best" single 2 "$steps"
    [ "$(nproc)" -lt 2 ] || run_amphi "two-double" one "$best" double 2 "$steps"
done

for copies in 1 2 4 8 16; do
    case $copies in 1) x=1 y=1 ;; 2) x=2 y=1 ;; 4) x=2 y=2 ;; 8) x=4 y=2 ;; 16) x=4 y=4 ;; esac
    awk -v nx=$x -v ny=$y -f "$here/replicate.awk" start.data >"start-$copies.data"
    write_job "size$copies" "start-$copies.data" $copies sample
done
for round in $(seq "$rounds"); do
    for copies in 1 2 4 8 16; do
        run_amphi "size$copies" "size$copies" "$best" single 1 "$steps"
    done
done

# ---- the table ----

echo
sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1
echo "$rounds rounds in turn, $steps steps of 10 fs, 6784 beads, one core unless told"
printf '  %-34s %8s  %-18s %s\n' '' 'ms/step' 'least .. most' 'LAMMPS / it'
[ -z "$lmp" ] || line lammps "LAMMPS, double"
for set in $sets; do
    name=$([ "$set" = v4 ] && echo AVX-512 || echo AVX2)
    line "single-$set" "amphi single $name"
    line "double-$set" "amphi double $name"
done
line mean "amphi single, energy of every step"
if [ "$(nproc)" -ge 2 ]; then
    line two-single "amphi single, 2 threads"
    line two-double "amphi double, 2 threads"
fi
for copies in 1 2 4 8 16; do
    awk -v c=$copies -v t="$(median size$copies)" 'BEGIN {
        printf "  %6d beads: %9.2f ms/step, %6.1f ns a bead\n", 6784 * c, t, 1e6 * t / 6784 / c }'
done

echo
if [ -n "$lmp" ]; then
    case $sets in v4*)
        judge "single AVX-512 against LAMMPS" "$(ratio lammps single-v4)" 6 8
        judge "double AVX-512 against LAMMPS" "$(ratio lammps double-v4)" 4 5
        ;;
    esac
    judge "single AVX2 against LAMMPS" "$(ratio lammps single-v3)" 4 5
    judge "double AVX2 against LAMMPS" "$(ratio lammps double-v3)" 2.5 3
fi
if [ "$(nproc)" -ge 2 ]; then
    judge "2 threads against 1, single" "$(ratio "single-$best" two-single)" 1.8 ""
    judge "2 threads against 1, double" "$(ratio "double-$best" two-double)" 1.8 ""
fi
for copies in 1 2 4 8 16; do echo "$copies $(median size$copies)"; done | awk '
    { each = $2 / $1; if (NR == 1) low = high = each
      if (each < low) low = each; if (each > high) high = each }
    END { off = (high - low) / (high + low) # from the line through zero that is nearest to all
          printf "  %-44s %5.2f  at most 0.15: %s\n", "time proportional to beads, off by",
                 off, (off <= 0.15 ? "met" : "NOT met")
          printf "  %-44s %5.2f\n", "slowest over fastest time a bead", high / low }'
