/* What is to be measured besides what a run measures: elements of an <output> in a file of its own,
 * or named alone. They are read as those of the job are.
 */
#include <string.h>

#include "formats/snapshot.h"
#include "reader.h"

/* A file of a few lines. */
static const int64_t max_bytes = 1 << 20;

static bool is_asked(const AmphiLoadOptions *o, const char *kind)
{
    for (int32_t k = 0; k < o->n_observe; k++)
        if (strcmp(o->observe[k], kind) == 0)
            return true;
    return false;
}

/* Does an element of this name mean something without attributes? */
static bool has_defaults(const char *kind)
{
    const AmphiElement *const e = amphi_schema_find(kind, "output");

    for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
        if (a->use == AMPHI_REQUIRED)
            return false;
    return true;
}

/* Of the elements that are asked for by name and that the job does not have: a text that has them
 * without attributes. */
static const AmphiXml *read_names(AmphiReader *r, const AmphiXml *own)
{
    const char *text = "<output>", *kind = NULL;

    for (int32_t k = 0; text != NULL && (kind = amphi_reader_kind(k)) != NULL; k++)
        if (is_asked(r->options, kind) && amphi_xml_child(own, kind) == NULL && has_defaults(kind))
            text = amphi_arena_print(r->arena, "%s<%s/>", text, kind);
    text = text != NULL ? amphi_arena_print(r->arena, "%s</output>", text) : NULL;
    return text != NULL ? amphi_xml_parse(AMPHI_ASKED, text, (int64_t)strlen(text), "output",
                                          r->arena, r->notes)
                        : NULL;
}

static const AmphiXml *read_file(AmphiReader *r, const char *given)
{
    const AmphiWhere  nowhere = { NULL, 0 };
    const char *const path    = amphi_arena_text(r->arena, given);
    int64_t           n_bytes = 0;
    const char       *bytes   = NULL;

    if (path != NULL)
        bytes = amphi_file_read(path, max_bytes, &n_bytes, r->arena, nowhere, r->notes);
    return bytes != NULL ? amphi_xml_parse(path, bytes, n_bytes, "output", r->arena, r->notes)
                         : NULL;
}

/* An interval that is wanted stands in a file; that of a name alone is the run's, or a default. */
static bool has_interval(const AmphiReader *r, const AmphiXml *xml)
{
    return r->options->output != NULL && amphi_xml_has(xml, "every");
}

void amphi_reader_asked(AmphiReader *r)
{
    const AmphiLoadOptions *const o    = r->options;
    const AmphiXml *const         own  = amphi_xml_child(r->root, "output");
    const AmphiXml               *more = NULL;
    const char                   *kind = NULL;
    AmphiObserverPlan            *plan = NULL;
    AmphiObserverSet              set;

    if ((o->output == NULL && o->n_observe == 0) || r->job->n_stages == 0)
        return;
    more = o->output != NULL ? read_file(r, o->output) : read_names(r, own);
    plan = AMPHI_TAKE(r->arena, AmphiObserverPlan, AMPHI_MOST_OBSERVERS);
    if (more == NULL || plan == NULL)
        return;
    r->job->asked = plan;
    set           = (AmphiObserverSet){ &r->job->n_asked, plan, r->asked_xml, has_interval };
    for (int32_t k = 0; (kind = amphi_reader_kind(k)) != NULL; k++) {
        if (o->output != NULL)
            amphi_reader_observers(r, more, kind, &set);
        else if (is_asked(o, kind))
            amphi_reader_observers(r, amphi_xml_child(own, kind) != NULL ? own : more, kind, &set);
    }
}
