/* Types, molecules and topology by hand. */
#include "toy_systems.h"

#include <stdlib.h>

#include "../../forcefield/spec.h"

#define DEGREE 0.017453292519943295

/* nm; ELBA's contact distances are means of these, but for ethanolamine, which is a tail bead to
 * everything except phosphate and choline, where the mean holds as well. */
static const double diameter_nm[TOY_TYPES] = { 0.305, 0.540, 0.450, 0.520, 0.460, 0.460, 0.450 };
static const double mass_u[TOY_TYPES]      = { 40, 90, 42, 90, 62, 62, 42 };
static const double charge_e[TOY_TYPES]    = { 0, 0.7, 0.7, -0.7, 0, 0, 0 };
static const double dipole_e_nm[TOY_TYPES] = { 0.0541305, 0, 0, 0, 0.0333111, 0.0416389, 0 };
static const double inertia[TOY_TYPES]     = { 1, 0, 0, 0, 10, 10, 0 };
static const char *const type_name[]       = { "wat", "chol", "ami", "phos", "gly", "est", "tail" };

/* Bonded rules of the toys, in this order. */
enum {
    CHOL_PHOS,
    AMI_PHOS,
    PHOS_GLY,
    GLY_EST,
    EST_TAIL,
    TAIL_TAIL,
    WIDE_115,
    RIGHT_90,
    STRAIGHT_180,
    BENT_120,
    TO_REFERENCE,
    ALONG_CHAIN,
    RULES
};

static AmphiBondRule rule(const char *element, const char *name, double k, double at_rest)
{
    return (AmphiBondRule){ .kind = amphi_spec_find(element, name)->kind, .field = { k, at_rest } };
}

static const AmphiBondRule *bond_rules(AmphiArena *arena, double tail_bond_nm)
{
    AmphiBondRule *r = AMPHI_TAKE(arena, AmphiBondRule, RULES);

    r[CHOL_PHOS]    = rule("bond", "harmonic", 630, 0.477);
    r[AMI_PHOS]     = rule("bond", "harmonic", 630, 0.4365);
    r[PHOS_GLY]     = rule("bond", "harmonic", 630, 0.441);
    r[GLY_EST]      = rule("bond", "harmonic", 630, 0.414);
    r[EST_TAIL]     = rule("bond", "harmonic", 630, 0.4095);
    r[TAIL_TAIL]    = rule("bond", "harmonic", 630, tail_bond_nm);
    r[WIDE_115]     = rule("angle", "cosine-squared", 15, 115 * DEGREE);
    r[RIGHT_90]     = rule("angle", "cosine-squared", 15, 90 * DEGREE);
    r[STRAIGHT_180] = rule("angle", "cosine-squared", 15, 180 * DEGREE);
    r[BENT_120]     = rule("angle", "cosine-squared", 15, 120 * DEGREE);
    r[TO_REFERENCE] = rule("orientation", "dipole-restraint", 5, 0);
    r[ALONG_CHAIN]  = rule("orientation", "bond-axis", 10, 0);
    return r;
}

static const AmphiPairRule *contact_rules(AmphiArena *arena, const AmphiBeadType *type,
                                          const double *diameter, int32_t n)
{
    AmphiPairRule *pair = AMPHI_TAKE(arena, AmphiPairRule, (int64_t)n * n);

    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            AmphiPairRule       *p = &pair[i * n + j];
            const AmphiBeadType *a = &type[i], *b = &type[j];

            *p = (AmphiPairRule){ .cutoff_nm = 1.2, .sigma_nm = (diameter[i] + diameter[j]) / 2 };
            if (a->breadth_nm <= 0 && b->breadth_nm <= 0)
                continue;
            const double Di = a->breadth_nm > 0 ? a->breadth_nm : diameter[i];
            const double Dj = b->breadth_nm > 0 ? b->breadth_nm : diameter[j];
            const double Li = a->breadth_nm > 0 ? a->length_nm : Di;
            const double Lj = b->breadth_nm > 0 ? b->length_nm : Dj;

            p->n_terms = 1;
            p->term[0] = (AmphiPairTerm){ .kind  = amphi_spec_find("pair", "gay-berne")->kind,
                                          .field = { 1, 2, 1, 1, 0, Di, Li, 1, 1, Dj, Lj, 1, 1 } };
        }
    return pair;
}

/* A molecule type under construction. */
typedef struct {
    int32_t      n_beads, n_bonds, n_heads;
    int32_t     *type;
    const char **name;
    AmphiBond   *bond;
} Draft;

static void join(Draft *d, int32_t rule, int32_t a, int32_t b, int32_t c)
{
    d->bond[d->n_bonds++] = (AmphiBond){ .rule = rule, .bead = { a, b, c } };
}

