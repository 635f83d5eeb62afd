/* The attributes that the physics of a job depends on, as a list of texts: a run continues only if
 * they are the same as in its checkpoint, and the message lists those that are not.
 *
 * Outputs, <compute>, lengths of stages, titles and descriptions are left out, and groups that only
 * outputs use; a group belongs to the first stage that couples or restrains it. Values are in
 * internal units and defaults are written out, so that a different way to write the same thing is
 * no difference; beads in the text count by their numbers, as those of a file do.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "reader.h"
#include "text.h"

enum { KEY_SIZE = 400, VALUE_SIZE = 80, MAX_LEVELS = 8 };

/* The children of one element. */
typedef struct {
    const AmphiXml *parent;
    int32_t        *alike; /* [children] brothers before it with the same name and label */
} Family;

typedef struct {
    AmphiReader      *r;
    AmphiPhysicsText *text;
    int32_t           n, room, stage;
    Family            family[MAX_LEVELS]; /* the last seen of each level, from the top */
} List;

static void add_text(List *list, const char *key, const char *value)
{
    AmphiArena *arena = list->r->arena;

    if (list->n == list->room) {
        list->text =
            amphi_arena_grow(arena, list->text, list->n, 2 * list->room + 64, sizeof *list->text);
        list->room = 2 * list->room + 64;
    }
    if (list->text == NULL)
        return;
    list->text[list->n++] = (AmphiPhysicsText){ .key   = amphi_arena_text(arena, key),
                                                .value = amphi_arena_text(arena, value),
                                                .stage = list->stage };
}

/* Keys: the elements from the root down, each with what distinguishes it from its siblings. */

static const char *label_of(const AmphiXml *xml)
{
    static const char *const telling[] = { "name",  "type", "types", "pair", "id",
                                           "beads", "of",   "group", "side", "bead" };

    for (size_t k = 0; k < sizeof telling / sizeof *telling; k++)
        if (amphi_xml_has(xml, telling[k]))
            return amphi_xml_text(xml, telling[k]);
    return "";
}

/* A child of some element: what it looks like, and where it stands among its brothers. */
typedef struct {
    const char *name, *label;
    int32_t     place;
} Child;

static int compare_children(const void *a, const void *b)
{
    const Child *p = a, *q = b;
    const int    by_name = strcmp(p->name, q->name), by_label = strcmp(p->label, q->label);

    if (by_name != 0 || by_label != 0)
        return by_name != 0 ? by_name : by_label;
    return p->place < q->place ? -1 : 1;
}

/* For all children of an element: how many brothers before them look the same. */
static void rank_children(List *list, Family *family, const AmphiXml *parent)
{
    AmphiArena *arena = list->r->arena;
    Child      *child;
    int32_t     n = 0;

    *family = (Family){ .parent = parent };
    for (const AmphiXml *c = parent->child; c != NULL; c = c->next)
        n++;
    child         = AMPHI_TAKE(arena, Child, n);
    family->alike = AMPHI_TAKE(arena, int32_t, n);
    if (child == NULL || family->alike == NULL)
        return;
    n = 0;
    for (const AmphiXml *c = parent->child; c != NULL; c = c->next, n++)
        child[n] = (Child){ c->name, label_of(c), n };
    qsort(child, (size_t)n, sizeof *child, compare_children);
    for (int32_t k = 1; k < n; k++)
        if (strcmp(child[k].name, child[k - 1].name) == 0 &&
            strcmp(child[k].label, child[k - 1].label) == 0)
            family->alike[child[k].place] = family->alike[child[k - 1].place] + 1;
}

/* How many brothers before it look the same. Elements come in the order of the file, so that a
 * family is ranked once and not once a child. */
static int32_t count_alike(List *list, const AmphiXml *xml, int32_t level)
{
    Family *family = &list->family[level];

    if (xml->parent == NULL)
        return 0;
    if (family->parent != xml->parent)
        rank_children(list, family, xml->parent);
    return amphi_arena_failed(list->r->arena) ? 0 : family->alike[xml->place];
}

static bool is_top(const AmphiXml *xml)
{
    static const char *const tops[] = { "amphi", "forcefield",   "system",
                                        "start", "interactions", "plan" };

    for (size_t k = 0; k < sizeof tops / sizeof *tops; k++)
        if (strcmp(xml->name, tops[k]) == 0)
            return true;
    return false;
}

static void append(char key[KEY_SIZE], const char *word)
{
    const size_t n = strlen(key);

    snprintf(key + n, KEY_SIZE - n, "%s%s", n > 0 && *word != '\0' ? " " : "", word);
}

