#!/bin/sh
# The way to a first bilayer: installs what is missing, builds amphi, then builds 128 DMPC lipids in
# water, checks the system, evaluates its forces and draws it. A second call only looks again.
set -eu
cd "$(dirname "$0")/.."
sh tools/need.sh build look
log=$(make -j "$(nproc)" 2>&1) || {
    echo "$log" | tail -n 40
    exit 1
}

system=systems/bilayer-128.xml
out=first-bilayer
mkdir -p $out
echo '*' >$out/.gitignore
build/amphi check $system
build/amphi build $system -o $out --picture
build/amphi evaluate $system -o $out

echo
echo "The forces and energies are in $out/energies.tsv pressure.tsv forces.tsv,"
echo "the membrane in $out/start.gro with its bonds in $out/start.psf (vmd or ovito open them)."
echo "Look at $(pwd)/$out/start.png"
