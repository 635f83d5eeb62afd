# compare.tsv, nve-total.tsv and nvt-total.tsv of each mode of a backend -> tables 6 and 7 and that of figure 11 in
# the folder `to`; `beads`.
/^#/ { next }
$1 == "part" { first = n; for (k = 4; k <= NF; k++) { mode[++n] = $k; sub(/_/, " ", mode[n]) } next }
$1 == "time_ps" { curve = FILENAME ~ /nvt-total.tsv$/ ? "nvt" : "nve"; next }
FILENAME ~ /-total.tsv$/ { for (k = first + 1; k <= n; k++) value[curve, "length", k] = $1; next }
{ for (k = 4; k <= NF; k++) value[$1, $2, first + k - 3] = $k }

END {
    for (k = 1; k <= n; k++) if (mode[k] == backend " double") base = k
    from = (backend == "cpu" ? " The run is shorter than the paper's 1 ns: a processor's column." : "")
    table6(); table7(); figure11()
}

function head(file, text,    k) {
    print "# " text > file
    print "# " beads " beads, 1 fs, on " backend ". " remark > file
    printf "quantity" > file
    for (k = 1; k <= n; k++) printf "\t%s", mode[k] > file
}

# A number less `off`, or a dash: nan is what a run was too short for.
function number(part, name, k, off, form,    v) {
    v = value[part, name, k]
    return v == "" || v ~ /nan/ ? "-" : sprintf(form, v - off)
}

# In % of what double has.
function away(part, name, k,    v, from_) {
    v = value[part, name, k]; from_ = value[part, name, base]
    if (v == "" || from_ == "" || v ~ /nan/ || from_ ~ /nan/) return "-"
    return k == base ? 0 : sprintf("%.2g", 100 * (v - from_) / (from_ < 0 ? -from_ : from_))
}

function away_row(file, text, part, name, paper,    k) {
    printf "%s", text > file
    for (k = 1; k <= n; k++) printf "\t%s", away(part, name, k) > file
    print "\t" paper > file
}

function row(file, text, part, name, off, form, paper,    k) {
    printf "%s", text > file
    for (k = 1; k <= n; k++) printf "\t%s", number(part, name, k, off, form) > file
    print "\t" paper > file
}

function table6(    f) {
    f = to "/table6-" backend ".tsv"
    remark = "Deviation of single samples, which falls with the root of the number of beads." from
    head(f, "Table 6. Temperature in C, constant temperature (" backend ")")
    print "\tpaper: CPU\tGTX295\tGTX480\tC2050" > f
    row(f, "length, ps", "nvt", "length", 0, "%.6g", "1000\t1000\t1000\t1000")
    row(f, "lipids, mean", "nvt", "temperature of DMPC, mean", 273.15, "%.4f", "30.0018\t30.0019\t30.0023\t30.0023")
    row(f, "lipids, standard error", "nvt", "temperature of DMPC, standard error", 0, "%.4f", "-\t-\t-\t-")
    row(f, "lipids, deviation", "nvt", "temperature of DMPC, deviation", 0, "%.4f", "0.3119\t0.3194\t0.3129\t0.3129")
    row(f, "water, mean", "nvt", "temperature of water, mean", 273.15, "%.4f", "30.0030\t30.0097\t30.0000\t30.0000")
    row(f, "water, standard error", "nvt", "temperature of water, standard error", 0, "%.4f", "-\t-\t-\t-")
    row(f, "water, deviation", "nvt", "temperature of water, deviation", 0, "%.4f", "0.2921\t0.2752\t0.2951\t0.2951")
}

function table7(    f) {
    f = to "/table7-" backend ".tsv"
    remark = "Difference: from double on the same backend. The force field is ours, so compare in kind." from
    head(f, "Table 7. Potential energy of a bead in kJ/mol, constant temperature (" backend ")")
    print "\tpaper: CPU\tGTX295\tGTX480\tC2050" > f
    row(f, "length, ps", "nvt", "length", 0, "%.6g", "1000\t1000\t1000\t1000")
    row(f, "mean", "nvt", "potential energy a bead, mean", 0, "%.4f", "-33.0969\t-30.6396\t-33.3228\t-33.3228")
    row(f, "standard error", "nvt", "potential energy a bead, standard error", 0, "%.2g", "-\t-\t-\t-")
    away_row(f, "difference %", "nvt", "potential energy a bead, mean", "0\t7.42\t0.68\t0.68")
    row(f, "deviation", "nvt", "potential energy a bead, deviation", 0, "%.4f", "0.1055\t1.4017\t0.0951\t0.0951")
}

function figure11(    f) {
    f = to "/figure11-" backend ".tsv"
    remark = "Constant energy; difference: from double on the same backend." from
    head(f, "Figure 11. Total energy of a bead over the run (" backend ")")
    print "\tpaper: CPU\tGTX295\tGTX480\tC2050" > f
    row(f, "length, ps", "nve", "length", 0, "%.6g", "1000\t1000\t1000\t1000")
    row(f, "mean, kJ/mol", "nve", "total energy a bead, mean", 0, "%.5f", "-\t-\t-\t-")
    away_row(f, "difference %", "nve", "total energy a bead, mean", "0\t25.28\t0.72\t0.65")
    row(f, "deviation, kJ/mol", "nve", "total energy a bead, deviation", 0, "%.2g", "0.1514\t-\t0.0464\t0.0428")
    row(f, "drift, kT/ns/dof", "nve", "drift of the conserved energy", 0, "%.2g", "-\t-\t-\t-")
    row(f, "its standard error", "nve", "drift, standard error", 0, "%.2g", "-\t-\t-\t-")
}
