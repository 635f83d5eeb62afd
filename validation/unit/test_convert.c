/* Conversions: which are possible, what they keep, what the refused ones say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../engine/formats/convert.h"
#include "../../engine/formats/dcd.h"
#include "format_cases.h"

static const AmphiConvertOptions plain = { .frame = AMPHI_FRAMES_ALL };

/* The small system in every format, in files small.gro, small.pdb ... */
static int make_files(void **state)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiError        err   = { 0 };
    char              name[32];

    (void)state;
    for (int32_t k = 0; amphi_format_at(k) != NULL; k++) {
        const AmphiFormat *const format = amphi_format_at(k);
        snprintf(name, sizeof name, "small%s", format->ending);
        if (format->write(path_of(name), small_system(arena), &err) != AMPHI_OK)
            return 1;
    }
    amphi_arena_free(arena);
    return 0;
}

static AmphiStatus convert(const char *from, const char *to, const AmphiConvertOptions *options,
                           AmphiNotes *notes)
{
    AmphiError err = { 0 };

    return amphi_convert(path_of(from), path_of(to), options, notes, &err);
}

/* Converts, reads the result, and removes it. */
static Reading result_of(const char *from, const char *to, const AmphiConvertOptions *options)
{
    Reading     r    = { amphi_arena_new(), amphi_notes_new(), NULL };
    const char *path = path_of(to);

    assert_int_equal(convert(from, to, options, r.notes), AMPHI_OK);
    r.s = amphi_snapshot_read(path, NULL, r.arena, (AmphiWhere){ NULL, 0 }, r.notes);
    assert_non_null(r.s);
    assert_int_equal(unlink(path), 0);
    return r;
}

static bool is_possible(const char *from, const char *to, const char *topology)
{
    AmphiNotes *const         notes   = amphi_notes_new();
    const char *const         path    = path_of(to);
    const AmphiConvertOptions options = { .frame    = AMPHI_FRAMES_ALL,
                                          .topology = topology == NULL ? NULL : path_of(topology) };
    const AmphiStatus         status  = convert(from, to, &options, notes);
    const bool                exists  = access(path, F_OK) == 0;

    /* refused: with an error, and no file */
    assert_true(status == AMPHI_OK || status == AMPHI_BAD_INPUT);
    assert_true((status == AMPHI_OK) == exists);
    assert_true((status == AMPHI_OK) == (amphi_notes_count(notes, AMPHI_NOTE_ERROR) == 0));
    unlink(path);
    amphi_notes_free(notes);
    return status == AMPHI_OK;
}

static void each_format_becomes_those_it_knows_enough_for(void **state)
{
    (void)state;
    static const char *const to[] = {
        "x.gro", "x.pdb", "x.data", "x.dcd", "x.psf", "x.chk", "x.xtc"
    };
    static const struct {
        const char *from, *topology, *possible; /* a + for each of `to` */
    } rows[] = {
        { "small.gro", NULL, "++-+--+" },         { "small.pdb", NULL, "++-+--+" },
        { "small.data", NULL, "+++++-+" },        { "small.dcd", NULL, "++-+--+" },
        { "small.psf", NULL, "----+--" },         { "small.chk", NULL, "+++++++" },
        { "small.dcd", "small.gro", "++-+--+" },  { "small.dcd", "small.psf", "++-++-+" },
        { "small.gro", "small.psf", "++-++-+" },  { "small.dcd", "small.chk", "++-++-+" },
        { "small.gro", "small.data", "++-++-+" }, { "small.data", "small.psf", "+++++-+" },
        { "small.xtc", NULL, "++-+--+" },         { "small.xtc", "small.psf", "++-++-+" },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int j = 0; j < 7; j++) {
            const bool is_wanted = rows[k].possible[j] == '+';
            if (is_possible(rows[k].from, to[j], rows[k].topology) != is_wanted)
                fail_msg("%s with %s to %s", rows[k].from,
                         rows[k].topology == NULL ? "nothing" : rows[k].topology, to[j]);
        }
}

