/* Membranes against what they should be, and starts that must not break. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* ---- 128 DOPC ---- */

#define SETTLED_PS 3000.
#define LONG_PS    90000. /* from here on 2 %, or 3 combined errors; before: 5 % and 3 errors */

static void judge_published(Tally *tally, const char *name, Figure here, Figure there, bool is_long)
{
    if (is_long)
        judge_near(tally, name, here, there, 0.02);
    else
        judge_alike(tally, name, here, there, 0.05);
}

/* ELBA toolkit, bilayer_128dopc4232wat, 1 ns at 303 K. Its area has blocks from 0.726 to 0.742
 * nm^2, but a membrane breathes more slowly than 1 ns: where our own means over as long scatter
 * more, that is the error of one such mean. Peaks of 0.1 nm slabs are good to 0.05 nm each. */
enum { PUBLISHED_PS = 1000, MOST_MEANS = 1000, LEAST_MEANS = 5 };
static const Figure area_there      = { 0.7308, 0.004 };
static const Figure volume_there    = { 1.3236, 0.0005 };
static const Figure head_head_there = { 3.20, 0.05 };

/* The bulk and the middle are 1/2 nm from the head groups at least. reach: of the fit, nm. */
static bool head_place(const Table *t, int side, double reach, double *place, double *height)
{
    int64_t       n;
    double *const z        = table_take(t, "z_nm", "z_nm", -1e9, &n);
    double *const e        = table_take(t, "electrons_nm3", "z_nm", -1e9, &n);
    const double  range[2] = { side > 0 ? 1.0 : -2.4, side > 0 ? 2.4 : -1.0 };
    const bool    is_there = figure_peak(z, e, n, range, 1, reach, place, height);

    free(z);
    free(e);
    return is_there;
}

static void judge_heads(Tally *tally, const char *folder, Figure thickness, bool is_long)
{
    Table *const t = open_run(tally, "DOPC, electron density", folder, "profile.tsv");
    double       up, down, high[2];

    if (t == NULL)
        return;
    if (!head_place(t, 1, 0.2, &up, &high[0]) || !head_place(t, -1, 0.2, &down, &high[1])) {
        judge_that(tally, "DOPC, electron density", false, "no peaks of the head groups");
    } else {
        /* Both faces are one membrane: half of their difference is the error of one, beside that of
         * the distance between the phosphates. */
        const double apart = hypot(fabs(up + down) / 2, thickness.error);

        judge_published(tally, "DOPC, head-to-head distance nm", (Figure){ up - down, apart },
                        head_head_there, is_long);
        judge_note(tally, "DOPC, electrons/nm^3 at the heads",
                   (Figure){ (high[0] + high[1]) / 2, fabs(high[0] - high[1]) / 2 });
    }
    table_free(t);
}

/* Electrons of the middle and of the water farthest from it. */
static void judge_middle(Tally *tally, const char *folder)
{
    Table *const  t = table_read(path_in(folder, "profile.tsv"));
    int64_t       n;
    double *const z      = table_take(t, "z_nm", "z_nm", -1e9, &n);
    double *const e      = table_take(t, "electrons_nm3", "z_nm", -1e9, &n);
    double        middle = 0, bulk = 0, farthest = 0;
    int32_t       n_middle = 0, n_bulk = 0;

    for (int64_t k = 0; k < n; k++)
        farthest = fmax(farthest, z[k]);
    for (int64_t k = 0; k < n; k++)
        if (fabs(z[k]) < 0.2) {
            middle += e[k];
            n_middle++;
        } else if (fabs(z[k]) > farthest - 0.7 && fabs(z[k]) < farthest - 0.2) {
            bulk += e[k];
            n_bulk++;
        }
    middle /= n_middle;
    bulk /= n_bulk;
    if (n > 0)
        judge_note(tally, "DOPC, electrons/nm^3 of bulk water", (Figure){ bulk, 0 });
    if (n > 0)
        judge_within(tally, "DOPC, electrons of the middle over bulk water",
                     (Figure){ middle / bulk, 0 }, 0.75, 0.9);
    free(z);
    free(e);
    table_free(t);
}

/* Whole: the leaflets never come near each other, and the middle stays thin: 0.278 over 0.3335 in
 * the toolkit's profile, where water or heads would have 1 and more. */
static void judge_whole(Tally *tally, const char *folder, const Table *thickness)
{
    int64_t       n;
    double *const d     = table_take(thickness, "thickness_nm", "time_ps", SETTLED_PS, &n);
    double        least = (double)INFINITY;

    for (int64_t k = 0; k < n; k++)
        least = fmin(least, d[k]);
    judge_within(tally, "DOPC, least thickness of a frame, nm", (Figure){ least, 0 }, 2.8, 4);
    free(d);
    judge_middle(tally, folder);
}

/* The published mean with the error of one mean over as long: the scatter of ours, if that is
 * larger. */
