/* The integers of fixed precision: memory, ranges, conversion from and to double, saved states. */
#include "bodies_fixed.h"

#include <math.h>
#include <string.h>

#include "bodies_fixed_work.h"

/* ---- memory ---- */

static bool take_arrays(AmphiArena *arena, struct AmphiFixed *f, int64_t n)
{
    f->x      = amphi_arena_take(arena, n, sizeof *f->x);
    f->p      = amphi_arena_take(arena, n, sizeof *f->p);
    f->q      = amphi_arena_take(arena, n, sizeof *f->q);
    f->l      = amphi_arena_take(arena, n, sizeof *f->l);
    f->force  = amphi_arena_take(arena, n, sizeof *f->force);
    f->torque = amphi_arena_take(arena, n, sizeof *f->torque);
    return !amphi_arena_failed(arena);
}

static bool take_work(AmphiBodies *b, struct AmphiFixed *f)
{
    struct AmphiFixedWork *w       = AMPHI_TAKE(b->arena, struct AmphiFixedWork, 1);
    const int64_t          n_parts = (int64_t)b->work->n_blocks * b->work->max_groups;

    if (w == NULL)
        return false;
    f->work       = w;
    w->group_part = AMPHI_TAKE(b->arena, FixedGroupPart, n_parts);
    w->block_heat = AMPHI_TAKE(b->arena, int64_t, b->work->n_blocks);
    w->stride     = amphi_arena_take(b->arena, b->system->n_types, sizeof *w->stride);
    w->pace       = AMPHI_TAKE(b->arena, FixedPace, b->system->n_types);
    return !amphi_arena_failed(b->arena);
}

/* The first bead without an integer position: not finite, or with more boxes than an image holds.
 * amphi_wrap_body leaves both as they are. -1: none. */
static int32_t find_lost(const AmphiBodies *b)
{
    const double most = 2e6; /* boxes; a system may have beads a million away */

    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++)
            if (!(fabs(b->position_nm[i][a] / b->box_nm[a]) <= most))
                return i;
    return -1;
}

static AmphiStatus fail_lost(const AmphiBodies *b, int32_t bead, AmphiError *err)
{
    char name[96];

    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "the position of bead %d (%s) is not finite, or millions of boxes away",
                      bead + 1, amphi_system_bead(b->system, bead, name, sizeof name));
}

AmphiStatus amphi_fixed_open(AmphiBodies *b, AmphiError *err)
{
    const int32_t      lost = find_lost(b);
    struct AmphiFixed *f    = AMPHI_TAKE(b->arena, struct AmphiFixed, 1);

    if (f == NULL || !take_arrays(b->arena, f, b->n) || !take_work(b, f))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to move %d beads", (int)b->n);
    if (lost >= 0)
        return fail_lost(b, lost, err);
    b->fixed = f;
    amphi_fixed_take_places(b);
    amphi_fixed_take_motion(b);
    return AMPHI_OK;
}

bool amphi_fixed_take_best(AmphiBodies *b)
{
    struct AmphiFixedWork *w = b->fixed->work;

    if (w->torque != NULL)
        return true;
    w->x      = amphi_arena_take(b->arena, b->n, sizeof *w->x);
    w->q      = amphi_arena_take(b->arena, b->n, sizeof *w->q);
    w->force  = amphi_arena_take(b->arena, b->n, sizeof *w->force);
    w->torque = amphi_arena_take(b->arena, b->n, sizeof *w->torque);
    return !amphi_arena_failed(b->arena);
}

void amphi_fixed_copy_best(AmphiBodies *b, bool back)
{
    struct AmphiFixed     *f = b->fixed;
    struct AmphiFixedWork *w = f->work;

    const struct {
        void  *now, *best;
        size_t size;
    } part[] = {
        { f->x, w->x, sizeof *f->x },
        { f->q, w->q, sizeof *f->q },
        { f->force, w->force, sizeof *f->force },
        { f->torque, w->torque, sizeof *f->torque },
    };

    for (int32_t i = 0; back && i < b->n; i++)
        fixed_carry_spin(amphi_mover_of(b, i), f->q[i], w->q[i], f->l[i]);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        memcpy(back ? part[k].now : part[k].best, back ? part[k].best : part[k].now,
               part[k].size * (size_t)b->n);
    if (back) {
        f->potential = w->potential;
        f->fault     = (AmphiFixedFault){ .what = FIXED_GOOD };
    }
    w->potential = f->potential;
}

/* ---- ranges ---- */

