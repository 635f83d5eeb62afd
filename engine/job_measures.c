/* What an output measures, as a text that is saved with its sums: a run goes on only with the same.
 */
#include <string.h>

#include "reader.h"

/* The words of an attribute with one blank between two; NULL: no memory. */
static const char *joined(const AmphiReader *r, const AmphiXml *xml, const char *attribute)
{
    const char        *all  = "";
    int32_t            n    = 0;
    const char *const *word = amphi_xml_names(xml, attribute, r->arena, &n);

    for (int32_t k = 0; word != NULL && all != NULL && k < n; k++)
        all = amphi_arena_print(r->arena, "%s%s%s", all, k > 0 ? " " : "", word[k]);
    return all;
}

/* A group with what it selects, which its name alone does not tell; NULL: no memory. */
static const char *group_text(const AmphiReader *r, const char *group)
{
    const AmphiXml *system = amphi_xml_child(r->root, "system");

    for (const AmphiXml *c = amphi_xml_child(system, "group"); c != NULL;
         c                 = amphi_xml_next(c, "group")) {
        const char *name   = amphi_xml_text(c, "name");
        const char *select = joined(r, c, "select");

        if (name != NULL && select != NULL && strcmp(name, group) == 0)
            return amphi_arena_print(r->arena, "%s (%s)", group, select);
    }
    return group;
}

/* The value of an attribute in one form, however it is written; NULL: no memory. */
static const char *value_of(const AmphiReader *r, const AmphiXml *xml, const AmphiAttribute *a)
{
    const char *text = amphi_xml_text(xml, a->name);

    if (text == NULL)
        return "the default";
    if (a->kind == AMPHI_ATTR_QUANTITY)
        return amphi_arena_print(r->arena, "%.12g %s", amphi_xml_quantity(xml, a->name, 0),
                                 amphi_units_internal(a->dimension));
    if (a->kind == AMPHI_ATTR_NAME)
        return group_text(r, text);
    return a->kind == AMPHI_ATTR_NAMES || a->kind == AMPHI_ATTR_CHOICES ? joined(r, xml, a->name)
                                                                        : text;
}

/* When, and in which file. */
static bool is_when(const char *attribute)
{
    return strcmp(attribute, "every") == 0 || strcmp(attribute, "from") == 0 ||
           strcmp(attribute, "name") == 0;
}

const char *amphi_reader_measures(const AmphiReader *r, const AmphiXml *xml)
{
    const char *all = "";

    for (const AmphiAttribute *a = xml->element->attribute; a->name != NULL; a++) {
        if (is_when(a->name) ||
            (a->kind == AMPHI_ATTR_NAME && amphi_xml_text(xml, a->name) == NULL))
            continue;

        const char *value = value_of(r, xml, a);
        if (all != NULL && value != NULL)
            all = amphi_arena_print(r->arena, "%s%s: %s\n", all, a->name, value);
    }
    return all;
}
