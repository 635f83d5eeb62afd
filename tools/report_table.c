/* Readers of the files of a run. Files are not trusted: lines of an unexpected form are skipped. */
#include "report_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { MOST_BYTES = 4 << 20, MOST_OF_LINE = 1 << 16, STAMP = 21 }; /* "2026-01-02 03:04:05  " */

/* ---- lines ---- */

static char *read_text(const char *path, AmphiArena *arena)
{
    FILE *const in   = fopen(path, "rb");
    char       *text = NULL;
    long        size = -1;

    if (in == NULL)
        return NULL;
    if (fseek(in, 0, SEEK_END) == 0)
        size = ftell(in);
    if (size > MOST_BYTES)
        size = MOST_BYTES;
    if (size >= 0 && fseek(in, 0, SEEK_SET) == 0)
        text = amphi_arena_take(arena, size + 1, 1);
    if (text != NULL)
        text[fread(text, 1, (size_t)size, in)] = '\0';
    fclose(in);
    return text;
}

static int32_t count_lines(const char *text)
{
    int32_t n = 0;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n + 1;
}

ReportLines report_lines(const char *dir, const char *name, AmphiArena *arena)
{
    char        path[AMPHI_PATH_SIZE];
    AmphiError  err   = { .status = AMPHI_OK };
    ReportLines lines = { .n = 0 };
    char *const text = tool_join(dir, name, path, &err) == AMPHI_OK ? read_text(path, arena) : NULL;

    if (text == NULL)
        return lines;
    lines.line = AMPHI_TAKE(arena, char *, count_lines(text));
    if (lines.line == NULL)
        return lines;
    for (char *at = text; *at != '\0';) {
        char *const end     = at + strcspn(at, "\n");
        const bool  is_last = *end == '\0';

        *end                  = '\0';
        lines.line[lines.n++] = at;
        at                    = is_last ? end : end + 1;
    }
    return lines;
}

/* ---- tables ---- */

/* Cuts a line at its tabs; how many cells, at most `most`. */
static int32_t split(char *line, const char **cell, int32_t most)
{
    int32_t n = 0;

    for (char *at = line; n < most; n++) {
        char *const end     = at + strcspn(at, "\t");
        const bool  is_last = *end == '\0';

        *end    = '\0';
        cell[n] = at;
        if (is_last)
            return n + 1;
        at = end + 1;
    }
    return n + 1; /* more than there is room for */
}

bool report_table(const char *dir, const char *name, AmphiArena *arena, ReportTable *t)
{
    const ReportLines lines   = report_lines(dir, name, arena);
    const int32_t     n_lines = lines.n < REPORT_ROWS ? lines.n : REPORT_ROWS;

    *t               = (ReportTable){ .n_columns = 0 };
    t->comments.line = AMPHI_TAKE(arena, char *, n_lines + 1);
    for (int32_t k = 0; t->comments.line != NULL && k < n_lines; k++) {
        char *const line = lines.line[k];

        if (line[0] == '#')
            t->comments.line[t->comments.n++] = line + 1 + (line[1] == ' ');
        else if (t->n_columns == 0) {
            t->n_columns = split(line, t->head, REPORT_COLUMNS);
            t->cell      = t->n_columns <= REPORT_COLUMNS
                               ? AMPHI_TAKE(arena, const char *, (int64_t)t->n_columns *n_lines)
                               : NULL;
            if (t->cell == NULL)
                return false;
        } else if (split(line, &t->cell[(int64_t)t->n_rows * t->n_columns], t->n_columns) ==
                   t->n_columns)
            t->n_rows++;
    }
    return t->n_rows > 0;
}

static int32_t find_column(const ReportTable *t, const char *column)
{
    for (int32_t k = 0; k < t->n_columns; k++)
        if (strcmp(t->head[k], column) == 0)
            return k;
    return -1;
}

bool report_has(const ReportTable *t, const char *column)
{
    return find_column(t, column) >= 0;
}

const char *report_cell(const ReportTable *t, int32_t row, const char *column)
{
    const int32_t k = find_column(t, column);

    return k >= 0 && row >= 0 && row < t->n_rows ? t->cell[(int64_t)row * t->n_columns + k] : NULL;
}

