# The pieces of the evaluation. Each leaves one file or folder and is skipped where that is there;
# what fails is said, counted, and a dash in the tables. Sourced by paper.sh.

say() {
    echo "$(date +%H:%M:%S) $*"
}

# wanted PIECE: is it one of those to be measured now?
wanted() {
    [ -n "${ONLY:-}" ] || return 0
    set -f
    for pattern in $ONLY; do
        # shellcheck disable=SC2254 # a pattern
        case $1 in $pattern) set +f && return 0 ;; esac
    done
    set +f
    return 1
}

# quietly LOG COMMAND...: its output kept; said where it fails
quietly() {
    log=$out/logs/$1.log
    shift
    [ "$(($(date +%s) - began))" -lt "${MAX_S:-1000000000}" ] || {
        failed=$((failed + 1))
        say 'no time is left for it'
        return 1
    }
    "$@" >"$log" 2>&1 && return 0
    say "failed: $(grep -v '^ *$' "$log" | tail -n 1); see $log"
    failed=$((failed + 1))
    return 1
}

# once FILE COMMAND...: makes FILE by the command unless it is there, and waits where another
# process
# is at it.
once() {
    made=$1
    shift
    until [ -e "$made" ]; do
        if mkdir "$made.lock" 2>/dev/null; then
            echo $$ >"$made.lock/pid"
            status=0
            [ -e "$made" ] || "$@" || status=$?
            rm -rf "$made.lock"
            [ $status -eq 0 ] || return $status
        else
            sleep 0.2
            kill -0 "$(cat "$made.lock/pid" 2>/dev/null || echo $$)" 2>/dev/null ||
                rm -rf "$made.lock"
        fi
    done
}

# start SYSTEM BEADS: one relaxed state of each system and size, which all modes then start from
start() {
    once "$out/starts/$1-$2.done" make_start "$1" "$2"
}

make_start() {
    say "start: $1, $2 beads"
    start_job "$1" "$2" >"$out/starts/$1-$2.xml"
    # shellcheck disable=SC2086 # words
    quietly "start-$1-$2" "$amphi" run "$out/starts/$1-$2.xml" -o "$out/starts/$1-$2.run" \
        --fresh --yes \
        --quiet --no-report $best && touch "$out/starts/$1-$2.done"
}

# options MODE: cuda:single, or cpu:double:1 with the threads
options() {
    echo "$1" | awk -F : '{
        print "--backend " $1 " --precision " $2 ($1 == "cpu" ? " --threads " $3 : "") }'
}

# timing SYSTEM ABOUT_BEADS FS MODE: microseconds of a step and of its parts
timing() {
    system=$1 beads=$(beads_of "$1" "$2") fs=$3 mode=$4
    to=$out/timings/$system.$beads.$fs.$(echo "$mode" | tr : .).tsv
    [ ! -e "$to" ] || return 0
    wanted "time:$system:$beads:$fs:$mode" || return 0
    start "$system" "$beads" || return 0
    say "time: $system, $beads beads, $fs fs, $mode"
    name=$system-$beads-$fs
    job=$out/starts/$name.$$.xml # beside the state that it names
    step_job "$system" "$beads" "$fs" 10000 >"$job"
    # shellcheck disable=SC2046 # words
    quietly "time-$name-$mode" "$amphi" run "$job" -o "$out/work.$$" -n 20 --timings --fresh \
        --yes --quiet \
        --no-report $(options "$mode") && mv "$out/work.$$/timings.tsv" "$to"
    rm -rf "$out/work.$$" "$job"
    return 0
}

# counts SYSTEM ABOUT_BEADS: how many pairs in range each term has
counts() {
    beads=$(beads_of "$1" "$2")
    to=$out/counts/$1.$beads.txt
    [ ! -e "$to" ] || return 0
    wanted "count:$1:$beads" || return 0
    start "$1" "$beads" || return 0
    say "count: $1, $beads beads"
    step_job "$1" "$beads" 1 10000 >"$out/starts/$1-$beads-1.xml"
    quietly "count-$1" "$amphi" evaluate "$out/starts/$1-$beads-1.xml" --quiet && mv "$log" "$to"
    return 0
}

# divergence SYSTEM ABOUT_BEADS: branches by kernel. Energies of every step, so that kernels are
# launched one by one: ncu does not follow all of a graph.
divergence() {
    beads=$(beads_of "$1" "$2")
    to=$out/branches/$1.$beads.csv
    [ ! -e "$to" ] || return 0
    wanted "branches:$1:$beads" || return 0
    start "$1" "$beads" || return 0
    say "branches: $1, $beads beads, by ncu"
    step_job "$1" "$beads" 1 1 >"$out/starts/$1-$beads-ncu.xml"
    quietly "branches-$1" ncu --csv --clock-control none --log-file "$out/branches/$1.part" \
        --metrics \
        smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum \
        "$amphi" run "$out/starts/$1-$beads-ncu.xml" -o "$out/work.$$" -n 60 --fresh --yes \
        --quiet --no-report \
        --backend cuda --precision single && mv "$out/branches/$1.part" "$to"
    rm -rf "$out/work.$$"
    return 0
}

# compared BACKEND LENGTH PRECISION: the folder of its figures
compared() {
    echo "$out/compare/$1-$(beads_of lipids "$accuracy")-$2-$3"
}

make_settled() {
    say "start: the membrane of tables 6 and 7, $(beads_of lipids "$accuracy") beads," \
        "settled for $settle fs"
    accuracy_job "$accuracy" settling >"$from-start.xml"
    # shellcheck disable=SC2086 # words
    quietly start-accuracy "$amphi" run "$from-start.xml" -o "$from.run" --yes --quiet \
        --no-report $best &&
        touch "$from.done"
}

# in_time COMMAND...: asked to end when MAX_S are over, and asked once: from timeout and from the
# group that it signals too are two signals, of which the second does not wait
in_time() {
    [ -n "${MAX_S:-}" ] || {
        "$@"
        return
    }
    timeout --foreground $((MAX_S + 1 - ($(date +%s) - began))) "$@"
}

# What was stopped stays beside as .part, with the figures of what was done.
compare_mode() {
    rm -rf "$to.part" && in_time "$amphi" compare "$@" -o "$to.part" && mv "$to.part" "$to"
}

# accuracy BACKEND LENGTH: every mode of a backend from one state
accuracy() {
    for p in $precisions; do accuracy_of "$1" "$2" "$p"; done
}

accuracy_of() {
    to=$(compared "$1" "$2" "$3") from=$out/starts/accuracy-$(beads_of lipids "$accuracy")
    [ ! -e "$to" ] || return 0
    wanted "accuracy:$1:$2:$3" || return 0
    once "$from.done" make_settled || return 0
    say "accuracy: $1 $3, $2 of NVE and of NVT at 1 fs"
    accuracy_job "$accuracy" lengths >"$from-$1-$3.xml"
    quietly "accuracy-$1-$3" compare_mode "$from-$1-$3.xml" --from "$from.run" --backend "$1" \
        --precision "$3" --alone --length "$2" --timestep 1fs --threads "$threads" || true
    return 0
}
