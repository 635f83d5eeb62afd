/* LAMMPS data files in the dialect of ELBA, written: 17 digits, ids in the order of beads, the box
 * from zero, no image flags set.
 *
 * LAMMPS takes a bead's mass from its density and diameter; the density is chosen so that the mass
 * is the type's. A bead without diameter gets the one whose sphere has its moment of inertia,
 * I = m d^2 / 10; without moments it is a point, which LAMMPS writes as diameter 0 with the mass in
 * the place of the density. Turning about the dipole itself (tops) has no place in this format.
 *
 * A dipole restraint is an angle of beads i j k, of which k has no meaning; ELBA's files write
 * i j j, which LAMMPS refuses since it checks for repeated ids.
 */
#include "lammps.h"

#include <math.h>
#include <string.h>

#include "../turn.h"
#include "lines.h"
#include "sink.h"

#define PI 3.14159265358979323846

/* The most bonds or angles a bead has, and the highest type: LAMMPS wants both. */
static int32_t highest_type(const int32_t *first, int32_t stride, int32_t n)
{
    int32_t highest = 0;

    for (int32_t k = 0; k < n; k++)
        highest = first[(ptrdiff_t)k * stride] > highest ? first[(ptrdiff_t)k * stride] : highest;
    return highest;
}

static double mass_of_type(const AmphiSnapshot *s, int32_t type)
{
    if (s->type_mass_u != NULL)
        return s->type_mass_u[type - 1];
    for (int32_t i = 0; i < s->n_beads; i++)
        if (s->type[i] == type)
            return s->mass_u[i];
    return 1; /* a number that no bead bears; LAMMPS wants a mass for it all the same */
}

static void dipole_of(const AmphiSnapshot *s, int32_t i, double dipole[3])
{
    if (s->dipole_e_nm != NULL)
        memcpy(dipole, s->dipole_e_nm[i], 3 * sizeof *dipole);
    else
        amphi_turn(s->orientation[i], (const double[3]){ 0, 0, s->dipole_strength_e_nm[i] },
                   dipole);
}

static const double *inertia_of(const AmphiSnapshot *s, int32_t i)
{
    return s->type_inertia_u_nm2 == NULL ? NULL : s->type_inertia_u_nm2[s->type[i] - 1];
}

/* Given, or from body-frame angular momentum and moments; else at rest. */
static void angular_velocity_of(const AmphiSnapshot *s, int32_t i, double w[3])
{
    const double *const inertia = inertia_of(s, i);
    double              body[3] = { 0 };

    memset(w, 0, 3 * sizeof *w);
    if (s->angular_velocity_rad_ps != NULL) {
        memcpy(w, s->angular_velocity_rad_ps[i], 3 * sizeof *w);
        return;
    }
    if (s->spin_u_nm2_ps == NULL || s->orientation == NULL || inertia == NULL)
        return;
    for (int k = 0; k < 3; k++)
        body[k] = inertia[k] > 0 ? s->spin_u_nm2_ps[i][k] / inertia[k] : 0;
    amphi_turn(s->orientation[i], body, w);
}

static double diameter_of(const AmphiSnapshot *s, int32_t i)
{
    const double *const inertia = inertia_of(s, i);

    if (s->diameter_nm != NULL)
        return s->diameter_nm[i];
    return inertia == NULL ? 0 : sqrt(10 * inertia[0] / s->mass_u[i]);
}

static void write_numbers(AmphiSink *out, const double *value, int n, double factor, int64_t bead)
{
    for (int k = 0; k < n; k++) {
        const double scaled = factor * value[k];
        if (!isfinite(scaled))
            amphi_sink_fail(out, AMPHI_BAD_INPUT, "%s: a number of bead %lld is not finite",
                            out->path, (long long)bead + 1);
        amphi_sink_print(out, " %.17g", scaled);
    }
}

static void write_mass(AmphiSink *out, const AmphiSnapshot *s, int32_t type)
{
    amphi_sink_print(out, "%d %.17g", type, mass_of_type(s, type));
    if (s->type_name != NULL && s->type_name[type - 1].text[0] != '\0') {
        amphi_sink_print(out, " # ");
        amphi_sink_text(out, s->type_name[type - 1].text);
    }
    amphi_sink_print(out, "\n");
}

static void write_header(AmphiSink *out, const AmphiSnapshot *s)
{
    const int32_t n_types      = s->n_types > 0 ? s->n_types : highest_type(s->type, 1, s->n_beads);
    const int32_t n_bond_types = s->n_bonds == 0 ? 0 : highest_type(s->bond[0], 3, s->n_bonds);
    const int32_t n_angle_types = s->n_angles == 0 ? 0 : highest_type(s->angle[0], 4, s->n_angles);

    amphi_sink_text(out, s->title == NULL || s->title[0] == '\0' ? "amphi" : s->title);
    amphi_sink_print(out,
                     "\n\n%d atoms\n%d atom types\n%d bonds\n%d bond types\n%d angles\n"
                     "%d angle types\n\n",
                     s->n_beads, n_types, s->n_bonds, n_bond_types, s->n_angles, n_angle_types);
    for (int k = 0; k < 3; k++)
        amphi_sink_print(out, "0 %.17g %clo %chi\n", 10 * s->box_nm[k], 'x' + k, 'x' + k);
    amphi_sink_print(out, "\nMasses\n\n");
    for (int32_t t = 1; t <= n_types; t++)
        write_mass(out, s, t);
}

