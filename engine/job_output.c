/* <output> and <compute>: what is written while a plan runs, and how it is computed. */
#include <math.h>
#include <string.h>

#include "reader.h"

typedef struct {
    AmphiReader       *r;
    const AmphiXml    *xml;
    AmphiObserverPlan *plan;
} Output;

/* The stage that `from` names, or the first that moves. */
static int32_t find_stage(const Output *o)
{
    AmphiReader *r     = o->r;
    const char  *from  = amphi_xml_text(o->xml, "from");
    AmphiNamed  *known = AMPHI_TAKE(r->arena, AmphiNamed, r->job->n_stages);
    int32_t      first = 0;

    while (first < r->job->n_stages - 1 && r->job->stage[first].ensemble == AMPHI_MINIMISE)
        first++;
    if (from == NULL || known == NULL)
        return first;
    for (int32_t k = 0; k < r->job->n_stages; k++) {
        known[k] = (AmphiNamed){ r->job->stage[k].name, k };
        if (strcmp(r->job->stage[k].name, from) != 0)
            continue;
        if (r->job->stage[k].ensemble == AMPHI_MINIMISE)
            amphi_xml_note(r->notes, FROM_MINIMISE, o->xml, "from", NULL);
        return k;
    }
    amphi_reader_unknown(r, o->xml, "from", from, "stage", known, r->job->n_stages);
    return first;
}

static void read_group(const Output *o, const char *attribute)
{
    const char   *name  = amphi_xml_text(o->xml, attribute);
    const int32_t group = amphi_reader_group(o->r, o->xml, attribute, name);

    o->plan->group = group >= 0 ? group : 0;
}

static void read_names(const Output *o, const char *attribute)
{
    o->plan->name = amphi_xml_names(o->xml, attribute, o->r->arena, &o->plan->n_names);
}

/* Bead types that the system has. */
static void check_types(const Output *o, const char *attribute)
{
    const AmphiSystem *s     = o->r->system;
    AmphiNamed        *known = AMPHI_TAKE(o->r->arena, AmphiNamed, s->n_types);

    for (int32_t k = 0; known != NULL && k < s->n_types; k++)
        known[k] = (AmphiNamed){ s->type[k].name, k };
    for (int32_t n = 0; known != NULL && n < o->plan->n_names; n++) {
        bool is_known = false;

        for (int32_t k = 0; k < s->n_types; k++)
            is_known = is_known || strcmp(o->plan->name[n], s->type[k].name) == 0;
        if (!is_known)
            amphi_reader_unknown(o->r, o->xml, attribute, o->plan->name[n], "bead type", known,
                                 s->n_types);
    }
}

enum { MAX_TAILS = 256 };

/* Tails that some lipid of the system has. */
static void check_tails(const Output *o)
{
    const AmphiSystem *s       = o->r->system;
    AmphiNamed        *known   = AMPHI_TAKE(o->r->arena, AmphiNamed, MAX_TAILS);
    int32_t            n_known = 0;

    for (int32_t m = 0; known != NULL && m < s->n_molecule_types; m++)
        for (int32_t t = 0; t < s->molecule_type[m].n_tails && n_known < MAX_TAILS; t++)
            known[n_known++] = (AmphiNamed){ s->molecule_type[m].tail[t].name, t };
    for (int32_t n = 0; known != NULL && n < o->plan->n_names; n++) {
        bool is_known = false;

        for (int32_t k = 0; k < n_known; k++)
            is_known = is_known || strcmp(o->plan->name[n], known[k].name) == 0;
        if (!is_known)
            amphi_reader_unknown(o->r, o->xml, "bonds", o->plan->name[n], "tail", known, n_known);
    }
}

static void check_lipids(const Output *o)
{
    const AmphiSystem *s = o->r->system;

    for (int32_t m = 0; m < s->n_molecules; m++)
        if (strcmp(s->molecule_type[s->molecule[m].type].kind, "lipid") == 0)
            return;
    amphi_note(o->r->notes, OUTPUT_NO_LIPIDS, o->xml->where, o->xml->name);
}

/* The `select` of a group, which a name alone does not tell; "": there is none. */
static const char *selection_of(const Output *o, const char *group)
{
    const AmphiXml *system = amphi_xml_child(o->r->root, "system");

    for (const AmphiXml *c = amphi_xml_child(system, "group"); c != NULL;
         c                 = amphi_xml_next(c, "group")) {
        const char *name   = amphi_xml_text(c, "name");
        const char *select = amphi_xml_text(c, "select");

        if (name != NULL && select != NULL && strcmp(name, group) == 0)
            return select;
    }
    return "";
}

