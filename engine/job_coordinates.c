/* A start from a coordinate file: checks that the file contains the molecules of the job in the
 * same order (its residues: job_residues.c), and takes over its positions, orientations,
 * velocities, charges and dipoles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/snapshot.h"
#include "job_start.h"

/* Counts. */

/* "128 DMPC of 13 beads and 4224 water of 1 bead" */
static const char *composition(AmphiReader *r)
{
    const char *out = "";

    for (int32_t k = 0; k < r->n_portions && k < 12 && out != NULL; k++) {
        const AmphiMoleculeType *m = &r->system->molecule_type[r->portion[k].molecule_type];

        out =
            amphi_arena_print(r->arena, "%s%s%d %s of %d bead%s", out, k > 0 ? " and " : "",
                              r->portion[k].count, m->name, m->n_beads, m->n_beads == 1 ? "" : "s");
    }
    return out != NULL ? out : "";
}

static bool check_count(AmphiReader *r, const AmphiXml *xml, const AmphiSnapshot *snap)
{
    if (snap->n_beads == r->system->n_beads)
        return true;
    amphi_note(r->notes, COUNT_DIFFERS, xml->where, composition(r),
               amphi_reader_digits(r, r->system->n_beads), snap->path,
               amphi_reader_digits(r, snap->n_beads), amphi_reader_parting(r, snap));
    return false;
}

/* Names and types. */

/* Different names of beads are a warning, not an error: other programs have names of their own. */
static void check_names(AmphiReader *r, const AmphiSnapshot *snap)
{
    const AmphiSystem *s     = r->system;
    int32_t            first = -1, n = 0;
    const char        *wanted = "";

    for (int32_t i = 0; snap->bead_name != NULL && i < s->n_beads; i++) {
        const AmphiMolecule     *m    = &s->molecule[s->bead_molecule[i]];
        const AmphiMoleculeType *t    = &s->molecule_type[m->type];
        const char              *name = t->bead_name[i - m->first_bead];

        if (amphi_names_agree(name, snap->bead_name[i].text))
            continue;
        if (first < 0) {
            first  = i;
            wanted = name;
        }
        n++;
    }
    if (first >= 0)
        amphi_note(r->notes, NAMES_DIFFER, amphi_bead_line(snap, first),
                   amphi_reader_digits(r, first + 1), snap->bead_name[first].text, wanted,
                   amphi_reader_digits(r, n));
}

/* Every type number of the file must stand for one bead type of ours. */
static bool check_types(AmphiReader *r, const AmphiSnapshot *snap)
{
    enum { KNOWN = 256 };
    const AmphiSystem *s = r->system;
    int32_t            ours[KNOWN];

    memset(ours, 0xff, sizeof ours);
    for (int32_t i = 0; snap->type != NULL && i < s->n_beads; i++) {
        const int32_t t = snap->type[i];

        if (t < 0 || t >= KNOWN)
            continue;
        if (ours[t] >= 0 && ours[t] != s->bead_type[i]) {
            amphi_note(r->notes, TYPES_DIFFER, amphi_bead_line(snap, i),
                       amphi_reader_digits(r, i + 1), amphi_reader_digits(r, t),
                       s->type[s->bead_type[i]].name, s->type[ours[t]].name);
            return false;
        }
        ours[t] = s->bead_type[i];
    }
    return true;
}

/* Bonds. A bonded term as a key: its beads in a canonical order, filled up with -1. */

typedef struct {
    int32_t bead[3];
} Key;

static int compare_keys(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(Key));
}

static Key key_of(int32_t a, int32_t b, int32_t c)
{
    return (Key){ { a < c ? a : c, b, a < c ? c : a } };
}

static Key pair_key(int32_t a, int32_t b)
{
    return (Key){ { a < b ? a : b, a < b ? b : a, -1 } };
}

static Key restraint_key(int32_t dipole, int32_t reference)
{
    return (Key){ { dipole, reference, -2 } };
}

