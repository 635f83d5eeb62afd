/* Checks that concern several parts of a system, and the names of its beads in messages. */
#include "system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../forcefield/spec.h"
#include "build_contact.h"
#include "build_space.h"
#include "overlap.h"
#include "reader.h"

/* Two beads nearer than this fraction of sigma are an error, below the second one a warning. */
static const double overlap_error = 0.1, overlap_doubt = 0.5;

const char *amphi_system_bead(const AmphiSystem *s, int32_t bead, char *text, size_t size)
{
    const int32_t            which = s->bead_molecule[bead];
    const AmphiMoleculeType *m     = &s->molecule_type[s->molecule[which].type];
    int32_t                  k     = which;

    while (k > 0 && s->molecule[k - 1].type == s->molecule[which].type)
        k--;
    if (m->n_beads == 1)
        snprintf(text, size, "%s %d", m->name, which - k + 1);
    else
        snprintf(text, size, "%s %d bead %s", m->name, which - k + 1,
                 m->bead_name[bead - s->molecule[which].first_bead]);
    return text;
}

void amphi_system_freedom(const AmphiSystem *s, int64_t freedom[2])
{
    freedom[0] = 3 * (int64_t)s->n_beads;
    freedom[1] = 0;
    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiRotor rotor = s->type[s->bead_type[i]].rotor;

        freedom[1] += rotor == AMPHI_POINT ? 0 : rotor == AMPHI_LINEAR_ROTOR ? 2 : 3;
    }
}

static int find_shortest(const double box_nm[3])
{
    int shortest = 0;

    for (int a = 1; a < 3; a++)
        if (box_nm[a] < box_nm[shortest])
            shortest = a;
    return shortest;
}

bool amphi_system_fits(const AmphiSystem *s, const double box_nm[3])
{
    for (int a = 0; a < 3; a++)
        if (!(2 * s->cutoff_nm <= box_nm[a] * (1 + 1e-12)))
            return false;
    return true;
}

AmphiStatus amphi_system_check_box(const AmphiSystem *s, const double box_nm[3], AmphiError *err)
{
    const int a = find_shortest(box_nm);

    if (amphi_system_fits(s, box_nm))
        return AMPHI_OK;
    if (!isfinite(box_nm[0] + box_nm[1] + box_nm[2]))
        return amphi_fail(err, AMPHI_UNSTABLE, "the box is not finite");
    return amphi_fail(err, AMPHI_UNSTABLE,
                      "the box edge %c, %.6g nm, is shorter than twice the cut-off, %.4g nm",
                      'x' + a, box_nm[a], s->cutoff_nm);
}

/* is_built: its edges follow from what it has. */
static void check_box(const AmphiSystem *s, bool is_built, AmphiWhere where, AmphiNotes *notes)
{
    const double shortest = s->box_nm[find_shortest(s->box_nm)];
    char         cutoff[32], half[32];

    if (amphi_system_fits(s, s->box_nm))
        return;
    snprintf(cutoff, sizeof cutoff, "%.6g nm", s->cutoff_nm);
    snprintf(half, sizeof half, "%.6g nm", 0.5 * shortest);
    amphi_note(notes, BOX_TOO_SMALL, where, cutoff, half,
               is_built ? "more lipids, molecules or water" : "a larger box");
}

/* Records of pairs have positions as parts of 2^32 of an edge. Parts of 1e-5 nm change a repulsion
 * that goes as r^-13 at 0.3 nm by 4e-4; a slip like mm for nm is far beyond. */
static void check_parts(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    static const double coarse_nm  = 1e-5;
    const double        longest_nm = fmax(fmax(s->box_nm[0], s->box_nm[1]), s->box_nm[2]);
    const double        part_nm    = longest_nm * 0x1p-32;
    char                edge[32], part[32];

    if (!(part_nm > coarse_nm))
        return;
    snprintf(edge, sizeof edge, "%.6g nm", longest_nm);
    snprintf(part, sizeof part, "%.2g nm", part_nm);
    amphi_note(notes, BOX_IS_COARSE, where, edge, part);
}

/* Of a rule, 0 if it is of no bond. */
static double rest_nm(const AmphiBondRule *rule)
{
    const AmphiPotential *p = amphi_potential_of_kind(rule->kind, true);

    return amphi_potential_is_bond(p) ? amphi_field_value(p, rule->field, "length") : 0;
}

/* Rules of molecules that the system does not have do no harm. */
static bool has_bond_of(const AmphiSystem *s, int32_t rule)
{
    for (int32_t k = 0; k < s->n_bonds; k++)
        if (s->bond[k].rule == rule)
            return true;
    return false;
}

