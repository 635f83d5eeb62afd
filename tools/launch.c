/* Starting another program and waiting for it. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

AmphiStatus tool_launch(char *const *arguments, const char *folder, const char *package, int *code,
                        AmphiError *err)
{
    const char *const          program = arguments[0];
    pid_t                      child   = 0;
    int                        end     = 0;
    posix_spawn_file_actions_t quiet;

    if (posix_spawn_file_actions_init(&quiet) != 0)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to start %s", program);
    posix_spawn_file_actions_addchdir_np(&quiet, folder);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&quiet, STDOUT_FILENO, STDERR_FILENO);
    const int fault = posix_spawnp(&child, program, &quiet, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);

    while (fault == 0 && waitpid(child, &end, 0) < 0)
        if (errno != EINTR)
            return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", program, strerror(errno));
    if (fault == ENOENT || (fault == 0 && WIFEXITED(end) && WEXITSTATUS(end) == 127))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "no picture: the program %s is missing; install the Debian package %s",
                          program, package);
    if (fault != 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", program, strerror(fault));
    *code = WIFEXITED(end) ? WEXITSTATUS(end) : -1;
    return AMPHI_OK;
}
