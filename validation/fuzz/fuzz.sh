#!/bin/sh
# fuzz.sh PROGRAM SECONDS: feeds one fuzz_NAME from its seeds: the files of seeds/NAME/ and, for
# what reads XML, the shipped files. Fails on a crash, a leak, an input of more than 5 s or of 2
# GiB. The inputs found stay in findings/ beside the program's folder, those learnt in corpus/.
set -u
program=$1
seconds=$2
here=$(dirname "$0")
name=$(basename "$program")
name=${name#fuzz_}
top=$(dirname "$(dirname "$(dirname "$program")")")
corpus=$top/corpus/$name

mkdir -p "$corpus" "$top/findings"
[ ! -d "$here/seeds/$name" ] || cp "$here/seeds/$name"/* "$corpus"/
case $name in
*job* | *forcefield* | *xml*)
    for file in systems/*.xml forcefield/*.xml; do # both have a gay-berne.xml
        cp "$file" "$corpus/$(echo "$file" | tr / -)"
    done
    ;;
esac

set -- -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$top/findings/$name-"
[ ! -f "$here/$name.dict" ] || set -- "$@" -dict="$here/$name.dict"

if "$program" "$@" "$corpus" >"$program.out" 2>&1; then
    n_inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$program.out")
    echo "note: $n_inputs inputs in $seconds s"
    echo "1 passed, 0 failed, 0 skipped"
else
    grep -v '^#[0-9]' "$program.out" | tail -n 60
    echo "0 passed, 1 failed, 0 skipped"
fi
