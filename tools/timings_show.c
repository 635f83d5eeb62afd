/* Parts of a step, the longest first. */
#include "timings_show.h"

#include <inttypes.h>

#include "json.h"

static double sum_of(const AmphiTimings *t)
{
    double us = 0;

    for (int32_t k = 0; k < t->n; k++)
        us += t->part[k].us;
    return us;
}

static void sort(AmphiTimings *t)
{
    for (int32_t k = 1; k < t->n; k++)
        for (int32_t m = k; m > 0 && t->part[m].us > t->part[m - 1].us; m--) {
            const AmphiTiming shorter = t->part[m - 1];

            t->part[m - 1] = t->part[m];
            t->part[m]     = shorter;
        }
}

static void print_part(FILE *out, const AmphiTiming *p, double sum_us)
{
    fprintf(out, "  %-36s %9.2f %6.1f %% %8.3g", p->name, p->us, 100 * p->us / sum_us, p->calls);
    if (p->occupancy > 0)
        fprintf(out, " %9.0f %%", 100 * p->occupancy);
    fputc('\n', out);
}

void tool_print_timings(FILE *out, const AmphiTimings *timings)
{
    AmphiTimings t        = *timings;
    const double sum_us   = sum_of(&t);
    bool         is_there = false;

    if (t.n == 0) {
        fprintf(out, "\n  no timings: the last stage moves nothing\n");
        return;
    }
    for (int32_t k = 0; k < t.n; k++)
        is_there |= t.part[k].occupancy > 0;
    sort(&t);
    fprintf(out, "\n  %-36s %9s %8s %8s%s\n", "a step", "us", "share", "calls",
            is_there ? "   occupancy" : "");
    for (int32_t k = 0; k < t.n; k++)
        print_part(out, &t.part[k], sum_us);
    fprintf(out, "  %-36s %9.2f          (%" PRId64 " steps, one part after another)\n", "sum",
            sum_us, t.n_steps);
    fprintf(out, "  %-36s %9.2f          (as a run takes it, without the clock)\n", "whole step",
            t.step_us);
    if (t.neighbours > 0)
        fprintf(out,
                "  %-36s %9.3g          a step, one in %.3g; %.0f neighbours a bead, room for %d\n",
                "builds of the list", t.builds, t.builds > 0 ? 1 / t.builds : 0.0, t.neighbours,
                (int)t.room);
}

void tool_show_timings(const ToolCall *call, const AmphiTimings *t)
{
    ToolJson json;

    if (!tool_has(call, "json")) {
        tool_print_timings(call->out, t);
        return;
    }
    for (int32_t k = 0; k < t->n; k++) {
        json = tool_json_begin(call->out, "timing");
        tool_json_text(&json, "part", t->part[k].name);
        tool_json_number(&json, "us_per_step", t->part[k].us);
        tool_json_number(&json, "calls_per_step", t->part[k].calls);
        tool_json_number(&json, "occupancy", t->part[k].occupancy);
        tool_json_end(&json);
    }
    json = tool_json_begin(call->out, "timings");
    tool_json_whole(&json, "steps", t->n_steps);
    tool_json_number(&json, "us_per_step", t->step_us);
    tool_json_number(&json, "builds_per_step", t->builds);
    tool_json_number(&json, "neighbours", t->neighbours);
    tool_json_whole(&json, "room", t->room);
    tool_json_end(&json);
}
