/* Reads means from the tables of a run, and prints them with published values. */
#include "run_means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/blocks.h"
#include "../engine/observe.h"
#include "../engine/units.h"
#include "command.h"
#include "print.h"

enum { LINE = 8192, MOST_COLUMNS = 64 };

static const ToolMean unknown = { (double)NAN, (double)NAN, false };

/* A line "# rough errors: NAMES: ..." of a heading; of older tables "lower bounds". */
static bool is_rough_in(const char *line, const char *quantity)
{
    static const char mark[] = "# rough errors: ", once[] = "# lower bounds: ";
    const size_t      n = strlen(quantity);

    if (strncmp(line, mark, sizeof mark - 1) != 0 && strncmp(line, once, sizeof once - 1) != 0)
        return false;
    for (const char *at = line; (at = strstr(at, quantity)) != NULL; at += n)
        if (at[-1] == ' ' && (at[n] == ' ' || at[n] == ':'))
            return true;
    return false;
}

/* ---- STEM-mean.tsv: quantity, mean, error ---- */

static void read_mean(const char *dir, const char *file, const char *quantity, ToolMean *mean)
{
    char        path[AMPHI_PATH_SIZE], line[LINE];
    AmphiError  err      = { .status = AMPHI_OK };
    FILE *const in       = tool_join(dir, file, path, &err) == AMPHI_OK ? fopen(path, "r") : NULL;
    bool        is_rough = false;

    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        is_rough = is_rough || is_rough_in(line, quantity);

        char             *rest  = line;
        const char *const name  = strtok_r(rest, "\t\n", &rest);
        const char *const value = strtok_r(NULL, "\t\n", &rest);
        const char *const error = strtok_r(NULL, "\t\n", &rest);

        if (error != NULL && strcmp(name, quantity) == 0)
            *mean = (ToolMean){ strtod(value, NULL), strtod(error, NULL), is_rough };
    }
    if (in != NULL)
        fclose(in);
}

/* ---- energy.tsv: the last stage of it ---- */

enum { STAGE, TEMPERATURE, TRANSLATION, ROTATION, BOX_X, BOX_Y, BOX_Z, WANTED };
enum { VALUE_TEMPERATURE, VALUE_TRANSLATION, VALUE_ROTATION, VALUE_DENSITY, VALUES };

typedef struct {
    AmphiArena *arena;
    AmphiBlocks blocks;
    double      mass_g_nm3_cm3; /* of the system: over a volume in nm^3 it is in g/cm^3 */
    double      stage;
    bool        has_heading, is_bad;
    int         place[WANTED]; /* among the columns; -1: not there */
} Energies;

static void read_heading(Energies *e, char *line)
{
    static const char *const wanted[WANTED] = {
        "stage", "temperature", "temperature_translation", "temperature_rotation", "box_x",
        "box_y", "box_z"
    };
    char *rest = line;
    int   k    = 0;

    e->has_heading = true;
    for (int w = 0; w < WANTED; w++)
        e->place[w] = -1;
    for (char *word = strtok_r(rest, "\t\n", &rest); word != NULL;
         word       = strtok_r(NULL, "\t\n", &rest), k++)
        for (int w = 0; w < WANTED; w++)
            if (strcmp(word, wanted[w]) == 0)
                e->place[w] = k;
    for (int w = 0; w < WANTED; w++)
        e->is_bad = e->is_bad || e->place[w] < 0;
}

static void read_values(Energies *e, char *line)
{
    double value[WANTED] = { 0 };
    char  *rest          = line;
    int    k             = 0;

    for (char *word = strtok_r(rest, "\t\n", &rest); word != NULL;
         word       = strtok_r(NULL, "\t\n", &rest), k++)
        for (int w = 0; w < WANTED; w++)
            if (e->place[w] == k)
                value[w] = strtod(word, NULL);
    if (value[STAGE] > e->stage || value[STAGE] < e->stage) {
        e->stage  = value[STAGE];
        e->is_bad = !amphi_blocks_init(&e->blocks, VALUES, e->arena);
    }
    if (e->is_bad)
        return;
    amphi_blocks_add(&e->blocks, VALUE_TEMPERATURE, value[TEMPERATURE], 1);
    amphi_blocks_add(&e->blocks, VALUE_TRANSLATION, value[TRANSLATION], 1);
    amphi_blocks_add(&e->blocks, VALUE_ROTATION, value[ROTATION], value[ROTATION] > 0);
    amphi_blocks_add(&e->blocks, VALUE_DENSITY,
                     e->mass_g_nm3_cm3 / (value[BOX_X] * value[BOX_Y] * value[BOX_Z]), 1);
    amphi_blocks_next(&e->blocks);
}

static ToolMean mean_of(const Energies *e, int32_t k)
{
    return (ToolMean){ amphi_blocks_mean(&e->blocks, k), amphi_blocks_error(&e->blocks, k),
                       amphi_blocks_is_rough(&e->blocks, k) };
}

static const char *stage_name(const AmphiJob *job, double number)
{
    return number >= 1 && number <= job->n_stages ? job->stage[(int32_t)number - 1].name : NULL;
}

