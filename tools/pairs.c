/* Groups pairs of bead types by what acts between them, and prints the groups. */
#include "pairs.h"

#include <string.h>

#include "json.h"
#include "print.h"
#include "reference.h"

enum { INDENT = 4 };

/* One potential between types i and j. */
typedef struct {
    int32_t              i, j;
    const AmphiPairTerm *term;
} Entry;

typedef struct {
    const AmphiPairTerm *like; /* the first of the group */
    int32_t              n;
} Group;

/* A charge and a dipole are two kinds, mirror images of each other: one is shown. Every other kind
 * is shown for i <= j. */
static bool is_shown(const AmphiPairTerm *term, int32_t i, int32_t j)
{
    const AmphiPotential *const p = amphi_potential_of_kind(term->kind, false);

    if (strcmp(p->name, "dipole-charge") == 0)
        return false;
    return strcmp(p->name, "charge-dipole") == 0 || i <= j;
}

/* The next shown entry behind `at`; term NULL at the beginning and at the end. */
static Entry next_entry(const AmphiSystem *s, Entry at)
{
    int32_t k = 0;

    if (at.term != NULL)
        k = (int32_t)(at.term - s->pair_rule[at.i * s->n_types + at.j].term) + 1;
    for (; at.i < s->n_types; at.i++, at.j = 0)
        for (; at.j < s->n_types; at.j++, k = 0) {
            const AmphiPairRule *const rule = &s->pair_rule[at.i * s->n_types + at.j];

            for (; k < rule->n_terms; k++)
                if (is_shown(&rule->term[k], at.i, at.j))
                    return (Entry){ at.i, at.j, &rule->term[k] };
        }
    return (Entry){ at.i, at.j, NULL };
}

static bool is_alike(const AmphiPairTerm *a, const AmphiPairTerm *b)
{
    const AmphiTreatment *const t = &a->treatment, *const u = &b->treatment;

    return a->kind == b->kind && t->type == u->type && t->cutoff_nm == u->cutoff_nm &&
           t->from_nm == u->from_nm && t->permittivity == u->permittivity;
}

/* ---- groups ---- */

static Group *find_groups(const AmphiSystem *s, AmphiArena *arena, int32_t *n_groups)
{
    Group  *group = NULL;
    int32_t n = 0, room = 0;

    for (Entry e = next_entry(s, (Entry){ 0, 0, NULL }); e.term != NULL; e = next_entry(s, e)) {
        int32_t k = 0;

        while (k < n && !is_alike(group[k].like, e.term))
            k++;
        if (k == n) {
            if (n == room) {
                room  = 2 * room + 16;
                group = amphi_arena_grow(arena, group, n, room, sizeof *group);
                if (group == NULL)
                    return NULL;
            }
            group[n++] = (Group){ e.term, 0 };
        }
        group[k].n++;
    }
    *n_groups = n;
    return group;
}

static void print_treatment(ToolLines *lines, const AmphiPairTerm *term)
{
    const AmphiPotential *const p = amphi_potential_of_kind(term->kind, false);
    const AmphiTreatment *const t = &term->treatment;

    if (p->treatments[0] == '\0') {
        tool_lines_word(lines, "within its own range");
        return;
    }
    tool_lines_word(lines, "%s", tool_treatments()[t->type].name);
    if (t->type == AMPHI_REACTION_FIELD)
        tool_lines_word(lines, "(permittivity %.6g)", t->permittivity);
    if (amphi_treatment_switches(t))
        tool_lines_word(lines, "from %.6g nm", t->from_nm);
    tool_lines_word(lines, "to %.6g nm", t->cutoff_nm);
}

/* Are the pairs of a group all those that its types can make? Marks the types on either side. */
static bool is_product(const AmphiSystem *s, const Group *g, bool *left, bool *right, bool *is_same)
{
    int32_t n_left = 0, n_right = 0;

    memset(left, 0, (size_t)s->n_types);
    memset(right, 0, (size_t)s->n_types);
    *is_same = strcmp(amphi_potential_of_kind(g->like->kind, false)->name, "charge-dipole") != 0;
    for (Entry e = next_entry(s, (Entry){ 0, 0, NULL }); e.term != NULL; e = next_entry(s, e)) {
        if (!is_alike(g->like, e.term))
            continue;
        left[e.i] = right[e.j] = true;
        if (*is_same)
            left[e.j] = true;
    }
    for (int32_t k = 0; k < s->n_types; k++) {
        n_left += left[k];
        n_right += right[k];
    }
    return g->n == (*is_same ? n_left * (n_left + 1) / 2 : n_left * n_right);
}

