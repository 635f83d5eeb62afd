/* Bead types and molecule types of the force fields. */
#include <stdio.h>
#include <string.h>

#include "reader.h"

/* A molecule is a molecule: longer ones are a mistake or an attack. */
enum { MAX_MOLECULE_BEADS = 100000, MAX_TYPES = 4096 };

static bool is_item(const AmphiXml *xml, const char *name)
{
    return strcmp(xml->name, name) == 0;
}

static int32_t count_items(const AmphiReader *r, const char *name)
{
    int32_t n = 0;

    for (int32_t k = 0; k < r->n_items; k++)
        n += is_item(r->item[k], name);
    return n;
}

static int32_t count_children(const AmphiXml *xml, const char *name)
{
    int32_t n = 0;

    for (const AmphiXml *c = amphi_xml_child(xml, name); c != NULL; c = amphi_xml_next(c, name))
        n++;
    return n;
}

void amphi_reader_unknown(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *word, const char *what, const char *const *known, int32_t n)
{
    const char *near = amphi_nearest(word, known, n);
    const char *mean = "", *list = "";

    for (int32_t k = 0; k < n && k < 40 && list != NULL; k++)
        list = amphi_arena_print(r->arena, "%s%s%s", list, k > 0 ? " " : "", known[k]);
    if (near != NULL)
        mean = amphi_arena_print(r->arena, "        (did you mean \"%s\"?)", near);
    amphi_xml_note(r->notes, UNKNOWN_NAME, xml, attribute, what, list != NULL ? list : "",
                   mean != NULL ? mean : "");
}

static void note_duplicate(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                           const AmphiXml *first)
{
    const char *place =
        amphi_arena_print(r->arena, "%s:%lld", first->where.file, (long long)first->where.line);

    amphi_xml_note(r->notes, DUPLICATE, xml, attribute, place != NULL ? place : "");
}

/* Bead types. */

/* Moments about body x y z, and how the bead turns. */
static void read_inertia(AmphiReader *r, const AmphiXml *xml, AmphiBeadType *type)
{
    const double inertia = amphi_xml_quantity(xml, "inertia", 0);
    double       m[3];

    type->rotor = AMPHI_POINT;
    if (amphi_xml_has(xml, "moments")) {
        if (!amphi_xml_vector(xml, "moments", m))
            return;
        if (!(m[0] > 0 && m[1] > 0 && m[2] > 0)) {
            amphi_xml_note(r->notes, NOT_POSITIVE, xml, "moments", NULL);
            return;
        }
        type->rotor = AMPHI_TOP;
        memcpy(type->inertia_u_nm2, m, sizeof m);
        if (amphi_xml_has(xml, "inertia"))
            amphi_xml_note(r->notes, BOTH_GIVEN, xml, "inertia", "moments");
        return;
    }
    if (!(inertia > 0))
        return;
    type->rotor            = amphi_xml_choice(xml, "rotor") == 1 ? AMPHI_TOP : AMPHI_LINEAR_ROTOR;
    type->inertia_u_nm2[0] = type->inertia_u_nm2[1] = inertia;
    type->inertia_u_nm2[2]                          = type->rotor == AMPHI_TOP ? inertia : 0;
}

static void read_beadtype(AmphiReader *r, const AmphiXml *xml)
{
    const char    *name = amphi_xml_text(xml, "name");
    AmphiBeadType *type = &r->type[r->n_types];

    if (name == NULL)
        return;
    for (int32_t k = 0; k < r->n_types; k++)
        if (strcmp(r->type[k].name, name) == 0) {
            note_duplicate(r, xml, "name", r->type_xml[k]);
            return;
        }
    *type = (AmphiBeadType){ .name        = name,
                             .mass_u      = amphi_xml_quantity(xml, "mass", 1),
                             .charge_e    = amphi_xml_quantity(xml, "charge", 0),
                             .dipole_e_nm = amphi_xml_quantity(xml, "dipole", 0),
                             .electrons   = amphi_xml_quantity(xml, "electrons", 0),
                             .breadth_nm  = amphi_xml_quantity(xml, "breadth", 0),
                             .side        = amphi_xml_quantity(xml, "side", 1),
                             .end         = amphi_xml_quantity(xml, "end", 1) };

    type->length_nm = amphi_xml_quantity(xml, "length", type->breadth_nm);
    read_inertia(r, xml, type);
    if (type->rotor == AMPHI_POINT && type->dipole_e_nm > 0)
        amphi_xml_note(r->notes, NO_INERTIA, xml, "dipole", NULL);
    if (type->rotor == AMPHI_POINT && type->length_nm != type->breadth_nm)
        amphi_xml_note(r->notes, NO_INERTIA, xml, "length", NULL);
    r->type_xml[r->n_types++] = xml;
}

