/* The contents of the box: molecules in order, the plan of a built start, restraints. */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static const char *const start_name[] = { "coordinates", "beads", "bilayer", "fill" };

/* The one element that says where the beads are. */
static const AmphiXml *find_start(AmphiReader *r, const AmphiXml *start)
{
    const AmphiXml *found = NULL;

    for (int32_t k = 0; k < 4; k++) {
        const AmphiXml *xml = amphi_xml_child(start, start_name[k]);

        if (xml == NULL)
            continue;
        if (found != NULL)
            amphi_note(r->notes, TWO_STARTS, xml->where, found->name, xml->name);
        else
            r->job->start = (AmphiStart)k;
        found = found != NULL ? found : xml;
    }
    if (found == NULL)
        amphi_note(r->notes, NO_START, start->where, "start");
    return found;
}

static int32_t count_of(const AmphiXml *xml)
{
    const int64_t n = amphi_xml_whole(xml, "count", 1);

    return n > INT32_MAX ? INT32_MAX : (int32_t)n;
}

/* Is some count there that is none? */
static bool lacks_counts(const AmphiXml *parent, const char *element)
{
    for (const AmphiXml *c = amphi_xml_child(parent, element); c != NULL;
         c                 = amphi_xml_next(c, element))
        if (amphi_xml_has(c, "count") && amphi_xml_whole(c, "count", 0) == 0)
            return true;
    return false;
}

/* What else there is would go without the area, the thickness and the order that lipids have. */
static void check_lipid(AmphiReader *r, const AmphiXml *xml, int32_t type)
{
    const char *const kind = r->molecule_type[type].kind;

    if (kind != NULL && strcmp(kind, "lipid") != 0)
        amphi_xml_note(r->notes, NOT_A_LIPID, xml, "type", kind);
}

/* And what there is of it would go into those. */
static void check_solvent(AmphiReader *r, const AmphiXml *xml, int32_t type)
{
    const char *const kind = r->molecule_type[type].kind;

    if (kind != NULL && strcmp(kind, "lipid") == 0)
        amphi_xml_note(r->notes, NOT_A_SOLVENT, xml, "water", kind);
}

/* A list of <molecule>, <lipid> or <part>. Unknown types are noted and left out. */
static AmphiPortion *read_portions(AmphiReader *r, const AmphiXml *parent, const char *element,
                                   int32_t *n_portions)
{
    AmphiPortion *out;
    int32_t       n = 0;

    for (const AmphiXml *c = amphi_xml_child(parent, element); c != NULL;
         c                 = amphi_xml_next(c, element))
        n++;
    out         = AMPHI_TAKE(r->arena, AmphiPortion, n);
    *n_portions = 0;
    for (const AmphiXml *c = amphi_xml_child(parent, element); out != NULL && c != NULL;
         c                 = amphi_xml_next(c, element)) {
        const int32_t type = amphi_reader_molecule_type(r, c, "type");

        if (type >= 0 && strcmp(element, "lipid") == 0)
            check_lipid(r, c, type);
        if (type >= 0)
            out[(*n_portions)++] = (AmphiPortion){ type, count_of(c) };
    }
    return out;
}

static void read_box(AmphiReader *r, const AmphiXml *system)
{
    static const char *const edge[] = { "x", "y", "z" };

    r->box_xml = amphi_xml_child(system, "box");
    if (r->box_xml == NULL)
        return;
    r->has_box = true;
    for (int32_t a = 0; a < 3; a++)
        r->system->box_nm[a] = amphi_xml_quantity(r->box_xml, edge[a], 1);
}

/* Plans of built starts. */

static void check_sides(AmphiReader *r, const AmphiXml *bilayer)
{
    for (const AmphiXml *c = amphi_xml_child(bilayer, "leaflet"); c != NULL;
         c                 = amphi_xml_next(c, "leaflet"))
        if (amphi_xml_child(c, "lipid") == NULL)
            amphi_xml_note(r->notes, MONOLAYER, c, "side", NULL);
}

