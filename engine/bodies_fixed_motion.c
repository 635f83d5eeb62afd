/* One step of the bodies in fixed precision: the loops over bodies. The motion of one body is in
 * fixed_motion.h; thermostat and barostat are those of all precisions, in bodies_motion.c.
 */
#include <string.h>

#include "bodies_fixed_work.h"
#include "cpu_list.h"
#include "cpu_turns.h"

static FixedGroupPart *parts_of(const AmphiBodies *b, int32_t block)
{
    return b->fixed->work->group_part + (int64_t)block * b->n_groups;
}

static void note(AmphiBodies *b, FixedFault what, int32_t bead)
{
    if (what != FIXED_GOOD)
        amphi_fixed_note(b->fixed, what, bead);
}

/* ---- the beginning of a stage ---- */

AmphiStatus amphi_fixed_check_step(const AmphiStage *stage, AmphiError *err)
{
    const int64_t nearest = fixed_round(stage->dt_ps / FIXED_TICK_PS);

    if (stage->ensemble == AMPHI_MINIMISE || fixed_ticks(stage->dt_ps) > 0)
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "stage %s: a time step of %.9g fs is no whole number of 1/%d fs, in which "
                      "fixed precision counts time\n"
                      "    write: timestep=\"%.9g fs\"",
                      stage->name, 1e3 * stage->dt_ps, FIXED_TICKS_PER_FS,
                      (double)(nearest > 0 ? nearest : 1) / FIXED_TICKS_PER_FS);
}

void amphi_fixed_expect(AmphiBodies *b, const AmphiStage *stage)
{
    b->fixed->is_coarse = stage->ensemble == AMPHI_MINIMISE;
}

void amphi_fixed_change_step(AmphiBodies *b, double dt_ps)
{
    struct AmphiFixed *f   = b->fixed;
    const int64_t      now = fixed_ticks(dt_ps);

    for (int32_t i = 0; i < b->n; i++) {
        int64_t turn[3];

        fixed_torque_on(amphi_mover_of(b, i), f->q[i], f->torque[i], turn);
        fixed_change_step(f->ticks - now, f->force[i], turn, f->p[i], f->l[i]);
    }
    f->ticks = now;
}

/* ---- restraints ---- */

static FixedFault round_force(const struct AmphiFixed *f, const double force[3], int64_t out[3])
{
    const double most = FIXED_POWER(FIXED_FORCE_RANGE + (f->is_coarse ? FIXED_COARSE_BITS : 0));

    for (int a = 0; a < 3; a++) {
        const double units = force[a] * FIXED_POWER(FIXED_FORCE_BITS);

        if (!(fabs(units) < most))
            return FIXED_FORCE;
        out[a] = fixed_round(units);
    }
    return FIXED_GOOD;
}

void amphi_fixed_restrain(AmphiBodies *b, int32_t i, const double x[3], const double force[3])
{
    struct AmphiFixed *f = b->fixed;
    int64_t            added[3];
    double             energy = 0;

    if (round_force(f, force, added) != FIXED_GOOD) {
        amphi_fixed_note(f, FIXED_FORCE, i);
        return;
    }
    for (int a = 0; a < 3; a++) {
        f->force[i][a] += added[a];
        f->virial[a] += fixed_energy(x[a] * force[a]);
        energy -= 0.5 * force[a] * x[a];
    }
    f->potential += fixed_energy(energy);
}

void amphi_fixed_give_back(AmphiBodies *b, int32_t i, const double force[3])
{
    struct AmphiFixed *f = b->fixed;
    int64_t            added[3];

    if (round_force(f, force, added) != FIXED_GOOD)
        return; /* which its computation has noted */
    for (int a = 0; a < 3; a++)
        f->p[i][a] += fixed_round(0.5 * (double)(f->ticks * added[a]));
}

/* ---- kick ---- */

/* part: NULL, or to be told what the kick adds to the momentum. */
static void kick_body(AmphiBodies *b, int32_t i, const int64_t turn[3], FixedGroupPart *part)
{
    struct AmphiFixed *f = b->fixed;

    for (int a = 0; part != NULL && a < 3; a++)
        part->pushed[a] -= f->p[i][a];
    fixed_kick(f->ticks, f->force[i], turn, f->p[i], f->l[i]);
    for (int a = 0; part != NULL && a < 3; a++)
        part->pushed[a] += f->p[i][a];
    note(b, fixed_range(f->p[i], f->l[i]), i);
}

static void book_body(AmphiBodies *b, int32_t i, const int64_t turn[3], FixedBooking what,
                      FixedGroupPart *part)
{
    struct AmphiFixed *f = b->fixed;
    FixedBooks         books;
    double             v[3], l[3];

    note(b,
         fixed_book_with(amphi_mover_of(b, i), what >= BOOK_TENSOR, f->ticks, f->force[i], turn,
                         f->p[i], f->q[i], f->l[i], &books, v, l),
         i);
    for (int k = 0; k < 6; k++)
        part->kinetic[k / 3][k % 3] += books.kinetic[k / 3][k % 3];
    for (int k = 0; k < 6 && what >= BOOK_TENSOR; k++)
        part->tensor[k] += books.tensor[k];
    if (what == BOOK_ALL) {
        memcpy(b->velocity_now_nm_ps[i], v, sizeof v);
        memcpy(b->spin_now_u_nm2_ps[i], l, sizeof l);
    }
}

