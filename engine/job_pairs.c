/* Pair rules: which potentials act between two bead types, with which treatment at the cut-off.
 *
 * Every pair of types in use needs a <pair> element, or a mixing rule, or `none`. Charges and
 * dipoles interact without one.
 */
#include <assert.h>
#include <math.h>

#include "job_pairs.h"

enum { MAX_TYPES_IN_USE = 128 };

static void read_constants(AmphiPairBook *b)
{
    const AmphiXml *inter = amphi_xml_child(b->r->root, "interactions");
    const AmphiXml *xml   = inter != NULL ? amphi_xml_child(inter, "constants") : NULL;

    b->coulomb               = AMPHI_COULOMB;
    b->relative_permittivity = 1;
    if (xml != NULL) {
        b->relative_permittivity = amphi_xml_quantity(xml, "relative-permittivity", 1);
        b->coulomb = amphi_xml_quantity(xml, "coulomb", AMPHI_COULOMB) / b->relative_permittivity;
    }
    b->s->coulomb_kJ_nm_mol_e2 = b->coulomb;
}

static AmphiPairTerm *add_term(AmphiPairRule *rule, const AmphiPotential *p)
{
    assert(rule->n_terms < AMPHI_MAX_PAIR_TERMS);
    AmphiPairTerm *term = &rule->term[rule->n_terms++];

    memset(term, 0, sizeof *term);
    term->kind = p->kind;
    return term;
}

static void note_once(AmphiPairBook *b, int32_t k, const AmphiTreatmentLine *line, int32_t i,
                      int32_t j)
{
    const char *pair =
        amphi_arena_print(b->r->arena, "%s %s", b->s->type[i].name, b->s->type[j].name);
    const AmphiXml *at = amphi_xml_child(b->r->root, "interactions");

    if (at == NULL)
        at = b->r->root;
    if (b->missing[k] || pair == NULL ||
        (k == PAIR_FAMILIES ? b->lacks_cutoff : b->lacks_treatments))
        return;
    b->missing[k] = true;
    if (k == PAIR_FAMILIES)
        amphi_note(b->r->notes, CUTOFF_MISSING, line != NULL ? line->xml->where : at->where, pair);
    else
        amphi_note(b->r->notes, TREATMENT_MISSING, at->where, amphi_pair_family((AmphiPairFamily)k),
                   pair, amphi_pair_family_potential((AmphiPairFamily)k)->treatments);
}

/* The treatment of one family between types i and j. */
static AmphiTreatment find_treatment(AmphiPairBook *b, AmphiPairFamily family, int32_t i, int32_t j)
{
    const int32_t             of_pair = b->last_treatment[family][amphi_pair_place(b, i, j)];
    const int32_t             of_all  = b->last_of_all[family];
    const int32_t             last    = of_pair > of_all ? of_pair : of_all;
    const AmphiTreatmentLine *line    = last >= 0 ? &b->treatment[last] : NULL;
    AmphiTreatment            t       = {
                         .cutoff_nm = 1, .from_nm = 1, .permittivity = 1, .permittivity_within = 1
    };

    if (line == NULL) {
        note_once(b, (int32_t)family, NULL, i, j);
        return t;
    }
    t                     = line->treatment;
    t.permittivity_within = b->relative_permittivity;
    if (t.cutoff_nm <= 0)
        t.cutoff_nm = b->cutoff_nm;
    if (t.cutoff_nm <= 0) {
        note_once(b, PAIR_FAMILIES, line, i, j);
        t.cutoff_nm = 1;
    }
    if (t.from_nm <= 0)
        t.from_nm = t.cutoff_nm;
    else if (t.from_nm >= t.cutoff_nm && i <= j)
        amphi_xml_note(b->r->notes, FROM_BEYOND, line->xml, "from", NULL);
    return t;
}