static void print_types(ToolLines *lines, const AmphiSystem *s, const bool *marked)
{
    for (int32_t k = 0; k < s->n_types; k++)
        if (marked[k])
            tool_lines_word(lines, "%s", s->type[k].name);
}

static void print_pairs(const AmphiSystem *s, const Group *g, bool *left, bool *right, FILE *out)
{
    ToolLines lines   = tool_lines_begin(out, INDENT, "");
    bool      is_same = true;

    if (is_product(s, g, left, right, &is_same) && g->n > 1) {
        tool_lines_word(&lines, is_same ? "all %d pairs of" : "all %d pairs of one of", g->n);
        print_types(&lines, s, left);
        if (!is_same) {
            tool_lines_word(&lines, "with one of");
            print_types(&lines, s, right);
        }
    } else {
        for (Entry e = next_entry(s, (Entry){ 0, 0, NULL }); e.term != NULL; e = next_entry(s, e))
            if (is_alike(g->like, e.term))
                tool_lines_word(&lines, "%s-%s", s->type[e.i].name, s->type[e.j].name);
    }
    tool_lines_end(&lines);
}

static void print_groups(const AmphiSystem *s, AmphiArena *arena, FILE *out)
{
    int32_t            n     = 0;
    const Group *const group = find_groups(s, arena, &n);
    bool *const        left  = AMPHI_TAKE(arena, bool, s->n_types);
    bool *const        right = AMPHI_TAKE(arena, bool, s->n_types);

    if (left == NULL || right == NULL)
        return;
    for (int32_t k = 0; group != NULL && k < n; k++) {
        ToolLines lines =
            tool_lines_begin(out, 18, amphi_potential_of_kind(group[k].like->kind, false)->name);

        print_treatment(&lines, group[k].like);
        tool_lines_end(&lines);
        print_pairs(s, &group[k], left, right, out);
    }
}

/* ---- each pair ---- */

static void print_each(const AmphiSystem *s, FILE *out)
{
    for (Entry e = next_entry(s, (Entry){ 0, 0, NULL }); e.term != NULL; e = next_entry(s, e)) {
        const AmphiPotential *const p = amphi_potential_of_kind(e.term->kind, false);
        char                        name[120];

        snprintf(name, sizeof name, "%s-%s", s->type[e.i].name, s->type[e.j].name);
        ToolLines lines = tool_lines_begin(out, 18, name);
        tool_lines_word(&lines, "%s", p->name);
        print_treatment(&lines, e.term);
        for (int32_t k = 0; k < p->n_fields; k++) {
            const char *const unit = amphi_units_internal(p->field[k].dimension);

            tool_lines_word(&lines, "%s=%.9g%s%s", tool_field_name(&p->field[k], name, sizeof name),
                            e.term->field[k], *unit != '\0' ? " " : "", unit);
        }
        tool_lines_end(&lines);
    }
}

void tool_pairs_print(const AmphiSystem *s, AmphiArena *arena, bool each, FILE *out)
{
    fprintf(out, "\nbetween the types of beads\n");
    if (each)
        print_each(s, out);
    else
        print_groups(s, arena, out);
}

void tool_pairs_write(const AmphiSystem *s, FILE *out)
{
    for (Entry e = next_entry(s, (Entry){ 0, 0, NULL }); e.term != NULL; e = next_entry(s, e)) {
        const AmphiPotential *const p        = amphi_potential_of_kind(e.term->kind, false);
        const AmphiTreatment *const t        = &e.term->treatment;
        const char *const           types[2] = { s->type[e.i].name, s->type[e.j].name };
        const bool                  is_cut   = p->treatments[0] != '\0';
        ToolJson                    json     = tool_json_begin(out, "pair");

        tool_json_texts(&json, "types", types, 2);
        tool_json_text(&json, "potential", p->name);
        tool_json_text(&json, "treatment", is_cut ? tool_treatments()[t->type].name : NULL);
        if (is_cut) {
            tool_json_number(&json, "cutoff_nm", t->cutoff_nm);
            tool_json_number(&json, "from_nm", t->from_nm);
            tool_json_number(&json, "permittivity", t->permittivity);
        }
        for (int32_t k = 0; k < p->n_fields; k++) {
            char name[64];

            snprintf(name, sizeof name, "field_%s", p->field[k].name);
            tool_json_number(&json, name, e.term->field[k]);
        }
        tool_json_end(&json);
    }
}
