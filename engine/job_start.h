/* The ways to a start, for job_start.c. */
#ifndef AMPHI_ENGINE_JOB_START_H
#define AMPHI_ENGINE_JOB_START_H

#include "reader.h"

/* <coordinates>: positions, and what else the file tells. */
void amphi_reader_coordinates(AmphiReader *r, const AmphiXml *xml);

#endif