int32_t amphi_reader_type(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *name)
{
    const char **known;

    for (int32_t k = 0; k < r->n_types; k++)
        if (strcmp(r->type[k].name, name) == 0)
            return k;
    known = AMPHI_TAKE(r->arena, const char *, r->n_types);
    for (int32_t k = 0; known != NULL && k < r->n_types; k++)
        known[k] = r->type[k].name;
    if (attribute != NULL && known != NULL)
        amphi_reader_unknown(r, xml, attribute, name, "bead type", known, r->n_types);
    return -1;
}

/* Molecule types. */

/* An id of a bead of the molecule as its place from 0; -1 with a note. */
static int32_t bead_place(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *word, const AmphiMoleculeType *m)
{
    double      id   = 0;
    const char *last = amphi_arena_print(r->arena, "%d", m->n_beads);

    if (amphi_units_number(word, &id) && id >= 1 && id <= m->n_beads && id == (int32_t)id)
        return (int32_t)id - 1;
    amphi_xml_note(r->notes, NO_SUCH_BEAD, xml, attribute, m->name, last != NULL ? last : "");
    return -1;
}

static void read_beads(AmphiReader *r, const AmphiXml *xml, AmphiMoleculeType *m)
{
    const int32_t n     = count_children(xml, "bead");
    int32_t      *types = AMPHI_TAKE(r->arena, int32_t, n);
    const char  **names = AMPHI_TAKE(r->arena, const char *, n);

    if (types == NULL || names == NULL || n > MAX_MOLECULE_BEADS)
        return;
    for (const AmphiXml *c = amphi_xml_child(xml, "bead"); c != NULL;
         c                 = amphi_xml_next(c, "bead")) {
        const char *name = amphi_xml_text(c, "type");

        types[m->n_beads] = name != NULL ? amphi_reader_type(r, c, "type", name) : -1;
        names[m->n_beads] = amphi_xml_text(c, "name") != NULL ? amphi_xml_text(c, "name") : name;
        m->n_beads++;
        if (amphi_xml_whole(c, "id", m->n_beads) != m->n_beads) {
            const char *id = amphi_arena_print(r->arena, "%d", m->n_beads);

            amphi_xml_note(r->notes, WRONG_ID, c, "id", id != NULL ? id : "");
        }
    }
    m->bead_type = types;
    m->bead_name = names;
}

/* One kind of bonded term with its numbers stands once in the list of rules. */
int32_t amphi_reader_bond_rule(AmphiReader *r, const AmphiBondRule *rule)
{
    /* a force field repeats itself nearby; looking further back would cost a square */
    const int32_t from = r->n_bond_rules > 256 ? r->n_bond_rules - 256 : 0;

    for (int32_t k = from; k < r->n_bond_rules; k++)
        if (memcmp(&r->bond_rule[k], rule, sizeof *rule) == 0)
            return k;
    if (r->n_bond_rules % 64 == 0)
        r->bond_rule = amphi_arena_grow(r->arena, r->bond_rule, r->n_bond_rules,
                                        r->n_bond_rules + 64, sizeof *rule);
    if (r->bond_rule == NULL)
        return 0;
    r->bond_rule[r->n_bond_rules] = *rule;
    return r->n_bond_rules++;
}

static bool has_repeats(const AmphiBond *bond, int32_t n)
{
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b < a; b++)
            if (bond->bead[a] == bond->bead[b])
                return true;
    return false;
}

/* False: faulty, and noted. */
static bool read_bond(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                      AmphiBond *bond)
{
    const AmphiPotential *p = xml->potential;
    AmphiBondRule         rule;
    int32_t               n;
    const char *const    *word = amphi_xml_names(xml, "beads", r->arena, &n);

    if (p == NULL || word == NULL || n == 0)
        return false;
    if (n != p->n_beads) {
        const char *wanted = amphi_arena_print(r->arena, "%d", p->n_beads);

        amphi_xml_note(r->notes, WRONG_NUMBER_OF_BEADS, xml, "beads", wanted != NULL ? wanted : "");
        return false;
    }
    memset(&rule, 0, sizeof rule);
    *bond = (AmphiBond){ 0 };
    for (int32_t k = 0; k < n; k++) {
        bond->bead[k] = bead_place(r, xml, "beads", word[k], m);
        if (bond->bead[k] < 0)
            return false;
    }
    /* an ellipsoid may be one end of the chain that its axis follows */
    if (has_repeats(bond, n) &&
        !(strcmp(p->name, "bond-axis") == 0 && bond->bead[1] != bond->bead[2])) {
        amphi_xml_note(r->notes, BEAD_TWICE, xml, "beads", NULL);
        return false;
    }
    rule.kind = p->kind;
    amphi_xml_fields(xml, rule.field);
    bond->rule = amphi_reader_bond_rule(r, &rule);
    return true;
}

