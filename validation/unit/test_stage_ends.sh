#!/bin/sh
# Where a run ends at the seam of two stages, or in a minimisation behind a <run>: no stage is
# skipped, what was seen is written, and what lies ahead is told as it is.
. "$(dirname "$0")/checks.sh"
cd "$folder" || exit 1

# 30 steps of 3.3333333333 fs end a little before 0.1 ps.
cat >ends.xml <<'END'
<amphi version="1"><forcefield><include href="forcefield:elba"/></forcefield>
<system><start><fill type="water" count="60" density="2.2 g/cm^3" seed="1"/>
<velocities temperature="298 K" seed="1"/></start></system>
<interactions><cutoff distance="0.55 nm"/></interactions>
<plan timestep="5 fs"><minimise name="relax" steps="20"/>
<run name="first" ensemble="nvt" length="0.1 ps" timestep="3.3333333333 fs">
<thermostat temperature="298 K"/></run>
<minimise name="again" steps="30" stop-force="0.001 kJ/mol/nm"/>
<run name="second" ensemble="nvt" length="0.2 ps"><thermostat temperature="298 K"/></run></plan>
<output><energies every="10 steps"/><trajectory every="10 steps"/>
<rdf every="10 steps" beads="water water" extent="0.5 nm"/></output></amphi>
END

go() {
    to=$1
    shift
    "$program" run ends.xml -o "$to" --backend cpu --threads 1 --no-report "$@" >log 2>&1
}

go until.run --until 0.1ps
check "a run until the end of its first stage" $?
grep -q '"stage":"first"' until.run/status.json
check "it ends in that stage" $?
steps=$(sed -n 's/.*"step":\([0-9]*\).*/\1/p' until.run/status.json | tail -n 1)
grep -q "\"steps\":$steps[,}]" until.run/status.json
check "all steps that it foresaw are made" $?
go until.run --until 0.1ps && grep -q 'done already' log
check "asked once more, it is done" $?
go until.run
check "it goes on" $?
awk -F '\t' '!/^#/ && /\t/ { last = $0 } END { print last }' until.run/energy.tsv >last
go whole.run
awk -F '\t' '!/^#/ && /\t/ { last = $0 } END { print last }' whole.run/energy.tsv | cmp -s - last
check "to where a whole run ends" $?

go stopped.run --steps $((steps + 5))
check "a run that ends in a minimisation behind a stage" $?
[ -s stopped.run/rdf.tsv ] && [ -s stopped.run/final.gro ]
check "has the tables and the last frame of that stage" $?

finish
