/* DCD, written: little endian, with unit cell, a frame at a time. The counts in the header follow
 * each frame, so a file cut anywhere is right up to its last whole frame.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dcd.h"
#include "dcd_layout.h"
#include "sink.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie");

static AmphiStatus fail_by_errno(const AmphiDcdWriter *w, AmphiError *err)
{
    return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", w->path, strerror(errno));
}

static bool put(AmphiDcdWriter *w, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, w->file) == n;
}

static bool put_record(AmphiDcdWriter *w, const void *bytes, int32_t n)
{
    return put(w, &n, MARK) && put(w, bytes, (size_t)n) && put(w, &n, MARK);
}

static int32_t at_most_int32(int64_t value)
{
    return (int32_t)(value < INT32_MAX ? value : INT32_MAX);
}

static bool put_header(AmphiDcdWriter *w)
{
    int32_t     number[N_NUMBERS] = { 0 };
    char        header[HEADER_BYTES], title[TITLE_BYTES];
    const float dt = (float)(w->dt_ps / dcd_time_unit_ps());

    number[N_FRAMES]      = at_most_int32(w->n_frames);
    number[FIRST_STEP]    = at_most_int32(w->first_step);
    number[STEPS_BETWEEN] = at_most_int32(w->steps_between);
    number[N_STEPS]       = at_most_int32(w->n_frames * w->steps_between);
    number[HAS_CELL]      = 1;
    number[VERSION]       = 24;
    memcpy(&number[DT], &dt, sizeof dt);
    memcpy(header, "CORD", 4);
    memcpy(header + 4, number, sizeof number);

    memset(title, ' ', sizeof title);
    memcpy(title, (const int32_t[1]){ 1 }, 4);
    memcpy(title + 4, DCD_TITLE, sizeof DCD_TITLE - 1);
    return put_record(w, header, HEADER_BYTES) && put_record(w, title, TITLE_BYTES) &&
           put_record(w, &w->n_beads, 4);
}

AmphiStatus amphi_dcd_create(AmphiDcdWriter *w, const char *path, int32_t n_beads,
                             int64_t first_step, int64_t steps_between, double dt_ps,
                             AmphiError *err)
{
    *w = (AmphiDcdWriter){ .path          = path,
                           .n_beads       = n_beads,
                           .first_step    = first_step,
                           .steps_between = steps_between,
                           .dt_ps         = dt_ps };
    if (n_beads <= 0 || n_beads > DCD_MOST_BEADS)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: %d beads do not fit into DCD records", path,
                          n_beads);
    w->file = amphi_create_file(path);
    if (w->file == NULL)
        return fail_by_errno(w, err);
    return put_header(w) && fflush(w->file) == 0 ? AMPHI_OK : fail_by_errno(w, err);
}

static bool put_cell(AmphiDcdWriter *w, const double box_nm[3])
{
    double cell[6] = { 0, 90, 0, 90, 90, 0 };

    if (box_nm != NULL) {
        cell[0] = 10 * box_nm[0];
        cell[2] = 10 * box_nm[1];
        cell[5] = 10 * box_nm[2];
    }
    return put_record(w, cell, CELL_BYTES);
}

static bool put_axis(AmphiDcdWriter *w, const double (*position_nm)[3], int axis)
{
    const int32_t n_bytes = 4 * w->n_beads;
    float         piece[PIECE];

    if (!put(w, &n_bytes, MARK))
        return false;
    for (int32_t i = 0; i < w->n_beads; i += PIECE) {
        const int32_t n = w->n_beads - i < PIECE ? w->n_beads - i : PIECE;
        for (int32_t k = 0; k < n; k++)
            piece[k] = (float)(10 * position_nm[i + k][axis]);
        if (!put(w, piece, (size_t)n * sizeof *piece))
            return false;
    }
    return put(w, &n_bytes, MARK);
}

static AmphiStatus check_finite(const AmphiDcdWriter *w, const double (*position_nm)[3],
                                AmphiError           *err)
{
    for (int32_t i = 0; i < w->n_beads; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(10 * position_nm[i][k]) < 3.4e38)) /* the largest float */
                return amphi_fail(err, AMPHI_BAD_INPUT, "%s: the position of bead %d is not finite",
                                  w->path, i + 1);
    return AMPHI_OK;
}