static Figure as_published(const Table *t, const char *column, Figure there)
{
    double        sum[MOST_MEANS] = { 0 }, mean = 0, squares = 0;
    int32_t       count[MOST_MEANS] = { 0 }, n_means = 0;
    int64_t       n;
    double *const x  = table_take(t, column, "time_ps", SETTLED_PS, &n);
    double *const at = table_take(t, "time_ps", "time_ps", SETTLED_PS, &n);

    for (int64_t i = 0; i < n; i++) {
        const int64_t k = (int64_t)((at[i] - SETTLED_PS) / PUBLISHED_PS);

        if (k >= 0 && k < MOST_MEANS) {
            sum[k] += x[i];
            count[k]++;
        }
    }
    free(x);
    free(at);
    for (int32_t k = 0; k < MOST_MEANS && count[k] * 2 > count[0];
         k++) { /* the last may be short */
        mean += sum[k] / count[k];
        squares += sum[k] / count[k] * (sum[k] / count[k]);
        n_means++;
    }
    if (n_means < LEAST_MEANS)
        return there;
    mean /= n_means;
    there.error = fmax(there.error, sqrt(fmax(0, squares - n_means * mean * mean) / (n_means - 1)));
    return there;
}

static double last_of(const Table *t, const char *column)
{
    int64_t       n;
    double *const x    = table_take(t, column, column, 0, &n);
    const double  last = n > 0 ? x[n - 1] : 0;

    free(x);
    return last;
}

void judge_dopc(Tally *tally, const char *folder)
{
    char in[4096];

    snprintf(in, sizeof in, "%s/dopc.run", folder);
    Table *const area  = open_run(tally, "DOPC", in, "area.tsv");
    Table *const apart = table_read(path_in(in, "thickness.tsv"));

    if (area != NULL) {
        const Figure thickness = mean_of(apart, "thickness_nm", "time_ps", SETTLED_PS);
        const bool   is_long   = last_of(area, "time_ps") >= LONG_PS;

        judge_length(tally, "DOPC", area, "time_ps", SETTLED_PS, 6990);
        judge_published(tally, "DOPC, area per lipid nm^2",
                        mean_of(area, "area_per_lipid_nm2", "time_ps", SETTLED_PS),
                        as_published(area, "area_per_lipid_nm2", area_there), is_long);
        judge_published(tally, "DOPC, volume per lipid nm^3",
                        mean_of(area, "volume_per_lipid_nm3", "time_ps", SETTLED_PS),
                        as_published(area, "volume_per_lipid_nm3", volume_there), is_long);
        judge_note(tally, "DOPC, phosphate to phosphate nm", thickness);
        judge_heads(tally, in, thickness, is_long);
        judge_whole(tally, in, apart);
    }
    table_free(area);
    table_free(apart);
}

/* ---- 128 DMPC of B08o ---- */

#define B08O_SETTLED_PS 5000.

enum { BONDS = 8 };

/* P2 along each tail of order.tsv, from the head on: `order` has [tail][bond]. */
static int32_t read_order(const char *path, double order[2][BONDS])
{
    FILE *const file = fopen(path, "r");
    int32_t     n[2] = { 0, 0 };
    char        line[256], tail[2];
    double      p2;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "DMPC %1[AB] %*s %lf", tail, &p2) == 2 && n[tail[0] - 'A'] < BONDS)
            order[tail[0] - 'A'][n[tail[0] - 'A']++] = p2;
    if (file != NULL)
        fclose(file);
    return n[0] == n[1] ? n[0] : 0;
}

/* The last bond of a tail is less aligned than the first, and each at most 0.05 more than the one
 * before. */
static void judge_order(Tally *tally, const char *path)
{
    double        p2[2][BONDS];
    const int32_t n     = read_order(path, p2);
    bool          falls = n > 1;
    char          text[96];

    if (n < 2) {
        judge_skip(tally, "B08o, order of the tails", path);
        return;
    }
    for (int t = 0; t < 2; t++)
        for (int32_t k = 1; k < n; k++)
            falls = falls && p2[t][k] < p2[t][k - 1] + 0.05 && p2[t][n - 1] < p2[t][0];
    snprintf(text, sizeof text, "first and last bond %.3f %.3f, %.3f %.3f", p2[0][0], p2[0][n - 1],
             p2[1][0], p2[1][n - 1]);
    judge_that(tally, "B08o, P2 of the tails falls toward the centre", falls, text);
}

/* Both faces have a peak of electrons, higher than what lies outside of it. Esters and phosphates
 * of this model have a hump each, 0.4 nm apart: the fit is over both. */
#define BAND_NM 0.5

