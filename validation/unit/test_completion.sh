#!/bin/sh
# Completion by bash: what is offered behind the beginnings of command lines.
. "$(dirname "$0")/checks.sh"
command -v bash >/dev/null || skip 'SKIPPED: there is no bash'
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
    [ ! -s "$folder/errors" ] && grep -qx -e "$2" "$folder/offered" &&
        ! grep -qx -e "$3" "$folder/offered"
    status=$?
    cat "$folder/errors" "$folder/offered" >"$log"
    check "amphi$line: $2 is offered, $3 is not" $status
}

offers '' -- compare --precision
offers re -- report run
offers run a.xml --p -- --precision --until
offers run --precision '' -- fixed cpu
offers run --precision = f -- fixed single
offers run --precision = -- double cpu
offers run --backend '' -- cpu single
offers compare --backend c -- cpu reference
offers compare --backend cpu,c -- cpu,cpu cpu
offers compare --precision single,fixed, -- single,fixed,double double
offers analyse a.run --observe area,th -- area,thickness area,order
offers analyse --observe '' -- order energies
offers convert a.gro b --to l -- lammps-data gro
offers describe ther -- thermostat barostat
offers describe --m -- --man --until
offers run '' -- '' --precision # files, which bash finds
offers nonsense -- '' run

finish
