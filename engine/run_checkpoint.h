/* The first block of the section `run` of a checkpoint, for its writer and its reader. */
#ifndef AMPHI_ENGINE_RUN_CHECKPOINT_H
#define AMPHI_ENGINE_RUN_CHECKPOINT_H

#include <stdint.h>

#include "on_disk.h"

enum { AMPHI_RUN_SECTION = 6 };

typedef struct {
    int64_t version, n_marks, n_observers, n_physics;
    char    backend[16], about[112]; /* with the precision of the file, what the run went on */
} AmphiRunFront;

AMPHI_ON_DISK_AT(AmphiRunFront, n_marks, 8);
AMPHI_ON_DISK_AT(AmphiRunFront, n_observers, 16);
AMPHI_ON_DISK_AT(AmphiRunFront, n_physics, 24);
AMPHI_ON_DISK_AT(AmphiRunFront, backend, 32);
AMPHI_ON_DISK_AT(AmphiRunFront, about, 48);
AMPHI_ON_DISK(AmphiRunFront, 160);

#endif
