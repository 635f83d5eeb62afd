/* What is to be done between each two types of beads, as passes over segments, and over stretches
 * of segments; once a state. Types go by their numbers on the device.
 */
#include "pair_row.h"

extern "C" {
#include "../engine/arena.h"
}

/* Tables on the host while they are made. */
typedef struct {
    int32_t  n;
    int32_t *start; /* [n_types * n_types + 1] */
    Pass    *pass;  /* room for every term of every pair of types */
} Table;

static void plan_rule(Device *d, const AmphiPairRule *rule, Table *axes, Table *sticky)
{
    struct ForcesPlan *plan                       = d->forces;
    bool               done[AMPHI_MAX_PAIR_TERMS] = {};

    for (int32_t a = 0; a < rule->n_terms; a++) {
        if (done[a])
            continue;
        const Pass pass = take_visit(rule, a, done);
        Table     *to   = pass.term[0].kind == PAIR_sticky ? sticky : axes;

        if (to == axes)
            plan->classes |= 1U << pass.is;
        for (int32_t k = 0; k < pass.n_terms; k++) {
            plan->slots |= 1U << pass.term[k].slot;
            d->view.records |= 1U << records_of(pass.term[k].kind);
        }
        to->pass[to->n++] = pass;
    }
}

static int32_t type_with_rank(const Device *d, int32_t rank)
{
    int32_t type = 0;

    while (d->type_rank[type] != rank)
        type++;
    return type;
}

static void plan_rules(Device *d, Table *axes, Table *sticky)
{
    const int32_t n_types = d->system->n_types;

    for (int32_t k = 0; k < n_types * n_types; k++) {
        const int32_t a = type_with_rank(d, k / n_types), b = type_with_rank(d, k % n_types);

        plan_rule(d, &d->system->pair_rule[a * n_types + b], axes, sticky);
        axes->start[k + 1]   = axes->n;
        sticky->start[k + 1] = sticky->n;
    }
}

/* ---- ranks ---- */

/* The classes of a rule's passes, as one number. */
static uint32_t classes_of(const AmphiPairRule *rule)
{
    bool     done[AMPHI_MAX_PAIR_TERMS] = {};
    uint32_t sum                        = 0;

    for (int32_t a = 0; a < rule->n_terms; a++)
        if (!done[a])
            sum = sum * (CLASSES + 2) + (uint32_t)(take_visit(rule, a, done).is + 2);
    return sum;
}

static bool meet_alike(const AmphiSystem *s, int32_t a, int32_t b)
{
    for (int32_t k = 0; k < s->n_types; k++)
        if (classes_of(&s->pair_rule[k * s->n_types + a]) !=
            classes_of(&s->pair_rule[k * s->n_types + b]))
            return false;
    return true;
}

static bool has_sticky_term(const AmphiSystem *s)
{
    for (int32_t k = 0; k < s->n_types * s->n_types; k++)
        for (int32_t m = 0; m < s->pair_rule[k].n_terms; m++)
            if (s->pair_rule[k].term[m].kind == PAIR_sticky)
                return true;
    return false;
}