static void add_strength_term(AmphiPairBook *b, AmphiPairRule *rule, const char *family,
                              const char *name, const AmphiTreatment *t)
{
    AmphiPairTerm *term = add_term(rule, amphi_spec_find(family, name));

    term->treatment = *t;
    term->field[0]  = b->coulomb;
}

static void add_strengths(AmphiPairBook *b, AmphiPairRule *rule, int32_t i, int32_t j)
{
    const bool     qi = b->has_charge[i], qj = b->has_charge[j];
    const bool     pi = b->has_dipole[i], pj = b->has_dipole[j];
    AmphiTreatment t;

    if (qi && qj) {
        t = find_treatment(b, PAIR_CHARGES, i, j);
        add_strength_term(b, rule, "charges", "charge-charge", &t);
    }
    if ((qi && pj) || (pi && qj) || (pi && pj))
        t = find_treatment(b, PAIR_DIPOLES, i, j);
    if (qi && pj)
        add_strength_term(b, rule, "dipoles", "charge-dipole", &t);
    if (pi && qj)
        add_strength_term(b, rule, "dipoles", "dipole-charge", &t);
    if (pi && pj)
        add_strength_term(b, rule, "dipoles", "dipole-dipole", &t);
}

/* Fields of the bead types: breadth_i, ... end_j. */
static void fill_shapes(const AmphiPotential *p, AmphiPairTerm *term, const AmphiBeadType *i,
                        const AmphiBeadType *j)
{
    for (int32_t k = 0; k < p->n_fields; k++) {
        const char          *name = p->field[k].name;
        const AmphiBeadType *type = name[strlen(name) - 1] == 'i' ? i : j;

        if (!amphi_field_of_types(&p->field[k]))
            continue;
        if (strncmp(name, "breadth", 7) == 0)
            term->field[k] = type->breadth_nm;
        else if (strncmp(name, "length", 6) == 0)
            term->field[k] = type->length_nm;
        else if (strncmp(name, "side", 4) == 0)
            term->field[k] = type->side;
        else {
            assert(strncmp(name, "end", 3) == 0); /* bead types have no other property */
            term->field[k] = type->end;
        }
    }
}

static int32_t field_index(const AmphiPotential *p, const char *name)
{
    for (int32_t k = 0; k < p->n_fields; k++)
        if (strcmp(p->field[k].name, name) == 0)
            return k;
    return -1;
}

/* Gay-Berne has its sigma from the breadths and lengths of both beads: with all of them scaled,
 * sigma is longer by the same factor in every orientation, and nothing else changes. */
static void scale_by_overrides(const AmphiPairBook *b, const AmphiPotential *p, AmphiPairTerm *term,
                               int32_t i, int32_t j)
{
    static const char *const lengths[] = { "sigma", "breadth_i", "length_i", "breadth_j",
                                           "length_j" };
    const int32_t            epsilon   = field_index(p, "epsilon");

    if (epsilon >= 0)
        term->field[epsilon] *= b->scale_epsilon[amphi_pair_place(b, i, j)].factor;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        if (field_index(p, lengths[k]) >= 0)
            term->field[field_index(p, lengths[k])] *=
                b->scale_sigma[amphi_pair_place(b, i, j)].factor;
}

static void add_gay_berne(AmphiPairBook *b, AmphiPairRule *rule, const AmphiPairLine *line,
                          int32_t i, int32_t j)
{
    const AmphiBeadType  *ti = &b->s->type[i], *tj = &b->s->type[j];
    const AmphiTreatment  t = find_treatment(b, PAIR_GAY_BERNE, i, j);
    const AmphiPotential *p = t.type == AMPHI_ENERGY_SHIFT ? amphi_spec_find("shifted", "gay-berne")
                                                           : amphi_spec_find("pair", "gay-berne");
    AmphiPairTerm        *term = add_term(rule, p);

    if ((ti->breadth_nm <= 0 || tj->breadth_nm <= 0) && i <= j)
        amphi_xml_note(b->r->notes, NO_SHAPE, line->xml, "types",
                       ti->breadth_nm <= 0 ? ti->name : tj->name);
    term->treatment = t;
    amphi_xml_fields(line->xml, term->field);
    fill_shapes(p, term, ti, tj);
    scale_by_overrides(b, p, term, i, j);
    if (term->field[field_index(p, "epsilon")] > 0)
        rule->sigma_nm =
            fmax(rule->sigma_nm,
                 sqrt((ti->breadth_nm * ti->breadth_nm + tj->breadth_nm * tj->breadth_nm) / 2) *
                     b->scale_sigma[amphi_pair_place(b, i, j)].factor);
}

