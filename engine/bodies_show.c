/* Bodies as frames, and as the bytes of saved states. */
#include "bodies_fixed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void sum_motion(const AmphiSystem *s, const double (*velocity)[3], const double (*spin)[3],
                       AmphiFrame        *frame)
{
    const AmphiBeadType *last       = NULL;
    double               kinetic[6] = { 0 }, rotation[3] = { 0 }; /* xx yy zz xy xz yz */
    double               half_mass = 0, half_inverse[3] = { 0 };

    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiBeadType *type = &s->type[s->bead_type[i]];
        const double *const v = velocity[i], *const l = spin[i];

        if (type != last) { /* those of a type often follow each other */
            half_mass = 0.5 * type->mass_u;
            for (int k = 0; k < 3; k++)
                half_inverse[k] = type->rotor != AMPHI_POINT && type->inertia_u_nm2[k] > 0
                                      ? 0.5 / type->inertia_u_nm2[k]
                                      : 0;
            last = type;
        }
        for (int k = 0; k < 3; k++) {
            kinetic[k] += half_mass * v[k] * v[k];
            kinetic[3 + k] += half_mass * v[k < 2 ? 0 : 1] * v[k < 1 ? 1 : 2];
            rotation[k] += half_inverse[k] * l[k] * l[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        const int a = k < 2 ? 0 : 1, b = k < 1 ? 1 : 2;

        frame->kinetic_kJ_mol[k][k] = kinetic[k];
        frame->kinetic_kJ_mol[a][b] = frame->kinetic_kJ_mol[b][a] = kinetic[3 + k];
    }
    frame->rotation_kJ_mol = rotation[0] + rotation[1] + rotation[2];
}

static void add_freedom(const AmphiBodies *b, int64_t (*freedom)[2], AmphiFrame *frame)
{
    for (int32_t g = 0; g < b->n_groups; g++) {
        amphi_bodies_freedom(b, g, freedom[g]);
        for (int k = 0; k < 2; k++)
            frame->freedom[k] += freedom[g][k];
    }
    frame->group_freedom = (const int64_t(*)[2])freedom;
}

void amphi_sums_total(AmphiSums *sums)
{
    sums->potential_kJ_mol = 0;
    memset(sums->total_virial_kJ_mol, 0, sizeof sums->total_virial_kJ_mol);
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        sums->potential_kJ_mol += sums->energy_kJ_mol[slot];
        for (int a = 0; a < 3; a++)
            sums->total_virial_kJ_mol[a] += sums->virial_kJ_mol[slot][a][a];
    }
}

/* sum: of number[AMPHI_TERMS], `stride` apart. */
static bool is_sum(double total, double sum, const double *number, size_t stride, int32_t n_beads)
{
    const double bound = 1e-4;
    double       size  = n_beads;

    for (size_t k = 0; k < AMPHI_TERMS; k++)
        size += fabs(number[k * stride]);
    return fabs(total - sum) <= bound * size;
}

bool amphi_sums_agree(const AmphiSums *s, int32_t n_beads)
{
    AmphiSums terms = *s;
    bool      agree;

    amphi_sums_total(&terms);
    agree = is_sum(s->potential_kJ_mol, terms.potential_kJ_mol, s->energy_kJ_mol, 1, n_beads);
    for (int a = 0; a < 3; a++)
        agree = agree && is_sum(s->total_virial_kJ_mol[a], terms.total_virial_kJ_mol[a],
                                &s->virial_kJ_mol[0][a][a], 9, n_beads);
    return agree;
}

