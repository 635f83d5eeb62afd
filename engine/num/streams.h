/* The random streams, one name for each use, so that no two uses ever draw the same number. */
#ifndef AMPHI_NUM_STREAMS_H
#define AMPHI_NUM_STREAMS_H

/* At most 256. Values are part of a run's record: add at the end, never renumber. */
typedef enum {
    AMPHI_STREAM_VELOCITY    = 0, /* first velocities and spins; id: bead */
    AMPHI_STREAM_BUILD       = 1, /* places in a start made from a composition; id: molecule */
    AMPHI_STREAM_ORIENTATION = 2, /* first orientations; id: bead */
    AMPHI_STREAM_LANGEVIN    = 3, /* noise of a step; id: bead */
    AMPHI_STREAM_RESCALE     = 4, /* velocity rescaling; id: thermostat group */
    AMPHI_STREAM_CELL        = 5  /* noise of the box; id: 0 */
} AmphiStream;

#endif
