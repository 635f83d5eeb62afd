/* The lines of pair rules: <pair>, <treatment>, <override>, <mixing>, <cutoff>. Of several that
 * match, the last is used; those of the job come after those of the force fields.
 */
#include "job_pairs.h"

/* The choices of the schema's <treatment of="...">: test_job.c holds one to the other. */
static const char *const family_name[PAIR_FAMILIES] = { [PAIR_LENNARD_JONES] = "lennard-jones",
                                                        [PAIR_CHARGES]       = "charges",
                                                        [PAIR_DIPOLES]       = "dipoles",
                                                        [PAIR_GAY_BERNE]     = "gay-berne" };

const char *amphi_pair_family(AmphiPairFamily family)
{
    return family_name[family];
}

const AmphiPotential *amphi_pair_family_potential(AmphiPairFamily family)
{
    switch (family) {
    case PAIR_LENNARD_JONES:
        return amphi_spec_find("pair", "lennard-jones");
    case PAIR_CHARGES:
        return amphi_spec_find("charges", "charge-charge");
    case PAIR_DIPOLES:
        return amphi_spec_find("dipoles", "dipole-dipole");
    case PAIR_GAY_BERNE:
        return amphi_spec_find("pair", "gay-berne");
    case PAIR_FAMILIES:
        break;
    }
    return NULL;
}

/* Two names of bead types, as types in use; -1: not in use. False: not two, or not known; noted. */
static bool read_pair_of_types(AmphiPairBook *b, const AmphiXml *xml, const char *attribute,
                               int32_t *i, int32_t *j)
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

static void note_no_use(AmphiPairBook *b, const AmphiXml *xml, const char *attribute)
{
    if (amphi_xml_has(xml, attribute) && amphi_xml_is_choice(xml, "type"))
        amphi_xml_note(b->r->notes, TREATMENT_NO_USE, xml, attribute, amphi_xml_text(xml, "type"));
}

static void note_needed(AmphiPairBook *b, const AmphiXml *xml, const char *attribute,
                        const char *example)
{
    if (!amphi_xml_has(xml, attribute))
        amphi_note(b->r->notes, TREATMENT_NEEDS, xml->where, amphi_xml_text(xml, "type"), attribute,
                   example);
}

static void check_treatment_attributes(AmphiPairBook *b, const AmphiXml *xml, int32_t type)
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

static void check_treatment_families(AmphiPairBook *b, const AmphiTreatmentLine *line)
{
    if (!amphi_xml_is_choice(line->xml, "type"))
        return; /* noted */
    for (int32_t f = 0; f < PAIR_FAMILIES; f++) {
        const char *takes = amphi_pair_family_potential((AmphiPairFamily)f)->treatments;

        if (line->of[f] && !amphi_schema_is_word(takes, amphi_xml_text(line->xml, "type")))
            amphi_xml_note(b->r->notes, TREATMENT_NOT_OF, line->xml, "type", family_name[f], takes);
    }
}

/* Lines of <interactions> stand behind those of force fields to replace them; of two force fields
 * one changes the other. */
static void note_replaced(AmphiPairBook *b, const AmphiXml *xml, const char *attribute,
                          const AmphiXml *before)
{
    if (b->is_of_force_field)
        amphi_xml_note(b->r->notes, REPLACED, xml, attribute, amphi_reader_place(b->r, before));
}

static bool is_same_treatment(const AmphiTreatment *a, const AmphiTreatment *b)
{
    return a->type == b->type && a->cutoff_nm == b->cutoff_nm && a->from_nm == b->from_nm &&
           a->permittivity == b->permittivity && a->permittivity_within == b->permittivity_within;
}

/* The first line of all pairs that this one replaces and is not the same; NULL: there is none. */
static const AmphiXml *find_replaced(const AmphiPairBook *b, const AmphiTreatmentLine *line)
{
    for (int32_t f = 0; f < PAIR_FAMILIES; f++) {
        const int32_t k = b->last_of_all[f];

        if (line->of[f] && k >= 0 &&
            !is_same_treatment(&b->treatment[k].treatment, &line->treatment))
            return b->treatment[k].xml;
    }
    return NULL;
}

