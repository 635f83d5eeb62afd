/* Pair rules: which potentials act between two bead types, with which treatment at the cut-off.
 *
 * Every pair of types in use needs a <pair> element, or a mixing rule, or `none`. Charges and
 * dipoles interact without one. Of several treatments or cut-offs that match, the last is used;
 * those of the job come after those of the force fields.
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

/* One potential between two types of beads in use. */
typedef struct {
    const AmphiXml *xml;
    int32_t         next; /* of the same types; -1: none */
} PairLine;

typedef struct {
    const AmphiXml *xml;
    bool            of[FAMILIES];
    AmphiTreatment  treatment; /* cutoff_nm 0: the common one */
} TreatmentLine;

typedef struct {
    const AmphiXml *xml;
    int32_t         i, j;
} OverrideLine;

/* A factor on a parameter of two types, and the override that has set it; NULL: none has. */
typedef struct {
    double          factor;
    const AmphiXml *xml;
} Scale;

/* Tables [n_types][n_types] are symmetric; -1 stands for no line. */
typedef struct {
    AmphiReader    *r;
    AmphiSystem    *s;
    int32_t         n_pairs, n_treatments, n_overrides;
    PairLine       *pair;
    TreatmentLine  *treatment;
    OverrideLine   *override;
    int32_t        *first_pair;               /* the chain of lines of two types */
    int32_t        *last_treatment[FAMILIES]; /* the last line that names two types */
    int32_t         last_of_all[FAMILIES];    /* the last line for all pairs */
    Scale          *scale_epsilon, *scale_sigma;
    const AmphiXml *mixing;
    double          cutoff_nm; /* 0: none given */
    double          coulomb;
    bool           *has_charge, *has_dipole; /* [n_types] some bead of the type has */
    bool            missing[FAMILIES + 1]; /* noted already: no treatment; [FAMILIES]: no cut-off */
} Book;

/* The lines. */

/* Two names of bead types, as types in use; -1: not in use. False: not two, or not known; noted. */
static bool read_pair_of_types(Book *b, const AmphiXml *xml, const char *attribute, int32_t *i,
                               int32_t *j)
{
    int32_t            n, first, second;
    const char *const *word = amphi_xml_names(xml, attribute, b->r->arena, &n);

    if (word == NULL || n == 0)
        return false;
    if (n != 2) {
        amphi_xml_note(b->r->notes, NOT_TWO_TYPES, xml, attribute, NULL);
        return false;
    }
    first  = amphi_reader_type(b->r, xml, attribute, word[0]);
    second = amphi_reader_type(b->r, xml, attribute, word[1]);
    if (first < 0 || second < 0)
        return false;
    *i = b->r->type_used[first];
    *j = b->r->type_used[second];
    return true;
}

