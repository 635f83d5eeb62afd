#!/bin/sh
# LAMMPS data of a membrane as amphi writes them: read back they have the energies of the
# checkpoint, and LAMMPS reads them and finds the same bonded energies.
. "$(dirname "$0")/../unit/checks.sh"

# job START MORE
job() {
    echo '<amphi version="1"><forcefield><include href="forcefield:elba"/></forcefield>'
    echo "<system>$1</system>$2</amphi>"
}

# back FORMAT: the energies of the last state from this file, in energies.FORMAT.
back() {
    job "<molecule type=\"DMPC\" count=\"32\"/><molecule type=\"water\" count=\"480\"/>
        <start><coordinates file=\"end.$1\"/></start>" '' >"$folder/$1.xml"
    "$program" evaluate "$folder/$1.xml" -o "$folder/$1" >"$log" 2>&1 &&
        awk '/^[^#]/ { print $1, $2 }' "$folder/$1/energies.tsv" >"$folder/energies.$1"
}

job '<start><bilayer normal="z" water-per-lipid="15" seed="1">
        <leaflet side="upper"><lipid type="DMPC" count="16"/></leaflet>
        <leaflet side="lower"><lipid type="DMPC" count="16"/></leaflet></bilayer></start>' \
    '<plan timestep="5 fs"><minimise name="relax" steps="20"/></plan>
    <output><energies/></output>' >"$folder/job.xml"
"$program" run "$folder/job.xml" -o "$folder/run" --quiet >"$log" 2>&1 &&
    "$program" convert "$folder/run/run.chk" "$folder/end.data" >"$log" 2>&1 &&
    mv "$folder/run/run.chk" "$folder/end.chk"
check "a membrane" $?

back chk
check "from the checkpoint" $?
back data
check "from LAMMPS data" $?
# 17 digits, and sums in the same order
paste "$folder/energies.chk" "$folder/energies.data" | awk 'NR > 1 {
        bad += $1 != $3 || ($2 - $4) ^ 2 > 1e-24 * ($2 ^ 2 + 1); n++ }
    END { exit !(n > 5 && bad == 0) }' >"$log" 2>&1
check "the same energies" $?

if command -v lmp >/dev/null; then
    # kcal/mol and Angstrom: Orsi & Essex (2011)
    cat >"$folder/in.lammps" <<'DECK'
units real
atom_style hybrid angle dipole sphere
bond_style harmonic
angle_style hybrid cosine/squared dipole
pair_style zero 12.0
read_data end.data
pair_coeff * *
bond_coeff 1 1.506 4.77
bond_coeff 2 1.506 4.41
bond_coeff 3 1.506 4.14
bond_coeff 4 1.506 4.095
bond_coeff 5 1.506 4.05
angle_coeff 1 cosine/squared 3.585 115
angle_coeff 2 cosine/squared 3.585 90
angle_coeff 3 cosine/squared 3.585 180
angle_coeff 4 dipole 1.195 0.0
thermo_style custom step ebond eangle
run 0
DECK
    (cd "$folder" && OMP_NUM_THREADS=1 lmp -in in.lammps -log none >log 2>&1)
    check "LAMMPS reads them" $?
    # 1 kcal is 4.184 kJ; LAMMPS prints eight digits
    awk 'FNR == NR { energy[$1] = $2; next }
        after { bond = 4.184 * $2; angle = 4.184 * $3; after = 0; n++ }
        /^Step E_bond E_angle/ { after = 1 }
        END {
            d = bond / energy["bond"] - 1
            e = angle / (energy["angle-cosine"] + energy["dipole-restraint"]) - 1
            exit !(n == 1 && d ^ 2 < 1e-12 && e ^ 2 < 1e-12)
        }' "$folder/energies.data" "$log"
    check "bonded energies are those of LAMMPS" $?
else
    echo "SKIPPED: LAMMPS reads the data: there is no lmp (Debian's package lammps)"
    skipped=2
fi

finish
