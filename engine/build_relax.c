/* Removes overlaps by minimising
 *
 *   E = sum over unbonded pairs closer than s d of (s d - r)^2 / 2
 *     + sum over bonds of k_b (r - b)^2 / 2 + sum over ends of angles of k_a (r - b)^2 / 2,
 *
 * d the contact distance and s a little below 1, by FIRE: Bitzek et al., Phys. Rev. Lett. 97,
 * 170201 (2006). Masses are 1, lengths nm, stiffness of a contact 1: the unit of time follows.
 * Axes are held, or follow the chain, so that no torques are needed.
 */
#include "build_relax.h"

#include <string.h>

#include "num/elementary.h"

/* s; where it cannot be reached it is reduced step by step, down to the floor. */
#define REACH       0.97
#define REACH_FLOOR 0.80
#define SHRINK      0.97
#define SLACK       0.04 /* done when no pair is nearer than s minus this */
#define BOND_GOOD   0.04
#define BOND_FORCE  2.0
#define ANGLE_FORCE 0.1
#define SKIN_NM     0.20
#define STEP_MAX    0.35 /* below 2/sqrt(stiffness) with a dozen contacts */
#define MOVE_MAX_NM 0.03

#define TANGLE_STRAIN 0.1
#define UNTANGLE_ID   (UINT64_C(1) << 41) /* of the random numbers, above those of molecules */

enum {
    STEPS_MAX      = 1500,
    UNTANGLE_FROM  = 120,
    UNTANGLE_EVERY = 60,
    SHRINK_FROM    = 300,
    SHRINK_EVERY   = 100
};

typedef struct {
    int32_t i, j;
    double  length_nm, stiffness;
} Spring;

/* A bead as it stands in its cell. */
typedef struct {
    double  at[3];
    int32_t bead, type;
} Placed;

/* What bead i gets from j, and j with the opposite sign. */
typedef struct {
    int32_t i, j;
    double  force[3];
} Push;

/* The partners of some beads that follow each other, and which of them are too near now. */
enum { CHUNKS = 64 };
typedef struct {
    int32_t *partner;
    int64_t  n, room;
    Push    *push;
    int64_t  n_pushes, push_room;
    double   closest;
} Chunk;

typedef struct {
    AmphiCrowd *crowd;
    int32_t     n_beads;
    int32_t     n_bonds, n_springs; /* bonds first */
    Spring     *spring;
    double     *reach2;          /* [n_types][n_types] nm^2, of the list */
    int32_t    *exclusion_start; /* [n_beads + 1] */
    AmphiCells  cells;
    Placed     *placed;      /* [n_beads] cell by cell, in the order of the cells' chains */
    int32_t    *first_there; /* [cells + 1] into placed */
    Chunk       chunk[CHUNKS];
    int64_t    *start;   /* [n_beads] where its partners begin in its chunk */
    double (*listed)[3]; /* positions when the list was made */
    double (*velocity)[3], (*force)[3];
    double reach; /* s now */
    double closest, worst_bond;
} Relaxer;

static int64_t count_links(const AmphiCrowd *crowd, bool bonds)
{
    int64_t n = 0;

    for (int32_t m = 0; m < crowd->system->n_molecules; m++) {
        const AmphiLinks *links = &crowd->shape[crowd->system->molecule[m].type].links;

        for (int32_t k = 0; k < links->n_links; k++)
            n += links->link[k].is_bond == bonds;
    }
    return n;
}

static void list_springs(Relaxer *r, bool bonds)
{
    const AmphiSystem *system = r->crowd->system;

    for (int32_t m = 0; m < system->n_molecules; m++) {
        const AmphiMolecule *molecule = &system->molecule[m];
        const AmphiLinks    *links    = &r->crowd->shape[molecule->type].links;

        for (int32_t k = 0; k < links->n_links; k++) {
            const AmphiLink *l = &links->link[k];

            if (l->is_bond == bonds)
                r->spring[r->n_springs++] =
                    (Spring){ molecule->first_bead + l->a, molecule->first_bead + l->b,
                              l->length_nm, bonds ? BOND_FORCE : ANGLE_FORCE };
        }
    }
}

static void index_exclusions(Relaxer *r)
{
    const AmphiSystem *system = r->crowd->system;
    int32_t            k      = 0;

    for (int32_t i = 0; i <= r->n_beads; i++) {
        while (k < system->n_exclusions && system->exclusion[k][0] < i)
            k++;
        r->exclusion_start[i] = k;
    }
}