static void positions_and_names_are_kept(void **state)
{
    (void)state;
    AmphiArena *const    arena = amphi_arena_new();
    const AmphiSnapshot *s     = small_system(arena);
    Reading              r     = result_of("small.gro", "out.pdb", &plain);

    assert_true(are_near(r.s->position_nm, s->position_nm, 15, 5.01e-5)); /* PDB's decimals */
    assert_string_equal(r.s->bead_name[1].text, "PO");
    assert_string_equal(r.s->molecule_name[4].text, "WAT");
    assert_int_equal(r.s->molecule[4], 3);
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), 0);
    done(&r);
    r = result_of("small.chk", "out.data", &plain);
    /* 17 digits, factor ten */
    assert_true(are_near(r.s->position_nm, s->position_nm, 15, 1e-15));
    assert_int_equal(r.s->n_angles, 2);
    done(&r);
    amphi_arena_free(arena);
}

/* A state counts the boxes that a bead has left behind, of one bead of a molecule and of others. */
static void molecules_of_a_state_come_whole_and_into_the_box(void **state)
{
    (void)state;
    AmphiArena *const    arena = amphi_arena_new();
    const AmphiSnapshot *s     = small_system(arena);
    AmphiSnapshot        far   = *small_system(arena);
    AmphiError           err   = { 0 };

    for (int32_t i = 0; i < far.n_beads; i++)
        for (int a = 0; a < 3; a++)
            far.position_nm[i][a] += (i % 3 + 5 * a - 4) * far.box_nm[a];
    assert_int_equal(amphi_format_chk.write(path_of("far.chk"), &far, &err), AMPHI_OK);

    Reading r = result_of("far.chk", "out.data", &plain);
    assert_true(are_near(r.s->position_nm, s->position_nm, 15, 1e-13));
    done(&r);
    r = result_of("far.chk", "out.chk", &plain); /* which is a state, too */
    assert_true(are_near(r.s->position_nm, far.position_nm, 15, 1e-15));
    done(&r);
    unlink(path_of("far.chk"));
    amphi_arena_free(arena);
}

static void a_topology_gives_names_and_bonds_to_a_trajectory(void **state)
{
    (void)state;
    AmphiConvertOptions options = plain;
    char                psf[96];

    strcpy(psf, path_of("small.psf"));
    options.topology = psf;
    Reading r        = result_of("small.dcd", "out.pdb", &options);
    assert_string_equal(r.s->bead_name[2].text, "GL");
    assert_int_equal(r.s->n_bonds, 2);
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), 0);
    done(&r);
    r = result_of("small.gro", "out.psf", &options);
    assert_true(r.s->mass_u[4] == 40);
    done(&r);
}

