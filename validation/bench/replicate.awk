# A LAMMPS data file (atom_style hybrid angle dipole sphere) repeated side by side along x and y.
# nx, ny: copies. Molecules are made whole first, so that no bond crosses an edge that moves.
BEGIN { n = nx * ny }
NR > 1 && /^[A-Z]/ { section = $1; title = $0; print; next }
/xlo xhi/ { low[1] = $1; edge[1] = $2 - $1; print $1, $1 + nx * edge[1], "xlo xhi"; next }
/ylo yhi/ { low[2] = $1; edge[2] = $2 - $1; print $1, $1 + ny * edge[2], "ylo yhi"; next }
/zlo zhi/ { low[3] = $1; edge[3] = $2 - $1; print; next }
section == "" && $2 ~ /^(atoms|bonds|angles)$/ { of[$2] = $1; print $1 * n, $2; next }
section == "Atoms" && NF > 11 { row[++rows] = $0; next }
section == "Velocities" && NF == 7 { row[++rows] = $0; next }
(section == "Bonds" && NF == 4 || section == "Angles" && NF == 5) && title !~ /Coeffs/ { row[++rows] = $0; next }
NF == 0 { if (rows > 0) { flush_rows(section); rows = 0 } print; next }
{ print }
END { if (rows > 0) flush_rows(section) }

# The section is known by the columns: Atoms 12 or 15, Velocities 7, Bonds 4, Angles 5.
function flush_rows(name,    copy, k, m, f, a, dx, dy) {
    for (copy = 0; copy < n; copy++) {
        dx = (copy % nx) * edge[1]; dy = int(copy / nx) * edge[2]
        for (k = 1; k <= rows; k++) {
            m = split(row[k], f, " ")
            if (m == 7) f[1] += copy * of["atoms"]
            else if (m > 11) {
                f[1] += copy * of["atoms"]; f[6] += copy * of["atoms"]
                if (m == 15) for (a = 1; a <= 3; a++) { f[2 + a] += f[12 + a] * edge[a]; f[12 + a] = 0 }
                f[3] += dx; f[4] += dy
            } else {
                f[1] += copy * of[m == 4 ? "bonds" : "angles"]
                for (a = 3; a <= m; a++) f[a] += copy * of["atoms"]
            }
            for (a = 1; a <= m; a++) printf "%s%s", f[a], a < m ? " " : "\n"
        }
    }
}
