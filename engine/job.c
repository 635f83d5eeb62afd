/* Loading a job: the order in which an XML file becomes a checked, immutable system.
 *
 * All faults of all files are noted before the job is refused. The XML tree lives in the job's
 * arena and is not looked at again.
 */
#include "job.h"

#include "formats/snapshot.h"
#include "reader.h"

/* A job file is small; coordinates have files of their own. */
static const int64_t max_job_bytes = 16 << 20;

void amphi_job_free(AmphiJob *job)
{
    if (job != NULL)
        amphi_arena_free(job->arena);
}

/* Reading continues after faults as long as what follows does not depend on the faulty part. */
static void read_everything(AmphiReader *r)
{
    const AmphiXml *title = amphi_xml_child(r->root, "title");

    r->system->title = title != NULL ? title->text : "";
    amphi_reader_include(r);
    amphi_reader_types(r);
    amphi_reader_contents(r);
    if (amphi_arena_failed(r->arena) || !amphi_topology(r))
        return;
    amphi_reader_start(r);
    amphi_reader_pairs(r);
    amphi_reader_groups(r);
    amphi_reader_plan(r);
    amphi_reader_asked(r);
    amphi_reader_compute(r);
    amphi_reader_literature(r);
    if (amphi_arena_failed(r->arena) || amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) > 0)
        return;
    amphi_reader_build(r);
    if (r->no_memory || amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) > 0)
        return;
    amphi_reader_output_fits(r);
    amphi_reader_velocities(r);
    amphi_reader_seeds(r);
    amphi_reader_physics(r);
    amphi_reader_restraints(r);
    if (amphi_arena_failed(r->arena) || amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) > 0)
        return;
    if (amphi_system_check(r->system, r->root, r->notes) == AMPHI_NO_MEMORY)
        r->no_memory = true;
}

static AmphiStatus read_job(AmphiReader *r, const char *path, const char *bytes, int64_t n_bytes)
{
    amphi_notes_included(r->notes, path, (AmphiWhere){ NULL, 0 });
    amphi_reader_record(r, path);
    r->root = amphi_xml_parse(path, bytes, n_bytes, "amphi", r->arena, r->notes);
    if (r->root != NULL && amphi_xml_whole(r->root, "version", 1) != 1)
        amphi_xml_note(r->notes, XML_VERSION, r->root, "version", NULL);
    else if (r->root != NULL)
        read_everything(r);
    if (r->no_memory || amphi_arena_failed(r->arena))
        return AMPHI_NO_MEMORY;
    return amphi_notes_status(r->notes, false);
}

static AmphiJob *new_job(AmphiError *err)
{
    AmphiArena *arena = amphi_arena_new();
    AmphiJob   *job   = arena != NULL ? AMPHI_TAKE(arena, AmphiJob, 1) : NULL;

    if (job == NULL) {
        amphi_arena_free(arena);
        amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a job");
        return NULL;
    }
    job->arena = arena;
    return job;
}

static AmphiReader new_reader(AmphiJob *job, const AmphiLoadOptions *options, AmphiNotes *notes)
{
    static const AmphiLoadOptions usual = { .data_dir = NULL };

    return (AmphiReader){ .arena   = job->arena,
                          .notes   = notes,
                          .options = options != NULL ? options : &usual,
                          .job     = job,
                          .system  = &job->system };
}

static AmphiJob *finish(AmphiJob *job, AmphiStatus status, AmphiError *err)
{
    if (status == AMPHI_OK)
        return job;
    if (status == AMPHI_NO_MEMORY)
        amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the system: %zu bytes are taken already",
                   amphi_arena_bytes(job->arena));
    amphi_job_free(job);
    return NULL;
}

AmphiJob *amphi_job_parse(const char *path, const char *bytes, int64_t n_bytes,
                          const AmphiLoadOptions *options, AmphiNotes *notes, AmphiError *err)
{
    AmphiJob   *job = new_job(err);
    AmphiReader r;

    if (job == NULL)
        return NULL;
    r    = new_reader(job, options, notes);
    path = amphi_arena_text(job->arena, path);
    if (path == NULL)
        return finish(job, AMPHI_NO_MEMORY, err);
    if (n_bytes > max_job_bytes) {
        const char *size = amphi_arena_print(job->arena, "%lld", (long long)n_bytes);

        if (size != NULL)
            amphi_note(notes, FILE_TOO_LARGE, ((AmphiWhere){ path, 0 }), path, size, "16777216");
        return finish(job, size != NULL ? amphi_notes_status(notes, false) : AMPHI_NO_MEMORY, err);
    }
    return finish(job, read_job(&r, path, bytes, n_bytes), err);
}

AmphiJob *amphi_job_load(const char *path, const AmphiLoadOptions *options, AmphiNotes *notes,
                         AmphiError *err)
{
    const AmphiWhere nowhere = { NULL, 0 };
    AmphiJob        *job     = new_job(err);
    AmphiReader      r;
    int64_t          n_bytes = 0;
    char            *bytes   = NULL;

    if (job == NULL)
        return NULL;
    r    = new_reader(job, options, notes);
    path = amphi_arena_text(job->arena, path);
    if (path != NULL)
        bytes = amphi_file_read(path, max_job_bytes, &n_bytes, job->arena, nowhere, notes);
    if (bytes != NULL)
        return finish(job, read_job(&r, path, bytes, n_bytes), err);
    return finish(
        job, amphi_arena_failed(job->arena) ? AMPHI_NO_MEMORY : amphi_notes_status(notes, false),
        err);
}
