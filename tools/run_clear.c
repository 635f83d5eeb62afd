/* Deleting what the report, the pictures and the analysis of an earlier run left. */
#include "run_clear.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/observe.h"
#include "command.h"

static AmphiStatus delete_file(const char *folder, const char *name, AmphiError *err)
{
    char path[AMPHI_PATH_SIZE];

    AMPHI_TRY(tool_join(folder, name, path, err));
    return unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR
               ? AMPHI_OK
               : amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(errno));
}

/* Behind a link lies what somebody keeps elsewhere, and no run made. */
static bool is_own_folder(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Scripts and pictures; what else is in figures/ is not of the report. */
static bool is_figure(const char *name)
{
    const char *const dot = strrchr(name, '.');

    return dot != NULL &&
           (strcmp(dot, ".gp") == 0 || strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0);
}

static AmphiStatus clear_figures(const char *dir, AmphiError *err)
{
    char                 folder[AMPHI_PATH_SIZE];
    const struct dirent *entry  = NULL;
    AmphiStatus          status = AMPHI_OK;

    AMPHI_TRY(tool_join(dir, "figures", folder, err));
    DIR *const figures = is_own_folder(folder) ? opendir(folder) : NULL;
    if (figures == NULL)
        return AMPHI_OK;
    while (status == AMPHI_OK && (entry = readdir(figures)) != NULL)
        if (is_figure(entry->d_name))
            status = delete_file(folder, entry->d_name, err);
    closedir(figures);
    return status;
}

/* profile-heads.tsv and so on */
static AmphiStatus clear_labelled(const char *folder, AmphiError *err)
{
    DIR *const           dir    = opendir(folder);
    const struct dirent *entry  = NULL;
    AmphiStatus          status = AMPHI_OK;

    while (dir != NULL && status == AMPHI_OK && (entry = readdir(dir)) != NULL)
        if (amphi_observer_is_labelled(folder, entry->d_name))
            status = delete_file(folder, entry->d_name, err);
    if (dir != NULL)
        closedir(dir);
    return status;
}

/* What amphi analyse writes if it is given no other folder; all else in that one stays. */
static AmphiStatus clear_analysis(const char *dir, AmphiError *err)
{
    static const char *const pictures[] = { "profile.gp", "profile.svg", "profile.png" };
    const AmphiObserverKind *kind       = NULL;
    char                     folder[AMPHI_PATH_SIZE];

    AMPHI_TRY(tool_join(dir, "analysis", folder, err));
    if (!is_own_folder(folder))
        return AMPHI_OK;
    for (int32_t k = 0; (kind = amphi_observer_kind_at(k)) != NULL; k++) {
        AMPHI_TRY(delete_file(folder, kind->file, err));
        for (int also = 0; kind->also != NULL && kind->also[also] != NULL; also++)
            AMPHI_TRY(delete_file(folder, kind->also[also], err));
    }
    for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++)
        AMPHI_TRY(delete_file(folder, pictures[k], err));
    AMPHI_TRY(clear_labelled(folder, err));
    (void)rmdir(folder); /* stays if something is in it */
    return AMPHI_OK;
}

AmphiStatus tool_run_clear(const char *dir, AmphiError *err)
{
    char                     log[AMPHI_PATH_SIZE];
    static const char *const files[] = { "report.html",  "final.png",    "energies.gp",
                                         "energies.svg", "energies.png", "profile.gp",
                                         "profile.svg",  "profile.png",  "timings.tsv" };

    AMPHI_TRY(tool_join(dir, "run.log", log, err));
    if (access(log, F_OK) != 0)
        return AMPHI_OK; /* no run has been here: what has such a name is somebody else's */
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        AMPHI_TRY(delete_file(dir, files[k], err));
    AMPHI_TRY(clear_analysis(dir, err));
    return clear_figures(dir, err);
}
