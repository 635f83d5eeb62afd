/* Forces, torques, energies and virials of every mode at the start, compared with the reference
 * backend, or with the base where the reference, which evaluates all pairs, would take too long.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "tables.h"

/* All pairs of so many beads take the reference about ten seconds. */
enum { MOST_FOR_REFERENCE = 24000 };

/* What is kept of one evaluation. */
typedef struct {
    bool    is_there;
    double  energy[AMPHI_TERMS], virial[AMPHI_TERMS][9];
    int64_t count[AMPHI_TERMS];
    double (*force)[3], (*torque)[3]; /* [n_beads] */
} Evaluation;

typedef struct {
    double  rms, worst; /* relative; the largest difference over the rms of the judge */
    int32_t bead;
} VectorError;

static AmphiStatus keep(Evaluation *e, const AmphiSystem *s, const AmphiFrame *f, AmphiArena *arena,
                        AmphiError *err)
{
    const int32_t n = s->n_beads;

    e->force  = amphi_arena_take(arena, n, sizeof *e->force);
    e->torque = amphi_arena_take(arena, n, sizeof *e->torque);
    if (amphi_arena_failed(arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the forces");
    memcpy(e->energy, f->term_kJ_mol, sizeof e->energy);
    memcpy(e->virial, f->term_virial_kJ_mol, sizeof e->virial);
    memcpy(e->count, f->term_count, sizeof e->count);
    memcpy(e->force, f->force_kJ_mol_nm, (size_t)n * sizeof *e->force);
    memcpy(e->torque, f->torque_kJ_mol, (size_t)n * sizeof *e->torque);
    e->is_there = true;
    return AMPHI_OK;
}

static AmphiStatus evaluate(const AmphiBackend *be, AmphiState *state, AmphiFrame *frame,
                            AmphiError *err)
{
    const uint32_t needs = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;

    AMPHI_TRY(be->find_neighbours(state, err));
    AMPHI_TRY(be->compute_forces(state, needs, err));
    return be->read_frame(state, needs, frame, err);
}

static AmphiStatus evaluate_modes(Compare *c, Evaluation *all, AmphiArena *arena, AmphiError *err)
{
    for (int32_t k = 0; k < c->n_modes; k++) {
        CompareMode *const m   = &c->mode[k];
        AmphiError         why = { .status = AMPHI_OK };

        if (m->is_lost)
            continue;
        const double before = compare_heap();
        AMPHI_TRY(compare_lose(m, evaluate(m->backend, m->state, &m->frame, &why), &why));
        m->heap_bytes += compare_heap() - before;
        if (!m->is_lost)
            AMPHI_TRY(keep(&all[k], &c->system, &m->frame, arena, err));
        if (c->tell != NULL)
            c->tell(c->user, "forces", k + 1, c->n_modes);
    }
    return AMPHI_OK;
}

static AmphiStatus evaluate_judge(const Compare *c, Evaluation *judge, const Evaluation *all,
                                  AmphiArena *arena, AmphiError *err)
{
    const AmphiBackend *const be    = amphi_backend_there("reference", AMPHI_DOUBLE);
    AmphiState               *state = NULL;
    AmphiFrame                frame;
    AmphiStatus               status;

    if (be == NULL || c->system.n_beads > MOST_FOR_REFERENCE) {
        if (c->base >= 0)
            *judge = all[c->base];
        c->report->judge = c->report->base;
        return AMPHI_OK;
    }
    c->report->judge = "reference double";
    status           = be->open(&c->system, &c->choice, &state, err);
    if (status == AMPHI_OK)
        status = evaluate(be, state, &frame, err);
    if (status == AMPHI_OK)
        status = keep(judge, &c->system, &frame, arena, err);
    be->close(state);
    return status;
}

/* ---- differences ---- */

static VectorError differ(const double (*a)[3], const double (*b)[3], int32_t n)
{
    VectorError e       = { 0, 0, -1 };
    double      squares = 0, differences = 0, largest = -1;

    for (int32_t i = 0; i < n; i++) {
        double d2 = 0;

        for (int k = 0; k < 3; k++) {
            d2 += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
            squares += b[i][k] * b[i][k];
        }
        differences += d2;
        d2 = isfinite(d2) ? d2 : (double)INFINITY;
        if (d2 > largest) { /* the first of those that are no numbers */
            largest = d2;
            e.bead  = i;
        }
    }
    e.rms   = squares > 0 ? sqrt(differences / squares) : (double)NAN;
    e.worst = squares > 0 ? sqrt(largest * n / squares) : (double)NAN;
    return e;
}

static void add_vectors(Compare *c, const Evaluation *judge, const Evaluation *all, bool is_torque)
{
    const char *const what = is_torque ? "torque" : "force";
    double            rms[COMPARE_MODES], worst[COMPARE_MODES];
    char              name[COMPARE_MODES][96], label[96];
    const char       *bead[COMPARE_MODES] = { NULL };
    bool              any                 = false;

    compare_unknown(rms);
    compare_unknown(worst);
    for (int32_t k = 0; k < c->n_modes; k++) {
        if (!all[k].is_there || !judge->is_there)
            continue;
        const VectorError e = is_torque
                                  ? differ((const double(*)[3])all[k].torque,
                                           (const double(*)[3])judge->torque, c->system.n_beads)
                                  : differ((const double(*)[3])all[k].force,
                                           (const double(*)[3])judge->force, c->system.n_beads);
        rms[k]              = e.rms;
        worst[k]            = e.worst;
        any                 = any || !isnan(e.worst);
        if (e.worst > 0)
            bead[k] = amphi_system_bead(&c->system, e.bead, name[k], sizeof name[k]);
    }
    if (!any)
        return;
    snprintf(label, sizeof label, "%s error, relative rms", what);
    compare_add_row(c->report, label, "", COMPARE_POWER, 2, rms);
    snprintf(label, sizeof label, "%s error of the worst bead, over the rms", what);
    compare_add_row(c->report, label, "", COMPARE_POWER, 2, worst);
    snprintf(label, sizeof label, "%s error: the worst bead", what);
    compare_add_words(c->report, label, bead);
}

/* The sum of all terms stands behind the last. */
static double energy_of(const Evaluation *e, int slot)
{
    double sum = 0;

    if (slot < AMPHI_TERMS)
        return e->energy[slot];
    for (int k = 0; k < AMPHI_TERMS; k++)
        sum += e->energy[k];
    return sum;
}

static double virial_of(const Evaluation *e, int slot, int component)
{
    double sum = 0;

    if (slot < AMPHI_TERMS)
        return e->virial[slot][component];
    for (int k = 0; k < AMPHI_TERMS; k++)
        sum += e->virial[k][component];
    return sum;
}

/* Relative error of the nine components: Frobenius norm of the difference over that of the
 * judge's virial. */
static double virial_error(const Evaluation *e, const Evaluation *judge, int slot)
{
    double differences = 0, squares = 0;

    for (int k = 0; k < 9; k++) {
        const double w = virial_of(judge, slot, k), d = virial_of(e, slot, k) - w;

        differences += d * d;
        squares += w * w;
    }
    return squares > 0 ? sqrt(differences / squares) : (double)NAN;
}

static bool is_used(const Evaluation *judge, int slot)
{
    return slot == AMPHI_TERMS || judge->count[slot] > 0 || fabs(judge->energy[slot]) > 0;
}

static void add_term(Compare *c, const Evaluation *judge, const Evaluation *all, int slot)
{
    const char *const name  = slot < AMPHI_TERMS ? amphi_term_name((AmphiTermSlot)slot) : "all";
    const double      exact = energy_of(judge, slot);
    double            value[COMPARE_MODES], error[COMPARE_MODES], virial[COMPARE_MODES];
    char              label[96];

    compare_unknown(value);
    compare_unknown(error);
    compare_unknown(virial);
    for (int32_t k = 0; k < c->n_modes; k++) {
        if (!all[k].is_there)
            continue;
        value[k]  = energy_of(&all[k], slot);
        error[k]  = fabs(exact) > 0 ? fabs(value[k] - exact) / fabs(exact) : (double)NAN;
        virial[k] = virial_error(&all[k], judge, slot);
    }
    snprintf(label, sizeof label, "%s: energy", name);
    compare_add_row(c->report, label, "kJ/mol", COMPARE_POINT, 4, value);
    snprintf(label, sizeof label, "%s: energy, relative difference", name);
    compare_add_row(c->report, label, "", COMPARE_POWER, 2, error);
    snprintf(label, sizeof label, "%s: virial, relative difference", name);
    compare_add_row(c->report, label, "", COMPARE_POWER, 2, virial);
}

/* "lj: Lennard-Jones; dd: dipole-dipole", of the terms whose names do not say it. */
static void explain_terms(const Evaluation *judge, char *text, size_t size)
{
    for (int slot = 0; slot < AMPHI_TERMS; slot++) {
        const char *const name  = amphi_term_name((AmphiTermSlot)slot);
        const char *const words = tool_term_words(name);
        const size_t      n     = strlen(text);

        if (is_used(judge, slot) && strcmp(name, words) != 0 && strlen(name) <= 2)
            snprintf(text + n, size - n, " %s: %s.", name, words);
    }
}

static AmphiStatus measure(Compare *c, AmphiArena *arena, AmphiError *err)
{
    Evaluation all[COMPARE_MODES] = { { .is_there = false } }, judge = { .is_there = false };
    char       about[480];

    AMPHI_TRY(evaluate_modes(c, all, arena, err));
    AMPHI_TRY(evaluate_judge(c, &judge, all, arena, err));
    if (!judge.is_there)
        return AMPHI_OK;
    snprintf(
        about, sizeof about,
        "Against %s. Relative rms: the root of the sum of squared differences over that of the "
        "squares.",
        c->report->judge);
    explain_terms(&judge, about, sizeof about);
    compare_add_part(c->report, "forces", "Forces and energies at the start", about);
    add_vectors(c, &judge, all, false);
    add_vectors(c, &judge, all, true);
    for (int slot = 0; slot <= AMPHI_TERMS; slot++)
        if (is_used(&judge, slot))
            add_term(c, &judge, all, slot);
    return AMPHI_OK;
}

AmphiStatus compare_forces(Compare *c, AmphiError *err)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiStatus       status;

    if (arena == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the forces");
    status = measure(c, arena, err);
    amphi_arena_free(arena);
    return status;
}
