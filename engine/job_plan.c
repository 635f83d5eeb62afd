/* <plan>: stages with their thermostats, barostats and restraints, checked against the system. */
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "barostat.h"
#include "reader.h"
#include "thermostat.h"
#include "units.h"

enum { MAX_STAGES = 256 };

/* The group of that name; -1 with a note. */
int32_t amphi_reader_group(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                           const char *name)
{
    const AmphiSystem *s     = r->system;
    AmphiNamed        *known = AMPHI_TAKE(r->arena, AmphiNamed, s->n_groups);

    for (int32_t k = 0; known != NULL && k < s->n_groups; k++) {
        if (strcmp(s->group[k].name, name) == 0)
            return k;
        known[k] = (AmphiNamed){ s->group[k].name, k };
    }
    if (known != NULL)
        amphi_reader_unknown(r, xml, attribute, name, "group", known, s->n_groups);
    return -1;
}

int64_t amphi_reader_steps(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                           double time_ps, double dt_ps)
{
    const double exact = time_ps / dt_ps, whole = floor(exact + 0.5);
    const double n = whole < 1 ? 1 : whole > AMPHI_MOST_STEPS ? AMPHI_MOST_STEPS : whole;
    const char  *step, *found;

    /* twelve digits: more than anyone writes, less than the rounding of the quotient */
    if (fabs(exact - n) <= 1e-12 * n + 1e-9)
        return (int64_t)n;
    step  = amphi_arena_print(r->arena, "%.12g fs", 1e3 * dt_ps);
    found = amphi_arena_print(r->arena, "%.0f", n);
    if (step != NULL && found != NULL)
        amphi_xml_note(r->notes, STEPS_ROUNDED, xml, attribute, step, found);
    return (int64_t)n;
}

/* Thermostats. */

static void note_bead(AmphiReader *r, const AmphiXml *xml, bool is_shared, int32_t bead)
{
    char name[96];

    amphi_system_bead(r->system, bead, name, sizeof name);
    if (is_shared)
        amphi_xml_note(r->notes, GROUPS_SHARE, xml, "groups", name);
    else
        amphi_xml_note(r->notes, GROUPS_MISS, xml, "groups", name);
}

/* Each bead must be in exactly one of the groups; notes the first that is not. */
static void check_groups(AmphiReader *r, const AmphiXml *xml, const AmphiThermostat *t)
{
    const AmphiSystem *s    = r->system;
    uint8_t           *seen = AMPHI_TAKE(r->arena, uint8_t, s->n_beads);

    for (int32_t g = 0; seen != NULL && g < t->n_groups; g++) {
        const AmphiGroup *group = &s->group[t->group[g]];

        if (group->n_beads == 0)
            return; /* it selects nothing: noted */
        for (int32_t k = 0; k < group->n_beads; k++) {
            if (seen[group->bead[k]] != 0) {
                note_bead(r, xml, true, group->bead[k]);
                return;
            }
            seen[group->bead[k]] = 1;
        }
    }
    for (int32_t i = 0; seen != NULL && i < s->n_beads; i++)
        if (seen[i] == 0) {
            note_bead(r, xml, false, i);
            return;
        }
}

static int32_t steps_of(const AmphiXml *xml)
{
    const int64_t every = amphi_xml_whole(xml, "every", 1);

    return every > INT32_MAX ? INT32_MAX : (int32_t)every;
}

/* What relaxes faster than it is held relaxes more slowly than it says. */
static void check_scalings(AmphiReader *r, const AmphiXml *xml, const AmphiThermostat *t,
                           double dt_ps)
{
    const double  between_ps = steps_between_scalings(t) * dt_ps;
    const int64_t most       = (int64_t)(t->time_ps / dt_ps * (1 + 1e-9));
    const char   *between, *steps;

    if (!scales_velocities(t->type) || t->every <= 1 || !(share_of_scaling(t, dt_ps) > 1 + 1e-9))
        return;
    between = amphi_arena_print(r->arena, "%.4g ps", between_ps);
    steps   = amphi_arena_print(r->arena, "%lld", (long long)(most > 1 ? most : 1));
    if (between != NULL && steps != NULL)
        amphi_xml_note(r->notes, HELD_SELDOM, xml, "time", between, steps);
}

/* From so many kelvin on it is told that a thermostat holds beads too cold. */
static const double told_K = 1;

