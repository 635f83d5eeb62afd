/* Bead types and molecule types of the force fields. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/* A larger molecule is a mistake or an attack. */
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

/* Names. */

static int compare_named(const void *a, const void *b)
{
    const AmphiNamed *p = a, *q = b;
    const int         c = strcmp(p->name, q->name);

    return c != 0 ? c : (p->place > q->place) - (p->place < q->place);
}

/* The index of the first element of that name; -1: none. */
static int32_t find_named(const AmphiNamed *named, int32_t n, const char *name)
{
    int32_t low = 0, high = n;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (strcmp(named[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strcmp(named[low].name, name) == 0 ? named[low].place : -1;
}

/* After so many faults the list of known names is left out. */
enum { ENOUGH_FAULTS = 100, LONGEST_LIST = 40 };

/* The first names as one text. */
static const char *list_names(AmphiReader *r, const AmphiNamed *known, int32_t n)
{
    const char *list = "";

    for (int32_t k = 0; k < n && k < LONGEST_LIST && list != NULL; k++)
        list = amphi_arena_print(r->arena, "%s%s%s", list, k > 0 ? " " : "", known[k].name);
    if (n > LONGEST_LIST && list != NULL)
        list = amphi_arena_print(r->arena, "%s ... (%d in all)", list, n);
    return list != NULL ? list : "";
}

static const char *did_you_mean(AmphiReader *r, const char *word, const AmphiNamed *known,
                                int32_t n)
{
    const char **name = AMPHI_TAKE(r->arena, const char *, n);
    const char  *near, *out = NULL;

    for (int32_t k = 0; name != NULL && k < n; k++)
        name[k] = known[k].name;
    near = name != NULL ? amphi_nearest(word, name, n) : NULL;
    if (near != NULL)
        out = amphi_arena_print(r->arena, "        (did you mean \"%s\"?)", near);
    return out != NULL ? out : "";
}

void amphi_reader_unknown(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *word, const char *what, const AmphiNamed *known, int32_t n)
{
    const bool  is_late = amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) >= ENOUGH_FAULTS;
    const char *list    = is_late ? "..." : list_names(r, known, n);
    const char *mean    = is_late ? "" : did_you_mean(r, word, known, n);

    amphi_xml_note(r->notes, UNKNOWN_NAME, xml, attribute, what, n > 0 ? list : "(none is defined)",
                   mean);
}

const char *amphi_reader_digits(AmphiReader *r, int64_t n)
{
    const char *out = amphi_arena_print(r->arena, "%lld", (long long)n);

    return out != NULL ? out : "";
}

const char *amphi_reader_place(AmphiReader *r, const AmphiXml *xml)
{
    const char *place =
        amphi_arena_print(r->arena, "%s:%lld", xml->where.file, (long long)xml->where.line);

    return place != NULL ? place : "";
}

/* The elements of one kind that have names, and their names sorted. An element whose name is
 * already taken is noted and left out. */
typedef struct {
    int32_t          n;
    const AmphiXml **xml;   /* [n] in the order of the files */
    AmphiNamed      *named; /* [n] sorted; places in xml */
} Definitions;

static bool find_definitions(AmphiReader *r, const char *element, Definitions *out)
{
    const int32_t most = count_items(r, element);
    AmphiNamed   *all  = AMPHI_TAKE(r->arena, AmphiNamed, most);
    int32_t       n    = 0;

    *out = (Definitions){ 0, AMPHI_TAKE(r->arena, const AmphiXml *, most),
                          AMPHI_TAKE(r->arena, AmphiNamed, most) };
    if (all == NULL || out->xml == NULL || out->named == NULL)
        return false;
    for (int32_t k = 0; k < r->n_items; k++)
        if (is_item(r->item[k], element) && amphi_xml_text(r->item[k], "name") != NULL)
            all[n++] = (AmphiNamed){ amphi_xml_text(r->item[k], "name"), k };
    qsort(all, (size_t)n, sizeof *all, compare_named);
    for (int32_t k = 0; k < r->n_items; k++) {
        const char *name = is_item(r->item[k], element) ? amphi_xml_text(r->item[k], "name") : NULL;
        const int32_t first = name != NULL ? find_named(all, n, name) : k;

        if (name == NULL && is_item(r->item[k], element))
            r->lacks_items = true;
        if (first != k)
            amphi_xml_note(r->notes, DUPLICATE, r->item[k], "name",
                           amphi_reader_place(r, r->item[first]));
        else if (name != NULL) {
            out->named[out->n] = (AmphiNamed){ name, out->n };
            out->xml[out->n++] = r->item[k];
        }
    }
    qsort(out->named, (size_t)out->n, sizeof *out->named, compare_named);
    return true;
}

/* Bead types. */

/* What is nearer to one axis is further from another: no mass has a moment above the other two
 * together, and a flat one has as much. To a thousandth, for rounded numbers. */
static bool has_a_body(const double m[3])
{
    const double most = fmax(m[0], fmax(m[1], m[2]));

    return most <= (m[0] + m[1] + m[2] - most) * 1.001;
}

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
        if (!has_a_body(m))
            amphi_xml_note(r->notes, NO_SUCH_BODY, xml, "moments", NULL);
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
    AmphiBeadType *type = &r->type[r->n_types++];

    *type = (AmphiBeadType){ .name        = amphi_xml_text(xml, "name"),
                             .mass_u      = amphi_xml_quantity(xml, "mass", 1),
                             .charge_e    = amphi_xml_quantity(xml, "charge", 0),
                             .dipole_e_nm = amphi_xml_quantity(xml, "dipole", 0),
                             .electrons   = amphi_xml_quantity(xml, "electrons", 0),
                             .breadth_nm  = amphi_xml_quantity(xml, "breadth", 0),
                             .side        = amphi_xml_quantity(xml, "side", 1),
                             .end         = amphi_xml_quantity(xml, "end", 1) };

    type->length_nm = amphi_xml_quantity(xml, "length", type->breadth_nm);
    read_inertia(r, xml, type);
    if (amphi_xml_has(xml, "inertia") || amphi_xml_has(xml, "moments"))
        return;
    if (type->dipole_e_nm > 0)
        amphi_xml_note(r->notes, NO_INERTIA, xml, "dipole", NULL);
    if (type->length_nm != type->breadth_nm)
        amphi_xml_note(r->notes, NO_INERTIA, xml, "length", NULL);
}

int32_t amphi_reader_type(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *name)
{
    const int32_t k = find_named(r->type_named, r->n_types, name);

    if (k < 0 && !r->lacks_items)
        amphi_reader_unknown(r, xml, attribute, name, "bead type", r->type_named, r->n_types);
    return k;
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

    if (n > MAX_MOLECULE_BEADS)
        amphi_note(r->notes, TOO_MANY, xml->where, "beads in a molecule", "100000");
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

static bool is_same_rule(const AmphiBondRule *a, const AmphiBondRule *b)
{
    bool is_same = a->kind == b->kind;

    for (int32_t k = 0; k < AMPHI_MAX_FIELDS; k++)
        is_same = is_same && a->field[k] == b->field[k];
    return is_same;
}

/* Equal bonded terms share one rule of the list. */
int32_t amphi_reader_bond_rule(AmphiReader *r, const AmphiBondRule *rule)
{
    /* equal rules are close to each other in a force field; a full search would take quadratic
     * time */
    const int32_t from = r->n_bond_rules > 256 ? r->n_bond_rules - 256 : 0;

    if (amphi_arena_failed(r->arena))
        return 0;
    for (int32_t k = from; k < r->n_bond_rules; k++)
        if (is_same_rule(&r->bond_rule[k], rule))
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

/* Of an orientation, its first bead. */
static bool can_turn(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                     const AmphiBond *bond)
{
    const int32_t type = m->bead_type[bond->bead[0]];

    if (strcmp(xml->potential->element, "orientation") != 0 || type < 0 ||
        r->type[type].rotor != AMPHI_POINT)
        return true;
    amphi_xml_note(r->notes, CANNOT_TURN, xml, "beads", r->type[type].name);
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
    if (!can_turn(r, xml, m, bond))
        return false;
    rule.kind = p->kind;
    amphi_xml_fields(xml, rule.field);
    bond->rule = amphi_reader_bond_rule(r, &rule);
    return true;
}

/* A line of a molecule type, by its potential and its beads: those of a bond or an angle from the
 * end with the lower one. */
typedef struct {
    int32_t         key[1 + AMPHI_MAX_BOND_BEADS], nth;
    const AmphiXml *xml;
} BondLine;

static BondLine line_of(const AmphiXml *xml, const AmphiBond *bond, int32_t nth)
{
    const int32_t n       = xml->potential->n_beads;
    const bool    turns   = strcmp(xml->potential->element, "orientation") == 0;
    const bool    is_back = !turns && bond->bead[0] > bond->bead[n - 1];
    BondLine      line    = { { xml->potential->kind }, nth, xml };

    for (int32_t k = 0; k < n; k++)
        line.key[1 + k] = bond->bead[is_back ? n - 1 - k : k];
    return line;
}

static int compare_lines(const void *a, const void *b)
{
    const BondLine *x = a, *y = b;

    for (int k = 0; k < 1 + AMPHI_MAX_BOND_BEADS; k++)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    return (x->nth > y->nth) - (x->nth < y->nth);
}

/* One potential twice between the same beads. */
static void note_repeated_lines(AmphiReader *r, BondLine *line, int32_t n)
{
    int32_t first = 0;

    qsort(line, (size_t)n, sizeof *line, compare_lines);
    for (int32_t k = 1; k < n; k++) {
        if (memcmp(line[first].key, line[k].key, sizeof line[k].key) == 0)
            amphi_xml_note(r->notes, DUPLICATE, line[k].xml, "beads",
                           amphi_reader_place(r, line[first].xml));
        else
            first = k;
    }
}

/* The first bead of the piece that holds `bead`. */
static int32_t piece_of(int32_t *piece, int32_t bead)
{
    while (piece[bead] != bead)
        bead = piece[bead] = piece[piece[bead]];
    return bead;
}

/* A molecule in pieces is most often one that lacks a line: of all <bond> lines, told once. */
static void note_pieces(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                        int32_t n_bonds)
{
    int32_t *piece = AMPHI_TAKE(r->arena, int32_t, m->n_beads);

    if (piece == NULL)
        return;
    for (int32_t i = 0; i < m->n_beads; i++)
        piece[i] = i;
    for (int32_t k = 0; k < n_bonds; k++) {
        const int32_t a = piece_of(piece, m->bond[k].bead[0]);
        const int32_t b = piece_of(piece, m->bond[k].bead[1]);

        piece[a > b ? a : b] = a > b ? b : a;
    }
    for (int32_t i = 1; i < m->n_beads; i++)
        if (piece[i] == i) {
            const char *id = amphi_arena_print(r->arena, "%d", i + 1);

            amphi_xml_note(r->notes, IN_PIECES, xml, "name", id != NULL ? id : "");
            return;
        }
}

static void read_bonds(AmphiReader *r, const AmphiXml *xml, AmphiMoleculeType *m)
{
    static const char *const element[] = { "bond", "angle", "orientation" };
    int32_t                  n = 0, n_first = 0;
    AmphiBond               *bonds;
    BondLine                *lines;

    for (int32_t e = 0; e < 3; e++)
        n += count_children(xml, element[e]);
    bonds = AMPHI_TAKE(r->arena, AmphiBond, n);
    lines = AMPHI_TAKE(r->arena, BondLine, n);
    if (bonds == NULL || lines == NULL)
        return;
    for (int32_t e = 0; e < 3; e++) {
        const AmphiXml *c = amphi_xml_child(xml, element[e]);

        for (; c != NULL; c = amphi_xml_next(c, element[e])) {
            if (!read_bond(r, c, m, &bonds[m->n_bonds]))
                continue;
            lines[m->n_bonds] = line_of(c, &bonds[m->n_bonds], m->n_bonds);
            m->n_bonds++;
            n_first += e == 0;
        }
    }
    m->bond = bonds;
    note_repeated_lines(r, lines, m->n_bonds);
    if (m->n_bonds == n)
        note_pieces(r, xml, m, n_first);
}

/* -1: a bead that is not known, which has been noted. */
static bool has_twice(const int32_t *bead, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < k; j++)
            if (bead[k] >= 0 && bead[k] == bead[j])
                return true;
    return false;
}

/* Of a tail before this one. */
static void note_same_name(AmphiReader *r, const AmphiXml *type, const AmphiXml *tail)
{
    const char *const name = amphi_xml_text(tail, "name");
    const AmphiXml   *c    = amphi_xml_child(type, "tail");

    if (name == NULL)
        return; /* noted */
    while (c != tail &&
           (amphi_xml_text(c, "name") == NULL || strcmp(amphi_xml_text(c, "name"), name) != 0))
        c = amphi_xml_next(c, "tail");
    if (c != tail)
        amphi_xml_note(r->notes, DUPLICATE, tail, "name", amphi_reader_place(r, c));
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
        if (has_twice(bead, n))
            amphi_xml_note(r->notes, BEAD_TWICE, c, "beads", NULL);
        note_same_name(r, xml, c);
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
    AmphiMoleculeType *m = &r->molecule_type[r->n_molecule_types++];

    *m = (AmphiMoleculeType){ .name = amphi_xml_text(xml, "name"),
                              .kind = amphi_xml_text(xml, "kind") };
    read_beads(r, xml, m);
    read_bonds(r, xml, m);
    read_tails(r, xml, m);
}

int32_t amphi_reader_molecule(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                              const char *name)
{
    const int32_t k = find_named(r->molecule_named, r->n_molecule_types, name);

    if (k < 0 && !r->lacks_items)
        amphi_reader_unknown(r, xml, attribute, name, "molecule type", r->molecule_named,
                             r->n_molecule_types);
    return k;
}

int32_t amphi_reader_molecule_type(AmphiReader *r, const AmphiXml *xml, const char *attribute)
{
    const char *name = amphi_xml_text(xml, attribute);

    return name != NULL ? amphi_reader_molecule(r, xml, attribute, name) : -1;
}

void amphi_reader_types(AmphiReader *r)
{
    Definitions types, molecules;

    if (count_items(r, "beadtype") > MAX_TYPES || count_items(r, "moleculetype") > MAX_TYPES) {
        amphi_note(r->notes, TOO_MANY, amphi_xml_child(r->root, "forcefield")->where,
                   "bead types or molecule types", "4096");
        r->lacks_items = true;
        return;
    }
    if (!find_definitions(r, "beadtype", &types) ||
        !find_definitions(r, "moleculetype", &molecules))
        return;
    r->type           = AMPHI_TAKE(r->arena, AmphiBeadType, types.n);
    r->type_named     = types.named;
    r->molecule_type  = AMPHI_TAKE(r->arena, AmphiMoleculeType, molecules.n);
    r->molecule_named = molecules.named;
    if (r->type == NULL || r->molecule_type == NULL)
        return;
    for (int32_t k = 0; k < types.n; k++)
        read_beadtype(r, types.xml[k]);
    for (int32_t k = 0; k < molecules.n; k++)
        read_moleculetype(r, molecules.xml[k]);
}
