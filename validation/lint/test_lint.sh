#!/bin/sh
# Every rule of lint.sh fires at the right line of a small bad tree, and a small good tree passes.
set -u
lint=$(cd "$(dirname "$0")" && pwd)/lint.sh
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
passed=0 failed=0 skipped=0

# A tree with nothing wrong in it.
fresh_tree() {
    rm -rf "$top/tree"
    mkdir -p "$top/tree/engine/num" "$top/tree/engine/typed" "$top/tree/forcefield" \
        "$top/tree/cuda" "$top/tree/tools" "$top/tree/validation/unit"
    cd "$top/tree" || exit 1
    printf '%s\n' '#ifndef AMPHI_NUM_REAL_H' '#define AMPHI_NUM_REAL_H' \
        '#ifndef AMPHI_BUILD_DOUBLE' '#error "typed"' '#endif' 'typedef double real;' '#endif' \
        >engine/num/real.h
    printf '%s\n' '#ifndef AMPHI_FORCEFIELD_BOND_H' '#define AMPHI_FORCEFIELD_BOND_H' \
        '#include "../engine/num/real.h"' '#endif' >forcefield/bond.h
    printf '%s\n' '#ifndef AMPHI_FORCEFIELD_PAIR_LJ_H' '#define AMPHI_FORCEFIELD_PAIR_LJ_H' \
        '#include "../engine/num/real.h"' '#endif' >forcefield/pair_lj.h
    printf '%s\n' '#ifndef AMPHI_FORCEFIELD_PAIRS_H' '#define AMPHI_FORCEFIELD_PAIRS_H' \
        '#include "pair_lj.h"' '#define PAIR_LIST(ENTRY) ENTRY(lj, LJ, AXES)' '#endif' \
        >forcefield/pairs.h
    printf '%s\n' '/* exit(), TODOs, printf() and "malloc(" in comments are no calls. */' \
        'int twice(int n);' '' 'int twice(int n)' '{' '    return 2 * n; // abort()' '}' \
        >engine/twice.c
    printf '%s\n' '#include "../forcefield/pairs.h"' \
        '__launch_bounds__(64) static __global__ void k_kick(real *v)' '{' '}' >cuda/motion.cu
}

count() {
    if [ "$1" = yes ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'lint rules: %s\n%s\n' "$2" "$3"
    fi
}

# fires STEP FILE LINE RULE TEXT [WHERE]: with TEXT in FILE, the step fails and says the rule at
# that line of FILE, or of WHERE.
fires() {
    fresh_tree
    mkdir -p "$(dirname "$2")"
    printf '%b\n' "$5" >"$2"
    at=${6:-$2}:$3
    if out=$(sh "$lint" . "$1" 2>&1); then
        case $out in
        *SKIPPED*) skipped=$((skipped + 1)) ;;
        *) count no "$1 has nothing against $2: $4" "$out" ;;
        esac
        return
    fi
    case $out in
    *"$at:"*"$4"*) count yes ;;
    *) count no "$at should be refused: $4" "$out" ;;
    esac
}

fresh_tree
if out=$(sh "$lint" . text includes headers format 2>&1); then
    count yes
else
    count no "a good tree is refused" "$out"
fi

# Columns are characters, and tables of Markdown may be wider.
printf '/* %s\302\261 */\n' "$(awk 'BEGIN { while (n++ < 93) printf "a" }')" >tools/a.c
printf '| %120s |\n' a >validation/README.md
if out=$(sh "$lint" . text 2>&1); then
    count yes
else
    count no "100 columns are refused" "$out"
fi

# One line, or one file.
for word in TODO FIXME XXX; do
    fires text engine/a.c 1 "a note to come back" "/* $word: later */"
done
for call in 'exit(1)' '_exit(1)' 'abort()'; do
    fires text engine/a.c 3 "does not end the program" "void f(void)\n{\n    $call;\n}"
