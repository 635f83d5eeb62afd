/* The directory of a run: its lock, and the names of the files that a run writes. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run_parts.h"

AmphiStatus amphi_run_path(const AmphiRun *run, const char *name, char path[AMPHI_PATH_SIZE],
                           AmphiError *err)
{
    const int n = snprintf(path, AMPHI_PATH_SIZE, "%s/%s", run->path, name);

    if (n >= 0 && n < AMPHI_PATH_SIZE)
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
    char        path[AMPHI_PATH_SIZE], text[32];
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

enum { N_CHECKPOINTS = sizeof checkpoints / sizeof *checkpoints };

/* The name at this place in the list of all files that observers write; NULL after the last. */
static const char *output_at(int32_t place)
{
    const AmphiObserverKind *kind = NULL;

    for (int32_t k = 0; (kind = amphi_observer_kind_at(k)) != NULL; k++) {
        if (place-- == 0)
            return kind->file;
        for (const char *const *also = kind->also; also != NULL && *also != NULL; also++)
            if (place-- == 0)
                return *also;
    }
    return NULL;
}

static bool is_there(const AmphiRun *run, const char *name)
{
    char        path[AMPHI_PATH_SIZE];
    struct stat about;

    return amphi_run_path(run, name, path, NULL) == AMPHI_OK && lstat(path, &about) == 0 &&
           about.st_size > 0;
}

bool amphi_run_remains(const AmphiRun *run, AmphiObserverNames *names)
{
    const char *name = NULL;

    for (int32_t k = 0; (name = output_at(k)) != NULL; k++)
        if (is_there(run, name)) {
            snprintf(names->file, sizeof names->file, "%s", name);
            return true;
        }
    for (int32_t k = 0; k < run->job->n_observers; k++) {
        const AmphiObserverPlan *const plan = &run->job->observer[k];

        *names = amphi_observer_names(amphi_observer_kind(plan->kind), plan);
        if (plan->label != NULL && is_there(run, names->file))
            return true;
    }
    return false;
}

static AmphiStatus delete_file(const AmphiRun *run, const char *name, AmphiError *err)
{
    char path[AMPHI_PATH_SIZE];

    AMPHI_TRY(amphi_run_path(run, name, path, err));
    return unlink(path) == 0 || errno == ENOENT ? AMPHI_OK : fail_path(err, path);
}

/* fault-STEP.chk and fault-STEP.dcd */
static bool is_of_fault(const char *name)
{
    static const char front[] = "fault-";
    const char       *end     = name + strlen(front);

    if (strncmp(name, front, strlen(front)) != 0)
        return false;
    end += strspn(end, "0123456789");
    return end > name + strlen(front) && (strcmp(end, ".chk") == 0 || strcmp(end, ".dcd") == 0);
}

/* Files with a part in their names that is not known beforehand. */
static AmphiStatus clear_others(const AmphiRun *run, AmphiError *err)
{
    DIR *const           dir    = opendir(run->path);
    const struct dirent *entry  = NULL;
    AmphiStatus          status = AMPHI_OK;

    if (dir == NULL)
        return fail_path(err, run->path);
    while (status == AMPHI_OK && (entry = readdir(dir)) != NULL)
        if (is_of_fault(entry->d_name) || amphi_observer_is_labelled(run->path, entry->d_name))
            status = delete_file(run, entry->d_name, err);
    closedir(dir);
    return status;
}

static bool is_xml(const char *path)
{
    const char *const dot = strrchr(path, '.');

    return dot != NULL && strcmp(dot, ".xml") == 0;
}

/* Does a file lie in the folder of the run itself? */
static bool is_in_folder(const AmphiRun *run, const char *path)
{
    const char *const name = strrchr(path, '/');
    char              folder[AMPHI_PATH_SIZE];
    struct stat       a, b;

    snprintf(folder, sizeof folder, "%.*s.", name != NULL ? (int)(name + 1 - path) : 0, path);
    return stat(folder, &a) == 0 && stat(run->path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* A run that begins with the end of another one does not throw that one away. */
static AmphiStatus check_start(const AmphiRun *run, AmphiError *err)
{
    for (int32_t k = 0; k < run->job->n_files; k++)
        if (is_in_folder(run, run->job->file[k].path) && !is_xml(run->job->file[k].path))
            return amphi_fail(err, AMPHI_BAD_COMMAND,
                              "%.300s: --fresh would throw it away, and this run begins with it\n"
                              "    write: -o with a new directory",
                              run->job->file[k].path);
    return AMPHI_OK;
}

AmphiStatus amphi_run_clear(const AmphiRun *run, AmphiError *err)
{
    const char *name = NULL;

    AMPHI_TRY(check_start(run, err));
    for (int k = 0; k < N_CHECKPOINTS; k++)
        AMPHI_TRY(delete_file(run, checkpoints[k], err));
    for (int32_t k = 0; (name = output_at(k)) != NULL; k++)
        AMPHI_TRY(delete_file(run, name, err));
    return clear_others(run, err);
}