static void read_bonds(AmphiReader *r, const AmphiXml *xml, AmphiMoleculeType *m)
{
    static const char *const element[] = { "bond", "angle", "orientation" };
    int32_t                  n         = 0;
    AmphiBond               *bonds;

    for (int32_t e = 0; e < 3; e++)
        n += count_children(xml, element[e]);
    bonds = AMPHI_TAKE(r->arena, AmphiBond, n);
    if (bonds == NULL)
        return;
    for (int32_t e = 0; e < 3; e++)
        for (const AmphiXml *c = amphi_xml_child(xml, element[e]); c != NULL;
             c                 = amphi_xml_next(c, element[e]))
            m->n_bonds += read_bond(r, c, m, &bonds[m->n_bonds]);
    m->bond = bonds;
}

static void read_tails(AmphiReader *r, const AmphiXml *xml, AmphiMoleculeType *m)
{
    AmphiTail *tails = AMPHI_TAKE(r->arena, AmphiTail, count_children(xml, "tail"));
    int32_t   *heads = AMPHI_TAKE(r->arena, int32_t, count_children(xml, "head"));

    for (const AmphiXml *c = amphi_xml_child(xml, "tail"); tails != NULL && c != NULL;
         c                 = amphi_xml_next(c, "tail")) {
        AmphiTail         *tail = &tails[m->n_tails];
        int32_t            n;
        const char *const *word = amphi_xml_names(c, "beads", r->arena, &n);
        int32_t           *bead = AMPHI_TAKE(r->arena, int32_t, n);

        if (bead == NULL || word == NULL)
            continue;
        tail->name    = amphi_xml_text(c, "name");
        tail->n_beads = n;
        tail->bead    = bead;
        for (int32_t k = 0; k < n; k++)
            bead[k] = bead_place(r, c, "beads", word[k], m);
        m->n_tails++;
    }
    for (const AmphiXml *c = amphi_xml_child(xml, "head"); heads != NULL && c != NULL;
         c                 = amphi_xml_next(c, "head")) {
        const char *id = amphi_xml_text(c, "bead");

        if (id != NULL)
            heads[m->n_heads++] = bead_place(r, c, "bead", id, m);
    }
    m->tail = tails;
    m->head = heads;
}

static void read_moleculetype(AmphiReader *r, const AmphiXml *xml)
{
    AmphiMoleculeType *m    = &r->molecule_type[r->n_molecule_types];
    const char        *name = amphi_xml_text(xml, "name");

    if (name == NULL)
        return;
    for (int32_t k = 0; k < r->n_molecule_types; k++)
        if (strcmp(r->molecule_type[k].name, name) == 0) {
            note_duplicate(r, xml, "name", r->molecule_xml[k]);
            return;
        }
    *m = (AmphiMoleculeType){ .name = name, .kind = amphi_xml_text(xml, "kind") };
    r->molecule_xml[r->n_molecule_types++] = xml;
    read_beads(r, xml, m);
    read_bonds(r, xml, m);
    read_tails(r, xml, m);
}

int32_t amphi_reader_molecule_type(AmphiReader *r, const AmphiXml *xml, const char *attribute)
{
    const char  *name = amphi_xml_text(xml, attribute);
    const char **known;

    for (int32_t k = 0; name != NULL && k < r->n_molecule_types; k++)
        if (strcmp(r->molecule_type[k].name, name) == 0)
            return k;
    known = AMPHI_TAKE(r->arena, const char *, r->n_molecule_types);
    for (int32_t k = 0; known != NULL && k < r->n_molecule_types; k++)
        known[k] = r->molecule_type[k].name;
    if (name != NULL && known != NULL)
        amphi_reader_unknown(r, xml, attribute, name, "molecule type", known, r->n_molecule_types);
    return -1;
}

void amphi_reader_types(AmphiReader *r)
{
    const int32_t n_types     = count_items(r, "beadtype");
    const int32_t n_molecules = count_items(r, "moleculetype");

    r->type          = AMPHI_TAKE(r->arena, AmphiBeadType, n_types);
    r->type_xml      = AMPHI_TAKE(r->arena, const AmphiXml *, n_types);
    r->molecule_type = AMPHI_TAKE(r->arena, AmphiMoleculeType, n_molecules);
    r->molecule_xml  = AMPHI_TAKE(r->arena, const AmphiXml *, n_molecules);
    if (n_types > MAX_TYPES || n_molecules > MAX_TYPES) {
        amphi_note(r->notes, TOO_MANY, r->root->where, "bead types or molecule types", "4096");
        return;
    }
    if (r->type == NULL || r->type_xml == NULL || r->molecule_type == NULL ||
        r->molecule_xml == NULL)
        return;
    for (int32_t k = 0; k < r->n_items; k++)
        if (is_item(r->item[k], "beadtype"))
            read_beadtype(r, r->item[k]);
    for (int32_t k = 0; k < r->n_items; k++)
        if (is_item(r->item[k], "moleculetype"))
            read_moleculetype(r, r->item[k]);
}
