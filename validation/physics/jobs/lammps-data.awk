# A file of amphi's for LAMMPS: a restraint of a dipole names its reference twice, and LAMMPS wants
# three beads; the third has no part in it. In DMPC (13 beads): glycerol 3 looks at phosphate 2, esters
# 4 and 9 at their tails; a neighbour by bonds stands in.
/^[A-Z]/ { in_angles = $1 == "Angles" }
in_angles && NF == 5 && $4 == $5 {
    place = ($3 - 1) % 13 + 1
    $5 = place == 3 ? $3 + 1 : place == 4 ? $3 - 1 : $3 - 6
}
{ print }