/* The keys of the job's bonds (or else its angles and restraints), sorted. */
static Key *our_keys(AmphiReader *r, bool bonds, int32_t *n)
{
    const AmphiSystem *s         = r->system;
    const int32_t      restraint = amphi_spec_find("orientation", "dipole-restraint")->kind;
    const int32_t      axis      = amphi_spec_find("orientation", "bond-axis")->kind;
    const int32_t      place     = amphi_spec_find("restrain", "position")->kind;
    Key               *out       = AMPHI_TAKE(r->arena, Key, s->n_bonds);

    *n = 0;
    for (int32_t k = 0; out != NULL && k < s->n_bonds; k++) {
        const int32_t *b       = s->bond[k].bead;
        const int32_t  kind    = s->bond_rule[s->bond[k].rule].kind;
        const bool     is_bond = amphi_potential_is_bond(amphi_potential_of_kind(kind, true));

        if (is_bond != bonds || kind == axis || kind == place) /* no file has those two */
            continue;
        if (is_bond)
            out[(*n)++] = pair_key(b[0], b[1]);
        else if (kind == restraint)
            out[(*n)++] = restraint_key(b[0], b[1]);
        else
            out[(*n)++] = key_of(b[0], b[1], b[2]);
    }
    if (out != NULL)
        qsort(out, (size_t)*n, sizeof *out, compare_keys);
    return out;
}

static bool has_key(const Key *keys, int32_t n, Key key)
{
    return n > 0 && bsearch(&key, keys, (size_t)n, sizeof key, compare_keys) != NULL;
}

static void note_bond(AmphiReader *r, const AmphiSnapshot *snap, const char *what, Key key,
                      const char *where)
{
    const char *beads = key.bead[2] < 0
                            ? amphi_arena_print(r->arena, "%d %d", key.bead[0] + 1, key.bead[1] + 1)
                            : amphi_arena_print(r->arena, "%d %d %d", key.bead[0] + 1,
                                                key.bead[1] + 1, key.bead[2] + 1);

    if (beads != NULL)
        amphi_note(r->notes, BONDS_DIFFER, ((AmphiWhere){ snap->path, 0 }), what, beads, where);
}

/* Both lists must be the same set: the first difference of either kind is told. */
static void compare_sets(AmphiReader *r, const AmphiSnapshot *snap, const char *what,
                         const Key *ours, int32_t n_ours, const Key *theirs, int32_t n_theirs)
{
    for (int32_t k = 0; k < n_theirs; k++)
        if (!has_key(ours, n_ours, theirs[k])) {
            note_bond(r, snap, what, theirs[k], "is in the file, but not in the molecule types");
            break;
        }
    for (int32_t k = 0; k < n_ours; k++)
        if (!has_key(theirs, n_theirs, ours[k])) {
            note_bond(r, snap, what, ours[k], "of the molecule types is not in the file");
            break;
        }
}

static void check_bonds(AmphiReader *r, const AmphiSnapshot *snap)
{
    int32_t n_ours;
    Key    *ours   = our_keys(r, true, &n_ours);
    Key    *theirs = AMPHI_TAKE(r->arena, Key, snap->n_bonds);

    if (ours == NULL || theirs == NULL)
        return;
    for (int32_t k = 0; k < snap->n_bonds; k++)
        theirs[k] = pair_key(snap->bond[k][1], snap->bond[k][2]);
    qsort(theirs, (size_t)snap->n_bonds, sizeof *theirs, compare_keys);
    compare_sets(r, snap, "bond", ours, n_ours, theirs, snap->n_bonds);
}

/* Dipole restraints stand among the angles, as i j j or with a third bead that has no meaning: what
 * can be either stands for both. Returns the number of keys. */
static int32_t their_angles(const AmphiSnapshot *snap, const Key *ours, int32_t n_ours, Key *out)
{
    int32_t n = 0;

    for (int32_t k = 0; k < snap->n_angles; k++) {
        const int32_t *a            = snap->angle[k];
        const Key      angle        = key_of(a[1], a[2], a[3]);
        const Key      restraint    = restraint_key(a[1], a[2]);
        const bool     is_restraint = a[2] == a[3] || has_key(ours, n_ours, restraint);

        if (is_restraint)
            out[n++] = restraint;
        if (!is_restraint || has_key(ours, n_ours, angle))
            out[n++] = angle;
    }
    return n;
}