static void add_lennard_jones(AmphiPairBook *b, AmphiPairRule *rule, const double field[],
                              int32_t i, int32_t j)
{
    const AmphiPotential *p    = amphi_spec_find("pair", "lennard-jones");
    AmphiPairTerm        *term = add_term(rule, p);

    term->treatment = find_treatment(b, PAIR_LENNARD_JONES, i, j);
    memcpy(term->field, field, (size_t)p->n_fields * sizeof *field);
    scale_by_overrides(b, p, term, i, j);
    if (term->field[field_index(p, "epsilon")] > 0)
        rule->sigma_nm = fmax(rule->sigma_nm, term->field[field_index(p, "sigma")]);
}

static void add_sticky(AmphiPairBook *b, AmphiPairRule *rule, const AmphiPairLine *line, int32_t i,
                       int32_t j)
{
    const AmphiPotential *p    = amphi_spec_find("pair", "sticky");
    AmphiPairTerm        *term = add_term(rule, p);
    double               *f    = term->field;
    const int32_t         s = field_index(p, "s_from"), s1 = field_index(p, "s_prime_from");

    amphi_xml_fields(line->xml, f);
    if (i <= j && !(f[s] < f[s + 1]))
        amphi_xml_note(b->r->notes, SWITCH_ORDER, line->xml, "s-to", "s-from");
    if (i <= j && !(f[s1] < f[s1 + 1]))
        amphi_xml_note(b->r->notes, SWITCH_ORDER, line->xml, "s-prime-to", "s-prime-from");
    if (i <= j && (b->s->type[i].rotor != AMPHI_TOP || b->s->type[j].rotor != AMPHI_TOP))
        amphi_xml_note(b->r->notes, NO_FRAME, line->xml, "types", NULL);
    term->treatment = (AmphiTreatment){ .type                = AMPHI_TRUNCATED,
                                        .cutoff_nm           = fmax(f[s + 1], f[s1 + 1]),
                                        .from_nm             = fmax(f[s + 1], f[s1 + 1]),
                                        .permittivity        = 1,
                                        .permittivity_within = 1 };
}

static const AmphiPairLine *find_line(const AmphiPairBook *b, const char *potential, int32_t i,
                                      int32_t j)
{
    for (int32_t k = b->first_pair[amphi_pair_place(b, i, j)]; k >= 0; k = b->pair[k].next)
        if (amphi_pair_is_potential(b->pair[k].xml, potential))
            return &b->pair[k];
    return NULL;
}

/* Lorentz-Berthelot from the like pairs. False: one of them has no line. */
static bool mix(AmphiPairBook *b, int32_t i, int32_t j, double field[])
{
    const AmphiPotential *p  = amphi_spec_find("pair", "lennard-jones");
    const AmphiPairLine  *li = find_line(b, "lennard-jones", i, i);
    const AmphiPairLine  *lj = find_line(b, "lennard-jones", j, j);
    const int32_t         e = field_index(p, "epsilon"), s = field_index(p, "sigma");
    double                fi[AMPHI_MAX_FIELDS] = { 0 }, fj[AMPHI_MAX_FIELDS] = { 0 };

    if (b->mixing == NULL || li == NULL || lj == NULL)
        return false;
    amphi_xml_fields(li->xml, fi);
    amphi_xml_fields(lj->xml, fj);
    field[e] = sqrt(fi[e] * fj[e]);
    field[s] = 0.5 * (fi[s] + fj[s]);
    return true;
}