done
for call in 'printf("a")' 'puts("a")' 'fprintf(stderr, "a")' 'perror("a")'; do
    fires text forcefield/a.c 3 "does not print" "void f(void)\n{\n    $call;\n}"
done
for call in 'malloc(8)' 'calloc(1, 8)' 'realloc(p, 8)' 'strdup(p)'; do
    fires text cuda/a.cu 3 "memory comes from arena.h" "void f(void)\n{\n    p = $call;\n}"
done
for call in 'cudaDeviceSynchronize()' 'cudaMemcpy(a, b, 8, c)' 'cudaStreamSynchronize(s)'; do
    fires text cuda/a.cu 3 "wait for the device" "void f(void)\n{\n    $call;\n}"
done
fires text cuda/a.cu 2 "without __launch_bounds__" 'int a;\nstatic __global__ void k(void)\n{\n}'
for flag in -ffast-math -Ofast --use_fast_math; do
    fires text Makefile 1 "fast-math" "CFLAGS = $flag"
done
lines() {
    awk -v n="$1" 'BEGIN { while (n--) printf "\\n" }'
}
fires text tools/a.c 601 "a file of 601 lines" "$(lines 600)"
fires text tools/a.c 2 "a function of 61 lines" "int f(void)\n{$(lines 60)}"
wide() {
    awk -v n="$1" 'BEGIN { while (n--) printf "a" }'
}
for file in tools/a.c cuda/a.cu tools/a.sh; do
    fires text $file 2 "a line of 101 columns" "\n/* $(wide 95) */"
done
fires text tools/a.h 1 "no header guard" 'int a;'
fires text tools/a.h 1 "no header guard" '#ifndef AMPHI_B_H\n#define AMPHI_B_H\n#endif'
fires text tools/a.h 1 "no header guard" '#ifndef AMPHI_TOOLS_A_H\n#define AMPHI_TOOLS_B_H\n#endif'

# Who includes what.
fires includes engine/a.c 1 "real.h in an untyped file" '#include "num/real.h"'
fires includes engine/a.c 1 "real.h in an untyped file" '#include "../forcefield/pairs.h"'
fires includes engine/num/a.h 1 "an upward include" '#include "../../forcefield/bond.h"'
fires includes forcefield/a.h 1 "an upward include" '#include "../engine/typed/a.h"'
fires includes engine/typed/a.c 1 "an upward include" '#include "../../cuda/a.h"'
fires includes engine/a.c 1 "an upward include" '#include "../tools/a.h"'
fires includes tools/a.c 1 "an upward include" '#include "../validation/unit/a.h"'
fires includes engine/job.c 1 "libxml2 outside" '#include <libxml/tree.h>'
fires includes engine/job.c 1 "GSL outside" '#include <gsl/gsl_math.h>'
fires includes tools/a.c 1 "GSL outside" '#include <gsl/gsl_math.h>'
fires includes forcefield/pair_new.h 1 "missing from the list of forcefield/pairs.h" \
    '#include "pair.h"'
fires includes forcefield/turn.h 1 "missing from the list of forcefield/bonds.h" '#include "bond.h"'
fires includes forcefield/pairs.h 1 "missing from the list of forcefield/pairs.h" \
    '#include "pair_lj.h"\n#define PAIR_LIST(ENTRY) ENTRY(other, LJ, AXES)' forcefield/pair_lj.h

# What needs a tool.
fires headers tools/a.h 1 "a header compiles alone" \
    '#ifndef AMPHI_TOOLS_A_H\n#define AMPHI_TOOLS_A_H\nint32_t a(void);\n#endif'
fires format tools/a.c 1 "not formatted" 'int  a ;'
fires cppcheck tools/a.c 5 "out of bounds" \
    'int f(void);\nint f(void)\n{\n    int a[2] = { 0 };\n    return a[2];\n}'
fires tidy tools/a.c 2 "recursi" 'int f(int);\nint f(int n)\n{\n    return n < 1 ? 0 : f(n - 1);\n}'

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