/* Index of a pair of types in the tables, and of the same pair reversed. */
static int64_t place_of(const Book *b, int32_t i, int32_t j)
{
    return (int64_t)i * b->s->n_types + j;
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

static void enter_treatment(Book *b, const TreatmentLine *line, bool all, int32_t i, int32_t j)
{
    const int32_t k = b->n_treatments++;

    b->treatment[k] = *line;
    for (int32_t f = 0; f < FAMILIES; f++) {
        if (!line->of[f])
            continue;
        if (all)
            b->last_of_all[f] = k;
        else
            b->last_treatment[f][place_of(b, i, j)] = b->last_treatment[f][place_of(b, j, i)] = k;
    }
}

static void read_treatment(Book *b, const AmphiXml *xml)
{
    const bool         all  = !amphi_xml_has(xml, "pair");
    TreatmentLine      line = { .xml = xml };
    int32_t            n, i = 0, j = 0;
    const char *const *of = amphi_xml_names(xml, "of", b->r->arena, &n);

    if (of == NULL || amphi_xml_choice(xml, "type") < 0)
        return;
    for (int32_t k = 0; k < n; k++)
        for (int32_t f = 0; f < FAMILIES; f++)
            line.of[f] = line.of[f] || strcmp(of[k], family_name[f]) == 0;
    if (!all && !read_pair_of_types(b, xml, "pair", &i, &j))
        return;
    line.treatment.type         = amphi_xml_choice(xml, "type");
    line.treatment.cutoff_nm    = amphi_xml_quantity(xml, "cutoff", 0);
    line.treatment.from_nm      = amphi_xml_quantity(xml, "from", 0);
    line.treatment.permittivity = amphi_xml_quantity(xml, "permittivity", 1);
    check_treatment_attributes(b, xml, line.treatment.type);
    check_treatment_families(b, &line);
    if (i >= 0 && j >= 0)
        enter_treatment(b, &line, all, i, j);
}

/* Each factor stands once for two types: given twice it might be meant to act once. */
static void set_scale(Book *b, Scale *scale, const AmphiXml *xml, const char *attribute, int32_t i,
                      int32_t j)
{
    const Scale *const before = &scale[place_of(b, i, j)];

    if (!amphi_xml_has(xml, attribute))
        return;
    if (before->xml != NULL)
        amphi_xml_note(b->r->notes, DUPLICATE, xml, attribute,
                       amphi_reader_place(b->r, before->xml));
    else
        scale[place_of(b, i, j)] = scale[place_of(b, j, i)] =
            (Scale){ amphi_xml_quantity(xml, attribute, 1), xml };
}

static void read_override(Book *b, const AmphiXml *xml)
{
    const double epsilon = amphi_xml_quantity(xml, "scale-epsilon", 1);
    const double sigma   = amphi_xml_quantity(xml, "scale-sigma", 1);
    const char  *why     = amphi_xml_text(xml, "why");
    int32_t      i, j;

    if (!read_pair_of_types(b, xml, "pair", &i, &j) || i < 0 || j < 0 || why == NULL)
        return;
    set_scale(b, b->scale_epsilon, xml, "scale-epsilon", i, j);
    set_scale(b, b->scale_sigma, xml, "scale-sigma", i, j);
    b->override[b->n_overrides] = (OverrideLine){ xml, i, j };
    b->r->job->override[b->n_overrides++] =
        amphi_arena_print(b->r->arena, "%s: epsilon x %g, sigma x %g: %s",
                          amphi_xml_text(xml, "pair"), epsilon, sigma, why);
}

static bool is_potential(const AmphiXml *xml, const char *potential)
{
    const char *name = amphi_xml_text(xml, "potential");

    return name != NULL && strcmp(name, potential) == 0;
}

/* Each potential stands once for two types, and `none` stands alone. */
static void read_pair(Book *b, const AmphiXml *xml)
{
    const char *potential = amphi_xml_text(xml, "potential");
    int32_t     i, j;

    if (!read_pair_of_types(b, xml, "types", &i, &j) || i < 0 || j < 0 || potential == NULL)
        return;
    for (int32_t k = b->first_pair[place_of(b, i, j)]; k >= 0; k = b->pair[k].next)
        if (is_potential(b->pair[k].xml, potential) || is_potential(b->pair[k].xml, "none") ||
            strcmp(potential, "none") == 0) {
            amphi_xml_note(b->r->notes, DUPLICATE, xml, "types",
                           amphi_reader_place(b->r, b->pair[k].xml));
            return;
        }
    b->pair[b->n_pairs]              = (PairLine){ xml, b->first_pair[place_of(b, i, j)] };
    b->first_pair[place_of(b, i, j)] = b->first_pair[place_of(b, j, i)] = b->n_pairs++;
}

static void read_line(Book *b, const AmphiXml *xml)
{
    if (strcmp(xml->name, "pair") == 0)
        read_pair(b, xml);
    else if (strcmp(xml->name, "override") == 0)
        read_override(b, xml);
    else if (strcmp(xml->name, "treatment") == 0)
        read_treatment(b, xml);
    else if (strcmp(xml->name, "mixing") == 0)
        b->mixing = xml;
    else if (strcmp(xml->name, "cutoff") == 0)
        b->cutoff_nm = amphi_xml_quantity(xml, "distance", b->cutoff_nm);
}

static bool take_book(Book *b, int32_t n_lines)
{
    AmphiArena   *arena   = b->r->arena;
    const int64_t n_pairs = (int64_t)b->s->n_types * b->s->n_types;

    b->pair             = AMPHI_TAKE(arena, PairLine, n_lines);
    b->treatment        = AMPHI_TAKE(arena, TreatmentLine, n_lines);
    b->override         = AMPHI_TAKE(arena, OverrideLine, n_lines);
    b->r->job->override = AMPHI_TAKE(arena, const char *, n_lines);
    b->first_pair       = AMPHI_TAKE(arena, int32_t, n_pairs);
    b->scale_epsilon    = AMPHI_TAKE(arena, Scale, n_pairs);
    b->scale_sigma      = AMPHI_TAKE(arena, Scale, n_pairs);
    b->has_charge       = AMPHI_TAKE(arena, bool, b->s->n_types);
    b->has_dipole       = AMPHI_TAKE(arena, bool, b->s->n_types);
    for (int32_t f = 0; f < FAMILIES; f++) {
        b->last_treatment[f] = AMPHI_TAKE(arena, int32_t, n_pairs);
        b->last_of_all[f]    = -1;
    }
    if (amphi_arena_failed(arena))
        return false;
    for (int64_t k = 0; k < n_pairs; k++) {
        b->first_pair[k] = -1;
        for (int32_t f = 0; f < FAMILIES; f++)
            b->last_treatment[f][k] = -1;
        b->scale_epsilon[k].factor = b->scale_sigma[k].factor = 1;
    }
    return true;
}

static bool read_lines(Book *b)
{
    AmphiReader    *r     = b->r;
    const AmphiXml *inter = amphi_xml_child(r->root, "interactions");
    int32_t         n     = r->n_items;

    for (const AmphiXml *c = inter != NULL ? inter->child : NULL; c != NULL; c = c->next)
        n++;
    if (!take_book(b, n))
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
    const int32_t        of_pair = b->last_treatment[family][place_of(b, i, j)];
    const int32_t        of_all  = b->last_of_all[family];
    const int32_t        last    = of_pair > of_all ? of_pair : of_all;
    const TreatmentLine *line    = last >= 0 ? &b->treatment[last] : NULL;
    AmphiTreatment       t       = { .cutoff_nm = 1, .from_nm = 1, .permittivity = 1 };

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

/* Gay-Berne has its sigma from the breadths and lengths of both beads: with all of them scaled,
 * sigma is longer by the same factor in every orientation, and nothing else changes. */
static void scale_by_overrides(const Book *b, const AmphiPotential *p, AmphiPairTerm *term,
                               int32_t i, int32_t j)
{
    static const char *const lengths[] = { "sigma", "breadth_i", "length_i", "breadth_j",
                                           "length_j" };
    const int32_t            epsilon   = field_index(p, "epsilon");

    if (epsilon >= 0)
        term->field[epsilon] *= b->scale_epsilon[place_of(b, i, j)].factor;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        if (field_index(p, lengths[k]) >= 0)
            term->field[field_index(p, lengths[k])] *= b->scale_sigma[place_of(b, i, j)].factor;
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
             sqrt((ti->breadth_nm * ti->breadth_nm + tj->breadth_nm * tj->breadth_nm) / 2) *
                 b->scale_sigma[place_of(b, i, j)].factor);
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

static const PairLine *find_line(const Book *b, const char *potential, int32_t i, int32_t j)
{
    for (int32_t k = b->first_pair[place_of(b, i, j)]; k >= 0; k = b->pair[k].next)
        if (is_potential(b->pair[k].xml, potential))
            return &b->pair[k];
    return NULL;
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
            amphi_note(b->r->notes, PAIR_MISSING, amphi_xml_child(b->r->root, "forcefield")->where,
                       b->s->type[i].name, b->s->type[j].name);
    }
    if (sticky != NULL)
        add_sticky(b, rule, sticky, i, j);
    if (gb != NULL)
        add_gay_berne(b, rule, gb, i, j);
    add_strengths(b, rule, i, j);
    for (int32_t k = 0; k < rule->n_terms; k++)
        rule->cutoff_nm = fmax(rule->cutoff_nm, rule->term[k].treatment.cutoff_nm);
}

static void check_overrides(const Book *b)
{
    for (int32_t k = 0; k < b->n_overrides; k++) {
        const OverrideLine *line = &b->override[k];
        const PairLine     *none = find_line(b, "none", line->i, line->j);

        if (none != NULL)
            amphi_xml_note(b->r->notes, OVERRIDE_OF_NONE, line->xml, "pair",
                           amphi_reader_place(b->r, none->xml));
    }
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
        amphi_note(r->notes, TOO_MANY, amphi_xml_child(r->root, "system")->where,
                   "bead types in use", "128");
        return;
    }
    rule = AMPHI_TAKE(r->arena, AmphiPairRule, n * n);
    if (rule == NULL || !read_lines(&b))
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
