# The rules that one line, or one file, can break by itself. Paths are relative to the root.
# Reports 'file:line: what, and the rule'.

function report(line, what) {
    print FILENAME ":" line ": " what
    n_faults++
}

# The line without comments and the insides of strings; in_comment goes from line to line.
function code_of(line,  out, token) {
    while (1) {
        if (in_comment) {
            if (!(token = index(line, "*/")))
                return out
            line = substr(line, token + 2)
            in_comment = 0
        }
        if (!match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)+'|\/\/.*|\/\*/))
            return out line
        token = substr(line, RSTART, RLENGTH)
        out = out substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (token == "/*")
            in_comment = 1
        else if (token !~ /^\/\//)
            out = out "\"\""
    }
}

# Is one of the functions (a|b|c) called by its own name, not as a member?
function calls(names) {
    return code ~ ("(^|[^A-Za-z0-9_.>])(" names ") *\\(")
}

# engine/num/real.h: AMPHI_NUM_REAL_H; folders before the last may be named too or left out.
function is_guard(name,  part, n, k, pattern) {
    n = split(toupper(FILENAME), part, "/")
    sub(/\.H$/, "_H", part[n])
    pattern = "^AMPHI_"
    for (k = 1; k < n; k++)
        pattern = pattern "(" part[k] "_)?"
    gsub(/-/, "_", part[n])
    return name ~ (pattern part[n] "$") && name != "AMPHI_" part[n]
}

function end_of_file() {
    if (n_lines > 600)
        report(601, "a file of " n_lines " lines: at most 600")
    if (is_header && guarded < 2)
        report(1, "no header guard AMPHI_FOLDER_FILE_H")
}

FNR == 1 {
    if (last != "") {
        current = FILENAME
        FILENAME = last
        end_of_file()
        FILENAME = current
    }
    last = FILENAME
    is_c = FILENAME ~ /\.(c|h|cu)$/
    is_header = FILENAME ~ /\.h$/
    in_library = FILENAME ~ /^(engine|cuda|forcefield)\//
    in_comment = opened = guarded = 0
    code = ""
}
{ n_lines = FNR }

/(^|[^A-Za-z0-9_])(TODO|FIXME|XXX)([^A-Za-z0-9_]|$)/ {
    report(FNR, "a note to come back: do it, or leave it out")
}
# Columns are characters: of UTF-8 only the first byte of each. A macro's backslash may stand behind.
FILENAME ~ /\.(c|h|cu|sh)$/ {
    columns = $0
    sub(/ *\\$/, "", columns)
    gsub(/[\200-\277]/, "", columns)
    if (length(columns) > 100)
        report(FNR, "a line of " length(columns) " columns: at most 100")
}
/-ffast-math|-funsafe-math|-ffinite-math|-Ofast|use_fast_math|"fast-math"/ {
    report(FNR, "fast-math: it drops NaN checks and reorders sums")
}

!is_c { next }
{
    before = code
    code = code_of($0)
}

# Linux braces: only a function opens with a brace in the first column.
/^\{/ { opened = FNR }
/^\}/ {
    if (opened && FNR - opened + 1 > 60)
        report(opened, "a function of " (FNR - opened + 1) " lines: at most 60")
    opened = 0
}

is_header && guarded == 0 && code ~ /^#ifndef / { guarded = is_guard($2); guard = $2 }
is_header && guarded == 1 && code ~ /^#define / && $2 == guard { guarded = 2 }

in_library && calls("exit|_exit|_Exit|quick_exit|abort") { report(FNR, "a library does not end the program") }
in_library && (calls("printf|vprintf|puts|putchar|perror") || code ~ /(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_]|$)/) {
    report(FNR, "a library does not print")
}
in_library && FILENAME != "engine/arena.c" &&
    calls("malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|strdup|strndup|asprintf") {
    report(FNR, "memory comes from arena.h")
}
FILENAME ~ /^cuda\// && FILENAME !~ /\/(read|device)\.cu$/ &&
    calls("cudaDeviceSynchronize|cudaMemcpy|cudaStreamSynchronize") {
    report(FNR, "only read.cu and device.cu wait for the device")
}
FILENAME ~ /^cuda\// && code ~ /__global__/ && (before code) !~ /__launch_bounds__/ {
    report(FNR, "a kernel without __launch_bounds__")
}

END {
    end_of_file()
    exit (n_faults > 0)
}
