# What tests by shell scripts share; read by them before anything else, in the folder that they are
# called in:
#
#     program   what is tested: AMPHI_PROGRAM, or that of the build here. An absolute path, as is
#               AMPHI_DATA
#     folder    of this test alone; gone behind it
#     log       in that folder: what the last command said, shown where a check fails
set -u
program=${AMPHI_PROGRAM:-build/amphi}
case $program in /*) ;; *) program=$PWD/$program ;; esac
AMPHI_DATA=$(cd "${AMPHI_DATA:-.}" && pwd) || exit 1
export AMPHI_DATA
folder=$(mktemp -d /tmp/amphi-test-XXXXXX) || exit 1
trap 'rm -rf "$folder"' EXIT
log=$folder/log
passed=0 failed=0 skipped=0

# check NAME STATUS: counts.
check() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1 (status $2)"
        tail -n 20 "$log"
    fi
}

# skip LINE: ends a test that has nothing to look at here, and says why.
skip() {
    echo "$1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
}

# finish: the last command of a test. What it could not look at it has counted in $skipped.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
}
