#!/bin/sh
# Puts program and tests into one folder for another Linux machine of the same architecture, and
# packs it. Called by `make bundle`, which says with what: CC, LIBS (how the program is linked),
# LIBRARIES (archives that tests are linked with), FOLDERS (of tests).
#
#   gather.sh BUILD
#
# The program has everything in it but the C library. Tests of a folder become one program, started
# as `tests-unit test_arena`; what they share with each other and cannot have inside stands in lib/.
set -eu

build=$1
to=$build/amphi-bundle
work=$build/bundle-work
rm -rf "$to" "$work"
mkdir -p "$to/lib" "$work"

# The archives that there are of the libraries, else the shared ones.
static_libs() {
    for word in $LIBS; do
        name=${word#-l}
        archive=$($CC -print-file-name="lib$name.a")
        case $word in
        -lxml2) # what its archive wants besides
            if [ -f "$archive" ]; then
                echo "$archive"
                for also in icuuc icudata z lzma; do
                    found=$($CC -print-file-name="lib$also.a")
                    [ -f "$found" ] && echo "$found" || echo "-l$also"
                done
            else echo "$word"; fi ;;
        -lm | -lpthread | -ldl | -lrt) echo "$word" ;;
        -l*) [ -f "$archive" ] && echo "$archive" || echo "$word" ;;
        *) echo "$word" ;;
        esac
    done
}

program() {
    gomp=$($CC -print-file-name=libgomp.a)
    [ -f "$gomp" ] || gomp=-lgomp
    # shellcheck disable=SC2046,SC2086
    $CC -static-libgcc -o "$to/amphi" $build/once/tools/*.o $build/libamphi.a $gomp $(static_libs) -lm
    strip "$to/amphi"
}

# tests FOLDER: each test's main by its own name, all else of it hidden, and a main that chooses.
tests() {
    mkdir -p "$work/$1"
    {
        echo '#include <stdio.h>'
        echo '#include <string.h>'
        echo 'typedef struct { const char *name; int (*run)(void); } Test;'
        for object in "$build"/once/validation/"$1"/test_*.o; do
            echo "int main_$(basename "$object" .o)(void);"
        done
        echo 'static const Test test[] = {'
        for object in "$build"/once/validation/"$1"/test_*.o; do
            name=$(basename "$object" .o)
            objcopy --redefine-sym "main=main_$name" "$object" "$work/$1/$name.o"
            objcopy --keep-global-symbol="main_$name" "$work/$1/$name.o"
            echo "    { \"$name\", main_$name },"
        done
        cat <<'END'
};
int main(int argc, char **argv)
{
    for (size_t k = 0; k < sizeof test / sizeof test[0]; k++)
        if (argc < 2)
            puts(test[k].name);
        else if (strcmp(test[k].name, argv[1]) == 0)
            return test[k].run();
    return argc < 2 ? 0 : 2;
}
END
    } >"$work/$1/main.c"
    # shellcheck disable=SC2086
    $CC -fopenmp -Wl,-rpath,'$ORIGIN/lib' -o "$to/tests-$1" "$work/$1/main.c" "$work/$1"/*.o \
        "$build/validation/$1.a" $LIBRARIES -lcmocka $LIBS
    strip "$to/tests-$1"
}

program
for folder in $FOLDERS; do
    ls "$build"/once/validation/"$folder"/test_*.o >/dev/null 2>&1 && tests "$folder"
done
for object in "$build"/once/validation/bench/bench_*.o; do
    bench=$to/$(basename "$object" .o)
    # shellcheck disable=SC2086
    $CC -fopenmp -Wl,-rpath,'$ORIGIN/lib' -o "$bench" "$object" "$build/validation/bench.a" \
        "$build/libamphi.a" $LIBS
    strip "$bench"
done

# Of shared libraries all but those of the C library, which belongs to the machine.
for binary in "$to"/tests-* "$to"/bench_*; do
    ldd "$binary"
done | awk '$2 == "=>" { print $3 }' | sort -u | grep -Ev '/(libc|libm|libdl|librt|libpthread)\.so' |
    while read -r library; do cp -L "$library" "$to/lib/"; done

mkdir -p "$to/systems" "$to/forcefield"
cp systems/*.xml systems/*.xsd "$to/systems/"
cp forcefield/*.xml "$to/forcefield/"
mkdir -p "$to/validation/unit" "$to/validation/agree"
cp validation/tally.awk "$to/validation/"
cp validation/unit/test_amphi.c validation/unit/test_*.sh "$to/validation/unit/" # which a test reads
ls validation/agree/test_*.sh >/dev/null 2>&1 && cp validation/agree/test_*.sh "$to/validation/agree/"
cp validation/bundle/exercise.sh validation/bundle/gpu.sh validation/bundle/README.md "$to/"
cp validation/bench/speedup.sh validation/bench/machine.sh validation/bench/speedup.gp "$to/"
for shared in "${AMPHI_SHARED:-../shared}"; do # the peers' data, where they are
    [ -d "$shared/reference" ] && mkdir -p "$to/shared" && cp -r "$shared/reference" "$to/shared/"
done
{
    git log -1 --format='commit %h of %cs' 2>/dev/null || echo 'commit not known'
    git diff --quiet HEAD 2>/dev/null || echo 'with changes beside it'
    $CC --version | head -n 1
} >"$to/built.txt"
tar -C "$build" -czf "$build/amphi-bundle.tar.gz" amphi-bundle
du -sh "$to" "$build/amphi-bundle.tar.gz"
