# The systems of the evaluation as system files. Sourced by paper.sh.
#
#   water, lipids         sticky water, and DMPC in it: the B08o model, in the style of the paper's
#   mixed                 that water with one lipid: whatever the types of lipids cost is paid
#   elba-water, elba-lipids, elba-mixed    the same in the ELBA model, which bears 10 and 20 fs

field() {
    case $1 in elba-*) echo elba ;; *) echo brahms-style ;; esac
}

# Beads of a lipid; with its water it has 46 in either model.
lipid_beads() {
    case $1 in elba-*) echo 15 ;; *) echo 13 ;; esac
}

# leaflet BEADS: lipids of one leaflet of a membrane of about so many beads
leaflet() {
    echo $((($1 + 46) / 92))
}

# beads_of SYSTEM BEADS: as many as it really gets
beads_of() {
    case $1 in *lipids) echo $(($(leaflet "$2") * 92)) ;; *) echo "$2" ;; esac
}

bilayer() {
    echo "<bilayer normal=\"z\" water-per-lipid=\"$((46 - $(lipid_beads "$1")))\" seed=\"1\">"
    for side in upper lower; do
        echo "<leaflet side=\"$side\"><lipid type=\"DMPC\" count=\"$(leaflet "$2")\"/></leaflet>"
    done
    echo '</bilayer>'
}

# fill SYSTEM BEADS: a cube at the density of water, 33.4 molecules in a cubic nanometre
fill() {
    edge=$(awk -v n="$2" 'BEGIN { printf "%.4f nm", (n / 33.4) ^ (1 / 3) }')
    echo "<box x=\"$edge\" y=\"$edge\" z=\"$edge\"/><start><fill seed=\"3\">"
    case $1 in *mixed) echo '<part type="DMPC" count="1"/>' ;; esac
    echo "<part type=\"water\" count=\"$(waters "$1" "$2")\"/></fill>"
}

waters() {
    case $1 in
    *lipids) echo $(($(leaflet "$2") * 2 * (46 - $(lipid_beads "$1")))) ;;
    *mixed) echo $(($2 - $(lipid_beads "$1"))) ;;
    *) echo "$2" ;;
    esac
}

molecules() {
    case $1 in
    *lipids) echo "<molecule type=\"DMPC\" count=\"$(($(leaflet "$2") * 2))\"/>" ;;
    *mixed) echo '<molecule type="DMPC" count="1"/>' ;;
    esac
    echo "<molecule type=\"water\" count=\"$(waters "$1" "$2")\"/>"
}

# start_job SYSTEM BEADS: made, relaxed and warmed
start_job() {
    echo "<amphi version=\"1\"><title>$1, $2 beads</title>"
    echo "<forcefield><include href=\"forcefield:$(field "$1")\"/></forcefield><system>"
    case $1 in *lipids) echo '<start>' && bilayer "$1" "$2" ;; *) fill "$1" "$2" ;; esac
    cat <<END
<velocities temperature="303.15 K" seed="1"/></start></system>
<plan timestep="1 fs"><minimise name="relax" steps="$minimise"/>
<run name="warm" ensemble="nvt" length="$warm fs">
<thermostat temperature="303.15 K" time="0.05 ps"/></run>
</plan><output><energies every="10 ps"/></output></amphi>
END
}

# step_job SYSTEM BEADS FS EVERY_FS: from there on at constant temperature, energies so often
step_job() {
    cat <<END
<amphi version="1"><title>$1, $2 beads, $3 fs</title>
<forcefield><include href="forcefield:$(field "$1")"/></forcefield>
<system>$(molecules "$1" "$2")<start><coordinates file="$1-$2.run/run.chk"/></start></system>
<plan timestep="$3 fs"><run name="nvt" ensemble="nvt" length="1 ns">
<thermostat temperature="303.15 K"/></run></plan>
<output><energies every="$4 fs"/></output></amphi>
END
}

# accuracy_job BEADS PART: of the membrane of tables 6 and 7 its settling, at 2 fs to be settled
# sooner, or what follows it
accuracy_job() {
    bath='<thermostat temperature="303.15 K" groups="lipids solvent" remove-drift="yes"'
    echo "<amphi version=\"1\"><title>membrane of $1 beads, 1 fs</title>"
    echo '<forcefield><include href="forcefield:brahms-style"/></forcefield><system><start>'
    bilayer lipids "$1"
    echo '<velocities temperature="303.15 K" seed="1"/></start>'
    echo '<group name="lipids" select="kind lipid"/>'
    echo '<group name="solvent" select="kind solvent"/></system><plan timestep="1 fs">'
    if [ "$2" = settling ]; then
        cat <<END
<minimise name="relax" steps="$minimise"/>
<run name="warm" ensemble="nvt" length="$settle_warm fs">$bath time="0.05 ps"/></run>
<run name="settle" ensemble="npt" timestep="2 fs" length="$settle fs">$bath time="0.2 ps"/>
<barostat type="berendsen" coupling="semi-isotropic" pressure="1.01325 bar"/></run>
<run name="shorten" ensemble="nvt" length="$settle_warm fs">$bath time="0.2 ps"/></run>
END
    else
        echo "<run name=\"nvt\" ensemble=\"nvt\" length=\"1 ns\">$bath/></run>"
    fi
    echo '</plan><output><energies every="1 ps"/></output></amphi>'
}
