/* Published results listed in force fields: keeps those for the molecules of this system, and holds
 * the density that a <fill> asks for against them.
 */
#include <string.h>

#include "reader.h"

/* A density this many times above or below is of other molecules: no temperature explains it. */
#define FAR 1.25

/* The molecules that matter: the lipids, or everything if there are none. */
static bool counts(const AmphiReader *r, int32_t type, bool has_lipids)
{
    return !has_lipids || strcmp(r->system->molecule_type[type].kind, "lipid") == 0;
}

static bool is_present(const AmphiReader *r, int32_t type)
{
    for (int32_t k = 0; k < r->system->n_molecules; k++)
        if (r->system->molecule[k].type == type)
            return true;
    return false;
}

static bool is_among(const char *const *names, int32_t n, const char *name)
{
    for (int32_t k = 0; k < n; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

/* Are these exactly the molecules that count? */
static bool is_about(const AmphiReader *r, const char *const *names, int32_t n)
{
    const AmphiSystem *const s          = r->system;
    bool                     has_lipids = false;
    int32_t                  n_alike    = 0;

    for (int32_t t = 0; t < s->n_molecule_types; t++)
        has_lipids = has_lipids || (counts(r, t, true) && is_present(r, t));
    for (int32_t t = 0; t < s->n_molecule_types; t++) {
        if (!counts(r, t, has_lipids) || !is_present(r, t))
            continue;
        if (!is_among(names, n, s->molecule_type[t].name))
            return false;
        n_alike++;
    }
    return n_alike == n;
}

static bool are_known(AmphiReader *r, const AmphiXml *xml, const char *const *names, int32_t n)
{
    bool all = true;

    for (int32_t k = 0; k < n; k++)
        all = amphi_reader_molecule(r, xml, "of", names[k]) >= 0 && all;
    return all;
}

static AmphiLiterature read_values(const AmphiXml *xml)
{
    return (AmphiLiterature){ .source        = amphi_xml_text(xml, "source"),
                              .temperature_K = amphi_xml_quantity(xml, "temperature", 0),
                              .area_nm2      = amphi_xml_quantity(xml, "area", 0),
                              .volume_nm3    = amphi_xml_quantity(xml, "volume", 0),
                              .thickness_nm  = amphi_xml_quantity(xml, "thickness", 0),
                              .density_u_nm3 = amphi_xml_quantity(xml, "density", 0) };
}

static bool is_far(double density, double published)
{
    return density > FAR * published || published > FAR * density;
}

static const char *density_text(AmphiReader *r, double density_u_nm3)
{
    double g_cm3 = 1;

    amphi_units_factor("g/cm^3", AMPHI_DIM_DENSITY, &g_cm3);
    return amphi_arena_print(r->arena, "%.4g g/cm^3", density_u_nm3 / g_cm3);
}

/* "     (what is written is that of water18)"; "" where nothing known has it. */
static const char *who_has(AmphiReader *r, double density_u_nm3)
{
    for (int32_t k = 0; k < r->n_items; k++) {
        const AmphiXml *const xml       = r->item[k];
        const bool            is_listed = strcmp(xml->name, "literature") == 0;
        const double          published = is_listed ? read_values(xml).density_u_nm3 : 0;

        if (published > 0 && !is_far(density_u_nm3, published))
            return amphi_arena_print(r->arena, "     (what is written is that of %s)",
                                     amphi_xml_text(xml, "of"));
    }
    return "";
}

/* Beads may be heavier or lighter than the molecules they stand for. */
static void check_density(AmphiReader *r)
{
    const AmphiXml *const start     = amphi_xml_child(amphi_xml_child(r->root, "system"), "start");
    const AmphiXml *const fill      = start != NULL ? amphi_xml_child(start, "fill") : NULL;
    const double          asked     = fill != NULL ? amphi_xml_quantity(fill, "density", 0) : 0;
    double                published = 0;

    for (int32_t k = 0; asked > 0 && k < r->job->n_literature; k++) {
        const double one = r->job->literature[k].density_u_nm3;

        if (one > 0 && !is_far(asked, one))
            return;
        published = one > 0 ? one : published;
    }
    if (published > 0)
        amphi_xml_note(r->notes, FILL_DENSITY, fill, "density", density_text(r, published),
                       who_has(r, asked));
}

void amphi_reader_literature(AmphiReader *r)
{
    AmphiLiterature *kept = AMPHI_TAKE(r->arena, AmphiLiterature, r->n_items);
    int32_t          n_names;

    r->job->literature = kept;
    for (int32_t k = 0; kept != NULL && k < r->n_items; k++) {
        const AmphiXml *const xml = r->item[k];

        if (strcmp(xml->name, "literature") != 0)
            continue;
        const char *const *const names = amphi_xml_names(xml, "of", r->arena, &n_names);

        if (names == NULL || !are_known(r, xml, names, n_names) || !is_about(r, names, n_names))
            continue;
        kept[r->job->n_literature++] = read_values(xml);
    }
    check_density(r);
}