/* Of the momentum that other groups give one between two removals, three degrees of freedom may be
 * as warm as all: 1000 waters beside 20 of another mass in equilibrium have two thirds of that, and
 * the 20 are held 10 K too cold by every tenth step. */
static void check_few(AmphiReader *r, const AmphiXml *xml, const AmphiThermostat *t)
{
    const AmphiGroup *few = NULL; /* an empty one is noted already, one bead left alone */
    const char       *n, *off;

    for (int32_t k = 0; k < t->n_groups; k++) {
        const AmphiGroup *group = &r->system->group[t->group[k]];

        if (group->n_beads > 1 && (few == NULL || group->n_beads < few->n_beads))
            few = group;
    }
    if (few == NULL)
        return;

    const double off_K = t->temperature_K / few->n_beads;

    if (!(off_K > told_K))
        return;
    n   = amphi_arena_print(r->arena, "%d", (int)few->n_beads);
    off = amphi_arena_print(r->arena, "%.3g", off_K);
    if (n != NULL && off != NULL)
        amphi_xml_note(r->notes, FEW_ARE_PUSHED, xml, "remove-drift", few->name, n, off);
}

/* What is taken away comes back by the thermostat alone, and by its time: at most three degrees of
 * freedom in each removal, of which 0.29 is measured in 32 DMPC with 384 waters of ELBA at 303 K,
 * held in every tenth step of 10 fs: 0.83 K too cold with 1 ps, and 4.2 K with 5 ps. Where it is
 * more often, forces between groups have had less time for it, and what they give goes with the
 * square of that: 32 DMPC with 512 waters, 5 ps, held in every second step, are as warm as they
 * should be within 1 K. */
static void check_slow(AmphiReader *r, const AmphiXml *xml, const AmphiThermostat *t, double dt_ps)
{
    const double between_ps = steps_between_scalings(t) * dt_ps;
    const double ratio      = fmin(1, between_ps / 0.1);
    const double share      = 0.33 * ratio * ratio;
    int64_t      freedom[2];
    const char  *off;

    amphi_system_freedom(r->system, freedom);
    const double off_K = share * 3 * t->temperature_K / fmax((double)(freedom[0] + freedom[1]), 1) *
                         t->time_ps / between_ps;

    if (!(off_K > told_K))
        return;
    off = amphi_arena_print(r->arena, "%.3g", off_K);
    if (off != NULL)
        amphi_xml_note(r->notes, DRIFT_COOLS, xml, "time", off);
}

static void check_drift(AmphiReader *r, const AmphiXml *xml, const AmphiThermostat *t, double dt_ps)
{
    if (t->n_groups < 2 || steps_between_scalings(t) == 1)
        return;
    check_few(r, xml, t);
    check_slow(r, xml, t, dt_ps);
}

static void read_thermostat(AmphiReader *r, const AmphiXml *xml, AmphiStage *stage)
{
    AmphiThermostat   *t     = &stage->thermostat;
    int32_t            n     = 0;
    const char *const *name  = amphi_xml_names(xml, "groups", r->arena, &n);
    int32_t           *group = AMPHI_TAKE(r->arena, int32_t, n);

    t->type = (AmphiThermostatType)(AMPHI_VELOCITY_RESCALE + amphi_xml_choice(xml, "type"));
    t->temperature_K = amphi_xml_quantity(xml, "temperature", 1);
    t->time_ps       = amphi_xml_quantity(xml, "time", 1);
    t->every         = steps_of(xml);
    if (t->type == AMPHI_LANGEVIN && amphi_xml_has(xml, "every"))
        amphi_xml_note(r->notes, NO_USE_WITH, xml, "every", "type=\"langevin\"");
    check_scalings(r, xml, t, stage->dt_ps);

    stage->remove_drift = amphi_xml_quantity(xml, "remove-drift", 0) != 0;
    if (name == NULL || group == NULL)
        return;
    for (int32_t k = 0; k < n; k++) {
        group[t->n_groups] = amphi_reader_group(r, xml, "groups", name[k]);
        if (group[t->n_groups] < 0)
            return;
        t->n_groups++;
    }
    t->group = group;
    check_groups(r, xml, t);
    if (stage->remove_drift)
        check_drift(r, xml, t, stage->dt_ps);
}

/* Barostats. */

/* Slips of the unit: no liquid stays one at 1e5 bar, nor is softer than 0.01 or stiffer than 1e-7
 * 1/bar. */
