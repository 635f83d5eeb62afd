#!/bin/sh
# A run whose standard streams are closed, as some launchers leave them, writes nothing of what it
# has to say into its own files: they are those of a run that is not disturbed, and it goes on.
. "$(dirname "$0")/checks.sh"
sed 's/length="[^"]*"/length="0.1 ps"/' "$AMPHI_DATA/systems/water-ssd-rf.xml" >"$folder/water.xml"
cd "$folder" || exit 1

# go DIR OPTION...
go() {
    to=$1
    shift
    "$program" run water.xml -o "$to" --backend cpu --threads 1 --no-report "$@"
}

# tables DIR: what was measured, without what tells of the machine
tables() {
    grep -h -v '^#' "$1"/*.tsv
}

go whole >log 2>&1
check "a run" $?
for closed in '>&-' '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    rm -rf apart
    go apart --until 0.1ps >log 2>&1
    [ $? -eq 0 ] || [ $? -eq 8 ]
    check "its first part, before $closed" $?
    eval "go apart $closed"
    check "it goes on with $closed" $?
    [ "$(tables apart)" = "$(tables whole)" ] &&
        ! grep -q '[^0-9]' apart/run.lock # a process number
    check "its files are those of a whole run, with $closed" $?
done

finish
