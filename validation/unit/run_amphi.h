/* Runs the program as a user would, and keeps what it wrote. The program is $AMPHI_PROGRAM, or
 * build/amphi seen from build/validation/unit. Everything a test makes lies in one folder, which is
 * removed at the end.
 */
#ifndef AMPHI_VALIDATION_RUN_AMPHI_H
#define AMPHI_VALIDATION_RUN_AMPHI_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../engine/formats/sink.h"

enum { RUN_MOST_WORDS = 24, RUN_MOST_BYTES = 1 << 20 };

typedef struct {
    int  code;                                     /* of the exit; -1: ended by a signal */
    char out[RUN_MOST_BYTES], eye[RUN_MOST_BYTES]; /* standard output, standard error */
} Run;

extern char **environ;

static char run_folder[] = "/tmp/amphi-test-XXXXXX";

/* FOLDER/NAME in one of eight buffers. */
static inline const char *in_folder(const char *name)
{
    static char path[8][AMPHI_PATH_SIZE];
    static int  which = 0;

    which = (which + 1) % 8;
    snprintf(path[which], AMPHI_PATH_SIZE, "%s/%s", run_folder, name);
    return path[which];
}

static inline int make_run_folder(void **state)
{
    (void)state;
    return mkdtemp(run_folder) == NULL;
}

static inline int remove_one(const char *path, const struct stat *about, int kind,
                             struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline int remove_run_folder(void **state)
{
    (void)state;
    return nftw(run_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void read_into(const char *path, char *bytes)
{
    FILE *const file = fopen(path, "rb");

    assert_non_null(file);
    const size_t n = fread(bytes, 1, RUN_MOST_BYTES - 1, file);
    assert_true(n < RUN_MOST_BYTES - 1);
    assert_int_equal(fclose(file), 0);
    bytes[n] = '\0';
}

static inline bool exists(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0;
}

static inline const char *write_text(const char *name, const char *text)
{
    const char *const path = in_folder(name);
    FILE *const       file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *find_program(void)
{
    static char       path[AMPHI_PATH_SIZE + 64];
    char              self[AMPHI_PATH_SIZE];
    const char *const given = getenv("AMPHI_PROGRAM");

    if (given != NULL)
        return given;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n]             = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(path, sizeof path, "%s/../../amphi", self);
    return path;
}

/* Runs `program` with the words of a line (`'` and `"` mean nothing, blanks part). Standard output
 * goes to out_path, or into run->out when it is NULL; out_pipe >= 0 wins over both. */
static inline void run_program(Run *run, const char *program, const char *line,
                               const char *out_path, int out_pipe)
{
    static char                words[8 * AMPHI_PATH_SIZE];
    char                      *argv[RUN_MOST_WORDS + 2] = { NULL };
    int                        argc = 0, status = 0;
    const char *const          out = in_folder(".out");
    const char *const          eye = in_folder(".eye");
    posix_spawn_file_actions_t files;
    pid_t                      child = 0;

    snprintf(words, sizeof words, "%s %s", program, line);
    for (char *rest = words, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        assert_true(argc <= RUN_MOST_WORDS);
        argv[argc++] = word;
    }
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (out_pipe >= 0)
        posix_spawn_file_actions_adddup2(&files, out_pipe, 1);
    else
        posix_spawn_file_actions_addopen(&files, 1, out_path != NULL ? out_path : out,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&files, 2, eye, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_int_equal(posix_spawn(&child, program, &files, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&files);
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    run->code   = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    run->out[0] = '\0';
    if (out_path == NULL && out_pipe < 0)
        read_into(out, run->out);
    read_into(eye, run->eye);
}

/* amphi with these words. The result stands until the next run. */
static inline const Run *amphi(const char *line)
{
    static Run run;

    run_program(&run, find_program(), line, NULL, -1);
    return &run;
}

__attribute__((format(printf, 1, 2))) static inline const Run *amphi_form(const char *form, ...)
{
    char    line[4 * AMPHI_PATH_SIZE];
    va_list values;

    va_start(values, form);
    vsnprintf(line, sizeof line, form, values);
    va_end(values);
    return amphi(line);
}

static inline void check_code(const Run *run, int code)
{
    if (run->code != code)
        fail_msg("exit %d, not %d\n%s%s", run->code, code, run->out, run->eye);
}

static inline void check_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not in it: %s\n%s", part, text);
}

#endif
