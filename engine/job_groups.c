/* Groups: which beads a `select` names. It has parts, "molecule DMPC and bead phos", and a bead is
 * in the group if each of them names it.
 */
#include <string.h>

#include "reader.h"

/* More groups than a person writes. */
enum { MAX_GROUPS = 256 };

/* Which types of beads and of molecules a selection has named. */
typedef struct {
    bool *bead, *molecule; /* [n_types], [n_molecule_types] of the system */
} Selected;

static void select_bead(AmphiReader *r, const AmphiXml *xml, const char *word, Selected *in)
{
    const int32_t type = amphi_reader_type(r, xml, "select", word);

    if (type >= 0 && r->type_used[type] >= 0)
        in->bead[r->type_used[type]] = true;
}

static void select_molecule(AmphiReader *r, const AmphiXml *xml, const char *word, Selected *in)
{
    const int32_t type = amphi_reader_molecule(r, xml, "select", word);

    for (int32_t k = 0; type >= 0 && k < r->system->n_molecule_types; k++)
        if (strcmp(r->system->molecule_type[k].name, word) == 0)
            in->molecule[k] = true;
}

static void select_kind(AmphiReader *r, const AmphiXml *xml, const char *word, Selected *in)
{
    static const AmphiNamed kind[] = { { "lipid", 0 }, { "molecule", 1 }, { "solvent", 2 } };
    bool                    known  = false;

    for (int32_t k = 0; k < 3; k++)
        known = known || strcmp(kind[k].name, word) == 0;
    if (!known)
        amphi_reader_unknown(r, xml, "select", word, "kind of molecules", kind, 3);
    for (int32_t k = 0; k < r->system->n_molecule_types; k++)
        if (strcmp(r->system->molecule_type[k].kind, word) == 0)
            in->molecule[k] = true;
}

/* What a part of a selection may begin with. */
static const struct {
    const char *name;
    void (*select)(AmphiReader *r, const AmphiXml *xml, const char *word, Selected *in);
} by[] = { { "molecule", select_molecule }, { "bead", select_bead }, { "kind", select_kind } };

enum { N_BY = 3 };

static int32_t find_by(const char *word)
{
    for (int32_t k = 0; k < N_BY; k++)
        if (strcmp(word, by[k].name) == 0)
            return k;
    return -1;
}

static bool is_of(const AmphiNamed *known, int32_t n, const char *word)
{
    for (int32_t k = 0; k < n; k++)
        if (strcmp(known[k].name, word) == 0)
            return true;
    return false;
}

/* Is there something of that name behind by[k]? */
static bool is_known(const AmphiReader *r, int32_t k, const char *word)
{
    return k == 0   ? is_of(r->molecule_named, r->n_molecule_types, word)
           : k == 1 ? is_of(r->type_named, r->n_types, word)
                    : amphi_schema_is_word("lipid molecule solvent", word);
}

typedef struct {
    int32_t            n;
    const char *const *word;
} List;

/* Where a part ends that begins at `from`: at an "and" before another one, or behind all. */
static int32_t end_of_part(const List *list, int32_t from)
{
    for (int32_t k = from + 1; k + 1 < list->n; k++)
        if (strcmp(list->word[k], "and") == 0 && find_by(list->word[k + 1]) >= 0)
            return k;
    return list->n;
}

/* What all words are names of; -1: not of one thing. */
static int32_t guess(const AmphiReader *r, const List *list)
{
    for (int32_t k = 0; k < N_BY; k++) {
        bool all = true;

        for (int32_t w = 0; w < list->n; w++)
            all = all && is_known(r, k, list->word[w]);
        if (all)
            return k;
    }
    return -1;
}

static void note_form(AmphiReader *r, const AmphiXml *xml, const List *list)
{
    const int32_t k    = list->n > 1 || find_by(list->word[0]) < 0 ? guess(r, list) : -1;
    const char   *text = k >= 0 ? by[k].name : "molecule DMPC";

    for (int32_t w = 0; k >= 0 && text != NULL && w < list->n; w++)
        text = amphi_arena_print(r->arena, "%s %s", text, list->word[w]);
    amphi_xml_note(r->notes, GROUP_FORM, xml, "select", text != NULL ? text : "");
}

/* Another part without an "and" before it, as "molecule DMPC bead phos"? Then that is noted. One
 * of the same kind, as "bead chol bead phos" or "bead chol or bead phos", is more of its names. */
static bool lacks_and(AmphiReader *r, const AmphiXml *xml, const List *list)
{
    const char *text = list->word[0], *found = NULL;
    int32_t     part = find_by(text);
    bool        cuts = false;

    for (int32_t w = 1; text != NULL && w < list->n; w++) {
        const char   *word    = list->word[w];
        const int32_t next    = find_by(word);
        const bool    is_part = next >= 0 && strcmp(list->word[w - 1], "and") == 0;
        const bool    is_lost =
            next >= 0 && !is_part && part >= 0 && !is_known(r, part, word) && !r->lacks_items;

        const bool is_or =
            strcmp(word, "or") == 0 && w + 1 < list->n && find_by(list->word[w + 1]) >= 0;

        found = is_lost && found == NULL ? word : found;
        cuts  = cuts || is_part || (is_lost && next != part);
        if (!is_or && !(is_lost && next == part))
            text = amphi_arena_print(r->arena, "%s %s%s", text, is_lost ? "and " : "", word);
        part = is_part || is_lost ? next : part;
    }
    if (text != NULL && found != NULL)
        amphi_xml_note(r->notes, GROUP_AND, xml, "select", found, text,
                       cuts ? ", which is what all of these select" : "");
    return found != NULL;
}

