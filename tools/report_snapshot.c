/* Pictures of the last state by the ray tracer tachyon, with a legend of bead types. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "draw.h"
#include "draw_run.h"
#include "report_parts.h"

/* Two pictures of at most 0.6 MB keep the page below 3 MB; a scene of more beads takes minutes. */
enum { PIXELS = 760, FEWER_PIXELS = 460, MOST_BYTES = 600000, MOST_BEADS = 400000 };

static bool is_too_large(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && about.st_size > MOST_BYTES;
}

static AmphiStatus draw(const AmphiSystem *system, bool from_above, bool without_solvent,
                        const char *path, AmphiError *err)
{
    ToolShot shot = { from_above, without_solvent, PIXELS };

    AMPHI_TRY(tool_draw_shot(system, &shot, path, err));
    shot.longer_side = FEWER_PIXELS;
    return is_too_large(path) ? tool_draw_shot(system, &shot, path, err) : AMPHI_OK;
}

static bool has_lipids(const AmphiSystem *s)
{
    for (int32_t m = 0; m < s->n_molecules; m++)
        if (strcmp(s->molecule_type[s->molecule[m].type].kind, "lipid") == 0)
            return true;
    return false;
}

static bool is_present(const AmphiSystem *s, int32_t type)
{
    for (int32_t b = 0; b < s->n_beads; b++)
        if (s->bead_type[b] == type)
            return true;
    return false;
}

static void show_colours(Report *r, const AmphiSystem *s)
{
    tool_page_legend_begin(&r->page);
    for (int32_t t = 0; t < s->n_types; t++) {
        double rgb[3];

        if (!is_present(s, t))
            continue;
        tool_draw_colour(s, t, rgb);
        tool_page_legend(&r->page, rgb, s->type[t].name);
    }
    tool_page_legend_end(&r->page);
}

static AmphiStatus show_one(Report *r, const AmphiSystem *s, bool from_above, AmphiError *err)
{
    const bool without_solvent = from_above && has_lipids(s);
    char       path[AMPHI_PATH_SIZE];

    AMPHI_TRY(tool_join(r->figures, from_above ? "above.png" : "side.png", path, err));
    AMPHI_TRY(draw(s, from_above, without_solvent, path, err));
    if (!tool_page_png(&r->page, path,
                       from_above ? "the system from above" : "the system from the side",
                       !from_above       ? "From the side: x to the right, z up."
                       : without_solvent ? "From above, without the solvent: x to the right, y up."
                                         : "From above: x to the right, y up."))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: not a picture", path);
    return AMPHI_OK;
}

static AmphiStatus show_all(Report *r, AmphiArena *arena, AmphiError *err)
{
    char        step[TOOL_NUMBER_SIZE], time[TOOL_NUMBER_SIZE];
    ToolMoment  moment;
    AmphiStatus status;

    AMPHI_TRY(tool_draw_last(&r->job->system, r->dir, arena, &moment, err));
    tool_page_pair_begin(&r->page);
    status = show_one(r, &moment.system, false, err);
    if (status == AMPHI_OK)
        status = show_one(r, &moment.system, true, err);
    tool_page_pair_end(&r->page);
    if (status != AMPHI_OK)
        return status;
    show_colours(r, &moment.system);
    tool_page_remark(
        &r->page,
        "Step %s, %s ps: the last checkpoint. Molecules are whole%s; beads are as large "
        "as their contact distance.",
        tool_number_whole(moment.step, step), tool_number_short(moment.time_ps, 7, time),
        has_lipids(&moment.system) ? ", the lipids in the middle" : "");
    return AMPHI_OK;
}

void report_snapshot(Report *r)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiError        err   = { .status = AMPHI_OK };

    if (r->job == NULL || r->figures[0] == '\0')
        tool_page_remark(&r->page, "No snapshot: the system could not be read again.");
    else if (r->job->system.n_beads > MOST_BEADS)
        tool_page_remark(&r->page, "No snapshot: more than %d beads.", MOST_BEADS);
    else if (arena == NULL || show_all(r, arena, &err) != AMPHI_OK)
        tool_page_remark(&r->page, "No snapshot: %s.",
                         err.text[0] != '\0' ? err.text : "no memory");
    amphi_arena_free(arena);
}
