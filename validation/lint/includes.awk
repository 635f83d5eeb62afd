# The rules about who includes what. Paths are relative to the root; all files in one call, because
# a precision spreads through headers. Reports 'file:line: what, and the rule'.

function report(at, what) {
    print at ": " what
    n_faults++
}

function layer(file) {
    if (file ~ /^engine\/num\//)
        return "num"
    if (file ~ /^engine\/typed\//)
        return "typed"
    sub(/\/.*/, "", file)
    return file
}

# "engine/typed/box.h" from the folder "engine/typed/" and the text "../num/real.h"
function resolved(folder, text) {
    while (sub(/^\.\.\//, "", text))
        sub(/[^\/]*\/$/, "", folder)
    return folder text
}

BEGIN {
    below["num"] = " num "
    below["forcefield"] = " num forcefield engine "
    below["typed"] = " num forcefield typed engine "
    below["cuda"] = " num forcefield typed cuda engine "
    below["engine"] = " num forcefield typed engine "
    below["tools"] = " num forcefield engine tools "
    below["validation"] = " num forcefield typed engine tools validation "
    knows_precision["engine/num/real.h"] = 1
}

FNR == 1 { n_files++; file[n_files] = FILENAME }
/^# *include *</ {
    if ($0 ~ /<libxml\// && FILENAME !~ /^(engine\/xml[a-z_]*\.c$|validation\/)/)
        report(FILENAME ":" FNR, "libxml2 outside engine/xml*.c and validation/")
    if ($0 ~ /<gsl\// && FILENAME !~ /^validation\/physics\//)
        report(FILENAME ":" FNR, "GSL outside validation/physics/")
}
/^# *include *"/ {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    split($0, part, "\"")
    n_edges++
    from[n_edges] = FILENAME
    to[n_edges] = resolved(folder, part[2])
    at[n_edges] = FILENAME ":" FNR
    if (index(below[layer(FILENAME)], " " layer(to[n_edges]) " ") == 0)
        report(at[n_edges], "an upward include: " layer(FILENAME) " may not know " layer(to[n_edges]))
}
# The names of the lists of pairs.h and bonds.h.
FILENAME ~ /^forcefield\/(pairs|bonds)\.h$/ && /ENTRY\([a-z]/ {
    name = $0
    sub(/^.*ENTRY\(/, "", name)
    sub(/,.*/, "", name)
    listed[FILENAME, name] = 1
}

# `header` must be included by `list` and be named in it.
function check_listed(header, list, name,  k) {
    for (k = 1; k <= n_edges && !(from[k] == list && to[k] == header);)
        k++
    if (k > n_edges || !((list, name) in listed))
        report(header ":1", "missing from the list of " list)
}

function check_lists(  k, name) {
    for (k = 1; k <= n_files; k++)
        if (file[k] ~ /^forcefield\/pair_.*\.h$/ && file[k] != "forcefield/pair_fixed.h") {
            name = file[k]
            gsub(/^forcefield\/pair_|\.h$/, "", name)
            check_listed(file[k], "forcefield/pairs.h", name)
        }
    for (k = 1; k <= n_edges; k++)
        if (to[k] == "forcefield/bond.h" && from[k] ~ /^forcefield\/.*\.h$/ && from[k] !~ /bonds\.h$/) {
            name = from[k]
            gsub(/^forcefield\/|\.h$/, "", name)
            check_listed(from[k], "forcefield/bonds.h", name)
        }
}

function check_precision(  k, grew) {
    do {
        grew = 0
        for (k = 1; k <= n_edges; k++)
            if (to[k] in knows_precision && from[k] ~ /\.h$/ && !(from[k] in knows_precision))
                grew = knows_precision[from[k]] = 1
    } while (grew)
    for (k = 1; k <= n_edges; k++)
        if (to[k] in knows_precision && layer(from[k]) ~ /^(engine|tools|validation)$/ &&
            from[k] !~ /^validation\/.*_(single|double|fixed)\.c$/)
            report(at[k], "real.h in an untyped file (by " to[k] ")")
}

END {
    check_lists()
    check_precision()
    exit (n_faults > 0)
}