static void read_energies(const char *path, const AmphiJob *job, AmphiArena *arena, ToolMeans *m)
{
    const AmphiSystem *const s = &job->system;

    Energies    e     = { .arena = arena };
    double      g_cm3 = 1;
    char        line[LINE];
    FILE *const in = fopen(path, "r");

    if (in == NULL)
        return;
    amphi_units_factor("g/cm^3", AMPHI_DIM_DENSITY, &g_cm3);
    for (int32_t i = 0; i < s->n_beads; i++)
        e.mass_g_nm3_cm3 += s->type[s->bead_type[i]].mass_u / g_cm3;
    while (!e.is_bad && fgets(line, sizeof line, in) != NULL) {
        if (line[0] == '#')
            continue;
        if (!e.has_heading)
            read_heading(&e, line);
        else
            read_values(&e, line);
    }
    fclose(in);
    if (e.is_bad || e.blocks.count == NULL)
        return;
    m->stage         = stage_name(job, e.stage);
    m->temperature_K = mean_of(&e, VALUE_TEMPERATURE);
    m->translation_K = mean_of(&e, VALUE_TRANSLATION);
    m->rotation_K    = mean_of(&e, VALUE_ROTATION);
    m->density_g_cm3 = mean_of(&e, VALUE_DENSITY);
}

bool tool_is_written(const AmphiJob *job, const char *table)
{
    for (int32_t k = 0; job != NULL && k < job->n_observers; k++) {
        const AmphiObserverKind *const kind = amphi_observer_kind(job->observer[k].kind);

        if (kind != NULL && strcmp(amphi_observer_names(kind, &job->observer[k]).file, table) == 0)
            return true;
    }
    return job == NULL;
}

static int32_t count_lipids(const AmphiSystem *s)
{
    int32_t n = 0;

    for (int32_t m = 0; m < s->n_molecules; m++)
        n += strcmp(s->molecule_type[s->molecule[m].type].kind, "lipid") == 0;
    return n;
}

/* The area of the box over that of a lipid are the lipids of the larger leaflet. */
static bool do_leaflets_differ(const char *dir, const AmphiJob *job, double area_nm2)
{
    ToolMean box = unknown;

    read_mean(dir, "area-mean.tsv", "box_area_nm2", &box);
    return job != NULL && isfinite(box.value / area_nm2) &&
           2 * lround(box.value / area_nm2) != count_lipids(&job->system);
}

void tool_means_read(const char *dir, const AmphiJob *job, ToolMeans *m)
{
    AmphiArena *const arena = amphi_arena_new();
    char              path[AMPHI_PATH_SIZE];
    AmphiError        err = { .status = AMPHI_OK };

    *m = (ToolMeans){ NULL, unknown, unknown, unknown, unknown, unknown, unknown, unknown, false };
    if (tool_is_written(job, "area.tsv")) {
        read_mean(dir, "area-mean.tsv", "area_per_lipid_nm2", &m->area_nm2);
        read_mean(dir, "area-mean.tsv", "volume_per_lipid_nm3", &m->volume_nm3);
        m->leaflets_differ = do_leaflets_differ(dir, job, m->area_nm2.value);
    }
    if (tool_is_written(job, "thickness.tsv"))
        read_mean(dir, "thickness-mean.tsv", "thickness_nm", &m->thickness_nm);
    if (arena != NULL && tool_is_written(job, "energy.tsv") &&
        tool_join(dir, "energy.tsv", path, &err) == AMPHI_OK)
        read_energies(path, job, arena, m);
    amphi_arena_free(arena);
}

/* ---- lines ---- */

/* The error with two digits, the mean to the same place. */
const char *tool_mean_text(const ToolMean *mean, char text[64])
{
    const bool has_error =
        isfinite(mean->error) && mean->error > 1e-12 * fabs(mean->value); /* a constant has none */
    int places = 4;

    if (has_error) {
        places = (int)fmin(fmax(1 - floor(log10(mean->error)), 0), 8);
        snprintf(text, 64, "%.*f +- %.*f", places, mean->value, places, mean->error);
    } else {
        snprintf(text, 64, "%.*f", places, mean->value);
    }
    return text;
}

static void print_published(double value, const char *unit, const AmphiLiterature *l, FILE *out)
{
    char safe[512];

    if (!(value > 0))
        return;
    fprintf(out, "  %-12s   %.4g %s", "", value, unit);
    if (l->temperature_K > 0)
        fprintf(out, " at %g K", l->temperature_K);
    fprintf(out, ": %s\n", tool_harmless(l->source != NULL ? l->source : "", safe, sizeof safe));
}

static bool print_mean(const char *label, const ToolMean *mean, const char *unit, FILE *out)
{
    char text[64];

    if (!isfinite(mean->value))
        return false;
    fprintf(out, "  %-12s %s %s%s\n", label, tool_mean_text(mean, text), unit,
            mean->is_rough ? "; " TOOL_ROUGH_ERROR : "");
    return true;
}

void tool_means_print(const ToolMeans *m, const AmphiJob *job, FILE *out)
{
    const AmphiLiterature *const l     = job->literature;
    const int32_t                n     = job->n_literature;
    double                       g_cm3 = 1;

    amphi_units_factor("g/cm^3", AMPHI_DIM_DENSITY, &g_cm3);
    if (print_mean("area", &m->area_nm2,
                   m->leaflets_differ ? "nm^2 a lipid of the larger leaflet" : "nm^2 a lipid", out))
        for (int32_t k = 0; k < n; k++)
            print_published(l[k].area_nm2, "nm^2", &l[k], out);
    if (print_mean("volume", &m->volume_nm3, "nm^3 a lipid", out))
        for (int32_t k = 0; k < n; k++)
            print_published(l[k].volume_nm3, "nm^3", &l[k], out);
    if (print_mean("thickness", &m->thickness_nm, "nm", out))
        for (int32_t k = 0; k < n; k++)
            print_published(l[k].thickness_nm, "nm", &l[k], out);
    if (count_lipids(&job->system) == 0 && print_mean("density", &m->density_g_cm3, "g/cm^3", out))
        for (int32_t k = 0; k < n; k++)
            print_published(l[k].density_u_nm3 / g_cm3, "g/cm^3", &l[k], out);
}
