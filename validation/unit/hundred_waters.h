/* A hundred waters at their density, which run for a picosecond in a tenth of a second: what most
 * tests of whole runs are made with.
 */
#ifndef AMPHI_VALIDATION_HUNDRED_WATERS_H
#define AMPHI_VALIDATION_HUNDRED_WATERS_H

#define HUNDRED_WATERS "<fill type=\"water18\" count=\"100\" density=\"0.997 g/cm^3\" seed=\"1\"/>"

/* Of a job, from its first line or from the second on, up to the plan: 8 lines with the first. */
#define WATERS_UP_TO_PLAN                                                                          \
    "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"                               \
    "<system><start>\n" HUNDRED_WATERS "\n"                                                        \
    "<velocities temperature=\"298 K\" seed=\"1\"/>\n"                                             \
    "</start></system>\n"                                                                          \
    "<interactions><cutoff distance=\"0.6 nm\"/></interactions>\n"
#define WATERS_JOB "<amphi version=\"1\">\n" WATERS_UP_TO_PLAN

#endif
