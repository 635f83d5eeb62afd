/* DCD trajectories: reading frames by index from memory or a file, and appending frames to a file.
 *
 * Positions are angstrom in single precision: 4e-7 nm at 7 nm. Steps in the header are 32 bits.
 */
#ifndef AMPHI_ENGINE_FORMATS_DCD_H
#define AMPHI_ENGINE_FORMATS_DCD_H

#include "snapshot.h"
#include "source.h"

typedef struct {
    AmphiSource from;
    int64_t     first_frame_at, frame_bytes;
    bool        is_swapped, has_cell;
    int32_t     n_beads;
    int64_t     n_frames; /* whole ones, by the length of the file, whatever its header says */
    int64_t     n_told;   /* by its header */
    int64_t     first_step, steps_between;
    double      dt_ps;       /* 0: not told */
    bool        is_of_amphi; /* by its title: steps are times over dt_ps */
} AmphiDcdReader;

/* Open a DCD file in memory, or one on the disk, which needs amphi_dcd_close. Bytes and path are
 * borrowed. False with a note when this is not a DCD file. Where a part of a frame or whole frames
 * are missing at the end, a warning says so. A zeroed reader may be closed too. */
bool amphi_dcd_of_bytes(AmphiDcdReader *reader, const char *path, const char *bytes,
                        int64_t n_bytes, AmphiNotes *notes);
bool amphi_dcd_open(AmphiDcdReader *reader, const char *path, AmphiWhere from, AmphiNotes *notes);
void amphi_dcd_close(AmphiDcdReader *reader);

/* Step and time of frame k by the header; the time is 0 without dt_ps. Where it has several frames
 * and no steps between them, they are the number of the frame and 0. */
bool    amphi_dcd_has_steps(const AmphiDcdReader *reader);
int64_t amphi_dcd_step(const AmphiDcdReader *reader, int64_t k);
double  amphi_dcd_time_ps(const AmphiDcdReader *reader, int64_t k);

/* Reads a frame, from 0, -1 being the last: box edges (0 0 0: none) and positions [n_beads]. False
 * with a note when there is no such frame, or it is damaged. */
bool amphi_dcd_read(const AmphiDcdReader *reader, int64_t frame, double box_nm[3],
                    double (*position_nm)[3], AmphiNotes *notes);
/* The same as a snapshot with step and time. */
AmphiSnapshot *amphi_dcd_snapshot(const AmphiDcdReader *reader, int64_t frame, AmphiArena *arena,
                                  AmphiNotes *notes);

typedef struct {
    const char *path;
    FILE       *file;
    int32_t     n_beads;
    int64_t     n_frames, first_step, steps_between;
    double      dt_ps;
} AmphiDcdWriter;

/* Creates a file, replacing an old one of that name. path is borrowed until amphi_dcd_finish. */
AmphiStatus amphi_dcd_create(AmphiDcdWriter *writer, const char *path, int32_t n_beads,
                             int64_t first_step, int64_t steps_between, double dt_ps,
                             AmphiError *err);
/* Writes one frame, then the counts in the header. box_nm NULL or zeros: no box. After a failure
 * the earlier frames are intact. */
AmphiStatus amphi_dcd_append(AmphiDcdWriter *writer, const double        box_nm[3],
                             const double (*position_nm)[3], AmphiError *err);
/* The same bytes for callers that write the file themselves: the header of a file of n_frames, and
 * one frame, which has amphi_dcd_frame_bytes. */
enum { AMPHI_DCD_HEAD_BYTES = 92 + 92 + 12 };
int64_t     amphi_dcd_frame_bytes(int32_t n_beads);
AmphiStatus amphi_dcd_put_head(const AmphiDcdWriter *writer, unsigned char *bytes, AmphiError *err);
AmphiStatus amphi_dcd_put_frame(const AmphiDcdWriter *writer, const double     box_nm[3],
                                const double (*position_nm)[3], unsigned char *bytes,
                                AmphiError *err);
/* Synchronises and closes the file; also allowed on a zeroed writer. */
AmphiStatus amphi_dcd_finish(AmphiDcdWriter *writer, AmphiError *err);

#endif