static void judge_peaks(Tally *tally, const char *folder)
{
    Table *const t  = open_run(tally, "B08o, electron density", folder, "profile.tsv");
    double       up = 0, down = 0, high[2] = { 0, 0 };
    char         text[96];

    if (t == NULL)
        return;
    const bool is_there =
        head_place(t, 1, BAND_NM, &up, &high[0]) && head_place(t, -1, BAND_NM, &down, &high[1]);
    snprintf(text, sizeof text, "%.3f nm apart, %.0f and %.0f electrons/nm^3", up - down, high[0],
             high[1]);
    judge_that(tally, "B08o, peaks of the head groups", is_there && fmin(high[0], high[1]) > 350,
               is_there ? text : "none");
    table_free(t);
}

/* Areas between 0.58 and 0.68 nm^2 and volumes between 1.05 and 1.20 nm^3 are what the model asks
 * of itself (experiment: 0.606 and 1.101); water has 334 electrons in a nm^3. */
void judge_b08o(Tally *tally, const char *folder)
{
    char in[4096];

    snprintf(in, sizeof in, "%s/b08o.run", folder);
    Table *const area  = open_run(tally, "B08o", in, "area.tsv");
    Table *const apart = open_run(tally, "B08o, thickness", in, "thickness.tsv");

    if (area != NULL && apart != NULL) {
        int64_t       n;
        double *const d     = table_take(apart, "thickness_nm", "time_ps", B08O_SETTLED_PS, &n);
        double        least = (double)INFINITY;

        for (int64_t k = 0; k < n; k++)
            least = fmin(least, d[k]);
        free(d);
        judge_length(tally, "B08o", area, "time_ps", B08O_SETTLED_PS, 44990);
        judge_within(tally, "B08o, area per lipid nm^2",
                     mean_of(area, "area_per_lipid_nm2", "time_ps", B08O_SETTLED_PS), 0.58, 0.68);
        judge_within(tally, "B08o, volume per lipid nm^3",
                     mean_of(area, "volume_per_lipid_nm3", "time_ps", B08O_SETTLED_PS), 1.05, 1.20);
        judge_note(tally, "B08o, phosphate to phosphate nm",
                   mean_of(apart, "thickness_nm", "time_ps", B08O_SETTLED_PS));
        judge_within(tally, "B08o, least thickness of a frame, nm", (Figure){ least, 0 }, 2.6, 4.4);
        judge_peaks(tally, in);
        judge_order(tally, path_in(in, "order.tsv"));
    }
    table_free(area);
    table_free(apart);
}

/* ---- starts ---- */

enum { SEEDS = 20, SYSTEMS = 32, NAME = 48 };

#define MOST_FORCE 5000. /* kJ/mol/nm */

typedef struct {
    char    name[NAME];
    int32_t n_tried, n_broken;
    double  worst, sum; /* of the largest forces */
} Start;

static Start *find_start(Start *start, const char *name)
{
    for (int32_t k = 0; k < SYSTEMS; k++) {
        if (start[k].name[0] == '\0')
            snprintf(start[k].name, sizeof start[k].name, "%s", name);
        if (strcmp(start[k].name, name) == 0)
            return &start[k];
    }
    return NULL;
}

/* system seed status force status temperature; a broken one has a force of nan or status above
 * 0. */
static void take_start(Start *start, const char *line)
{
    char   name[NAME], minimised[16], force[32], warmed[16];
    double heat = 0;
    int    seed = 0;

    if (sscanf(line, "%47s %d %15s %31s %15s %lf", name, &seed, minimised, force, warmed, &heat) <
        5)
        return;
    Start *const s = find_start(start, name);
    const double f = strtod(force, NULL);

    if (s == NULL)
        return;
    s->n_tried++;
    if (strcmp(minimised, "0") != 0 || strcmp(warmed, "0") != 0 || !isfinite(f) || !(heat > 0))
        s->n_broken++;
    else {
        s->worst = fmax(s->worst, f);
        s->sum += f;
    }
}

void judge_starts(Tally *tally, const char *folder)
{
    FILE *const file           = fopen(path_in(folder, "starts.tsv"), "r");
    Start       start[SYSTEMS] = { { .n_tried = 0 } };
    char        line[512], text[96];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        take_start(start, line);
    if (file != NULL)
        fclose(file);
    if (start[0].n_tried == 0)
        judge_skip(tally, "starts", path_in(folder, "starts.tsv"));
    for (int32_t k = 0; k < SYSTEMS && start[k].n_tried > 0; k++) {
        const Start *const s = &start[k];

        snprintf(text, sizeof text, "%d of %d seeds, %d broken", (int)s->n_tried, SEEDS,
                 (int)s->n_broken);
        judge_that(tally, called(s->name, "starts through"),
                   s->n_tried >= SEEDS && s->n_broken == 0, text);
        judge_within(tally, called(s->name, "largest force after minimisation kJ/mol/nm"),
                     (Figure){ s->n_broken < s->n_tried ? s->worst : (double)NAN, 0 }, 0,
                     MOST_FORCE);
    }
}
