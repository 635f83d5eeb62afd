/* XTC trajectories of GROMACS: reading frames by index from memory or a file, and frames as bytes.
 *
 * Positions are whole numbers of 1/per_nm nm, so they are off by up to half of that; nine beads or
 * fewer are floats. Every frame has its own step, number of beads, box and time. Times are
 * in single precision: 0.06 ps at 1 us. Steps have 31 bits, and begin again from 0.
 */
#ifndef AMPHI_ENGINE_FORMATS_XTC_H
#define AMPHI_ENGINE_FORMATS_XTC_H

#include "snapshot.h"
#include "source.h"

/* 0.001 nm, as most programs write. */
#define AMPHI_XTC_PER_NM 1000.0

typedef struct {
    int64_t at, n_bytes; /* in the file */
    int64_t step;
    double  time_ps;
    double  per_nm; /* 0: it has floats */
} AmphiXtcPlace;

typedef struct {
    AmphiSource from;
    int32_t     n_beads;
    int64_t     n_frames; /* whole ones, up to the first that is cut or has no header */
    int64_t     n_cut;    /* bytes behind them */

    /* of the arena */
    const AmphiXtcPlace *frame; /* [n_frames] */
    unsigned char       *piece; /* the longest frame, where it is read from `file` */
} AmphiXtcReader;

/* Open an XTC file in memory, or one on the disk, which needs amphi_xtc_close. Bytes, path and
 * arena are borrowed. False with a note when this is not an XTC file, or with a failed arena. A
 * warning when bytes are left behind the last whole frame. A zeroed reader may be closed too. */
bool amphi_xtc_of_bytes(AmphiXtcReader *reader, const char *path, const char *bytes,
                        int64_t n_bytes, AmphiArena *arena, AmphiNotes *notes);
bool amphi_xtc_open(AmphiXtcReader *reader, const char *path, AmphiArena *arena, AmphiWhere from,
                    AmphiNotes *notes);
void amphi_xtc_close(AmphiXtcReader *reader);

/* Reads a frame, from 0, -1 being the last: box edges (0 0 0: none) and positions [n_beads]. False
 * with a note when there is no such frame, or it is damaged. */
bool amphi_xtc_read(const AmphiXtcReader *reader, int64_t frame, double box_nm[3],
                    double (*position_nm)[3], AmphiNotes *notes);
/* The same as a snapshot with step and time. */
AmphiSnapshot *amphi_xtc_snapshot(const AmphiXtcReader *reader, int64_t frame, AmphiArena *arena,
                                  AmphiNotes *notes);

/* The step of which a file has the lowest 31 bits, nearest to one that its time tells. */
int64_t amphi_xtc_whole_step(int64_t in_file, int64_t by_time);

/* Makes frames, one after another; there is nothing in a file besides them. */
typedef struct {
    const char    *path; /* for messages; borrowed */
    int32_t        n_beads;
    double         per_nm; /* of the next frame; may be changed between them */
    unsigned char *bytes;  /* [n_bytes] the last frame that was put */
    int64_t        n_bytes;
    int32_t (*number)[3]; /* [n_beads] positions as whole numbers */
    uint32_t (*gap)[2];   /* [n_beads] and what a string of bits takes */
    uint16_t *choice;
} AmphiXtcWriter;

/* Takes the memory for frames of so many beads. AMPHI_BAD_INPUT: too many, or none. */
AmphiStatus amphi_xtc_writer_init(AmphiXtcWriter *writer, const char *path, int32_t n_beads,
                                  double per_nm, AmphiArena *arena, AmphiError *err);
/* Makes writer->bytes. box_nm NULL or zeros: no box. AMPHI_BAD_INPUT: a position is not finite or
 * too far away, with its bead from 1. */
AmphiStatus amphi_xtc_put_frame(AmphiXtcWriter *writer, int64_t step, double time_ps,
                                const double box_nm[3], const double (*position_nm)[3],
                                AmphiError  *err);

#endif