/* Nor is anything that belongs to one moment taken from it. */
static void a_topology_gives_all_that_a_checkpoint_lacks(void **state)
{
    (void)state;
    AmphiArena *const          arena    = amphi_arena_new();
    const AmphiSnapshot *const s        = small_system(arena);
    double                     moved[3] = { 1.5, 2.5, 3.5 };
    AmphiSnapshot              bare     = { .n_beads       = N_SMALL,
                                            .has_box       = true,
                                            .box_nm        = { 6, 7, 8 },
                                            .position_nm   = s->position_nm,
                                            .orientation   = s->orientation,
                                            .spin_u_nm2_ps = s->spin_u_nm2_ps };
    AmphiConvertOptions        options  = plain;
    AmphiError                 err      = { 0 };
    char                       whole[96];

    memcpy(bare.position_nm[0], moved, sizeof moved);
    assert_int_equal(amphi_format_chk.write(path_of("bare.chk"), &bare, &err), AMPHI_OK);
    strcpy(whole, path_of("small.chk"));
    options.topology = whole;
    Reading r        = result_of("bare.chk", "out.chk", &options);

    assert_int_equal(r.s->n_types, 2);
    assert_int_equal(r.s->n_bonds, 2);
    assert_int_equal(r.s->n_angles, 2);
    assert_memory_equal(r.s->type, s->type, N_SMALL * sizeof *s->type);
    assert_memory_equal(r.s->type_name, s->type_name, 2 * sizeof *s->type_name);
    assert_memory_equal(r.s->type_mass_u, s->type_mass_u, 2 * sizeof *s->type_mass_u);
    assert_memory_equal(r.s->type_inertia_u_nm2, s->type_inertia_u_nm2,
                        2 * sizeof *s->type_inertia_u_nm2);
    assert_memory_equal(r.s->bead_name, s->bead_name, N_SMALL * sizeof *s->bead_name);
    assert_memory_equal(r.s->molecule_name, s->molecule_name, N_SMALL * sizeof *s->molecule_name);
    assert_memory_equal(r.s->molecule, s->molecule, N_SMALL * sizeof *s->molecule);
    assert_memory_equal(r.s->charge_e, s->charge_e, N_SMALL * sizeof *s->charge_e);
    assert_memory_equal(r.s->mass_u, s->mass_u, N_SMALL * sizeof *s->mass_u);
    assert_memory_equal(r.s->dipole_strength_e_nm, s->dipole_strength_e_nm,
                        N_SMALL * sizeof *s->dipole_strength_e_nm);
    assert_memory_equal(r.s->bond, s->bond, 2 * sizeof *s->bond);
    assert_memory_equal(r.s->angle, s->angle, 2 * sizeof *s->angle);
    assert_memory_equal(r.s->position_nm[0], moved, sizeof moved);
    assert_memory_equal(r.s->box_nm, bare.box_nm, sizeof bare.box_nm);
    assert_null(r.s->velocity_nm_ps);
    done(&r);
    unlink(path_of("bare.chk"));
    amphi_arena_free(arena);
}

/* Those of a data file count for more than the moments of inertia of the types. */
static void a_topology_gives_diameters_to_a_checkpoint(void **state)
{
    (void)state;
    AmphiArena *const   arena   = amphi_arena_new();
    AmphiSnapshot      *s       = small_system(arena);
    AmphiConvertOptions options = plain;
    AmphiError          err     = { 0 };
    char                data[96];

    s->diameter_nm = AMPHI_TAKE(arena, double, N_SMALL);
    for (int i = 0; i < N_SMALL; i++)
        s->diameter_nm[i] = 0.25 + 0.125 * i;
    strcpy(data, path_of("wide.data"));
    assert_int_equal(amphi_format_lammps.write(data, s, &err), AMPHI_OK);
    options.topology = data;
    Reading r        = result_of("small.chk", "out.data", &options);
    assert_true(are_near(r.s->diameter_nm, s->diameter_nm, N_SMALL, 1e-15));
    done(&r);
    unlink(data);
    amphi_arena_free(arena);
}

static void names_that_are_made_up_are_told(void **state)
{
    (void)state;
    char        text[256];
    Reading     r     = result_of("small.data", "out.gro", &plain);
    const Fault fault = { "", AMPHI_MSG_CONVERT_NAMES_MADE, 0, text,
                          "give names with a topology: a GRO, PDB or PSF file" };

    snprintf(text, sizeof text,
             "%s has no names: beads are called B1, B2, ... after their types, molecules MOL",
             path_of("small.data"));
    assert_true(has_note(r.notes, &fault));
    assert_string_equal(r.s->bead_name[0].text, "B1");
    assert_string_equal(r.s->bead_name[4].text, "B2");
    assert_string_equal(r.s->molecule_name[0].text, "MOL");
    done(&r);
}

static void what_is_missing_is_named_with_the_files_that_have_it(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *format, *part, *hint;
    } cases[] = {
        { "small.gro", "x.data", "lammps-data", "dipoles", "lammps-data chk" },
        { "small.gro", "x.data", "lammps-data", "bead types", "lammps-data chk" },
        { "small.pdb", "x.psf", "psf", "masses", "lammps-data psf chk" },
        { "small.dcd", "x.psf", "psf", "bonds", "pdb lammps-data psf chk" },
        { "small.psf", "x.gro", "gro", "positions", "gro pdb lammps-data dcd xtc chk" },
        { "small.psf", "x.data", "lammps-data", "a box", "gro pdb lammps-data dcd xtc chk" },
        { "small.psf", "x.chk", "chk", "orientations", "chk" },
        { "small.dcd", "x.data", "lammps-data", "charges", "lammps-data psf chk" },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        AmphiNotes *const notes = amphi_notes_new();
        char              text[256], hint[128];
        const Fault       fault = { "", AMPHI_MSG_CONVERT_MISSING, 0, text, hint };

        assert_int_equal(convert(cases[k].from, cases[k].to, &plain, notes), AMPHI_BAD_INPUT);
        snprintf(text, sizeof text, "%s needs %s, which %s does not have", cases[k].format,
                 cases[k].part, path_of(cases[k].from));
        snprintf(hint, sizeof hint, "files that can have them: %s", cases[k].hint);
        assert_true(has_note(notes, &fault));
        amphi_notes_free(notes);
    }
}