static void check_barostat(AmphiReader *r, const AmphiXml *xml, const AmphiBarostat *p)
{
    const double pressure = p->pressure_kJ_mol_nm3 / AMPHI_BAR;
    const double soft     = p->compressibility_nm3_mol_kJ * AMPHI_BAR;

    if (fabs(pressure) > 1e5)
        amphi_xml_note(r->notes, NO_LIQUID, xml, "pressure", "-1e5 and 1e5 bar", "1 bar");
    if (!(soft <= 1e-2 && soft >= 1e-7))
        amphi_xml_note(r->notes, NO_LIQUID, xml, "compressibility", "1e-7 and 0.01 1/bar",
                       "4.6e-5 1/bar");
}

/* 1/bar, of water and of membranes. */
static const double compressibility_of_liquids = 4.6e-5;

/* The part of a pressure's deviation that may be taken back in the time between two moves and four
 * times as long as a move waits. Stochastic cell rescaling of 600 ELBA waters at 298 K, steps of 10
 * fs, 4 ns each, errors 0.2 K: moved in every step, 0.4, 0.2 and 0.2 K too warm by time constants
 * of 0.3, 0.4 and 0.5 ps; in every fifth, 0.8, 0.3 and 0.4 K by those; in every tenth, 0.9, 0.6 and
 * 0.2 K by 0.5, 0.6 and 0.8 ps; but by 0.12 ps in every step 5 K, and by 0.2 ps in every tenth 56
 * K. A liquid answers a stretch by several times what its compressibility says, as long as its
 * beads have not moved. */
static const double most_feedback = 0.3;

static void check_moves(AmphiReader *r, const AmphiXml *xml, const AmphiBarostat *p, double dt_ps)
{
    const double between_ps = steps_between_moves(p) * dt_ps;
    const double waits_ps   = between_ps + 4 * AMPHI_MOVE_LAG * dt_ps;
    const double ratio    = p->compressibility_nm3_mol_kJ * AMPHI_BAR / compressibility_of_liquids;
    const double least_ps = ratio * waits_ps / most_feedback;
    const char  *between, *compressibility, *least;

    if (!(least_ps > p->time_ps * (1 + 1e-9)))
        return;
    between         = amphi_arena_print(r->arena, "%.4g ps", between_ps);
    compressibility = amphi_xml_text(xml, "compressibility");
    least           = amphi_arena_print(r->arena, "%.4g ps", least_ps);
    if (between != NULL && compressibility != NULL && least != NULL)
        amphi_xml_note(r->notes, BOX_OVERSHOOTS, xml, "time", between, compressibility, least);
}

static void read_barostat(AmphiReader *r, const AmphiXml *xml, AmphiStage *stage)
{
    static const AmphiBarostatType type[] = { AMPHI_CELL_RESCALE, AMPHI_BERENDSEN_P };
    AmphiBarostat                 *p      = &stage->barostat;

    p->type                = type[amphi_xml_choice(xml, "type") == 1];
    p->coupling            = (AmphiCoupling)amphi_xml_choice(xml, "coupling");
    p->pressure_kJ_mol_nm3 = amphi_xml_quantity(xml, "pressure", 0);
    p->time_ps             = amphi_xml_quantity(xml, "time", 1);
    p->every               = steps_of(xml);
    p->tension_kJ_mol_nm2  = amphi_xml_quantity(xml, "tension", 0);

    p->compressibility_nm3_mol_kJ =
        amphi_xml_quantity(xml, "compressibility", compressibility_of_liquids / AMPHI_BAR);
    check_barostat(r, xml, p);
    if (amphi_xml_is_choice(xml, "coupling") && p->coupling != AMPHI_SEMI_ISOTROPIC &&
        amphi_xml_has(xml, "tension"))
        amphi_xml_note(r->notes, NO_USE_WITH, xml, "tension",
                       p->coupling == AMPHI_ISOTROPIC ? "coupling=\"isotropic\""
                                                      : "coupling=\"constant-area\"");
    check_moves(r, xml, p, stage->dt_ps);
}

/* Restraints: what holds a bead along an axis adds up. */

static bool shares_axis(const AmphiStageRestraint *a, const AmphiStageRestraint *b)
{
    return a->group == b->group &&
           ((a->axis[0] && b->axis[0]) || (a->axis[1] && b->axis[1]) || (a->axis[2] && b->axis[2]));
}