static void read_bilayer(AmphiReader *r, const AmphiXml *xml)
{
    AmphiBuildPlan *p          = &r->plan;
    const bool      by_lipid   = amphi_xml_has(xml, "water-per-lipid");
    bool            has_lipids = false;

    p->bilayer             = true;
    p->water_per_lipid     = amphi_xml_quantity(xml, "water-per-lipid", 0);
    p->water_thickness_nm  = amphi_xml_quantity(xml, "water-thickness", 0);
    p->area_per_lipid_nm2  = amphi_xml_quantity(xml, "area-per-lipid", 0.65);
    p->water.molecule_type = -1; /* a dry membrane needs none */
    if (p->water_per_lipid > 0 || p->water_thickness_nm > 0 || amphi_xml_has(xml, "water"))
        p->water.molecule_type = amphi_reader_molecule_type(r, xml, "water");
    if (p->water.molecule_type >= 0)
        check_solvent(r, xml, p->water.molecule_type);
    if (r->has_box)
        amphi_note(r->notes, BOX_OF_BILAYER, r->box_xml->where, "");
    if (by_lipid && amphi_xml_has(xml, "water-thickness"))
        amphi_xml_note(r->notes, BOTH_GIVEN, xml, "water-thickness", "water-per-lipid");
    else if (!by_lipid && !amphi_xml_has(xml, "water-thickness"))
        amphi_note(r->notes, WATER_AMOUNT, xml->where, "bilayer");
    for (const AmphiXml *c = amphi_xml_child(xml, "leaflet"); c != NULL;
         c                 = amphi_xml_next(c, "leaflet")) {
        const int32_t side = amphi_xml_choice(c, "side") == 1;
        int32_t       n    = 0;
        AmphiPortion *lipids;

        has_lipids = has_lipids || amphi_xml_child(c, "lipid") != NULL;
        lipids = read_portions(r, c, "lipid", &n); /* also of a side that is none, which is noted */
        if (!amphi_xml_is_choice(c, "side"))
            continue;
        if (p->leaflet[side] != NULL)
            amphi_xml_note(r->notes, LEAFLET_TWICE, c, "side", NULL);
        p->leaflet[side]   = lipids;
        p->n_leaflet[side] = n;
    }
    if (has_lipids)
        check_sides(r, xml);
    else
        amphi_note(r->notes, NO_LIPIDS, xml->where, "bilayer");
}

/* Box, counts and density: two of them determine the third. */
static void read_amounts(AmphiReader *r, const AmphiXml *xml, AmphiPortion *one)
{
    const AmphiMoleculeType *m         = &r->molecule_type[one->molecule_type];
    const bool               has_count = amphi_xml_has(xml, "count");
    const double             density   = amphi_xml_quantity(xml, "density", 0);
    double                   mass      = 0, count;

    one->count = count_of(xml);
    if (has_count)
        return;
    if (!amphi_xml_has(xml, "density") || !r->has_box)
        amphi_note(r->notes, FILL_AMOUNT, xml->where, "fill");
    if (density <= 0 || !r->has_box)
        return; /* noted: above, or as no density */
    for (int32_t k = 0; k < m->n_beads; k++)
        mass += m->bead_type[k] >= 0 ? r->type[m->bead_type[k]].mass_u : 0; /* unknown: noted */
    count = density * r->system->box_nm[0] * r->system->box_nm[1] * r->system->box_nm[2] / mass;
    one->count = count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (int32_t)(count + 0.5);
}

