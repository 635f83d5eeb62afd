/* Series and their means. */
#include "series.h"
#include "observing.h"

AmphiStatus amphi_series_open(AmphiSeries *s, AmphiArena *arena, AmphiError *err)
{
    char name[64];

    if (!amphi_blocks_init(&s->blocks, 2 * s->n_columns, arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", s->stem);
    snprintf(name, sizeof name, "%s.tsv", s->stem);
    return amphi_outfile_open(s->place->files, name, s->place->marks, s->place->n_marks, &s->file,
                              err);
}

static AmphiStatus print_heading(AmphiSeries *s, AmphiError *err)
{
    AMPHI_TRY(amphi_heading_print(s->file, s->place, s->about, err));
    for (int32_t k = 0; k < s->n_columns; k++)
        AMPHI_TRY(amphi_outfile_print(s->file, err, "# %s: %s\n", s->column[k].name,
                                      s->column[k].meaning));
    AMPHI_TRY(amphi_outfile_print(s->file, err, "step\ttime_ps"));
    for (int32_t k = 0; k < s->n_columns; k++)
        AMPHI_TRY(amphi_outfile_print(s->file, err, "\t%s", s->column[k].name));
    return amphi_outfile_print(s->file, err, "\n");
}

AmphiStatus amphi_series_add(AmphiSeries *s, const AmphiFrame *f, const double *values,
                             AmphiError *err)
{
    if (amphi_outfile_is_new(s->file))
        AMPHI_TRY(print_heading(s, err));
    AMPHI_TRY(amphi_outfile_print(s->file, err, "%lld\t%.12g", (long long)f->step, f->time_ps));
    for (int32_t k = 0; k < s->n_columns; k++) {
        AMPHI_TRY(amphi_outfile_print(s->file, err, "\t%.12g", values[k]));
        amphi_blocks_add(&s->blocks, 2 * k, values[k], 1);
        amphi_blocks_add(&s->blocks, 2 * k + 1, values[k] * values[k], 1);
    }
    amphi_blocks_next(&s->blocks);
    return amphi_outfile_print(s->file, err, "\n");
}

/* The columns whose error is a rough one. */
static void print_rough(const AmphiSeries *s, const AmphiSeriesRow *row, AmphiSink *sink)
{
    bool any = false;

    for (int32_t k = 0; k < s->n_columns; k++)
        if (amphi_blocks_estimate(&s->blocks, 2 * k, 2 * k + 1).is_rough) {
            amphi_sink_print(sink, any ? " %s" : "# rough errors: %s", s->column[k].name);
            any = true;
        }
    if (row != NULL && row->of.is_rough) {
        amphi_sink_print(sink, any ? " %s" : "# rough errors: %s", row->is.name);
        any = true;
    }
    if (any)
        amphi_sink_print(sink, ": too few frames, or correlated for too much of the run\n");
}

AmphiStatus amphi_series_write_means(const AmphiSeries *s, const AmphiSeriesRow *row,
                                     AmphiError *err)
{
    AmphiTable t;
    char       name[64];

    snprintf(name, sizeof name, "%s-mean.tsv", s->stem);
    if (s->blocks.count->frames == 0)
        return amphi_table_drop(s->place, name, err);
    amphi_table_begin(&t, s->place, name, s->about);
    amphi_sink_print(&t.sink, "# frames: %lld\n", (long long)s->blocks.count->frames);
    amphi_sink_print(&t.sink,
                     "# error: standard error from %lld blocks of %lld frames\n"
                     "# independent: samples that would give this error; nan: nothing varies, or "
                     "too few frames\n",
                     (long long)s->blocks.count->n_full,
                     (long long)s->blocks.count->frames_a_block);
    print_rough(s, row, &t.sink);
    if (row != NULL)
        amphi_sink_print(&t.sink, "# %s: %s\n", row->is.name, row->is.meaning);
    amphi_sink_print(&t.sink, "quantity\tmean\terror\tindependent\n");
    for (int32_t k = 0; k < s->n_columns; k++) {
        const AmphiBlockEstimate e = amphi_blocks_estimate(&s->blocks, 2 * k, 2 * k + 1);

        amphi_sink_print(&t.sink, "%s\t%.10g\t%.3g\t%.3g\n", s->column[k].name,
                         amphi_blocks_mean(&s->blocks, 2 * k), e.error, e.independent);
    }
    if (row != NULL)
        amphi_sink_print(&t.sink, "%s\t%.10g\t%.3g\t%.3g\n", row->is.name, row->of.value,
                         row->of.error, row->independent);
    return amphi_sink_close(&t.sink, err);
}
