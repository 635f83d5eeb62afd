/* Pictures of a run's last checkpoint, the only file with the orientations of all beads. */
#include "draw_run.h"

#include <math.h>
#include <string.h>

#include "../engine/formats/snapshot.h"
#include "../engine/whole.h"
#include "command.h"
#include "draw.h"

static bool is_lipid(const AmphiSystem *s, int32_t molecule)
{
    return strcmp(s->molecule_type[s->molecule[molecule].type].kind, "lipid") == 0;
}

/* The shift along z that brings the mean of the lipids, a mean of angles, to the middle of the box;
 * 0 without lipids. */
static double lift_nm(const AmphiSystem *s, const double (*x)[3], double edge_nm)
{
    const double full   = 2 * acos(-1.0);
    double       sum[2] = { 0, 0 };

    for (int32_t m = 0; m < s->n_molecules; m++) {
        const int32_t first = s->molecule[m].first_bead;
        const int32_t n     = is_lipid(s, m) ? s->molecule_type[s->molecule[m].type].n_beads : 0;

        for (int32_t i = first; i < first + n; i++) {
            sum[0] += cos(full * x[i][2] / edge_nm);
            sum[1] += sin(full * x[i][2] / edge_nm);
        }
    }
    return hypot(sum[0], sum[1]) > 0 ? edge_nm * (0.5 - atan2(sum[1], sum[0]) / full) : 0;
}

/* The system of the checkpoint, lipids in the middle, molecules whole; in `arena`. */
static AmphiStatus put_together(const AmphiSystem *start, const AmphiSnapshot *now,
                                AmphiSystem *system, AmphiArena *arena, AmphiError *err)
{
    const int32_t n            = start->n_beads;
    double(*const at)[3]       = amphi_arena_take(arena, n, sizeof *at);
    double(*const whole_at)[3] = amphi_arena_take(arena, n, sizeof *whole_at);
    AmphiWhole whole;

    if (at == NULL || whole_at == NULL || !amphi_whole_init(&whole, start, arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a picture");

    const double lift = lift_nm(start, (const double(*)[3])now->position_nm, now->box_nm[2]);

    for (int32_t i = 0; i < n; i++) {
        memcpy(at[i], now->position_nm[i], sizeof at[i]);
        at[i][2] += lift;
    }
    amphi_whole_all(&whole, now->box_nm, (const double(*)[3])at, whole_at);
    *system = *start;
    memcpy(system->box_nm, now->box_nm, sizeof system->box_nm);
    system->position_nm = (const double(*)[3])whole_at;
    system->orientation = (const double(*)[4])now->orientation;
    return AMPHI_OK;
}

static bool can_be_drawn(const AmphiSnapshot *now, int32_t n_beads)
{
    return now != NULL && now->n_beads == n_beads && now->has_box && now->position_nm != NULL &&
           now->orientation != NULL;
}

AmphiStatus tool_draw_last(const AmphiSystem *start, const char *dir, AmphiArena *arena,
                           ToolMoment *moment, AmphiError *err)
{
    const AmphiWhere  nowhere = { NULL, 0 };
    AmphiNotes *const notes   = amphi_notes_new();
    char              chk[AMPHI_PATH_SIZE];
    AmphiStatus       status = tool_join(dir, "run.chk", chk, err);

    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a picture");

    const AmphiSnapshot *const now =
        status == AMPHI_OK ? amphi_snapshot_read(chk, "chk", arena, nowhere, notes) : NULL;

    if (status == AMPHI_OK && !can_be_drawn(now, start->n_beads)) {
        status = amphi_fail(err, AMPHI_BAD_FILE, "%.400s: no picture can be drawn of it", chk);
    } else if (status == AMPHI_OK) {
        moment->step    = now->step;
        moment->time_ps = now->time_ps;
        status          = put_together(start, now, &moment->system, arena, err);
    }
    amphi_notes_free(notes);
    return status;
}

AmphiStatus tool_draw_run(const AmphiSystem *system, const char *dir, AmphiError *err)
{
    AmphiArena *const arena  = amphi_arena_new();
    AmphiStatus       status = AMPHI_NO_MEMORY;
    char              png[AMPHI_PATH_SIZE];
    ToolMoment        moment;

    if (arena != NULL)
        status = tool_draw_last(system, dir, arena, &moment, err);
    else
        amphi_fail(err, status, "final.png: no memory");
    if (status == AMPHI_OK)
        status = tool_join(dir, "final.png", png, err);
    if (status == AMPHI_OK)
        status = tool_draw_system(&moment.system, png, err);
    amphi_arena_free(arena);
    return status;
}
