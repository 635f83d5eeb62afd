/* A small mixture in which every term of the lists acts: chains of a phosphate, an ester with
 * charge and dipole, and two tail ellipsoids, in water of the SSD kind. Made from a fixed seed.
 */
#ifndef AMPHI_VALIDATION_UNIT_MIXTURE_H
#define AMPHI_VALIDATION_UNIT_MIXTURE_H

#include "../../engine/system.h"
#include "../../forcefield/spec.h"
#include "../property/draw.h"

enum { WATER, PHOS, ESTER, TAIL, TYPES };
enum { CHAINS = 6, WATERS = 22, BEADS = CHAINS * 4 + WATERS, BONDS = CHAINS * 7, RULES = 7 };

/* CHAINS of phosphate, ester and two tail ellipsoids, then water. Filled in by make_mixture; the
 * pointers of `system` go to the arrays beside it. */
typedef struct {
    AmphiSystem   system;
    AmphiBeadType type[TYPES];
    AmphiPairRule pair_rule[TYPES][TYPES];
    AmphiBondRule bond_rule[RULES];
    AmphiBond     bond[BONDS];
    double        anchor[BONDS][3];
    int32_t       exclusion[CHAINS * 3][2];
    int32_t       bead_type[BEADS];
    double        charge[BEADS], dipole[BEADS], position[BEADS][3], velocity[BEADS][3];
    double        orientation[BEADS][4], spin[BEADS][3];
} Mixture;

static inline void add_term(AmphiPairRule *rule, const char *element, const char *name,
                            int32_t treatment, double cutoff, const double *field, int n_fields)
{
    AmphiPairTerm *term = &rule->term[rule->n_terms++];

    term->kind      = amphi_spec_find(element, name)->kind;
    term->treatment = (AmphiTreatment){ .type                = treatment,
                                        .cutoff_nm           = cutoff,
                                        .from_nm             = 0.9 * cutoff,
                                        .permittivity        = 80,
                                        .permittivity_within = 1 };
    memcpy(term->field, field, (size_t)n_fields * sizeof field[0]);
}

static inline void add_electric_terms(AmphiPairRule *rule, const AmphiBeadType *a,
                                      const AmphiBeadType *b)
{
    static const double coulomb[] = { 138.935457644 };
    const bool          is_field  = a->dipole_e_nm > 0.05 && b->dipole_e_nm > 0.05;
    const int32_t       dipoles   = is_field ? AMPHI_REACTION_FIELD : AMPHI_SHIFTED_FACTORS;

    if (a->charge_e != 0 && b->charge_e != 0)
        add_term(rule, "charges", "charge-charge", AMPHI_SHIFTED_FACTORS, 1.2, coulomb, 1);
    if (a->charge_e != 0 && b->dipole_e_nm != 0)
        add_term(rule, "dipoles", "charge-dipole", AMPHI_FORCE_SHIFT, 1.2, coulomb, 1);
    if (a->dipole_e_nm != 0 && b->charge_e != 0)
        add_term(rule, "dipoles", "dipole-charge", AMPHI_FORCE_SHIFT, 1.2, coulomb, 1);
    if (a->dipole_e_nm != 0 && b->dipole_e_nm != 0)
        add_term(rule, "dipoles", "dipole-dipole", dipoles, 1.0, coulomb, 1);
}

static inline void set_pair_rule(AmphiPairRule *rule, const AmphiBeadType *a,
                                 const AmphiBeadType *b)
{
    const double lj[]     = { 2.5, (a->breadth_nm + b->breadth_nm) / 2 };
    const double sticky[] = { 16.3, 0.077, 0.24, 0.38, 0.275, 0.335 };
    const double shape[]  = { 2.2,
                              2,
                              1,
                              1,
                              0,
                              a->breadth_nm,
                              a->length_nm,
                              a->side,
                              a->end,
                              b->breadth_nm,
                              b->length_nm,
                              b->side,
                              b->end };
    const bool   is_long  = a->length_nm != a->breadth_nm || b->length_nm != b->breadth_nm;

    if (is_long)
        add_term(rule, "pair", "gay-berne", AMPHI_SWITCHED, 1.1, shape, 13);
    else
        add_term(rule, "pair", "lennard-jones", AMPHI_QUADRATIC_SHIFT, 1.2, lj, 2);
    if (a->rotor == AMPHI_TOP && b->rotor == AMPHI_TOP)
        add_term(rule, "pair", "sticky", AMPHI_TRUNCATED, 0.38, sticky, 6);
    add_electric_terms(rule, a, b);
}