/* Rows of sticky pairs ask for types by the system's own numbers: with them, those stand. */
AmphiStatus AMPHI_T(rank_types)(Device *d, AmphiError *err)
{
    const AmphiSystem *s    = d->system;
    const bool         stay = has_sticky_term(s);
    int32_t            n    = 0;

    d->type_rank = AMPHI_TAKE(d->mirror->arena, int32_t, s->n_types);
    if (d->type_rank == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", s->n_types);
    for (int32_t a = 0; a < s->n_types; a++)
        d->type_rank[a] = -1;
    for (int32_t a = 0; a < s->n_types; a++)
        for (int32_t b = a; b < s->n_types; b++)
            if (d->type_rank[b] < 0 && (a == b || (!stay && meet_alike(s, a, b))))
                d->type_rank[b] = n++;
    return AMPHI_OK;
}

/* ---- stretches ---- */

/* Stretches on the host while they are made. */
typedef struct {
    int32_t  n;
    int32_t *start;   /* [n_types + 1] */
    Stretch *stretch; /* room for every pass */
    LjForce *lj;      /* [n_types * n_types], as c0 */
    scalar  *c0;
} Cut;

static bool same_term(PairTerm a, PairTerm b)
{
    if (a.kind == PAIR_lj && b.kind == PAIR_lj)
        a.as = b.as;
    return a.kind == b.kind && a.switched == b.switched && a.cutoff2 == b.cutoff2 &&
           memcmp(&a.at_cutoff, &b.at_cutoff, sizeof a.at_cutoff) == 0 &&
           memcmp(&a.as, &b.as, sizeof a.as) == 0;
}

static bool goes_on(const Stretch *stretch, int32_t type, const Pass *pass)
{
    const Pass *own = &stretch->pass;

    return stretch->last == type - 1 && own->is == pass->is &&
           same_term(own->term[0], pass->term[0]) &&
           (pass->n_terms < 2 || same_term(own->term[1], pass->term[1]));
}

static AmphiStatus note_constants(const Pass *pass, LjForce *lj, scalar *c0, AmphiError *err)
{
    const struct pair_lj *from = &pass->term[0].as.lj;

    if (pass->term[0].kind != PAIR_lj)
        return AMPHI_OK;
    if (lj->A != 0 || lj->B != 0)
        return amphi_fail(err, AMPHI_DEFECT, "no kernel has two Lennard-Jones terms of a pair");
    *lj = LjForce{ from->A, from->B, from->D, from->c1 };
    *c0 = from->c0;
    return AMPHI_OK;
}

/* A pair of types with one pass may go on with the stretch before it, if that had one too. */
static AmphiStatus cut_stretches(int32_t n_types, const Table *axes, Cut *to, AmphiError *err)
{
    for (int32_t k = 0; k < n_types * n_types; k++) {
        const int32_t type = k % n_types, n = axes->start[k + 1] - axes->start[k];
        const bool is_one_of_two = type > 0 && n == 1 && axes->start[k] - axes->start[k - 1] == 1;

        for (int32_t p = axes->start[k]; p < axes->start[k + 1]; p++) {
            const Pass *pass = &axes->pass[p];

            AMPHI_TRY(note_constants(pass, &to->lj[k], &to->c0[k], err));
            if (is_one_of_two && goes_on(&to->stretch[to->n - 1], type, pass))
                to->stretch[to->n - 1].last = type;
            else
                to->stretch[to->n++] = Stretch{ type, type, *pass };
        }
        to->start[k / n_types + 1] = to->n;
    }
    return AMPHI_OK;
}

static AmphiStatus put_cut(Device *d, const Cut *c, Stretches *to, AmphiError *err)
{
    const int64_t n = d->system->n_types;
    DeviceMemory *m = &d->memory;

    AMPHI_TRY(amphi_device_put_array(m, c->start, n + 1, d->stream, &to->start, err));
    AMPHI_TRY(amphi_device_put_array(m, c->stretch, c->n, d->stream, &to->stretch, err));
    AMPHI_TRY(amphi_device_put_array(m, c->lj, n * n, d->stream, &to->lj, err));
    return amphi_device_put_array(m, c->c0, n * n, d->stream, &to->c0, err);
}

static AmphiStatus plan_stretches(Device *d, const Table *axes, AmphiError *err)
{
    const int64_t n      = d->system->n_types;
    AmphiStatus   status = AMPHI_OK;
    Cut           cut    = { 0, (int32_t *)amphi_alloc(n + 1, sizeof(int32_t)),
                             (Stretch *)amphi_alloc(axes->n + 1, sizeof(Stretch)),
                             (LjForce *)amphi_alloc(n * n, sizeof(LjForce)),
                             (scalar *)amphi_alloc(n * n, sizeof(scalar)) };

    if (cut.start == NULL || cut.stretch == NULL || cut.lj == NULL || cut.c0 == NULL)
        status = amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", (int)n);
    if (status == AMPHI_OK)
        status = cut_stretches((int32_t)n, axes, &cut, err);
    if (status == AMPHI_OK)
        status = put_cut(d, &cut, &d->forces->stretches, err);
    amphi_release(cut.start);
    amphi_release(cut.stretch);
    amphi_release(cut.lj);
    amphi_release(cut.c0);
    return status;
}

/* ---- tables ---- */

static AmphiStatus put_table(Device *d, const Table *table, Passes *to, AmphiError *err)
{
    const int64_t n_pairs = (int64_t)d->system->n_types * d->system->n_types;
    DeviceMemory *m       = &d->memory;

    AMPHI_TRY(amphi_device_put_array(m, table->start, n_pairs + 1, d->stream, &to->start, err));
    return amphi_device_put_array(m, table->pass, table->n, d->stream, &to->pass, err);
}

static int64_t count_terms(const AmphiSystem *s)
{
    int64_t n = 0;

    for (int64_t k = 0; k < (int64_t)s->n_types * s->n_types; k++)
        n += s->pair_rule[k].n_terms;
    return n;
}

static Table make_table(const AmphiSystem *s, int64_t n_terms)
{
    return Table{ 0, (int32_t *)amphi_alloc((int64_t)s->n_types * s->n_types + 1, sizeof(int32_t)),
                  (Pass *)amphi_alloc(n_terms + 1, sizeof(Pass)) };
}

static void free_table(Table *table)
{
    amphi_release(table->start);
    amphi_release(table->pass);
}

AmphiStatus AMPHI_T(pair_plan_open)(Device *d, AmphiError *err)
{
    const int64_t n_terms = count_terms(d->system);
    Table         axes = make_table(d->system, n_terms), sticky = make_table(d->system, n_terms);
    AmphiStatus   status = AMPHI_OK;

    d->view.records |= 1U << DIPOLES;
    if (axes.start == NULL || axes.pass == NULL || sticky.start == NULL || sticky.pass == NULL)
        status =
            amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", d->system->n_types);
    if (status == AMPHI_OK) {
        plan_rules(d, &axes, &sticky);
        status = put_table(d, &axes, &d->forces->axes, err);
    }
    if (status == AMPHI_OK)
        status = plan_stretches(d, &axes, err);
    if (status == AMPHI_OK && sticky.n > 0)
        status = put_table(d, &sticky, &d->forces->sticky, err);
    free_table(&axes);
    free_table(&sticky);
    return status;
}
