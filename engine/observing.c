/* What all observers have in common: opening, saving, headings of tables. */
#include "observing.h"

#include "host.h"

bool amphi_frame_is_due(const AmphiObserverPlan *plan, const AmphiFrame *frame)
{
    if (frame->stage == NULL || frame->stage->ensemble == AMPHI_MINIMISE)
        return false;
    return frame->stage_step % amphi_observer_every(plan, frame->stage) == 0;
}

static AmphiWatcher *watcher_of(AmphiObserver *o)
{
    return (AmphiWatcher *)o;
}

AmphiStatus amphi_observer_open(const AmphiObserverKind *kind, const AmphiObserverPlace *place,
                                const AmphiObserverPlan *plan, AmphiObserver **out, AmphiError *err)
{
    AmphiArena *const    arena = amphi_arena_new();
    AmphiObserver *const o     = arena == NULL ? NULL : amphi_arena_take(arena, 1, kind->size);

    *out = NULL;
    if (o == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", kind->file);
    }
    *watcher_of(o) = (AmphiWatcher){ .kind = kind, .arena = arena, .place = *place, .plan = *plan };

    const AmphiStatus status = kind->prepare(o, err);
    if (status == AMPHI_OK)
        *out = o;
    else
        amphi_observer_close(o);
    return status;
}

void amphi_observer_close(AmphiObserver *o)
{
    if (o != NULL)
        amphi_arena_free(watcher_of(o)->arena);
}

AmphiStatus amphi_observer_see(AmphiObserver *o, const AmphiFrame *frame, AmphiError *err)
{
    const AmphiWatcher *const on = watcher_of(o);

    if (!on->kind->sees_all && !amphi_frame_is_due(&on->plan, frame))
        return AMPHI_OK;
    return on->kind->see(o, frame, err);
}

AmphiStatus amphi_observer_flush(AmphiObserver *o, AmphiError *err)
{
    const AmphiObserverKind *const kind = watcher_of(o)->kind;

    return kind->flush != NULL ? kind->flush(o, err) : AMPHI_OK;
}

AmphiStatus amphi_observer_save(AmphiObserver *o, AmphiBytes *bytes, AmphiError *err)
{
    AmphiPart     part[AMPHI_MOST_PARTS];
    const int32_t n_parts = watcher_of(o)->kind->parts(o, part);

    for (int32_t k = 0; k < n_parts; k++)
        if (!amphi_bytes_add(bytes, part[k].bytes, part[k].n))
            return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save what was measured");
    return AMPHI_OK;
}

AmphiStatus amphi_observer_restore(AmphiObserver *o, const AmphiBytes *bytes, AmphiError *err)
{
    AmphiPart     part[AMPHI_MOST_PARTS];
    const int32_t n_parts = watcher_of(o)->kind->parts(o, part);
    size_t        n = 0, at = 0;

    for (int32_t k = 0; k < n_parts; k++)
        n += part[k].n;
    if (n != bytes->n)
        return amphi_fail(err, AMPHI_BAD_FILE,
                          "what was measured before fills %zu bytes of the checkpoint, and %zu are "
                          "wanted: was <output> changed?",
                          bytes->n, n);
    for (int32_t k = 0; k < n_parts; k++)
        amphi_bytes_take(bytes, &at, part[k].bytes, part[k].n);
    return AMPHI_OK;
}

void amphi_table_begin(AmphiTable *t, const AmphiObserverPlace *place, const char *name,
                       const char *about)
{
    *t = (AmphiTable){ .path = "" };
    snprintf(t->path, sizeof t->path, "%s/%s", place->dir, name);
    amphi_sink_open(&t->sink, t->path);
    amphi_sink_print(&t->sink, "# ");
    amphi_sink_text(&t->sink, place->heading);
    amphi_sink_print(&t->sink, "\n# ");
    for (; *about != '\0'; about++)
        amphi_sink_print(&t->sink, *about == '\n' ? "\n# " : "%c", *about);
    amphi_sink_print(&t->sink, "\n");
}

AmphiStatus amphi_heading_print(AmphiOutfile *file, const AmphiObserverPlace *place,
                                const char *about, AmphiError *err)
{
    AMPHI_TRY(amphi_outfile_print(file, err, "# %s\n# ", place->heading));
    for (; *about != '\0'; about++)
        AMPHI_TRY(amphi_outfile_print(file, err, *about == '\n' ? "\n# " : "%c", *about));
    return amphi_outfile_print(file, err, "\n");
}