static void check_angles(AmphiReader *r, const AmphiSnapshot *snap)
{
    int32_t n_ours, n_theirs;
    Key    *ours   = our_keys(r, false, &n_ours);
    Key    *theirs = AMPHI_TAKE(r->arena, Key, 2 * (int64_t)snap->n_angles);

    if (ours == NULL || theirs == NULL)
        return;
    n_theirs = their_angles(snap, ours, n_ours, theirs);
    qsort(theirs, (size_t)n_theirs, sizeof *theirs, compare_keys);
    compare_sets(r, snap, "angle", ours, n_ours, theirs, n_theirs);
}

/* Masses and strengths. */

static void compare_masses(AmphiReader *r, const AmphiSnapshot *snap)
{
    const AmphiSystem *s     = r->system;
    int32_t            worst = -1;
    double             most  = 1e-6;

    for (int32_t i = 0; snap->mass_u != NULL && i < s->n_beads; i++) {
        const double mass = s->type[s->bead_type[i]].mass_u;
        const double off  = fabs(snap->mass_u[i] / mass - 1);

        if (off > most) {
            most  = off;
            worst = i;
        }
    }
    if (worst >= 0) {
        const AmphiBeadType *type   = &s->type[s->bead_type[worst]];
        const char          *ours   = amphi_arena_print(r->arena, "%g u", type->mass_u);
        const char          *theirs = amphi_arena_print(r->arena, "%g u", snap->mass_u[worst]);

        if (ours != NULL && theirs != NULL)
            amphi_note(r->notes, MASSES_DIFFER, amphi_bead_line(snap, worst), type->name, ours,
                       theirs);
    }
}

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double dipole_in_file(const AmphiSnapshot *snap, int32_t bead)
{
    if (snap->dipole_strength_e_nm != NULL)
        return snap->dipole_strength_e_nm[bead];
    return length3(snap->dipole_e_nm[bead]);
}

static void use_strengths(AmphiReader *r, const AmphiSnapshot *snap)
{
    for (int32_t i = 0; i < r->system->n_beads; i++) {
        r->charge[i] = snap->charge_e[i];
        r->dipole[i] = dipole_in_file(snap, i);
    }
}

static void compare_strengths(AmphiReader *r, const AmphiSnapshot *snap)
{
    double  charge = 0, dipole = 0;
    int32_t worst[2] = { 0, 0 };

    for (int32_t i = 0; i < r->system->n_beads; i++) {
        const double off_q = fabs(snap->charge_e[i] - r->charge[i]);
        const double off_p = fabs(dipole_in_file(snap, i) - r->dipole[i]);

        worst[0] = off_q > charge ? i : worst[0];
        worst[1] = off_p > dipole ? i : worst[1];
        charge   = fmax(charge, off_q);
        dipole   = fmax(dipole, off_p);
    }
    if (charge > 1e-12) {
        const char *what = amphi_arena_print(r->arena, "charges differ by up to %.3g e", charge);

        if (what != NULL)
            amphi_note(r->notes, STRENGTHS_DIFFER, amphi_bead_line(snap, worst[0]), what,
                       amphi_reader_digits(r, worst[0] + 1));
    }
    if (dipole > 1e-12) {
        const char *what = amphi_arena_print(r->arena, "dipoles differ by up to %.3g e nm", dipole);

        if (what != NULL)
            amphi_note(r->notes, STRENGTHS_DIFFER, amphi_bead_line(snap, worst[1]), what,
                       amphi_reader_digits(r, worst[1] + 1));
    }
}

static void read_strengths(AmphiReader *r, const AmphiXml *xml, const AmphiSnapshot *snap)
{
    const bool has_dipoles = snap->dipole_e_nm != NULL || snap->dipole_strength_e_nm != NULL;
    const bool from_file   = amphi_xml_choice(xml, "dipoles") == 0;

    if (from_file && (!has_dipoles || snap->charge_e == NULL))
        amphi_xml_note(r->notes, NO_STRENGTHS, xml, "dipoles", snap->path);
    else if (from_file)
        use_strengths(r, snap);
    else if (has_dipoles && snap->charge_e != NULL)
        compare_strengths(r, snap);
}