static void kick_block(AmphiBodies *b, int32_t block, FixedBooking what)
{
    struct AmphiFixed *f    = b->fixed;
    FixedGroupPart    *part = parts_of(b, block);

    memset(part, 0, (size_t)b->n_groups * sizeof *part);
    for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++) {
        FixedGroupPart *own = what >= BOOK_KINETIC ? &part[b->group_of[i]] : NULL;
        int64_t         turn[3];

        fixed_torque_on(amphi_mover_of(b, i), f->q[i], f->torque[i], turn);
        if (own != NULL)
            book_body(b, i, turn, what, own);
        kick_body(b, i, turn, own);
    }
}

void amphi_fixed_kick(AmphiBodies *b, FixedBooking what)
{
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        kick_block(b, block, what);
}

void amphi_fixed_kinetic(const AmphiBodies *b, int32_t group, double sum[2][3])
{
    for (int k = 0; k < 6; k++) {
        int64_t all = 0;

        for (int32_t block = 0; block < b->work->n_blocks; block++)
            all += parts_of(b, block)[group].kinetic[k / 3][k % 3];
        sum[k / 3][k % 3] = fixed_energy_kJ_mol(all);
    }
}

void amphi_fixed_along(const AmphiBodies *b, int32_t group, double along[3])
{
    for (int a = 0; a < 3; a++) {
        int64_t all = 0;

        for (int32_t block = 0; block < b->work->n_blocks; block++)
            all += parts_of(b, block)[group].tensor[tensor_diagonal(a)];
        along[a] = fixed_energy_kJ_mol(all);
    }
}

void amphi_fixed_part_momentum(const AmphiBodies *b, int32_t group, bool is_pushed, double p[3])
{
    for (int a = 0; a < 3; a++) {
        int64_t all = 0;

        for (int32_t block = 0; block < b->work->n_blocks; block++) {
            const FixedGroupPart *part = &parts_of(b, block)[group];

            all += is_pushed ? part->pushed[a] : part->momentum[a];
        }
        p[a] = (double)all * FIXED_MOMENTUM_UNIT;
    }
}

void amphi_fixed_tensor(const AmphiBodies *b, double tensor[3][3])
{
    int k = 0;

    for (int a = 0; a < 3; a++)
        for (int c = a; c < 3; c++, k++) {
            int64_t all = 0;

            for (int32_t block = 0; block < b->work->n_blocks; block++)
                for (int32_t g = 0; g < b->n_groups; g++)
                    all += parts_of(b, block)[g].tensor[k];
            tensor[a][c] = fixed_energy_kJ_mol(all);
        }
}

void amphi_fixed_scale_velocities(AmphiBodies *b)
{
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++) {
            const double *factor = b->work->factor[b->group_of[i]];

            fixed_scale(factor[0], b->fixed->p[i]);
            fixed_scale(factor[1], b->fixed->l[i]);
        }
}

/* ---- the box ---- */

void amphi_fixed_follow_box(AmphiBodies *b, const double stretch[3], const double slow[3])
{
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++)
            for (int a = 0; a < 3; a++) {
                if (b->stage->n_restraints > 0)
                    b->anchor_nm[i][a] *= stretch[a];
                b->fixed->p[i][a] = fixed_round((double)b->fixed->p[i][a] * slow[a]);
            }
}

/* ---- drift ---- */

static FixedFault go_with_noise(AmphiBodies *b, int32_t i, const Noise *noise,
                                const double (*given_nm_ps)[3], int64_t *heat)
{
    struct AmphiFixed *f = b->fixed;
    const Mover       *m = amphi_mover_of(b, i);
    FixedBody          body;
    FixedFault         fault;
    double             normal[6];

    memcpy(body.x, f->x[i], sizeof body.x);
    memcpy(body.p, f->p[i], sizeof body.p);
    memcpy(body.q, f->q[i], sizeof body.q);
    memcpy(body.l, f->l[i], sizeof body.l);
    memcpy(body.image, b->image[i], sizeof body.image);
    draw_noise(m, b->stage->seed, (uint64_t)i, (uint64_t)b->step, normal);
    *heat += fixed_drift_with_noise(m, b->dt_ps, f->work->stride[b->system->bead_type[i]], noise,
                                    given_nm_ps != NULL ? given_nm_ps[b->group_of[i]] : NULL,
                                    normal, &body, &fault);
    memcpy(f->x[i], body.x, sizeof body.x);
    memcpy(f->p[i], body.p, sizeof body.p);
    memcpy(f->q[i], body.q, sizeof body.q);
    memcpy(f->l[i], body.l, sizeof body.l);
    memcpy(b->image[i], body.image, sizeof body.image);
    return fault;
}

