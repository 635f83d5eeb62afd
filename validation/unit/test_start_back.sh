#!/bin/sh
# A start that amphi wrote is one that amphi reads: its checkpoint, as the coordinates of the same
# system, for a membrane that has every kind of bonded term. With a molecule missing it is refused.
. "$(dirname "$0")/checks.sh"

# job COUNT: the system of bilayer-b08o.xml with so many lipids, from start.chk.
job() {
    awk -v count="$1" '/<plan/ || /<output/ || /<start>/ { left_out = 1 }
        !left_out { print }
        /<\/start>/ {
            print "<molecule type=\"DMPC\" count=\"" count "\"/>" \
                "<molecule type=\"water\" count=\"4224\"/>"
            print "<start><coordinates file=\"start.chk\" format=\"chk\"/></start>"
        }
        /<\/plan>/ || /<\/output>/ || /<\/start>/ { left_out = 0 }' systems/bilayer-b08o.xml
}

"$program" build systems/bilayer-b08o.xml -o "$folder" >"$log" 2>&1
check "build" $?
job 128 >"$folder/same.xml"
"$program" check "$folder/same.xml" >"$log" 2>&1
check "the same molecules are read" $?
job 127 >"$folder/other.xml"
"$program" check "$folder/other.xml" >"$log" 2>&1
[ $? -eq 3 ]
check "a lipid less is refused" $?

finish