double report_number(const ReportTable *t, int32_t row, const char *column)
{
    const char *const cell = report_cell(t, row, column);
    char             *end  = NULL;
    const double      x    = cell != NULL ? strtod(cell, &end) : 0;

    return cell != NULL && end != cell ? x : (double)NAN;
}

const char *report_comment(const ReportTable *t, const char *key)
{
    const size_t n = strlen(key);

    for (int32_t k = 0; k < t->comments.n; k++)
        if (strncmp(t->comments.line[k], key, n) == 0 && t->comments.line[k][n] == ':')
            return t->comments.line[k] + n + 1 + (t->comments.line[k][n + 1] == ' ');
    return NULL;
}

int32_t report_row(const ReportTable *t, const char *value)
{
    for (int32_t row = 0; row < t->n_rows; row++)
        if (strcmp(t->cell[(int64_t)row * t->n_columns], value) == 0)
            return row;
    return -1;
}

/* ---- status.json: one flat object, as json.c writes it ---- */

static const char *find_value(const char *json, const char *key)
{
    char        quoted[64];
    const char *at;

    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = strstr(json, quoted);
    return at != NULL ? at + strlen(quoted) : NULL;
}

static double find_number(const char *json, const char *key)
{
    const char *const at  = find_value(json, key);
    char             *end = NULL;
    const double      x   = at != NULL ? strtod(at, &end) : 0;

    return at != NULL && end != at ? x : (double)NAN;
}

/* Escapes of one letter are undone; \u... is shown as it stands. */
static void find_text(const char *json, const char *key, char *text, size_t size)
{
    const char *at = find_value(json, key);
    size_t      n  = 0;

    text[0] = '\0';
    if (at == NULL || *at != '"')
        return;
    for (at++; *at != '\0' && *at != '"' && n + 1 < size; at++) {
        if (*at == '\\' && (at[1] == '"' || at[1] == '\\'))
            at++;
        text[n++] = *at;
    }
    text[n] = '\0';
}

ReportStatus report_status(const char *dir, AmphiArena *arena)
{
    const ReportLines lines = report_lines(dir, "status.json", arena);
    const char *const json  = lines.n > 0 ? lines.line[0] : "";
    ReportStatus      s     = { .is_there = lines.n > 0 };

    find_text(json, "state", s.state, sizeof s.state);
    find_text(json, "stage", s.stage, sizeof s.stage);
    find_text(json, "backend", s.backend, sizeof s.backend);
    find_text(json, "amphi", s.version, sizeof s.version);
    s.step          = find_number(json, "step");
    s.n_steps       = find_number(json, "steps");
    s.time_ps       = find_number(json, "time_ps");
    s.ns_per_day    = find_number(json, "ns_per_day");
    s.drift         = find_number(json, "drift_kT_ns_dof");
    s.drift_error   = find_number(json, "drift_error");
    s.drift_samples = find_number(json, "drift_samples");
    s.wall_s        = find_number(json, "wall_s");
    s.memory_MB     = find_number(json, "memory_MB");
    return s;
}

/* ---- run.log ---- */

/* A line with the time of day in front; others go on with the one before. */
static bool is_stamped(const char *line)
{
    static const char form[] = "dddd-dd-dd dd:dd:dd  ";

    for (int k = 0; k < STAMP; k++)
        if (form[k] == 'd' ? line[k] < '0' || line[k] > '9' : line[k] != form[k])
            return false;
    return true;
}

/* What stands behind a word at the beginning of a line; NULL: it begins otherwise. */
static const char *behind(const char *line, const char *word)
{
    const size_t n = strlen(word);

    return strncmp(line, word, n) == 0 ? line + n : NULL;
}

/* "": no memory. */
static const char *copy_of(const char *text, AmphiArena *arena)
{
    const char *const copy = amphi_arena_print(arena, "%s", text);

    return copy != NULL ? copy : "";
}

static void begin_log(ReportLog *log, const char *line, const char *text, AmphiArena *arena)
{
    const char *const comma = strstr(text, ", input ");
    const ReportLog   past  = *log;

    *log = (ReportLog){ "",
                        "",
                        "",
                        "",
                        "",
                        "",
                        "",
                        .n_beginnings = past.n_beginnings + 1,
                        .n_before     = past.n_minimised };
    memcpy(log->minimised, past.minimised, sizeof log->minimised);
    if (comma == NULL)
        return;
    log->version = amphi_arena_print(arena, "%.*s", (int)(comma - text), text);
    log->input   = copy_of(comma + strlen(", input "), arena);
    log->began   = amphi_arena_print(arena, "%.19s", line);
}

