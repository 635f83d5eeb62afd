# times.tsv -> tables 1, 3, 4, 5, 8 and the data of figures 7, 9 and 10 in the folder `to`; `size`: beads
# of the tables, `study`: of figure 10, `branches`: table of branches by kernel.
FNR > 1 {
    system_ = $1; mode = $4 "," $5 "," $6
    at = $1 SUBSEP $2 SUBSEP $3 SUBSEP mode
    step[at] = $7; part[at, "forces"] = $8; part[at, "bonded"] = $9
    part[at, "neighbours"] = $10; part[at, "integration"] = $11; part[at, "other"] = $12
    if (!((system_, $2) in sized)) { sized[system_, $2] = 1; beads[system_, ++n_sizes[system_]] = $2 }
    if (!(mode in known)) { known[mode] = 1; modes[++n_modes] = mode }
    if ($4 == "cuda") has_cuda = 1
    if ($4 == "cpu" && $6 > most) most = $6
}

END {
    base = "cpu,double,1"
    if (most < 1) most = 1
    shown = has_cuda ? "cuda" : "cpu"
    paper_branches()
    while ((getline line < branches) > 0) {
        split(line, b, "\t")
        if (b[4] + 0 > 0) divergent[b[1], b[2]] = sprintf("%.2f", 100 * b[5] / b[4])
    }
    table1(); table3(); kernels("water", 4); kernels("lipids", 5); table8()
    figure("figure7", "single", "Speed-up by size, single", "GTX295: water only up to 12, the complete version lower, lipids lowest")
    figure("figure9", "double", "Speed-up by size, double", "GTX480: water up to 13.69, lipids up to 7")
    figure10()
}

function words(mode,    m) {
    split(mode, m, ",")
    return m[1] " " m[2] (m[1] == "cpu" ? (m[3] == 1 ? ", 1 core" : ", " m[3] " threads") : "")
}

function nearest(system_, to_,    k, d, least, best) {
    for (k = 1; k <= n_sizes[system_]; k++) {
        d = beads[system_, k] > to_ ? beads[system_, k] / to_ : to_ / beads[system_, k]
        if (best == "" || d < least) { least = d; best = beads[system_, k] }
    }
    return best
}

function sum_of(at) {
    return part[at, "forces"] + part[at, "bonded"] + part[at, "neighbours"] + part[at, "integration"] + part[at, "other"]
}

function share(at, name) { return sum_of(at) > 0 ? sprintf("%.2f", 100 * part[at, name] / sum_of(at)) : "-" }

function ratio(a, b, form) { return a > 0 && b > 0 ? sprintf(form, a / b) : "-" }

function us_of(system_, n, fs, mode) { return step[system_, n, fs, mode] + 0 }

# The precision on the device, or on as many cores as were measured.
function shown_mode(precision,    m) { m = shown "," precision "," (shown == "cuda" ? 0 : most); return m }

function title(file, text, remark) {
    print "# " text > file
    if (remark != "") print "# " remark > file
}

function table1(    f, n, at, k, name, paper, names) {
    f = to "/table1.tsv"; n = nearest("lipids", size); at = "lipids" SUBSEP n SUBSEP 1 SUBSEP base
    title(f, "Table 1. Where the time goes on one core", n " beads of lipids in water, double, 1 fs.")
    print "part", "us a step", "share %", "paper %" > f
    split("forces integration neighbours bonded other", names, " ")
    split("94.3 2.3 1.1 - -", paper, " ")
    for (k = 1; k <= 5; k++) {
        name = names[k] == "forces" ? "nonbonded forces" : names[k]
        print name, sprintf("%.0f", part[at, names[k]]), share(at, names[k]), paper[k] > f
    }
    close(f)
}