static void read_fill(AmphiReader *r, const AmphiXml *xml)
{
    AmphiBuildPlan *p         = &r->plan;
    const bool      has_parts = amphi_xml_child(xml, "part") != NULL;
    AmphiPortion   *one;

    p->density_u_nm3 = r->has_box ? 0 : amphi_xml_quantity(xml, "density", 0);
    if (has_parts == amphi_xml_has(xml, "type")) {
        amphi_note(r->notes, FILL_WHAT, xml->where, "fill");
        return;
    }
    if (has_parts) {
        p->fill = read_portions(r, xml, "part", &p->n_fill);
        if (amphi_xml_has(xml, "count"))
            amphi_xml_note(r->notes, FILL_COUNT, xml, "count", NULL);
    } else {
        one = AMPHI_TAKE(r->arena, AmphiPortion, 1);
        if (one == NULL)
            return;
        one->molecule_type = amphi_reader_molecule_type(r, xml, "type");
        if (one->molecule_type < 0)
            return;
        read_amounts(r, xml, one);
        p->fill   = one;
        p->n_fill = 1;
    }
    if (r->has_box && amphi_xml_has(xml, "density") && (has_parts || amphi_xml_has(xml, "count")))
        amphi_xml_note(r->notes, FILL_TOO_MUCH, xml, "density", NULL);
    if (!r->has_box && !amphi_xml_has(xml, "density") && amphi_xml_has(xml, "count"))
        amphi_note(r->notes, FILL_AMOUNT, xml->where, "fill");
    if (!r->has_box && !amphi_xml_has(xml, "density") && has_parts)
        amphi_note(r->notes, FILL_AMOUNT, xml->where, "fill");
}

static void read_plan(AmphiReader *r, const AmphiXml *xml)
{
    if (r->job->start == AMPHI_START_BILAYER)
        read_bilayer(r, xml);
    else
        read_fill(r, xml);
    r->plan.seed = (uint64_t)amphi_xml_whole(xml, "seed", 1);
    r->job->seed = r->plan.seed;
    memcpy(r->plan.box_nm, r->system->box_nm, sizeof r->plan.box_nm);
}

/* Only the types in use become the system's. */

typedef struct {
    int32_t *bead, *molecule; /* new index of a type; -1: not in use */
} Renumber;

static void use_portions(const AmphiPortion *portion, int32_t n, Renumber *map)
{
    for (int32_t k = 0; k < n; k++)
        map->molecule[portion[k].molecule_type] = 0;
}

static void renumber_portions(const AmphiPortion *portion, int32_t n, const Renumber *map,
                              AmphiPortion *out)
{
    for (int32_t k = 0; k < n; k++)
        out[k] = (AmphiPortion){ map->molecule[portion[k].molecule_type], portion[k].count };
}

static const AmphiPortion *renumbered(AmphiReader *r, const AmphiPortion *portion, int32_t n,
                                      const Renumber *map)
{
    AmphiPortion *out = AMPHI_TAKE(r->arena, AmphiPortion, n);

    if (out != NULL)
        renumber_portions(portion, n, map, out);
    return out;
}

static bool keep_molecule_types(AmphiReader *r, Renumber *map)
{
    AmphiMoleculeType *kept = AMPHI_TAKE(r->arena, AmphiMoleculeType, r->n_molecule_types);
    AmphiBeadType     *type = AMPHI_TAKE(r->arena, AmphiBeadType, r->n_types);

    if (kept == NULL || type == NULL)
        return false;
    for (int32_t k = 0; k < r->n_molecule_types; k++) {
        const AmphiMoleculeType *m = &r->molecule_type[k];
        int32_t                 *bead;

        if (map->molecule[k] < 0)
            continue;
        map->molecule[k] = r->system->n_molecule_types;
        bead             = AMPHI_TAKE(r->arena, int32_t, m->n_beads);
        if (bead == NULL)
            return false;
        for (int32_t c = 0; c < m->n_beads; c++) {
            const int32_t old = m->bead_type[c];

            if (old < 0)
                return false; /* noted: nothing can be made of this molecule */
            if (map->bead[old] < 0) {
                map->bead[old]             = r->system->n_types;
                type[r->system->n_types++] = r->type[old];
            }
            bead[c] = map->bead[old];
        }
        kept[r->system->n_molecule_types]             = *m;
        kept[r->system->n_molecule_types++].bead_type = bead;
    }
    r->system->molecule_type = kept;
    r->system->type          = type;
    return true;
}

