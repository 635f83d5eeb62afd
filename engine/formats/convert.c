/* One format into another: read, complete from the topology, check, write. */
#include "convert.h"

#include "formats.h"
#include "lines.h"
#include "trajectory.h"

typedef struct {
    const char                *from, *to;
    const AmphiConvertOptions *options;
    const AmphiFormat         *from_format, *to_format;
    AmphiArena                *arena;
    AmphiNotes                *notes;
} Job;

/* Notes or memory: what ended a reader. */
static AmphiStatus bad_input(const Job *job, const char *path, AmphiError *err)
{
    if (amphi_arena_failed(job->arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory for it", path);
    return amphi_fail(err, AMPHI_BAD_INPUT, "%s cannot be converted to %s", job->from, job->to);
}

/* Takes from a topology what a snapshot lacks, except what belongs to one moment: positions,
 * velocities, dipoles, box. */
static void complete(AmphiSnapshot *s, const AmphiSnapshot *topology)
{
    if (s->bead_name == NULL)
        s->bead_name = topology->bead_name;
    if (s->molecule_name == NULL)
        s->molecule_name = topology->molecule_name;
    if (s->molecule == NULL)
        s->molecule = topology->molecule;
    if (s->charge_e == NULL)
        s->charge_e = topology->charge_e;
    if (s->mass_u == NULL)
        s->mass_u = topology->mass_u;
    if (s->diameter_nm == NULL)
        s->diameter_nm = topology->diameter_nm;
    if (s->dipole_strength_e_nm == NULL)
        s->dipole_strength_e_nm = topology->dipole_strength_e_nm;
    if (s->type == NULL) { /* type numbers mean something only beside their own list */
        s->type               = topology->type;
        s->n_types            = topology->n_types;
        s->type_name          = topology->type_name;
        s->type_mass_u        = topology->type_mass_u;
        s->type_inertia_u_nm2 = topology->type_inertia_u_nm2;
    }
    if (s->bond == NULL) {
        s->bond    = topology->bond;
        s->n_bonds = topology->n_bonds;
    }
    if (s->angle == NULL) {
        s->angle    = topology->angle;
        s->n_angles = topology->n_angles;
    }
}

static bool add_topology(const Job *job, AmphiSnapshot *s)
{
    const uint32_t wanted =
        AMPHI_HAS_NAMES | AMPHI_HAS_TYPES | AMPHI_HAS_CHARGES | AMPHI_HAS_MASSES | AMPHI_HAS_BONDS;
    const char *const path  = job->options->topology;
    const AmphiWhere  where = { path, 0 };

    if (path == NULL)
        return true;

    const AmphiSnapshot *const topology =
        amphi_snapshot_read(path, NULL, job->arena, (AmphiWhere){ job->from, 0 }, job->notes);
    if (topology == NULL)
        return false;
    if ((amphi_snapshot_has(topology) & wanted) == 0) {
        amphi_note(job->notes, CONVERT_TOPOLOGY_KIND, where, path, "gro pdb lammps-data psf chk");
        return false;
    }
    if (topology->n_beads != s->n_beads) {
        amphi_note(job->notes, CONVERT_TOPOLOGY, where, path, amphi_digits(topology->n_beads).text,
                   job->from, amphi_digits(s->n_beads).text);
        return false;
    }
    complete(s, topology);
    return true;
}

static AmphiStatus convert_one(const Job *job, AmphiError *err)
{
    const int64_t    asked = job->options->frame;
    const int64_t    frame = asked == AMPHI_FRAMES_ALL ? 0 : asked;
    const AmphiWhere where = { job->from, 0 };
    AmphiSnapshot   *s     = NULL;

    if (amphi_format_is_trajectory(job->from_format)) { /* may be larger than memory */
        AmphiTrajectory t;
        if (amphi_trajectory_open(&t, job->from_format, job->from, job->arena, where, job->notes)) {
            amphi_trajectory_tell_times(&t, job->to_format, job->notes);
            s = amphi_trajectory_snapshot(&t, frame, job->arena, job->notes);
            amphi_trajectory_close(&t);
        }
    } else {
        s = amphi_snapshot_read_frame(job->from, job->from_format->name, frame, job->arena, where,
                                      job->notes);
    }
    if (s != NULL && asked == AMPHI_FRAMES_ALL && s->n_frames > 1)
        amphi_note(job->notes, CONVERT_FRAMES, where, job->from, amphi_digits(s->n_frames).text);
    if (s == NULL || !add_topology(job, s) ||
        !amphi_format_check(job->to_format, job->to, s, job->notes))
        return bad_input(job, job->from, err);
    /* a state counts the boxes that a bead has left behind; other programs show where it is */
    if (job->from_format == &amphi_format_chk && job->to_format != &amphi_format_chk &&
        !amphi_snapshot_gather(s, job->arena))
        return bad_input(job, job->from, err);
    return job->to_format->write(job->to, s, err);
}

/* A file that is cut or has a wrong count is repaired. */
static AmphiStatus convert_all(const Job *job, AmphiError *err)
{
    AmphiTrajectory t;

    if (!amphi_trajectory_open(&t, job->from_format, job->from, job->arena,
                               (AmphiWhere){ job->from, 0 }, job->notes))
        return bad_input(job, job->from, err);

    const AmphiStatus status =
        amphi_trajectory_copy(&t, job->to_format, job->to, job->arena, job->notes, err);
    amphi_trajectory_close(&t);
    return status;
}

static AmphiStatus convert(Job *job, AmphiError *err)
{
    const AmphiConvertOptions *const options = job->options;

    job->from_format =
        amphi_format_choose(job->from, options->from_format, (AmphiWhere){ NULL, 0 }, job->notes);
    job->to_format =
        amphi_format_choose(job->to, options->to_format, (AmphiWhere){ NULL, 0 }, job->notes);
    if (job->from_format == NULL || job->to_format == NULL)
        return bad_input(job, job->from, err);
    if (amphi_format_is_trajectory(job->from_format) &&
        amphi_format_is_trajectory(job->to_format) && options->frame == AMPHI_FRAMES_ALL)
        return convert_all(job, err);
    return convert_one(job, err);
}

AmphiStatus amphi_convert(const char *from, const char *to, const AmphiConvertOptions *options,
                          AmphiNotes *notes, AmphiError *err)
{
    Job job = {
        .from = from, .to = to, .options = options, .arena = amphi_arena_new(), .notes = notes
    };

    if (job.arena == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", from);

    const AmphiStatus status = convert(&job, err);
    amphi_arena_free(job.arena);
    return status;
}
