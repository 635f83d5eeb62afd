/* Tables of a run, and those that LAMMPS leaves in its log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

enum { MOST_COLUMNS = 64, MOST_LINE = 16384 };

void table_free(Table *t)
{
    if (t == NULL)
        return;
    for (int32_t c = 0; c < t->n_columns; c++)
        free(t->name[c]);
    free(t->name);
    free(t->cell);
    free(t);
}

static bool take_names(Table *t, char *line)
{
    t->name = calloc(MOST_COLUMNS, sizeof *t->name);
    for (char *word = t->name == NULL ? NULL : strtok(line, " \t\n");
         word != NULL && t->n_columns < MOST_COLUMNS; word = strtok(NULL, " \t\n"))
        if ((t->name[t->n_columns] = strdup(word)) != NULL)
            t->n_columns++;
    return t->n_columns > 0;
}

/* False: not a row of numbers, as many as there are names. */
static bool take_row(Table *t, const char *line)
{
    double row[MOST_COLUMNS];
    char  *end = NULL;

    for (int32_t c = 0; c < t->n_columns; c++, line = end) {
        row[c] = strtod(line, &end);
        if (end == line)
            return false;
    }
    if (end[strspn(end, " \t\r\n")] != '\0')
        return false;
    /* doubles its room at each power of two */
    if ((t->n_rows & (t->n_rows - 1)) == 0) {
        const size_t rows = t->n_rows == 0 ? 1 : 2 * (size_t)t->n_rows;
        double      *more = realloc(t->cell, rows * (size_t)t->n_columns * sizeof *more);

        if (more == NULL)
            return false;
        t->cell = more;
    }
    memcpy(t->cell + t->n_rows++ * t->n_columns, row, (size_t)t->n_columns * sizeof *row);
    return true;
}

static Table *read_file(const char *path, bool is_log)
{
    FILE *const  file = fopen(path, "r");
    Table *const t    = file == NULL ? NULL : calloc(1, sizeof *t);
    static char  line[MOST_LINE];
    bool         is_within = false;

    while (t != NULL && fgets(line, sizeof line, file) != NULL) {
        if (is_log && strncmp(line, "Step ", 5) == 0 && t->name == NULL)
            is_within = take_names(t, line);
        else if (is_log && is_within)
            is_within = take_row(t, line);
        else if (!is_log && line[0] != '#' && t->name == NULL)
            take_names(t, line);
        else if (!is_log && line[0] != '#')
            take_row(t, line);
    }
    if (file != NULL)
        fclose(file);
    if (t != NULL && t->n_rows > 0)
        return t;
    table_free(t);
    return NULL;
}

Table *table_read(const char *path)
{
    return read_file(path, false);
}

Table *table_read_lammps(const char *path)
{
    return read_file(path, true);
}

int32_t table_column(const Table *t, const char *name)
{
    for (int32_t c = 0; t != NULL && c < t->n_columns; c++)
        if (strcmp(t->name[c], name) == 0)
            return c;
    return -1;
}

double *table_take(const Table *t, const char *name, const char *key, double least, int64_t *n)
{
    const int32_t c = table_column(t, name), of_key = table_column(t, key);
    double *const x = calloc(t == NULL ? 1 : (size_t)t->n_rows, sizeof *x);

    *n = 0;
    for (int64_t r = 0; x != NULL && of_key >= 0 && r < t->n_rows; r++)
        if (t->cell[r * t->n_columns + of_key] >= least)
            x[(*n)++] = c < 0 ? (double)NAN : t->cell[r * t->n_columns + c];
    return x;
}
