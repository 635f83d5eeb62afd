/* What waits: frames, and states as bytes. */
#include "read.h"

#include <math.h>
#include <string.h>

extern "C" {
#include "../engine/arena.h"
#include "../engine/bodies_fixed.h"
}

/* ---- frames ---- */

static void take_terms(Device *d)
{
    const TermSums *const term = d->landing->term;

    for (int k = 0; k < AMPHI_TERMS; k++) {
        d->sums.energy_kJ_mol[k] = term[k].energy;
        d->sums.count[k]         = (int64_t)term[k].count;
        memcpy(d->sums.virial_kJ_mol[k], term[k].virial, sizeof term[k].virial);
    }
}

/* Forces add up what they need by themselves, and the books of a kick total it; what is reported is
 * measured term by term, by other kernels. Where they differ, by more than rounding, neither can be
 * trusted. */
static AmphiStatus compare_sums(Device *d, const Ledger *l, AmphiError *err)
{
    AmphiSums    *s     = &d->sums;
    AmphiSums     terms = *s;
    const double *w = s->total_virial_kJ_mol, *exact = terms.total_virial_kJ_mol;

    amphi_sums_total(&terms);
    s->potential_kJ_mol = l->potential_kJ_mol;
    memcpy(s->total_virial_kJ_mol, l->virial_kJ_mol, sizeof s->total_virial_kJ_mol);
    if (!isfinite(terms.potential_kJ_mol + exact[0] + exact[1] + exact[2]) ||
        amphi_sums_agree(s, d->view.n))
        return AMPHI_OK;
    return amphi_fail(
        err, AMPHI_NO_DEVICE,
        "forces add up a potential of %.8g and a virial of %.8g %.8g %.8g kJ/mol, but "
        "their terms %.8g and %.8g %.8g %.8g: the device or this program computes "
        "wrongly, whatever the system is; run it with --backend cpu",
        s->potential_kJ_mol, w[0], w[1], w[2], terms.potential_kJ_mol, exact[0], exact[1],
        exact[2]);
}

/* Arrays go to the host for who asks: to copy those of a large system takes longer than its step.
 * Whoever looks at a start or a fault sees all there is. */
static uint32_t what_to_show(const Device *d, uint32_t needs)
{
    if (d->mirror->stage == NULL || d->fault_told)
        return d->has | AMPHI_NEED_POSITIONS;
    return (d->has & (needs | AMPHI_NEED_ENERGY)) | (needs & AMPHI_NEED_POSITIONS);
}

/* Does it show v(t) and l(t), which a kick has left? At a fault it may not have come so far. */
static bool shows_kick(const Device *d)
{
    return d->has_motion && !d->fault_told;
}

static void show_as_now(AmphiBodies *b)
{
    const size_t bytes = (size_t)b->n * sizeof *b->velocity_nm_ps;

    memcpy(b->velocity_now_nm_ps, b->velocity_nm_ps, bytes);
    memcpy(b->spin_now_u_nm2_ps, b->spin_u_nm2_ps, bytes);
}

/* What there is of it, by one wait. */
AmphiStatus AMPHI_T(device_ask_frame)(Device *d, uint32_t needs, AmphiError *err)
{
    const uint32_t has   = what_to_show(d, needs);
    Landing *const to    = d->landing;
    DeviceParts    parts = {};

    AMPHI_TRY(AMPHI_T(device_look)(d, err));
    AMPHI_T(state_add_numbers)(d, &parts);
    if ((has & AMPHI_NEED_ENERGY) != 0)
        amphi_device_add_part(&parts, to->term, d->view.term, sizeof to->term);
    if ((has & AMPHI_NEED_POSITIONS) != 0) {
        if (shows_kick(d))
            AMPHI_T(state_add_shown)(d, has, &parts);
        else
            AMPHI_T(state_add_bodies)(d, &parts);
    }
    if ((has & AMPHI_NEED_FORCES) != 0)
        AMPHI_T(state_add_forces)(d, &parts);
    return AMPHI_T(state_ask)(d, &parts, err);
}

AmphiStatus AMPHI_T(device_take_frame)(Device *d, uint32_t needs, AmphiFrame *frame,
                                       AmphiError *err)
{
    const uint32_t has = what_to_show(d, needs);
    Ledger         l;

    AMPHI_TRY(AMPHI_T(state_take_numbers)(d, &l, err));
    if ((needs & AMPHI_NEED_NUMBERS) != 0 && !isfinite(l.potential_kJ_mol))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite");
    if ((has & AMPHI_NEED_ENERGY) != 0)
        take_terms(d);
    else
        memset(&d->sums, 0, sizeof d->sums);
    if ((has & AMPHI_NEED_ENERGY) != 0 && d->has_books && !d->fault_told)
        AMPHI_TRY(compare_sums(d, &l, err));
    if ((has & AMPHI_NEED_POSITIONS) != 0 && !shows_kick(d)) {
        AMPHI_T(state_take_bodies)(d);
        show_as_now(d->mirror);
    }
    amphi_bodies_show(d->mirror, &d->sums, has, d->freedom, frame);
    if (d->fault_told && (l.fault & FAULT_NOT_FINITE) != 0 && l.fault_bead < d->view.n)
        frame->culprit = l.fault_bead + 1;
    return AMPHI_OK;
}

/* ---- bytes ---- */

#ifdef AMPHI_BUILD_FIXED