static bool keep_types(AmphiReader *r)
{
    AmphiBuildPlan *p   = &r->plan;
    Renumber        map = { AMPHI_TAKE(r->arena, int32_t, r->n_types),
                            AMPHI_TAKE(r->arena, int32_t, r->n_molecule_types) };

    if (map.bead == NULL || map.molecule == NULL)
        return false;
    memset(map.bead, 0xff, (size_t)r->n_types * sizeof *map.bead);
    memset(map.molecule, 0xff, (size_t)r->n_molecule_types * sizeof *map.molecule);
    use_portions(r->portion, r->n_portions, &map);
    use_portions(p->leaflet[0], p->n_leaflet[0], &map);
    use_portions(p->leaflet[1], p->n_leaflet[1], &map);
    use_portions(p->fill, p->n_fill, &map);
    if (p->water.molecule_type >= 0 && p->bilayer)
        use_portions(&p->water, 1, &map);
    if (!keep_molecule_types(r, &map))
        return false;
    r->type_used = map.bead;
    renumber_portions(r->portion, r->n_portions, &map, r->portion);
    p->leaflet[0] = renumbered(r, p->leaflet[0], p->n_leaflet[0], &map);
    p->leaflet[1] = renumbered(r, p->leaflet[1], p->n_leaflet[1], &map);
    p->fill       = renumbered(r, p->fill, p->n_fill, &map);
    if (p->water.molecule_type >= 0 && p->bilayer)
        p->water.molecule_type = map.molecule[p->water.molecule_type];
    return !amphi_arena_failed(r->arena);
}

static void count_built(AmphiReader *r, const AmphiXml *xml)
{
    AmphiError        err = { .status = AMPHI_OK };
    const AmphiStatus status =
        amphi_build_count(r->system, &r->plan, r->arena, &r->portion, &r->n_portions, &err);

    if (status == AMPHI_OK)
        return;
    r->n_portions = 0;
    if (status == AMPHI_NO_MEMORY)
        r->no_memory = true;
    else
        amphi_note(r->notes, BUILD_FAILED, xml->where, xml->name, err.text);
}

static void note_no_molecules(AmphiReader *r, const AmphiXml *system, const AmphiXml *how)
{
    const char *list = r->job->start == AMPHI_START_FILE ? amphi_reader_molecules_of(r, how) : "";

    if (list[0] == '\0')
        list = amphi_arena_print(
            r->arena,
            "<molecule type=\"...\" count=\"...\"/>, one for each run of like molecules, of %s",
            amphi_reader_list(r, r->molecule_named, r->n_molecule_types));
    amphi_note(r->notes, NO_MOLECULES, system->where, how->name, list != NULL ? list : "");
}

void amphi_reader_contents(AmphiReader *r)
{
    const AmphiXml *system = amphi_xml_child(r->root, "system");
    const AmphiXml *start  = system != NULL ? amphi_xml_child(system, "start") : NULL;
    const AmphiXml *how    = start != NULL ? find_start(r, start) : NULL;
    const int64_t   before = amphi_notes_count(r->notes, AMPHI_NOTE_ERROR);
    bool            built;

    if (how == NULL)
        return;
    built = r->job->start == AMPHI_START_BILAYER || r->job->start == AMPHI_START_FILL;
    read_box(r, system);
    r->portion = read_portions(r, system, "molecule", &r->n_portions);
    if (built && amphi_xml_child(system, "molecule") != NULL)
        amphi_note(r->notes, MOLECULES_AND_BUILD, amphi_xml_child(system, "molecule")->where,
                   how->name);
    if (!built && amphi_xml_child(system, "molecule") == NULL)
        note_no_molecules(r, system, how);
    if (built)
        read_plan(r, how);
    if (amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) > before || r->portion == NULL ||
        r->lacks_items || lacks_counts(system, "molecule")) {
        r->n_portions = 0;
        return;
    }
    if (!keep_types(r)) {
        r->n_portions = 0;
        return;
    }
    if (r->plan.water_thickness_nm > 0) { /* how many there are depends on how large they are */
        amphi_reader_pairs(r);
        if (amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) > before || r->system->pair_rule == NULL)
            return;
    }
    if (built)
        count_built(r, how);
}

