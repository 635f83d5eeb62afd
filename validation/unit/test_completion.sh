#!/bin/sh
# Completion by bash: what is offered behind the beginnings of command lines.
set -u
program=${AMPHI_PROGRAM:-build/amphi}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

if ! command -v bash >/dev/null; then
    echo "SKIPPED: there is no bash"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
"$program" describe --completion bash >"$folder/amphi.bash" || exit 1

# offers WORDS... -- WANTED UNWANTED: the last of the words is being written.
offers() {
    line='' count=0
    while [ "$1" != -- ]; do
        line="$line '$1'" count=$((count + 1))
        shift
    done
    bash -c "source '$folder/amphi.bash'
        COMP_WORDS=(amphi $line); COMP_CWORD=$count; _amphi; printf '%s\n' \"\${COMPREPLY[@]}\"" \
        >"$folder/offered" 2>"$folder/errors"
    if [ ! -s "$folder/errors" ] && grep -qx -e "$2" "$folder/offered" &&
        ! grep -qx -e "$3" "$folder/offered"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "amphi$line: $2 is not offered, or $3 is:"
        cat "$folder/errors" "$folder/offered"
    fi
}

offers '' -- compare --precision
offers re -- report run
offers run a.xml --p -- --precision --until
offers run --precision '' -- fixed cpu
offers run --precision = f -- fixed single
offers run --precision = -- double cpu
offers describe ther -- thermostat barostat
offers describe --m -- --man --until
offers run '' -- '' --precision # files, which bash finds
offers nonsense -- '' run

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
