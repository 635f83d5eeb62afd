#!/bin/sh
# A start that amphi wrote is one that amphi reads: its checkpoint, as the coordinates of the same
# system, for a membrane that has every kind of bonded term. With a molecule missing it is refused.
set -u
program=${AMPHI_PROGRAM:-build/amphi}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# expect NAME WANTED STATUS: counts.
expect() {
    if [ "$3" -eq "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: status $3, not $2"
        cat "$folder/log"
    fi
}

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

"$program" build systems/bilayer-b08o.xml -o "$folder" >"$folder/log" 2>&1
expect "build" 0 $?
job 128 >"$folder/same.xml"
"$program" check "$folder/same.xml" >"$folder/log" 2>&1
expect "the same molecules" 0 $?
job 127 >"$folder/other.xml"
"$program" check "$folder/other.xml" >"$folder/log" 2>&1
expect "a lipid less" 3 $?

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
