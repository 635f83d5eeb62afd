/* Pair rules: which potentials act between two types of beads, with which treatment at the cut-off.
 *
 * A pair of types in use needs a <pair> line (or mixing, or `none`); charges and dipoles act by
 * themselves where beads have them. Of treatments and cut-offs the last line that matches wins, the
 * job's after the force fields'.
 */
#include <math.h>
#include <string.h>

#include "reader.h"

enum { MAX_TYPES_IN_USE = 128 };

/* The families of <treatment of="...">, in the order of the schema's choices. */
typedef enum { LENNARD_JONES, CHARGES, DIPOLES, GAY_BERNE, FAMILIES } Family;

static const char *const family_name[FAMILIES] = { "lennard-jones", "charges", "dipoles",
                                                   "gay-berne" };

static const AmphiPotential *family_potential(Family family)
{
    switch (family) {
    case LENNARD_JONES:
        return amphi_spec_find("pair", "lennard-jones");
    case CHARGES:
        return amphi_spec_find("charges", "charge-charge");
    case DIPOLES:
        return amphi_spec_find("dipoles", "dipole-dipole");
    default:
        return amphi_spec_find("pair", "gay-berne");
    }
}

/* A line about two types of beads, as indices of the types in use; -1: not in use. */
typedef struct {
    const AmphiXml *xml;
    int32_t         i, j;
} PairLine;

typedef struct {
    const AmphiXml *xml;
    bool            of[FAMILIES];
    bool            all; /* of every pair */
    int32_t         i, j;
    AmphiTreatment  treatment; /* cutoff_nm 0: the common one */
} TreatmentLine;

typedef struct {
    AmphiReader    *r;
    AmphiSystem    *s;
    int32_t         n_pairs, n_overrides, n_treatments;
    PairLine       *pair, *override;
    TreatmentLine  *treatment;
    const AmphiXml *mixing;
    double          cutoff_nm; /* 0: none given */
    double          coulomb;
    bool           *has_charge, *has_dipole; /* [n_types] some bead of the type has */
    bool            missing[FAMILIES + 1]; /* noted already: no treatment; [FAMILIES]: no cut-off */
} Book;

/* The lines. */

static int32_t type_in_use(const AmphiSystem *s, const char *name)
{
    for (int32_t k = 0; k < s->n_types; k++)
        if (strcmp(s->type[k].name, name) == 0)
            return k;
    return -1;
}

/* Two names of bead types. False: not two, or not known; noted. */
static bool read_pair_of_types(Book *b, const AmphiXml *xml, const char *attribute, int32_t *i,
                               int32_t *j)
{
    int32_t            n;
    const char *const *word = amphi_xml_names(xml, attribute, b->r->arena, &n);

    if (word == NULL || n == 0)
        return false;
    if (n != 2) {
        amphi_xml_note(b->r->notes, NOT_TWO_TYPES, xml, attribute, NULL);
        return false;
    }
    if (amphi_reader_type(b->r, xml, attribute, word[0]) < 0 ||
        amphi_reader_type(b->r, xml, attribute, word[1]) < 0)
        return false;
    *i = type_in_use(b->s, word[0]);
    *j = type_in_use(b->s, word[1]);
    return true;
}

static bool matches(int32_t a, int32_t b, int32_t i, int32_t j)
{
    return (a == i && b == j) || (a == j && b == i);
}

static void note_no_use(Book *b, const AmphiXml *xml, const char *attribute)
{
    if (amphi_xml_has(xml, attribute))
        amphi_xml_note(b->r->notes, TREATMENT_NO_USE, xml, attribute, amphi_xml_text(xml, "type"));
}

static void note_needed(Book *b, const AmphiXml *xml, const char *attribute, const char *example)
{
    if (!amphi_xml_has(xml, attribute))
        amphi_note(b->r->notes, TREATMENT_NEEDS, xml->where, amphi_xml_text(xml, "type"), attribute,
                   example);
}

static void check_treatment_attributes(Book *b, const AmphiXml *xml, int32_t type)
{
    if (type == AMPHI_SWITCHED)
        note_needed(b, xml, "from", "1.1 nm");
    else if (type != AMPHI_REACTION_FIELD)
        note_no_use(b, xml, "from");
    if (type == AMPHI_REACTION_FIELD)
        note_needed(b, xml, "permittivity", "80");
    else
        note_no_use(b, xml, "permittivity");
}

