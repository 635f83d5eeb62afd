/* Runs the parts of a comparison in order. If one fails, the report has the results so far. */
#include "compare.h"

static AmphiStatus measure_forces(Compare *c, AmphiError *err)
{
    AmphiStatus status = compare_open(c, err);

    if (status == AMPHI_OK)
        status = compare_forces(c, err);
    compare_close(c);
    return status;
}

static AmphiStatus measure_nve(Compare *c, AmphiError *err)
{
    AmphiStatus status = compare_open(c, err);

    if (status == AMPHI_OK)
        status = compare_nve(c, err);
    compare_close(c);
    return status;
}

static AmphiStatus measure_nvt(Compare *c, AmphiError *err)
{
    AmphiStatus status = compare_open(c, err);

    if (status == AMPHI_OK)
        status = compare_nvt(c, err);
    if (status == AMPHI_OK && !compare_stops(c))
        status = compare_speed(c, err);
    compare_close(c);
    return status;
}

static AmphiStatus tell_end(Compare *c)
{
    AmphiStatus status = AMPHI_OK;

    for (int32_t k = 0; k < c->n_modes; k++) {
        c->report->about[k]   = c->mode[k].about[0] != '\0' ? c->mode[k].about : c->mode[k].name;
        c->report->is_lost[k] = c->mode[k].is_lost;
        if (!c->mode[k].is_lost)
            continue;
        compare_add_remark(c->report, "%s was lost: %s", c->mode[k].name, c->mode[k].why);
        status = AMPHI_NOT_HELD;
    }
    if (!compare_stops(c))
        return status;
    compare_add_remark(c->report, "stopped early on request: what follows is of what was done");
    return AMPHI_STOPPED;
}

AmphiStatus compare_all(Compare *c, AmphiError *err)
{
    static AmphiStatus (*const part[])(Compare *, AmphiError *) = { measure_forces, measure_nve,
                                                                    measure_nvt };

    AMPHI_TRY(compare_find_start(c, err));
    for (size_t k = 0; k < sizeof part / sizeof *part && !compare_stops(c); k++)
        AMPHI_TRY(part[k](c, err));
    return tell_end(c);
}