void amphi_bodies_show(const AmphiBodies *b, const AmphiSums *sums, uint32_t has,
                       int64_t (*freedom)[2], AmphiFrame *frame)
{
    const bool kicked   = b->stage != NULL;
    const bool now      = amphi_bodies_have_kicks(b);
    const double(*v)[3] = (const double(*)[3])(now ? b->velocity_now_nm_ps : b->velocity_nm_ps);
    const double(*l)[3] = (const double(*)[3])(now ? b->spin_now_u_nm2_ps : b->spin_u_nm2_ps);

    *frame = (AmphiFrame){ .step            = b->step,
                           .time_ps         = b->time_ps,
                           .has             = has,
                           .position_nm     = (const double(*)[3])b->position_nm,
                           .image           = (const int32_t(*)[3])b->image,
                           .force_kJ_mol_nm = (const double(*)[3])b->force_kJ_mol_nm,
                           .torque_kJ_mol   = (const double(*)[3])b->torque_kJ_mol,
                           .velocity_nm_ps  = v,
                           .orientation     = (const double(*)[4])b->orientation,
                           .spin_u_nm2_ps   = l };
    memcpy(frame->box_nm, b->box_nm, sizeof frame->box_nm);
    memcpy(frame->term_kJ_mol, sums->energy_kJ_mol, sizeof sums->energy_kJ_mol);
    memcpy(frame->term_virial_kJ_mol, sums->virial_kJ_mol, sizeof sums->virial_kJ_mol);
    memcpy(frame->term_count, sums->count, sizeof sums->count);
    if ((has & AMPHI_NEED_POSITIONS) != 0 && !kicked)
        sum_motion(b->system, v, l, frame);
    if (b->fixed != NULL) {
        frame->is_fixed = 1;
        frame->culprit  = b->fixed->fault.what == FIXED_GOOD ? 0 : b->fixed->fault.bead + 1;
        if ((has & AMPHI_NEED_POSITIONS) != 0 && (has & AMPHI_NEED_FORCES) != 0)
            amphi_fixed_momentum(b, frame->momentum);
    }
    if (kicked) {
        add_freedom(b, freedom, frame);
        frame->stage            = b->stage;
        frame->stage_step       = b->stage_step;
        frame->translation      = b->translation;
        frame->rotation         = b->rotation;
        frame->n_groups         = b->n_groups;
        frame->group            = (const AmphiKinetic(*)[2])b->group;
        frame->heat_kJ_mol      = b->kick_heat_kJ_mol;
        frame->work_kJ_mol      = b->work_kJ_mol;
        frame->n_limited        = b->n_limited;
        frame->conserved_kJ_mol = b->conserved_kJ_mol;

        frame->conserved_sum_kJ_mol = b->conserved_sum_kJ_mol;
        frame->conserved_count      = b->conserved_count;
        memcpy(frame->kinetic_half_kJ_mol, b->kinetic_half_kJ_mol,
               sizeof frame->kinetic_half_kJ_mol);
    }
}

/* Bytes. */

bool amphi_bytes_add(AmphiBytes *bytes, const void *from, size_t n)
{
    const size_t wanted = bytes->n + n;

    if (bytes->data == NULL || bytes->room < wanted) {
        const size_t   room = wanted > 2 * bytes->room ? wanted : 2 * bytes->room;
        unsigned char *data = amphi_resize(bytes->data, (int64_t)room, 1);

        if (data == NULL)
            return false;
        bytes->data = data;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->n, from, n);
    bytes->n = wanted;
    return true;
}

bool amphi_bytes_take(const AmphiBytes *bytes, size_t *at, void *to, size_t n)
{
    if (n > bytes->n - *at)
        return false;
    memcpy(to, bytes->data + *at, n);
    *at += n;
    return true;
}

static AmphiSavedNumbers numbers_of(const AmphiBodies *b)
{
    AmphiSavedNumbers k = { .n               = b->n,
                            .n_limited       = (int32_t)b->n_limited,
                            .step            = b->step,
                            .stage_step      = b->stage_step,
                            .conserved_count = b->conserved_count,
                            .stage_began_ps  = b->stage_began_ps,
                            .time_ps         = b->time_ps,
                            .dt_ps           = b->dt_ps,
                            .box_nm          = { b->box_nm[0], b->box_nm[1], b->box_nm[2] },
                            .heat            = b->heat_kJ_mol,
                            .work            = b->work_kJ_mol,
                            .conserved_sum   = b->conserved_sum_kJ_mol,
                            .step_length     = b->step_length_nm,
                            .last_potential  = b->last_potential_kJ_mol,
                            .strain          = { b->strain[0], b->strain[1], b->strain[2] } };

    memcpy(k.due, b->due, sizeof k.due);
    return k;
}