static void check_treatment_families(Book *b, const TreatmentLine *line)
{
    for (int32_t f = 0; f < FAMILIES; f++) {
        const char *takes = family_potential((Family)f)->treatments;

        if (line->of[f] && !amphi_schema_is_word(takes, amphi_xml_text(line->xml, "type")))
            amphi_xml_note(b->r->notes, TREATMENT_NOT_OF, line->xml, "type", family_name[f], takes);
    }
}

static void read_treatment(Book *b, const AmphiXml *xml)
{
    TreatmentLine      line = { .xml = xml, .all = !amphi_xml_has(xml, "pair") };
    int32_t            n;
    const char *const *of = amphi_xml_names(xml, "of", b->r->arena, &n);

    if (of == NULL || amphi_xml_choice(xml, "type") < 0)
        return;
    for (int32_t k = 0; k < n; k++)
        for (int32_t f = 0; f < FAMILIES; f++)
            line.of[f] = line.of[f] || strcmp(of[k], family_name[f]) == 0;
    if (!line.all && !read_pair_of_types(b, xml, "pair", &line.i, &line.j))
        return;
    line.treatment.type         = amphi_xml_choice(xml, "type");
    line.treatment.cutoff_nm    = amphi_xml_quantity(xml, "cutoff", 0);
    line.treatment.from_nm      = amphi_xml_quantity(xml, "from", 0);
    line.treatment.permittivity = amphi_xml_quantity(xml, "permittivity", 1);
    check_treatment_attributes(b, xml, line.treatment.type);
    check_treatment_families(b, &line);
    b->treatment[b->n_treatments++] = line;
}

static void read_override(Book *b, const AmphiXml *xml)
{
    PairLine line = { .xml = xml };

    if (!read_pair_of_types(b, xml, "pair", &line.i, &line.j))
        return;
    b->override[b->n_overrides] = line;
    b->r->job->override[b->n_overrides++] =
        amphi_arena_print(b->r->arena, "%s: epsilon x %g, sigma x %g: %s",
                          amphi_xml_text(xml, "pair"), amphi_xml_quantity(xml, "scale-epsilon", 1),
                          amphi_xml_quantity(xml, "scale-sigma", 1), amphi_xml_text(xml, "why"));
}

static void read_line(Book *b, const AmphiXml *xml)
{
    PairLine line = { .xml = xml };

    if (strcmp(xml->name, "pair") == 0) {
        if (read_pair_of_types(b, xml, "types", &line.i, &line.j) && line.i >= 0 && line.j >= 0)
            b->pair[b->n_pairs++] = line;
    } else if (strcmp(xml->name, "override") == 0) {
        read_override(b, xml);
    } else if (strcmp(xml->name, "treatment") == 0) {
        read_treatment(b, xml);
    } else if (strcmp(xml->name, "mixing") == 0) {
        b->mixing = xml;
    } else if (strcmp(xml->name, "cutoff") == 0) {
        b->cutoff_nm = amphi_xml_quantity(xml, "distance", b->cutoff_nm);
    }
}

static bool read_lines(Book *b)
{
    AmphiReader    *r     = b->r;
    const AmphiXml *inter = amphi_xml_child(r->root, "interactions");
    int32_t         n     = r->n_items;

    for (const AmphiXml *c = inter != NULL ? inter->child : NULL; c != NULL; c = c->next)
        n++;
    b->pair          = AMPHI_TAKE(r->arena, PairLine, n);
    b->override      = AMPHI_TAKE(r->arena, PairLine, n);
    b->treatment     = AMPHI_TAKE(r->arena, TreatmentLine, n);
    r->job->override = AMPHI_TAKE(r->arena, const char *, n);
    if (b->pair == NULL || b->override == NULL || b->treatment == NULL || r->job->override == NULL)
        return false;
    for (int32_t k = 0; k < r->n_items; k++)
        read_line(b, r->item[k]);
    for (const AmphiXml *c = inter != NULL ? inter->child : NULL; c != NULL; c = c->next)
        if (c->element != NULL)
            read_line(b, c);
    r->job->n_overrides = b->n_overrides;
    return true;
}

static void read_constants(Book *b)
{
    const AmphiXml *inter = amphi_xml_child(b->r->root, "interactions");
    const AmphiXml *xml   = inter != NULL ? amphi_xml_child(inter, "constants") : NULL;

    b->coulomb = AMPHI_COULOMB;
    if (xml != NULL)
        b->coulomb = amphi_xml_quantity(xml, "coulomb", AMPHI_COULOMB) /
                     amphi_xml_quantity(xml, "relative-permittivity", 1);
    b->s->coulomb_kJ_nm_mol_e2 = b->coulomb;
}

/* The rules. */

