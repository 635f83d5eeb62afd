/* What is to be done between each two types of beads, as passes over segments; once a state. */
#include "pair_row.h"

extern "C" {
#include "../engine/arena.h"
}

#define CLASS_ROW(name, kind, second, switched)                                                    \
    { CLASS_##name, PAIR_##kind, PAIR_##second, switched },

static const struct {
    PairClass is;
    int32_t   kind, second, switched;
} classes[] = { CLASS_LIST(CLASS_ROW) };

/* Tables on the host while they are made. */
typedef struct {
    int32_t  n;
    int32_t *start; /* [n_types * n_types + 1] */
    Pass    *pass;  /* room for every term of every pair of types */
} Table;

static PairClass find_class(const PairTerm *a, const PairTerm *b)
{
    for (int32_t k = 0; k < CLASSES; k++) {
        const bool fits_alone = b == NULL && classes[k].second == PAIR_none &&
                                classes[k].kind == a->kind && classes[k].switched == a->switched;
        const bool fits_both = b != NULL && classes[k].kind == a->kind &&
                               classes[k].second == b->kind && !a->switched &&
                               classes[k].switched == b->switched && a->cutoff2 == b->cutoff2;

        if (fits_alone || fits_both)
            return classes[k].is;
    }
    return CLASS_NONE;
}

static uint32_t bit_of_records(int32_t kind)
{
    return 1U << (kind == PAIR_sticky ? FRAMES : pair_reads_unit_axis(kind) ? UNIT_AXES : DIPOLES);
}

/* The first term that is left, together with a later one where a class has both. */
static Pass take_pass(const AmphiPairRule *rule, int32_t a, bool done[AMPHI_MAX_PAIR_TERMS])
{
    Pass pass = { CLASS_NONE, 1, { pair_prepare(&rule->term[a]) } };

    done[a] = true;
    if (pass.term[0].kind == PAIR_sticky)
        return pass;
    for (int32_t b = a + 1; b < rule->n_terms && pass.n_terms == 1; b++) {
        const PairTerm  second = pair_prepare(&rule->term[b]);
        const PairClass both   = done[b] ? CLASS_NONE : find_class(&pass.term[0], &second);

        if (both == CLASS_NONE)
            continue;
        pass.is      = both;
        pass.n_terms = 2;
        pass.term[1] = second;
        done[b]      = true;
    }
    if (pass.n_terms == 1)
        pass.is = find_class(&pass.term[0], NULL);
    return pass;
}

static AmphiStatus plan_rule(Device *d, const AmphiPairRule *rule, Table *axes, Table *sticky,
                             AmphiError *err)
{
    struct ForcesPlan *plan                       = d->forces;
    bool               done[AMPHI_MAX_PAIR_TERMS] = {};

    for (int32_t a = 0; a < rule->n_terms; a++) {
        if (done[a])
            continue;
        const Pass pass = take_pass(rule, a, done);
        Table     *to   = pass.term[0].kind == PAIR_sticky ? sticky : axes;

        if (to == axes && pass.is == CLASS_NONE)
            return amphi_fail(err, AMPHI_DEFECT, "no kernel has pair potential %d (%s)",
                              pass.term[0].kind, pass.term[0].switched ? "switched" : "plain");
        if (to == axes)
            plan->classes |= 1U << pass.is;
        for (int32_t k = 0; k < pass.n_terms; k++) {
            plan->slots |= 1U << pass.term[k].slot;
            d->view.records |= bit_of_records(pass.term[k].kind);
        }
        to->pass[to->n++] = pass;
    }
    return AMPHI_OK;
}

static AmphiStatus plan_rules(Device *d, Table *axes, Table *sticky, AmphiError *err)
{
    const AmphiSystem *s       = d->system;
    const int64_t      n_pairs = (int64_t)s->n_types * s->n_types;

    for (int64_t k = 0; k < n_pairs; k++) {
        AMPHI_TRY(plan_rule(d, &s->pair_rule[k], axes, sticky, err));
        axes->start[k + 1]   = axes->n;
        sticky->start[k + 1] = sticky->n;
    }
    return AMPHI_OK;
}

static AmphiStatus put_table(Device *d, const Table *table, Passes *to, AmphiError *err)
{
    const int64_t n_pairs = (int64_t)d->system->n_types * d->system->n_types;
    int32_t      *start;
    Pass         *pass;

    AMPHI_TRY(amphi_device_take_array(&d->memory, n_pairs + 1, &start, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, table->n, &pass, err));
    AMPHI_TRY(amphi_device_put(start, table->start, sizeof *start * (size_t)(n_pairs + 1),
                               d->stream, err));
    if (table->n > 0)
        AMPHI_TRY(
            amphi_device_put(pass, table->pass, sizeof *pass * (size_t)table->n, d->stream, err));
    to->start = start;
    to->pass  = pass;
    return AMPHI_OK;
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
    if (status == AMPHI_OK)
        status = plan_rules(d, &axes, &sticky, err);
    if (status == AMPHI_OK)
        status = put_table(d, &axes, &d->forces->axes, err);
    if (status == AMPHI_OK && sticky.n > 0)
        status = put_table(d, &sticky, &d->forces->sticky, err);
    free_table(&axes);
    free_table(&sticky);
    return status;
}
