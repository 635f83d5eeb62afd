/* energy.tsv: for each frame the energy of every term that the system has, temperatures, pressure,
 * box, and the conserved quantity.
 */
#include <math.h>
#include <string.h>

#include "../forcefield/spec.h"
#include "observing.h"

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiOutfile *file;
    bool          has_term[AMPHI_TERMS];
    int32_t       n_groups;
    int32_t      *group; /* [n_groups] of the system that any thermostat has; -1: it has no more */
    const char   *columns; /* of terms and groups: "lj bond temperature_lipids " */
    /* sums at the previous frame, from which the mean of the conserved quantity is taken */
    double  conserved_sum_kJ_mol;
    int64_t conserved_count;
};

/* ---- which columns ---- */

static void find_terms(AmphiObserver *o, bool *is_used)
{
    const AmphiSystem *const s = o->on.place.system;

    for (int32_t i = 0; i < s->n_beads; i++)
        is_used[s->bead_type[i]] = true;
    for (int32_t k = 0; k < s->n_types * s->n_types; k++) {
        const AmphiPairRule *const rule = &s->pair_rule[k];

        if (is_used[k / s->n_types] && is_used[k % s->n_types])
            for (int32_t t = 0; t < rule->n_terms; t++)
                o->has_term[amphi_potential_of_kind(rule->term[t].kind, false)->slot] = true;
    }
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBondRule *const rule = &s->bond_rule[s->bond[k].rule];

        o->has_term[amphi_potential_of_kind(rule->kind, true)->slot] = true;
    }
    for (int32_t k = 0; k < o->on.place.n_stages; k++)
        if (o->on.place.stage[k].n_restraints > 0)
            o->has_term[AMPHI_POSITION_RESTRAINT] = true;
}

static void add_group(AmphiObserver *o, int32_t group)
{
    for (int32_t k = 0; k < o->n_groups; k++)
        if (o->group[k] == group)
            return;
    o->group[o->n_groups++] = group;
}

/* A thermostat with one group has the temperature of the system, and needs no column. */
static void find_groups(AmphiObserver *o)
{
    for (int32_t k = 0; k < o->on.place.n_stages; k++) {
        const AmphiThermostat *const t = &o->on.place.stage[k].thermostat;

        for (int32_t g = 0; g < t->n_groups && t->n_groups > 1; g++)
            add_group(o, t->group[g]);
    }
}

static const char group_column[] = "temperature_";

