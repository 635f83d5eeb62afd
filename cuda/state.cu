/* Opening and closing a state; bodies between the host's mirror and the device. */
#include "state.h"

#include "records.h"
#include "rooms.h"

#include "../engine/barostat.h"
#include "../engine/faults.h"

#include <string.h>

extern "C" {
#include "../engine/arena.h"
#include "../engine/bodies_fixed.h"
}

/* ---- what a system never changes ---- */

static AmphiStatus put_type_constants(Device *d, AmphiError *err)
{
    const AmphiSystem *s     = d->system;
    Mover             *mover = (Mover *)amphi_alloc(s->n_types, sizeof *mover);
    AmphiStatus        status;

    if (mover == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", s->n_types);
    for (int32_t k = 0; k < s->n_types; k++) {
        static const double none[3] = { 0, 0, 0 };
        const bool          turns   = s->type[k].rotor != AMPHI_POINT;

        mover[d->type_rank[k]] =
            mover_prepare(s->type[k].mass_u, turns ? s->type[k].inertia_u_nm2 : none);
    }
    status = amphi_device_put_array(&d->memory, mover, s->n_types, d->stream, &d->view.mover, err);
    amphi_release(mover);
    return status;
}

static AmphiStatus put_strengths(Device *d, const double *from, const scalar **to, AmphiError *err)
{
    const int32_t n     = d->system->n_beads;
    scalar       *value = (scalar *)amphi_alloc(n, sizeof *value);
    AmphiStatus   status;

    if (value == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the strengths of %d beads", n);
    for (int32_t i = 0; i < n; i++)
        value[i] = (scalar)from[i];
    status = amphi_device_put_array(&d->memory, value, n, d->stream, to, err);
    amphi_release(value);
    return status;
}

static AmphiStatus put_constants(Device *d, AmphiError *err)
{
    const AmphiSystem *s = d->system;
    int32_t           *type;
    AmphiStatus        status;

    AMPHI_TRY(AMPHI_T(rank_types)(d, err));
    AMPHI_TRY(put_type_constants(d, err));
    AMPHI_TRY(put_strengths(d, s->bead_charge_e, &d->view.charge_e, err));
    AMPHI_TRY(put_strengths(d, s->bead_dipole_e_nm, &d->view.dipole_e_nm, err));
    type = (int32_t *)amphi_alloc(s->n_beads, sizeof *type);
    if (type == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the types of %d beads", s->n_beads);
    for (int32_t i = 0; i < s->n_beads; i++)
        type[i] = d->type_rank[s->bead_type[i]];
    status =
        amphi_device_put_array(&d->memory, type, s->n_beads, d->stream, &d->view.bead_type, err);
    amphi_release(type);
    return status;
}

static AmphiStatus take_bodies(Device *d, AmphiError *err)
{
    View         *v = &d->view;
    DeviceMemory *m = &d->memory;
    const int64_t n = d->system->n_beads;

    AMPHI_TRY(amphi_device_take_array(m, 1, &v->ledger, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->position_nm, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->image, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->velocity_nm_ps, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->orientation, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->spin_u_nm2_ps, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->velocity_now_nm_ps, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->spin_now_u_nm2_ps, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->force_kJ_mol_nm, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->torque_kJ_mol, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &v->acceleration_nm_ps2, err));
    return amphi_device_take_array(m, AMPHI_TERMS, &v->term, err);
}

/* ---- open and close ---- */

void AMPHI_T(state_close)(Device *d)
{
    if (d == NULL)
        return;
    if (d->stream != NULL) /* steps under way launch a graph that is not theirs */
        (void)amphi_device_wait(d->stream, NULL);
    if (d->keeping != NULL)
        (void)amphi_device_wait(d->keeping, NULL);
    AMPHI_T(graphs_drop)(d);
    amphi_device_free(&d->memory);
    for (int slot = 0; slot < 2; slot++)
        amphi_device_release_host(d->kept[slot]);
    amphi_device_release_host(d->landing);
    if (d->is_put != NULL)
        (void)cudaEventDestroy(d->is_put);
    for (int k = 0; k < 2; k++)
        if (d->is_kept[k] != NULL)
            (void)cudaEventDestroy(d->is_kept[k]);
    if (d->keeping != NULL)
        (void)cudaStreamDestroy(d->keeping);
    if (d->fork != NULL)
        (void)cudaEventDestroy(d->fork);
    if (d->join != NULL)
        (void)cudaEventDestroy(d->join);
    if (d->list != NULL)
        (void)cudaStreamDestroy(d->list);
    if (d->side != NULL)
        (void)cudaStreamDestroy(d->side);
    if (d->stream != NULL)
        (void)cudaStreamDestroy(d->stream);
    if (d->n_processors > 0) { /* it has chosen one */
        amphi_device_return(d->claimed);
        amphi_device_leave();
    }
    amphi_bodies_close(d->mirror);
    amphi_device_release_host(d->adopted);
    amphi_release(d->freedom);
    amphi_release(d);
}

static AmphiStatus open_parts(Device *d, const AmphiCompute *compute, AmphiError *err)
{
    const AmphiSystem *s = d->system;

    d->device = compute != NULL ? compute->device : 0;
    AMPHI_TRY(amphi_device_choose(d->device, &d->n_processors, d->device_name,
                                  sizeof d->device_name, err));
    CUDA_TRY(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&d->side, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&d->list, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&d->keeping, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&d->fork, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&d->join, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&d->is_put, cudaEventDisableTiming));
    for (int k = 0; k < 2; k++)
        CUDA_TRY(cudaEventCreateWithFlags(&d->is_kept[k], cudaEventDisableTiming));
    AMPHI_TRY(amphi_bodies_open(s, &d->mirror, err));
    d->view.n          = s->n_beads;
    d->view.n_types    = s->n_types;
    d->view.n_groups   = 1;
    d->view.max_groups = s->n_groups > 1 ? s->n_groups : 1;
    d->view.waits_at   = NOBODY_WAITS;
    d->view.cutoff_nm  = s->cutoff_nm;
    d->tunes_margin    = compute == NULL || compute->margin_nm <= 0;
    d->view.margin_nm  = d->tunes_margin ? AMPHI_DEVICE_MARGIN_NM : compute->margin_nm;
    AMPHI_TRY(put_constants(d, err));
    AMPHI_TRY(take_bodies(d, err));
    AMPHI_TRY(AMPHI_T(forces_open)(d, err)); /* says which records are used */
    AMPHI_TRY(AMPHI_T(cells_open)(d, err));
    AMPHI_TRY(AMPHI_T(bonded_open)(d, err));
    AMPHI_TRY(AMPHI_T(motion_open)(d, err));
    AMPHI_TRY(amphi_device_take_host(sizeof *d->landing +
                                         (size_t)d->view.max_groups * sizeof d->landing->group[0],
                                     (void **)&d->landing, err));
    AMPHI_TRY(AMPHI_T(state_adopt)(d, err));
    return AMPHI_T(state_put)(d, err);
}

AmphiStatus AMPHI_T(state_open)(const AmphiSystem *system, const AmphiCompute *compute,
                                Device **out, AmphiError *err)
{
    Device     *d = (Device *)amphi_alloc(1, sizeof *d);
    AmphiStatus status;

    *out = NULL;
    if (d == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a state");
    d->system  = system;
    d->freedom = (int64_t(*)[2])amphi_alloc(system->n_groups + 1, sizeof *d->freedom);
    status     = d->freedom != NULL
                     ? open_parts(d, compute, err)
                     : amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the groups of a state");
    if (status == AMPHI_OK)
        *out = d;
    else
        AMPHI_T(state_close)(d);
    return status;
}

/* ---- the mirror ---- */

/* Memory of the host for its arrays that the device reaches by itself, bytes: more is taken from
 * all other programs, and of so many beads a step takes long. */
static const size_t most_adopted = (size_t)1 << 30;

typedef struct {
    void  *device, *host;
    size_t size;    /* of one bead */
    bool   is_told; /* the host does not find it from others */
} Twin;

/* In fixed precision the host finds from whole numbers all that is not one. */
#ifdef AMPHI_BUILD_FIXED
enum { N_TWINS = 10 };
static const bool tells_all = false;
#else
enum { N_TWINS = 6 };
static const bool tells_all = true;
#endif

/* Anchors have none where the stage restrains nothing: those of the mirror are as old. */
static void twins_of(const Device *d, Twin twin[N_TWINS])
{
    const View        *v = &d->view;
    const AmphiBodies *b = d->mirror;

    twin[0] = Twin{ v->position_nm, b->position_nm, sizeof *b->position_nm, tells_all };
    twin[1] = Twin{ v->image, b->image, sizeof *b->image, true };
    twin[2] = Twin{ v->velocity_nm_ps, b->velocity_nm_ps, sizeof *b->velocity_nm_ps, tells_all };
    twin[3] = Twin{ v->orientation, b->orientation, sizeof *b->orientation, tells_all };
    twin[4] = Twin{ v->spin_u_nm2_ps, b->spin_u_nm2_ps, sizeof *b->spin_u_nm2_ps, tells_all };
    twin[5] = Twin{ v->anchor_nm, b->anchor_nm, sizeof *b->anchor_nm, true };
#ifdef AMPHI_BUILD_FIXED
    twin[6] = Twin{ v->fixed.x, b->fixed->x, sizeof *b->fixed->x, true };
    twin[7] = Twin{ v->fixed.p, b->fixed->p, sizeof *b->fixed->p, true };
    twin[8] = Twin{ v->fixed.q, b->fixed->q, sizeof *b->fixed->q, true };
    twin[9] = Twin{ v->fixed.l, b->fixed->l, sizeof *b->fixed->l, true };
#endif
}

/* What goes between mirror and device. */
#ifdef AMPHI_BUILD_FIXED
#define WHOLE_MIRROR(of)                                                                           \
    of(b->fixed->x) of(b->fixed->p) of(b->fixed->q) of(b->fixed->l) of(b->fixed->force)            \
        of(b->fixed->torque)
#else
#define WHOLE_MIRROR(of)
#endif
#define MIRROR(of)                                                                                 \
    of(b->position_nm) of(b->image) of(b->velocity_nm_ps) of(b->orientation) of(b->spin_u_nm2_ps)  \
        of(b->anchor_nm) of(b->velocity_now_nm_ps) of(b->spin_now_u_nm2_ps) of(b->force_kJ_mol_nm) \
            of(b->torque_kJ_mol) WHOLE_MIRROR(of)

static size_t whole_lines(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

AmphiStatus AMPHI_T(state_adopt)(Device *d, AmphiError *err)
{
    AmphiBodies *b     = d->mirror;
    const size_t n     = (size_t)b->n;
    size_t       bytes = 0;
    char        *at;

#define ADD_BYTES(array) bytes += whole_lines(n * sizeof *(array));
    MIRROR(ADD_BYTES)
#undef ADD_BYTES
    if (bytes > most_adopted)
        return AMPHI_OK;
    AMPHI_TRY(amphi_device_take_host(bytes, (void **)&d->adopted, err));
    at = d->adopted;
#define MOVE_THERE(array)                                                                          \
    memcpy(at, (array), n * sizeof *(array));                                                      \
    (array) = (decltype(array))at;                                                                 \
    at += whole_lines(n * sizeof *(array));
    MIRROR(MOVE_THERE)
#undef MOVE_THERE
    return AMPHI_OK;
}

__global__ static void __launch_bounds__(BEAD_BLOCK) k_refresh_records(const View v)
{
    const int32_t i = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);

    if (i < v.n && v.ledger->n_builds > 0)
        write_records(v, shown_of(v, i, v.slot_of[i]), v.ledger->box_nm, pose_of(v, i));
}

AmphiStatus AMPHI_T(state_refresh)(Device *d, AmphiError *err)
{
    k_refresh_records<<<(d->view.n + BEAD_BLOCK - 1) / BEAD_BLOCK, BEAD_BLOCK, 0, d->stream>>>(
        d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_T(cells_check)(d, err);
}

/* Numbers that begin in the mirror and go on in the ledger, under one name. */
#define SHARED_NUMBERS(NUMBER)                                                                     \
    NUMBER(step)                                                                                   \
    NUMBER(stage_step)                                                                             \
    NUMBER(conserved_count)                                                                        \
    NUMBER(heat_kJ_mol)                                                                            \
    NUMBER(kick_heat_kJ_mol)                                                                       \
    NUMBER(work_kJ_mol)                                                                            \
    NUMBER(n_limited)                                                                              \
    NUMBER(conserved_kJ_mol)                                                                       \
    NUMBER(conserved_sum_kJ_mol)                                                                   \
    NUMBER(step_length_nm)                                                                         \
    NUMBER(last_potential_kJ_mol)
#define NUMBER_TO_LEDGER(name) l.name = b->name;
#define NUMBER_TO_MIRROR(name) b->name = l->name;

/* Moves of the box that are due in the next steps; the mirror has their strains. */
static void put_moves(const AmphiBodies *b, Ledger *l)
{
    for (int k = 0; b->stage != NULL && k < AMPHI_MOVE_LAG; k++) {
        Move *to = due_at(l, b->stage_step + k);

        memcpy(to->strain, b->due[k], sizeof to->strain);
        find_stretch(&b->stage->barostat, to->strain, to->stretch, to->slow);
    }
}

static void get_moves(Ledger *l, AmphiBodies *b)
{
    memset(b->due, 0, sizeof b->due);
    for (int k = 0; b->stage != NULL && k < AMPHI_MOVE_LAG; k++)
        if (moves_box(&b->stage->barostat, b->stage_step + k))
            memcpy(b->due[k], due_at(l, b->stage_step + k)->strain, sizeof b->due[k]);
}

AmphiStatus AMPHI_T(state_put)(Device *d, AmphiError *err)
{
    const AmphiBodies *b = d->mirror;
    Twin               twin[N_TWINS];
    Ledger             l;

    twins_of(d, twin);
    for (int k = 0; k < N_TWINS; k++)
        if (twin[k].device != NULL)
            AMPHI_TRY(amphi_device_put(twin[k].device, twin[k].host, (size_t)b->n * twin[k].size,
                                       d->stream, err));
    AMPHI_TRY(amphi_device_get(&l, d->view.ledger, sizeof l, d->stream, err));
    SHARED_NUMBERS(NUMBER_TO_LEDGER)
    l.fault      = 0;
    l.fault_bead = INT32_MAX;
    l.has_best   = 0;
    l.converged  = 0;
    l.owes_books = 0;
    l.gathered   = 0;
    memset(l.owes_heat, 0, sizeof l.owes_heat);
    memset(l.waits, 0, sizeof l.waits);
    memcpy(l.box_nm, b->box_nm, sizeof l.box_nm);
    memcpy(l.strain, b->strain, sizeof l.strain);
    put_moves(b, &l);
    AMPHI_TRY(amphi_device_put(d->view.ledger, &l, sizeof l, d->stream, err));
#ifdef AMPHI_BUILD_FIXED
    AMPHI_TRY(AMPHI_T(fixed_clear)(d, err));
#endif
    return AMPHI_T(state_refresh)(d, err);
}

/* The state stands still at a fault, and says what it was. */
AmphiStatus AMPHI_T(state_judge)(const Device *d, const Ledger *l, AmphiError *err)
{
    char name[96];

#ifdef AMPHI_BUILD_FIXED
    if (l->fault & FAULT_RANGE)
        return AMPHI_T(fixed_judge)(d, err);
#endif
    if (l->fault & FAULT_WILD)
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "bead %d (%s) is not finite, no rotation, or goes further than %g nm in "
                          "one step",
                          l->fault_bead + 1,
                          amphi_system_bead(d->system, l->fault_bead, name, sizeof name),
                          AMPHI_LONGEST_STEP_NM);
    if (l->fault & FAULT_TORN)
        return amphi_fail(err, AMPHI_UNSTABLE, "a bond of bead %d (%s) is torn", l->fault_bead + 1,
                          amphi_system_bead(d->system, l->fault_bead, name, sizeof name));
    if (l->fault & FAULT_NOT_FINITE)
        return amphi_fail(err, AMPHI_UNSTABLE, "the position of bead %d (%s) is not finite",
                          l->fault_bead + 1,
                          amphi_system_bead(d->system, l->fault_bead, name, sizeof name));
    if (l->fault & FAULT_BOX)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "the box, %g x %g x %g nm, is smaller than twice the cut-off, %g nm",
                          l->box_nm[0], l->box_nm[1], l->box_nm[2], d->view.cutoff_nm);
    if (l->fault & FAULT_ROWS)
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "beads crowd together: a neighbour list needs %d entries a bead, and has "
                          "room for %d",
                          l->fault_size, d->view.longest);
    if (l->fault & FAULT_ENTRIES)
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "beads crowd together: entries of a neighbour list are too narrow");
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(state_ask)(const Device *d, const DeviceParts *parts, AmphiError *err)
{
    AMPHI_TRY(amphi_device_ask(parts, d->adopted != NULL, d->stream, err));
    return amphi_device_wait(d->stream, err);
}

AmphiStatus AMPHI_T(state_get_ledger)(Device *d, Ledger *l, AmphiError *err)
{
    DeviceParts parts = {};

    amphi_device_add_part(&parts, &d->landing->ledger, d->view.ledger, sizeof *l);
    AMPHI_TRY(AMPHI_T(state_ask)(d, &parts, err));
    *l = d->landing->ledger;
    return AMPHI_OK;
}

void AMPHI_T(state_add_numbers)(const Device *d, DeviceParts *parts)
{
    Landing *const to = d->landing;

    amphi_device_add_part(parts, &to->ledger, d->view.ledger, sizeof to->ledger);
    amphi_device_add_part(parts, to->group, d->view.group,
                          sizeof to->group[0] * (size_t)d->mirror->n_groups);
}

AmphiStatus AMPHI_T(state_take_numbers)(Device *d, Ledger *l, AmphiError *err)
{
    AmphiBodies *b = d->mirror;

    *l = d->landing->ledger;
    SHARED_NUMBERS(NUMBER_TO_MIRROR)
    b->potential_kJ_mol = l->potential_kJ_mol;
    b->translation      = l->translation;
    b->rotation         = l->rotation;
    b->time_ps          = b->stage_began_ps + (double)b->stage_step * b->dt_ps;
    memcpy(b->box_nm, l->box_nm, sizeof b->box_nm);
    memcpy(b->strain, l->strain, sizeof b->strain);
    get_moves(l, b);
    memcpy(b->kinetic_half_kJ_mol, l->kinetic_half_kJ_mol, sizeof b->kinetic_half_kJ_mol);
    if (b->n_groups > 0)
        memcpy(b->group, d->landing->group, sizeof *b->group * (size_t)b->n_groups);
    if (l->fault == 0 || d->fault_told)
        return AMPHI_OK;
    d->fault_told = true; /* whoever asks again wants to see it */
    if (l->gathered != l->step + 1)
        d->has = 0; /* it is older than the forces that were asked for */
    return AMPHI_T(state_judge)(d, l, err);
}

AmphiStatus AMPHI_T(state_get_numbers)(Device *d, Ledger *l, AmphiError *err)
{
    DeviceParts parts = {};

    AMPHI_T(state_add_numbers)(d, &parts);
    AMPHI_TRY(AMPHI_T(state_ask)(d, &parts, err));
    return AMPHI_T(state_take_numbers)(d, l, err);
}

void AMPHI_T(state_add_bodies)(const Device *d, DeviceParts *parts)
{
    Twin twin[N_TWINS];

    twins_of(d, twin);
    for (int k = 0; k < N_TWINS; k++)
        if (twin[k].is_told && twin[k].device != NULL)
            amphi_device_add_part(parts, twin[k].host, twin[k].device,
                                  (size_t)d->mirror->n * twin[k].size);
}

/* With v(t) and l(t), and in double, as kick and drift leave them. Whoever looks at the forces of a
 * state in fixed precision adds up its whole momenta. */
void AMPHI_T(state_add_shown)(const Device *d, uint32_t has, DeviceParts *parts)
{
    const View        *v = &d->view;
    const AmphiBodies *b = d->mirror;
    const size_t       n = (size_t)b->n;

    amphi_device_add_part(parts, b->position_nm, v->position_nm, n * sizeof *b->position_nm);
    amphi_device_add_part(parts, b->orientation, v->orientation, n * sizeof *b->orientation);
    amphi_device_add_part(parts, b->image, v->image, n * sizeof *b->image);
    amphi_device_add_part(parts, b->velocity_now_nm_ps, v->velocity_now_nm_ps,
                          n * sizeof *b->velocity_now_nm_ps);
    amphi_device_add_part(parts, b->spin_now_u_nm2_ps, v->spin_now_u_nm2_ps,
                          n * sizeof *b->spin_now_u_nm2_ps);
#ifdef AMPHI_BUILD_FIXED
    if ((has & AMPHI_NEED_FORCES) != 0)
        amphi_device_add_part(parts, b->fixed->p, v->fixed.p, n * sizeof *b->fixed->p);
#else
    (void)has;
#endif
}

void AMPHI_T(state_take_bodies)(Device *d)
{
#ifdef AMPHI_BUILD_FIXED
    amphi_fixed_show_places(d->mirror);
    amphi_fixed_show_motion(d->mirror);
#else
    (void)d;
#endif
}

AmphiStatus AMPHI_T(state_get_bodies)(Device *d, AmphiError *err)
{
    DeviceParts parts = {};

    AMPHI_T(state_add_bodies)(d, &parts);
    AMPHI_TRY(AMPHI_T(state_ask)(d, &parts, err));
    AMPHI_T(state_take_bodies)(d);
    return AMPHI_OK;
}

void AMPHI_T(state_add_forces)(const Device *d, DeviceParts *parts)
{
    const AmphiBodies *b     = d->mirror;
    const size_t       bytes = (size_t)b->n * sizeof *b->force_kJ_mol_nm;

    amphi_device_add_part(parts, b->force_kJ_mol_nm, d->view.force_kJ_mol_nm, bytes);
    amphi_device_add_part(parts, b->torque_kJ_mol, d->view.torque_kJ_mol, bytes);
}

AmphiStatus AMPHI_T(state_get_forces)(Device *d, AmphiError *err)
{
    DeviceParts parts = {};

    AMPHI_T(state_add_forces)(d, &parts);
#ifdef AMPHI_BUILD_FIXED
    const size_t bytes = (size_t)d->mirror->n * sizeof *d->mirror->fixed->force;

    amphi_device_add_part(&parts, d->mirror->fixed->force, d->view.fixed.whole_force, bytes);
    amphi_device_add_part(&parts, d->mirror->fixed->torque, d->view.fixed.whole_torque, bytes);
#endif
    return AMPHI_T(state_ask)(d, &parts, err);
}
