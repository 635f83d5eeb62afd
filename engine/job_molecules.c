/* Molecule types of the force fields: beads, bonds between them, tails and heads. */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/* A larger molecule is a mistake or an attack. */
enum { MAX_MOLECULE_BEADS = 100000 };

static int32_t count_children(const AmphiXml *xml, const char *name)
{
    int32_t n = 0;

    for (const AmphiXml *c = amphi_xml_child(xml, name); c != NULL; c = amphi_xml_next(c, name))
        n++;
    return n;
}

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

/* -1: a bead that is not known, which has been noted. */
static bool has_twice(const int32_t *bead, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < k; j++)
            if (bead[k] >= 0 && bead[k] == bead[j])
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
    if (has_twice(bond->bead, n) &&
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

static bool are_joined(const AmphiMoleculeType *m, int32_t n_bonds, int32_t one, int32_t other)
{
    for (int32_t k = 0; k < n_bonds; k++) {
        const int32_t *bead = m->bond[k].bead;

        if ((bead[0] == one && bead[1] == other) || (bead[0] == other && bead[1] == one))
            return true;
    }
    return false;
}

/* The arms of an angle are bonds, of which there are so many. */
static void note_loose_arm(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                           int32_t n_bonds, const AmphiBond *angle)
{
    for (int32_t end = 0; end < 3; end += 2) {
        const int32_t vertex = angle->bead[1], other = angle->bead[end];
        const char   *pair;

        if (are_joined(m, n_bonds, vertex, other))
            continue;
        pair = amphi_arena_print(r->arena, "%d and %d", vertex + 1, other + 1);
        amphi_xml_note(r->notes, LOOSE_ARM, xml, "beads", pair != NULL ? pair : "");
        return;
    }
}

static void note_loose_arms(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                            int32_t n_bonds)
{
    const AmphiBond *angle = m->bond + n_bonds;

    for (const AmphiXml *c = amphi_xml_child(xml, "angle"); c != NULL;
         c                 = amphi_xml_next(c, "angle"))
        note_loose_arm(r, c, m, n_bonds, angle++);
}

/* How many <bond> lines there are, which come first; -1: some line has no meaning. */
static int32_t read_bonds(AmphiReader *r, const AmphiXml *xml, AmphiMoleculeType *m)
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
        return -1;
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
    if (m->n_bonds != n)
        return -1;
    note_pieces(r, xml, m, n_first);
    note_loose_arms(r, xml, m, n_first);
    return n_first;
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

static bool is_of_tail(const AmphiTail *tail, int32_t bead)
{
    for (int32_t k = 0; k < tail->n_beads; k++)
        if (tail->bead[k] == bead)
            return true;
    return false;
}

/* Two that follow each other in a tail are neighbours along the chain; if not, told once. */
static bool note_gap(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                     int32_t n_bonds, const AmphiTail *tail)
{
    for (int32_t k = 1; k < tail->n_beads; k++) {
        const int32_t one = tail->bead[k - 1], other = tail->bead[k];
        const char   *pair;

        if (one < 0 || other < 0 || one == other || are_joined(m, n_bonds, one, other))
            continue;
        pair = amphi_arena_print(r->arena, "%d and %d", one + 1, other + 1);
        amphi_xml_note(r->notes, TAIL_GAP, xml, "beads", pair != NULL ? pair : "");
        return true;
    }
    return false;
}

/* Is a bead of a tail bonded to one that is not of it? */
static bool leaves(const AmphiMoleculeType *m, int32_t n_bonds, const AmphiTail *tail, int32_t bead)
{
    for (int32_t k = 0; k < n_bonds; k++) {
        const int32_t *b     = m->bond[k].bead;
        const int32_t  other = b[0] == bead ? b[1] : b[0];

        if ((b[0] == bead || b[1] == bead) && !is_of_tail(tail, other))
            return true;
    }
    return false;
}

/* Listed from its end: the middle of a membrane is where tails end. */
static void note_turned(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                        int32_t n_bonds, const AmphiTail *tail)
{
    const int32_t n = tail->n_beads, first = n > 0 ? tail->bead[0] : -1;
    const int32_t last = n > 0 ? tail->bead[n - 1] : -1;
    const char   *id   = amphi_arena_print(r->arena, "%d", last + 1);

    if (first >= 0 && last >= 0 && leaves(m, n_bonds, tail, last) &&
        !leaves(m, n_bonds, tail, first))
        amphi_xml_note(r->notes, TAIL_TURNED, xml, "beads", id != NULL ? id : "");
}

/* n_bonds: -1 if not all of them are known. */
static void read_tails(AmphiReader *r, const AmphiXml *xml, AmphiMoleculeType *m, int32_t n_bonds)
{
    AmphiTail *tails = AMPHI_TAKE(r->arena, AmphiTail, count_children(xml, "tail"));

    for (const AmphiXml *c = amphi_xml_child(xml, "tail"); tails != NULL && c != NULL;
         c                 = amphi_xml_next(c, "tail")) {
        AmphiTail         *tail = &tails[m->n_tails];
        int32_t            n;
        const char *const *word = amphi_xml_names(c, "beads", r->arena, &n);
        int32_t           *bead = AMPHI_TAKE(r->arena, int32_t, n);

        if (bead == NULL || word == NULL)
            continue;
        tail->name    = amphi_xml_has(c, "name") ? amphi_xml_text(c, "name") : ""; /* noted */
        tail->n_beads = n;
        tail->bead    = bead;
        for (int32_t k = 0; k < n; k++)
            bead[k] = bead_place(r, c, "beads", word[k], m);
        if (has_twice(bead, n))
            amphi_xml_note(r->notes, BEAD_TWICE, c, "beads", NULL);
        else if (n_bonds >= 0 && !note_gap(r, c, m, n_bonds, tail))
            note_turned(r, c, m, n_bonds, tail);
        note_same_name(r, xml, c);
        m->n_tails++;
    }
    m->tail = tails;
}

static void note_head_in_tail(AmphiReader *r, const AmphiXml *xml, const AmphiMoleculeType *m,
                              int32_t head)
{
    for (int32_t k = 0; k < m->n_tails && head >= 0; k++)
        if (is_of_tail(&m->tail[k], head)) {
            amphi_xml_note(r->notes, HEAD_IN_TAIL, xml, "bead",
                           m->tail[k].name != NULL ? m->tail[k].name : "");
            return;
        }
}

static void read_heads(AmphiReader *r, const AmphiXml *xml, AmphiMoleculeType *m)
{
    int32_t *heads = AMPHI_TAKE(r->arena, int32_t, count_children(xml, "head"));

    for (const AmphiXml *c = amphi_xml_child(xml, "head"); heads != NULL && c != NULL;
         c                 = amphi_xml_next(c, "head")) {
        const char *id = amphi_xml_text(c, "bead");

        if (id == NULL)
            continue; /* noted */
        heads[m->n_heads++] = bead_place(r, c, "bead", id, m);
        if (has_twice(heads, m->n_heads)) {
            amphi_xml_note(r->notes, HEAD_TWICE, c, "bead", NULL);
            m->n_heads--;
        } else
            note_head_in_tail(r, c, m, heads[m->n_heads - 1]);
    }
    m->head = heads;
}

void amphi_reader_moleculetype(AmphiReader *r, const AmphiXml *xml)
{
    AmphiMoleculeType *m = &r->molecule_type[r->n_molecule_types++];

    *m = (AmphiMoleculeType){ .name = amphi_xml_text(xml, "name"),
                              .kind = amphi_xml_text(xml, "kind") };
    read_beads(r, xml, m);
    read_tails(r, xml, m, read_bonds(r, xml, m));
    read_heads(r, xml, m);
}
