/* What a drift of the conserved energy is worth: the same for the terminal, status.json and the
 * report. All in kT/ns for each degree of freedom.
 */
#ifndef AMPHI_TOOLS_DRIFT_H
#define AMPHI_TOOLS_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "html.h"

typedef struct {
    double      drift, error; /* not finite: not known */
    double      bound;        /* what the watch allows; NaN: not known; infinite: not judged */
    double      good;         /* in this precision; NaN: not known */
    const char *precision;    /* "single"; "": not known */
    bool        is_few;       /* so few samples that no run is stopped by it */
} ToolDrift;

/* about: what computes, "cpu single v4, ..."; n: samples, or a number that is not finite for
 * enough. */
ToolDrift tool_drift(double drift, double error, double n, double bound, const char *about);
/* With two errors on either side of each bound, eight where samples are few. TOOL_GOOD: allowed,
 * and as good as it should be. TOOL_BAD: more than allowed; TOOL_DOUBTFUL: that, but from few
 * samples. */
ToolVerdict tool_drift_verdict(const ToolDrift *drift);
/* The same in words: "more than is good, though allowed". */
const char *tool_drift_words(const ToolDrift *drift);
/* Does it mean something already: from enough samples, or beyond three errors, or with an error of
 * at most a tenth of the bound? */
bool tool_drift_means(const ToolDrift *drift);

#endif
