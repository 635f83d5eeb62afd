/* Beginning and end of gnuplot scripts, and how they are executed. */
#include "gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "launch.h"

/* ---- reading ---- */

static void split_heading(ToolTable *t)
{
    char *rest = t->heading;

    for (char *word                                              = strtok_r(rest, "\t\n", &rest);
         word != NULL && t->n_columns < TOOL_TABLE_COLUMNS; word = strtok_r(NULL, "\t\n", &rest))
        t->column[t->n_columns++] = word;
}

static void read_line(ToolTable *t, const char *line)
{
    const char *const second = strchr(line, '\t');

    if (line[0] == '#')
        return;
    if (t->n_columns == 0) {
        memcpy(t->heading, line, strlen(line) + 1);
        split_heading(t);
        return;
    }
    t->last_time_ps = second == NULL ? 0 : strtod(second, NULL);
    if (t->n_lines++ == 0)
        t->first_time_ps = t->last_time_ps;
}

AmphiStatus tool_table_look(const char *path, ToolTable *t, AmphiError *err)
{
    FILE *const in = fopen(path, "r");
    char        line[TOOL_TABLE_LINE];

    *t = (ToolTable){ .n_columns = 0 };
    if (in == NULL && errno == ENOENT)
        return AMPHI_OK;
    if (in == NULL)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, in) != NULL)
        read_line(t, line);
    const bool is_bad = ferror(in) != 0;
    fclose(in);
    return is_bad ? amphi_fail(err, AMPHI_BAD_FILE, "%.400s: it cannot be read", path) : AMPHI_OK;
}

bool tool_table_has(const ToolTable *t, const char *name)
{
    for (int k = 0; k < t->n_columns; k++)
        if (strcmp(t->column[k], name) == 0)
            return true;
    return false;
}

bool tool_table_is_term(const char *column)
{
    static const char *const others[] = { "step",     "time_ps",     "stage",    "potential",
                                          "kinetic_", "temperature", "pressure", "box_",
                                          "heat",     "work",        "conserved" };

    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strncmp(column, others[k], strlen(others[k])) == 0)
            return false;
    return true;
}

/* ---- scripts ---- */

/* gnuplot's own colours for people who do not see all of them: Okabe & Ito. */
static const char common[] = "set datafile separator tab\n"
                             "set datafile missing 'nan'\n"
                             "set encoding utf8\n"
                             "set border 3 lc rgb '#404040'\n"
                             "set tics nomirror out scale 0.6\n"
                             "set grid y lc rgb '#e4e4e4' lt 1\n"
                             "set linetype 1 lc rgb '#0072b2'\n"
                             "set linetype 2 lc rgb '#d55e00'\n"
                             "set linetype 3 lc rgb '#009e73'\n"
                             "set linetype 4 lc rgb '#cc79a7'\n"
                             "set linetype 5 lc rgb '#e69f00'\n"
                             "set linetype 6 lc rgb '#56b4e9'\n"
                             "set linetype 7 lc rgb '#000000'\n"
                             "set linetype 8 lc rgb '#999933'\n"
                             "set linetype cycle 8\n"
                             "set format y '%.6g'\n";

/* A block of data cannot stand in a loop: only pictures of two kinds have one. */
static void begin_kinds(AmphiSink *s, const ToolPicture *p)
{
    const char *const font = "font 'sans-serif,13' background '#ffffff'";

    if (strchr(p->kinds, ' ') == NULL) {
        amphi_sink_print(s, "kind = '%s'\nset terminal svg size %d,%d %s\n", p->kinds, p->width,
                         p->height, font);
        return;
    }
    amphi_sink_print(s,
                     "do for [kind in '%s'] {\n"
                     "if (kind eq 'svg') { set terminal svg size %d,%d %s }\n"
                     "if (kind eq 'png') { set terminal pngcairo size %d,%d font 'sans,11' }\n",
                     p->kinds, p->width, p->height, font, p->width, p->height);
}

void tool_gnuplot_begin(AmphiSink *s, const ToolPicture *p)
{
    const int ending = (int)strlen(p->name) + 3;

    amphi_sink_print(s, "# gnuplot -c %s.gp\n", p->name);
    amphi_sink_print(s,
                     "here = exists('ARG0') && strlen(ARG0) > %d ? ARG0[1:strlen(ARG0)-%d] : ''\n",
                     ending, ending);
    amphi_sink_print(s, "%s", common);
    begin_kinds(s, p);
    amphi_sink_print(s, "set output here.'%s.'.kind\nset multiplot layout %d,%d\n", p->name,
                     p->rows, p->columns);
}

AmphiStatus tool_gnuplot_end(const ToolPicture *p, AmphiSink *s, AmphiError *err)
{
    amphi_sink_print(s, "unset multiplot\nset output\n%s",
                     strchr(p->kinds, ' ') != NULL ? "}\n" : "");
    return amphi_sink_close(s, err);
}

void tool_gnuplot_curve(AmphiSink *s, int *n_curves)
{
    amphi_sink_print(s, "%s", *n_curves == 0 ? "plot " : ", \\\n     ");
    (*n_curves)++;
}

void tool_gnuplot_text(AmphiSink *s, const char *text)
{
    amphi_sink_bytes(s, "'", 1);
    for (; *text != '\0'; text++) {
        char one[2] = { (unsigned char)*text < ' ' ? ' ' : *text, '\0' };

        amphi_sink_bytes(s, *text == '\'' ? "''" : one, *text == '\'' ? 2 : 1);
    }
    amphi_sink_bytes(s, "'", 1);
}

/* Is this text among the last bytes of a file? */
static bool ends_with(FILE *in, const char *end)
{
    char         last[16];
    const size_t n = strlen(end);
    size_t       has;

    if (fseek(in, -(long)sizeof last, SEEK_END) != 0)
        return false;
    has = fread(last, 1, sizeof last, in);
    for (size_t k = 0; k + n <= has; k++)
        if (memcmp(last + k, end, n) == 0)
            return true;
    return false;
}

/* gnuplot says nothing when a disk is full. A picture that is not there is no fault; one without
 * its end is removed. */
static AmphiStatus check_end(const char *folder, const char *name, const char *kind,
                             const char *end, AmphiError *err)
{
    char  path[AMPHI_PATH_SIZE], file[TOOL_FIGURE_SIZE];
    FILE *in;

    snprintf(file, sizeof file, "%s.%s", name, kind);
    AMPHI_TRY(tool_join(folder, file, path, err));
    in = fopen(path, "rb");
    if (in == NULL)
        return AMPHI_OK;

    const bool is_whole = ends_with(in, end);

    fclose(in);
    if (is_whole)
        return AMPHI_OK;
    (void)remove(path);
    return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: not all of it was written: is the disk full?",
                      path);
}

AmphiStatus tool_gnuplot_draw(const char *folder, const char *name, AmphiError *err)
{
    char  program[] = "gnuplot", call[] = "-c", script[TOOL_FIGURE_SIZE];
    char *arguments[] = { program, call, script, NULL };
    int   code        = 0;

    snprintf(script, sizeof script, "%s.gp", name);
    AMPHI_TRY(tool_launch(arguments, folder, "gnuplot-nox", &code, err));
    if (code != 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s/%s: gnuplot failed to draw it", folder,
                          script);
    AMPHI_TRY(check_end(folder, name, "png", "IEND", err));
    return check_end(folder, name, "svg", "</svg>", err);
}
