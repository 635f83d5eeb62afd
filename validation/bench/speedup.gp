# gnuplot -e "table='speedup.tsv'" speedup.gp > speedup.svg
set terminal svg size 900,420 font "sans,13" enhanced background "white"
set datafile separator "\t"
set logscale x
set xlabel "beads"
set ylabel "times faster than one core in double"
set yrange [0:*]
set key top left
set grid
set multiplot layout 1,2
do for [system in "water membrane"] {
    set title "ELBA ".system
    plot for [fs in "1 10 20"] table using (strcol(1) eq system && column(3) == fs + 0 ? $2 : 1/0):8 \
             with linespoints pointtype 7 title "single, ".fs." fs", \
         for [fs in "1 10 20"] table using (strcol(1) eq system && column(3) == fs + 0 ? $2 : 1/0):7 \
             with linespoints pointtype 6 dashtype 2 title "double, ".fs." fs"
}
unset multiplot