static void find_key(List *list, const AmphiXml *xml, char key[KEY_SIZE])
{
    const AmphiXml *level[MAX_LEVELS];
    int32_t         n = 0, depth = 0;

    key[0] = '\0';
    for (const AmphiXml *at = xml; at != NULL && n < MAX_LEVELS; at = at->parent)
        if (!is_top(at))
            level[n++] = at;
    while (n-- > 0) {
        const int32_t alike = count_alike(list, level[n], depth++);
        char          number[24];

        append(key, level[n]->name);
        append(key, label_of(level[n]));
        if (alike > 0) {
            snprintf(number, sizeof number, "(%d)", alike + 1);
            append(key, number);
        }
    }
}

/* Values. */

static bool is_for_people(const AmphiXml *xml, const char *attribute)
{
    static const char *const words[] = { "source", "cite", "why", "version" };

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(attribute, words[k]) == 0)
            return true;
    return strcmp(xml->name, "run") == 0 && strcmp(attribute, "length") == 0;
}

static void add_value(List *list, const char *front, const char *attribute, const char *value)
{
    char key[KEY_SIZE + 64];

    snprintf(key, sizeof key, "%s %s", front, attribute);
    add_text(list, key, value);
}

static void add_number(List *list, const char *front, const char *attribute, double value,
                       AmphiDimension dimension)
{
    const char *unit = amphi_units_internal(dimension);
    char        text[VALUE_SIZE];

    (void)amphi_text_print(text, sizeof text, "%.17g%s%s", value, unit[0] != '\0' ? " " : "", unit);
    add_value(list, front, attribute, text);
}

static bool is_seed_of_stage(const AmphiXml *xml, const AmphiAttribute *a)
{
    return strcmp(xml->name, "run") == 0 && strcmp(a->name, "seed") == 0;
}

static void add_attributes(List *list, const AmphiXml *xml, const char *front)
{
    for (const AmphiAttribute *a = xml->element->attribute; a->name != NULL; a++) {
        const char *text = amphi_xml_text(xml, a->name);

        if (is_seed_of_stage(xml, a)) /* of the start, where nobody has given one */
            add_number(list, front, a->name, (double)list->r->stage[list->stage].seed,
                       a->dimension);
        else if (text == NULL || is_for_people(xml, a->name))
            continue;
        else if (a->kind == AMPHI_ATTR_QUANTITY)
            add_number(list, front, a->name, amphi_xml_quantity(xml, a->name, 0), a->dimension);
        else
            add_value(list, front, a->name, text);
    }
}

static void add_fields(List *list, const AmphiXml *xml, const char *front)
{
    const AmphiPotential *p                       = xml->potential;
    double                value[AMPHI_MAX_FIELDS] = { 0 };

    if (p == NULL)
        return;
    amphi_xml_fields(xml, value);
    for (int32_t k = 0; k < p->n_fields; k++)
        if (!amphi_field_of_types(&p->field[k]))
            add_number(list, front, p->field[k].name, value[k], p->field[k].dimension);
}

static void add_element(List *list, const AmphiXml *xml)
{
    char key[KEY_SIZE];

    if (xml->element == NULL || strcmp(xml->name, "literature") == 0)
        return;
    find_key(list, xml, key);
    add_attributes(list, xml, key);
    add_fields(list, xml, key);
}

static void add_tree(List *list, const AmphiXml *root)
{
    const AmphiXml *at = root;

    while (at != NULL) {
        add_element(list, at);
        if (at->child != NULL) {
            at = at->child;
            continue;
        }
        while (at != root && at->next == NULL)
            at = at->parent;
        at = at == root ? NULL : at->next;
    }
}

bool amphi_reader_start_hash(const AmphiSystem *s, uint64_t hash[2])
{
    XXH3_state_t *const state   = XXH3_createState();
    const size_t        vectors = (size_t)s->n_beads * sizeof(double[3]);
    const size_t        numbers = (size_t)s->n_beads * sizeof(double);
    XXH128_hash_t       found;

    if (state == NULL)
        return false;
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, s->position_nm, vectors);
    XXH3_128bits_update(state, s->velocity_nm_ps, vectors);
    XXH3_128bits_update(state, s->spin_u_nm2_ps, vectors);
    XXH3_128bits_update(state, s->orientation, (size_t)s->n_beads * sizeof(double[4]));
    XXH3_128bits_update(state, s->bead_charge_e, numbers);
    XXH3_128bits_update(state, s->bead_dipole_e_nm, numbers);
    found   = XXH3_128bits_digest(state);
    hash[0] = (uint64_t)found.high64;
    hash[1] = (uint64_t)found.low64;
    XXH3_freeState(state);
    return true;
}