/* The n of an element, a stage or <interactions>, in the arena. */
static const AmphiStageRestraint *restraints_of(AmphiReader *r, const AmphiXml *xml, int32_t *n)
{
    AmphiStageRestraint *list;
    int32_t              most = 0;

    *n = 0;
    for (const AmphiXml *c = amphi_xml_child(xml, "restrain"); c != NULL;
         c                 = amphi_xml_next(c, "restrain"))
        most++;
    list = AMPHI_TAKE(r->arena, AmphiStageRestraint, most);
    for (const AmphiXml *c = amphi_xml_child(xml, "restrain"); list != NULL && c != NULL;
         c                 = amphi_xml_next(c, "restrain")) {
        const char   *axes  = amphi_xml_text(c, "axes");
        const char   *name  = amphi_xml_text(c, "group");
        const int32_t group = name != NULL ? amphi_reader_group(r, c, "group", name) : -1;

        if (group < 0)
            continue;
        list[*n] =
            (AmphiStageRestraint){ .group = group,
                                   .axis  = { strchr(axes, 'x') != NULL, strchr(axes, 'y') != NULL,
                                              strchr(axes, 'z') != NULL },
                                   .k_kJ_mol_nm2 = amphi_xml_quantity(c, "k", 0) };
        for (int32_t k = 0; k < *n; k++)
            if (shares_axis(&list[k], &list[*n])) {
                amphi_xml_note(r->notes, HELD_TWICE, c, "group", NULL);
                break;
            }
        (*n)++;
    }
    return list;
}

/* The time step against the fastest motion that can be foreseen. */

/* Of the restraints of the whole run, which are read after the plan, and of a stage. */
static AmphiFastest fastest_of(AmphiReader *r, const AmphiStage *stage, const AmphiFastest *unheld)
{
    const AmphiXml            *inter   = amphi_xml_child(r->root, "interactions");
    const int32_t              n       = stage != NULL ? stage->n_restraints : 0;
    int32_t                    n_run   = 0;
    const AmphiStageRestraint *of_run  = inter != NULL ? restraints_of(r, inter, &n_run) : NULL;
    AmphiStageRestraint       *all     = AMPHI_TAKE(r->arena, AmphiStageRestraint, n_run + n);
    AmphiFastest               fastest = *unheld;

    if (all == NULL || (n_run > 0 && of_run == NULL))
        return fastest;
    for (int32_t k = 0; k < n_run + n; k++)
        all[k] = k < n_run ? of_run[k] : stage->restraint[k - n_run];
    amphi_reader_fastest_held(r, all, n_run + n, &fastest);
    return fastest;
}

static void check_time_step(AmphiReader *r, const AmphiXml *xml, const AmphiFastest *fastest)
{
    const double dt    = amphi_xml_quantity(xml, "timestep", 0);
    const double fs    = 1e2 * fastest->period_ps;
    const double digit = pow(10, floor(log10(fs)) - 1);
    const char  *period, *most;

    if (!(dt > 0.1 * fastest->period_ps))
        return;
    period = amphi_arena_print(r->arena, "%.3g fs", 1e3 * fastest->period_ps);
    most   = amphi_arena_print(r->arena, "%.2g fs", digit * floor(fs / digit));
    if (period != NULL && most != NULL)
        amphi_xml_note(r->notes, LONG_TIME_STEP, xml, "timestep", fastest->name, period, most);
}

/* Stages. */

static bool is_ensemble(const AmphiXml *xml)
{
    const AmphiAttribute *a    = amphi_schema_attribute(xml->element, "ensemble");
    const char           *text = amphi_xml_text(xml, "ensemble");

    return text != NULL && amphi_schema_is_word(a->choices, text);
}