static double list_reach(Relaxer *r)
{
    const int32_t n    = r->crowd->system->n_types;
    double        most = SKIN_NM;

    for (int32_t k = 0; k < n * n; k++) {
        const double widest = r->crowd->contacts[k].widest_nm;
        const double reach  = widest > 0 ? REACH * widest + SKIN_NM : 0;

        r->reach2[k] = reach * reach;
        most         = reach > most ? reach : most;
    }
    return most;
}

static AmphiStatus open_relaxer(AmphiCrowd *crowd, AmphiArena *arena, Relaxer *r, AmphiError *err)
{
    const AmphiSystem *system    = crowd->system;
    const int32_t      n         = system->n_beads;
    const int64_t      n_bonds   = count_links(crowd, true);
    const int64_t      n_springs = n_bonds + count_links(crowd, false);
    AmphiCells *const  cells     = &r->cells;

    *r = (Relaxer){
        .crowd           = crowd,
        .reach           = REACH,
        .n_beads         = n,
        .n_bonds         = (int32_t)n_bonds,
        .spring          = AMPHI_TAKE(arena, Spring, n_springs),
        .reach2          = AMPHI_TAKE(arena, double, (int64_t)system->n_types * system->n_types),
        .exclusion_start = AMPHI_TAKE(arena, int32_t, n + 1),
        .placed          = AMPHI_TAKE(arena, Placed, n),
        .start           = AMPHI_TAKE(arena, int64_t, n),
        .listed          = amphi_arena_take(arena, n, sizeof *r->listed),
        .velocity        = amphi_arena_take(arena, n, sizeof *r->velocity),
        .force           = amphi_arena_take(arena, n, sizeof *r->force),
    };
    if (amphi_arena_failed(arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to push %d beads apart", n);
    list_springs(r, true);
    list_springs(r, false);
    index_exclusions(r);
    AMPHI_TRY(amphi_cells_make(crowd->box_nm, list_reach(r), n, arena, cells, err));
    r->first_there =
        AMPHI_TAKE(arena, int32_t, (int64_t)cells->n[0] * cells->n[1] * cells->n[2] + 1);
    if (r->first_there == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to push %d beads apart", n);
    return AMPHI_OK;
}

static bool are_excluded(const Relaxer *r, int32_t i, int32_t j)
{
    for (int32_t k = r->exclusion_start[i]; k < r->exclusion_start[i + 1]; k++)
        if (r->crowd->system->exclusion[k][1] == j)
            return true;
    return false;
}

/* The array with room for more than n; NULL when memory is short. */
static void *with_room(void *array, int64_t n, int64_t *room, size_t size)
{
    const int64_t more = 2 * n + 1024;

    if (n < *room)
        return array;
    array = amphi_resize(array, more, size);
    if (array != NULL)
        *room = more;
    return array;
}

static bool add_partner(Chunk *to, int32_t j)
{
    int32_t *const partner = with_room(to->partner, to->n, &to->room, sizeof *partner);

    if (partner == NULL)
        return false;
    partner[to->n++] = j;
    to->partner      = partner;
    return true;
}

static bool add_push(Chunk *to, int32_t i, int32_t j, double over_r, const double d[3])
{
    Push *const push = with_room(to->push, to->n_pushes, &to->push_room, sizeof *push);

    if (push == NULL)
        return false;
    push[to->n_pushes++] = (Push){ i, j, { over_r * d[0], over_r * d[1], over_r * d[2] } };
    to->push             = push;
    return true;
}

/* The square of the distance of the nearest images, but for its last digits and without the
 * divisions of amphi_nearest_image. */
static double square_of_gap(const double a[3], const double b[3], const double box_nm[3],
                            const double inv_box[3])
{
    double square = 0;

    for (int k = 0; k < 3; k++) {
        const double gap  = a[k] - b[k];
        const double near = gap - box_nm[k] * whole_of(gap * inv_box[k]);

        square += near * near;
    }
    return square;
}

/* What a rounded distance may be beyond another, relative. */
#define CLEARLY (1 + 1e-9)

/* The partners j > i of one bead; false when memory is short. Chains were filled in order, so that
 * they descend. */
static bool list_partners(const Relaxer *r, int32_t i, const double inv_box[3], Chunk *to)
{
    const AmphiCrowd  *crowd  = r->crowd;
    const AmphiSystem *s      = crowd->system;
    const double      *reach2 = &r->reach2[s->bead_type[i] * s->n_types];
    const double      *x      = crowd->x[i];
    int32_t            cell[27];
    const int32_t      n_cells = amphi_cells_around(&r->cells, x, cell);

    for (int32_t c = 0; c < n_cells; c++) {
        const Placed *p   = &r->placed[r->first_there[cell[c]]];
        const Placed *end = &r->placed[r->first_there[cell[c] + 1]];

        for (; p < end && p->bead > i; p++) {
            const double reach = reach2[p->type];
            double       d[3];

            if (square_of_gap(x, p->at, crowd->box_nm, inv_box) > CLEARLY * reach)
                continue;
            amphi_nearest_image(x, p->at, crowd->box_nm, d);
            if (amphi_dot(d, d) >= reach || are_excluded(r, i, p->bead))
                continue;
            if (!add_partner(to, p->bead))
                return false;
        }
    }
    return true;
}

/* The first bead of a chunk. */
static int32_t first_of(const Relaxer *r, int32_t chunk)
{
    return (int32_t)((int64_t)chunk * r->n_beads / CHUNKS);
}

static bool list_chunk(Relaxer *r, int32_t c, const double inv_box[3])
{
    Chunk chunk    = r->chunk[c]; /* its own, for others work on those beside it */
    bool  has_room = true;

    chunk.n = 0;
    for (int32_t i = first_of(r, c); has_room && i < first_of(r, c + 1); i++) {
        r->start[i] = chunk.n;
        has_room    = list_partners(r, i, inv_box, &chunk);
    }
    r->chunk[c] = chunk;
    return has_room;
}

static void place_beads(Relaxer *r)
{
    const int64_t n_cells = (int64_t)r->cells.n[0] * r->cells.n[1] * r->cells.n[2];
    int32_t       n       = 0;

    amphi_cells_clear(&r->cells);
    for (int32_t i = 0; i < r->n_beads; i++) {
        amphi_cells_put(&r->cells, i, r->crowd->x[i]);
        memcpy(r->listed[i], r->crowd->x[i], sizeof r->listed[i]);
    }
    for (int64_t c = 0; c < n_cells; c++) {
        r->first_there[c] = n;
        for (int32_t j = r->cells.first[c]; j >= 0; j = r->cells.next[j]) {
            memcpy(r->placed[n].at, r->crowd->x[j], sizeof r->placed[n].at);
            r->placed[n].bead   = j;
            r->placed[n++].type = r->crowd->system->bead_type[j];
        }
    }
    r->first_there[n_cells] = n;
}

static AmphiStatus make_list(Relaxer *r, AmphiError *err)
{
    const double *box_nm     = r->crowd->box_nm;
    const double  inv_box[3] = { 1 / box_nm[0], 1 / box_nm[1], 1 / box_nm[2] };
    const bool    is_large   = r->n_beads >= AMPHI_CROWD_OF_THREADS;
    bool          has_room   = true;

    place_beads(r);
#pragma omp parallel for schedule(dynamic) reduction(&& : has_room) if (is_large)
    for (int32_t c = 0; c < CHUNKS; c++)
        has_room = list_chunk(r, c, inv_box) && has_room;
    if (!has_room)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the neighbours of %d beads",
                          r->n_beads);
    return AMPHI_OK;
}

/* Has any bead moved by half the skin, so that a pair outside the list may be in reach? */
static bool list_is_old(const Relaxer *r)
{
    for (int32_t i = 0; i < r->n_beads; i++) {
        double d[3];

        for (int k = 0; k < 3; k++)
            d[k] = r->crowd->x[i][k] - r->listed[i][k];
        if (amphi_dot(d, d) > SKIN_NM * SKIN_NM / 4)
            return true;
    }
    return false;
}

/* On i, and the opposite on j. */
static void add_force(Relaxer *r, int32_t i, int32_t j, const double force[3])
{
    for (int k = 0; k < 3; k++) {
        r->force[i][k] += force[k];
        r->force[j][k] -= force[k];
    }
}

/* If they are too near; false when memory is short. */
static bool find_push(const Relaxer *r, int32_t i, int32_t j, const double inv_box[3], Chunk *to)
{
    const AmphiCrowd   *crowd = r->crowd;
    const AmphiSystem  *s     = crowd->system;
    const AmphiContact *c     = &crowd->contacts[s->bead_type[i] * s->n_types + s->bead_type[j]];
    const double        reach = r->reach * c->widest_nm;
    double              d[3];

    if (square_of_gap(crowd->x[i], crowd->x[j], crowd->box_nm, inv_box) > CLEARLY * reach * reach)
        return true;
    amphi_nearest_image(crowd->x[i], crowd->x[j], crowd->box_nm, d);
    double r2 = amphi_dot(d, d);
    if (r2 >= r->reach * r->reach * c->widest_nm * c->widest_nm)
        return true;
    if (r2 < 1e-18) { /* one on the other: any direction will do */
        d[2] = 1e-9;
        r2   = 1e-18;
    }
    const double distance = sqrt(r2);
    const double contact  = amphi_contact_nm(c, crowd->axis[i], crowd->axis[j], d, distance);

    if (distance >= r->reach * contact)
        return true;
    if (distance < to->closest * contact)
        to->closest = distance / contact;
    return add_push(to, i, j, (r->reach * contact - distance) / distance, d);
}

static void pull_springs(Relaxer *r)
{
    for (int32_t k = 0; k < r->n_springs; k++) {
        const Spring *s = &r->spring[k];
        double        d[3];

        for (int a = 0; a < 3; a++)
            d[a] = r->crowd->x[s->i][a] - r->crowd->x[s->j][a];
        const double distance = sqrt(amphi_dot(d, d));
        const double off      = distance / s->length_nm - 1;

        if (k < r->n_bonds && (off < 0 ? -off : off) > r->worst_bond)
            r->worst_bond = off < 0 ? -off : off;
        if (distance <= 1e-9)
            continue;
        const double over_r = s->stiffness * (s->length_nm - distance) / distance;

        add_force(r, s->i, s->j, (double[3]){ over_r * d[0], over_r * d[1], over_r * d[2] });
    }
}

static bool find_pushes(Relaxer *r, int32_t c, const double inv_box[3])
{
    Chunk         chunk    = r->chunk[c]; /* as list_chunk has it */
    const int32_t end      = first_of(r, c + 1);
    bool          has_room = true;

    chunk.n_pushes = 0;
    chunk.closest  = 1;
    for (int32_t i = first_of(r, c); has_room && i < end; i++) {
        const int64_t last = i + 1 < end ? r->start[i + 1] : chunk.n;

        for (int64_t p = r->start[i]; has_room && p < last; p++)
            has_room = find_push(r, i, chunk.partner[p], inv_box, &chunk);
    }
    r->chunk[c] = chunk;
    return has_room;
}

/* One chunk after another, so that sums have the same bits for any number of threads. */
static void add_pushes(Relaxer *r)
{
    for (int32_t c = 0; c < CHUNKS; c++) {
        const Chunk *const chunk = &r->chunk[c];

        r->closest = chunk->closest < r->closest ? chunk->closest : r->closest;
        for (int64_t k = 0; k < chunk->n_pushes; k++)
            add_force(r, chunk->push[k].i, chunk->push[k].j, chunk->push[k].force);
    }
}

static AmphiStatus sum_forces(Relaxer *r, AmphiError *err)
{
    const double *box_nm     = r->crowd->box_nm;
    const double  inv_box[3] = { 1 / box_nm[0], 1 / box_nm[1], 1 / box_nm[2] };
    const bool    is_large   = r->n_beads >= AMPHI_CROWD_OF_THREADS;
    bool          has_room   = true;

    r->closest    = 1;
    r->worst_bond = 0;
#pragma omp parallel for schedule(dynamic) reduction(&& : has_room) if (is_large)
    for (int32_t c = 0; c < CHUNKS; c++)
        has_room = find_pushes(r, c, inv_box) && has_room;
    if (!has_room)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to push %d beads apart", r->n_beads);
    memset(r->force, 0, (size_t)r->n_beads * sizeof *r->force);
    add_pushes(r);
    pull_springs(r);
    return AMPHI_OK;
}

/* Three bonds that cross in one point are a local minimum, in which each is a fifth too long. To
 * leave it, strained bonds are shifted at random by about half their length. */
static void untangle(Relaxer *r, int32_t step)
{
    for (int32_t k = 0; k < r->n_bonds; k++) {
        const Spring *s     = &r->spring[k];
        AmphiDraws    draws = { .seed    = r->crowd->seed,
                                .id      = UNTANGLE_ID + (uint64_t)k,
                                .n_drawn = (uint64_t)step << 16,
                                .stream  = AMPHI_STREAM_BUILD };
        double        d[3], shift[3];

        for (int a = 0; a < 3; a++)
            d[a] = r->crowd->x[s->i][a] - r->crowd->x[s->j][a];
        const double strain = sqrt(amphi_dot(d, d)) / s->length_nm - 1;
        if (strain < TANGLE_STRAIN && strain > -TANGLE_STRAIN)
            continue;
        amphi_draw_ball(&draws, shift);
        for (int a = 0; a < 3; a++) {
            r->crowd->x[s->i][a] += 0.7 * s->length_nm * shift[a];
            r->crowd->x[s->j][a] += 0.7 * s->length_nm * shift[a];
        }
    }
}

/* FIRE's state: step, mixing of the velocity into the force's direction, steps since downhill. */
typedef struct {
    double  dt, mixing;
    int32_t n_downhill;
} Fire;

static void steer(Relaxer *r, Fire *fire)
{
    double power = 0, v2 = 0, f2 = 0;

    for (int32_t i = 0; i < r->n_beads; i++) {
        power += amphi_dot(r->force[i], r->velocity[i]);
        v2 += amphi_dot(r->velocity[i], r->velocity[i]);
        f2 += amphi_dot(r->force[i], r->force[i]);
    }
    const bool   downhill = power > 0;
    const double keep     = downhill ? 1 - fire->mixing : 0;
    const double follow   = downhill && f2 > 0 ? fire->mixing * sqrt(v2 / f2) : 0;

    for (int32_t i = 0; i < r->n_beads; i++)
        for (int k = 0; k < 3; k++)
            r->velocity[i][k] = keep * r->velocity[i][k] + follow * r->force[i][k];
    if (!downhill) {
        *fire = (Fire){ 0.5 * fire->dt, 0.1, 0 };
    } else if (++fire->n_downhill > 5) {
        fire->dt = 1.1 * fire->dt < STEP_MAX ? 1.1 * fire->dt : STEP_MAX;
        fire->mixing *= 0.99;
    }
}

static void move(Relaxer *r, double dt)
{
    for (int32_t i = 0; i < r->n_beads; i++) {
        double *v = r->velocity[i];

        for (int k = 0; k < 3; k++)
            v[k] += dt * r->force[i][k];
        const double way = dt * sqrt(amphi_dot(v, v));
        if (way > MOVE_MAX_NM)
            for (int k = 0; k < 3; k++)
                v[k] *= MOVE_MAX_NM / way;
        for (int k = 0; k < 3; k++)
            r->crowd->x[i][k] += dt * v[k];
    }
}

static AmphiStatus go_downhill(Relaxer *r, AmphiRelaxed *relaxed, AmphiError *err)
{
    Fire fire = { 0.1, 0.1, 0 };

    AMPHI_TRY(make_list(r, err));
    for (int32_t step = 0; step <= STEPS_MAX; step++) {
        amphi_crowd_aim(r->crowd);
        if (list_is_old(r))
            AMPHI_TRY(make_list(r, err));
        AMPHI_TRY(sum_forces(r, err));
        *relaxed = (AmphiRelaxed){ r->closest, r->worst_bond, step };
        if (step == STEPS_MAX || (r->closest >= r->reach - SLACK && r->worst_bond <= BOND_GOOD))
            break;
        steer(r, &fire);
        move(r, fire.dt);
        if (step >= UNTANGLE_FROM && step % UNTANGLE_EVERY == 0 && r->worst_bond > TANGLE_STRAIN)
            untangle(r, step);
        if (step >= SHRINK_FROM && step % SHRINK_EVERY == 0 && SHRINK * r->reach >= REACH_FLOOR)
            r->reach *= SHRINK;
    }
    return AMPHI_OK;
}

AmphiStatus amphi_crowd_relax(AmphiCrowd *crowd, AmphiRelaxed *relaxed, AmphiError *err)
{
    AmphiArena *arena  = amphi_arena_new();
    AmphiStatus status = AMPHI_OK;
    Relaxer     r      = { 0 };

    if (arena == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to push a start apart");
    status = open_relaxer(crowd, arena, &r, err);
    if (status == AMPHI_OK)
        status = go_downhill(&r, relaxed, err);
    for (int32_t c = 0; c < CHUNKS; c++) {
        amphi_release(r.chunk[c].partner);
        amphi_release(r.chunk[c].push);
    }
    amphi_arena_free(arena);
    return status;
}
