#!/bin/sh
# `amphi run` with several systems: each run is the one that it is alone, byte for byte, whoever is
# beside it, fails beside it or is stopped with it; and what each says can be told apart.
. "$(dirname "$0")/checks.sh"
cd "$folder" || exit 1

# system NAME KELVIN PS [TIMESTEP]
system() {
    cat >"$1" <<END
<amphi version="1"><forcefield><include href="forcefield:elba"/></forcefield>
<system><start><fill type="water" count="60" density="2.2 g/cm^3" seed="1"/>
<velocities temperature="$2 K" seed="1"/></start></system>
<interactions><cutoff distance="0.55 nm"/></interactions>
<plan timestep="${4:-5 fs}"><minimise name="relax" steps="20"/>
<run name="warm" ensemble="nvt" length="$3 ps"><thermostat temperature="$2 K"/></run></plan>
<output><energies every="10 steps"/><trajectory every="50 steps"/>
<checkpoint every="100 steps"/></output></amphi>
END
}

several() {
    "$program" run --backend cpu --precision fixed --no-report "$@" >log 2>eye
}

# Every file of a run but those with times of day and the one before the last checkpoint.
same() {
    diff -r -x run.log -x status.json -x run.lock -x run.chk.prev "$1" "$2" >>log 2>&1
}

mkdir alone
for k in 290 300 310; do
    system water-$k.xml $k 2
    several water-$k.xml -o alone/water-$k.run --threads 1
done
check "three runs, each alone" $?
several water-290.xml water-300.xml water-310.xml -o beside
check "all three by one command" $?
for k in 290 300 310; do
    same alone/water-$k.run beside/water-$k.run
    check "$k K: the same files as alone" $?
    grep -qx "beside/water-$k.run" log && grep -q "^beside/water-$k.run: minimised relax" eye
    check "$k K: what it says can be told apart" $?
done
tail -n 1 eye | grep -qx '3 runs: 3 done'
check "how many are through" $?
[ "$(awk '/^beside/ { n = 0 } /faults/ { n++ } /^  files/ { print n }' log | sort -u)" = 1 ]
check "results of a run stand together" $?
several water-290.xml water-300.xml -o beside --at-once 1
[ "$(grep -c 'done already' eye)" = 2 ]
check "the same command again, one after another" $?
several water-290.xml water-300.xml -o beside --json --steps 500 &&
    [ "$(grep -c '"run":"beside/water-290.run"}$' log)" -ge 2 ] &&
    ! grep -qv '^{"kind":".*}$' log
check "lines of JSON name their run" $?

# stop FOLDER NAME OPTION...: TERM once NAME.run has a checkpoint; the exit code.
stop() {
    to=$1 name=$2
    shift 2
    "$program" run long-1.xml long-2.xml -o "$to" --backend cpu --precision fixed --no-report "$@" \
        >log 2>eye & # itself, and not a shell
    pid=$!
    until [ -s "$to/$name.run/run.chk" ]; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.01
    done
    kill -TERM $pid
    wait $pid
}

# asked to stop, and once more
system long-1.xml 300 20
system long-2.xml 310 20
stop broken long-1
[ $? -eq 8 ] && tail -n 1 eye | grep -qx '2 runs: 2 stopped early'
check "both stop when asked" $?
several long-1.xml long-2.xml -o broken && several long-1.xml -o alone/long-1.run --threads 1 &&
    same alone/long-1.run broken/long-1.run
check "and go on to the same" $?
stop turns long-1 --at-once 1
[ $? -eq 8 ] && grep -q '^turns/long-2.run: not begun' eye && [ ! -e turns/long-2.run ] &&
    tail -n 1 eye | grep -qx '2 runs: 1 stopped early, 1 not begun'
check "what waits for its turn is not begun" $?
several long-1.xml long-2.xml -o short --max-hours 1e-7
[ $? -eq 8 ] && grep -q 'no run was begun' eye && [ ! -e short ]
check "nor is any when the time is over" $?

# a run that fails, and files with mistakes
system hot.xml 300 40 '400 fs'
several hot.xml water-300.xml -o apart
[ $? -eq 5 ] && grep -q '^apart/hot.run: error: ' eye &&
    tail -n 1 eye | grep -qx '2 runs: 1 done, 1 failed' &&
    same alone/water-300.run apart/water-300.run
check "a run that fails keeps no other from its end" $?
sed 's/type="water"/type="wine"/' water-290.xml >wine.xml
sed 's/ensemble="nvt"/ensemble="tvn"/' water-290.xml >tvn.xml
several wine.xml water-290.xml tvn.xml -o none
[ $? -eq 3 ] && grep -q '^wine.xml:2: error' eye && grep -q '^tvn.xml:6: error' eye && [ ! -e none ]
check "all mistakes of all files, and nothing is run" $?
several wine.xml tvn.xml -o none --json
[ $? -eq 3 ] && [ "$(grep -c '^{"kind":"note".*"run":"none/.*[.]run"}$' log)" = 2 ]
check "they name their run as JSON, too" $?
mkdir other && cp water-290.xml other/
several water-290.xml other/water-290.xml
[ $? -eq 2 ] && grep -q 'both would run in water-290.run' eye
check "two runs in one folder" $?
ln -s water-300.run beside/water-320.run && cp water-300.xml water-320.xml
several water-300.xml water-320.xml -o beside --fresh --yes
[ $? -eq 2 ] && [ -s beside/water-300.run/run.chk ]
check "nor by two names of it" $?
several water-290.xml water-300.xml -o beside/water-290.run
[ $? -eq 2 ]
check "nor one run within another" $?
OMP_PROC_BIND=true several water-290.xml water-300.xml -o bound
[ $? -eq 2 ] && [ ! -e bound ]
check "runs that would be bound to one processor" $?
several water-290.xml water-300.xml --at-once 0
[ $? -eq 2 ]
check "none at once" $?
several water-290.xml water-300.xml --timings
[ $? -eq 2 ]
check "no timings of one beside others" $?
several water-290.xml water-300.xml -o dry --dry-run && [ "$(grep -c 'steps  *420' log)" = 2 ] &&
    [ ! -e dry ]
check "a dry run of each" $?

finish