/* What a file or <beads> brought: the numbers, wherever and however they are written. */
static void add_start(List *list, const AmphiSystem *s)
{
    uint64_t hash[2];
    char     value[VALUE_SIZE];

    if (!amphi_reader_start_hash(s, hash)) {
        list->r->no_memory = true;
        return;
    }
    snprintf(value, sizeof value, "hash %016" PRIx64 "%016" PRIx64, hash[0], hash[1]);
    add_text(list, "coordinates", value);
}

/* Edges that only the file tells; those of <box> are among its attributes. */
static void add_box(List *list, const double box_nm[3])
{
    static const char *const edge[3] = { "x", "y", "z" };

    for (int a = 0; a < 3; a++)
        add_number(list, AMPHI_PHYSICS_BOX, edge[a], box_nm[a], AMPHI_DIM_LENGTH);
}

static void add_plan(List *list, const AmphiXml *plan)
{
    for (const AmphiXml *c = plan != NULL ? plan->child : NULL; c != NULL; c = c->next) {
        char key[40];

        list->stage++;
        snprintf(key, sizeof key, "stage %d", list->stage + 1);
        add_text(list, key, label_of(c));
        if (c->element != NULL && !amphi_xml_has(c, "timestep") && strcmp(c->name, "run") == 0)
            add_number(list, key, "timestep", amphi_xml_quantity(plan, "timestep", 0),
                       AMPHI_DIM_TIME);
        add_tree(list, c);
    }
    list->stage = -1;
}

/* Does a child of <interactions> or of a stage restrain or couple this group? */
static bool uses_group(const AmphiXml *parent, const char *name)
{
    for (const AmphiXml *c = parent != NULL ? parent->child : NULL; c != NULL; c = c->next) {
        const char *one  = c->element != NULL ? amphi_xml_text(c, "group") : NULL;
        const char *many = c->element != NULL ? amphi_xml_text(c, "groups") : NULL;

        if ((one != NULL && strcmp(one, name) == 0) ||
            (many != NULL && amphi_schema_is_word(many, name)))
            return true;
    }
    return false;
}

/* The first stage that uses it, -1 where the system does; false: nothing does. */
static bool find_user(const AmphiXml *root, const char *name, int32_t *stage)
{
    const AmphiXml *plan = amphi_xml_child(root, "plan");

    *stage = -1;
    if (uses_group(amphi_xml_child(root, "interactions"), name))
        return true;
    for (const AmphiXml *c = plan != NULL ? plan->child : NULL; c != NULL; c = c->next) {
        ++*stage;
        if (uses_group(c, name))
            return true;
    }
    return false;
}

static void add_system(List *list, const AmphiXml *root)
{
    const AmphiXml *system = amphi_xml_child(root, "system");

    add_element(list, system);
    for (const AmphiXml *c = system->child; c != NULL; c = c->next) {
        if (strcmp(c->name, "group") != 0)
            add_tree(list, c);
        else if (find_user(root, label_of(c), &list->stage))
            add_element(list, c);
        list->stage = -1;
    }
}

static uint64_t hash_texts(const List *list)
{
    uint64_t hash = 0;

    for (int32_t k = 0; k < list->n; k++) {
        hash = XXH3_64bits_withSeed(list->text[k].key, strlen(list->text[k].key), hash);
        hash = XXH3_64bits_withSeed(list->text[k].value, strlen(list->text[k].value), hash);
    }
    return hash;
}

void amphi_reader_physics(AmphiReader *r)
{
    List            list  = { .r = r, .stage = -1 };
    const AmphiXml *inter = amphi_xml_child(r->root, "interactions");

    for (int32_t k = 0; k < r->n_items; k++)
        add_tree(&list, r->item[k]);
    add_system(&list, r->root);
    if (inter != NULL)
        add_tree(&list, inter);
    if (r->job->start == AMPHI_START_FILE || r->job->start == AMPHI_START_BEADS)
        add_start(&list, r->system);
    if (r->job->start == AMPHI_START_FILE && r->box_xml == NULL)
        add_box(&list, r->system->box_nm);
    add_plan(&list, amphi_xml_child(r->root, "plan"));
    if (amphi_arena_failed(r->arena))
        return;
    r->job->physics      = list.text;
    r->job->n_physics    = list.n;
    r->job->physics_hash = hash_texts(&list);
}
