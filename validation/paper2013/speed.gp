# gnuplot -e "folder='build/paper2013'" speed.gp: figures 7, 9 and 10 from their tables; of a mode that
# was not measured there is none
set terminal svg size 760,400 font "sans,13" background "white"
set datafile separator "\t"
set datafile missing "-"
set ylabel "times faster than one core in double"
set yrange [0:*]
set grid
set key outside right top
rows_of(data) = int(system("grep -vc -e '^#' -e '^system' ".data." || true"))
do for [f in "7 9"] {
    data = folder."/figure".f.".tsv"
    if (rows_of(data) == 0) { continue }
    set output folder."/figure".f.".svg"
    set title "Figure ".f
    set logscale x
    set xlabel "beads"
    plot for [s in "water water-with-a-lipid lipids"] data \
        using (strcol(1) eq s ? column(2) : NaN):5 with linespoints pointtype 7 title s
}
unset logscale x
data = folder."/figure10.tsv"
if (rows_of(data) == 0) { exit }
set output folder."/figure10.svg"
set title "Figure 10"
set xlabel "time step (fs)"
set xrange [0:21]
plot for [s in "water lipids"] for [k = 5:7] data \
    using (strcol(1) eq s ? column(3) : NaN):k with linespoints pointtype 7 title s.", ".word("single double fixed", k - 4)