void amphi_fixed_note(struct AmphiFixed *f, FixedFault what, int32_t bead)
{
#pragma omp critical(amphi_fixed_fault)
    amphi_fixed_fault(&f->fault, what, bead);
}

typedef struct {
    const char *what, *unit;
    double      resolution, most;
} Range;

#define RANGE_OF(name, unit) unit, FIXED_UNIT(name), FIXED_RANGE(name)
static Range range_of(FixedFault what)
{
    switch (what) {
    case FIXED_MOMENTUM:
        return (Range){ "the momentum", "u nm/ps", FIXED_MOMENTUM_UNIT,
                        FIXED_MOMENTUM_UNIT * FIXED_POWER(53) };
    case FIXED_SPIN:
        return (Range){ "the angular momentum", "u nm^2/ps", FIXED_SPIN_UNIT,
                        FIXED_SPIN_UNIT * FIXED_POWER(53) };
    case FIXED_TURN:
        return (Range){ "the turn in one step", "rad", FIXED_UNIT(ORIENTATION), 1.85 };
    case FIXED_DISPLACEMENT:
        return (Range){ "the displacement in one step", "box edges", FIXED_PLACE_UNIT,
                        FIXED_PLACE_UNIT * FIXED_POWER(FIXED_DISPLACEMENT_RANGE) };
    case FIXED_FORCE:
        return (Range){ "the force of a pair or a bond", RANGE_OF(FORCE, "kJ/mol/nm") };
    case FIXED_FIELD:
        return (Range){ "the field of a pair on the dipole", RANGE_OF(FIELD, "kJ/mol/(e nm)") };
    case FIXED_PAIR_TURN:
        return (Range){ "the torque of a pair or a bond", RANGE_OF(TURN, "kJ/mol") };
    case FIXED_TORQUE:
        return (Range){ "the torque", RANGE_OF(TORQUE, "kJ/mol") };
    default:
        return (Range){ "the energy", "kJ/mol", FIXED_UNIT(ENERGY), FIXED_MOST_KINETIC };
    }
}

static bool can_go_back(const AmphiBodies *b)
{
    return b->stage != NULL && b->stage->ensemble == AMPHI_MINIMISE && b->work->has_best;
}

AmphiStatus amphi_fixed_check(const AmphiBodies *b, AmphiError *err)
{
    char name[96];

    if (b->fixed == NULL || b->fixed->fault.what == FIXED_GOOD || can_go_back(b))
        return AMPHI_OK;

    const Range   range  = range_of(b->fixed->fault.what);
    const int32_t bead   = b->fixed->fault.bead;
    const double  coarse = FIXED_POWER(b->fixed->is_coarse ? FIXED_COARSE_BITS : 0);
    const bool    counts = b->fixed->fault.what == FIXED_FORCE || /* in coarse units */
                        b->fixed->fault.what == FIXED_FIELD ||
                        b->fixed->fault.what == FIXED_PAIR_TURN;

    return amphi_fail(err, AMPHI_UNSTABLE,
                      "%s of bead %d (%s) left the range of fixed precision: %.3g %s, in units of "
                      "%.3g",
                      range.what, bead + 1, amphi_system_bead(b->system, bead, name, sizeof name),
                      counts ? range.most * coarse : range.most, range.unit,
                      counts ? range.resolution * coarse : range.resolution);
}

/* ---- conversion ---- */

void amphi_fixed_clear(AmphiBodies *b)
{
    struct AmphiFixed *f = b->fixed;

    memset(f->force, 0, (size_t)b->n * sizeof *f->force);
    memset(f->torque, 0, (size_t)b->n * sizeof *f->torque);
    memset(f->virial, 0, sizeof f->virial);
    f->potential = 0;
    f->fault     = (AmphiFixedFault){ .what = FIXED_GOOD };
}

void amphi_fixed_show_place(AmphiBodies *b, int32_t i)
{
    for (int a = 0; a < 3; a++)
        b->position_nm[i][a] = fixed_place_nm(b->fixed->x[i][a], b->box_nm[a]);
    fixed_show_orientation(b->fixed->q[i], b->orientation[i]);
}

void amphi_fixed_show_places(AmphiBodies *b)
{
    for (int32_t i = 0; i < b->n; i++)
        amphi_fixed_show_place(b, i);
}

void amphi_fixed_show_motion(AmphiBodies *b)
{
    const struct AmphiFixed *f = b->fixed;

    for (int32_t i = 0; i < b->n; i++) {
        const Mover *m = amphi_mover_of(b, i);

        fixed_show_velocity(m, f->p[i], b->velocity_nm_ps[i]);
        fixed_show_spin(m, f->q[i], f->l[i], b->spin_u_nm2_ps[i]);
    }
}

