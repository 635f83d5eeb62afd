/* diffusion.tsv: mean-square displacement of molecules, and the diffusion coefficient from its
 * slope.
 *
 * Paths are sums of nearest-image displacements from frame to frame, which are right in a box of
 * changing size too. From every displacement the drift of the molecule's crowd is subtracted: that
 * of the centre of mass of its leaflet for a lipid, whose leaflet as a whole slides on the other,
 * and that of the whole system otherwise. The crowd counts with all of its beads, whichever the
 * group has: the drift of n molecules of a group alone would take 1/n of their D. Level l measures
 * paths in consecutive windows of 16 * 2^l frames, at 16 times in each; windows of a level do not
 * overlap and are treated as independent samples. Lags are multiples of one spacing of frames: with
 * another spacing all begins anew, so that the table is of the later part of a run.
 *
 * A box that breathes moves what is in it. In a cube of edge L this adds L^2 var(ln L)/2 at most,
 * however long the lag, and nothing to D: with 500 ELBA waters at 1 bar 0.2 % to the displacements
 * of 0.2 ps, 0.1 % to those of 3 ps and 0.01 % to those of 25 ps. Paths of fractions of the box
 * are without it. One program and another differ by more if one takes an origin in each frame: by
 * up to 0.8 % in this run of 400 ps, which is noise.
 */
#include <math.h>
#include <string.h>

#include "build_space.h"
#include "leaflets.h"
#include "observing.h"
#include "on_disk.h"

enum { LEVELS = 12, LAGS = 16, FIRST_FITTED = 4, LEAST_WINDOWS = 8 };

enum { SYSTEM, LOWER, UPPER, CROWDS };

/* Sums over the windows of one level. */
typedef struct {
    int64_t windows; /* complete */
    int64_t n[LAGS];
    double  sum[LAGS], squares[LAGS]; /* of the mean-square displacement, nm^2 */
    double  here[LAGS];               /* of the present window */
    double  slopes, slope_squares;    /* nm^2/ps, of complete windows */
} Level;

AMPHI_ON_DISK_AT(Level, n, 8);
AMPHI_ON_DISK_AT(Level, sum, 136);
AMPHI_ON_DISK_AT(Level, squares, 264);
AMPHI_ON_DISK_AT(Level, here, 392);
AMPHI_ON_DISK_AT(Level, slopes, 520);
AMPHI_ON_DISK(Level, 536);

typedef struct {
    double  last_time_ps, spacing_ps; /* spacing 0: not known yet */
    int64_t frames;                   /* of this spacing */
    /* Since when frames have this spacing, if they had another before. Older checkpoints have a
     * small integer here, whose bits are those of a subnormal number. */
    double  anew_ps;
    int64_t in_row; /* frames since the origins of all levels */
} Course;

AMPHI_ON_DISK_AT(Course, spacing_ps, 8);
AMPHI_ON_DISK_AT(Course, frames, 16);
AMPHI_ON_DISK_AT(Course, anew_ps, 24);
AMPHI_ON_DISK_AT(Course, in_row, 32);
AMPHI_ON_DISK(Course, 40);

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    bool          is_group;        /* else all beads */
    int32_t       n_movers;        /* what a molecule has in the group */
    int32_t      *mover_of;        /* [system->n_beads] -1: not in the group */
    int32_t      *molecule;        /* [n_movers] */
    double       *mass;            /* [n_movers] */
    double (*last)[3];             /* [system->n_beads] positions of the frame before */
    double (*path)[3], (*step)[3]; /* [n_movers] */
    double (*origin)[3];           /* [LEVELS][n_movers] */
    int32_t *crowd;                /* [system->n_molecules] */
    int32_t  n_in[CROWDS];         /* molecules */
    double   mass_in[CROWDS], drift[CROWDS][3]; /* u; nm in the last step */
    Level   *level;                             /* [LEVELS] */
    Course  *course;
    int64_t  n_steps, n_far; /* of molecules, since opened; how many were far */
};

static void add_bead(AmphiObserver *o, int32_t i)
{
    const AmphiSystem *const s = o->on.place.system;
    const int32_t            m = s->bead_molecule[i];

    if (o->n_movers == 0 || o->molecule[o->n_movers - 1] != m)
        o->molecule[o->n_movers++] = m;
    o->mover_of[i] = o->n_movers - 1;
    o->mass[o->n_movers - 1] += s->type[s->bead_type[i]].mass_u;
}