/* An ester and n tail beads; `bent`: a double bond in the middle. */
static void add_chain(Draft *d, int32_t n, bool bent, bool coupled)
{
    const int32_t est = d->n_beads;

    for (int32_t k = 0; k <= n; k++) {
        d->type[est + k] = k == 0 ? TOY_EST : TOY_TAIL;
        d->name[est + k] = k == 0 ? "EST" : "C";
        join(d,
             k == 0   ? GLY_EST
             : k == 1 ? EST_TAIL
                      : TAIL_TAIL,
             k == 0 ? 2 : est + k - 1, est + k, 0);
    }
    join(d, RIGHT_90, 1, 2, est);
    join(d, STRAIGHT_180, 2, est, est + 1);
    for (int32_t k = 0; k + 2 <= n; k++)
        join(d, bent && k == 1 ? BENT_120 : STRAIGHT_180, est + k, est + k + 1, est + k + 2);
    join(d, TO_REFERENCE, est, est + 1, 0);
    for (int32_t k = 1; coupled && k <= n; k++)
        join(d, ALONG_CHAIN, est + k, est + k - 1, k < n ? est + k + 1 : est + k);
    d->n_beads += n + 1;
}

static const AmphiTail *two_tails(AmphiArena *arena, int32_t n)
{
    AmphiTail *tail = AMPHI_TAKE(arena, AmphiTail, 2);

    for (int32_t t = 0; t < 2; t++) {
        int32_t *bead = AMPHI_TAKE(arena, int32_t, n);

        for (int32_t k = 0; k < n; k++)
            bead[k] = 3 + t * (n + 1) + 1 + k;
        tail[t] = (AmphiTail){ t == 0 ? "1" : "2", n, bead };
    }
    return tail;
}

static AmphiMoleculeType lipid(AmphiArena *arena, const char *name, int32_t head, int32_t n_tail,
                               bool bent, bool coupled)
{
    Draft    d     = { .type = AMPHI_TAKE(arena, int32_t, 32),
                       .name = amphi_arena_take(arena, 32, sizeof(char *)),
                       .bond = AMPHI_TAKE(arena, AmphiBond, 128) };
    int32_t *heads = AMPHI_TAKE(arena, int32_t, 2);

    d.n_beads = 3;
    d.type[0] = head;
    d.type[1] = TOY_PHOS;
    d.type[2] = TOY_GLY;
    d.name[0] = "HEAD";
    d.name[1] = "PO4";
    d.name[2] = "GLY";
    heads[1]  = 1;
    join(&d, head == TOY_CHOL ? CHOL_PHOS : AMI_PHOS, 0, 1, 0);
    join(&d, PHOS_GLY, 1, 2, 0);
    join(&d, WIDE_115, 0, 1, 2);
    join(&d, TO_REFERENCE, 2, 1, 0);
    add_chain(&d, n_tail, bent, coupled);
    add_chain(&d, n_tail, bent, coupled);
    return (AmphiMoleculeType){ .name      = name,
                                .kind      = "lipid",
                                .n_beads   = d.n_beads,
                                .n_bonds   = d.n_bonds,
                                .n_tails   = 2,
                                .n_heads   = 2,
                                .bead_type = d.type,
                                .bead_name = d.name,
                                .bond      = d.bond,
                                .tail      = two_tails(arena, n_tail),
                                .head      = heads };
}

static AmphiMoleculeType single_bead(AmphiArena *arena, const char *name, int32_t type)
{
    int32_t     *types = AMPHI_TAKE(arena, int32_t, 1);
    const char **names = amphi_arena_take(arena, 1, sizeof *names);

    types[0] = type;
    names[0] = name;
    return (AmphiMoleculeType){
        .name = name, .kind = "solvent", .n_beads = 1, .bead_type = types, .bead_name = names
    };
}

static AmphiSystem elba(AmphiArena *arena, double tail_bond_nm, double breadth_nm, double length_nm)
{
    AmphiBeadType     *type     = AMPHI_TAKE(arena, AmphiBeadType, TOY_TYPES);
    AmphiMoleculeType *molecule = AMPHI_TAKE(arena, AmphiMoleculeType, TOY_MOLECULES);
    const bool         coupled  = breadth_nm > 0;

    for (int32_t t = 0; t < TOY_TYPES; t++)
        type[t] = (AmphiBeadType){ .name          = type_name[t],
                                   .mass_u        = mass_u[t],
                                   .charge_e      = charge_e[t],
                                   .dipole_e_nm   = dipole_e_nm[t],
                                   .inertia_u_nm2 = { inertia[t], inertia[t], inertia[t] },
                                   .rotor         = inertia[t] > 0 ? AMPHI_TOP : AMPHI_POINT };
    if (coupled) {
        type[TOY_TAIL].rotor      = AMPHI_LINEAR_ROTOR;
        type[TOY_TAIL].breadth_nm = breadth_nm;
        type[TOY_TAIL].length_nm  = length_nm;
    }
    molecule[TOY_WATER] = single_bead(arena, "water", TOY_WAT);
    molecule[TOY_DMPC]  = lipid(arena, "DMPC", TOY_CHOL, 4, false, coupled);
    molecule[TOY_DOPC]  = lipid(arena, "DOPC", TOY_CHOL, 5, true, coupled);
    molecule[TOY_DOPE]  = lipid(arena, "DOPE", TOY_AMI, 5, true, coupled);
    return (AmphiSystem){ .title            = "toy",
                          .n_types          = TOY_TYPES,
                          .n_molecule_types = TOY_MOLECULES,
                          .n_bond_rules     = RULES,
                          .cutoff_nm        = 1.2,
                          .type             = type,
                          .pair_rule        = contact_rules(arena, type, diameter_nm, TOY_TYPES),
                          .bond_rule        = bond_rules(arena, tail_bond_nm),
                          .molecule_type    = molecule };
}