static inline void set_types(Mixture *m)
{
    m->type[WATER] = (AmphiBeadType){ .name          = "water",
                                      .mass_u        = 18,
                                      .dipole_e_nm   = 0.0516,
                                      .inertia_u_nm2 = { 0.0177, 0.0061, 0.0116 },
                                      .rotor         = AMPHI_TOP,
                                      .breadth_nm    = 0.30,
                                      .length_nm     = 0.30,
                                      .side          = 1,
                                      .end           = 1 };
    m->type[PHOS]  = (AmphiBeadType){ .name       = "phos",
                                      .mass_u     = 90,
                                      .charge_e   = -0.7,
                                      .breadth_nm = 0.5,
                                      .length_nm  = 0.5,
                                      .side       = 1,
                                      .end        = 1 };
    m->type[ESTER] = (AmphiBeadType){ .name          = "ester", /* charge and dipole */
                                      .mass_u        = 62,
                                      .charge_e      = 0.3,
                                      .dipole_e_nm   = 0.0416,
                                      .inertia_u_nm2 = { 10, 10, 0 },
                                      .rotor         = AMPHI_LINEAR_ROTOR,
                                      .breadth_nm    = 0.46,
                                      .length_nm     = 0.46,
                                      .side          = 1,
                                      .end           = 1 };
    m->type[TAIL]  = (AmphiBeadType){ .name          = "tail",
                                      .mass_u        = 42,
                                      .inertia_u_nm2 = { 1.2, 1.2, 0 },
                                      .rotor         = AMPHI_LINEAR_ROTOR,
                                      .breadth_nm    = 0.405,
                                      .length_nm     = 0.63,
                                      .side          = 1,
                                      .end           = 0.37 };
    for (int a = 0; a < TYPES; a++)
        for (int b = 0; b < TYPES; b++)
            set_pair_rule(&m->pair_rule[a][b], &m->type[a], &m->type[b]);
}

static inline AmphiBondRule bond_rule(const char *element, const char *name, double a, double b,
                                      double c)
{
    return (AmphiBondRule){ .kind = amphi_spec_find(element, name)->kind, .field = { a, b, c } };
}

static inline void set_bonds(Mixture *m, uint64_t *seed)
{
    static const int32_t member[RULES][3] = { { 0, 1, 0 }, { 1, 2, 0 }, { 2, 3, 0 }, { 0, 1, 2 },
                                              { 1, 2, 3 }, { 1, 0, 0 }, { 2, 1, 3 } };

    m->bond_rule[0] = bond_rule("bond", "harmonic", 630, 0.44, 0);
    m->bond_rule[1] = m->bond_rule[0];
    m->bond_rule[2] = bond_rule("restrain", "position", 30, 20, 10);
    m->bond_rule[3] = bond_rule("angle", "cosine-squared", 15, 2, 0);
    m->bond_rule[4] = bond_rule("angle", "harmonic", 20, 2.5, 0);
    m->bond_rule[5] = bond_rule("orientation", "dipole-restraint", 5, 0, 0);
    m->bond_rule[6] = bond_rule("orientation", "bond-axis", 10, 0, 0);
    for (int c = 0; c < CHAINS; c++) {
        for (int k = 0; k < RULES; k++) {
            AmphiBond *bond = &m->bond[c * RULES + k];

            bond->rule = k;
            for (int n = 0; n < AMPHI_MAX_BOND_BEADS; n++)
                bond->bead[n] = 4 * c + member[k][n];
            for (int a = 0; a < 3; a++) /* a box away from the bead, or a little */
                m->anchor[c * RULES + k][a] = m->position[bond->bead[0]][a] +
                                              draw(seed, -0.3, 0.3) +
                                              m->system.box_nm[a] * floor(draw(seed, -1, 2));
        }
        for (int k = 0; k < 3; k++) {
            m->exclusion[3 * c + k][0] = 4 * c + k;
            m->exclusion[3 * c + k][1] = 4 * c + k + 1;
        }
    }
}

