/* What is to be done between each two types of beads, as passes over pairs, and over stretches of
 * segments; which types are of one kind. Once a state. Types go by their numbers on the device.
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
        const AmphiTreatment *t = &rule->term[a].treatment;

        plan->has_edge |= rule->term[a].kind != PAIR_sticky &&
                          !pair_reads_unit_axis(rule->term[a].kind) &&
                          !amphi_treatment_vanishes(t) && !amphi_treatment_switches(t);
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

/* ---- kinds ---- */

/* But for constants of Lennard-Jones, which are looked up pair by pair. */
static bool same_term(PairTerm a, PairTerm b)
{
    if (a.kind == PAIR_lj && b.kind == PAIR_lj)
        a.as = b.as;
    return a.kind == b.kind && a.switched == b.switched && a.cutoff2 == b.cutoff2 &&
           memcmp(&a.at_cutoff, &b.at_cutoff, sizeof a.at_cutoff) == 0 &&
           memcmp(&a.as, &b.as, sizeof a.as) == 0;
}

static bool same_pass(const Pass *a, const Pass *b)
{
    return a->is == b->is && a->n_terms == b->n_terms && same_term(a->term[0], b->term[0]) &&
           (a->n_terms < 2 || same_term(a->term[1], b->term[1]));
}

static int32_t passes_of(const AmphiPairRule *rule, Pass pass[AMPHI_MAX_PAIR_TERMS])
{
    bool    done[AMPHI_MAX_PAIR_TERMS] = {};
    int32_t n                          = 0;

    for (int32_t a = 0; a < rule->n_terms; a++)
        if (!done[a])
            pass[n++] = take_visit(rule, a, done);
    return n;
}

static bool same_rule(const AmphiPairRule *a, const AmphiPairRule *b)
{
    Pass          pass_a[AMPHI_MAX_PAIR_TERMS], pass_b[AMPHI_MAX_PAIR_TERMS];
    const int32_t n = passes_of(a, pass_a);

    if (passes_of(b, pass_b) != n)
        return false;
    for (int32_t k = 0; k < n; k++)
        if (!same_pass(&pass_a[k], &pass_b[k]))
            return false;
    return true;
}

