/* LAMMPS data files, read: one function for the lines of each section. */
#include "lammps.h"

bool amphi_lammps_numbers(LammpsReader *r, const AmphiSlice *word, int32_t n, const char *what,
                          double *value)
{
    for (int32_t k = 0; k < n; k++)
        if (!amphi_lines_number(&r->lines, word[k], what, &value[k]))
            return false;
    return true;
}

static bool read_type(LammpsReader *r, AmphiSlice word, int32_t count, const char *what,
                      int32_t *type)
{
    int64_t value = 0;

    if (!amphi_lines_whole(&r->lines, word, what, 1, r->n[count], &value))
        return false;
    *type = (int32_t)value;
    return true;
}

void amphi_lammps_mass(LammpsReader *r, const AmphiSlice *word, int32_t n)
{
    int32_t type = 0;
    double  mass = 0;

    (void)n;
    if (!read_type(r, word[0], ATOM_TYPES, "bead type", &type) ||
        !amphi_lammps_numbers(r, word + 1, 1, "mass", &mass))
        return;
    if (mass <= 0)
        amphi_lines_note(&r->lines, LAMMPS_VALUE, "the mass", amphi_decimal(mass).text,
                         "be above zero");
    else if (r->mass_line[type - 1] != 0)
        amphi_lines_note(&r->lines, LAMMPS_TWICE, r->section, amphi_digits(type).text,
                         amphi_digits(r->mass_line[type - 1]).text);
    r->s->type_mass_u[type - 1] = mass;
    r->mass_line[type - 1]      = r->lines.number;
}

/* Passed over: the force field has its own numbers. */
void amphi_lammps_coefficients(LammpsReader *r, const AmphiSlice *word, int32_t n)
{
    double  value[8];
    int32_t type = 0;

    if (read_type(r, word[0], BOND_TYPES, "bond type", &type))
        amphi_lammps_numbers(r, word + 1, n - 1, "coefficient", value);
}

void amphi_lammps_bead(LammpsReader *r, const AmphiSlice *word, int32_t n)
{
    LammpsBead *const bead     = &r->bead[r->row];
    int64_t           molecule = 0, image = 0;
    double            density = 0;

    bead->line = r->lines.number;
    if (n != 12 && n != 15) {
        amphi_lines_note(&r->lines, LAMMPS_WORDS, r->section, amphi_digits(n).text, r->columns);
        return;
    }
    if (!amphi_lines_whole(&r->lines, word[0], "id", 1, INT64_MAX, &bead->id) ||
        !read_type(r, word[1], ATOM_TYPES, "bead type", &bead->type) ||
        !amphi_lammps_numbers(r, word + 2, 3, "position", bead->x) ||
        !amphi_lines_whole(&r->lines, word[5], "molecule", 0, INT32_MAX, &molecule) ||
        !amphi_lammps_numbers(r, word + 6, 1, "charge", &bead->charge) ||
        !amphi_lammps_numbers(r, word + 7, 3, "dipole", bead->dipole) ||
        !amphi_lammps_numbers(r, word + 10, 1, "diameter", &bead->diameter) ||
        !amphi_lammps_numbers(r, word + 11, 1, "density", &density))
        return;
    for (int32_t k = 12; k < n; k++)
        if (!amphi_lines_whole(&r->lines, word[k], "image flag", INT32_MIN, INT32_MAX, &image))
            return;
    bead->molecule = (int32_t)molecule;
    if (bead->diameter < 0)
        amphi_lines_note(&r->lines, LAMMPS_VALUE, "the diameter",
                         amphi_decimal(bead->diameter).text, "not be negative");
}

/* Index of the bead with this id, -1 with a note. */
static int32_t find_bead(LammpsReader *r, AmphiSlice word)
{
    int64_t id = 0, low = 0, high = r->n[ATOMS];

    if (!amphi_lines_whole(&r->lines, word, "id", 1, INT64_MAX, &id))
        return -1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (r->bead[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < r->n[ATOMS] && r->bead[low].id == id)
        return (int32_t)low;
    amphi_lines_note(&r->lines, LAMMPS_NO_BEAD, r->section, amphi_digits(id).text);
    return -1;
}

/* A/fs is 100 nm/ps, rad/fs is 1000 rad/ps. */
void amphi_lammps_velocity(LammpsReader *r, const AmphiSlice *word, int32_t n)
{
    const int32_t i = find_bead(r, word[0]);
    double        v[3], w[3];

    (void)n;
    if (i < 0 || !amphi_lammps_numbers(r, word + 1, 3, "velocity", v) ||
        !amphi_lammps_numbers(r, word + 4, 3, "angular velocity", w))
        return;
    if (r->velocity_line[i] != 0) {
        amphi_lines_note(&r->lines, LAMMPS_TWICE, r->section, amphi_digits(r->bead[i].id).text,
                         amphi_digits(r->velocity_line[i]).text);
        return;
    }
    r->velocity_line[i] = r->lines.number;
    for (int k = 0; k < 3; k++) {
        r->s->velocity_nm_ps[i][k]          = 100 * v[k];
        r->s->angular_velocity_rad_ps[i][k] = 1000 * w[k];
    }
}

void amphi_lammps_bond(LammpsReader *r, const AmphiSlice *word, int32_t n)
{
    int32_t *const bond   = r->s->bond[r->row];
    int64_t        number = 0;

    (void)n;
    if (!amphi_lines_whole(&r->lines, word[0], "bond number", 1, INT64_MAX, &number) ||
        !read_type(r, word[1], BOND_TYPES, "bond type", &bond[0]))
        return;
    bond[1] = find_bead(r, word[2]);
    bond[2] = find_bead(r, word[3]);
    if (bond[1] >= 0 && bond[1] == bond[2])
        amphi_lines_note(&r->lines, LAMMPS_VALUE, "the bond", "from a bead to itself",
                         "join two beads");
}

void amphi_lammps_angle(LammpsReader *r, const AmphiSlice *word, int32_t n)
{
    int32_t *const angle  = r->s->angle[r->row];
    int64_t        number = 0;

    (void)n;
    if (!amphi_lines_whole(&r->lines, word[0], "angle number", 1, INT64_MAX, &number) ||
        !read_type(r, word[1], ANGLE_TYPES, "angle type", &angle[0]))
        return;
    for (int k = 1; k <= 3; k++)
        angle[k] = find_bead(r, word[k + 1]);
    if (angle[1] >= 0 && (angle[1] == angle[2] || angle[1] == angle[3]))
        amphi_lines_note(&r->lines, LAMMPS_VALUE, "the angle", "of a bead with itself",
                         "name other beads behind the first");
}