AmphiSystem toy_elba(AmphiArena *arena)
{
    return elba(arena, 0.405, 0, 0);
}

AmphiSystem toy_ellipsoid_tails(AmphiArena *arena)
{
    return elba(arena, 0.3875, 0.405, 0.63);
}

AmphiSystem toy_gay_berne(AmphiArena *arena, double breadth_nm, double length_nm)
{
    AmphiBeadType     *type     = AMPHI_TAKE(arena, AmphiBeadType, 1);
    AmphiMoleculeType *molecule = AMPHI_TAKE(arena, AmphiMoleculeType, 1);

    type[0]     = (AmphiBeadType){ .name          = "ellipsoid",
                                   .mass_u        = 1,
                                   .inertia_u_nm2 = { 4, 4, 0 },
                                   .rotor         = AMPHI_LINEAR_ROTOR,
                                   .breadth_nm    = breadth_nm,
                                   .length_nm     = length_nm };
    molecule[0] = single_bead(arena, "ellipsoid", 0);
    return (AmphiSystem){ .title            = "toy",
                          .n_types          = 1,
                          .n_molecule_types = 1,
                          .cutoff_nm        = 4,
                          .type             = type,
                          .pair_rule        = contact_rules(arena, type, &breadth_nm, 1),
                          .molecule_type    = molecule };
}

static int compare_pairs(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;

    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

/* The first six rules are bonds, and bonds exclude. */
static void add_bonds(AmphiSystem *s, AmphiBond *bond, int32_t (*exclusion)[2],
                      const AmphiMoleculeType *type, int32_t first)
{
    for (int32_t k = 0; k < type->n_bonds; k++) {
        AmphiBond b = type->bond[k];

        for (int32_t n = 0; n < AMPHI_MAX_BOND_BEADS; n++)
            b.bead[n] += first;
        bond[s->n_bonds++] = b;
        if (b.rule > TAIL_TAIL)
            continue;
        exclusion[s->n_exclusions][0]   = b.bead[0] < b.bead[1] ? b.bead[0] : b.bead[1];
        exclusion[s->n_exclusions++][1] = b.bead[0] < b.bead[1] ? b.bead[1] : b.bead[0];
    }
}

void toy_populate(AmphiSystem *s, const AmphiPortion *portion, int32_t n_portions,
                  AmphiArena *arena)
{
    int64_t n_molecules = 0, n_beads = 0, n_bonds = 0;

    for (int32_t k = 0; k < n_portions; k++) {
        const AmphiMoleculeType *type = &s->molecule_type[portion[k].molecule_type];

        n_molecules += portion[k].count;
        n_beads += (int64_t)portion[k].count * type->n_beads;
        n_bonds += (int64_t)portion[k].count * type->n_bonds;
    }
    AmphiMolecule *molecule      = AMPHI_TAKE(arena, AmphiMolecule, n_molecules);
    int32_t       *bead_type     = AMPHI_TAKE(arena, int32_t, n_beads);
    int32_t       *bead_molecule = AMPHI_TAKE(arena, int32_t, n_beads);
    AmphiBond     *bond          = AMPHI_TAKE(arena, AmphiBond, n_bonds);
    int32_t(*exclusion)[2]       = amphi_arena_take(arena, n_bonds, sizeof *exclusion);

    for (int32_t k = 0; k < n_portions; k++)
        for (int32_t n = 0; n < portion[k].count; n++) {
            const AmphiMoleculeType *type = &s->molecule_type[portion[k].molecule_type];

            molecule[s->n_molecules] = (AmphiMolecule){ portion[k].molecule_type, s->n_beads };
            add_bonds(s, bond, exclusion, type, s->n_beads);
            for (int32_t b = 0; b < type->n_beads; b++) {
                bead_molecule[s->n_beads] = s->n_molecules;
                bead_type[s->n_beads++]   = type->bead_type[b];
            }
            s->n_molecules++;
        }
    qsort(exclusion, (size_t)s->n_exclusions, sizeof *exclusion, compare_pairs);
    s->molecule      = molecule;
    s->bead_type     = bead_type;
    s->bead_molecule = bead_molecule;
    s->bond          = bond;
    s->exclusion     = (const int32_t(*)[2])exclusion;
}

void toy_populate_plan(AmphiSystem *s, const AmphiBuildPlan *plan, AmphiArena *arena)
{
    AmphiPortion *portion;
    int32_t       n_portions;

    if (amphi_build_count(s, plan, arena, &portion, &n_portions, NULL) == AMPHI_OK)
        toy_populate(s, portion, n_portions, arena);
}
