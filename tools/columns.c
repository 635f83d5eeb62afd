/* Reads a table line by line, since it may be larger than memory, and writes some of its columns.
 */
#include "columns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/formats/sink.h"
#include "command.h"
#include "print.h"

enum { MOST_COLUMNS = 256, LINE_SIZE = 16384, NAMES_SIZE = 360 };

/* A line cut into its cells. */
typedef struct {
    char    text[LINE_SIZE];
    int64_t number; /* in the file, from 1 */
    bool    is_whole;
    int     n_cells;
    char   *cell[MOST_COLUMNS];
} Row;

typedef struct {
    const ToolCall *call;
    const char     *from;
    FILE           *in;
    AmphiSink      *sink; /* NULL: standard output */
    Row             heading, row;
    int             n_wanted;
    int             wanted[MOST_COLUMNS]; /* [n_wanted] columns of the table */
} Table;

/* ---- reading ---- */

static AmphiStatus fail_form(const Table *t, const Row *row, const char *what, AmphiError *err)
{
    return amphi_fail(err, AMPHI_BAD_INPUT, "%.300s:%" PRId64 ": %s", t->from, row->number, what);
}

/* Cells beyond the most are counted. */
static void cut(Row *row)
{
    char *at = row->text;

    for (row->n_cells = 0; at != NULL; row->n_cells++) {
        char *const tab = strchr(at, '\t');

        if (row->n_cells < MOST_COLUMNS)
            row->cell[row->n_cells] = at;
        if (tab != NULL)
            *tab = '\0';
        at = tab != NULL ? tab + 1 : NULL;
    }
}

/* The next line that is no comment; *there is false at the end. */
static AmphiStatus read_row(Table *t, Row *row, bool *there, AmphiError *err)
{
    do {
        *there = fgets(row->text, sizeof row->text, t->in) != NULL;
        if (!*there)
            return ferror(t->in) != 0
                       ? amphi_fail(err, AMPHI_BAD_FILE, "%.300s: %s", t->from, strerror(errno))
                       : AMPHI_OK;
        row->number++;
        row->is_whole = strchr(row->text, '\n') != NULL;
        if (!row->is_whole && feof(t->in) == 0)
            return fail_form(t, row,
                             strlen(row->text) + 1 == sizeof row->text
                                 ? "the line is too long for a table of amphi"
                                 : "a byte 0, which no text has: the file is damaged",
                             err);
    } while (row->text[0] == '#');
    row->text[strcspn(row->text, "\r\n")] = '\0';
    cut(row);
    return AMPHI_OK;
}

/* ---- which columns ---- */

/* The names that there are, as far as they fit. */
static void list_names(const Row *heading, char text[NAMES_SIZE])
{
    size_t n = (size_t)snprintf(text, NAMES_SIZE, "it has");

    for (int k = 0; k < heading->n_cells; k++) {
        char         safe[64];
        const size_t left = NAMES_SIZE - n;

        tool_harmless(heading->cell[k], safe, sizeof safe);
        if (strlen(safe) + sizeof " ..." >= left) {
            snprintf(text + n, left, " ...");
            return;
        }
        n += (size_t)snprintf(text + n, left, " %s", safe);
    }
}

static AmphiStatus fail_column(const Table *t, const char *name, AmphiError *err)
{
    const char *known[MOST_COLUMNS];
    char        text[128], all[NAMES_SIZE];

    for (int k = 0; k < t->heading.n_cells; k++)
        known[k] = t->heading.cell[k];
    snprintf(text, sizeof text, "%.60s has no column \"%.40s\"", t->from, name);
    list_names(&t->heading, all);
    return tool_fail_near(err, text, name, known, t->heading.n_cells, all);
}

static AmphiStatus choose_column(Table *t, const char *name, AmphiError *err)
{
    int k = 0;

    while (k < t->heading.n_cells && strcmp(t->heading.cell[k], name) != 0)
        k++;
    if (k == t->heading.n_cells)
        return fail_column(t, name, err);
    if (t->n_wanted == MOST_COLUMNS)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--column: more than %d columns", MOST_COLUMNS);
    t->wanted[t->n_wanted++] = k;
    return AMPHI_OK;
}