static void write_beads(AmphiSink *out, const AmphiSnapshot *s)
{
    amphi_sink_print(out, "\nAtoms # hybrid\n\n");
    for (int32_t i = 0; i < s->n_beads; i++) {
        const double diameter = 10 * diameter_of(s, i);
        const double volume   = PI / 6 * diameter * diameter * diameter;
        const double density  = diameter > 0 ? s->mass_u[i] / volume : s->mass_u[i];
        double       dipole[3];

        dipole_of(s, i, dipole);
        amphi_sink_print(out, "%d %d", i + 1, s->type[i]);
        write_numbers(out, s->position_nm[i], 3, 10, i);
        amphi_sink_print(out, " %d", s->molecule == NULL ? 0 : s->molecule[i]);
        write_numbers(out, &s->charge_e[i], 1, 1, i);
        write_numbers(out, dipole, 3, 10, i);
        write_numbers(out, &diameter, 1, 1, i);
        write_numbers(out, &density, 1, 1, i);
        amphi_sink_print(out, " 0 0 0\n");
    }
}

static void write_velocities(AmphiSink *out, const AmphiSnapshot *s)
{
    if (s->velocity_nm_ps == NULL)
        return;
    amphi_sink_print(out, "\nVelocities\n\n");
    for (int32_t i = 0; i < s->n_beads; i++) {
        double w[3];

        angular_velocity_of(s, i, w);
        amphi_sink_print(out, "%d", i + 1);
        write_numbers(out, s->velocity_nm_ps[i], 3, 0.01, i);
        write_numbers(out, w, 3, 0.001, i);
        amphi_sink_print(out, "\n");
    }
}

static void write_bonds(AmphiSink *out, const AmphiSnapshot *s)
{
    if (s->n_bonds > 0)
        amphi_sink_print(out, "\nBonds\n\n");
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const int32_t *const b = s->bond[k];
        if (b[0] < 1)
            amphi_sink_fail(out, AMPHI_BAD_INPUT, "%s: bond %lld has no type", out->path,
                            (long long)k + 1);
        amphi_sink_print(out, "%d %d %d %d\n", k + 1, b[0], b[1] + 1, b[2] + 1);
    }
}

/* The first two beads that a bead is bonded to; -1: none. */
typedef struct {
    int32_t bead[2];
} Partners;

static void add_partner(Partners *of, int32_t bead)
{
    if (of->bead[0] < 0)
        of->bead[0] = bead;
    else if (of->bead[1] < 0 && of->bead[0] != bead)
        of->bead[1] = bead;
}

/* [n_beads]; NULL without memory. */
static Partners *find_partners(const AmphiSnapshot *s)
{
    Partners *const of = amphi_alloc(s->n_beads, sizeof *of);

    if (of == NULL)
        return NULL;
    memset(of, 0xff, (size_t)s->n_beads * sizeof *of);
    for (int32_t k = 0; k < s->n_bonds; k++) {
        add_partner(&of[s->bond[k][1]], s->bond[k][2]);
        add_partner(&of[s->bond[k][2]], s->bond[k][1]);
    }
    return of;
}

/* The bead without meaning: one that is bonded to i or to j, because LAMMPS, spread over several
 * processors, looks for it near them. A molecule of two beads has none and borrows the next bead of
 * the file; only a system of two beads stays without. */
static int32_t third_bead(const AmphiSnapshot *s, const Partners *of, int32_t i, int32_t j)
{
    const int32_t found[] = { of[i].bead[0], of[i].bead[1], of[j].bead[0], of[j].bead[1],
                              i + 1,         i + 2,         i - 1,         i - 2 };

    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        if (found[k] >= 0 && found[k] < s->n_beads && found[k] != i && found[k] != j)
            return found[k];
    return j;
}

static void write_angles(AmphiSink *out, const AmphiSnapshot *s)
{
    Partners *const of = find_partners(s);

    if (of == NULL)
        amphi_sink_fail(out, AMPHI_NO_MEMORY, "%s: no memory for the bonds", out->path);
    if (s->n_angles > 0)
        amphi_sink_print(out, "\nAngles\n\n");
    for (int32_t k = 0; of != NULL && k < s->n_angles; k++) {
        const int32_t *const a    = s->angle[k];
        const int32_t        last = a[3] == a[2] ? third_bead(s, of, a[1], a[2]) : a[3];

        if (a[0] < 1)
            amphi_sink_fail(out, AMPHI_BAD_INPUT, "%s: angle %lld has no type", out->path,
                            (long long)k + 1);
        amphi_sink_print(out, "%d %d %d %d %d\n", k + 1, a[0], a[1] + 1, a[2] + 1, last + 1);
    }
    amphi_release(of);
}

AmphiStatus amphi_lammps_write(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    const uint32_t missing = amphi_format_find("lammps-data")->needs & ~amphi_snapshot_has(s);
    AmphiSink      out;

    if (missing != 0)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%s: LAMMPS data need positions, box, types, charges, masses and dipoles",
                          path);
    amphi_sink_open(&out, path);
    write_header(&out, s);
    write_beads(&out, s);
    write_velocities(&out, s);
    write_bonds(&out, s);
    write_angles(&out, s);
    return amphi_sink_close(&out, err);
}
