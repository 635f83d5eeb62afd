# gnuplot -e "data='figure11-total-cpu.tsv'" energy.gp: how the energy of a bead moves from its first value
set terminal svg size 760,340 font "sans,13" background "white"
set datafile separator "\t"
set output data[1:strlen(data) - 3]."svg"
set key outside right top noenhanced
set grid
set xlabel "time (ps)"
set format y "%g"
set ylabel "energy of a bead less the first (kJ/mol)"
stats data using 1 skip 1 nooutput
plot for [k = 2:STATS_columns] data using 1:k with lines linewidth 1.5 title columnheader(k)