static AmphiStatus choose_columns(Table *t, const char *names, AmphiError *err)
{
    for (const char *at = names; at != NULL;) {
        const char *const comma  = strchr(at, ',');
        const int         length = comma != NULL ? (int)(comma - at) : (int)strlen(at);
        char              name[256];

        snprintf(name, sizeof name, "%.*s", length, at);
        AMPHI_TRY(choose_column(t, name, err));
        at = comma != NULL ? comma + 1 : NULL;
    }
    return AMPHI_OK;
}

/* ---- writing ---- */

static AmphiStatus check_number(const Table *t, int k, AmphiError *err)
{
    const char *const cell = t->row.cell[k];
    char             *end  = NULL;
    char              safe[40], what[128];

    strtod(cell, &end);
    if (end != cell && *end == '\0')
        return AMPHI_OK;
    snprintf(what, sizeof what, "\"%s\" in column %.40s is no number",
             tool_harmless(cell, safe, sizeof safe), t->heading.cell[k]);
    return fail_form(t, &t->row, what, err);
}

static void show_json(const Table *t)
{
    ToolJson json = tool_json_begin(t->call->out, "row");

    for (int w = 0; w < t->n_wanted; w++)
        tool_json_number(&json, t->heading.cell[t->wanted[w]],
                         strtod(t->row.cell[t->wanted[w]], NULL));
    tool_json_end(&json);
}

static void show_text(const Table *t)
{
    for (int w = 0; w < t->n_wanted; w++) {
        const char *const cell = t->row.cell[t->wanted[w]];
        const char *const end  = w + 1 < t->n_wanted ? " " : "\n";

        if (t->sink != NULL)
            amphi_sink_print(t->sink, "%s%s", cell, end);
        else
            fprintf(t->call->out, "%s%s", cell, end);
    }
}

static AmphiStatus write_row(const Table *t, AmphiError *err)
{
    if (t->row.n_cells != t->heading.n_cells)
        return fail_form(t, &t->row, "the row has not as many cells as the heading", err);
    for (int w = 0; w < t->n_wanted; w++)
        AMPHI_TRY(check_number(t, t->wanted[w], err));
    if (t->sink == NULL && tool_has(t->call, "json"))
        show_json(t);
    else
        show_text(t);
    return AMPHI_OK;
}

static AmphiStatus copy_columns(Table *t, const char *names, AmphiError *err)
{
    bool there = false;

    AMPHI_TRY(read_row(t, &t->heading, &there, err));
    if (!there || !t->heading.is_whole)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%.300s: there is no line with names of columns",
                          t->from);
    if (t->heading.n_cells > MOST_COLUMNS)
        return fail_form(t, &t->heading, "more columns than the 256 that are read", err);
    AMPHI_TRY(choose_columns(t, names, err));
    t->row.number = t->heading.number;
    for (;;) {
        AMPHI_TRY(read_row(t, &t->row, &there, err));
        if (!there)
            return AMPHI_OK;
        if (!t->row.is_whole)
            tool_remark(t->call, "%.300s:%" PRId64 ": left out, for the line has no end", t->from,
                        t->row.number);
        else
            AMPHI_TRY(write_row(t, err));
    }
}

AmphiStatus tool_columns_write(const ToolCall *call, const char *from, const char *names,
                               const char *to, AmphiError *err)
{
    AmphiSink sink;

    if (to != NULL && tool_is_same_file(from, to))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "%.300s: the table itself, of which only the columns would be left\n"
                          "    write: -o with another name",
                          to);

    Table t = { .call = call, .from = from, .in = fopen(from, "rb") };

    if (t.in == NULL)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.300s: %s", from, strerror(errno));
    if (to != NULL) {
        amphi_sink_open(&sink, to);
        t.sink = &sink;
    }
    AmphiStatus status = copy_columns(&t, names, err);
    fclose(t.in);
    if (to == NULL)
        return status;
    if (status != AMPHI_OK)
        amphi_sink_fail(&sink, status, "%.200s", err->text);

    const AmphiStatus closed = amphi_sink_close(&sink, status == AMPHI_OK ? err : NULL);
    return status == AMPHI_OK ? closed : status;
}
