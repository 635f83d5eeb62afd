/* Results that appear in their folder as a whole. */
#include "analyse_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/formats/sink.h"

static AmphiStatus fail_path(AmphiError *err, const char *path)
{
    return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(errno));
}

/* Of a process that was killed, or of this one. There are no folders in it. */
static void clear(const ToolResults *r)
{
    DIR *const           dir   = r->unfinished[0] != '\0' ? opendir(r->unfinished) : NULL;
    const struct dirent *entry = NULL;
    char                 path[AMPHI_PATH_SIZE];

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (tool_join(r->unfinished, entry->d_name, path, NULL) == AMPHI_OK)
            (void)unlink(path);
    if (dir != NULL)
        closedir(dir);
}

/* The lock dies with its process. */
static AmphiStatus take_lock(ToolResults *r, AmphiError *err)
{
    r->lock = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (r->lock < 0)
        return fail_path(err, r->dir);
    if (flock(r->lock, LOCK_EX | LOCK_NB) == 0)
        return AMPHI_OK;
    return errno == EWOULDBLOCK
               ? amphi_fail(err, AMPHI_BAD_FILE, "%.400s: another amphi analyse is at work here",
                            r->dir)
               : fail_path(err, r->dir);
}

AmphiStatus tool_results_open(ToolResults *r, const char *dir, AmphiError *err)
{
    *r = (ToolResults){ .lock = -1 };
    if (snprintf(r->dir, sizeof r->dir, "%s", dir) >= (int)sizeof r->dir)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.100s...: %s", dir, strerror(ENAMETOOLONG));
    r->is_new = access(dir, F_OK) != 0;
    AMPHI_TRY(tool_make_folder(dir, err));
    AMPHI_TRY(take_lock(r, err));
    AMPHI_TRY(tool_join(dir, ".amphi-unfinished", r->unfinished, err));
    AMPHI_TRY(tool_make_folder(r->unfinished, err));
    clear(r);
    return AMPHI_OK;
}

static AmphiStatus publish(ToolResults *r, const char *name, AmphiError *err)
{
    char        from[AMPHI_PATH_SIZE], to[AMPHI_PATH_SIZE];
    struct stat about;

    AMPHI_TRY(tool_join(r->unfinished, name, from, err));
    AMPHI_TRY(tool_join(r->dir, name, to, err));
    if (lstat(from, &about) != 0)
        return fail_path(err, from);
    if (!S_ISREG(about.st_mode) || about.st_size == 0)
        return AMPHI_OK;
    AMPHI_TRY(amphi_rename_file(from, to, err));
    r->file[r->n_files] = strdup(to);
    if (r->file[r->n_files] == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", to);
    r->n_files++;
    return AMPHI_OK;
}

AmphiStatus tool_results_publish(ToolResults *r, AmphiError *err)
{
    struct dirent **entry  = NULL;
    const int       n      = scandir(r->unfinished, &entry, NULL, alphasort);
    AmphiStatus     status = AMPHI_OK;

    if (n < 0)
        return fail_path(err, r->unfinished);
    for (int k = 0; k < n; k++) {
        if (status == AMPHI_OK && entry[k]->d_name[0] != '.' && r->n_files < TOOL_MOST_RESULTS)
            status = publish(r, entry[k]->d_name, err);
        free(entry[k]);
    }
    free(entry);
    return status;
}

AmphiStatus tool_results_drop(const ToolResults *r, const char *name, bool *was_there,
                              AmphiError *err)
{
    char path[AMPHI_PATH_SIZE];

    *was_there = false;
    AMPHI_TRY(tool_join(r->dir, name, path, err));
    for (int32_t k = 0; k < r->n_files; k++)
        if (strcmp(r->file[k], path) == 0)
            return AMPHI_OK;
    *was_there = unlink(path) == 0;
    return *was_there || errno == ENOENT ? AMPHI_OK : fail_path(err, path);
}

void tool_results_close(ToolResults *r)
{
    for (int32_t k = 0; k < r->n_files; k++)
        free(r->file[k]);
    if (r->lock < 0)
        return;
    clear(r);
    if (r->unfinished[0] != '\0')
        (void)rmdir(r->unfinished);
    if (r->is_new && r->n_files == 0)
        (void)rmdir(r->dir); /* stays if something is in it */
    close(r->lock);
    r->lock = -1;
}