static bool meet_alike(const AmphiSystem *s, int32_t a, int32_t b)
{
    for (int32_t k = 0; k < s->n_types; k++)
        if (!same_rule(&s->pair_rule[k * s->n_types + a], &s->pair_rule[k * s->n_types + b]))
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

/* Numbers the types kind by kind. Rows of sticky pairs ask for types by the system's own numbers:
 * with them, those stand, and each type is a kind. */
static int32_t find_kinds(const AmphiSystem *s, int32_t *type_rank, Kind *kind)
{
    const bool stay = has_sticky_term(s);
    int32_t    n = 0, n_kinds = 0;

    for (int32_t a = 0; a < s->n_types; a++)
        type_rank[a] = -1;
    for (int32_t a = 0; a < s->n_types; a++) {
        const int32_t first = n;

        for (int32_t b = a; b < s->n_types; b++)
            if (type_rank[b] < 0 && (a == b || (!stay && meet_alike(s, a, b))))
                type_rank[b] = n++;
        for (int32_t k = first; k < n; k++)
            kind[k] = Kind{ n_kinds, first, n, 0 };
        n_kinds += n > first;
    }
    return n_kinds;
}

static void count_kinds(const AmphiSystem *s, const int32_t *type_rank, Kind *kind)
{
    for (int32_t i = 0; i < s->n_beads; i++)
        kind[type_rank[s->bead_type[i]]].n_before++;
    for (int32_t t = 0, before = 0; t < s->n_types; t = kind[t].end_type) {
        int32_t n = 0;

        for (int32_t k = t; k < kind[t].end_type; k++) {
            n += kind[k].n_before;
            kind[k].n_before = before;
        }
        before += n;
    }
}

AmphiStatus AMPHI_T(rank_types)(Device *d, AmphiError *err)
{
    const int32_t n     = d->system->n_types;
    AmphiArena   *arena = d->mirror->arena;

    d->type_rank = AMPHI_TAKE(arena, int32_t, n);
    d->kind_of   = AMPHI_TAKE(arena, Kind, n);
    if (d->type_rank == NULL || d->kind_of == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", n);
    d->view.n_kinds = find_kinds(d->system, d->type_rank, d->kind_of);
    count_kinds(d->system, d->type_rank, d->kind_of);
    return amphi_device_put_array(&d->memory, d->kind_of, n, d->stream, &d->view.kind_of, err);
}

/* ---- stretches ---- */

/* Their numbers are to fit into an Opening. */
enum { MOST_STRETCHES = UINT16_MAX };

/* Stretches on the host while they are made. */
typedef struct {
    int32_t  n;
    int32_t *start;   /* [n_types + 1] */
    Stretch *stretch; /* room for every pass */
    LjForce *lj;      /* [n_types * n_types], as c0 */
    scalar  *c0;
    uint8_t *begins; /* [n_types][n_kinds] */
} Cut;

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

static AmphiStatus note_all_constants(int32_t n_types, const Table *axes, Cut *to, AmphiError *err)
{
    for (int32_t k = 0; k < n_types * n_types; k++)
        for (int32_t p = axes->start[k]; p < axes->start[k + 1]; p++)
            AMPHI_TRY(note_constants(&axes->pass[p], &to->lj[k], &to->c0[k], err));
    return AMPHI_OK;
}

/* Of one type, whose passes with all types begin at `start`. A kind with one pass may go on with
 * the stretch before it, if that had one too. */
static void cut_row(const Device *d, const int32_t *start, const Pass *pass, uint8_t *begins,
                    Cut *to)
{
    int32_t n_before = 0;

    for (int32_t t = 0; t < d->view.n_types; t = d->kind_of[t].end_type) {
        const int32_t kind = d->kind_of[t].kind, n = start[t + 1] - start[t];

        if (n == 1 && n_before == 1 && same_pass(&to->stretch[to->n - 1].pass, &pass[start[t]])) {
            to->stretch[to->n - 1].last = kind;
            continue;
        }
        begins[kind] = 1;
        for (int32_t p = start[t]; p < start[t + 1]; p++)
            to->stretch[to->n++] = Stretch{ kind, kind, pass[p] };
        n_before = n;
    }
}

static AmphiStatus cut_stretches(const Device *d, const Table *axes, Cut *to, AmphiError *err)
{
    const int32_t n = d->view.n_types;

    for (int32_t a = 0; a < n; a++) {
        cut_row(d, &axes->start[a * n], axes->pass, &to->begins[a * d->view.n_kinds], to);
        to->start[a + 1] = to->n;
    }
    if (to->n > MOST_STRETCHES)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%d bead types meet each other in %d ways: the backend cuda has room for "
                          "%d",
                          n, to->n, MOST_STRETCHES);
    return note_all_constants(n, axes, to, err);
}

static AmphiStatus put_cut(Device *d, const Cut *c, Stretches *to, AmphiError *err)
{
    const int64_t n = d->system->n_types;
    DeviceMemory *m = &d->memory;

    if (c->n > 0)
        to->only = c->stretch[0].pass;
    AMPHI_TRY(amphi_device_put_array(m, c->start, n + 1, d->stream, &to->start, err));
    AMPHI_TRY(amphi_device_put_array(m, c->stretch, c->n, d->stream, &to->stretch, err));
    AMPHI_TRY(
        amphi_device_put_array(m, c->begins, n * d->view.n_kinds, d->stream, &d->view.begins, err));
    AMPHI_TRY(amphi_device_put_array(m, c->lj, n * n, d->stream, &to->lj, err));
    return amphi_device_put_array(m, c->c0, n * n, d->stream, &to->c0, err);
}

static AmphiStatus plan_stretches(Device *d, const Table *axes, AmphiError *err)
{
    const int64_t n      = d->system->n_types;
    AmphiStatus   status = AMPHI_OK;
    Cut           cut    = { 0,
                             (int32_t *)amphi_alloc(n + 1, sizeof(int32_t)),
                             (Stretch *)amphi_alloc(axes->n + 1, sizeof(Stretch)),
                             (LjForce *)amphi_alloc(n * n, sizeof(LjForce)),
                             (scalar *)amphi_alloc(n * n, sizeof(scalar)),
                             (uint8_t *)amphi_alloc(n * d->view.n_kinds, sizeof(uint8_t)) };

    if (cut.start == NULL || cut.stretch == NULL || cut.lj == NULL || cut.c0 == NULL ||
        cut.begins == NULL)
        status = amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", (int)n);
    if (status == AMPHI_OK)
        status = cut_stretches(d, axes, &cut, err);
    if (status == AMPHI_OK)
        status = put_cut(d, &cut, &d->forces->stretches, err);
    amphi_release(cut.start);
    amphi_release(cut.stretch);
    amphi_release(cut.lj);
    amphi_release(cut.c0);
    amphi_release(cut.begins);
    return status;
}

/* ---- tables ---- */

static AmphiStatus put_table(Device *d, const Table *table, Passes *to, AmphiError *err)
{
    const int64_t n_pairs = (int64_t)d->system->n_types * d->system->n_types;
    DeviceMemory *m       = &d->memory;

    to->only = table->pass[0].term[0];
    AMPHI_TRY(amphi_device_put_array(m, table->start, n_pairs + 1, d->stream, &to->start, err));
    return amphi_device_put_array(m, table->pass, table->n, d->stream, &to->pass, err);
}

/* The terms of a slot between two types, whose number as a pair is k; how many. */
static int32_t list_terms(const Table *table, int32_t k, int32_t slot, PairTerm *to)
{
    int32_t n = 0;

    for (int32_t p = table->start[k]; p < table->start[k + 1]; p++)
        for (int32_t m = 0; m < table->pass[p].n_terms; m++)
            if (table->pass[p].term[m].slot == slot)
                to[n++] = table->pass[p].term[m];
    return n;
}

/* Of a type whose terms begin at `start` with a kind. */
static int32_t find_only(const Device *d, const int32_t *start, int32_t kind)
{
    int32_t first = 0, n;

    while (d->kind_of[first].kind != kind)
        first = d->kind_of[first].end_type;
    n = start[first + 1] - start[first];
    return n == 0 ? NO_TERMS : n == 1 ? start[first] : MORE_TERMS;
}

static AmphiStatus put_only(Device *d, const int32_t *start, SlotTerms *to, AmphiError *err)
{
    const int32_t n_rows = PAIR_SLOTS * d->view.n_types, n_kinds = d->view.n_kinds;
    int32_t      *only = (int32_t *)amphi_alloc((int64_t)n_rows * n_kinds, sizeof *only);
    AmphiStatus   status;

    if (only == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", d->view.n_types);
    for (int32_t k = 0; k < n_rows * n_kinds; k++)
        only[k] = find_only(d, &start[k / n_kinds * d->view.n_types], k % n_kinds);
    status = amphi_device_put_array(&d->memory, only, (int64_t)n_rows * n_kinds, d->stream,
                                    &to->only, err);
    amphi_release(only);
    return status;
}

static AmphiStatus plan_terms(Device *d, const Table *axes, const Table *sticky, int64_t n_terms,
                              AmphiError *err)
{
    const int32_t n_pairs = d->system->n_types * d->system->n_types;
    const int64_t n_start = (int64_t)PAIR_SLOTS * n_pairs + 1;
    SlotTerms    *to      = &d->forces->terms;
    int32_t      *start   = (int32_t *)amphi_alloc(n_start, sizeof *start);
    PairTerm     *term    = (PairTerm *)amphi_alloc(n_terms + 1, sizeof *term);
    AmphiStatus   status  = AMPHI_OK;
    int32_t       n       = 0;

    if (start == NULL || term == NULL)
        status =
            amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", d->system->n_types);
    for (int32_t k = 0; status == AMPHI_OK && k < PAIR_SLOTS * n_pairs; k++) {
        n += list_terms(axes, k % n_pairs, k / n_pairs, term + n);
        n += list_terms(sticky, k % n_pairs, k / n_pairs, term + n);
        start[k + 1] = n;
    }
    if (status == AMPHI_OK)
        status = amphi_device_put_array(&d->memory, start, n_start, d->stream, &to->start, err);
    if (status == AMPHI_OK)
        status = amphi_device_put_array(&d->memory, term, n_terms, d->stream, &to->term, err);
    if (status == AMPHI_OK)
        status = put_only(d, start, to, err);
    amphi_release(start);
    amphi_release(term);
    return status;
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

static bool last_is_ellipsoid(const Table *axes, int32_t n_types)
{
    const int32_t last = axes->n - 1;

    return axes->start[n_types * n_types - 1] <= last &&
           (SET_GAY_BERNE >> axes->pass[last].is & 1) != 0;
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
        d->forces->last_is_ellipsoid = last_is_ellipsoid(&axes, d->system->n_types);
        status                       = plan_terms(d, &axes, &sticky, n_terms, err);
    }
    if (status == AMPHI_OK)
        status = plan_stretches(d, &axes, err);
    d->forces->terms.lj = d->forces->stretches.lj;
    d->forces->terms.c0 = d->forces->stretches.c0;
    if (status == AMPHI_OK && sticky.n > 0)
        status = put_table(d, &sticky, &d->forces->sticky, err);
    d->forces->has_one_pass = d->system->n_types == 1 && axes.n == 1 && sticky.n <= 1;
    free_table(&axes);
    free_table(&sticky);
    return status;
}