void amphi_fixed_show_forces(AmphiBodies *b)
{
    const struct AmphiFixed *f = b->fixed;

    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++) {
            b->force_kJ_mol_nm[i][a] = (double)f->force[i][a] * FIXED_UNIT(FORCE);
            b->torque_kJ_mol[i][a]   = (double)f->torque[i][a] * FIXED_UNIT(TORQUE);
        }
    amphi_fixed_show_totals(b);
}

void amphi_fixed_show_totals(AmphiBodies *b)
{
    b->potential_kJ_mol = b->fixed->fault.what != FIXED_GOOD && can_go_back(b)
                              ? (double)INFINITY
                              : fixed_energy_kJ_mol(b->fixed->potential);
    memset(b->virial_kJ_mol, 0, sizeof b->virial_kJ_mol);
    for (int a = 0; a < 3; a++)
        b->virial_kJ_mol[a][a] = fixed_energy_kJ_mol(b->fixed->virial[a]);
}

/* No bead may be lost. */
void amphi_fixed_take_places(AmphiBodies *b)
{
    struct AmphiFixed *f = b->fixed;
    int64_t            before[4];

    for (int32_t i = 0; i < b->n; i++) {
        for (int a = 0; a < 3; a++) {
            int32_t boxes;

            f->x[i][a] = fixed_place_of(b->position_nm[i][a], b->box_nm[a], &boxes);
            b->image[i][a] += boxes;
        }
        memcpy(before, f->q[i], sizeof before);
        for (int k = 0; k < 4; k++)
            f->q[i][k] = fixed_round(b->orientation[i][k] * FIXED_POWER(FIXED_ORIENTATION_BITS));
        fixed_carry_spin(amphi_mover_of(b, i), before, f->q[i], f->l[i]);
        amphi_fixed_show_place(b, i);
    }
}

void amphi_fixed_take_motion(AmphiBodies *b)
{
    struct AmphiFixed *f = b->fixed;

    for (int32_t i = 0; i < b->n; i++) {
        const Mover *m = amphi_mover_of(b, i);

        for (int a = 0; a < 3; a++)
            f->p[i][a] = fixed_round(b->velocity_nm_ps[i][a] * m->mass / FIXED_MOMENTUM_UNIT);
        fixed_store_spin(m, b->orientation[i], b->spin_u_nm2_ps[i], f->l[i]);
    }
    amphi_fixed_show_motion(b);
}

void amphi_fixed_momentum(const AmphiBodies *b, int64_t p[3])
{
    p[0] = p[1] = p[2] = 0;
    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++)
            p[a] += b->fixed->p[i][a];
}

/* ---- saved states ---- */

bool amphi_fixed_pack(const AmphiBodies *b, AmphiBytes *bytes)
{
    const struct AmphiFixed *f     = b->fixed;
    const size_t             n     = (size_t)b->n;
    size_t                   began = 0;
    const bool               done  = amphi_memory_begin(bytes, AMPHI_FIXED_MEMORY, &began) &&
                      amphi_bytes_add(bytes, f->x, n * sizeof *f->x) &&
                      amphi_bytes_add(bytes, f->p, n * sizeof *f->p) &&
                      amphi_bytes_add(bytes, f->q, n * sizeof *f->q) &&
                      amphi_bytes_add(bytes, f->l, n * sizeof *f->l);

    if (done)
        amphi_memory_end(bytes, began);
    return done;
}

bool amphi_fixed_unpack(AmphiBodies *b, const AmphiBytes *bytes, size_t *at)
{
    struct AmphiFixed *f = b->fixed;
    const size_t       n = (size_t)b->n;
    bool               is_there;

    if (!amphi_memory_find(bytes, AMPHI_FIXED_MEMORY, at, &is_there))
        return false;
    f->ticks = fixed_ticks(b->dt_ps);
    if (!is_there) {
        if (find_lost(b) >= 0)
            return false;
        amphi_fixed_take_places(b);
        amphi_fixed_take_motion(b);
        return true;
    }
    if (!amphi_bytes_take(bytes, at, f->x, n * sizeof *f->x) ||
        !amphi_bytes_take(bytes, at, f->p, n * sizeof *f->p) ||
        !amphi_bytes_take(bytes, at, f->q, n * sizeof *f->q) ||
        !amphi_bytes_take(bytes, at, f->l, n * sizeof *f->l) || *at != bytes->n)
        return false;
    amphi_fixed_show_places(b);
    amphi_fixed_show_motion(b);
    return true;
}
