#!/bin/sh
# need.sh [build] [test] [look]: finds the Debian packages that are missing to build, test or look
# at results. Root installs them; other users, and everyone with AMPHI_NO_INSTALL=1, get the command
# to type and status 2.
set -u
wanted=
for group in "${@:-build}"; do
    case $group in
    build) wanted="$wanted gcc libc6-dev make pkg-config libxml2-dev libxxhash-dev libssl-dev" ;;
    test) wanted="$wanted libcmocka-dev libgsl-dev clang libclang-rt-14-dev libomp-dev clang-format"
        wanted="$wanted clang-tidy cppcheck groff-base" ;;
    look) wanted="$wanted tachyon gnuplot-nox" ;;
    *)
        echo "need.sh: $group is none of build test look" >&2
        exit 2
        ;;
    esac
done
if ! command -v dpkg-query >/dev/null; then
    echo "need.sh: no Debian here; what Debian calls$wanted is up to you" >&2
    exit 0
fi

# shellcheck disable=SC2086 # lists of names
present=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p')
missing=
for package in $wanted; do
    case "
$present
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "${AMPHI_NO_INSTALL:-0}" = 1 ] || [ "$(id -u)" -ne 0 ]; then
    echo "missing packages; install them with:" >&2
    echo "    apt-get install --no-install-recommends$missing" >&2
    exit 2
fi

install() {
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing </dev/null
}
echo "installing:$missing"
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
# A fresh image has no package lists, and old lists name files that are gone: then once more.
if ! install >"$log" 2>&1; then
    if ! { apt-get update -q && install; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "could not install:$missing" >&2
        exit 2
    fi
fi
