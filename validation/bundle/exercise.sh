#!/bin/sh
# Jobs that between them launch every kernel of a device: all potentials and bonded terms, rotors of
# every kind, every ensemble, thermostat and barostat, restraints, a descent, observers. Small, for
# tools that slow a program down a hundredfold; but for three of a few steps, since large systems
# have kernels and graphs of their own.
#
#   exercise.sh FOLDER PRECISION     runs each as: $CHECK "$AMPHI_PROGRAM" run ...
#
# STEPS of each stage (24), DOWNHILL of the descent (30), LIPIDS of each leaflet (32); FEW steps of
# each stage of the large ones (4); LOOK=always: observers look at every step, so that no step is
# in a graph; else at every fifteenth. BACKEND=cuda.
set -eu

folder=$1
precision=$2
steps=${STEPS:-24}
lipids=${LIPIDS:-32}
program=${AMPHI_PROGRAM:-build/amphi}
mkdir -p "$folder"

# product A B: for lengths of time
product() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%g fs", a * b }'
}

# plan STEP_FS RESTRAINED THERMOSTAT_GROUPS: every way to move, one after another
plan() {
    length=$(product "$1" "$steps")
    bath='temperature="300 K" time="0.2 ps"'
    run() {
        echo "<run name=\"$1\" ensemble=\"$2\" length=\"$length\">${3:-}</run>"
    }
    echo "<plan timestep=\"$1 fs\"><minimise name=\"relax\" steps=\"${DOWNHILL:-30}\"/>"
    run nve nve
    run groups nvt "<thermostat $bath $3 remove-drift=\"yes\"/>"
    run held nvt "<thermostat $bath/>
        <restrain group=\"$2\" k=\"50 kJ/mol/nm^2\" axes=\"xz\"/>"
    run berendsen nvt "<thermostat type=\"berendsen\" $bath/>"
    run langevin nvt "<thermostat type=\"langevin\" $bath/>"
    run still nvt "<thermostat type=\"langevin\" $bath $3 remove-drift=\"yes\"/>"
    run rescaled npt "<thermostat $bath/>
        <barostat coupling=\"semi-isotropic\" every=\"5\" time=\"50 ps\"/>"
    run always npt "<thermostat $bath/>
        <barostat coupling=\"isotropic\" every=\"1\" time=\"50 ps\"/>"
    run tension npt "<thermostat $bath/><barostat type=\"berendsen\" coupling=\"semi-isotropic\"
        tension=\"10 mN/m\" every=\"3\" time=\"50 ps\"/>"
    run flat npt "<thermostat $bath/>
        <barostat coupling=\"constant-area\" every=\"2\" time=\"50 ps\"/>"
    echo "</plan>"
}

# seen STEP_FS ELEMENTS: observers, each with EVERY in it
seen() {
    every=15
    [ "${LOOK:-}" = always ] && every=1
    echo "<output>$2</output></amphi>" | sed "s/EVERY/every=\"$(product "$1" $every)\"/g"
}

# few_steps STEP_FS
few_steps() {
    length=$(product "$1" "${FEW:-4}")
    bath='<thermostat temperature="300 K" time="0.2 ps"/>'
    echo "<plan timestep=\"$1 fs\"><minimise name=\"relax\" steps=\"2\"/>
        <run name=\"nve\" ensemble=\"nve\" length=\"$length\"/>
        <run name=\"nvt\" ensemble=\"nvt\" length=\"$length\">$bath</run>
        <run name=\"npt\" ensemble=\"npt\" length=\"$length\">$bath
            <barostat coupling=\"isotropic\" every=\"1\" time=\"50 ps\"/></run></plan>"
}

# membrane FORCE_FIELD STEP_FS LIPIDS PLAN
membrane() {
    cat <<END
<amphi version="1"><forcefield><include href="forcefield:$1"/></forcefield><system><start>
<bilayer normal="z" water-per-lipid="12" seed="1">
<leaflet side="upper"><lipid type="DMPC" count="$3"/></leaflet>
<leaflet side="lower"><lipid type="DMPC" count="$3"/></leaflet></bilayer>
<velocities temperature="303 K" seed="1"/></start>
<group name="lipids" select="kind lipid"/><group name="solvent" select="kind solvent"/></system>
$4
$(seen "$2" '<energies EVERY/><trajectory EVERY/>
<profile EVERY centre="lipids" of="mass electrons charge"/>
<area EVERY/><thickness EVERY/><order EVERY/><diffusion EVERY group="lipids" plane="xy"/>')
END
}

# fluid FORCE_FIELD TYPE STEP_FS BOX
fluid() {
    cat <<END
<amphi version="1"><forcefield><include href="forcefield:$1"/></forcefield>
<system><box $4/><start><fill type="$2" count="300" seed="3"/>
<velocities temperature="298 K" seed="1"/></start>
<group name="half" select="bead $2"/></system>
$(plan "$3" half '')
$(seen "$3" '<energies EVERY/>')
END
}

# lattice TYPE OTHER X Y Z SPACING_X SPACING_Y SPACING_Z: beads of two types in turn, all turned
# alike; spacings in nm
lattice() {
    awk -v a="$1" -v b="$2" -v nx="$3" -v ny="$4" -v nz="$5" -v x="$6" -v y="$7" -v z="$8" 'BEGIN {
        n = nx * ny * nz
        printf "<box x=\"%g nm\" y=\"%g nm\" z=\"%g nm\"/>\n", nx * x, ny * y, nz * z
        printf "<molecule type=\"%s\" count=\"%d\"/>", a, (n + 1) / 2
        printf "<molecule type=\"%s\" count=\"%d\"/>\n", b, n / 2
        print "<start><beads length=\"nm\">"
        for (type = 0; type < 2; type++)
            for (k = type; k < n; k += 2)
                printf "%s %d %g %g %g 1 0 0 0\n", type ? b : a, ++i, k % nx * x,
                    int(k / nx) % ny * y, int(k / (nx * ny)) * z
        print "</beads>"
    }'
}

