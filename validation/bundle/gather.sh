#!/bin/sh
# Collects program, tests and benchmarks in a folder for another Linux machine of the same
# architecture, and packs it. Called by `make bundle`, which sets: CC, LIBS (how the program is
# linked), LIBRARIES (archives that tests are linked with), FOLDERS (of tests and benchmarks).
#
#   gather.sh BUILD
#
# Libraries are linked statically where there is an archive, all but the C library. The tests of all
# folders are one program, called as `tests unit/test_arena`, because each would contain the kernels
# of the device. Fails if the folder has more than 60 MiB.
set -eu

build=$1
to=$build/amphi-bundle
work=$build/bundle-work
most_MiB=60
rm -rf "$to" "$work"
mkdir -p "$to/lib" "$work"

archive() { # NAME: the path of libNAME.a; nothing if there is none
    found=$($CC -print-file-name="lib$1.a")
    [ ! -f "$found" ] || echo "$found"
}

# libxml2's archive needs ICU, whose tables of character sets have 30 MB. Files are in UTF-8, which
# ICU reads without tables: an empty table takes their place.
without_tables() {
    icu=$(archive icudata)
    name=$([ -z "$icu" ] || nm "$icu" 2>/dev/null | sed -n 's/.* R \(icudt[0-9]*_dat\)$/\1/p')
    [ -n "$name" ] || return 0
    cat >"$work/tables.c" <<END
#include <stdint.h>
/* ICU's header of a package of tables, with none in it: sizes, magic numbers, UDataInfo ("ToCP",
 * little-endian, UTF-16), and the count 0. */
const struct {
    _Alignas(16) uint16_t size;
    uint8_t  magic[2];
    uint16_t info[2];
    uint8_t  order[4], format[4], version[8], padding[8];
    uint32_t count, reserved[5];
} $name = { 32, { 0xda, 0x27 }, { 20, 0 }, { 0, 0, 2, 0 }, "ToCP", { 1 }, { 0 }, 0, { 0 } };
END
    $CC -std=c11 -Wno-unterminated-string-initialization -c -o "$work/tables.o" "$work/tables.c"
    echo "$work/tables.o"
}

# LIBS with archives instead of shared libraries.
static_libs() {
    without_tables
    for word in $LIBS; do
        file=$(archive "${word#-l}")
        case $word in
        -lxml2)
            echo "${file:-$word}"
            for also in icuuc z lzma; do # which the archive needs
                [ -z "$file" ] || archive $also | grep . || echo "-l$also"
            done
            [ -z "$file" ] || [ -f "$work/tables.o" ] || echo -licudata ;;
        -lm | -lpthread | -ldl | -lrt) echo "$word" ;;
        -l*) echo "${file:-$word}" ;;
        *) echo "$word" ;;
        esac
    done
    archive gomp | grep . || echo -lgomp
    archive stdc++ | grep . || echo -lstdc++ # for ICU and CUDA, behind both
    echo '-lpthread -ldl -lm'
}

# link OUT OBJECTS...
link() {
    out=$1
    shift
    # shellcheck disable=SC2086
    $CC -static-libgcc -Wl,--gc-sections -Wl,-rpath,'$ORIGIN/lib' -o "$out" "$@" $static
    strip "$out"
}

