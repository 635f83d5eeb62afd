/* The random streams, one name for each use, so that no two uses ever draw the same number. */
#ifndef AMPHI_NUM_STREAMS_H
#define AMPHI_NUM_STREAMS_H

/* At most 256. Values are part of a run's record: add at the end, never renumber. */
typedef enum {
    AMPHI_STREAM_VELOCITY    = 0, /* first velocities and spins; id: bead */
    AMPHI_STREAM_BUILD       = 1, /* places in a start made from a composition; id: molecule */
    AMPHI_STREAM_ORIENTATION = 2  /* first orientations; id: bead */
} AmphiStream;

#endif