# two_types FORCE_FIELD MORE STEP_FS LATTICE...: a fluid of two types, whose pairs look up constants
two_types() {
    field=$1 more=$2 step=$3
    shift 3
    cat <<END
<amphi version="1"><forcefield><include href="forcefield:$field"/>$more</forcefield><system>
$(lattice "$@")
<velocities temperature="298 K" seed="1"/></start>
<group name="half" select="bead $1"/></system>
$(plan "$step" half '')
$(seen "$step" '<energies EVERY/>')
END
}

groups='groups="lipids solvent"'
membrane elba 5 "$lipids" "$(plan 5 lipids "$groups")" >"$folder/elba.xml"
membrane brahms-style 1 "$lipids" "$(plan 1 lipids "$groups")" >"$folder/b08o.xml"
# 62 500 beads: pairs of four lanes a bead, sorted rows in layers, ellipsoids apart from others,
# lists that the device launches; and a sheet of which 16 bits are too few to tell what a bead
# reaches.
membrane elba 5 1250 "$(few_steps 5)" >"$folder/large.xml"
membrane brahms-style 1 1250 "$(few_steps 1)" >"$folder/large-b08o.xml"
{
    echo '<amphi version="1"><forcefield><include href="forcefield:elba"/></forcefield><system>
        <box x="4 nm" y="28 nm" z="28 nm"/><start><fill type="water" count="69000" seed="3"/>
        <velocities temperature="298 K" seed="1"/></start></system>'
    few_steps 5
    echo '<output><energies every="5 fs"/></output></amphi>'
} >"$folder/sheet.xml"
small='x="2.5 nm" y="2.5 nm" z="3 nm"'
fluid elba water 5 "$small" >"$folder/water.xml"
{
    sed '/<\/amphi>/d' systems/mixture.xml
    plan 0.5 ends ''
    seen 0.5 '<energies EVERY/><trajectory EVERY/><rdf EVERY beads="cation anion" extent="1.2 nm"/>'
} >"$folder/mixture.xml"
fluid ssd SSDRF 1 "$small" >"$folder/ssd.xml"
fluid gay-berne GB 2 'x="10 nm" y="10 nm" z="10 nm"' >"$folder/gb.xml"
two_types ssd '<pair types="SSDE SSDRF" potential="lennard-jones" epsilon="0.152 kcal/mol"
    sigma="3.03 A"/>' 1 SSDRF SSDE 7 7 6 0.36 0.36 0.5 >"$folder/ssd-two.xml"
two_types gay-berne '<beadtype name="short" mass="1 u" inertia="0.5 u*nm^2" breadth="1 nm"
    length="2 nm" side="1" end="0.4"/><moleculetype name="short"><bead id="1" type="short"/>
    </moleculetype><pair types="short short" potential="gay-berne" epsilon="1 kJ/mol"/>
    <pair types="GB short" potential="gay-berne" epsilon="1.1 kJ/mol"/>' 2 \
    GB short 7 7 6 1.4 1.4 3.2 >"$folder/gb-two.xml"

# The widest first, in case there is not the time for all. Last two at once, states of two threads.
for job in mixture elba b08o ssd gb ssd-two gb-two water large large-b08o sheet beside; do
    set -- "$folder/$job.xml"
    [ $job != beside ] || set -- "$folder/elba.xml" "$folder/water.xml"
    # shellcheck disable=SC2086
    ${CHECK:-} "$program" run "$@" -o "$folder/$job-$precision.run" --fresh --yes \
        --quiet --no-report --backend "${BACKEND:-cuda}" --precision "$precision" \
        >"$folder/$job-$precision.log" 2>&1 || {
        echo "$job $precision: exit status $?"
        tail -n 5 "$folder/$job-$precision.log"
        exit 1
    }
done
