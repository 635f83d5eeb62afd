# Runs the systems of this folder in fixed precision and prints the hashes of their last states;
# ends with 1 when one that is stored is another. From the root of the tree:
#   sh validation/agree/determinism/long.sh [STEPS] [options of amphi run]
# STEPS: 100100 when left out, a hundred of them down. AMPHI_PROGRAM: build/amphi when not set.
program=${AMPHI_PROGRAM:-build/amphi}
folder=validation/agree/determinism
steps=${1:-100100}
[ $# -gt 0 ] && shift
room=$(mktemp -d) || exit 4
trap 'rm -rf "$room"' EXIT
bad=0
for file in "$folder"/*.xml; do
    system=$(basename "$file" .xml)
    AMPHI_DATA=${AMPHI_DATA:-.} "$program" run "$file" --precision fixed -n "$steps" -q --json \
        -o "$room/$system" "$@" >"$room/$system.json" || exit 5
    hash=$(sed -n 's/.*"kind":"run".*"state":"\([0-9a-f]*\)".*/\1/p' "$room/$system.json")
    known=$(awk -v s="$system" -v n="$steps" '$1 == s && $2 == n { print $3 }' "$folder/hashes.tsv")
    note=
    [ -n "$known" ] && [ "$known" != "$hash" ] && note="not the stored one" && bad=1
    printf '%s\t%s\t%s\t%s\n' "$system" "$steps" "$hash" "$note"
done
exit $bad
