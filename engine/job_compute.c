/* <compute>, its <watch>, and <checkpoint>: what does not change the physics. */
#include <math.h>
#include <string.h>

#include "fixed_motion.h"
#include "reader.h"

/* An interval in steps of the plan; 0: not given, or faulty. */
static int64_t read_steps(const AmphiXml *xml, const char *attribute, const AmphiXml *plan)
{
    double  time  = 0;
    int64_t steps = 0;

    if (amphi_xml_interval(xml, attribute, &time, &steps) && time > 0)
        steps = (int64_t)fmin(
            ceil(time / (plan != NULL ? amphi_xml_quantity(plan, "timestep", 1) : 1)), 1e18);
    return steps;
}

static void read_watch(const AmphiXml *xml, const AmphiXml *plan, AmphiComputePlan *c)
{
    const double ps_in_ns = 1e3;

    if (xml == NULL)
        return;
    c->watch_every         = read_steps(xml, "every", plan);
    c->verify_every        = read_steps(xml, "verify-every", plan);
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

/* What no machine has room for, and what a saved list may have: engine/cpu.c. */
static void check_most(AmphiReader *r, const AmphiXml *xml)
{
    if (amphi_xml_whole(xml, "threads", 0) > AMPHI_MOST_THREADS)
        amphi_xml_note(r->notes, TOO_LARGE_NUMBER, xml, "threads",
                       amphi_reader_digits(r, AMPHI_MOST_THREADS));
    if (amphi_xml_quantity(xml, "margin", 0) > AMPHI_MOST_MARGIN_NM)
        amphi_xml_note(r->notes, TOO_LARGE_NUMBER, xml, "margin",
                       amphi_reader_length(r, AMPHI_MOST_MARGIN_NM));
}

/* Options of the command line may choose otherwise, so that these are no errors. */
static void check_precision(AmphiReader *r, const AmphiXml *xml)
{
    const AmphiComputePlan *c = &r->job->compute;

    if (c->backend != NULL && strcmp(c->backend, "reference") == 0 && c->names_precision &&
        c->precision != AMPHI_DOUBLE)
        amphi_xml_note(r->notes, REFERENCE_IS_DOUBLE, xml, "precision", NULL);
    for (int32_t k = 0; c->precision == AMPHI_FIXED && k < r->job->n_stages; k++) {
        const AmphiStage *const stage = &r->job->stage[k];

        if (stage->ensemble == AMPHI_MINIMISE || fixed_ticks(stage->dt_ps) > 0)
            continue;
        const int64_t ticks = fixed_round(stage->dt_ps / FIXED_TICK_PS);
        const char   *step =
            amphi_arena_print(r->arena, "%.9g fs", fmax((double)ticks, 1) / FIXED_TICKS_PER_FS);
        const char *parts = amphi_arena_print(r->arena, "1/%d fs", FIXED_TICKS_PER_FS);

        amphi_xml_note(r->notes, FIXED_STEP, xml, "precision", stage->name,
                       parts != NULL ? parts : "", step != NULL ? step : "");
        return;
    }
}

void amphi_reader_compute(AmphiReader *r)
{
    const AmphiXml   *xml    = child_or_default(r, r->root, "compute", "amphi");
    const AmphiXml   *plan   = amphi_xml_child(r->root, "plan");
    const AmphiXml   *output = amphi_xml_child(r->root, "output");
    AmphiComputePlan *c      = &r->job->compute;
    int64_t           device, threads;

    if (xml == NULL)
        return;
    c->backend         = amphi_xml_text(xml, "backend");
    c->precision       = (AmphiPrecision)amphi_xml_choice(xml, "precision");
    c->names_precision = amphi_xml_has(xml, "precision");
    device             = amphi_xml_whole(xml, "device", 0);
    threads            = amphi_xml_whole(xml, "threads", 0);
    if (c->backend != NULL && strcmp(c->backend, "auto") == 0)
        c->backend = NULL;
    c->choice.device    = device > INT32_MAX ? INT32_MAX : (int32_t)device;
    c->choice.threads   = threads > INT32_MAX ? INT32_MAX : (int32_t)threads;
    c->choice.margin_nm = amphi_xml_quantity(xml, "margin", 0);
    check_most(r, xml);
    check_precision(r, xml);
    read_watch(child_or_default(r, xml, "watch", "compute"), plan, c);
    read_checkpoint(child_or_default(r, output, "checkpoint", "output"), c);
    if (c->watch_every < 1)
        c->watch_every = 1; /* faulty: noted */
}