static void enter_treatment(AmphiPairBook *b, const AmphiTreatmentLine *line, bool all, int32_t i,
                            int32_t j)
{
    const int32_t         k        = b->n_treatments++;
    const AmphiXml *const replaced = all ? find_replaced(b, line) : NULL;

    if (replaced != NULL)
        note_replaced(b, line->xml, "of", replaced);
    b->treatment[k] = *line;
    for (int32_t f = 0; f < PAIR_FAMILIES; f++) {
        if (!line->of[f])
            continue;
        if (all)
            b->last_of_all[f] = k;
        else
            b->last_treatment[f][amphi_pair_place(b, i, j)] =
                b->last_treatment[f][amphi_pair_place(b, j, i)] = k;
    }
}

/* The families that a treatment is of. False: not all of its words are known, which is noted. */
static bool read_families(AmphiPairBook *b, const AmphiXml *xml, bool of[PAIR_FAMILIES])
{
    int32_t            n, n_known = 0;
    const char *const *word = amphi_xml_names(xml, "of", b->r->arena, &n);

    for (int32_t k = 0; word != NULL && k < n; k++)
        for (int32_t f = 0; f < PAIR_FAMILIES; f++)
            if (strcmp(word[k], family_name[f]) == 0) {
                of[f] = true;
                n_known++;
            }
    return word != NULL && n_known == n;
}

static void read_treatment(AmphiPairBook *b, const AmphiXml *xml)
{
    const bool         all  = !amphi_xml_has(xml, "pair");
    AmphiTreatmentLine line = { .xml = xml };
    int32_t            i = 0, j = 0;

    if (!read_families(b, xml, line.of) || amphi_xml_choice(xml, "type") < 0 ||
        (!all && !read_pair_of_types(b, xml, "pair", &i, &j))) {
        b->lacks_treatments = true;
        return;
    }
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
static void set_scale(AmphiPairBook *b, AmphiPairScale *scale, const AmphiXml *xml,
                      const char *attribute, int32_t i, int32_t j)
{
    const AmphiPairScale *const before = &scale[amphi_pair_place(b, i, j)];

    if (!amphi_xml_has(xml, attribute))
        return;
    if (before->xml != NULL)
        amphi_xml_note(b->r->notes, DUPLICATE, xml, attribute,
                       amphi_reader_place(b->r, before->xml));
    else
        scale[amphi_pair_place(b, i, j)] = scale[amphi_pair_place(b, j, i)] =
            (AmphiPairScale){ amphi_xml_quantity(xml, attribute, 1), xml };
}

static void read_override(AmphiPairBook *b, const AmphiXml *xml)
{
    const double epsilon = amphi_xml_quantity(xml, "scale-epsilon", 1);
    const double sigma   = amphi_xml_quantity(xml, "scale-sigma", 1);
    const char  *why     = amphi_xml_text(xml, "why");
    int32_t      i, j;

    if (!read_pair_of_types(b, xml, "pair", &i, &j) || i < 0 || j < 0 || why == NULL)
        return;
    if (!amphi_xml_has(xml, "scale-epsilon") && !amphi_xml_has(xml, "scale-sigma"))
        amphi_xml_note(b->r->notes, NO_FACTOR, xml, "pair", NULL);
    set_scale(b, b->scale_epsilon, xml, "scale-epsilon", i, j);
    set_scale(b, b->scale_sigma, xml, "scale-sigma", i, j);
    b->override[b->n_overrides] = (AmphiOverrideLine){ xml, i, j };
    b->r->job->override[b->n_overrides++] =
        amphi_arena_print(b->r->arena, "%s: epsilon x %g, sigma x %g: %s",
                          amphi_xml_text(xml, "pair"), epsilon, sigma, why);
}

/* Each potential stands once for two types, and `none` stands alone. */
static void read_pair(AmphiPairBook *b, const AmphiXml *xml)
{
    const char *potential = amphi_xml_text(xml, "potential");
    int32_t     i, j;

    if (!read_pair_of_types(b, xml, "types", &i, &j) || potential == NULL) {
        b->lacks_pairs = true;
        return;
    }
    if (i < 0 || j < 0)
        return;
    for (int32_t k = b->first_pair[amphi_pair_place(b, i, j)]; k >= 0; k = b->pair[k].next)
        if (amphi_pair_is_potential(b->pair[k].xml, potential) ||
            amphi_pair_is_potential(b->pair[k].xml, "none") || strcmp(potential, "none") == 0) {
            amphi_xml_note(b->r->notes, DUPLICATE, xml, "types",
                           amphi_reader_place(b->r, b->pair[k].xml));
            return;
        }
    b->pair[b->n_pairs] = (AmphiPairLine){ xml, b->first_pair[amphi_pair_place(b, i, j)] };
    b->first_pair[amphi_pair_place(b, i, j)] = b->first_pair[amphi_pair_place(b, j, i)] =
        b->n_pairs++;
}

static void read_cutoff(AmphiPairBook *b, const AmphiXml *xml)
{
    const double distance = amphi_xml_quantity(xml, "distance", 0);

    if (distance > 0 && b->cutoff != NULL && distance != b->cutoff_nm)
        note_replaced(b, xml, "distance", b->cutoff);
    if (distance > 0) {
        b->cutoff_nm = distance;
        b->cutoff    = xml;
    } else
        b->lacks_cutoff = true;
}

static void read_line(AmphiPairBook *b, const AmphiXml *xml)
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
        read_cutoff(b, xml);
}

