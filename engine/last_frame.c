/* The latest frame, written in the formats that a further simulation can start from. */
#include "last_frame.h"

#include <string.h>

#include "formats/formats.h"
#include "formats/sink.h"

bool amphi_last_frame_init(AmphiLastFrame *last, const AmphiSystem *system, AmphiArena *arena)
{
    const int32_t n = system->n_beads;

    *last = (AmphiLastFrame){
        .system         = system,
        .position_nm    = amphi_arena_take(arena, n, sizeof *last->position_nm),
        .velocity_nm_ps = amphi_arena_take(arena, n, sizeof *last->velocity_nm_ps),
        .orientation    = amphi_arena_take(arena, n, sizeof *last->orientation),
        .spin_u_nm2_ps  = amphi_arena_take(arena, n, sizeof *last->spin_u_nm2_ps),
    };
    return amphi_whole_init(&last->whole, system, arena) && !amphi_arena_failed(arena);
}

void amphi_last_frame_take(AmphiLastFrame *last, const AmphiFrame *f)
{
    const size_t n = (size_t)last->system->n_beads;

    last->is_there = true;
    last->step     = f->step;
    last->time_ps  = f->time_ps;
    memcpy(last->box_nm, f->box_nm, sizeof last->box_nm);
    amphi_whole_all(&last->whole, f->box_nm, f->position_nm, last->position_nm);
    memcpy(last->velocity_nm_ps, f->velocity_nm_ps, n * sizeof *last->velocity_nm_ps);
    memcpy(last->orientation, f->orientation, n * sizeof *last->orientation);
    memcpy(last->spin_u_nm2_ps, f->spin_u_nm2_ps, n * sizeof *last->spin_u_nm2_ps);
}

/* The snapshot borrows the arrays. */
static AmphiStatus write_all(AmphiSnapshot *s, const AmphiLastFrame *last, const char *dir,
                             AmphiError *err)
{
    char path[AMPHI_PATH_SIZE];

    s->step           = last->step;
    s->time_ps        = last->time_ps;
    s->position_nm    = last->position_nm;
    s->velocity_nm_ps = last->velocity_nm_ps;
    s->orientation    = last->orientation;
    s->spin_u_nm2_ps  = last->spin_u_nm2_ps;
    memcpy(s->box_nm, last->box_nm, sizeof s->box_nm);
    snprintf(path, sizeof path, "%s/final.gro", dir);
    AMPHI_TRY(amphi_format_gro.write(path, s, err));
    snprintf(path, sizeof path, "%s/final.data", dir);
    return amphi_format_lammps.write(path, s, err);
}

AmphiStatus amphi_last_frame_write(const AmphiLastFrame *last, const AmphiObserverPlace *place,
                                   AmphiError *err)
{
    if (!last->is_there)
        return AMPHI_OK;

    AmphiArena *const    arena = amphi_arena_new();
    AmphiSnapshot *const s = arena == NULL ? NULL : amphi_snapshot_of_system(last->system, arena);
    AmphiStatus          status;

    if (s != NULL)
        status = write_all(s, last, place->dir, err);
    else
        status = amphi_fail(err, AMPHI_NO_MEMORY, "final.gro: no memory");
    amphi_arena_free(arena);
    return status;
}
