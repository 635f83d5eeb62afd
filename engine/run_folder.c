/* The directory of a run: its lock, and the names of the files that a run writes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run_parts.h"

AmphiStatus amphi_run_path(const AmphiRun *run, const char *name, char path[RUN_PATH],
                           AmphiError *err)
{
    const int n = snprintf(path, RUN_PATH, "%s/%s", run->path, name);

    if (n >= 0 && n < RUN_PATH)
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", run->path, strerror(ENAMETOOLONG));
}

static AmphiStatus fail_path(AmphiError *err, const char *path)
{
    return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(errno));
}

/* ---- the lock: it dies with its process ---- */

static AmphiStatus fail_locked(const AmphiRun *run, AmphiError *err)
{
    char          text[32] = "";
    const ssize_t n        = pread(run->lock, text, sizeof text - 1, 0);
    const long    pid      = n > 0 ? strtol(text, NULL, 10) : 0;

    return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: another run is at work here (process %ld)",
                      run->path, pid);
}

/* Waits up to a second, because a process that has just been killed may still hold the lock. */
static bool take_lock(int handle)
{
    const struct timespec pause = { .tv_nsec = 50000000 };
    const double          began = amphi_clock_s(), patience_s = 1;

    while (flock(handle, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK || amphi_clock_s() - began > patience_s)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

AmphiStatus amphi_run_enter(AmphiRun *run, AmphiError *err)
{
    char        path[RUN_PATH], text[32];
    struct stat about;

    if (mkdir(run->path, 0777) != 0 && errno != EEXIST)
        return fail_path(err, run->path);
    if (stat(run->path, &about) != 0)
        return fail_path(err, run->path);
    if (!S_ISDIR(about.st_mode))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", run->path, strerror(ENOTDIR));
    AMPHI_TRY(amphi_run_path(run, "run.lock", path, err));
    run->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (run->lock < 0)
        return fail_path(err, path);
    if (!take_lock(run->lock))
        return errno == EWOULDBLOCK ? fail_locked(run, err) : fail_path(err, path);

    /* the process number is only for messages: on a full disk the lock holds without it */
    const int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(run->lock, 0) == 0 && pwrite(run->lock, text, (size_t)n, 0) != n)
        errno = 0;

    AMPHI_TRY(amphi_run_path(run, "run.spare", path, err));
    run->has_spare = access(path, F_OK) == 0; /* of one that was killed */
    return AMPHI_OK;
}

void amphi_run_leave(AmphiRun *run)
{
    if (run->lock >= 0)
        close(run->lock);
    run->lock = -1;
}

/* ---- what a run leaves ---- */

static const char *const checkpoints[] = { "run.chk",     "run.chk.prev",    "run.chk.prev.tmp",
                                           "run.chk.new", "run.chk.new.tmp", "run.spare",
                                           "status.json" };

static const char *const outputs[] = { "energy.tsv",    "trajectory.dcd", "topology.psf",
                                       "final.gro",     "final.data",     "view.vmd",
                                       "view.pml",      "profile.tsv",    "area.tsv",
                                       "thickness.tsv", "order.tsv",      "rdf.tsv",
                                       "diffusion.tsv" };

enum {
    N_CHECKPOINTS = sizeof checkpoints / sizeof *checkpoints,
    N_OUTPUTS     = sizeof outputs / sizeof *outputs
};

const char *amphi_run_remains(const AmphiRun *run)
{
    char        path[RUN_PATH];
    struct stat about;

    for (int k = 0; k < N_OUTPUTS; k++)
        if (amphi_run_path(run, outputs[k], path, NULL) == AMPHI_OK && lstat(path, &about) == 0 &&
            about.st_size > 0)
            return outputs[k];
    return NULL;
}

AmphiStatus amphi_run_clear(const AmphiRun *run, AmphiError *err)
{
    char path[RUN_PATH];

    for (int k = 0; k < N_CHECKPOINTS + N_OUTPUTS; k++) {
        AMPHI_TRY(amphi_run_path(
            run, k < N_CHECKPOINTS ? checkpoints[k] : outputs[k - N_CHECKPOINTS], path, err));
        if (unlink(path) != 0 && errno != ENOENT)
            return fail_path(err, path);
    }
    return AMPHI_OK;
}
