/* Systems to be timed, and steps of them. */
#include "prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/units.h"
#include "replicate.h"

void bench_check(AmphiStatus status, const AmphiError *err)
{
    if (status == AMPHI_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

AmphiStage bench_stage(const char *ensemble, double dt_ps, double temperature_K)
{
    AmphiStage s = { .name       = "bench",
                     .ensemble   = AMPHI_NVT,
                     .n_steps    = INT32_MAX,
                     .dt_ps      = dt_ps,
                     .seed       = 1,
                     .thermostat = { .type          = AMPHI_VELOCITY_RESCALE,
                                     .temperature_K = temperature_K,
                                     .time_ps       = 1,
                                     .every         = strcmp(ensemble, "nvt1") == 0 ? 1 : 10 } };

    if (strcmp(ensemble, "langevin") == 0)
        s.thermostat.type = AMPHI_LANGEVIN;
    if (strcmp(ensemble, "nve") == 0) {
        s.ensemble        = AMPHI_NVE;
        s.thermostat.type = AMPHI_NO_THERMOSTAT;
        s.conserved_mean  = true;
    }
    if (strcmp(ensemble, "npt") == 0 || strcmp(ensemble, "npt1") == 0) {
        s.ensemble = AMPHI_NPT;
        s.barostat = (AmphiBarostat){ .type                       = AMPHI_CELL_RESCALE,
                                      .coupling                   = AMPHI_SEMI_ISOTROPIC,
                                      .pressure_kJ_mol_nm3        = AMPHI_BAR,
                                      .time_ps                    = 5,
                                      .compressibility_nm3_mol_kJ = 4.6e-5 / AMPHI_BAR,
                                      .every = strcmp(ensemble, "npt1") == 0 ? 1 : 10 };
    }
    return s;
}

static void minimise(const AmphiBackend *b, AmphiState *state)
{
    const AmphiStage stage = {
        .name = "relax", .ensemble = AMPHI_MINIMISE, .n_steps = 300, .stop_force_kJ_mol_nm = 100
    };
    AmphiError err       = { AMPHI_OK, "" };
    bool       converged = false;

    bench_check(b->begin_stage(state, &stage, &err), &err);
    while (!converged) {
        bench_check(b->find_neighbours(state, &err), &err);
        bench_check(b->compute_forces(state, AMPHI_NEED_POTENTIAL, &err), &err);
        bench_check(b->descend(state, &converged, &err), &err);
    }
}

void bench_walk(const AmphiBackend *b, AmphiState *state, int64_t n, uint32_t needs)
{
    const bool has_advance = b->advance != NULL && getenv("AMPHI_BENCH_LOOP") == NULL;
    AmphiError err         = { AMPHI_OK, "" };
    AmphiFrame frame;

    for (int64_t k = 0; k < n;) {
        const int64_t quiet = n - k - 1 < BENCH_READ_EVERY - 1 ? n - k - 1 : BENCH_READ_EVERY - 1;

        if (has_advance && quiet > 0) {
            bench_check(b->advance(state, quiet, &err), &err);
            k += quiet;
        }
        for (int64_t once = has_advance ? 1 : quiet + 1; once > 0 && k < n; once--, k++) {
            const uint32_t now = once == 1 ? needs : 0;

            bench_check(b->find_neighbours(state, &err), &err);
            bench_check(b->compute_forces(state, now, &err), &err);
            bench_check(b->kick(state, now, &err), &err);
            if (now != 0)
                bench_check(b->read_frame(state, now, &frame, &err), &err);
            bench_check(b->drift(state, &err), &err);
        }
    }
}

/* Relaxed and warm, in the arrays of the arena. */
void bench_prepare(const AmphiBackend *b, const AmphiSystem *s, AmphiStage stage,
                   const int32_t copies[3], AmphiArena *arena, AmphiSystem *out)
{
    const uint32_t all = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    AmphiState    *state;
    AmphiError     err = { AMPHI_OK, "" };
    AmphiFrame     frame;

    stage.dt_ps *= 0.5;
    stage.thermostat.time_ps = 40 * stage.dt_ps;
    bench_check(b->open(s, NULL, &state, &err), &err);
    minimise(b, state);
    bench_check(b->begin_stage(state, &stage, &err), &err);
    bench_walk(b, state, 800, all);
    bench_check(b->find_neighbours(state, &err), &err);
    bench_check(b->compute_forces(state, all, &err), &err);
    bench_check(b->kick(state, all, &err), &err);
    bench_check(b->read_frame(state, all, &frame, &err), &err);
    if (!replicate(s, &frame, copies, arena, out)) {
        fprintf(stderr, "the system cannot be replicated\n");
        exit(1);
    }
    b->close(state);
}

AmphiJob *bench_load(const char *path)
{
    const char            *root    = getenv("AMPHI_DATA");
    const AmphiLoadOptions options = { .data_dir = root != NULL ? root : "." };
    AmphiNotes            *notes   = amphi_notes_new();
    AmphiError             err     = { AMPHI_OK, "" };
    AmphiJob              *job     = amphi_job_load(path, &options, notes, &err);

    amphi_notes_print(notes, stderr, false);
    amphi_notes_free(notes);
    return job;
}

/* Copies along x and y: z is across a membrane. */
void bench_copies(int32_t n, double wanted, int32_t copies[3])
{
    const int32_t k = (int32_t)fmax(1, floor(wanted / n + 0.5));

    copies[0] = (int32_t)fmax(1, floor(sqrt((double)k) + 0.5));
    copies[1] = (int32_t)fmax(1, floor((double)k / copies[0] + 0.5));
    copies[2] = 1;
}