static void a_topology_of_another_system_is_refused(void **state)
{
    (void)state;
    AmphiNotes         *notes   = amphi_notes_new();
    AmphiConvertOptions options = plain;
    char                one[96], dcd[96], text[320];

    strcpy(one, path_of("one.gro"));
    strcpy(dcd, path_of("small.dcd"));
    static const char gro[] = "t\n1\n    1WAT      W    1   0.100   0.200   0.300\n1 1 1\n";
    write_file(one, gro, (int64_t)strlen(gro));
    options.topology = one;
    assert_int_equal(convert("small.dcd", "x.gro", &options, notes), AMPHI_BAD_INPUT);
    snprintf(text, sizeof text, "has 1 beads, and %s has 5", dcd);
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_CONVERT_TOPOLOGY, 0, text,
                                                "name the topology of this very system" }));
    options.topology = path_of("small.psf"); /* of more beads than the file */
    assert_int_equal(convert("one.gro", "x.pdb", &options, notes), AMPHI_BAD_INPUT);
    options.topology = dcd;
    assert_int_equal(convert("small.dcd", "x.gro", &options, notes), AMPHI_BAD_INPUT);
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_CONVERT_TOPOLOGY_KIND, 0,
                                                "nothing in this file is topology",
                                                "names, charges, masses and bonds are in: gro pdb "
                                                "lammps-data psf chk" }));
    options.topology = "/nowhere.gro";
    assert_int_equal(convert("small.dcd", "x.gro", &options, notes), AMPHI_BAD_INPUT);
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_FILE_MISSING, 0,
                                                "/nowhere.gro: No such file or directory", "" }));
    amphi_notes_free(notes);
}

/* Four frames whose first bead stands at x = frame. */
static void make_trajectory(const char *path)
{
    AmphiDcdWriter w;
    AmphiError     err                  = { 0 };
    double         position[N_SMALL][3] = { { 0 } };

    assert_int_equal(amphi_dcd_create(&w, path, N_SMALL, 0, 10, 0.02, &err), AMPHI_OK);
    for (int frame = 0; frame < 4; frame++) {
        position[0][0] = frame;
        assert_int_equal(
            amphi_dcd_append(&w, (const double[3]){ 5, 5, 5 }, (const double(*)[3])position, &err),
            AMPHI_OK);
    }
    assert_int_equal(amphi_dcd_finish(&w, &err), AMPHI_OK);
}

static void one_frame_or_all_of_a_trajectory_are_taken(void **state)
{
    (void)state;
    AmphiConvertOptions options = plain;

    make_trajectory(path_of("long.dcd"));
    for (int64_t frame = -1; frame < 4; frame++) {
        options.frame = frame;
        Reading r     = result_of("long.dcd", "frame.gro", &options);
        assert_true(r.s->position_nm[0][0] == (double)(frame < 0 ? 3 : frame));
        assert_true(fabs(r.s->time_ps - 0.2 * (double)(frame < 0 ? 3 : frame)) < 1e-6);
        assert_int_equal(r.s->step, 0); /* a DCD knows the time, and no steps of the run */
        done(&r);
    }
    AmphiNotes *const notes = amphi_notes_new();
    options.frame           = 4;
    assert_int_equal(convert("long.dcd", "frame.gro", &options, notes), AMPHI_BAD_INPUT);
    options.frame = 2;
    assert_int_equal(convert("long.dcd", "one.dcd", &options, notes), AMPHI_OK);
    assert_int_equal(convert("long.dcd", "all.dcd", &plain, notes), AMPHI_OK);

    AmphiDcdReader one, all;
    assert_true(amphi_dcd_open(&one, path_of("one.dcd"), (AmphiWhere){ NULL, 0 }, notes));
    assert_true(amphi_dcd_open(&all, path_of("all.dcd"), (AmphiWhere){ NULL, 0 }, notes));
    assert_int_equal(one.n_frames, 1);
    assert_int_equal(all.n_frames, 4);
    assert_int_equal(all.steps_between, 10);
    assert_true(fabs(all.dt_ps - 0.02) < 1e-8); /* a float in the file */
    amphi_dcd_close(&one);
    amphi_dcd_close(&all);
    amphi_notes_free(notes);
}

