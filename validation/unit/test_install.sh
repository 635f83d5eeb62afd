#!/bin/sh
# What `make install` puts in its place: the program finds its force fields from there, and the
# example of engine/amphi.h compiles against the installed library and finds the energy that the
# program does.
. "$(dirname "$0")/checks.sh"
# Sanitizers want their library in whatever is linked.
[ -z "${BRIEF:-}" ] || skip 'note: the sanitizers run its programs in other tests'
built=${AMPHI_PROGRAM:-build/amphi}
unset AMPHI_DATA

# With the same variables as the make that runs this, or it would build everything anew.
make install BUILD="${built%/*}" PREFIX="$folder/here" >"$log" 2>&1
check "make install" $?
cd "$folder" || exit 1

cp here/share/amphi/systems/bilayer-128.xml .
here/bin/amphi check bilayer-128.xml >log 2>&1
check "the installed program finds its force fields" $?

# The example, in a program around it.
{
    printf '#include <engine/amphi.h>\n#include <math.h>\n#include <stdio.h>\n'
    awk '/static double energy_kJ_mol/ { shown = 1 }
        shown { sub(/^ \*/, ""); print }
        shown && /^     }/ { exit }' here/include/amphi/engine/amphi.h
    cat <<'END'
int main(int argc, char **argv)
{
    AmphiError err = { AMPHI_OK, "" };

    printf("%.4f\n", energy_kJ_mol(argv[argc - 2], argv[argc - 1], &err));
    return err.status == AMPHI_OK ? 0 : 1;
}
END
} >example.c
# shellcheck disable=SC2046 # words
PKG_CONFIG_PATH=here/lib/pkgconfig \
    sh -c '${CC:-cc} -o example example.c $(pkg-config --cflags --libs amphi)' >log 2>&1
check "the example of amphi.h compiles and links" $?
found=$(./example here/share/amphi/systems/mixture.xml here/share/amphi 2>log)
check "it finds an energy" $?
here/bin/amphi evaluate here/share/amphi/systems/mixture.xml --backend reference -o looked >log 2>&1
wanted=$(awk -F '\t' '$1 == "total" { printf "%.4f\n", $2 }' looked/energies.tsv)
echo "example: $found; evaluate: $wanted" >log
[ -n "$wanted" ] && [ "$found" = "$wanted" ]
check "the energy is that of amphi evaluate" $?

finish