/* The first bond that would pull at another image. */
static void check_bonds(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    const double half_nm = 0.5 * s->box_nm[find_shortest(s->box_nm)];
    char         rest[32], half[32];

    for (int32_t k = 0; k < s->n_bond_rules; k++) {
        const double length_nm = rest_nm(&s->bond_rule[k]);

        if (length_nm <= half_nm || !has_bond_of(s, k))
            continue;
        snprintf(rest, sizeof rest, "%.6g nm", length_nm);
        snprintf(half, sizeof half, "%.6g nm", half_nm);
        amphi_note(notes, BOND_TOO_LONG, where, rest, half);
        return;
    }
}

/* The furthest in nm that the energy of a term is least at; 0: it has no core. The minimum of
 * Lennard-Jones is at 2^(1/6) sigma, that of Gay-Berne where its rho is 2^(1/6) (Gay & Berne, 1981;
 * forcefield/pair_gay_berne.h). */
static double furthest_minimum(const AmphiPairTerm *term, double sigma_nm)
{
    const AmphiPotential *const p = amphi_potential_of_kind(term->kind, false);

    if (p == NULL || (p->slot != AMPHI_LJ && p->slot != AMPHI_GAY_BERNE) || !(term->field[0] > 0))
        return 0;
    if (p->slot == AMPHI_LJ)
        return exp2(1.0 / 6) * sigma_nm;

    const AmphiContact c = amphi_contact_of_ellipsoids(p, term->field);

    return c.widest_nm +
           amphi_field_value(p, term->field, "width") * c.sigma_nm * (exp2(1.0 / 6) - 1);
}

/* The term of a rule that is cut off before its minimum; NULL: none is. */
static const AmphiPairTerm *cut_in_core(const AmphiPairRule *rule, double *least_nm)
{
    for (int32_t k = 0; k < rule->n_terms; k++) {
        *least_nm = furthest_minimum(&rule->term[k], rule->sigma_nm);
        if (rule->term[k].treatment.cutoff_nm < *least_nm * (1 - 1e-6))
            return &rule->term[k];
    }
    return NULL;
}

/* Beads that repel each other alone, cut off at the minimum, 2^(1/6) sigma, are a model; before
 * that the force is cut off where it pushes. The first such pair is named. */
static void check_cores(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    int32_t n = 0;
    char    pair[128], cutoff[32], minimum[32], count[16];

    for (int32_t k = 0; k < s->n_types * s->n_types; k++) {
        double                     least_nm = 0;
        const AmphiPairTerm *const term     = cut_in_core(&s->pair_rule[k], &least_nm);

        if (k % s->n_types < k / s->n_types || term == NULL || n++ > 0)
            continue;
        snprintf(pair, sizeof pair, "%.60s %.60s", s->type[k / s->n_types].name,
                 s->type[k % s->n_types].name);
        snprintf(cutoff, sizeof cutoff, "%.4g nm", term->treatment.cutoff_nm);
        snprintf(minimum, sizeof minimum, "%.4g nm", least_nm);
    }
    if (n == 0)
        return;
    snprintf(count, sizeof count, "%d", n);
    amphi_note(notes, CUTOFF_IN_CORE, where, pair, cutoff, minimum, count);
}

static void check_charge(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    double sum = 0;
    char   text[32];

    for (int32_t i = 0; i < s->n_beads; i++)
        sum += s->bead_charge_e[i];
    if (fabs(sum) < 1e-6)
        return;
    snprintf(text, sizeof text, "%+.6g e", sum);
    amphi_note(notes, NET_CHARGE, where, text);
}

static void check_dipoles(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiBeadType *type = &s->type[s->bead_type[i]];
        char                 name[96];

        if (s->bead_dipole_e_nm[i] == 0 || type->rotor != AMPHI_POINT)
            continue;
        amphi_note(notes, DIPOLE_ON_POINT, where, amphi_system_bead(s, i, name, sizeof name),
                   type->name);
        return;
    }
}

static AmphiStatus check_overlaps(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    AmphiClosest closest;
    char         first[96], second[96], distance[32], sigma[32];

    AMPHI_TRY(amphi_closest_pair(s, &closest, NULL));
    if (closest.bead[0] < 0 || closest.distance_nm >= overlap_doubt * closest.sigma_nm)
        return AMPHI_OK;
    amphi_system_bead(s, closest.bead[0], first, sizeof first);
    amphi_system_bead(s, closest.bead[1], second, sizeof second);
    snprintf(distance, sizeof distance, "%.4g nm", closest.distance_nm);
    snprintf(sigma, sizeof sigma, "%.4g nm", closest.sigma_nm);
    if (closest.distance_nm < overlap_error * closest.sigma_nm)
        amphi_note(notes, OVERLAP, where, first, second, distance, sigma);
    else
        amphi_note(notes, CLOSE_BEADS, where, first, second, distance, sigma);
    return AMPHI_OK;
}

/* Beads of a bond that are in one place have no direction for its force; a descent does not part
 * them. Pairs that are excluded are in no search for overlaps. */