static void set_numbers(AmphiBodies *b, const AmphiSavedNumbers *k)
{
    b->n_limited             = k->n_limited;
    b->step                  = k->step;
    b->stage_step            = k->stage_step;
    b->conserved_count       = k->conserved_count;
    b->stage_began_ps        = k->stage_began_ps;
    b->time_ps               = k->time_ps;
    b->dt_ps                 = k->dt_ps;
    b->heat_kJ_mol           = k->heat;
    b->kick_heat_kJ_mol      = k->heat;
    b->work_kJ_mol           = k->work;
    b->conserved_sum_kJ_mol  = k->conserved_sum;
    b->step_length_nm        = k->step_length;
    b->last_potential_kJ_mol = k->last_potential;
    memcpy(b->box_nm, k->box_nm, sizeof b->box_nm);
    memcpy(b->strain, k->strain, sizeof b->strain);
    memcpy(b->due, k->due, sizeof b->due);
}

typedef struct {
    void  *array;
    size_t size;
} Part;

enum { N_PARTS = 6 };

static void parts_of(const AmphiBodies *b, Part part[N_PARTS])
{
    part[0] = (Part){ b->position_nm, sizeof *b->position_nm };
    part[1] = (Part){ b->image, sizeof *b->image };
    part[2] = (Part){ b->velocity_nm_ps, sizeof *b->velocity_nm_ps };
    part[3] = (Part){ b->orientation, sizeof *b->orientation };
    part[4] = (Part){ b->spin_u_nm2_ps, sizeof *b->spin_u_nm2_ps };
    part[5] = (Part){ b->anchor_nm, sizeof *b->anchor_nm };
}

bool amphi_bodies_pack(const AmphiBodies *b, AmphiBytes *bytes)
{
    const AmphiSavedNumbers numbers = numbers_of(b);
    Part                    part[N_PARTS];
    bool                    done = amphi_bytes_add(bytes, &numbers, sizeof numbers);

    parts_of(b, part);
    for (int k = 0; done && k < N_PARTS; k++)
        done = amphi_bytes_add(bytes, part[k].array, (size_t)b->n * part[k].size);
    return done;
}

bool amphi_bodies_unpack(AmphiBodies *b, const AmphiBytes *bytes, size_t *at)
{
    AmphiSavedNumbers numbers;
    Part              part[N_PARTS];
    bool done = amphi_bytes_take(bytes, at, &numbers, sizeof numbers) && numbers.n == b->n;

    parts_of(b, part);
    for (int k = 0; done && k < N_PARTS; k++)
        done = amphi_bytes_take(bytes, at, part[k].array, (size_t)b->n * part[k].size);
    if (done)
        set_numbers(b, &numbers);
    return done;
}

/* ---- the named part that only some backends read ---- */

typedef struct {
    char    name[24];
    int64_t n_bytes;
} Memory;

AMPHI_ON_DISK_AT(Memory, n_bytes, 24);
AMPHI_ON_DISK(Memory, 32);

bool amphi_memory_begin(AmphiBytes *bytes, const char *name, size_t *began)
{
    Memory memory = { .n_bytes = 0 };

    *began = bytes->n;
    snprintf(memory.name, sizeof memory.name, "%s", name);
    return amphi_bytes_add(bytes, &memory, sizeof memory);
}

void amphi_memory_end(AmphiBytes *bytes, size_t began)
{
    Memory memory;

    memcpy(&memory, bytes->data + began, sizeof memory);
    memory.n_bytes = (int64_t)(bytes->n - began - sizeof memory);
    memcpy(bytes->data + began, &memory, sizeof memory);
}

bool amphi_memory_find(const AmphiBytes *bytes, const char *name, size_t *at, bool *is_there)
{
    Memory memory;

    *is_there = false;
    if (*at == bytes->n)
        return true;
    if (!amphi_bytes_take(bytes, at, &memory, sizeof memory) ||
        memory.n_bytes != (int64_t)(bytes->n - *at))
        return false;
    *is_there = strncmp(memory.name, name, sizeof memory.name) == 0;
    return true;
}
