/* The files of a comparison: compare.tsv, compare.json, and a table for each curve. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/formats/sink.h"
#include "../engine/version.h"
#include "command.h"
#include "compare_report.h"

static void print_head(AmphiSink *sink, const CompareReport *r, const char *about)
{
    amphi_sink_print(sink, "# amphi %s, compare ", AMPHI_VERSION);
    amphi_sink_text(sink, r->system);
    amphi_sink_print(sink, "\n# start: ");
    amphi_sink_text(sink, r->start);
    amphi_sink_print(sink, "\n# ");
    amphi_sink_text(sink, about);
    amphi_sink_print(sink, "\n");
}

static void print_number(AmphiSink *sink, double value)
{
    if (isfinite(value))
        amphi_sink_print(sink, "\t%.17g", value);
    else
        amphi_sink_print(sink, "\tnan");
}

static void print_modes(AmphiSink *sink, const CompareReport *r)
{
    for (int32_t k = 0; k < r->n_modes; k++) {
        amphi_sink_print(sink, "\t");
        for (const char *c = r->mode[k]; *c != '\0'; c++)
            amphi_sink_print(sink, "%c", *c == ' ' ? '_' : *c);
    }
    amphi_sink_print(sink, "\n");
}

static void print_table(AmphiSink *sink, const CompareReport *r)
{
    print_head(sink, r, "one row a quantity, one column a mode; nan: not known");
    amphi_sink_print(sink, "part\tquantity\tunit");
    print_modes(sink, r);
    for (int32_t i = 0; i < r->n_rows; i++) {
        const CompareRow *const row = &r->row[i];

        amphi_sink_print(sink, "%s\t", r->part[row->part].name);
        amphi_sink_text(sink, row->quantity);
        amphi_sink_print(sink, "\t%s", row->unit);
        for (int32_t k = 0; k < r->n_modes; k++) {
            if (!row->has_text)
                print_number(sink, row->value[k]);
            else {
                amphi_sink_print(sink, "\t");
                amphi_sink_text(sink, row->text[k] != NULL ? row->text[k] : "nan");
            }
        }
        amphi_sink_print(sink, "\n");
    }
}

static void print_curve(AmphiSink *sink, const CompareReport *r, const CompareCurve *c)
{
    print_head(sink, r, c->about);
    amphi_sink_print(sink, "# %s, unit: %s\n%s", c->y_name, c->unit, c->x_name);
    print_modes(sink, r);
    for (int64_t i = 0; i < c->n; i++) {
        amphi_sink_print(sink, "%.17g", c->x[i]);
        for (int32_t k = 0; k < r->n_modes; k++)
            print_number(sink, c->y[k][i]);
        amphi_sink_print(sink, "\n");
    }
}

/* The JSON lines as one array, so that the file is JSON, too. */
static void print_json(AmphiSink *sink, const CompareReport *r)
{
    char       *lines = NULL;
    size_t      n     = 0;
    FILE *const file  = open_memstream(&lines, &n);

    if (file != NULL)
        compare_print_json(r, file);
    if (file == NULL || fclose(file) != 0) {
        amphi_sink_fail(sink, AMPHI_NO_MEMORY, "compare.json: no memory");
        free(lines);
        return;
    }
    amphi_sink_print(sink, "[\n");
    for (size_t at = 0; at < n;) {
        const size_t length = strcspn(lines + at, "\n");

        amphi_sink_bytes(sink, lines + at, length);
        at += length + 1;
        amphi_sink_print(sink, at < n ? ",\n" : "\n");
    }
    amphi_sink_print(sink, "]\n");
    free(lines);
}

/* which: -2 the table, -1 the JSON, else a curve. */
static AmphiStatus write_one(const CompareReport *r, const char *folder, int32_t which,
                             AmphiError *err)
{
    char      name[96], path[AMPHI_PATH_SIZE];
    AmphiSink sink;

    snprintf(name, sizeof name, "%s%s", which < 0 ? "compare" : r->curve[which].name,
             which == -1 ? ".json" : ".tsv");
    AMPHI_TRY(tool_join(folder, name, path, err));
    amphi_sink_open(&sink, path);
    if (which == -2)
        print_table(&sink, r);
    else if (which == -1)
        print_json(&sink, r);
    else
        print_curve(&sink, r, &r->curve[which]);
    return amphi_sink_close(&sink, err);
}

AmphiStatus compare_write(const CompareReport *r, const char *folder, AmphiError *err)
{
    AMPHI_TRY(tool_make_folder(folder, err));
    for (int32_t k = -2; k < r->n_curves; k++)
        AMPHI_TRY(write_one(r, folder, k, err));
    return AMPHI_OK;
}