/* The value of an attribute in one form, however it is written; NULL: no memory. */
static const char *value_of(const Output *o, const AmphiAttribute *a)
{
    AmphiArena *arena = o->r->arena;
    const char *text  = amphi_xml_text(o->xml, a->name);
    const char *more = "", *joined = "";

    if (text == NULL)
        return "the default";
    if (a->kind == AMPHI_ATTR_QUANTITY)
        return amphi_arena_print(arena, "%.12g %s", amphi_xml_quantity(o->xml, a->name, 0),
                                 amphi_units_internal(a->dimension));
    if (a->kind == AMPHI_ATTR_NAME) {
        more = selection_of(o, text);
        return *more == '\0' ? text : amphi_arena_print(arena, "%s (%s)", text, more);
    }
    if (a->kind == AMPHI_ATTR_NAMES || a->kind == AMPHI_ATTR_CHOICES) {
        int32_t            n;
        const char *const *name = amphi_xml_names(o->xml, a->name, arena, &n);

        for (int32_t k = 0; name != NULL && joined != NULL && k < n; k++)
            joined = amphi_arena_print(arena, "%s%s%s", joined, k > 0 ? " " : "", name[k]);
        return joined;
    }
    return text;
}

/* What is measured: every attribute but those that say when. */
static void tell_measures(const Output *o)
{
    const char *all = "";

    for (const AmphiAttribute *a = o->xml->element->attribute; a->name != NULL; a++) {
        if (strcmp(a->name, "every") == 0 || strcmp(a->name, "from") == 0)
            continue;

        const char *value = value_of(o, a);
        if (all != NULL && value != NULL)
            all = amphi_arena_print(o->r->arena, "%s%s: %s\n", all, a->name, value);
    }
    o->plan->measures = all;
}

/* One reader for each kind of observer. */

static void read_trajectory(const Output *o)
{
    read_group(o, "group");
    o->plan->is_whole = amphi_xml_choice(o->xml, "molecules") == 0;
}

static void read_profile(const Output *o)
{
    read_group(o, "centre");
    read_names(o, "of");
    o->plan->axis     = amphi_xml_choice(o->xml, "axis");
    o->plan->width_nm = amphi_xml_quantity(o->xml, "width", 1);
}

static void read_thickness(const Output *o)
{
    check_lipids(o);
    if (!amphi_xml_has(o->xml, "beads"))
        return;
    read_names(o, "beads");
    check_types(o, "beads");
}

static void read_order(const Output *o)
{
    check_lipids(o);
    if (!amphi_xml_has(o->xml, "bonds"))
        return;
    read_names(o, "bonds");
    check_tails(o);
}

static void read_rdf(const Output *o)
{
    read_names(o, "beads");
    if (o->plan->n_names != 2)
        amphi_xml_note(o->r->notes, NOT_TWO_TYPES, o->xml, "beads", NULL);
    check_types(o, "beads");
    o->plan->width_nm  = amphi_xml_quantity(o->xml, "width", 1);
    o->plan->extent_nm = amphi_xml_quantity(o->xml, "extent", 1);
}

static void read_diffusion(const Output *o)
{
    read_group(o, "group");
    o->plan->in_plane = amphi_xml_choice(o->xml, "plane") == 0;
}