static void a_trajectory_may_be_converted_onto_itself(void **state)
{
    (void)state;
    AmphiNotes *const notes = amphi_notes_new();
    int64_t           n = 0, n_after = 0;

    make_trajectory(path_of("self.dcd"));
    char *const before = bytes_of_file(path_of("self.dcd"), &n);
    write_file(path_of("self.dcd"), before, n - 5); /* cut: the last frame goes */
    assert_int_equal(convert("self.dcd", "self.dcd", &plain, notes), AMPHI_OK);
    char *const after = bytes_of_file(path_of("self.dcd"), &n_after);
    assert_int_equal(n_after, n - (n - 196) / 4);
    assert_int_equal(after[8], 3);
    free(before);
    free(after);
    amphi_notes_free(notes);
}

/* From one trajectory format to the other and back: positions to half a thousandth, and times. */
static void every_frame_goes_from_dcd_to_xtc_and_back(void **state)
{
    (void)state;
    AmphiNotes *const   notes   = amphi_notes_new();
    AmphiConvertOptions options = plain;
    int64_t             n = 0, n_again = 0;
    AmphiDcdReader      r;

    make_trajectory(path_of("long.dcd"));
    assert_int_equal(convert("long.dcd", "all.xtc", &plain, notes), AMPHI_OK);
    assert_int_equal(convert("all.xtc", "again.xtc", &plain, notes), AMPHI_OK);
    assert_int_equal(convert("all.xtc", "back.dcd", &plain, notes), AMPHI_OK);
    char *const bytes = bytes_of_file(path_of("all.xtc"), &n);
    char *const again = bytes_of_file(path_of("again.xtc"), &n_again);
    assert_int_equal(n, n_again);
    assert_memory_equal(bytes, again, (size_t)n);
    for (int64_t frame = 0; frame < 4; frame++) {
        options.frame   = frame;
        Reading one     = result_of("all.xtc", "frame.gro", &options);
        Reading another = result_of("back.dcd", "frame.xtc", &options);
        assert_int_equal(one.s->step, 10 * frame);
        assert_true(fabs(one.s->time_ps - 0.2 * (double)frame) < 1e-6);
        assert_true(fabs(another.s->time_ps - 0.2 * (double)frame) < 1e-6);
        assert_true(fabs(one.s->position_nm[0][0] - (double)frame) < 1e-6);
        assert_true(fabs(another.s->position_nm[0][0] - (double)frame) < 1e-6);
        done(&one);
        done(&another);
    }
    assert_true(amphi_dcd_open(&r, path_of("back.dcd"), (AmphiWhere){ NULL, 0 }, notes));
    assert_int_equal(r.n_frames, 4);
    assert_int_equal(r.steps_between, 10);
    assert_true(fabs(r.dt_ps - 0.02) < 1e-8);
    amphi_dcd_close(&r);
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_WARNING), 0);

    bytes[n / 4 + 3] = 0; /* the magic of the second frame: the rest is told */
    write_file(path_of("bad.xtc"), bytes, n);
    assert_int_equal(convert("bad.xtc", "one.xtc", &plain, notes), AMPHI_OK);
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_WARNING), 1);
    free(bytes_of_file(path_of("one.xtc"), &n_again));
    assert_int_equal(n_again, n / 4);
    bytes[n / 4 + 3]  = (char)0xCB;
    bytes[n / 4 + 56] = 0x7F; /* not a number, in the second: nothing is written */
    bytes[n / 4 + 57] = (char)0xC0;
    write_file(path_of("bad.xtc"), bytes, n);
    unlink(path_of("one.xtc"));
    assert_int_equal(convert("bad.xtc", "one.xtc", &plain, notes), AMPHI_BAD_INPUT);
    assert_int_equal(access(path_of("one.xtc"), F_OK), -1);
    assert_int_equal(access(path_of("one.xtc.tmp"), F_OK), -1);
    free(bytes);
    free(again);
    amphi_notes_free(notes);
}