/* Beads of a molecule follow each other, so a mover is a run of beads. */
static void find_movers(AmphiObserver *o)
{
    const AmphiSystem *const s     = o->on.place.system;
    const int32_t            group = o->on.plan.group;

    o->is_group = group >= 0 && group < s->n_groups;
    for (int32_t i = 0; i < s->n_beads; i++)
        o->mover_of[i] = -1;
    for (int32_t i = 0; !o->is_group && i < s->n_beads; i++)
        add_bead(o, i);
    for (int32_t k = 0; o->is_group && k < s->group[group].n_beads; k++)
        add_bead(o, s->group[group].bead[k]);
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s = o->on.place.system;

    o->mover_of = AMPHI_TAKE(o->on.arena, int32_t, s->n_beads);
    o->molecule = AMPHI_TAKE(o->on.arena, int32_t, s->n_beads);
    o->mass     = AMPHI_TAKE(o->on.arena, double, s->n_beads);
    o->last     = amphi_arena_take(o->on.arena, s->n_beads, sizeof *o->last);
    if (!amphi_arena_failed(o->on.arena))
        find_movers(o);
    o->path   = amphi_arena_take(o->on.arena, o->n_movers, sizeof *o->path);
    o->step   = amphi_arena_take(o->on.arena, o->n_movers, sizeof *o->step);
    o->crowd  = AMPHI_TAKE(o->on.arena, int32_t, s->n_molecules);
    o->origin = amphi_arena_take(o->on.arena, (int64_t)LEVELS * o->n_movers, sizeof *o->origin);
    o->level  = AMPHI_TAKE(o->on.arena, Level, LEVELS);
    o->course = AMPHI_TAKE(o->on.arena, Course, 1);
    if (amphi_arena_failed(o->on.arena) || !amphi_leaflets_init(&o->leaflets, s, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "diffusion.tsv: no memory for %d molecules",
                          o->n_movers);
    return AMPHI_OK;
}

/* ---- paths ---- */

/* The molecules that each crowd has, and their mass: the system has those of the leaflets too. */
static void find_crowds(AmphiObserver *o, const AmphiFrame *f)
{
    const AmphiSystem *const s = o->on.place.system;
    AmphiLeaflets *const     l = &o->leaflets;

    amphi_leaflets_find(l, f);
    memset(o->n_in, 0, sizeof o->n_in);
    memset(o->mass_in, 0, sizeof o->mass_in);
    for (int32_t m = 0; m < s->n_molecules; m++)
        o->crowd[m] = SYSTEM;
    for (int32_t k = 0; k < l->n_lipids; k++) {
        o->crowd[l->lipid[k]] = l->side[k] > 0 ? UPPER : LOWER;
        o->n_in[o->crowd[l->lipid[k]]]++;
    }
    o->n_in[SYSTEM] = s->n_molecules;
    for (int32_t i = 0; i < s->n_beads; i++) {
        const double  mass = s->type[s->bead_type[i]].mass_u;
        const int32_t c    = o->crowd[s->bead_molecule[i]];

        o->mass_in[SYSTEM] += mass;
        o->mass_in[c] += c != SYSTEM ? mass : 0;
    }
}

/* Steps of the centres of mass, of what moves and of the crowds; the positions become the last
 * ones. */
static void find_steps(AmphiObserver *o, const AmphiFrame *f)
{
    const AmphiSystem *const s = o->on.place.system;

    memset(o->step, 0, (size_t)o->n_movers * sizeof *o->step);
    memset(o->drift, 0, sizeof o->drift);
    for (int32_t i = 0; i < s->n_beads; i++) {
        const int32_t m = o->mover_of[i], c = o->crowd[s->bead_molecule[i]];
        const double  mass = s->type[s->bead_type[i]].mass_u;
        double        d[3];

        amphi_nearest_image(f->position_nm[i], o->last[i], f->box_nm, d);
        for (int a = 0; a < 3; a++) {
            o->drift[SYSTEM][a] += mass / o->mass_in[SYSTEM] * d[a];
            o->drift[c][a] += c != SYSTEM ? mass / o->mass_in[c] * d[a] : 0;
            if (m >= 0)
                o->step[m][a] += mass / o->mass[m] * d[a];
        }
        memcpy(o->last[i], f->position_nm[i], sizeof o->last[i]);
    }
}

/* A molecule that moves by more than half the box between two frames is taken to have moved less,
 * the other way round. Where steps beyond a quarter are seen, there may be such. */
static void look_for_far(AmphiObserver *o, const AmphiFrame *f)
{
    const double far = 0.25;

    o->n_steps += o->n_movers;
    for (int32_t m = 0; m < o->n_movers; m++) {
        bool is_far = false;

        for (int a = 0; a < (o->on.plan.in_plane ? 2 : 3); a++)
            is_far = is_far || fabs(o->step[m][a]) > far * f->box_nm[a];
        o->n_far += is_far;
    }
    if (o->n_far > 0)
        snprintf(o->on.remark, sizeof o->on.remark,
                 "diffusion.tsv: %lld of %lld steps of molecules from frame to frame are longer "
                 "than a quarter of the box; others may have been longer than half of it, so that "
                 "D is too small: it takes frames that follow each other sooner",
                 (long long)o->n_far, (long long)o->n_steps);
}

/* A lipid that is alone in its leaflet moves against the system; a molecule that is alone in the
 * system keeps its displacement, which is all of the drift. */
static void take_steps(AmphiObserver *o)
{
    static const double none[3] = { 0, 0, 0 };

    for (int32_t m = 0; m < o->n_movers; m++) {
        const int32_t       own   = o->crowd[o->molecule[m]];
        const int32_t       c     = o->n_in[own] > 1 ? own : SYSTEM;
        const double *const drift = o->n_in[c] > 1 ? o->drift[c] : none;

        for (int a = 0; a < 3; a++)
            o->path[m][a] += o->step[m][a] - drift[a];
    }
}

/* ---- windows ---- */

static double displacement(const AmphiObserver *o, int l)
{
    const double(*const origin)[3] = (const double(*)[3])(o->origin + (int64_t)l * o->n_movers);
    double sum                     = 0;

    for (int32_t m = 0; m < o->n_movers; m++)
        for (int a = 0; a < (o->on.plan.in_plane ? 2 : 3); a++) {
            const double d = o->path[m][a] - origin[m][a];
            sum += d * d;
        }
    return sum / o->n_movers;
}

/* Slope of the straight line through the later lags of the window, which is complete. */
static double slope_of(const Level *level, double lag_ps)
{
    const int n = LAGS - FIRST_FITTED + 1;
    double    t = 0, y = 0, tt = 0, ty = 0;

    for (int j = FIRST_FITTED; j <= LAGS; j++) {
        t += j * lag_ps / n;
        y += level->here[j - 1] / n;
    }
    for (int j = FIRST_FITTED; j <= LAGS; j++) {
        tt += (j * lag_ps - t) * (j * lag_ps - t);
        ty += (j * lag_ps - t) * (level->here[j - 1] - y);
    }
    return ty / tt;
}

static void begin_window(AmphiObserver *o, int l)
{
    memcpy(o->origin + (int64_t)l * o->n_movers, o->path, (size_t)o->n_movers * sizeof *o->path);
}

static void look(AmphiObserver *o, int l)
{
    Level *const  level = &o->level[l];
    const int64_t steps = o->course->in_row >> l; /* of this level's lag */

    if ((steps << l) != o->course->in_row)
        return;
    const int    j = (int)((steps - 1) % LAGS);
    const double d = displacement(o, l);
    level->here[j] = d;
    level->n[j]++;
    level->sum[j] += d;
    level->squares[j] += d * d;
    if (j + 1 < LAGS)
        return;
    const double slope = slope_of(level, o->course->spacing_ps * (double)((int64_t)1 << l));
    level->windows++;
    level->slopes += slope;
    level->slope_squares += slope * slope;
    begin_window(o, l);
}

static void restart(AmphiObserver *o, const AmphiFrame *f)
{
    memcpy(o->last, f->position_nm, (size_t)o->on.place.system->n_beads * sizeof *o->last);
    memset(o->path, 0, (size_t)o->n_movers * sizeof *o->path);
    for (int l = 0; l < LEVELS; l++)
        begin_window(o, l);
    o->course->in_row       = 0;
    o->course->last_time_ps = f->time_ps;
}

static bool is_spacing(double found_ps, double spacing_ps)
{
    return fabs(found_ps - spacing_ps) <= 1e-6 * spacing_ps;
}

/* What was measured goes; the frame before is the first of another spacing. */
static void begin_anew(AmphiObserver *o, double spacing_ps)
{
    Course *const c = o->course;

    memset(o->level, 0, LEVELS * sizeof *o->level);
    memset(o->path, 0, (size_t)o->n_movers * sizeof *o->path);
    for (int l = 0; l < LEVELS; l++)
        begin_window(o, l);
    *c = (Course){ .last_time_ps = c->last_time_ps,
                   .spacing_ps   = spacing_ps,
                   .frames       = 1,
                   .anew_ps      = c->last_time_ps };
}

/* Where a frame comes otherwise than the one before, as at the seam of two stages, all windows
 * begin anew; where it comes as the plan has it for its stage, so does the whole measurement. */
static AmphiStatus see_diffusion(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    Course *const c         = o->course;
    const double planned_ps = (double)amphi_observer_every(&o->on.plan, f->stage) * f->stage->dt_ps;
    const double found_ps   = f->time_ps - c->last_time_ps;

    (void)err;
    find_crowds(o, f);
    if (c->frames == 0) {
        c->spacing_ps = planned_ps;
        c->frames     = 1;
        restart(o, f);
        return AMPHI_OK;
    }
    if (!is_spacing(found_ps, c->spacing_ps) && is_spacing(found_ps, planned_ps))
        begin_anew(o, planned_ps);
    c->frames++;
    if (!is_spacing(found_ps, c->spacing_ps)) {
        restart(o, f);
        return AMPHI_OK;
    }
    c->in_row++;
    c->last_time_ps = f->time_ps;
    find_steps(o, f);
    look_for_far(o, f);
    take_steps(o);
    for (int l = 0; l < LEVELS; l++)
        look(o, l);
    return AMPHI_OK;
}

/* ---- the table ---- */

static double error_of(double sum, double squares, int64_t n)
{
    const double mean = sum / (double)n;
    const double rest = squares / (double)n - mean * mean;

    return n < 2 ? (double)NAN : sqrt((rest > 0 ? rest : 0) / (double)(n - 1));
}

/* The highest level with enough windows for a standard error; -1: none. */
static int best_level(const AmphiObserver *o)
{
    int best = -1;

    for (int l = 0; l < LEVELS; l++)
        if (o->level[l].windows >= LEAST_WINDOWS || (l == 0 && o->level[l].windows > 0))
            best = l;
    return best;
}

/* Of the power law through the lags that D is from: 1 where molecules diffuse, below it while they
 * are still in the cages of their neighbours, 2 where they fly. */
static double exponent_of(const AmphiObserver *o)
{
    const int          n     = LAGS - FIRST_FITTED + 1;
    const Level *const level = &o->level[best_level(o)];
    double             t = 0, y = 0, tt = 0, ty = 0;

    for (int j = FIRST_FITTED; j <= LAGS; j++) {
        t += log(j) / n;
        y += log(level->sum[j - 1] / (double)level->n[j - 1]) / n;
    }
    for (int j = FIRST_FITTED; j <= LAGS; j++) {
        tt += (log(j) - t) * (log(j) - t);
        ty += (log(j) - t) * (log(level->sum[j - 1] / (double)level->n[j - 1]) - y);
    }
    return ty / tt;
}

/* Diffusive are exponents within a fifth of 1: those of a few windows scatter by a tenth. */
static void print_exponent(AmphiObserver *o, AmphiSink *sink)
{
    const double exponent = exponent_of(o);

    if (!isfinite(exponent))
        return;
    amphi_sink_print(sink,
                     "# exponent: %.3g: the msd goes as lag^%.3g at these lags; where it is "
                     "diffusion as lag^1\n",
                     exponent, exponent);
    if (fabs(exponent - 1) > 0.2 && o->n_far == 0)
        snprintf(o->on.remark, sizeof o->on.remark,
                 "diffusion.tsv: the msd goes as lag^%.2f where D is taken from: no diffusion yet, "
                 "and longer lags have a %s D",
                 exponent, exponent < 1 ? "smaller" : "larger");
}

/* D = slope / (2 d); 1 nm^2/ps is 0.01 cm^2/s. */
static void print_coefficient(AmphiObserver *o, AmphiSink *sink)
{
    const int l = best_level(o);

    if (l < 0) {
        amphi_sink_print(sink, "# D: not known: fewer than %d frames in a row\n", LAGS + 1);
        return;
    }
    const Level *const level = &o->level[l];
    const double       per   = 1 / (o->on.plan.in_plane ? 4.0 : 6.0);
    const double       mean  = per * level->slopes / (double)level->windows;
    const double       error = per * error_of(level->slopes, level->slope_squares, level->windows);
    const double       lag   = o->course->spacing_ps * (double)((int64_t)1 << l);

    if (level->windows > 1)
        amphi_sink_print(sink, "# D_nm2_ps: %.8g +- %.3g\n# D_1e-5_cm2_s: %.8g +- %.3g\n", mean,
                         error, 1000 * mean, 1000 * error);
    else
        amphi_sink_print(sink,
                         "# D_nm2_ps: %.8g\n# D_1e-5_cm2_s: %.8g\n"
                         "# error of D: not known from one window: it takes %d frames in a row, or "
                         "%d and more to be trusted\n",
                         mean, 1000 * mean, 2 * LAGS + 1, LEAST_WINDOWS * LAGS + 1);
    amphi_sink_print(sink, "# from straight lines at lags of %.6g to %.6g ps in %lld window%s\n",
                     FIRST_FITTED * lag, LAGS * lag, (long long)level->windows,
                     level->windows > 1 ? "s" : "");
    print_exponent(o, sink);
}

/* Each lag is taken from the lowest level that has it, which has the most samples. */
static void print_lags(const AmphiObserver *o, AmphiSink *sink)
{
    for (int l = 0; l < LEVELS; l++)
        for (int j = l == 0 ? 0 : LAGS / 2; j < LAGS; j++) {
            const Level *const level = &o->level[l];
            const int64_t      n     = level->n[j];

            if (n > 0)
                amphi_sink_print(sink, "%.10g\t%.10g\t%.3g\t%lld\n",
                                 o->course->spacing_ps * (j + 1) * (double)((int64_t)1 << l),
                                 level->sum[j] / (double)n,
                                 error_of(level->sum[j], level->squares[j], n), (long long)n);
        }
}

static AmphiStatus flush_diffusion(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s = o->on.place.system;
    AmphiTable               t;

    if (o->course->frames < 2)
        return amphi_table_drop(&o->on.place, "diffusion.tsv", err);
    amphi_table_begin(&t, &o->on.place, "diffusion.tsv",
                      "mean-square displacement of centres of mass, nm^2, less the drift of the "
                      "leaflet or, of no lipid, of the system");
    amphi_sink_print(&t.sink, "# group: %s\n# molecules: %d\n# plane: %s\n# frames: %lld\n",
                     o->is_group ? s->group[o->on.plan.group].name : "all", (int)o->n_movers,
                     o->on.plan.in_plane ? "xy" : "xyz", (long long)o->course->frames);
    if (isnormal(o->course->anew_ps))
        amphi_sink_print(&t.sink,
                         "# began anew at %.9g ps: frames come every %.6g ps since then, and came "
                         "otherwise before, which is left out\n",
                         o->course->anew_ps, o->course->spacing_ps);
    print_coefficient(o, &t.sink);
    amphi_sink_print(&t.sink, "# error: standard error from the windows; nan: of one window\n");
    amphi_sink_print(&t.sink, "lag_ps\tmsd_nm2\terror\twindows\n");
    print_lags(o, &t.sink);
    return amphi_sink_close(&t.sink, err);
}

/* ---- checkpoints ---- */

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    const size_t vectors = (size_t)o->n_movers * sizeof(double[3]);

    part[0] = (AmphiPart){ o->course, sizeof *o->course };
    part[1] = (AmphiPart){ o->level, LEVELS * sizeof *o->level };
    part[2] = (AmphiPart){ o->last, (size_t)o->on.place.system->n_beads * sizeof *o->last };
    part[3] = (AmphiPart){ o->path, vectors };
    part[4] = (AmphiPart){ o->origin, LEVELS * vectors };
    part[5] = amphi_leaflets_part(&o->leaflets);
    return 6;
}

const AmphiObserverKind amphi_obs_diffusion = {
    .name    = "diffusion",
    .file    = "diffusion.tsv",
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_POSITIONS,
    .prepare = prepare,
    .see     = see_diffusion,
    .flush   = flush_diffusion,
    .parts   = parts_of,
};
