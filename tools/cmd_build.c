/* amphi build: writes the coordinates that <bilayer> or <fill> describes as files for other
 * programs. */
#include <inttypes.h>
#include <string.h>

#include "../engine/formats/snapshot.h"
#include "../engine/overlap.h"
#include "../engine/units.h"
#include "command.h"
#include "draw.h"
#include "print.h"

typedef struct {
    const char *name, *format;
} StartFile;

static const StartFile start_files[] = { { "start.gro", "gro" },
                                         { "start.psf", "psf" },
                                         { "start.data", "lammps-data" },
                                         { "start.chk", "chk" } };

enum { N_FILES = sizeof start_files / sizeof *start_files };

/* "bilayer.start" for systems/bilayer.xml, in the present folder. */
static void default_folder(const char *system, char folder[AMPHI_PATH_SIZE])
{
    const char *const slash  = strrchr(system, '/');
    const char *const name   = slash != NULL ? slash + 1 : system;
    const size_t      length = strlen(name);
    const bool        is_xml = length > 4 && strcmp(name + length - 4, ".xml") == 0;

    snprintf(folder, AMPHI_PATH_SIZE, "%.*s.start", (int)(is_xml ? length - 4 : length), name);
}

/* Formats cut long names, and say so. */
static AmphiStatus check_format(const ToolCall *call, const AmphiFormat *format, const char *path,
                                const AmphiSnapshot *snapshot, AmphiError *err)
{
    const bool        strict = tool_has(call, "strict");
    AmphiNotes *const notes  = amphi_notes_new();

    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", path);
    amphi_format_check(format, path, snapshot, notes);
    tool_show_notes(call, notes, strict);

    const AmphiStatus status = amphi_notes_status(notes, strict);
    amphi_notes_free(notes);
    return status;
}

static AmphiStatus write_file(const ToolCall *call, const char *folder, const StartFile *file,
                              const AmphiSnapshot *snapshot, AmphiError *err)
{
    const AmphiFormat *const format = amphi_format_find(file->format);
    char                     path[AMPHI_PATH_SIZE];

    if (format == NULL)
        return amphi_fail(err, AMPHI_DEFECT, "there is no format %s", file->format);
    AMPHI_TRY(tool_join(folder, file->name, path, err));
    AMPHI_TRY(check_format(call, format, path, snapshot, err));
    return format->write(path, snapshot, err);
}

static AmphiStatus write_files(const ToolCall *call, const AmphiJob *job, const char *folder,
                               AmphiError *err)
{
    const AmphiSnapshot *const snapshot = amphi_snapshot_of_system(&job->system, job->arena);

    if (snapshot == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the start of %" PRId32 " beads",
                          job->system.n_beads);
    AMPHI_TRY(tool_make_folder(folder, err));
    for (int k = 0; k < N_FILES; k++)
        AMPHI_TRY(write_file(call, folder, &start_files[k], snapshot, err));
    return AMPHI_OK;
}

static double density_g_cm3(const AmphiSystem *s)
{
    double mass_u = 0, g_cm3 = 1;

    for (int32_t i = 0; i < s->n_beads; i++)
        mass_u += s->type[s->bead_type[i]].mass_u;
    amphi_units_factor("g/cm^3", AMPHI_DIM_DENSITY, &g_cm3);
    return mass_u / (s->box_nm[0] * s->box_nm[1] * s->box_nm[2]) / g_cm3;
}

static void print_start(const AmphiJob *job, const AmphiClosest *closest, const char *folder,
                        bool has_picture, FILE *out)
{
    const AmphiSystem *const s = &job->system;
    char                     safe[AMPHI_PATH_SIZE];

    fprintf(out, "%s: ", tool_harmless(folder, safe, sizeof safe));
    for (int k = 0; k < N_FILES; k++)
        fprintf(out, "%s%s", k > 0 ? " " : "", start_files[k].name);
    fprintf(out, "%s\n", has_picture ? " start.png" : "");
    fprintf(out, "  %-15s %" PRId32 " in %" PRId32 " beads, seed %" PRIu64 "\n", "molecules",
            s->n_molecules, s->n_beads, job->seed);
    fprintf(out, "  %-15s %.6g x %.6g x %.6g nm\n", "box", s->box_nm[0], s->box_nm[1],
            s->box_nm[2]);
    fprintf(out, "  %-15s %.4g g/cm^3\n", "density", density_g_cm3(s));
    if (closest->bead[0] >= 0)
        fprintf(out, "  %-15s %.4g nm, %.3g sigma\n", "closest pair", closest->distance_nm,
                closest->distance_nm / closest->sigma_nm);
    else
        fprintf(out, "  %-15s none nearer than its contact distance\n", "closest pair");
}

static void write_start(const AmphiJob *job, const AmphiClosest *closest, const char *folder,
                        bool has_picture, FILE *out)
{
    const AmphiSystem *const s    = &job->system;
    ToolJson                 json = tool_json_begin(out, "start");

    tool_json_text(&json, "folder", folder);
    tool_json_flag(&json, "has_picture", has_picture);
    tool_json_whole(&json, "molecules", s->n_molecules);
    tool_json_whole(&json, "beads", s->n_beads);
    tool_json_whole(&json, "seed", (int64_t)job->seed);
    tool_json_numbers(&json, "box_nm", s->box_nm, 3);
    tool_json_number(&json, "density_g_cm3", density_g_cm3(s));
    if (closest->bead[0] >= 0) {
        tool_json_number(&json, "closest_nm", closest->distance_nm);
        tool_json_number(&json, "closest_sigma_nm", closest->sigma_nm);
    }
    tool_json_end(&json);
}

static AmphiStatus build(const ToolCall *call, const AmphiJob *job, AmphiError *err)
{
    const char *const wanted  = tool_value(call, "output");
    const bool        picture = tool_has(call, "picture");
    char              folder[AMPHI_PATH_SIZE], path[AMPHI_PATH_SIZE];
    AmphiClosest      closest;

    if (job->start != AMPHI_START_BILAYER && job->start != AMPHI_START_FILL)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%.200s: the start is given, there is nothing to build\n"
                          "    write <bilayer> or <fill> in <start>; `amphi convert` turns one "
                          "coordinates file into another",
                          call->argument[0]);
    if (wanted != NULL)
        snprintf(folder, sizeof folder, "%s", wanted);
    else
        default_folder(call->argument[0], folder);
    AMPHI_TRY(amphi_closest_pair(&job->system, &closest, err));
    AMPHI_TRY(write_files(call, job, folder, err));
    if (picture) {
        AMPHI_TRY(tool_join(folder, "start.png", path, err));
        AMPHI_TRY(tool_draw_system(&job->system, path, err));
    }
    if (tool_has(call, "json"))
        write_start(job, &closest, folder, picture, call->out);
    else
        print_start(job, &closest, folder, picture, call->out);
    return AMPHI_OK;
}

AmphiStatus cmd_build(const ToolCall *call, AmphiError *err)
{
    AmphiJob *job = NULL;

    AMPHI_TRY(tool_load(call, &job, err));

    const AmphiStatus status = build(call, job, err);
    amphi_job_free(job);
    return status;
}