static bool has_id(AmphiNotes *notes, AmphiMessageId id)
{
    int64_t                n    = 0;
    const AmphiNote *const note = amphi_notes_sorted(notes, &n);

    for (int64_t k = 0; k < n; k++)
        if (note[k].id == id)
            return true;
    return false;
}

/* Where the numbers of a DCD header stand, and its title. */
enum { DCD_FIRST_AT = 12, DCD_BETWEEN_AT = 16, DCD_DT_AT = 44, DCD_TITLE_AT = 100 };

/* long.dcd with another title and these numbers, as it is told and becomes an XTC file. */
static void check_header(const char *title, int32_t first, int32_t between, bool has_dt,
                         const int64_t step[2], const double time_ps[2], int told)
{
    AmphiConvertOptions options = plain;
    AmphiNotes *const   notes   = amphi_notes_new();
    int64_t             n       = 0;

    make_trajectory(path_of("long.dcd"));
    char *const bytes = bytes_of_file(path_of("long.dcd"), &n);
    memcpy(bytes + DCD_FIRST_AT, &first, sizeof first);
    memcpy(bytes + DCD_BETWEEN_AT, &between, sizeof between);
    memset(bytes + DCD_DT_AT, 0, has_dt ? 0 : 4);
    memcpy(bytes + DCD_TITLE_AT, title, strlen(title));
    write_file(path_of("other.dcd"), bytes, n);
    free(bytes);
    assert_int_equal(convert("other.dcd", "all.xtc", &plain, notes), AMPHI_OK);
    for (int k = 0; k < 2; k++) {
        options.frame = 2 * k + 1;
        Reading r     = result_of("all.xtc", "frame.gro", &options);
        assert_int_equal(r.s->step, step[k]);
        assert_true(fabs(r.s->time_ps - time_ps[k]) < 1e-5); /* printed with five decimals */
        done(&r);
    }
    assert_int_equal(has_id(notes, AMPHI_MSG_CONVERT_STEPS), told == AMPHI_MSG_CONVERT_STEPS);
    assert_int_equal(has_id(notes, AMPHI_MSG_CONVERT_NO_TIMES), told == AMPHI_MSG_CONVERT_NO_TIMES);
    amphi_notes_free(notes);
}

/* amphi's own header has times as steps; others have the steps of their run. */
static void steps_and_times_are_those_of_a_dcd_header_and_what_it_lacks_is_told(void **state)
{
    (void)state;
    const int none = -1;

    check_header("amphi", 500, 10, true, (const int64_t[2]){ 510, 530 },
                 (const double[2]){ 10.2, 10.6 }, AMPHI_MSG_CONVERT_STEPS);
    check_header("REMARKS FILENAME=a.dcd CREATED BY NAMD", 500, 10, true,
                 (const int64_t[2]){ 510, 530 }, (const double[2]){ 10.2, 10.6 }, none);
    check_header("REMARKS", 500, 10, false, (const int64_t[2]){ 510, 530 },
                 (const double[2]){ 0, 0 }, AMPHI_MSG_CONVERT_NO_TIMES);
    check_header("REMARKS", 500, 0, true, (const int64_t[2]){ 1, 3 }, (const double[2]){ 0, 0 },
                 AMPHI_MSG_CONVERT_NO_TIMES);
}