static void check_ensemble(AmphiReader *r, const AmphiXml *xml, AmphiEnsemble ensemble)
{
    const AmphiXml *thermostat = amphi_xml_child(xml, "thermostat");
    const AmphiXml *barostat   = amphi_xml_child(xml, "barostat");

    if (!is_ensemble(xml)) /* noted, and nothing follows from it */
        return;
    if (ensemble == AMPHI_NVE && thermostat != NULL)
        amphi_xml_note(r->notes, THERMOSTAT_ON_NVE, xml, "ensemble", NULL);
    if (ensemble != AMPHI_NVE && thermostat == NULL)
        amphi_xml_note(r->notes, STAGE_NEEDS, xml, "ensemble", "thermostat",
                       "<thermostat temperature=\"303 K\"/>");
    if (ensemble == AMPHI_NPT && barostat == NULL)
        amphi_xml_note(r->notes, STAGE_NEEDS, xml, "ensemble", "barostat",
                       "<barostat pressure=\"1 bar\"/>");
    if (ensemble != AMPHI_NPT && barostat != NULL)
        amphi_note(r->notes, BAROSTAT_WITHOUT_NPT, barostat->where, barostat->name,
                   amphi_xml_text(xml, "ensemble"));
}

static void read_run(AmphiReader *r, const AmphiXml *xml, AmphiStage *stage)
{
    const AmphiXml *thermostat = amphi_xml_child(xml, "thermostat");
    const AmphiXml *barostat   = amphi_xml_child(xml, "barostat");

    stage->ensemble       = (AmphiEnsemble)(AMPHI_NVE + amphi_xml_choice(xml, "ensemble"));
    stage->dt_ps          = amphi_xml_quantity(xml, "timestep", stage->dt_ps);
    stage->conserved_mean = stage->ensemble == AMPHI_NVE;
    stage->n_steps =
        amphi_reader_steps(r, xml, "length", amphi_xml_quantity(xml, "length", 1), stage->dt_ps);
    check_ensemble(r, xml, stage->ensemble);
    if (thermostat != NULL)
        read_thermostat(r, thermostat, stage);
    if (barostat != NULL && stage->ensemble == AMPHI_NPT)
        read_barostat(r, barostat, stage);
    stage->restraint = restraints_of(r, xml, &stage->n_restraints);
}

static void read_stage(AmphiReader *r, const AmphiXml *xml, double dt_ps, AmphiStage *stage)
{
    const char *name = amphi_xml_text(xml, "name");

    stage->name  = name != NULL ? name : ""; /* missing: noted */
    stage->dt_ps = dt_ps;
    if (strcmp(xml->name, "run") == 0) {
        read_run(r, xml, stage);
        return;
    }
    stage->ensemble = AMPHI_MINIMISE;
    stage->n_steps  = amphi_xml_whole(xml, "steps", 1);

    stage->stop_force_kJ_mol_nm = amphi_xml_quantity(xml, "stop-force", 1);
}

/* A stage's own time step, or that of the plan against the stage's own restraints. */
static void check_stage_step(AmphiReader *r, const AmphiXml *plan, const AmphiXml *xml,
                             const AmphiStage *stage, const AmphiFastest *unheld,
                             const AmphiFastest *fastest)
{
    const AmphiFastest here = stage->n_restraints > 0 ? fastest_of(r, stage, unheld) : *fastest;

    if (amphi_xml_has(xml, "timestep"))
        check_time_step(r, xml, &here);
    else if (here.period_ps < fastest->period_ps)
        check_time_step(r, plan, &here);
}

/* Momentum from stage to stage. */

/* Restraints of the whole run, which are read after the plan. */
static bool restrains_positions(const AmphiReader *r)
{
    const AmphiXml *inter = amphi_xml_child(r->root, "interactions");

    return inter != NULL && amphi_xml_child(inter, "restrain") != NULL;
}

/* Langevin noise, restraints and thermostats of several groups give the whole system a momentum,
 * which stays when they end; a start file may have one. A velocity-scaling thermostat counts it as
 * thermal energy, so that the temperature is too low. */
static void check_momentum(AmphiReader *r, const AmphiXml *xml, const AmphiStage *stage,
                           const char **from)
{
    const bool is_pushed = stage->thermostat.type == AMPHI_LANGEVIN || stage->n_restraints > 0 ||
                           stage->thermostat.n_groups > 1;

    if (stage->ensemble == AMPHI_MINIMISE || restrains_positions(r))
        return;
    if (stage->remove_drift)
        *from = NULL;
    else if (is_pushed)
        *from = amphi_arena_print(r->arena, "stage %s", stage->name);
    else if (*from != NULL && stage->thermostat.type != AMPHI_NO_THERMOSTAT) {
        const AmphiXml *thermostat = amphi_xml_child(xml, "thermostat");

        amphi_note(r->notes, MOMENTUM_AS_HEAT, thermostat->where, thermostat->name, *from);
        *from = NULL; /* the stage removes it for good */
    }
}