# tests_of FOLDER: its programs and the helpers that they share as one object, in which only their
# main functions have global names: main_FOLDER_PROGRAM; and what stands in for the C library's,
# fsync. Adds lines to the list of programs.
tests_of() {
    mkdir -p "$work/$1"
    for object in "$build/once/validation/$1"/test_*.o "$build/once/validation/$1"/bench_*.o; do
        [ -f "$object" ] || continue
        program=$(basename "$object" .o)
        objcopy --redefine-sym "main=main_$1_$program" "$object" "$work/$1/$program.o"
        objcopy --keep-global-symbol="main_$1_$program" --keep-global-symbol=fsync \
            --keep-global-symbol=DW.ref.__gxx_personality_v0 "$work/$1/$program.o"
        echo "main_$1_$program" >>"$work/$1.names"
        echo "PROGRAM($1, $program)" >>"$work/programs.h"
    done
    # DW...: of code by nvcc; one for a whole program
    printf '%s\n' fsync DW.ref.__gxx_personality_v0 >>"$work/$1.names"
    ld -r -o "$work/$1.o" "$work/$1"/*.o "$build/validation/$1.a"
    objcopy --keep-global-symbols="$work/$1.names" "$work/$1.o"
}

# The program that has all of them; without arguments it lists them.
choose() {
    cat >"$work/main.c" <<'END'
#include <stdio.h>
#include <string.h>

#define PROGRAM(folder, name) int main_##folder##_##name(int argc, char **argv);
#include "programs.h"
#undef PROGRAM
#define PROGRAM(folder, name) { #folder "/" #name, main_##folder##_##name },
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} programs[] = {
#include "programs.h"
};

int main(int argc, char **argv)
{
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++)
        if (argc < 2)
            puts(programs[k].name);
        else if (strcmp(programs[k].name, argv[1]) == 0) {
            argv[1] = argv[0]; /* some look for the folder of their program */
            return programs[k].run(argc - 1, argv + 1);
        }
    return argc < 2 ? 0 : 2;
}
END
    $CC -c -o "$work/main.o" "$work/main.c"
}

static=$(static_libs)
link "$to/amphi" "$build"/once/tools/*.o "$build/libamphi.a"

objects=
for folder in $FOLDERS; do
    tests_of "$folder"
    objects="$objects $work/$folder.o"
done
choose
# shellcheck disable=SC2086
link "$to/tests" "$work/main.o" $objects $LIBRARIES -lcmocka
printf '#!/bin/sh\nexec "$(dirname "$0")/tests" bench/bench_device "$@"\n' >"$to/bench_device"
chmod +x "$to/bench_device"

# The shared libraries that are left, but for those of the C library, which belong to the machine.
for binary in "$to/amphi" "$to/tests"; do
    ldd "$binary"
done | awk '$2 == "=>" { print $3 }' | sort -u |
    grep -Ev '/(libc|libm|libdl|librt|libpthread)\.so' |
    while read -r library; do cp -L "$library" "$to/lib/"; done

mkdir -p "$to/systems" "$to/forcefield" "$to/engine"
cp systems/*.xml systems/*.xsd "$to/systems/"
cp forcefield/*.xml "$to/forcefield/"
cp engine/amphi.h "$to/engine/" # which a test compares with itself
mkdir -p "$to/validation/unit" "$to/validation/agree"
cp validation/tally.awk "$to/validation/"
cp validation/unit/test_amphi.c "$to/validation/unit/"
cp -r validation/agree/determinism validation/agree/falling-ions.xml \
    validation/agree/overlapping-beads.xml "$to/validation/agree/"
cp validation/bundle/exercise.sh validation/bundle/gpu.sh validation/bundle/README.md "$to/"
cp validation/bench/speedup.sh validation/bench/machine.sh validation/bench/speedup.gp "$to/"
shared=${AMPHI_SHARED:-../shared} # reference data of other programs, where they are
if [ -d "$shared/reference" ]; then
    mkdir -p "$to/shared"
    cp -r "$shared/reference" "$to/shared/"
fi
{
    git log -1 --format='commit %h of %cs' 2>/dev/null || echo 'commit not known'
    git diff --quiet HEAD 2>/dev/null || echo 'with changes beside it'
    $CC --version | head -n 1
} >"$to/built.txt"
chmod -R u+w "$to"
tar -C "$build" -czf "$build/amphi-bundle.tar.gz" amphi-bundle
du -sh "$to" "$build/amphi-bundle.tar.gz"
[ "$(du -sm --apparent-size "$to" | cut -f 1)" -le $most_MiB ] || {
    echo "$to: more than $most_MiB MiB"
    exit 1
}