static void formats_can_be_named(void **state)
{
    (void)state;
    AmphiConvertOptions options = plain;
    AmphiNotes *const   notes   = amphi_notes_new();
    int64_t             n       = 0;
    char *const         bytes   = bytes_of_file(path_of("small.gro"), &n);

    write_file(path_of("no_ending"), bytes, n);
    free(bytes);
    assert_int_equal(convert("no_ending", "x.pdb", &options, notes), AMPHI_BAD_INPUT);
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_ERROR), 1);
    options.from_format = "gro";
    assert_int_equal(convert("no_ending", "x.pdb", &options, notes), AMPHI_OK);
    options.to_format = "pbd";
    assert_int_equal(convert("no_ending", "x.pdb", &options, notes), AMPHI_BAD_INPUT);
    assert_true(
        has_note(notes, &(const Fault){ "", AMPHI_MSG_FORMAT_UNKNOWN, 0,
                                        "pbd: the format of the file is not known",
                                        "write one of: gro pdb lammps-data dcd xtc psf chk" }));
    amphi_notes_free(notes);
}

static void a_folder_that_is_not_there_is_a_failed_write(void **state)
{
    (void)state;
    AmphiNotes *const notes = amphi_notes_new();
    AmphiError        err   = { 0 };

    assert_int_equal(amphi_convert(path_of("small.gro"), "/nowhere/x.pdb", &plain, notes, &err),
                     AMPHI_BAD_FILE);
    assert_string_equal(err.text, "/nowhere/x.pdb: No such file or directory");
    assert_int_equal(amphi_convert(path_of("small.dcd"), "/nowhere/x.dcd", &plain, notes, &err),
                     AMPHI_BAD_FILE);
    amphi_notes_free(notes);
}

/* Each allocation failed in turn: an answer each time, and in the end success. */
static void want_of_memory_is_an_answer(void **state)
{
    (void)state;
    static const char *const pairs[][2] = { { "small.chk", "x.data" }, { "small.data", "x.gro" },
                                            { "small.pdb", "x.gro" },  { "small.gro", "x.pdb" },
                                            { "small.psf", "x.psf" },  { "small.dcd", "x.dcd" },
                                            { "small.dcd", "x.xtc" },  { "small.xtc", "x.dcd" } };

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        AmphiNotes *const notes  = amphi_notes_new();
        AmphiStatus       status = AMPHI_NO_MEMORY;
        int               n      = 1;

        for (; n < 100 && status != AMPHI_OK; n++) {
            amphi_arena_fail_at(n);
            status = convert(pairs[k][0], pairs[k][1], &plain, notes);
            amphi_arena_fail_at(0);
            assert_true(status == AMPHI_OK || status == AMPHI_NO_MEMORY);
        }
        assert_true(n > 3 && n < 100);
        amphi_notes_free(notes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_becomes_those_it_knows_enough_for),
        cmocka_unit_test(positions_and_names_are_kept),
        cmocka_unit_test(molecules_of_a_state_come_whole_and_into_the_box),
        cmocka_unit_test(a_topology_gives_names_and_bonds_to_a_trajectory),
        cmocka_unit_test(a_topology_gives_all_that_a_checkpoint_lacks),
        cmocka_unit_test(a_topology_gives_diameters_to_a_checkpoint),
        cmocka_unit_test(names_that_are_made_up_are_told),
        cmocka_unit_test(what_is_missing_is_named_with_the_files_that_have_it),
        cmocka_unit_test(a_topology_of_another_system_is_refused),
        cmocka_unit_test(one_frame_or_all_of_a_trajectory_are_taken),
        cmocka_unit_test(a_trajectory_may_be_converted_onto_itself),
        cmocka_unit_test(every_frame_goes_from_dcd_to_xtc_and_back),
        cmocka_unit_test(steps_and_times_are_those_of_a_dcd_header_and_what_it_lacks_is_told),
        cmocka_unit_test(formats_can_be_named),
        cmocka_unit_test(a_folder_that_is_not_there_is_a_failed_write),
        cmocka_unit_test(want_of_memory_is_an_answer),
    };
    return cmocka_run_group_tests(tests, make_files, remove_folder);
}
