# amphi evaluate: term, energy, pairs in range -> `name` of the system, term, pairs, share of all pairs in range in %, the
# paper's.
$1 ~ /^(lj|qq|qd|dd|sticky|gay-berne)$/ && $3 > 0 {
    term[++n] = $1; pairs[n] = $3
    if ($1 == "lj" || $1 == "gay-berne") all += $3
}
END {
    for (k = 1; k <= n; k++) printf "%s\t%s\t%d\t%.2f\t%s\n", name, term[k], pairs[k], 100 * pairs[k] / all,
               name == "water" ? "100 .. 3.36" : "76.53 .. 0.27"
}