static const struct {
    const char *name;
    void (*read)(const Output *);
} kinds[] = {
    { "energies", NULL },     { "trajectory", read_trajectory }, { "profile", read_profile },
    { "area", check_lipids }, { "thickness", read_thickness },   { "order", read_order },
    { "rdf", read_rdf },      { "diffusion", read_diffusion },
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

int64_t amphi_observer_every(const AmphiObserverPlan *plan, const AmphiStage *stage)
{
    const double n = plan->every_ps > 0 ? floor(plan->every_ps / stage->dt_ps + 0.5) : 0;

    return plan->every_ps > 0 ? (n < 1 ? 1 : (int64_t)n) : plan->every;
}

/* The interval in steps of from_stage; a note says if it had to be rounded. */
static void read_every(const Output *o)
{
    AmphiObserverPlan *plan  = o->plan;
    const AmphiStage  *stage = &o->r->job->stage[plan->from_stage];

    amphi_xml_interval(o->xml, "every", &plan->every_ps, &plan->every);
    if (plan->every_ps > 0)
        plan->every = amphi_reader_steps(o->r, o->xml, "every", plan->every_ps, stage->dt_ps);
    if (plan->every < 1)
        plan->every = 1; /* faulty: noted */
}

static void read_observers(AmphiReader *r, const AmphiXml *output)
{
    AmphiObserverPlan *plan = AMPHI_TAKE(r->arena, AmphiObserverPlan, N_KINDS);

    r->job->observer = plan;
    for (int k = 0; plan != NULL && k < N_KINDS; k++) {
        const Output o = { r, amphi_xml_child(output, kinds[k].name), &plan[r->job->n_observers] };

        if (o.xml == NULL)
            continue;
        o.plan->kind       = kinds[k].name;
        o.plan->where      = o.xml->where;
        o.plan->from_stage = find_stage(&o);
        read_every(&o);
        if (kinds[k].read != NULL)
            kinds[k].read(&o);
        tell_measures(&o);
        r->job->n_observers++;
    }
}

/* The mean of the conserved quantity over all steps needs the energy of every step, so it is
 * computed only if the energies are written. */
static void choose_mean(AmphiReader *r, AmphiStage *stage)
{
    const AmphiXml *energies = amphi_xml_child(amphi_xml_child(r->root, "output"), "energies");
    const int32_t   choice   = energies != NULL ? amphi_xml_choice(energies, "conserved") : -1;

    for (int32_t k = 0; choice >= 0 && k < r->job->n_stages; k++)
        stage[k].conserved_mean = choice == 0 && stage[k].ensemble != AMPHI_MINIMISE;
}

static void read_report(AmphiReader *r, const AmphiXml *report)
{
    r->job->without_snapshot = report != NULL && amphi_xml_quantity(report, "snapshot", 1) < 0.5;
}

void amphi_reader_output(AmphiReader *r, AmphiStage *stage)
{
    const AmphiXml *output = amphi_xml_child(r->root, "output");

    if (output == NULL) {
        amphi_note(r->notes, NO_OUTPUT, amphi_xml_child(r->root, "plan")->where, "plan");
        return;
    }
    read_observers(r, output);
    read_report(r, amphi_xml_child(output, "report"));
    choose_mean(r, stage);
}

/* <compute> and the checkpoints. */

static void read_watch(const AmphiXml *xml, const AmphiXml *plan, AmphiComputePlan *c)
{
    const double ps_in_ns = 1e3;
    double       time     = 0;

    if (xml == NULL)
        return;
    if (amphi_xml_interval(xml, "every", &time, &c->watch_every) && time > 0)
        c->watch_every =
            (int64_t)ceil(time / (plan != NULL ? amphi_xml_quantity(plan, "timestep", 1) : 1));
    c->max_drift_kT_ns_dof = ps_in_ns * amphi_xml_quantity(xml, "max-drift", 1);
    c->stops_on_drift      = amphi_xml_choice(xml, "on-fault") == 1;
}

static void read_checkpoint(const AmphiXml *xml, AmphiComputePlan *c)
{
    const double ps_in_s = 1e12;
    double       time    = 0;

    if (xml == NULL || !amphi_xml_interval(xml, "every", &time, &c->checkpoint_every_steps))
        return;
    c->checkpoint_every_s = time / ps_in_s;
}

/* The child, or an element of defaults for one that is not there. */
static const AmphiXml *child_or_default(AmphiReader *r, const AmphiXml *above, const char *name,
                                        const char *parent)
{
    const AmphiXml *found = amphi_xml_child(above, name);
    AmphiXml       *made  = found == NULL ? AMPHI_TAKE(r->arena, AmphiXml, 1) : NULL;

    if (made == NULL)
        return found;
    made->name    = name;
    made->element = amphi_schema_find(name, parent);
    return made;
}

void amphi_reader_compute(AmphiReader *r)
{
    const AmphiXml   *xml    = child_or_default(r, r->root, "compute", "amphi");
    const AmphiXml   *plan   = amphi_xml_child(r->root, "plan");
    const AmphiXml   *output = amphi_xml_child(r->root, "output");
    AmphiComputePlan *c      = &r->job->compute;
    int64_t           threads;

    if (xml == NULL)
        return;
    c->backend   = amphi_xml_text(xml, "backend");
    c->precision = (AmphiPrecision)amphi_xml_choice(xml, "precision");
    threads      = amphi_xml_whole(xml, "threads", 0);
    if (c->backend != NULL && strcmp(c->backend, "auto") == 0)
        c->backend = NULL;
    c->choice.threads   = threads > INT32_MAX ? INT32_MAX : (int32_t)threads;
    c->choice.margin_nm = amphi_xml_quantity(xml, "margin", 0);
    read_watch(child_or_default(r, xml, "watch", "compute"), plan, c);
    read_checkpoint(child_or_default(r, output, "checkpoint", "output"), c);
    if (c->watch_every < 1)
        c->watch_every = 1; /* faulty: noted */
}