/* Positions and what turns. */

/* The shortest rotation from body z to a dipole's direction; straight down: half a turn about x. */
static void quaternion_to(const double dipole[3], double q[4])
{
    const double length = length3(dipole);
    const double u[3]   = { dipole[0] / length, dipole[1] / length, dipole[2] / length };
    const double w      = sqrt(0.5 * (1 + u[2]));

    if (u[2] >= 0) {
        const double half = 0.5 / w;

        memcpy(q, (const double[4]){ w, -u[1] * half, u[0] * half, 0 }, 4 * sizeof *q);
        return;
    }
    /* below the equator the sum above loses digits: build the sine first */
    const double s    = sqrt(0.5 * (1 - u[2]));
    const double flat = sqrt(u[0] * u[0] + u[1] * u[1]);

    if (flat > 0)
        memcpy(q, (const double[4]){ 0.5 * flat / s, -u[1] / flat * s, u[0] / flat * s, 0 },
               4 * sizeof *q);
    else
        memcpy(q, (const double[4]){ 0, 1, 0, 0 }, 4 * sizeof *q);
}

/* How a top is turned about its dipole no file of dipoles tells: nothing is known to be wrong, but
 * with terms that read whole orientations (SSD's sticky one) it is another start. */
static void note_tops(AmphiReader *r, const AmphiSnapshot *snap)
{
    int32_t first = -1, n = 0;

    for (int32_t i = 0; i < r->system->n_beads; i++) {
        if (!r->is_oriented[i] || r->system->type[r->system->bead_type[i]].rotor != AMPHI_TOP)
            continue;
        first = first < 0 ? i : first;
        n++;
    }
    if (first >= 0)
        amphi_note(r->notes, TURN_UNKNOWN, amphi_bead_line(snap, first), amphi_reader_digits(r, n),
                   r->system->type[r->system->bead_type[first]].name);
}

static void use_orientations(AmphiReader *r, const AmphiSnapshot *snap)
{
    if (snap->orientation != NULL) {
        memcpy(r->orientation, snap->orientation,
               (size_t)r->system->n_beads * sizeof *r->orientation);
        r->has_orientations = true;
        return;
    }
    if (snap->dipole_e_nm == NULL)
        return;
    r->has_orientations = true;
    for (int32_t i = 0; i < r->system->n_beads; i++) {
        const AmphiBeadType *type = &r->system->type[r->system->bead_type[i]];

        r->is_oriented[i] = length3(snap->dipole_e_nm[i]) > 0;
        if (r->is_oriented[i])
            quaternion_to(snap->dipole_e_nm[i], r->orientation[i]);
        else if (type->rotor != AMPHI_POINT)
            r->has_orientations = false; /* the file does not give this axis */
    }
    note_tops(r, snap);
}

/* Spin about body axes from an angular velocity in space: l_k = I_k (A omega)_k. */
static void spin_of(const AmphiBeadType *type, const double q[4], const double omega[3],
                    double spin[3])
{
    const double back[3] = { -q[1], -q[2], -q[3] };
    double       t[3], body[3];

    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;

        t[a] = 2 * (back[b] * omega[c] - back[c] * omega[b]);
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;

        body[a] = omega[a] + q[0] * t[a] + back[b] * t[c] - back[c] * t[b];
        spin[a] = type->inertia_u_nm2[a] * body[a];
    }
}

/* Files of most programs know of no rotation. */
static void check_spins(AmphiReader *r, const AmphiXml *xml, const AmphiSnapshot *snap)
{
    const AmphiXml *start = amphi_xml_child(amphi_xml_child(r->root, "system"), "start");
    bool            turns = false;

    for (int32_t t = 0; t < r->system->n_types; t++)
        turns = turns || r->system->type[t].rotor != AMPHI_POINT;
    if (turns && snap->velocity_nm_ps != NULL && snap->spin_u_nm2_ps == NULL &&
        snap->angular_velocity_rad_ps == NULL && amphi_xml_child(start, "velocities") == NULL)
        amphi_xml_note(r->notes, ROTATION_AT_REST, xml, "file", NULL);
}