/* No list: rows in another order give the same sums. */
AmphiStatus AMPHI_T(device_save)(Device *d, AmphiBytes *bytes, AmphiError *err)
{
    Ledger l;

    AMPHI_TRY(AMPHI_T(state_get_numbers)(d, &l, err));
    AMPHI_TRY(AMPHI_T(state_get_bodies)(d, err));
    if (!amphi_bodies_pack(d->mirror, bytes) || !amphi_fixed_pack(d->mirror, bytes))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save %d beads", d->view.n);
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_restore)(Device *d, const AmphiBytes *bytes, AmphiError *err)
{
    size_t at = 0;

    d->wishes    = Wishes{};
    d->is_listed = false;
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    if (!amphi_bodies_unpack(d->mirror, bytes, &at) || !amphi_fixed_unpack(d->mirror, bytes, &at))
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state is not one of this system");
    d->has        = 0;
    d->has_motion = false;
    d->fault_told = false;
    /* rows are those of the state that is left behind */
    AMPHI_TRY(AMPHI_T(cells_forget)(d, err));
    return AMPHI_T(state_put)(d, err);
}

#else

static const char memory_name[] = "device list";

/* A list that was built at other positions has its rows in another order, and sums in other last
 * bits: so where it was built is part of the state. */
AmphiStatus AMPHI_T(device_save)(Device *d, AmphiBytes *bytes, AmphiError *err)
{
    const size_t size    = (size_t)d->view.n * sizeof(double[3]);
    double(*built_nm)[3] = (double(*)[3])amphi_alloc(d->view.n, sizeof *built_nm);
    AmphiStatus status   = AMPHI_OK;
    size_t      began    = 0;
    int64_t     has_list = 0; /* not how many there have been: a run that goes on begins anew */
    Ledger      l;

    if (built_nm == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save %d beads", d->view.n);
    status = AMPHI_T(state_get_numbers)(d, &l, err);
    if (status == AMPHI_OK)
        has_list = l.n_builds > 0;
    if (status == AMPHI_OK)
        status = AMPHI_T(state_get_bodies)(d, err);
    if (status == AMPHI_OK)
        status = amphi_device_get(built_nm, d->view.built_nm, size, d->stream, err);
    if (status == AMPHI_OK &&
        (!amphi_bodies_pack(d->mirror, bytes) || !amphi_memory_begin(bytes, memory_name, &began) ||
         !amphi_bytes_add(bytes, &has_list, sizeof has_list) ||
         !amphi_bytes_add(bytes, l.built_box_nm, sizeof l.built_box_nm) ||
         !amphi_bytes_add(bytes, built_nm, size)))
        status = amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save %d beads", d->view.n);
    if (status == AMPHI_OK)
        amphi_memory_end(bytes, began);
    amphi_release(built_nm);
    return status;
}

/* Puts positions and box there, and nothing else of the mirror. */
static AmphiStatus put_places(Device *d, const double (*x)[3], const double box_nm[3],
                              AmphiError *err)
{
    Ledger l;

    AMPHI_TRY(
        amphi_device_put(d->view.position_nm, x, (size_t)d->view.n * sizeof *x, d->stream, err));
    AMPHI_TRY(amphi_device_get(&l, d->view.ledger, sizeof l, d->stream, err));
    memcpy(l.box_nm, box_nm, sizeof l.box_nm);
    l.step       = d->mirror->step; /* where a list finds no room, no step is to be made up for */
    l.stage_step = d->mirror->stage_step;
    l.stale      = 1;
    l.fault      = 0; /* of what is left behind */
    return amphi_device_put(d->view.ledger, &l, sizeof l, d->stream, err);
}

/* Around the places where bodies are now, and not ahead of them. */
static AmphiStatus build_here(Device *d, AmphiError *err)
{
    const double dt_ps = d->view.stage.dt_ps;
    AmphiStatus  status;

    d->view.stage.dt_ps = 0;
    status              = AMPHI_T(device_build_list)(d, err);
    d->view.stage.dt_ps = dt_ps;
    return status;
}

/* The list as it was: built where it was built. */
static AmphiStatus rebuild(Device *d, const AmphiBytes *bytes, size_t *at, AmphiError *err)
{
    const size_t size    = (size_t)d->view.n * sizeof(double[3]);
    double(*built_nm)[3] = (double(*)[3])amphi_alloc(d->view.n, sizeof *built_nm);
    double      box_nm[3];
    int64_t     has_list = 0;
    AmphiStatus status   = AMPHI_OK;

    if (built_nm == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to restore %d beads", d->view.n);
    if (!amphi_bytes_take(bytes, at, &has_list, sizeof has_list) ||
        !amphi_bytes_take(bytes, at, box_nm, sizeof box_nm) ||
        !amphi_bytes_take(bytes, at, built_nm, size))
        status = amphi_fail(err, AMPHI_BAD_FILE, "the saved neighbour list is cut short");
    if (status == AMPHI_OK && has_list > 0)
        status = put_places(d, (const double(*)[3])built_nm, box_nm, err);
    if (status == AMPHI_OK && has_list > 0)
        status = build_here(d, err);
    amphi_release(built_nm);
    return status;
}

AmphiStatus AMPHI_T(device_restore)(Device *d, const AmphiBytes *bytes, AmphiError *err)
{
    size_t at = 0;
    bool   is_there;

    d->wishes    = Wishes{};
    d->is_listed = false;
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    if (!amphi_bodies_unpack(d->mirror, bytes, &at) ||
        !amphi_memory_find(bytes, memory_name, &at, &is_there))
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state is not one of this system");
    if (is_there)
        AMPHI_TRY(rebuild(d, bytes, &at, err));
    if (is_there && at != bytes->n)
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state has more bytes than it should");
    d->has        = 0;
    d->has_motion = false;
    d->fault_told = false;
    return AMPHI_T(state_put)(d, err);
}

#endif
