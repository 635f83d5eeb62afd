#!/bin/sh
# Every test that this machine can run: builds with gcc and with clang under the sanitizers, runs
# the tests in both, the lint rules, and fuzzes for AMPHI_FUZZ_SECONDS (60) in all. Last line: 'N
# passed, N failed, N skipped'. Logs are in build/test/.
set -u
cd "$(dirname "$0")/.." || exit 1
sh tools/need.sh build test look || exit $?
logs=build/test
mkdir -p $logs
echo '*' >build/.gitignore
passed=0 failed=0 skipped=0

# step NAME COMMAND...: prints the output of a command after its compilation, and adds up its lines
# 'N passed, N failed, N skipped'. No such line, or a failure that none of them counts, is a
# failure.
step() {
    name=$1
    shift
    echo "== $name: $*"
    began=$(date +%s)
    "$@" >$logs/"$name" 2>&1 </dev/null
    status=$?
    grep -v '^  [^ ]*$' $logs/"$name" | tail -n 300
    # shellcheck disable=SC2046 # three numbers
    set -- $(awk '
        /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $1; f += $3; s += $5; n++ }
        END { print p + 0, f + 0, s + 0, n + 0 }' $logs/"$name")
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    if [ "$4" -eq 0 ] || { [ $status -ne 0 ] && [ "$2" -eq 0 ]; }; then
        echo "$name ended with status $status"
        failed=$((failed + 1))
    fi
    echo "-- $name: $(($(date +%s) - began)) s"
}

# Where no device is there to run them, kernels compile in a fraction of the time: hardly optimised,
# and not to machine code.
haste=1
[ ! -e /dev/nvidiactl ] && [ ! -e /dev/dxg ] || haste=
jobs=$(nproc)
step gcc make -j "$jobs" GPUS=90 HASTE=$haste all check
step sanitizers make -j "$jobs" CC=clang SAN=address,undefined CUDA=0 BUILD=build/sanitizers check
step lint make lint
step fuzz make -j "$jobs" fuzz SECONDS="${AMPHI_FUZZ_SECONDS:-60}"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