static void use_motion(AmphiReader *r, const AmphiSnapshot *snap)
{
    const AmphiSystem *s = r->system;

    if (snap->velocity_nm_ps != NULL) {
        memcpy(r->velocity, snap->velocity_nm_ps, (size_t)s->n_beads * sizeof *r->velocity);
        r->has_velocities = true;
    }
    if (snap->spin_u_nm2_ps != NULL)
        memcpy(r->spin, snap->spin_u_nm2_ps, (size_t)s->n_beads * sizeof *r->spin);
    else
        r->angular_velocity = (const double(*)[3])snap->angular_velocity_rad_ps;
}

void amphi_reader_spins(AmphiReader *r)
{
    const AmphiSystem *s = r->system;

    for (int32_t i = 0; r->angular_velocity != NULL && i < s->n_beads; i++)
        spin_of(&s->type[s->bead_type[i]], r->orientation[i], r->angular_velocity[i], r->spin[i]);
}

static void use_box(AmphiReader *r, const AmphiXml *xml, const AmphiSnapshot *snap)
{
    static const char *const edge[] = { "x", "y", "z" };

    if (!snap->has_box && !r->has_box)
        amphi_note(r->notes, NO_BOX, xml->where, snap->path);
    if (!snap->has_box)
        return;
    for (int a = 0; a < 3 && r->has_box; a++)
        if (fabs(snap->box_nm[a] - r->system->box_nm[a]) > 1e-4) {
            const char *theirs = amphi_arena_print(r->arena, "%.6g nm", snap->box_nm[a]);

            amphi_xml_note(r->notes, BOX_DIFFERS, r->box_xml, edge[a], snap->path,
                           theirs != NULL ? theirs : "");
        }
    if (!r->has_box)
        memcpy(r->system->box_nm, snap->box_nm, sizeof r->system->box_nm);
    r->has_box = true;
}

/* LAMMPS data list all bonds and angles, or say that there are none; PDB (CONECT) has no angles. */
static bool has_topology(const AmphiSnapshot *snap)
{
    return snap->dipole_e_nm != NULL;
}

const char *amphi_reader_molecules_of(AmphiReader *r, const AmphiXml *xml)
{
    const char          *path = amphi_reader_resolve(r, xml, "file");
    const AmphiSnapshot *snap = NULL;

    if (path != NULL)
        snap = amphi_snapshot_read(path, amphi_xml_text(xml, "format"), r->arena, xml->where,
                                   r->notes);
    return snap != NULL ? amphi_reader_residues(r, snap) : "";
}

void amphi_reader_coordinates(AmphiReader *r, const AmphiXml *xml)
{
    const char          *path   = amphi_reader_resolve(r, xml, "file");
    const char          *format = amphi_xml_text(xml, "format");
    const AmphiSnapshot *snap;

    if (path == NULL)
        return;
    snap = amphi_snapshot_read(path, format, r->arena, xml->where, r->notes);
    if (snap == NULL)
        return;
    amphi_reader_record(r, path);
    if (snap->position_nm == NULL) {
        amphi_xml_note(r->notes, NO_POSITIONS, xml, "file", NULL);
        return;
    }
    if (!check_count(r, xml, snap) || !amphi_reader_check_residues(r, snap) ||
        !check_types(r, snap))
        return;
    check_names(r, snap);
    if (snap->n_frames > 1)
        amphi_xml_note(r->notes, SEVERAL_FRAMES, xml, "file",
                       amphi_reader_digits(r, snap->n_frames));
    if (snap->bond != NULL || has_topology(snap))
        check_bonds(r, snap);
    if (snap->angle != NULL || has_topology(snap))
        check_angles(r, snap);
    compare_masses(r, snap);
    use_box(r, xml, snap);
    memcpy(r->position, snap->position_nm, (size_t)r->system->n_beads * sizeof *r->position);
    use_orientations(r, snap);
    use_motion(r, snap);
    check_spins(r, xml, snap);
    read_strengths(r, xml, snap);
}