# How much of its speed a water system loses when the types of a lipid are there.
function table3(    f, k, m, j, mode, n, loss, alone, with_, sum, high, low, count, precision, water_) {
    f = to "/table3.tsv"
    title(f, "Table 3. What the lipid structures cost a water system",
          "Speed lost by water with one lipid in it against water alone, of as many beads. B08o water has a cut-off of 0.9 nm, its lipids have 1.2 nm; ELBA has 1.2 nm throughout.")
    print "model", "mode", "sizes", "lost %: mean", "most", "least", "paper, GTX295: mean", "most", "least" > f
    for (j = 1; j <= 2; j++)
        for (m = 1; m <= n_modes; m++) {
            mode = modes[m]; count = sum = 0
            water_ = j == 1 ? "water" : "elba-water"
            for (k = 1; k <= n_sizes[water_]; k++) {
                n = beads[water_, k]
                alone = us_of(water_, n, 1, mode); with_ = us_of(j == 1 ? "mixed" : "elba-mixed", n, 1, mode)
                if (alone <= 0 || with_ <= 0) continue
                loss = 100 * (1 - alone / with_); sum += loss
                if (!count || loss > high) high = loss
                if (!count || loss < low) low = loss
                count++
            }
            if (!count) continue
            split(mode, precision, ",")
            print (j == 1 ? "B08o" : "ELBA"), words(mode), count, sprintf("%.1f", sum / count), sprintf("%.1f", high), sprintf("%.1f", low),
                  precision[2] == "single" ? "28.85" OFS "36.34" OFS "12.34" : "13.65" OFS "15.71" OFS "8.04" > f
        }
    close(f)
}

function paper_branches() {
    split("integration neighbours forces", kernel, " ")
    split("11.78 5.31 13.11 10.00 4.38 7.58", paper_gain, " ")
    split("2.61 1.15 94.64 1.98 1.11 93.99", paper_cpu, " ")
    split("2.08 2.04 67.67 1.16 1.48 72.54", paper_gpu, " ")
    split("0.50 4.73 7.98 1.48 5.52 11.61", paper_divergent, " ")
}

# Tables 4 and 5.
function kernels(system_, number,    f, n, k, m, mode, at, one, p) {
    f = to "/table" number ".tsv"; n = nearest(system_, size); one = system_ SUBSEP n SUBSEP 1 SUBSEP base
    title(f, "Table " number ". Kernel by kernel, " (system_ == "water" ? "water" : "lipids in water"),
          n " beads, 1 fs. Divergent branches are counted by ncu, in single, over all launches of the kernels; " \
          (divergent[system_, "forces"] == "" ? "there was no ncu, or no GPU, here." : "other modes have a dash."))
    print "kernel", "mode", "us", "us on one core", "speed-up over one core", "share on one core %", "share in the mode %", "divergent %",
          "paper: speed-up", "share CPU %", "share GPU %", "divergent %" > f
    for (k = 1; k <= 3; k++)
        for (m = 1; m <= n_modes; m++) {
            mode = modes[m]; at = system_ SUBSEP n SUBSEP 1 SUBSEP mode; p = (number - 4) * 3 + k
            if (!(at in step) || (mode == base && n_modes > 1)) continue
            print kernel[k], words(mode), sprintf("%.1f", part[at, kernel[k]]), sprintf("%.1f", part[one, kernel[k]]), ratio(part[one, kernel[k]], part[at, kernel[k]], "%.2f"),
                  share(one, kernel[k]), share(at, kernel[k]),
                  (mode ~ /^cuda,single/ && divergent[system_, kernel[k]] != "" ? divergent[system_, kernel[k]] : "-"),
                  paper_gain[p], paper_cpu[p], paper_gpu[p], paper_divergent[p] > f
        }
    close(f)
}