/* Position restraints: one more bonded term for each bead of the group. */

static const AmphiGroup *find_group(AmphiReader *r, const AmphiXml *xml)
{
    const char *name = amphi_xml_text(xml, "group");
    AmphiNamed *known;

    for (int32_t k = 0; name != NULL && k < r->system->n_groups; k++)
        if (strcmp(r->system->group[k].name, name) == 0)
            return &r->system->group[k];
    known = AMPHI_TAKE(r->arena, AmphiNamed, r->system->n_groups);
    for (int32_t k = 0; known != NULL && k < r->system->n_groups; k++)
        known[k] = (AmphiNamed){ r->system->group[k].name, k };
    if (name != NULL && known != NULL)
        amphi_reader_unknown(r, xml, "group", name, "group", known, r->system->n_groups);
    return NULL;
}

static void restrain(AmphiReader *r, const AmphiXml *xml, const AmphiGroup *group, AmphiBond *bond,
                     double (*anchor)[3])
{
    AmphiSystem  *s    = r->system;
    const char   *axes = amphi_xml_text(xml, "axes");
    AmphiBondRule rule;
    double        to[3];
    const bool    fixed = amphi_xml_vector(xml, "to", to);
    int32_t       index;

    memset(&rule, 0, sizeof rule);
    rule.kind = amphi_spec_find("restrain", "position")->kind;
    for (int32_t a = 0; a < 3; a++)
        rule.field[a] = strchr(axes, "xyz"[a]) != NULL ? amphi_xml_quantity(xml, "k", 0) : 0;
    index = amphi_reader_bond_rule(r, &rule);
    for (int32_t k = 0; k < group->n_beads; k++) {
        const int32_t bead = group->bead[k];

        bond[s->n_bonds] = (AmphiBond){ .rule = index, .bead = { bead, bead, bead } };
        memcpy(anchor[s->n_bonds], fixed ? to : s->position_nm[bead], sizeof to);
        s->n_bonds++;
    }
    s->bond_rule    = r->bond_rule;
    s->n_bond_rules = r->n_bond_rules;
}

void amphi_reader_restraints(AmphiReader *r)
{
    AmphiSystem    *s     = r->system;
    const AmphiXml *inter = amphi_xml_child(r->root, "interactions");
    const AmphiXml *first = inter != NULL ? amphi_xml_child(inter, "restrain") : NULL;
    int64_t         n     = s->n_bonds;
    AmphiBond      *bond;
    double(*anchor)[3];

    for (const AmphiXml *c = first; c != NULL; c = amphi_xml_next(c, "restrain")) {
        const AmphiGroup *group = find_group(r, c);

        n += group != NULL ? group->n_beads : 0;
    }
    if (n == s->n_bonds || !amphi_reader_fits(r, (double)s->n_beads + (double)n))
        return;
    bond   = AMPHI_TAKE(r->arena, AmphiBond, n);
    anchor = amphi_arena_take(r->arena, n, sizeof *anchor);
    if (bond == NULL || anchor == NULL)
        return;
    if (s->n_bonds > 0)
        memcpy(bond, s->bond, (size_t)s->n_bonds * sizeof *bond);
    for (const AmphiXml *c = first; c != NULL; c = amphi_xml_next(c, "restrain")) {
        const AmphiGroup *group = find_group(r, c);

        if (group != NULL)
            restrain(r, c, group, bond, anchor);
    }
    s->bond      = bond;
    s->anchor_nm = (const double(*)[3])anchor;
}
