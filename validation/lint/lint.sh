#!/bin/sh
# lint.sh [ROOT [STEP...]]: looks for what validation/README.md says that no file may do. Steps:
# text includes headers format cppcheck tidy; all of them by default. Prints file:line and the rule,
# and last 'N passed, N failed, N skipped', counted in steps. Changes nothing.
# shellcheck disable=SC2046,SC2086 # names and flags without spaces, split on purpose
set -u
rules=$(cd "$(dirname "$0")" && pwd)
cd "${1:-.}" || exit 2
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- text includes headers format cppcheck tidy

rooms=
for room in engine cuda forcefield tools validation; do
    [ ! -d "$room" ] || rooms="$rooms $room"
done

# files PATTERN...: of the rooms, by the ends of their names.
files() {
    for ending in "$@"; do
        find $rooms -name "*$ending" ! -path 'validation/lint/*'
    done | LC_ALL=C sort
}

# What clang-tidy and cppcheck look at: the sources without the tests.
library() {
    files .c | grep -v '^validation/'
}

# How to compile a file: vectorised kernels, formulas of some precision, or neither.
c_flags="-std=c11 -D_XOPEN_SOURCE=700 -march=x86-64-v3 -fopenmp $(pkg-config --cflags libxml-2.0)"
as_typed=-DAMPHI_BUILD_DOUBLE=1
as_laned="-DAMPHI_BUILD_SINGLE=1 -DLANES=8 -DAMPHI_CPU_SET=v3"
laned='^engine/\(num/lanes\|typed/cpu_\)'
typed='^\(engine/num\|engine/typed\|forcefield\)/'
flags_of() {
    case $1 in
    engine/num/lanes* | engine/typed/cpu_*) echo "$c_flags $as_laned" ;;
    engine/num/* | engine/typed/* | forcefield/*) echo "$c_flags $as_typed" ;;
    *) echo "$c_flags" ;;
    esac
}

step_text() {
    also=$(find Makefile README.md .ci systems -type f ! -name '*.xsd' 2>/dev/null)
    LC_ALL=C awk -f "$rules/text.awk" $(files .c .h .cu .sh .awk .md .xml) $also
}

step_includes() {
    awk -f "$rules/includes.awk" $(files .c .h .cu)
}

# lanes.h is the second half of real.h; cuda/ is for another compiler.
step_headers() {
    bad=0
    for header in $(files .h | grep -v -e '^cuda/' -e '^engine/num/lanes\.h$'); do
        errors=$(echo "#include \"$header\"" | ${CC:-gcc} $(flags_of "$header") -Wall -Wextra \
            -Werror -I. -fsyntax-only -xc - 2>&1) && continue
        echo "$header:1: a header compiles alone"
        echo "$errors" | grep error | head -n 1
        bad=1
    done
    return $bad
}

step_format() {
    ! clang-format "--style=file:$rules/clang-format" --dry-run --Werror --ferror-limit=1 \
        $(files .c .h .cu) 2>&1 | sed -n 's/:[0-9]*: error: .*/: not formatted: make fmt/p' | grep .
}

# Suppressed: readdirCalled, because different streams are safe in current C libraries; pointerSize,
# which mistakes an array of pointers for a pointer (gcc's -Wsizeof-pointer-memaccess does not).
step_cppcheck() {
    cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
        --suppress=missingIncludeSystem --suppress=readdirCalled --suppress=pointerSize \
        --library=posix -j "$(nproc)" $as_typed -DLANES=1 \
        --template='{file}:{line}: {message} [{id}]' $(library) 2>&1
}

# tidy FLAG...: checks the files named on standard input, one in each process, because clang-tidy 14
# misunderstands va_list from the second file on. max-nodes=40000 finds the same faults as the
# default of 225000 in a fifth of the time.
tidy() {
    extra=
    for flag in $c_flags "$@" -Xclang -analyzer-config -Xclang max-nodes=40000; do
        extra="$extra --extra-arg=$flag"
    done
    xargs -r -P "$(nproc)" -n 1 \
        clang-tidy --quiet "--config-file=$rules/clang-tidy" $extra 2>/dev/null |
        grep -E ': (error|warning): ' | sed "s|^$PWD/||"
}

step_tidy() {
    found=$(
        library | grep -v "$typed" | tidy
        library | grep "$typed" | grep -v "$laned" | tidy $as_typed
        library | grep "$laned" | tidy $as_laned
    )
    [ -z "$found" ] || echo "$found"
    [ -z "$found" ]
}

passed=0 failed=0 skipped=0
for step in "$@"; do
    case $step in
    format) tool=clang-format ;;
    cppcheck) tool=cppcheck ;;
    tidy) tool=clang-tidy ;;
    *) tool='awk' ;;
    esac
    if ! command -v $tool >/dev/null; then
        echo "SKIPPED: lint $step: no $tool here"
        skipped=$((skipped + 1))
    elif "step_$step"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