static void check_bonded_places(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    static const double one_place_nm = 1e-6;

    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBond *const      bond = &s->bond[k];
        const AmphiPotential *const p =
            amphi_potential_of_kind(s->bond_rule[bond->rule].kind, true);
        char   first[96], second[96];
        double d[3];

        if (!amphi_potential_is_bond(p))
            continue;
        amphi_nearest_image(s->position_nm[bond->bead[0]], s->position_nm[bond->bead[1]], s->box_nm,
                            d);
        if (amphi_dot(d, d) >= one_place_nm * one_place_nm)
            continue;
        amphi_note(notes, BONDED_IN_ONE, where, amphi_system_bead(s, bond->bead[0], first, 96),
                   amphi_system_bead(s, bond->bead[1], second, 96));
        return;
    }
}

/* As for numbers in XML: products of a few of them stay finite. */
static const double max_size = 1e12;

/* The first number of a bead that is too large, by name; NULL: none. */
static const char *find_excess(const AmphiSystem *s, int32_t i, double *value)
{
    const struct {
        const char *name;
        double      value;
    } number[] = {
        { "charge in e", s->bead_charge_e[i] },
        { "dipole in e nm", s->bead_dipole_e_nm[i] },
        { "velocity in nm/ps", s->velocity_nm_ps[i][0] },
        { "velocity in nm/ps", s->velocity_nm_ps[i][1] },
        { "velocity in nm/ps", s->velocity_nm_ps[i][2] },
        { "spin in u nm^2/ps", s->spin_u_nm2_ps[i][0] },
        { "spin in u nm^2/ps", s->spin_u_nm2_ps[i][1] },
        { "spin in u nm^2/ps", s->spin_u_nm2_ps[i][2] },
    };

    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        if (!(fabs(number[k].value) <= max_size)) {
            *value = number[k].value;
            return number[k].name;
        }
    return NULL;
}

static void check_sizes(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    char name[96], number[32];

    for (int a = 0; a < 3; a++)
        if (!(s->box_nm[a] >= 1 / max_size && s->box_nm[a] <= max_size)) {
            snprintf(number, sizeof number, "%g", s->box_nm[a]);
            amphi_note(notes, OUT_OF_RANGE, where, "the box", "edge in nm", number);
            return;
        }
    for (int32_t i = 0; i < s->n_beads; i++) {
        double      value  = 0;
        const char *excess = find_excess(s, i, &value);

        if (excess == NULL)
            continue;
        snprintf(number, sizeof number, "%g", value);
        amphi_note(notes, OUT_OF_RANGE, where, amphi_system_bead(s, i, name, sizeof name), excess,
                   number);
        return;
    }
}

/* Positions far outside the box are allowed, but wrapping them loses precision. */
static void check_positions(const AmphiSystem *s, AmphiWhere where, AmphiNotes *notes)
{
    const double far = 1e6;

    for (int32_t i = 0; i < s->n_beads; i++)
        for (int a = 0; a < 3; a++)
            if (!(fabs(s->position_nm[i][a]) <= far * s->box_nm[a])) {
                char name[96];

                amphi_note(notes, FAR_OUTSIDE, where, amphi_system_bead(s, i, name, sizeof name));
                return;
            }
}

static bool is_built(const AmphiXml *system)
{
    const AmphiXml *const start = amphi_xml_child(system, "start");

    return amphi_xml_child(system, "box") == NULL &&
           (amphi_xml_child(start, "bilayer") != NULL || amphi_xml_child(start, "fill") != NULL);
}

AmphiStatus amphi_system_check(const AmphiSystem *s, const AmphiXml *root, AmphiNotes *notes)
{
    const AmphiXml  *system = amphi_xml_child(root, "system");
    const AmphiXml  *box    = amphi_xml_child(system, "box");
    const AmphiXml  *inter  = amphi_xml_child(root, "interactions");
    const AmphiXml  *cutoff = inter != NULL ? amphi_xml_child(inter, "cutoff") : NULL;
    const AmphiWhere where  = box != NULL      ? box->where
                              : cutoff != NULL ? cutoff->where
                                               : system->where;
    const AmphiWhere start  = amphi_xml_child(system, "start")->where;

    check_sizes(s, start, notes);
    check_box(s, is_built(system), where, notes);
    check_parts(s, where, notes);
    check_bonds(s, where, notes);
    check_positions(s, start, notes);
    if (amphi_notes_count(notes, AMPHI_NOTE_ERROR) > 0)
        return AMPHI_OK;
    check_charge(s, system->where, notes);
    check_cores(s, inter != NULL ? inter->where : root->where, notes);
    check_dipoles(s, start, notes);
    check_bonded_places(s, start, notes);
    return check_overlaps(s, start, notes);
}
