/* Judges drifts of the conserved energy. */
#include "drift.h"

#include <math.h>
#include <string.h>

#include "../engine/run.h"

/* Bounds of validation/physics, for membranes at 5 fs. */
static double good_in(AmphiPrecision precision)
{
    return precision == AMPHI_SINGLE ? 4e-5 : 2e-6;
}

/* The second word of what a backend says about itself. */
static bool has_precision(const char *about, const char *precision)
{
    const size_t      n    = strlen(precision);
    const char *const word = strchr(about, ' ');

    return word != NULL && strncmp(word + 1, precision, n) == 0 &&
           strchr(" ,:", word[1 + n]) != NULL;
}

ToolDrift tool_drift(double drift, double error, double n, double bound, const char *about)
{
    ToolDrift d = { .drift     = drift,
                    .error     = error,
                    .bound     = bound > 0 ? bound : (double)NAN,
                    .good      = (double)NAN,
                    .precision = "",
                    .is_few    = n < AMPHI_DRIFT_SAMPLES };

    for (int p = 0; p < AMPHI_PRECISIONS; p++)
        if (has_precision(about, amphi_precision_name((AmphiPrecision)p))) {
            d.precision = amphi_precision_name((AmphiPrecision)p);
            d.good      = good_in((AmphiPrecision)p);
        }
    return d;
}

/* ---- on which side of the bounds ---- */

static bool is_known(const ToolDrift *d)
{
    return isfinite(d->drift) && isfinite(d->error);
}

/* The error of a few samples is two to three times too small: the walk of the energy is too slow
 * for their blocks. In SSD/RF water at 2 fs, double, 14 to 17 % of stretches with 20 to 100 samples
 * lie beyond three errors. */
static double range_of(const ToolDrift *d)
{
    return (d->is_few ? 8 : 2) * d->error;
}

static bool is_none(const ToolDrift *d)
{
    return fabs(d->drift) <= range_of(d);
}

/* As a run judges it; few samples aside. */
static bool is_beyond(const ToolDrift *d)
{
    return fabs(d->drift) > d->bound && !is_none(d);
}

static bool is_allowed(const ToolDrift *d)
{
    return fabs(d->drift) + range_of(d) <= d->bound;
}

static bool is_worse_than_good(const ToolDrift *d)
{
    return fabs(d->drift) - range_of(d) > d->good;
}

/* ---- what is told ---- */

ToolVerdict tool_drift_verdict(const ToolDrift *d)
{
    if (!is_known(d) || isinf(d->bound))
        return TOOL_PLAIN;
    if (is_beyond(d))
        return d->is_few ? TOOL_DOUBTFUL : TOOL_BAD;
    return is_allowed(d) && !is_worse_than_good(d) ? TOOL_GOOD : TOOL_PLAIN;
}

const char *tool_drift_words(const ToolDrift *d)
{
    if (!is_known(d))
        return "too short to tell";
    if (isinf(d->bound))
        return "not judged, for Langevin noise walks in it";
    if (is_beyond(d))
        return "more than allowed";
    if (is_none(d) && d->is_few)
        return is_allowed(d) ? "none within eight errors"
                             : "none within eight errors, too uncertain to judge";
    if (is_none(d))
        return is_allowed(d) ? "none within two errors"
                             : "none within two errors, too uncertain to judge";
    if (is_worse_than_good(d))
        return is_allowed(d) ? "more than is good, though allowed"
                             : "more than is good, perhaps more than allowed";
    if (!is_allowed(d))
        return "too uncertain to judge";
    if (!isfinite(d->good))
        return "within what is allowed";
    return d->is_few ? "good within eight errors" : "good within two errors";
}

bool tool_drift_means(const ToolDrift *d)
{
    return is_known(d) &&
           (!d->is_few || fabs(d->drift) > 3 * d->error || d->error <= 0.1 * d->bound);
}
