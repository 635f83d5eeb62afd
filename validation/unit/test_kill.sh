#!/bin/sh
# A run that is stopped and continued ends with the bytes of one that was never stopped: killed at
# random instants, ended by TERM, and out of time again and again, always by the same command.
# SEED=N repeats the instants, as far as a machine does so; the seed is printed. KILLS=20: how many
# (under sanitizers, where a run takes ten times as long, make asks for three).
#
# Compared is every file of the run directory but these: run.log and status.json have times of day,
# run.lock has the number of the process, and run.chk.prev is of whichever step was saved before.
. "$(dirname "$0")/checks.sh"
seed=${SEED:-$(date +%s)}
kills=${KILLS:-20}
cd "$folder" || exit 1
echo "SEED=$seed"

press=2 free=2
if [ -n "${BRIEF:-}" ]; then # under sanitizers a step takes ten times as long
    press=0.4 free=0.4
fi

cat >job.xml <<XML
<amphi version="1"><title>16 DMPC</title>
<forcefield><include href="forcefield:elba"/></forcefield>
<system>
  <start>
    <bilayer normal="z" water-per-lipid="12" seed="1">
      <leaflet side="upper"><lipid type="DMPC" count="8"/></leaflet>
      <leaflet side="lower"><lipid type="DMPC" count="8"/></leaflet>
    </bilayer>
    <velocities temperature="303 K" seed="1"/>
  </start>
  <group name="lipids" select="kind lipid"/>
  <group name="solvent" select="kind solvent"/>
</system>
<interactions><cutoff distance="0.9 nm"/></interactions>
<plan timestep="5 fs">
  <minimise name="relax" steps="200"/>
  <run name="warm" ensemble="nvt" length="1 ps">
    <thermostat temperature="303 K" time="0.5 ps" groups="lipids solvent" remove-drift="yes"/>
  </run>
  <run name="press" ensemble="npt" length="$press ps">
    <thermostat temperature="303 K" type="langevin"/>
    <barostat coupling="semi-isotropic" pressure="1 bar"/>
  </run>
  <run name="free" ensemble="nve" length="$free ps"/>
</plan>
<output>
  <energies every="0.1 ps"/>
  <trajectory every="0.1 ps"/>
  <profile of="mass number charge electrons dipole" every="0.1 ps"/>
  <area every="0.1 ps"/>
  <thickness every="0.1 ps" beads="phos"/>
  <order every="0.1 ps"/>
  <rdf beads="water water" extent="1 nm" every="0.1 ps"/>
  <diffusion every="0.05 ps"/>
  <checkpoint every="50 steps"/>
</output>
<compute><watch every="20 steps"/></compute>
</amphi>
XML

# amphi DIRECTORY COMMAND...: the run, below a command such as timeout; options follow in $options.
amphi() {
    directory=$1
    shift
    # shellcheck disable=SC2086 # options are words
    "$@" "$program" run job.xml -o "$directory" --threads 1 --quiet --no-report ${options:-} \
        >log 2>&1 </dev/null
}

same() {
    diff -rq -x run.log -x status.json -x run.lock -x run.chk.prev "$1" "$2"
}

# instant K N: the K-th instant, a fraction of the unbroken run's time from a tenth of it. Longer
# from one start to the next, by N so far, because a machine may have become so slow since the
# unbroken run that a start alone takes that long.
instant() {
    awk -v seed="$((seed + $1))" -v n="$2" -v took="$took" 'BEGIN {
        srand(seed)
        rand()
        printf "%.3f\n", took * (0.1 + 0.3 * rand()) * 1.2 ^ n
    }'
}

began=$(date +%s%N)
amphi unbroken env
check "the unbroken run" $?
took=$(awk -v ns=$(($(date +%s%N) - began)) 'BEGIN { print ns / 1e9 }')
for name in area.tsv diffusion.tsv energy.tsv final.gro order.tsv profile.tsv rdf.tsv run.chk \
    thickness.tsv trajectory.dcd; do
    test -s unbroken/$name
    check "$name is there" $?
done

# The comparison sees one byte, and a file more or less.
for change in 'printf x >>other/energy.tsv' 'rm other/final.gro' ': >other/more'; do
    rm -rf other && cp -r unbroken other && eval "$change"
    ! same unbroken other >/dev/null
    check "the comparison sees: $change" $?
done

# A run that ends before all kills are used begins again in another directory. Status 124 is that of
# timeout where a run ended as its time was up, before the kill came.
n=0 round=0 status=0
while [ $n -lt $kills ] && [ $round -lt $kills ] && [ $failed -eq 0 ]; do
    round=$((round + 1))
    while [ $n -lt $kills ]; do
        n=$((n + 1))
        amphi killed-$round timeout --foreground -s KILL "$(instant $n 0)"
        status=$?
        test $status -eq 137 || break
    done
    if [ $status -eq 137 ] || [ $status -eq 124 ]; then
        amphi killed-$round env
        status=$?
    fi
    check "the run goes on after a kill" $status
    same unbroken killed-$round
    check "killed runs end with the same bytes, round $round" $?
done
echo "note: $n instants in $round runs of about $took s"

# Stopped runs end with status 8 and say so; the command that goes on is the same.
# Sooner where even the first came too late: the machine may have been busy while it measured $took.
for _ in 1 2 3 4; do
    n=0 status=8
    while [ $status -eq 8 ] && [ $n -lt 50 ]; do
        amphi ended timeout --foreground --preserve-status -s TERM "$(instant $((100 + n)) $n)"
        status=$?
        n=$((n + 1))
    done
    [ $n -le 1 ] || break
    rm -rf ended
    took=$(awk -v took="$took" 'BEGIN { print took / 2 }')
done
check "TERM stops it, and it goes on" $status
test $n -gt 1
check "TERM came before its end" $?
same unbroken ended
check "ended runs end with the same bytes" $?

# A stop that is asked for while a large start is still built, which takes a second, is not
# forgotten.
sed 's/count="8"/count="400"/' job.xml >large.xml
timeout --foreground --preserve-status -s TERM 0.5 "$program" run large.xml -o large --threads 1 \
    --quiet --no-report >log 2>&1 </dev/null
test $? -eq 8 && test -s large/run.chk
check "TERM while the start is built is kept until it is" $?

# Again half as long where even the first was too long.
for _ in 1 2 3 4; do
    n=0 status=8
    while [ $status -eq 8 ] && [ $n -lt 50 ]; do
        hours=$(awk -v took="$took" -v n=$n \
            'BEGIN { printf "%.8f\n", 0.3 * took * 1.2 ^ n / 3600 }')
        options="--max-hours $hours"
        amphi hours env
        status=$?
        n=$((n + 1))
    done
    [ $n -le 1 ] || break
    rm -rf hours
    took=$(awk -v took="$took" 'BEGIN { print took / 2 }')
done
check "--max-hours stops it, and it goes on" $status
test $n -gt 1
check "its time was over before its end" $?
same unbroken hours
check "runs out of time end with the same bytes" $?

finish