static inline double distance(const Mixture *m, int i, const double x[3])
{
    double d[3];

    for (int a = 0; a < 3; a++)
        d[a] = remainder(m->position[i][a] - x[a], m->system.box_nm[a]);
    return length_of(d);
}

/* A place 0.45 nm from all beads so far: at `step` from the last bead, or anywhere. */
static inline void place(Mixture *m, int bead, double step, double room[3], uint64_t *seed)
{
    bool is_free;

    do {
        double x[3];

        draw_direction(seed, x);
        for (int a = 0; a < 3; a++)
            x[a] = step > 0 ? m->position[bead - 1][a] + step * x[a] : draw(seed, 0, room[a]);
        is_free = true;
        for (int i = 0; i < bead; i++)
            is_free = is_free && distance(m, i, x) > (step > 0 && i == bead - 1 ? 0.3 : 0.45);
        memcpy(m->position[bead], x, sizeof x);
    } while (!is_free);
}

static inline void set_beads(Mixture *m, double room[3], uint64_t *seed)
{
    for (int i = 0; i < BEADS; i++) {
        const bool is_water  = i >= CHAINS * 4;
        const int  in_chain  = i % 4;
        const int  chain[4]  = { PHOS, ESTER, TAIL, TAIL };
        m->bead_type[i]      = is_water ? WATER : chain[in_chain];
        m->charge[i]         = m->type[m->bead_type[i]].charge_e;
        m->dipole[i]         = m->type[m->bead_type[i]].dipole_e_nm;
        const bool is_linked = in_chain > 0 && !is_water;
        const bool is_twin   = in_chain % 2 == 1 && is_water; /* within reach of stickiness */

        place(m, i, is_linked ? 0.42 : is_twin ? 0.32 : 0, room, seed);
        draw_orientation(seed, m->orientation[i]);
        for (int a = 0; a < 3; a++) {
            m->velocity[i][a] = draw(seed, -1, 1);
            m->spin[i][a]     = draw(seed, -1, 1);
        }
    }
}

/* Beads lie in a corner of size `room` of a box with these edges. */
static inline void make_mixture(Mixture *m, double box[3], double room[3])
{
    uint64_t seed = 20;

    memset(m, 0, sizeof *m);
    memcpy(m->system.box_nm, box, 3 * sizeof box[0]);
    set_types(m);
    set_beads(m, room, &seed);
    set_bonds(m, &seed);
    m->system.n_types          = TYPES;
    m->system.n_beads          = BEADS;
    m->system.n_bonds          = BONDS;
    m->system.n_bond_rules     = RULES;
    m->system.n_exclusions     = CHAINS * 3;
    m->system.type             = m->type;
    m->system.pair_rule        = &m->pair_rule[0][0];
    m->system.bond_rule        = m->bond_rule;
    m->system.bond             = m->bond;
    m->system.anchor_nm        = (const double(*)[3])m->anchor;
    m->system.exclusion        = (const int32_t(*)[2])m->exclusion;
    m->system.bead_type        = m->bead_type;
    m->system.bead_charge_e    = m->charge;
    m->system.bead_dipole_e_nm = m->dipole;
    m->system.position_nm      = (const double(*)[3])m->position;
    m->system.velocity_nm_ps   = (const double(*)[3])m->velocity;
    m->system.orientation      = (const double(*)[4])m->orientation;
    m->system.spin_u_nm2_ps    = (const double(*)[3])m->spin;
}

/* Periodic: cut-offs reach across the faces. */
static inline void make_dense(Mixture *m)
{
    make_mixture(m, (double[3]){ 2.5, 2.7, 2.9 }, (double[3]){ 2.5, 2.7, 2.9 });
}

/* A cluster that its box does not touch. */
static inline void make_cluster(Mixture *m)
{
    make_mixture(m, (double[3]){ 40, 40, 40 }, (double[3]){ 2.3, 2.4, 2.5 });
}

#endif
