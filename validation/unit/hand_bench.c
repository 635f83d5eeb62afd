/* Benches and their frames. */
#include "hand_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void take_arrays(HandBench *b)
{
    const int32_t n = b->system.n_beads;

    b->position    = amphi_arena_take(b->arena, n, sizeof *b->position);
    b->velocity    = amphi_arena_take(b->arena, n, sizeof *b->velocity);
    b->orientation = amphi_arena_take(b->arena, n, sizeof *b->orientation);
    b->spin        = amphi_arena_take(b->arena, n, sizeof *b->spin);
    b->charge      = AMPHI_TAKE(b->arena, double, n);
    b->dipole      = AMPHI_TAKE(b->arena, double, n);
    assert_false(amphi_arena_failed(b->arena));
    for (int32_t i = 0; i < n; i++) {
        b->orientation[i][0] = 1;
        b->charge[i]         = b->system.type[b->system.bead_type[i]].charge_e;
        b->dipole[i]         = b->system.type[b->system.bead_type[i]].dipole_e_nm;
    }
    b->system.position_nm      = (const double(*)[3])b->position;
    b->system.velocity_nm_ps   = (const double(*)[3])b->velocity;
    b->system.orientation      = (const double(*)[4])b->orientation;
    b->system.spin_u_nm2_ps    = (const double(*)[3])b->spin;
    b->system.bead_charge_e    = b->charge;
    b->system.bead_dipole_e_nm = b->dipole;
}

static void make_groups(HandBench *b)
{
    const AmphiSystem *const s   = &b->system;
    int32_t *const           all = AMPHI_TAKE(b->arena, int32_t, s->n_beads);
    int32_t *const           few = AMPHI_TAKE(b->arena, int32_t, s->n_beads);

    b->group[0] = (AmphiGroup){ "all", s->n_beads, all };
    b->group[1] = (AmphiGroup){ "lipids", 0, few };
    for (int32_t i = 0; i < s->n_beads; i++) {
        all[i] = i;
        if (strcmp(s->molecule_type[s->molecule[s->bead_molecule[i]].type].kind, "lipid") == 0)
            few[b->group[1].n_beads++] = i;
    }
    b->system.group    = b->group;
    b->system.n_groups = 2;
}

void hand_bench(HandBench *b, const char *kind, const AmphiPortion *portion, int32_t n_portions,
                const double box_nm[3], const char *dir)
{
    *b        = (HandBench){ .arena = amphi_arena_new() };
    b->system = toy_elba(b->arena);
    toy_populate(&b->system, portion, n_portions, b->arena);
    take_arrays(b);
    make_groups(b);
    memcpy(b->system.box_nm, box_nm, sizeof b->system.box_nm);
    b->stage = (AmphiStage){ .name = "s", .ensemble = AMPHI_NVE, .n_steps = 1000, .dt_ps = 0.01 };
    b->place = (AmphiObserverPlace){ .system   = &b->system,
                                     .dir      = dir,
                                     .heading  = "amphi of a test",
                                     .stage    = &b->stage,
                                     .n_stages = 1 };
    b->plan  = (AmphiObserverPlan){ .kind = kind, .every = 1, .axis = 2 };
}

void hand_bench_end(HandBench *b)
{
    amphi_arena_free(b->arena);
}

void hand_frame(HandBench *b, int32_t k, const double box_nm[3], AmphiFrame *f)
{
    for (int32_t i = 0; i < b->system.n_beads; i++)
        for (int a = 0; a < 3; a++) {
            double *const x = &b->position[i][a];

            *x -= box_nm[a] * floor(*x / box_nm[a]);
            *x = *x < box_nm[a] ? *x : 0;
        }
    *f = (AmphiFrame){ .step           = k,
                       .has            = AMPHI_NEED_POSITIONS,
                       .time_ps        = b->stage.dt_ps * k,
                       .box_nm         = { box_nm[0], box_nm[1], box_nm[2] },
                       .stage          = &b->stage,
                       .stage_step     = k,
                       .position_nm    = (const double(*)[3])b->position,
                       .velocity_nm_ps = (const double(*)[3])b->velocity,
                       .orientation    = (const double(*)[4])b->orientation,
                       .spin_u_nm2_ps  = (const double(*)[3])b->spin };
}

void hand_watch(const HandBench *b, const FrameSource *source, const char *const *old_files)
{
    char  path[512];
    Watch w;

    for (; *old_files != NULL; old_files++) {
        snprintf(path, sizeof path, "%s/%s", b->place.dir, *old_files);
        unlink(path);
    }
    watch_open(&w, &b->place, &b->plan);
    for (int32_t k = 0; k < source->n_frames; k++) {
        AmphiFrame f;

        source->make(source->user, k, &f);
        watch_see(&w, &f);
    }
    watch_end(&w);
}