static AmphiPairTerm *add_term(AmphiPairRule *rule, const AmphiPotential *p)
{
    AmphiPairTerm *term = &rule->term[rule->n_terms++];

    memset(term, 0, sizeof *term);
    term->kind = p->kind;
    return term;
}

static void note_once(Book *b, int32_t k, const TreatmentLine *line, int32_t i, int32_t j)
{
    const char *pair =
        amphi_arena_print(b->r->arena, "%s %s", b->s->type[i].name, b->s->type[j].name);
    const AmphiXml *at = amphi_xml_child(b->r->root, "interactions");

    if (at == NULL)
        at = b->r->root;
    if (b->missing[k] || pair == NULL)
        return;
    b->missing[k] = true;
    if (k == FAMILIES)
        amphi_note(b->r->notes, CUTOFF_MISSING, line != NULL ? line->xml->where : at->where, pair);
    else
        amphi_note(b->r->notes, TREATMENT_MISSING, at->where, family_name[k], pair,
                   family_potential((Family)k)->treatments);
}

/* The treatment of one family between types i and j. */
static AmphiTreatment find_treatment(Book *b, Family family, int32_t i, int32_t j)
{
    const TreatmentLine *line = NULL;
    AmphiTreatment       t    = { .cutoff_nm = 1, .from_nm = 1, .permittivity = 1 };

    for (int32_t k = 0; k < b->n_treatments; k++)
        if (b->treatment[k].of[family] &&
            (b->treatment[k].all || matches(b->treatment[k].i, b->treatment[k].j, i, j)))
            line = &b->treatment[k];
    if (line == NULL) {
        note_once(b, (int32_t)family, NULL, i, j);
        return t;
    }
    t = line->treatment;
    if (t.cutoff_nm <= 0)
        t.cutoff_nm = b->cutoff_nm;
    if (t.cutoff_nm <= 0) {
        note_once(b, FAMILIES, line, i, j);
        t.cutoff_nm = 1;
    }
    if (t.from_nm <= 0)
        t.from_nm = t.cutoff_nm;
    else if (t.from_nm >= t.cutoff_nm && i <= j)
        amphi_xml_note(b->r->notes, FROM_BEYOND, line->xml, "from", NULL);
    return t;
}

static void add_strength_term(Book *b, AmphiPairRule *rule, const char *family, const char *name,
                              const AmphiTreatment *t)
{
    AmphiPairTerm *term = add_term(rule, amphi_spec_find(family, name));

    term->treatment = *t;
    term->field[0]  = b->coulomb;
}

static void add_strengths(Book *b, AmphiPairRule *rule, int32_t i, int32_t j)
{
    const bool     qi = b->has_charge[i], qj = b->has_charge[j];
    const bool     pi = b->has_dipole[i], pj = b->has_dipole[j];
    AmphiTreatment t;

    if (qi && qj) {
        t = find_treatment(b, CHARGES, i, j);
        add_strength_term(b, rule, "charges", "charge-charge", &t);
    }
    if ((qi && pj) || (pi && qj) || (pi && pj))
        t = find_treatment(b, DIPOLES, i, j);
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
        else
            term->field[k] = type->end;
    }
}

static int32_t field_index(const AmphiPotential *p, const char *name)
{
    for (int32_t k = 0; k < p->n_fields; k++)
        if (strcmp(p->field[k].name, name) == 0)
            return k;
    return -1;
}

static void scale_by_overrides(const Book *b, const AmphiPotential *p, AmphiPairTerm *term,
                               int32_t i, int32_t j)
{
    const int32_t epsilon = field_index(p, "epsilon"), sigma = field_index(p, "sigma");

    for (int32_t k = 0; k < b->n_overrides; k++) {
        const AmphiXml *xml = b->override[k].xml;

        if (!matches(b->override[k].i, b->override[k].j, i, j))
            continue;
        if (epsilon >= 0)
            term->field[epsilon] *= amphi_xml_quantity(xml, "scale-epsilon", 1);
        if (sigma >= 0)
            term->field[sigma] *= amphi_xml_quantity(xml, "scale-sigma", 1);
    }
}

static void add_gay_berne(Book *b, AmphiPairRule *rule, const PairLine *line, int32_t i, int32_t j)
{
    const AmphiBeadType  *ti = &b->s->type[i], *tj = &b->s->type[j];
    const AmphiTreatment  t = find_treatment(b, GAY_BERNE, i, j);
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
    rule->sigma_nm =
        fmax(rule->sigma_nm,
             sqrt((ti->breadth_nm * ti->breadth_nm + tj->breadth_nm * tj->breadth_nm) / 2));
}