static bool is_stage(const AmphiXml *xml)
{
    return xml->element != NULL &&
           (strcmp(xml->name, "run") == 0 || strcmp(xml->name, "minimise") == 0);
}

static void read_stages(AmphiReader *r, const AmphiXml *plan, AmphiStage *stage)
{
    const AmphiFastest unheld  = amphi_reader_fastest(r);
    const AmphiFastest fastest = fastest_of(r, NULL, &unheld);
    const double       dt_ps   = amphi_xml_quantity(plan, "timestep", 0.01);
    const char        *pushed  = amphi_reader_start_moves(r) ? "the start" : NULL;
    int32_t            n       = 0;

    check_time_step(r, plan, &fastest);
    for (const AmphiXml *c = plan->child; c != NULL; c = c->next) {
        if (!is_stage(c))
            continue;
        read_stage(r, c, dt_ps, &stage[n]);
        check_stage_step(r, plan, c, &stage[n], &unheld, &fastest);
        check_momentum(r, c, &stage[n], &pushed);
        for (int32_t k = 0; k < n; k++)
            if (strcmp(stage[k].name, stage[n].name) == 0)
                amphi_xml_note(r->notes, STAGE_TWICE, c, "name", NULL);
        n++;
    }
}

/* Dipoles that were drawn at random have the energy of no liquid, and time steps make heat of it:
 * 800 K in water of 300 K. */
static void check_drawn(AmphiReader *r)
{
    if (r->drawn != NULL && r->job->stage[0].ensemble != AMPHI_MINIMISE)
        amphi_note(r->notes, DRAWN_AND_RUN, r->drawn->where, r->drawn->name, r->job->stage[0].name);
}

void amphi_reader_plan(AmphiReader *r)
{
    const AmphiXml *plan = amphi_xml_child(r->root, "plan");
    AmphiStage     *stage;
    int32_t         n = 0;

    if (plan == NULL)
        return;
    for (const AmphiXml *c = plan->child; c != NULL; c = c->next)
        n += is_stage(c);
    if (n == 0)
        amphi_note(r->notes, NO_STAGES, plan->where, plan->name);
    if (n > MAX_STAGES)
        amphi_note(r->notes, TOO_MANY, plan->where, "stages", "256");
    if (n == 0 || n > MAX_STAGES)
        return;
    stage = AMPHI_TAKE(r->arena, AmphiStage, n);
    if (stage == NULL)
        return;
    r->stage         = stage;
    r->job->stage    = stage;
    r->job->n_stages = n;
    read_stages(r, plan, stage);
    check_drawn(r);
    amphi_reader_output(r, stage);
}

/* Of whoever gives none: noise is a function of seed, bead and step, so that runs from other starts
 * would have the same if they had the same seed. 1 where the seeds of a built start are 1; else a
 * whole number below 2^31, as one might write it. 0: no memory. */
static uint64_t seed_of_start(const AmphiReader *r)
{
    const AmphiXml *system     = amphi_xml_child(r->root, "system");
    const AmphiXml *start      = amphi_xml_child(system, "start");
    const AmphiXml *velocities = start != NULL ? amphi_xml_child(start, "velocities") : NULL;
    uint64_t        seed[2]    = { r->job->seed, 1 }, hash[2];

    if (velocities != NULL)
        seed[1] = (uint64_t)amphi_xml_whole(velocities, "seed", 1);
    if (r->job->start < AMPHI_START_BILAYER)
        return amphi_reader_start_hash(r->system, hash) ? 1 + (hash[1] >> 33) : 0;
    return seed[0] == 1 && seed[1] == 1 ? 1 : 1 + (XXH3_64bits(seed, sizeof seed) >> 33);
}

void amphi_reader_seeds(AmphiReader *r)
{
    const AmphiXml *plan = amphi_xml_child(r->root, "plan");
    const uint64_t  seed = r->job->n_stages > 0 ? seed_of_start(r) : 1;
    int32_t         n    = 0;

    if (seed == 0) {
        r->no_memory = true;
        return;
    }
    for (const AmphiXml *c = r->job->n_stages > 0 ? plan->child : NULL; c != NULL; c = c->next)
        if (is_stage(c))
            r->stage[n++].seed =
                amphi_xml_has(c, "seed") ? (uint64_t)amphi_xml_whole(c, "seed", 0) : seed;
}