static bool has_line(const AmphiPairBook *b, int32_t i, int32_t j)
{
    return find_line(b, "lennard-jones", i, j) != NULL || find_line(b, "gay-berne", i, j) != NULL ||
           find_line(b, "none", i, j) != NULL;
}

/* With <mixing>, a type without a like pair is told once, and not with all others. */
static void note_missing(const AmphiPairBook *b, int32_t i, int32_t j)
{
    const bool is_told = b->mixing != NULL && i != j && (!has_line(b, i, i) || !has_line(b, j, j));

    if (i <= j && !b->lacks_pairs && !is_told)
        amphi_note(b->r->notes, PAIR_MISSING, amphi_xml_child(b->r->root, "forcefield")->where,
                   b->s->type[i].name, b->s->type[j].name,
                   b->mixing == NULL && i != j ? "<mixing> of like pairs, " : "");
}

static void make_rule(AmphiPairBook *b, AmphiPairRule *rule, int32_t i, int32_t j)
{
    const AmphiPairLine *lj                      = find_line(b, "lennard-jones", i, j);
    const AmphiPairLine *sticky                  = find_line(b, "sticky", i, j);
    const AmphiPairLine *gb                      = find_line(b, "gay-berne", i, j);
    double               field[AMPHI_MAX_FIELDS] = { 0 };

    if (lj != NULL) {
        amphi_xml_fields(lj->xml, field);
        add_lennard_jones(b, rule, field, i, j);
    } else if (gb == NULL && find_line(b, "none", i, j) == NULL) {
        if (mix(b, i, j, field))
            add_lennard_jones(b, rule, field, i, j);
        else
            note_missing(b, i, j);
    }
    if (sticky != NULL)
        add_sticky(b, rule, sticky, i, j);
    if (gb != NULL)
        add_gay_berne(b, rule, gb, i, j);
    add_strengths(b, rule, i, j);
    for (int32_t k = 0; k < rule->n_terms; k++)
        rule->cutoff_nm = fmax(rule->cutoff_nm, rule->term[k].treatment.cutoff_nm);
}

static void check_overrides(const AmphiPairBook *b)
{
    for (int32_t k = 0; k < b->n_overrides; k++) {
        const AmphiOverrideLine *line = &b->override[k];
        const AmphiPairLine     *none = find_line(b, "none", line->i, line->j);

        if (none != NULL)
            amphi_xml_note(b->r->notes, OVERRIDE_OF_NONE, line->xml, "pair",
                           amphi_reader_place(b->r, none->xml));
    }
}

static void find_strengths(AmphiPairBook *b)
{
    for (int32_t k = 0; k < b->s->n_beads; k++) {
        const int32_t type = b->s->bead_type[k];

        b->has_charge[type] = b->has_charge[type] || b->s->bead_charge_e[k] != 0;
        b->has_dipole[type] = b->has_dipole[type] || b->s->bead_dipole_e_nm[k] != 0;
    }
}

void amphi_reader_pairs(AmphiReader *r)
{
    AmphiSystem   *s    = r->system;
    const int64_t  n    = s->n_types;
    AmphiPairRule *rule = NULL;
    AmphiPairBook  b    = { .r = r, .s = s };

    if (n > MAX_TYPES_IN_USE) {
        amphi_note(r->notes, TOO_MANY, amphi_xml_child(r->root, "system")->where,
                   "bead types in use", "128");
        return;
    }
    rule = AMPHI_TAKE(r->arena, AmphiPairRule, n * n);
    if (rule == NULL || !amphi_pair_lines(&b))
        return;
    read_constants(&b);
    find_strengths(&b);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            make_rule(&b, &rule[i * n + j], i, j);
    check_overrides(&b);
    s->pair_rule = rule;
    for (int64_t k = 0; k < n * n; k++)
        s->cutoff_nm = fmax(s->cutoff_nm, rule[k].cutoff_nm);
}