static void add_lennard_jones(Book *b, AmphiPairRule *rule, const double field[], int32_t i,
                              int32_t j)
{
    const AmphiPotential *p    = amphi_spec_find("pair", "lennard-jones");
    AmphiPairTerm        *term = add_term(rule, p);

    term->treatment = find_treatment(b, LENNARD_JONES, i, j);
    memcpy(term->field, field, (size_t)p->n_fields * sizeof *field);
    scale_by_overrides(b, p, term, i, j);
    rule->sigma_nm = fmax(rule->sigma_nm, term->field[field_index(p, "sigma")]);
}

static void add_sticky(Book *b, AmphiPairRule *rule, const PairLine *line, int32_t i, int32_t j)
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
    term->treatment = (AmphiTreatment){ .type         = AMPHI_TRUNCATED,
                                        .cutoff_nm    = fmax(f[s + 1], f[s1 + 1]),
                                        .from_nm      = fmax(f[s + 1], f[s1 + 1]),
                                        .permittivity = 1 };
}

/* The line of this potential for types i and j; a second one is noted. */
static const PairLine *find_line(Book *b, const char *potential, int32_t i, int32_t j)
{
    const PairLine *found = NULL;

    for (int32_t k = 0; k < b->n_pairs; k++) {
        const PairLine *line = &b->pair[k];
        const char     *name = amphi_xml_text(line->xml, "potential");

        if (name == NULL || strcmp(name, potential) != 0 || !matches(line->i, line->j, i, j))
            continue;
        if (found != NULL && i <= j) {
            const char *place = amphi_arena_print(b->r->arena, "%s:%lld", found->xml->where.file,
                                                  (long long)found->xml->where.line);

            amphi_xml_note(b->r->notes, DUPLICATE, line->xml, "types", place != NULL ? place : "");
        }
        found = found == NULL ? line : found;
    }
    return found;
}

/* Lorentz-Berthelot from the like pairs. False: one of them has no line. */
static bool mix(Book *b, int32_t i, int32_t j, double field[])
{
    const AmphiPotential *p  = amphi_spec_find("pair", "lennard-jones");
    const PairLine       *li = find_line(b, "lennard-jones", i, i);
    const PairLine       *lj = find_line(b, "lennard-jones", j, j);
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

static void make_rule(Book *b, AmphiPairRule *rule, int32_t i, int32_t j)
{
    const PairLine *lj                      = find_line(b, "lennard-jones", i, j);
    const PairLine *sticky                  = find_line(b, "sticky", i, j);
    const PairLine *gb                      = find_line(b, "gay-berne", i, j);
    double          field[AMPHI_MAX_FIELDS] = { 0 };

    if (lj != NULL) {
        amphi_xml_fields(lj->xml, field);
        add_lennard_jones(b, rule, field, i, j);
    } else if (gb == NULL && find_line(b, "none", i, j) == NULL) {
        if (mix(b, i, j, field))
            add_lennard_jones(b, rule, field, i, j);
        else if (i <= j)
            amphi_note(b->r->notes, PAIR_MISSING, b->r->root->where, b->s->type[i].name,
                       b->s->type[j].name);
    }
    if (sticky != NULL)
        add_sticky(b, rule, sticky, i, j);
    if (gb != NULL)
        add_gay_berne(b, rule, gb, i, j);
    add_strengths(b, rule, i, j);
    for (int32_t k = 0; k < rule->n_terms; k++)
        rule->cutoff_nm = fmax(rule->cutoff_nm, rule->term[k].treatment.cutoff_nm);
}

static void find_strengths(Book *b)
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
    Book           b    = { .r = r, .s = s };

    if (n > MAX_TYPES_IN_USE) {
        amphi_note(r->notes, TOO_MANY, r->root->where, "bead types in use", "128");
        return;
    }
    b.has_charge = AMPHI_TAKE(r->arena, bool, n);
    b.has_dipole = AMPHI_TAKE(r->arena, bool, n);
    rule         = AMPHI_TAKE(r->arena, AmphiPairRule, n * n);
    if (b.has_charge == NULL || b.has_dipole == NULL || rule == NULL || !read_lines(&b))
        return;
    read_constants(&b);
    find_strengths(&b);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            make_rule(&b, &rule[i * n + j], i, j);
    s->pair_rule = rule;
    for (int64_t k = 0; k < n * n; k++)
        s->cutoff_nm = fmax(s->cutoff_nm, rule[k].cutoff_nm);
}
