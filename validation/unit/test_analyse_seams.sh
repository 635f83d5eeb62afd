#!/bin/sh
# A trajectory that begins with a later stage is analysed, wherever that stage begins: between two
# whole steps of its own from time zero, or where its time step is less in single precision than in
# double (8 fs is, by 3e-8). XTC has times in single precision, which leaves 4e-6 ps at 62 ps.
. "$(dirname "$0")/checks.sh"
cd "$folder" || exit 1

# job WARM_PS WARM_FS FS EVERY_PS FORMAT: two stages of which the second is seen
job() {
    cat <<END
<amphi version="1"><forcefield><include href="forcefield:elba"/></forcefield>
<system><start><fill type="water" count="60" density="2.2 g/cm^3" seed="1"/>
<velocities temperature="298 K" seed="1"/></start></system>
<interactions><cutoff distance="0.55 nm"/></interactions>
<plan timestep="$3 fs"><minimise name="relax" steps="50"/>
<run name="warm" ensemble="nvt" length="$1 ps" timestep="$2 fs">
<thermostat temperature="298 K"/></run>
<run name="measure" ensemble="nvt" length="$(awk -v e="$4" 'BEGIN { print 10 * e }') ps">
<thermostat temperature="298 K"/></run></plan>
<output><trajectory from="measure" every="$4 ps" format="$5"/>
<rdf from="measure" every="$4 ps" beads="water water" extent="0.5 nm"/></output></amphi>
END
}

while read -r warm_ps warm_fs fs every_ps format; do
    rm -rf seam.run
    job "$warm_ps" "$warm_fs" "$fs" "$every_ps" "$format" >seam.xml
    "$program" run seam.xml -o seam.run --backend cpu --threads 1 --no-report -q >log 2>&1
    check "a run of $warm_ps ps, then steps of $fs fs, in $format" $?
    for how in with without; do
        rm -rf seam.run/analysis
        [ $how = with ] || rm -f seam.run/run.chk seam.run/run.chk.prev
        "$program" analyse seam.run >log 2>&1
        grep -q '^  frames  *11,' log # the first, and ten more
        check "it is analysed $how its checkpoint" $?
    done
done <<END
5 5 15 0.15 dcd
30 6 8 0.08 dcd
62 8 8 0.08 dcd
62 8 8 0.08 xtc
END

finish