function table8(    f, s, n, m, mode, w, paper, of, system_) {
    f = to "/table8.tsv"
    title(f, "Table 8. Speed-up by arithmetic",
          "Over one core in double, 1 fs. Single is amphi's fast arithmetic (approximate roots and quotients, contraction): the paper's rounded intrinsics stand beside it. The paper's fixed point exploded; ours repeats every bit.")
    print "system", "beads", "mode", "us a step", "speed-up", "gain over double there %", "paper: GTX295 / GTX480 / C2050" > f
    of["water", "double"] = "5.28 / 13.69 / 12.8"; of["water", "fixed"] = "6.13 / 19.61 / 16.42"
    of["water", "single"] = "2.66 / 27.71 / 14.33"; of["lipids", "double"] = "2.43 / 7 / 6.43"
    of["lipids", "fixed"] = "2.81 / 9.81 / 8.66"; of["lipids", "single"] = "0.52 / 12.91 / 7.27"
    for (s = 1; s <= 2; s++) {
        system_ = s == 1 ? "water" : "lipids"; n = nearest(system_, size)
        for (m = 1; m <= n_modes; m++) {
            mode = modes[m]; split(mode, w, ",")
            if (us_of(system_, n, 1, mode) <= 0) continue
            paper = of[system_, w[2]]
            print system_, n, words(mode), sprintf("%.1f", us_of(system_, n, 1, mode)),
                  ratio(us_of(system_, n, 1, base), us_of(system_, n, 1, mode), "%.2f"),
                  gain(us_of(system_, n, 1, w[1] ",double," w[3]), us_of(system_, n, 1, mode)), paper > f
        }
    }
    close(f)
}

function gain(double_us, us) { return double_us > 0 && us > 0 ? sprintf("%+.1f", 100 * (double_us / us - 1)) : "-" }

function figure(name, precision, text, paper,    f, s, k, n, mode, system_, one) {
    f = to "/" name ".tsv"; mode = shown_mode(precision)
    title(f, "F" substr(name, 2, 5) " " substr(name, 7) ". " text, "The mode: " words(mode) ". Paper: " paper ".")
    print "system", "beads", "us a step, one core double", "us a step", "speed-up" > f
    for (s = 1; s <= 3; s++) {
        system_ = s == 1 ? "water" : s == 2 ? "mixed" : "lipids"
        for (k = 1; k <= n_sizes[system_]; k++) {
            n = beads[system_, k]; one = us_of(system_, n, 1, base)
            if (us_of(system_, n, 1, mode) > 0)
                print (system_ == "mixed" ? "water-with-a-lipid" : system_), n, sprintf("%.1f", one),
                      sprintf("%.1f", us_of(system_, n, 1, mode)), ratio(one, us_of(system_, n, 1, mode), "%.2f") > f
        }
    }
    close(f)
}

function figure10(    f, s, system_, n, j, fs, list, one, paper, p) {
    f = to "/figure10.tsv"
    title(f, "Figure 10. Speed-up by time step", "ELBA at constant temperature: B08o water has light protons, which bear no 10 fs. Modes: " \
          words(shown_mode("single")) ", and double and fixed there. Paper: GTX480, 80 000 beads.")
    print "system", "beads", "fs", "us a step, one core double", "single", "double", "fixed", "paper" > f
    split("13.69 13.83 13.88 7 7.44 7.9", paper, " "); split("1 10 20", list, " ")
    for (s = 1; s <= 2; s++) {
        system_ = s == 1 ? "elba-water" : "elba-lipids"; n = nearest(system_, study)
        for (j = 1; j <= 3; j++) {
            fs = list[j]; one = us_of(system_, n, fs, base); p = paper[(s - 1) * 3 + j]
            if (one > 0)
                print substr(system_, 6), n, fs, sprintf("%.1f", one), ratio(one, us_of(system_, n, fs, shown_mode("single")), "%.2f"),
                      ratio(one, us_of(system_, n, fs, shown_mode("double")), "%.2f"),
                      ratio(one, us_of(system_, n, fs, shown_mode("fixed")), "%.2f"), p > f
        }
    }
    close(f)
}
