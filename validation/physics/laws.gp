# gnuplot -e "precision='double'" laws.gp: laws-double.svg from the tables beside it, which judge laws leaves.
set terminal svg size 1080,720 font "Helvetica,12" background "#ffffff"
set output sprintf("laws-%s.svg", precision)
set datafile separator "\t"
set style line 1 lc rgb "#1f5f99" pt 7 ps 0.5
set style line 2 lc rgb "#c2410c" lw 2
set style line 3 lc rgb "#888888" dt 2
set key top left samplen 2
set border 3
set tics nomirror
of(name) = sprintf("laws-%s-%s.tsv", precision, name)
set offsets 0, 0, graph 0.35, 0
set multiplot layout 2,3 title sprintf("Exact laws, precision %s", precision)
set xtics 40
set title "SSD/RF water, 298 K: K+ of translation"
set xlabel "K+ / kT"
set ylabel "density"
plot of("translation") using 1:2:3 with yerrorbars ls 1 title "one half-step", "" using 1:4 with lines ls 2 title "gamma law"
set title "K+ of rotation"
plot of("rotation") using 1:2:3 with yerrorbars ls 1 title "one half-step", "" using 1:4 with lines ls 2 title "gamma law"
set xtics 100
set title "U at 312 K over 298 K"
set key top left
set xlabel "U less its mean, kJ/mol"
set ylabel "ln of the ratio"
plot of("potential") using 1:2:3 with yerrorbars ls 1 title "samples", "" using 1:4 with lines ls 2 title "exact slope"
set xtics 0.2
set title "ELBA water: V at 500 bar over 1 bar"
set key top right
set xlabel "V less its mean, nm^3"
plot of("volume") using 1:2:3 with yerrorbars ls 1 title "samples", "" using 1:4 with lines ls 2 title "exact slope"
set title "chances of all checks, sorted"
set xlabel "rank"
set ylabel "p"
unset offsets
set xtics autofreq
set logscale y
set yrange [1e-5:2]
set format y "10^{%T}"
set key bottom right
plot of("chances") using 1:2 with points ls 1 title "found", "" using 1:3 with lines ls 2 title "even", "" using 1:4 with lines ls 3 title "fails all"
unset logscale y
set format y
set title "found less law, in errors"
set xlabel "check"
set ylabel "off by"
set yrange [-5:5]
set key top right
plot of("page") using 0:(strcol(5) eq "nan" ? NaN : ($2 - $4)/$3) skip 1 with points ls 1 title "errors", 3 with lines ls 3 notitle, -3 with lines ls 3 notitle
unset multiplot
