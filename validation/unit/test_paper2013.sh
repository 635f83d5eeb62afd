#!/bin/sh
# The evaluation of the 2013 paper in its smallest form, on one core: every table and figure has
# numbers, what is there is not measured again, and what failed is said.
. "$(dirname "$0")/checks.sh"
# Sanitizers see the same program in other tests, and no scripts.
[ -z "${BRIEF:-}" ] || skip 'note: the sanitizers run its programs in other tests'
root=$(cd "$(dirname "$0")/../.." && pwd)
export AMPHI_PROGRAM="$program" THREADS=1 GPU=none

evaluate() {
    sh "$root/validation/paper2013/paper.sh" --tiny "$folder/out" >"$log" 2>&1
}

# numbers FILE ROWS COLUMN...: so many rows at least, and each of them has numbers in these columns
numbers() {
    file=$1 rows=$2
    shift 2
    awk -F '\t' -v rows="$rows" -v columns="$*" '
        BEGIN { n = split(columns, column, " ") }
        /^#/ || !named++ { next }
        {
            seen++
            for (k = 1; k <= n; k++)
                if ($column[k] !~ /^[-+]?[0-9][0-9.]*(e[-+]?[0-9]+)?$/) bad++
        }
        END { exit bad > 0 || seen < rows }' "$file"
}

evaluate
check "it runs to its end" $?
# ROWS and COLUMNS: ours; the paper's are there as they are in its text
while read -r name columns; do
    # shellcheck disable=SC2086 # columns are words
    numbers "$folder/out/$name.tsv" $columns
    check "$name has its numbers" $?
done <<'END'
table1 5 2 3
table3 2 3 4 5 6 7
table4 6 3 4 5 6 7 9 10 11 12
table5 6 3 4 5 6 7 9 10 11 12
table8 6 2 4 5 6
figure7 3 2 3 4 5
figure9 3 2 3 4 5
figure10 1 2 3 4 5 6 7 8
figure11-total-cpu 3 1 2 3 4
figure11-potential-cpu 3 1 2 3 4
table-flow 9 3 4
END
for name in table6-cpu table7-cpu; do # too short for standard errors
    grep -v 'standard error' "$folder/out/$name.tsv" >"$folder/$name.tsv"
    numbers "$folder/$name.tsv" 4 2 3 4 5
    check "$name has its numbers" $?
done
for title in 'Table 1' 'Table 3' 'Table 4' 'Table 5' 'Table 6' 'Table 7' 'Table 8' 'Figure 7' \
    'Figure 9' \
    'Figure 10' 'Figure 11' 'Flow chart'; do
    grep -q "^## $title" "$folder/out/paper2013.md"
    check "the page has $title" $?
done

# The check sees one dash, and a row too few.
awk -F '\t' -v OFS='\t' '/^lipids/ { $4 = "-" } { print }' "$folder/out/table8.tsv" \
    >"$folder/dash.tsv"
! numbers "$folder/dash.tsv" 6 4
check "the check sees a dash" $?
! numbers "$folder/out/table8.tsv" 7 4
check "the check sees that a row is missing" $?

# No part of a device's step is left over, whatever its kernels are called.
mkdir -p "$folder/parts/timings"
printf '%s\n' '# whole_step_us: 10' 'part	us' 'pairs: all	1' 'bonded: a	2' 'list: rows	3' \
    'kick	4' 'drift	5' 'motion: step	6' 'move: box	7' \
    >"$folder/parts/timings/water.8.1.cuda.single.tsv"
sed -n '/^gather() {/,/^}/p' "$root/validation/paper2013/tables.sh" >"$folder/gather.sh"
(
    out=$folder/parts
    . "$folder/gather.sh"
    gather
) | awk -F '\t' 'NR == 2 { found = $8 == 1 && $9 == 2 && $10 == 3 && $11 == 22 && $12 == 0 }
    END { exit !found }'
check "every part of a device's step has its place" $?

cp "$folder/out/times.tsv" "$folder/times.tsv"
evaluate && ! grep -q 'time:\|start:\|accuracy:' "$log" &&
    cmp -s "$folder/times.tsv" "$folder/out/times.tsv"
check "nothing is measured again" $?

rm "$folder/out/timings/lipids.1472.1.cpu.fixed.1.tsv" \
    "$folder/out/timings/water.840.1.cpu.fixed.1.tsv"
ONLY='time:water:*:fixed:* count:*' evaluate &&
    [ -e "$folder/out/timings/water.840.1.cpu.fixed.1.tsv" ] &&
    [ ! -e "$folder/out/timings/lipids.1472.1.cpu.fixed.1.tsv" ]
check "a pattern measures what it names" $?
! ONLY='accuracy:cpu:*:fixed' CPU_LENGTH=1ns MAX_S=6 evaluate &&
    grep -q '1 pieces failed' "$log" &&
    [ -e "$folder/out/compare/cpu-1472-1ns-fixed.part/compare.tsv" ] &&
    [ ! -e "$folder/out/compare/cpu-1472-1ns-single.part" ]
check "a precision of tables 6 and 7 is a piece of its own, and ends in time" $?
! CPU_LENGTH=1ns MAX_S=0 evaluate
awk -F '\t' '$1 == "length, ps" { found = $2 > 0 && $2 < 1000 } END { exit !found }' \
    "$folder/out/figure11-cpu.tsv"
check "what was stopped says how long it was" $?
printf '#!/bin/sh\n[ "$1" != run ] || { echo "no run today" >&2; exit 1; }\nexec "%s" "$@"\n' \
    "$AMPHI_PROGRAM" >"$folder/amphi"
chmod +x "$folder/amphi"
AMPHI_PROGRAM=$folder/amphi
! evaluate && grep -q 'failed: no run today' "$log" &&
    grep -q '1 pieces failed' "$log"
check "what failed is said" $?
! grep -q '^lipids.*cpu fixed' "$folder/out/table8.tsv"
check "what failed has no row" $?

finish