static void name_columns(AmphiObserver *o)
{
    o->columns = "";
    for (int slot = 0; o->columns != NULL && slot < AMPHI_TERMS; slot++)
        if (o->has_term[slot])
            o->columns = amphi_arena_print(o->on.arena, "%s%s ", o->columns,
                                           amphi_term_name((AmphiTermSlot)slot));
    for (int32_t k = 0; o->columns != NULL && k < o->n_groups; k++)
        o->columns = amphi_arena_print(o->on.arena, "%s%s%s ", o->columns, group_column,
                                       o->on.place.system->group[o->group[k]].name);
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiObserverPlace *const p       = &o->on.place;
    bool *const                     is_used = AMPHI_TAKE(o->on.arena, bool, p->system->n_types);

    o->group = AMPHI_TAKE(o->on.arena, int32_t, p->system->n_groups + 1);
    if (amphi_arena_failed(o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "energy.tsv: no memory");
    find_terms(o, is_used);
    find_groups(o);
    name_columns(o);
    if (o->columns == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "energy.tsv: no memory");
    return amphi_outfile_open(p->files, "energy.tsv", p->marks, p->n_marks, &o->file, err);
}

/* ---- going on in a file that has its columns ---- */

static const char *columns_of(AmphiObserver *o)
{
    return o->columns;
}

/* The word behind this one of a text in which each ends with a blank. */
static const char *next_word(const char *word)
{
    const size_t n = strcspn(word, " ");

    return word[n] == ' ' ? word + n + 1 : word + n;
}

static bool has_word(const char *text, const char *word, size_t n)
{
    for (; *text != '\0'; text = next_word(text))
        if (strcspn(text, " ") == n && strncmp(text, word, n) == 0)
            return true;
    return false;
}

static int32_t find_group(const AmphiSystem *s, const char *name, size_t n)
{
    for (int32_t g = 0; g < s->n_groups; g++)
        if (strlen(s->group[g].name) == n && strncmp(s->group[g].name, name, n) == 0)
            return g;
    return -1;
}

/* The columns of the file in place of those that the plan would have. */
static AmphiStatus take_columns(AmphiObserver *o, const char *columns, AmphiError *err)
{
    const size_t front = strlen(group_column);
    int32_t      n     = 0;

    for (const char *word = columns; *word != '\0'; word = next_word(word))
        n++;
    o->columns  = amphi_arena_text(o->on.arena, columns);
    o->group    = AMPHI_TAKE(o->on.arena, int32_t, n);
    o->n_groups = 0;
    if (o->columns == NULL || o->group == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "energy.tsv: no memory");
    for (int slot = 0; slot < AMPHI_TERMS; slot++) {
        const char *const term = amphi_term_name((AmphiTermSlot)slot);

        o->has_term[slot] = has_word(columns, term, strlen(term));
    }
    for (const char *word = columns; *word != '\0'; word = next_word(word)) {
        const size_t length = strcspn(word, " ");

        if (length > front && strncmp(word, group_column, front) == 0)
            o->group[o->n_groups++] = find_group(o->on.place.system, word + front, length - front);
    }
    return AMPHI_OK;
}

/* Every line of a file has the columns of its heading. */
static AmphiStatus resume(AmphiObserver *o, const char *columns, AmphiError *err)
{
    char *const  remark = o->on.remark;
    const size_t size   = sizeof o->on.remark;

    for (const char *word = o->columns; *word != '\0'; word = next_word(word)) {
        const size_t n = strlen(remark);

        if (!has_word(columns, word, strcspn(word, " ")))
            snprintf(remark + n, size - n, "%s%.*s",
                     n == 0 ? "energy.tsv keeps the columns of its heading: none for " : ", ",
                     (int)strcspn(word, " "), word);
    }
    return take_columns(o, columns, err);
}

/* ---- a line ---- */

static AmphiStatus print_heading(AmphiObserver *o, AmphiError *err)
{
    AMPHI_TRY(amphi_heading_print(
        o->file, &o->on.place,
        "energies kJ/mol, of the whole system; temperatures K, of half-step velocities\n"
        "pressures bar, of half-step velocities; box nm; time ps; heat and work since the stage "
        "began\n"
        "conserved = potential + (2 kinetic_full + kinetic_half)/3 - heat - work; a mean over the "
        "steps since the last line where the stage says so, in its first line of that step alone; "
        "stages count from 1",
        err));
    if (o->n_groups > 0)
        AMPHI_TRY(amphi_outfile_print(o->file, err,
                                      "# temperature_GROUP is nan in stages whose thermostat does "
                                      "not name that group\n"));
    AMPHI_TRY(amphi_outfile_print(o->file, err, "step\ttime_ps\tstage"));
    for (int slot = 0; slot < AMPHI_TERMS; slot++)
        if (o->has_term[slot])
            AMPHI_TRY(
                amphi_outfile_print(o->file, err, "\t%s", amphi_term_name((AmphiTermSlot)slot)));
    AMPHI_TRY(amphi_outfile_print(o->file, err,
                                  "\tpotential\tkinetic_half\tkinetic_full\ttemperature\t"
                                  "temperature_translation\ttemperature_rotation"));
    for (int32_t k = 0; k < o->n_groups; k++)
        AMPHI_TRY(amphi_outfile_print(o->file, err, "\ttemperature_%s",
                                      o->on.place.system->group[o->group[k]].name));
    return amphi_outfile_print(o->file, err,
                               "\tpressure\tpressure_xx\tpressure_yy\tpressure_zz\t"
                               "box_x\tbox_y\tbox_z\theat\twork\tconserved\n");
}

static double temperature_of(double kinetic, int64_t freedom)
{
    return freedom > 0 ? 2 * kinetic / ((double)freedom * AMPHI_BOLTZMANN) : 0;
}

static AmphiStatus print_energies(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    double potential = 0;

    for (int slot = 0; slot < AMPHI_TERMS; slot++) {
        potential += f->term_kJ_mol[slot];
        if (o->has_term[slot])
            AMPHI_TRY(amphi_outfile_print(o->file, err, "\t%.12g", f->term_kJ_mol[slot]));
    }
    return amphi_outfile_print(o->file, err, "\t%.17g\t%.17g\t%.17g", potential,
                               f->translation.half + f->rotation.half,
                               f->translation.full + f->rotation.full);
}

/* A group that is not one of this stage's thermostat has no temperature of its own: nan. */
static double group_temperature(const AmphiFrame *f, int32_t group)
{
    for (int32_t g = 0; g < f->n_groups && g < f->stage->thermostat.n_groups; g++)
        if (f->stage->thermostat.group[g] == group)
            return temperature_of(f->group[g][0].half + f->group[g][1].half,
                                  f->group_freedom[g][0] + f->group_freedom[g][1]);
    return (double)NAN;
}

static AmphiStatus print_temperatures(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    const double t[3] = { temperature_of(f->translation.half + f->rotation.half,
                                         f->freedom[0] + f->freedom[1]),
                          temperature_of(f->translation.half, f->freedom[0]),
                          temperature_of(f->rotation.half, f->freedom[1]) };

    AMPHI_TRY(amphi_outfile_print(o->file, err, "\t%.10g\t%.10g\t%.10g", t[0], t[1], t[2]));
    for (int32_t k = 0; k < o->n_groups; k++)
        AMPHI_TRY(amphi_outfile_print(o->file, err, "\t%.10g", group_temperature(f, o->group[k])));
    return AMPHI_OK;
}

/* P_aa = (2 K_aa + W_aa)/V */
static AmphiStatus print_pressure(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    const double volume = f->box_nm[0] * f->box_nm[1] * f->box_nm[2];
    double       p[3];

    for (int a = 0; a < 3; a++) {
        double sum = 2 * f->kinetic_half_kJ_mol[a][a];

        for (int slot = 0; slot < AMPHI_TERMS; slot++)
            sum += f->term_virial_kJ_mol[slot][a][a];
        p[a] = sum / (volume * AMPHI_BAR);
    }
    return amphi_outfile_print(o->file, err, "\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g",
                               (p[0] + p[1] + p[2]) / 3, p[0], p[1], p[2], f->box_nm[0],
                               f->box_nm[1], f->box_nm[2]);
}

/* The sums restart with each stage, which shows in their count. */
static double conserved_mean(AmphiObserver *o, const AmphiFrame *f)
{
    const bool    goes_on = f->conserved_count > o->conserved_count;
    const double  sum     = f->conserved_sum_kJ_mol - (goes_on ? o->conserved_sum_kJ_mol : 0);
    const int64_t count   = f->conserved_count - (goes_on ? o->conserved_count : 0);

    o->conserved_sum_kJ_mol = f->conserved_sum_kJ_mol;
    o->conserved_count      = f->conserved_count;
    return f->stage->conserved_mean && count > 0 ? sum / (double)count : f->conserved_kJ_mol;
}

/* In the order of the plan, from 1. */
static int32_t stage_number(const AmphiObserver *o, const AmphiStage *stage)
{
    for (int32_t k = 0; k < o->on.place.n_stages; k++)
        if (strcmp(o->on.place.stage[k].name, stage->name) == 0)
            return k + 1;
    return 0;
}

static AmphiStatus see_energies(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    if (amphi_outfile_is_new(o->file))
        AMPHI_TRY(print_heading(o, err));
    AMPHI_TRY(amphi_outfile_print(o->file, err, "%lld\t%.12g\t%d", (long long)f->step, f->time_ps,
                                  (int)stage_number(o, f->stage)));
    AMPHI_TRY(print_energies(o, f, err));
    AMPHI_TRY(print_temperatures(o, f, err));
    AMPHI_TRY(print_pressure(o, f, err));
    return amphi_outfile_print(o->file, err, "\t%.17g\t%.17g\t%.17g\n", f->heat_kJ_mol,
                               f->work_kJ_mol, conserved_mean(o, f));
}

static const char *lacks(const AmphiObserverPlan *plan)
{
    (void)plan;
    return "energies";
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    part[0] = (AmphiPart){ &o->conserved_sum_kJ_mol, sizeof o->conserved_sum_kJ_mol };
    part[1] = (AmphiPart){ &o->conserved_count, sizeof o->conserved_count };
    return 2;
}

const AmphiObserverKind amphi_obs_energies = {
    .name    = "energies",
    .file    = "energy.tsv",
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_ENERGY,
    .lacks   = lacks,
    .prepare = prepare,
    .see     = see_energies,
    .parts   = parts_of,
    .columns = columns_of,
    .resume  = resume,
};
