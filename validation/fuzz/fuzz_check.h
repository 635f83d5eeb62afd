/* The conditions that every input must meet, for the fuzz targets of jobs and force fields. */
#ifndef AMPHI_VALIDATION_FUZZ_FUZZ_CHECK_H
#define AMPHI_VALIDATION_FUZZ_FUZZ_CHECK_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../engine/build_space.h"
#include "../../engine/job.h"
#include "../../engine/overlap.h"
#include "../../engine/typed/probe.h"

static inline void hold(bool is_true)
{
    if (!is_true)
        abort();
}

/* A folder of this process alone, kept until its end; below it nothing but what the target
 * writes. */
static inline const char *fuzz_folder(void)
{
    static char folder[] = "/tmp/amphi-fuzz-XXXXXX";
    static bool is_made;

    if (!is_made)
        hold(mkdtemp(folder) != NULL);
    is_made = true;
    return folder;
}

/* The folder of the installed force fields; a count cannot ask for more than a thousand beads. */
static inline AmphiLoadOptions fuzz_options(void)
{
    const char *const wanted = getenv("AMPHI_DATA");

    return (AmphiLoadOptions){ .data_dir = wanted != NULL ? wanted : ".", .max_memory = 6e5 };
}

/* Finite when all of them are. */
static inline double sum_of_sizes(const double *numbers, size_t n)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++)
        sum += fabs(numbers[k]);
    return sum;
}

static inline void hold_finite_pair(const AmphiSystem *s, int32_t i, int32_t j)
{
    const AmphiPairRule *const rule = &s->pair_rule[s->bead_type[i] * s->n_types + s->bead_type[j]];
    AmphiPairPose              pose = { 0 };
    AmphiPairForces            out;

    pose.charge_e[0]    = s->bead_charge_e[i];
    pose.charge_e[1]    = s->bead_charge_e[j];
    pose.dipole_e_nm[0] = s->bead_dipole_e_nm[i];
    pose.dipole_e_nm[1] = s->bead_dipole_e_nm[j];
    amphi_nearest_image(s->position_nm[i], s->position_nm[j], s->box_nm, pose.d_nm);
    memcpy(pose.orientation[0], s->orientation[i], sizeof pose.orientation[0]);
    memcpy(pose.orientation[1], s->orientation[j], sizeof pose.orientation[1]);
    for (int32_t k = 0; k < rule->n_terms; k++) {
        probe_pairs_double(&rule->term[k], 1, &pose, &out);
        hold(isfinite(sum_of_sizes(&out.energy, sizeof out / sizeof(double))));
    }
}

static inline void hold_finite_bond(const AmphiSystem *s, const AmphiBond *bond)
{
    AmphiBondPose   pose;
    AmphiBondForces out;

    for (int k = 0; k < AMPHI_MAX_BOND_BEADS; k++) {
        amphi_nearest_image(s->position_nm[bond->bead[k]], s->position_nm[bond->bead[0]], s->box_nm,
                            pose.x_nm[k]);
        memcpy(pose.orientation[k], s->orientation[bond->bead[k]], sizeof pose.orientation[k]);
    }
    probe_bonds_double(&s->bond_rule[bond->rule], 1, &pose, &out);
    hold(isfinite(sum_of_sizes(&out.energy, sizeof out / sizeof(double))));
}

/* An accepted job has finite numbers and forces. */
static inline void hold_finite(const AmphiSystem *s)
{
    hold(s->n_beads > 0 && s->n_types > 0);
    for (int32_t i = 0; i < s->n_beads; i++)
        hold(isfinite(sum_of_sizes(s->position_nm[i], 3) + sum_of_sizes(s->velocity_nm_ps[i], 3) +
                      sum_of_sizes(s->spin_u_nm2_ps[i], 3) + sum_of_sizes(s->orientation[i], 4)));
    for (int32_t k = 0; k < s->n_bonds; k++)
        hold_finite_bond(s, &s->bond[k]);
    for (int32_t i = 0; i < s->n_beads && i < 64; i++)
        for (int32_t j = 0; j < i; j++)
            if (!amphi_is_excluded(s, i, j))
                hold_finite_pair(s, i, j);
}

/* A reading gives either a job or errors. */
static inline void fuzz_read(const char *path, const void *bytes, size_t n)
{
    const AmphiLoadOptions options = fuzz_options();
    AmphiNotes *const      notes   = amphi_notes_new();
    AmphiError             err     = { .status = AMPHI_OK };
    AmphiJob *const        job = amphi_job_parse(path, bytes, (int64_t)n, &options, notes, &err);

    hold(err.status == AMPHI_OK);
    hold(amphi_notes_status(notes, false) == (job != NULL ? AMPHI_OK : AMPHI_BAD_INPUT));
    if (job != NULL)
        hold_finite(&job->system);
    amphi_job_free(job);
    amphi_notes_free(notes);
}

#endif