static void take_turned(const AmphiBodies *b, int32_t first, int32_t n, AmphiTurned *to)
{
    const struct AmphiFixed *f = b->fixed;

    for (int32_t i = 0; i < n; i++) {
        const FixedPace *pace = &f->work->pace[b->system->bead_type[first + i]];

        for (int k = 0; k < 4; k++)
            to->q[k][i] = f->q[first + i][k];
        for (int k = 0; k < 3; k++) {
            to->l[k][i]    = f->l[first + i][k];
            to->rate[k][i] = pace->rate[k];
        }
        to->sense[i] = pace->sense;
    }
}

static void give_turned(AmphiBodies *b, int32_t first, int32_t n, const AmphiTurned *from)
{
    struct AmphiFixed *f = b->fixed;

    for (int32_t i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            f->q[first + i][k] = from->q[k][i];
        for (int k = 0; k < 3; k++)
            f->l[first + i][k] = from->l[k][i];
        note(b, from->is_good[i] ? FIXED_GOOD : FIXED_TURN, first + i);
    }
}

/* Rotations wait for their roundings one after the other, and so are made side by side. */
static void go_freely(AmphiBodies *b, int32_t block)
{
    struct AmphiFixed *f    = b->fixed;
    const int32_t      end  = amphi_block_end(b, block);
    AmphiTurnBodies   *turn = amphi_cpu_has_v4() ? amphi_cpu_turns_v4 : amphi_cpu_turns_v3;
    AmphiTurned        side = { .sense = { 0 } };

    for (int32_t first = block * AMPHI_BLOCK; first < end; first += AMPHI_TURNED) {
        const int32_t n = end - first < AMPHI_TURNED ? end - first : AMPHI_TURNED;

        take_turned(b, first, n, &side);
        turn(&side, n, b->dt_ps);
        give_turned(b, first, n, &side);
        for (int32_t i = first; i < first + n; i++) {
            note(b,
                 fixed_go(f->work->stride[b->system->bead_type[i]], f->p[i], f->x[i], b->image[i]),
                 i);
            amphi_fixed_show_place(b, i);
        }
    }
}

static void go_with_heat(AmphiBodies *b, int32_t block, const Noise *noise,
                         const double (*given_nm_ps)[3])
{
    int64_t *heat = &b->fixed->work->block_heat[block];

    *heat = 0;
    for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++) {
        note(b, go_with_noise(b, i, noise, given_nm_ps, heat), i);
        amphi_fixed_show_place(b, i);
    }
}

/* What the drift of each type needs. */
static void find_paces(AmphiBodies *b, double dt_ps)
{
    struct AmphiFixedWork *w = b->fixed->work;

    for (int32_t t = 0; t < b->system->n_types; t++) {
        const Mover *m = &b->work->mover[t];

        fixed_stride(m, dt_ps, b->box_nm, w->stride[t]);
        for (int k = 0; k < 3; k++)
            w->pace[t].rate[k] = m->turning == TURNS_NOT ? 0 : fixed_turn_rate(m, k);
        w->pace[t].sense = fixed_turn_sense(m);
    }
}

double amphi_fixed_drift(AmphiBodies *b, const Noise *noise, const double (*given_nm_ps)[3])
{
    int64_t heat = 0;

    find_paces(b, noise != NULL ? 0.5 * b->dt_ps : b->dt_ps);
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        if (noise != NULL)
            go_with_heat(b, block, noise, given_nm_ps);
        else
            go_freely(b, block);
    for (int32_t block = 0; noise != NULL && block < b->work->n_blocks; block++)
        heat += b->fixed->work->block_heat[block];
    return fixed_energy_kJ_mol(heat);
}

/* Of a body; or, if noise is not NULL, what the noise of this step gives it. */
static void momentum_of(const AmphiBodies *b, int32_t i, const Noise *noise, int64_t p[3])
{
    double normal[3];

    memcpy(p, b->fixed->p[i], sizeof b->fixed->p[i]);
    if (noise == NULL)
        return;
    draw_noise_of_v(b->stage->seed, (uint64_t)i, (uint64_t)b->step, normal);
    fixed_momentum_of_noise(amphi_mover_of(b, i), noise, normal, p);
}

void amphi_fixed_sum_momenta(AmphiBodies *b, const Noise *noise)
{
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++) {
        FixedGroupPart *part = parts_of(b, block);

        memset(part, 0, (size_t)b->n_groups * sizeof *part);
        for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++) {
            int64_t p[3];

            momentum_of(b, i, noise, p);
            for (int a = 0; a < 3; a++)
                part[b->group_of[i]].momentum[a] += p[a];
        }
    }
}

void amphi_fixed_remove_drift(AmphiBodies *b, const double (*drift_nm_ps)[3])
{
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++)
            fixed_slow(amphi_mover_of(b, i), drift_nm_ps[b->group_of[i]], b->fixed->p[i]);
}