static bool read_part(AmphiReader *r, const AmphiXml *xml, const List *list, int32_t from,
                      int32_t end, Selected *in)
{
    const int64_t before = amphi_notes_count(r->notes, AMPHI_NOTE_ERROR);
    const int32_t k      = find_by(list->word[from]);

    if (k < 0 || end - from < 2) {
        note_form(r, xml, list);
        return false;
    }
    memset(in->bead, 0, (size_t)r->system->n_types * sizeof *in->bead);
    memset(in->molecule, 0, (size_t)r->system->n_molecule_types * sizeof *in->molecule);
    for (int32_t w = from + 1; w < end; w++)
        by[k].select(r, xml, list->word[w], in);
    return amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) == before;
}

static void keep_selected(const AmphiSystem *s, const Selected *in, int32_t *bead, int32_t *n)
{
    int32_t kept = 0;

    for (int32_t k = 0; k < *n; k++)
        if (in->bead[s->bead_type[bead[k]]] ||
            in->molecule[s->molecule[s->bead_molecule[bead[k]]].type])
            bead[kept++] = bead[k];
    *n = kept;
}

/* Is there a fault in what a start is built from, which molecules may be missing for? */
static bool is_start_faulty(const AmphiReader *r)
{
    const AmphiXml *const system = amphi_xml_child(r->root, "system");
    const AmphiXml *const start  = system != NULL ? amphi_xml_child(system, "start") : NULL;
    bool                  found  = false;

    for (const AmphiXml *c = start != NULL ? start->child : NULL; c != NULL; c = c->next)
        found = found || amphi_notes_has(r->notes, c->where);
    return found && r->job->start >= AMPHI_START_BILAYER &&
           amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) > 0;
}

static void read_group(AmphiReader *r, const AmphiXml *xml, AmphiGroup *group)
{
    const AmphiSystem *s    = r->system;
    int32_t           *bead = AMPHI_TAKE(r->arena, int32_t, s->n_beads), n = s->n_beads;
    List               list = { .n = 0 };
    Selected           in   = { AMPHI_TAKE(r->arena, bool, s->n_types),
                                AMPHI_TAKE(r->arena, bool, s->n_molecule_types) };

    list.word = amphi_xml_names(xml, "select", r->arena, &list.n);
    if (bead == NULL || in.bead == NULL || in.molecule == NULL || list.word == NULL ||
        list.n == 0 || lacks_and(r, xml, &list))
        return;
    for (int32_t i = 0; i < n; i++)
        bead[i] = i;
    for (int32_t from = 0, end; from < list.n; from = end + 1) {
        end = end_of_part(&list, from);
        if (!read_part(r, xml, &list, from, end, &in))
            return;
        keep_selected(s, &in, bead, &n);
    }
    group->bead    = bead;
    group->n_beads = n;
    if (n == 0 && !is_start_faulty(r))
        amphi_xml_note(r->notes, GROUP_EMPTY, xml, "select", NULL);
}

static AmphiGroup group_of_all(AmphiReader *r)
{
    int32_t   *beads = AMPHI_TAKE(r->arena, int32_t, r->system->n_beads);
    AmphiGroup all   = { .name = "all", .bead = beads };

    for (int32_t i = 0; beads != NULL && i < r->system->n_beads; i++)
        beads[all.n_beads++] = i;
    return all;
}

void amphi_reader_groups(AmphiReader *r)
{
    const AmphiXml *system = amphi_xml_child(r->root, "system");
    AmphiGroup     *group;
    int32_t         n = 1;

    for (const AmphiXml *c = amphi_xml_child(system, "group"); c != NULL;
         c                 = amphi_xml_next(c, "group"))
        n++;
    if (n > MAX_GROUPS) {
        amphi_note(r->notes, TOO_MANY, system->where, "groups", "256");
        return;
    }
    group = AMPHI_TAKE(r->arena, AmphiGroup, n);
    if (group == NULL)
        return;
    r->system->group = group;
    group[0]         = group_of_all(r);
    n                = 1;
    for (const AmphiXml *c = amphi_xml_child(system, "group"); c != NULL;
         c                 = amphi_xml_next(c, "group")) {
        const char *name = amphi_xml_text(c, "name");

        for (int32_t k = 0; name != NULL && k < n; k++)
            if (strcmp(group[k].name, name) == 0)
                amphi_xml_note(r->notes, GROUP_TWICE, c, "name", NULL);
        group[n].name = name != NULL ? name : ""; /* missing: noted */
        read_group(r, c, &group[n++]);
    }
    r->system->n_groups = n;
}
