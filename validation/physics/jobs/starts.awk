# A system file with another seed and, for wanted=run, a plan that minimises and warms up; for
# wanted=look, with the start that a run left in the file `state`. First file: starts.txt. Variables:
# which, seed, wanted, state.
NR == FNR {
    if ($1 == which) {
        plan = "  <plan timestep=\"" $2 " fs\">\n    <minimise name=\"relax\" steps=\"500\"/>\n" \
            "    <run name=\"warm\" ensemble=\"nvt\" length=\"" $3 " ps\">" \
            "<thermostat temperature=\"" $4 " K\" time=\"0.1 ps\"/></run>\n  </plan>\n" \
            "  <output><energies every=\"0.5 ps\"/></output>"
        for (k = 5; k < NF; k += 2)
            molecules = molecules "    <molecule type=\"" $k "\" count=\"" $(k + 1) "\"/>\n"
    }
    next
}
/<plan/ || /<output/ || (/<start>/ && wanted == "look") { is_left_out = 1 }
/<\/amphi>/ && wanted == "run" { print plan }
{
    gsub(/ seed="[0-9]+"/, " seed=\"" seed "\"")
    if (!is_left_out)
        print
}
/<\/plan>/ || /<\/output>/ { is_left_out = 0 }
/<\/start>/ && wanted == "look" {
    is_left_out = 0
    printf "%s    <start><coordinates file=\"%s\" format=\"chk\"/></start>\n", molecules, state
}