static bool take_book(AmphiPairBook *b, int32_t n_lines)
{
    AmphiArena   *arena   = b->r->arena;
    const int64_t n_pairs = (int64_t)b->s->n_types * b->s->n_types;

    b->pair             = AMPHI_TAKE(arena, AmphiPairLine, n_lines);
    b->treatment        = AMPHI_TAKE(arena, AmphiTreatmentLine, n_lines);
    b->override         = AMPHI_TAKE(arena, AmphiOverrideLine, n_lines);
    b->r->job->override = AMPHI_TAKE(arena, const char *, n_lines);
    b->first_pair       = AMPHI_TAKE(arena, int32_t, n_pairs);
    b->scale_epsilon    = AMPHI_TAKE(arena, AmphiPairScale, n_pairs);
    b->scale_sigma      = AMPHI_TAKE(arena, AmphiPairScale, n_pairs);
    b->has_charge       = AMPHI_TAKE(arena, bool, b->s->n_types);
    b->has_dipole       = AMPHI_TAKE(arena, bool, b->s->n_types);
    for (int32_t f = 0; f < PAIR_FAMILIES; f++) {
        b->last_treatment[f] = AMPHI_TAKE(arena, int32_t, n_pairs);
        b->last_of_all[f]    = -1;
    }
    if (amphi_arena_failed(arena))
        return false;
    for (int64_t k = 0; k < n_pairs; k++) {
        b->first_pair[k] = -1;
        for (int32_t f = 0; f < PAIR_FAMILIES; f++)
            b->last_treatment[f][k] = -1;
        b->scale_epsilon[k].factor = b->scale_sigma[k].factor = 1;
    }
    return true;
}

bool amphi_pair_lines(AmphiPairBook *b)
{
    AmphiReader    *r     = b->r;
    const AmphiXml *inter = amphi_xml_child(r->root, "interactions");
    int32_t         n     = r->n_items;

    for (const AmphiXml *c = inter != NULL ? inter->child : NULL; c != NULL; c = c->next)
        n++;
    if (!take_book(b, n))
        return false;
    b->is_of_force_field = true;
    for (int32_t k = 0; k < r->n_items; k++)
        read_line(b, r->item[k]);
    b->is_of_force_field = false;
    for (const AmphiXml *c = inter != NULL ? inter->child : NULL; c != NULL; c = c->next)
        if (c->element != NULL)
            read_line(b, c);
    r->job->n_overrides = b->n_overrides;
    return true;
}