static bool put_axes(AmphiDcdWriter *w, const double box_nm[3], const double (*position_nm)[3])
{
    bool is_good = put_cell(w, box_nm);

    for (int axis = 0; is_good && axis < 3; axis++)
        is_good = put_axis(w, position_nm, axis);
    return is_good;
}

AmphiStatus amphi_dcd_append(AmphiDcdWriter *w, const double             box_nm[3],
                             const double (*position_nm)[3], AmphiError *err)
{
    AMPHI_TRY(check_finite(w, position_nm, err));

    if (!put_axes(w, box_nm, position_nm) || fflush(w->file) != 0)
        return fail_by_errno(w, err);

    w->n_frames++;
    if (fseeko(w->file, 0, SEEK_SET) != 0 || !put_header(w) || fflush(w->file) != 0 ||
        fseeko(w->file, 0, SEEK_END) != 0)
        return fail_by_errno(w, err);
    return AMPHI_OK;
}

_Static_assert(AMPHI_DCD_HEAD_BYTES == HEADER_BYTES + TITLE_BYTES + 4 + 6 * MARK, "one layout");

int64_t amphi_dcd_frame_bytes(int32_t n_beads)
{
    return dcd_frame_bytes(n_beads, true);
}

AmphiStatus amphi_dcd_put_head(const AmphiDcdWriter *writer, unsigned char *bytes, AmphiError *err)
{
    AmphiDcdWriter w = *writer;

    w.file             = fmemopen(bytes, AMPHI_DCD_HEAD_BYTES, "wb");
    const bool is_good = w.file != NULL && put_header(&w);
    if (w.file != NULL && fclose(w.file) == 0 && is_good)
        return AMPHI_OK;
    return fail_by_errno(&w, err);
}

AmphiStatus amphi_dcd_put_frame(const AmphiDcdWriter *writer, const double     box_nm[3],
                                const double (*position_nm)[3], unsigned char *bytes,
                                AmphiError *err)
{
    AmphiDcdWriter w = *writer;

    AMPHI_TRY(check_finite(&w, position_nm, err));
    w.file             = fmemopen(bytes, (size_t)amphi_dcd_frame_bytes(w.n_beads), "wb");
    const bool is_good = w.file != NULL && put_axes(&w, box_nm, position_nm);
    if (w.file != NULL && fclose(w.file) == 0 && is_good)
        return AMPHI_OK;
    return fail_by_errno(&w, err);
}

AmphiStatus amphi_dcd_finish(AmphiDcdWriter *w, AmphiError *err)
{
    FILE *const file = w->file;

    w->file = NULL;
    if (file == NULL)
        return AMPHI_OK;

    const bool is_lost = fflush(file) != 0 || fsync(fileno(file)) != 0;
    const int  fault   = errno;
    if (fclose(file) != 0)
        return fail_by_errno(w, err);
    errno = fault;
    return is_lost ? fail_by_errno(w, err) : AMPHI_OK;
}

AmphiStatus amphi_dcd_write_one(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    char           temporary[AMPHI_PATH_SIZE];
    AmphiDcdWriter w;

    if (s->position_nm == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: a DCD file needs positions", path);
    if (!amphi_temporary_path(path, temporary))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.100s...: the path is too long", path);

    /* a time without a step is that of the first */
    const int64_t step   = s->step == 0 && s->time_ps > 0 ? 1 : s->step;
    const double  dt     = step > 0 ? s->time_ps / (double)step : 0;
    AmphiStatus   status = amphi_dcd_create(&w, temporary, s->n_beads, step, 1, dt, err);
    if (status == AMPHI_OK)
        status = amphi_dcd_append(&w, s->has_box ? s->box_nm : NULL,
                                  (const double(*)[3])s->position_nm, err);
    const AmphiStatus closed = amphi_dcd_finish(&w, status == AMPHI_OK ? err : NULL);
    status                   = status == AMPHI_OK ? closed : status;
    if (status == AMPHI_OK)
        status = amphi_rename_file(temporary, path, err);
    if (status != AMPHI_OK)
        unlink(temporary);
    return status;
}
