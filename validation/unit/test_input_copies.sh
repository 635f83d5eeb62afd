#!/bin/sh
# The copies of what a run has read, in input/: two files of one name in two folders, and one that
# has the name of a force field of amphi's. The run can be analysed by them and repeated from them,
# to the same energies. A file that is called like the list of hashes does not get in its way.
. "$(dirname "$0")/checks.sh"
cd "$folder" || exit 1
mkdir sterols ions

# bead NAME: a force field of one bead, which is a molecule
bead() {
    echo "<forcefield version=\"1\" name=\"$1\"><beadtype name=\"$1\" mass=\"40 u\"/>"
    for other in "$1" water; do
        echo "<pair types=\"$1 $other\" potential=\"lennard-jones\" epsilon=\"1 kJ/mol\""
        echo "sigma=\"0.3 nm\"/>"
    done
    echo "<moleculetype name=\"$1\"><bead id=\"1\" type=\"$1\"/></moleculetype></forcefield>"
}
bead first >sterols/ff.xml
bead second | sed 's|<moleculetype|<pair types="first second" potential="lennard-jones"\
    epsilon="1 kJ/mol" sigma="0.3 nm"/><pair types="first third" potential="lennard-jones"\
    epsilon="1 kJ/mol" sigma="0.3 nm"/><pair types="second third" potential="lennard-jones"\
    epsilon="1 kJ/mol" sigma="0.3 nm"/><moleculetype|' >ions/ff.xml
bead third >elba.xml
echo '<forcefield version="1" name="empty"/>' >SHA256SUMS
cat >mix.xml <<'END'
<amphi version="1"><forcefield><include href="forcefield:elba"/><include href="sterols/ff.xml"/>
<include href="elba.xml"/><include href="ions/ff.xml"/></forcefield>
<system><start><fill density="1 g/cm^3" seed="1"><part type="first" count="20"/>
<part type="second" count="20"/><part type="third" count="20"/><part type="water" count="300"/>
</fill><velocities temperature="300 K" seed="1"/></start></system>
<plan timestep="2 fs"><run name="a" ensemble="nve" length="0.1 ps"/></plan>
<output><energies every="0.02 ps"/><trajectory every="0.02 ps"/></output></amphi>
END

energies() {
    grep -v '^#' "$1/energy.tsv"
}

"$program" run mix.xml -o mix.run --backend cpu --threads 1 >log 2>&1
check "a run" $?
(cd mix.run/input && sha256sum --quiet -c SHA256SUMS) >log 2>&1
check "every copy has its hash" $?
cmp ions/ff.xml mix.run/input/ions/ff.xml >log 2>&1 &&
    cmp sterols/ff.xml mix.run/input/sterols/ff.xml >>log 2>&1 &&
    cmp elba.xml mix.run/input/elba.xml >>log 2>&1
check "a copy lies where its file did" $?
"$program" analyse mix.run --observe diffusion >log 2>&1
check "it is analysed by them" $?
mv mix.run/input copies
"$program" run copies/mix.xml -o again.run --backend cpu --threads 1 >log 2>&1
check "it is repeated from them" $?
[ "$(energies mix.run)" = "$(energies again.run)" ]
check "to the same energies" $?
sed 's|<include href="elba.xml"/>|&<include href="SHA256SUMS"/>|' mix.xml >listed.xml
"$program" run listed.xml -o listed.run --backend cpu --threads 1 >log 2>&1 &&
    (cd listed.run/input && sha256sum --quiet -c SHA256SUMS) >log 2>&1
check "a file called like the list has a copy, too" $?
sed 's|  mix.xml|  ../mix.xml|' copies/SHA256SUMS >sums && mkdir mix.run/input &&
    mv sums mix.run/input/SHA256SUMS && cp copies/elba.xml mix.run/input/
"$program" analyse mix.run --observe diffusion >log 2>&1
[ $? -ne 0 ] && ! grep -q 'input/\.\./mix.xml' log
check "a list that leads out of the folder is not followed" $?

finish