static void keep(const char **list, int32_t *n, const char *text, AmphiArena *arena)
{
    if (*n < REPORT_SEEDS)
        list[(*n)++] = copy_of(text, arena);
}

static void read_log_line(ReportLog *log, const char *line, AmphiArena *arena)
{
    const char *const text = line + STAMP;
    const char       *rest;

    if (behind(text, "amphi ") != NULL && strstr(text, ", input ") != NULL)
        begin_log(log, line, text, arena);
    else if ((rest = behind(text, "command ")) != NULL)
        log->command = copy_of(rest, arena);
    else if ((rest = behind(text, "machine ")) != NULL)
        log->machine = copy_of(rest, arena);
    else if ((rest = behind(text, "option ")) != NULL)
        keep(log->option, &log->n_options, rest, arena);
    else if ((rest = behind(text, "override ")) != NULL)
        keep(log->override, &log->n_overrides, rest, arena);
    else if ((rest = behind(text, "stage ")) != NULL && strstr(rest, ", seed ") != NULL)
        keep(log->seed, &log->n_seeds, rest, arena);
    else if ((rest = behind(text, "minimised ")) != NULL)
        keep(log->minimised, &log->n_minimised, rest, arena);
    else if (behind(text, "goes on from ") != NULL || behind(text, "done already, ") != NULL)
        log->n_minimised = log->n_before; /* those before are of this run, too */
    else if ((rest = behind(text, "state ")) != NULL)
        log->state = copy_of(rest, arena);
    else if ((rest = behind(text, "error: ")) != NULL)
        log->error = copy_of(rest, arena);
}

/* is_error: is it of an error, which may go on in the lines behind it? */
static void take_log_line(ReportLog *log, const char *line, bool *is_error, AmphiArena *arena)
{
    const char *more;

    if (is_stamped(line)) {
        read_log_line(log, line, arena);
        *is_error = behind(line + STAMP, "error: ") != NULL;
    } else if (*is_error && strlen(log->error) < MOST_OF_LINE) {
        more       = amphi_arena_print(arena, "%s\n%s", log->error, line);
        log->error = more != NULL ? more : log->error;
    }
}

/* Line by line: that of a run of months has more than anybody wants in memory. */
ReportLog report_log(const char *dir, AmphiArena *arena)
{
    ReportLog   log = { "", "", "", "", "", "", "", .n_options = 0 };
    char        path[AMPHI_PATH_SIZE], line[MOST_OF_LINE];
    AmphiError  err = { .status = AMPHI_OK };
    FILE *const in  = tool_join(dir, "run.log", path, &err) == AMPHI_OK ? fopen(path, "r") : NULL;
    bool        is_error = false, is_rest = false;

    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        const size_t n       = strcspn(line, "\n");
        const bool   is_long = line[n] == '\0' && !feof(in);

        line[n] = '\0';
        if (!is_rest) /* of a line that is longer than any that amphi writes */
            take_log_line(&log, line, &is_error, arena);
        is_rest = is_long;
    }
    if (in != NULL)
        fclose(in);
    log.version = log.version != NULL ? log.version : "";
    log.began   = log.began != NULL ? log.began : "";
    return log;
}

/* ---- input/SHA256SUMS: "hash  name" ---- */

/* Is it the name of a file in input/ or below? Whoever wrote it. */
static bool is_inside(const char *name)
{
    return name[0] != '/' && strcmp(name, "..") != 0 && strncmp(name, "../", 3) != 0 &&
           strstr(name, "/../") == NULL;
}

ReportInput report_input(const char *dir, AmphiArena *arena)
{
    const ReportLines lines = report_lines(dir, "input/SHA256SUMS", arena);
    ReportInput       input = { .n = 0 };

    for (int32_t k = 0; k < lines.n && input.n < REPORT_FILES; k++) {
        char *const blanks = strstr(lines.line[k], "  ");

        if (blanks == NULL || !is_inside(blanks + 2))
            continue;
        *blanks               = '\0';
        input.hash[input.n]   = lines.line[k];
        input.name[input.n++] = blanks + 2;
    }
    return input;
}
