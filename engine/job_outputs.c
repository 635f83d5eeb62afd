/* All elements of an <output>, one after another: each is read by job_output.c. */
#include <string.h>

#include "observe.h"
#include "reader.h"

/* Of a plan of minimisations alone. A trajectory writes the last state nevertheless. */
static void check_sight(AmphiReader *r, const AmphiXml *xml)
{
    const bool has_last = strcmp(xml->name, "trajectory") == 0;

    for (int32_t k = 0; k < r->job->n_stages; k++)
        if (r->job->stage[k].ensemble != AMPHI_MINIMISE)
            return;
    amphi_note(r->notes, SEES_NOTHING, xml->where, xml->name,
               has_last ? "write a <run>; without one it writes final.gro and final.data alone"
                        : "write a <run>, or remove it");
}

static AmphiObserverNames names_of(const AmphiObserverPlan *plan)
{
    return amphi_observer_names(amphi_observer_kind(plan->kind), plan);
}

static void check_label(AmphiReader *r, const AmphiXml *xml, const AmphiObserverPlan *plan,
                        int32_t n)
{
    const AmphiObserverNames own = names_of(&plan[n]);
    const char *const        by  = strcmp(plan[n].kind, "profile") == 0 ? "group" : "name";

    for (int32_t k = 0; k < n; k++)
        if (strcmp(names_of(&plan[k]).key, own.key) == 0) {
            amphi_note(r->notes, FILE_TWICE, xml->where, xml->name, own.file, by);
            return;
        }
}

void amphi_reader_observers(AmphiReader *r, const AmphiXml *output, const char *kind,
                            AmphiObserverSet *set)
{
    for (const AmphiXml *xml = amphi_xml_child(output, kind); xml != NULL && xml->element != NULL;
         xml                 = amphi_xml_next(xml, kind)) {
        const int32_t n = *set->n;

        if (n == AMPHI_MOST_OBSERVERS) {
            amphi_note(r->notes, TOO_MANY, xml->where, "outputs",
                       amphi_reader_digits(r, AMPHI_MOST_OBSERVERS));
            return;
        }
        amphi_reader_observer(r, xml, set->has_interval(r, xml), &set->plan[n]);
        check_label(r, xml, set->plan, n);
        set->xml[n] = xml;
        (*set->n)++;
        if (xml->element->max == 1)
            return; /* more of them: noted */
    }
}

static bool has_interval(const AmphiReader *r, const AmphiXml *xml)
{
    (void)r;
    (void)xml;
    return true;
}

static void read_observers(AmphiReader *r, const AmphiXml *output)
{
    const char        *kind = NULL;
    AmphiObserverPlan *plan = AMPHI_TAKE(r->arena, AmphiObserverPlan, AMPHI_MOST_OBSERVERS);
    AmphiObserverSet   set  = { &r->job->n_observers, plan, r->observer_xml, has_interval };

    r->job->observer = plan;
    for (int k = 0; plan != NULL && (kind = amphi_reader_kind(k)) != NULL; k++)
        amphi_reader_observers(r, output, kind, &set);
    for (int32_t k = 0; k < r->job->n_observers; k++)
        check_sight(r, r->observer_xml[k]);
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

/* A name that is not known, and noted, was meant for an output. */
static bool has_children_in_doubt(const AmphiXml *output)
{
    for (const AmphiXml *c = output->child; c != NULL; c = c->next)
        if (c->element == NULL)
            return true;
    return false;
}

void amphi_reader_output(AmphiReader *r, AmphiStage *stage)
{
    const AmphiXml *output = amphi_xml_child(r->root, "output");

    if (output == NULL) {
        amphi_note(r->notes, NO_OUTPUT, amphi_xml_child(r->root, "plan")->where, "plan");
        return;
    }
    read_observers(r, output);
    if (r->job->n_observers == 0 && !has_children_in_doubt(output))
        amphi_note(r->notes, OUTPUT_EMPTY, output->where, output->name);
    read_report(r, amphi_xml_child(output, "report"));
    choose_mean(r, stage);
}
