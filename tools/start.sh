#!/bin/sh
# The way to a first bilayer: installs what is missing, builds amphi, then makes 128 DMPC lipids in
# water, relaxes, simulates and measures them, and draws the result. Takes a minute and a half on
# two idle processors; after three minutes it stops by itself. Called again it continues, or says
# where the results are.
set -eu
cd "$(dirname "$0")/.."
system=systems/first-bilayer.xml
out=first-bilayer.run
began=$(date +%s)

sh tools/need.sh build look
[ -x build/amphi ] || echo "building amphi (a minute or two)"
# A build that is there keeps its flags. A new one is for the CPU alone where there is no NVIDIA
# device, since the kernels of devices take minutes to compile; `make` builds them too.
if [ -e build/flags ]; then
    set -- CUDA="$(grep -q ' CUDA=1 ' build/flags && echo 1 || echo 0)" \
        HASTE="$(sed -n 's/.* HASTE=\([^ ]*\) .*/\1/p' build/flags)" \
        GPUS="$(sed -n 's/.* GPUS=//p' build/flags)"
elif [ ! -e /dev/nvidiactl ] && [ ! -e /dev/dxg ]; then
    set -- CUDA=0
else
    set --
fi
log=$(make -j "$(nproc)" "$@" 2>&1) || {
    echo "$log" | tail -n 40
    exit 1
}

# What is left of three minutes, with the report in it, and a minute at least.
left=$((180 - ($(date +%s) - began)))
[ $left -ge 60 ] || left=60
mkdir -p $out
echo '*' >$out/.gitignore
if grep -q '"state":"done"' $out/status.json 2>/dev/null; then
    echo "done already:"
    awk '/^  / { block = block $0 "\n"; next } { block = "" }
        END { printf "%s", block }' $out/run.log
else
    [ -e $out/run.chk ] || build/amphi check $system | head -n 12
    echo "simulating, at most $left s"
    hours=$(echo $left | awk '{ print $1 / 3600 }')
    status=0
    build/amphi run $system -o $out --max-hours "$hours" --picture || status=$?
    if [ $status -eq 8 ]; then
        echo "Stopped for the time; sh tools/start.sh again goes on. So far:"
    elif [ $status -ne 0 ]; then
        exit $status
    fi
fi

# seen NAME WORDS: a line about a file, if it is there.
seen() {
    [ ! -e "$out/$1" ] || printf '  %s/%s/%-13s %s\n' "$(pwd)" "$out" "$1" "$2"
}
echo
echo "Look at"
seen report.html "all of it on one page, in a browser"
seen final.png "the membrane: heads blue and orange, tails yellow, water light blue"
seen energies.png "energies and temperatures in time"
seen profile.png "where mass and electrons are across the membrane"
seen area-mean.tsv "area and volume per lipid; thickness-mean.tsv, order.tsv, diffusion.tsv"
seen view.vmd "the same in VMD: cd $out, vmd -e view.vmd (PyMOL: view.pml)"
echo "Figures to quote take longer runs: build/amphi run systems/bilayer-128.xml"
