/* The list of formats, files as bytes, and the checks before writing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "format_cases.h"

static const AmphiWhere from = { "job.xml", 7 };

static void formats_are_found_by_name_and_by_ending(void **state)
{
    (void)state;
    static const struct {
        const char *path, *format;
    } cases[] = {
        { "a.gro", "gro" },
        { "b/c.pdb", "pdb" },
        { "x.data", "lammps-data" },
        { "a/data.dmpc", "lammps-data" },
        { "data.gro", "gro" },
        { "t.dcd", "dcd" },
        { "t.xtc", "xtc" },
        { "t.psf", "psf" },
        { "run.chk", "chk" },
        { "run.chk.prev", "chk" },
        { "gro", NULL },
        { ".gro", NULL },
        { "data.d/start", NULL },
        { "a.GRO", NULL },
        { "a.xml", NULL },
        { "", NULL },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const AmphiFormat *const format = amphi_format_of_path(cases[k].path);
        if (cases[k].format == NULL)
            assert_null(format);
        else
            assert_string_equal(format->name, cases[k].format);
    }
    int32_t n = 0;
    for (; amphi_format_at(n) != NULL; n++)
        assert_ptr_equal(amphi_format_find(amphi_format_at(n)->name), amphi_format_at(n));
    assert_int_equal(n, 7);
    assert_null(amphi_format_at(-1));
    assert_null(amphi_format_find("trr"));
}

/* Reading this path, from this place in a job, gives this note and nothing else. */
static bool refuses(const char *path, const char *format, const Fault *fault)
{
    AmphiArena *const arena   = amphi_arena_new();
    AmphiNotes *const notes   = amphi_notes_new();
    const bool        is_held = amphi_snapshot_read(path, format, arena, from, notes) == NULL &&
                         amphi_notes_count(notes, AMPHI_NOTE_ERROR) == 1 && has_note(notes, fault);

    amphi_arena_free(arena);
    amphi_notes_free(notes);
    return is_held;
}

static void files_that_cannot_be_read_are_told_where_they_were_named(void **state)
{
    (void)state;
    char text[256], hint[160];

    assert_true(refuses("/nowhere.gro", NULL,
                        &(const Fault){ "", AMPHI_MSG_FILE_MISSING, 7,
                                        "/nowhere.gro: No such file or directory", "" }));
    assert_true(
        refuses("start.xyz", NULL,
                &(const Fault){ "", AMPHI_MSG_FORMAT_UNKNOWN, 7,
                                "start.xyz: the format of the file is not known",
                                "write one of: .gro .pdb .data .dcd .xtc .psf .chk data.*" }));
    assert_true(refuses("start.gro", "xyz",
                        &(const Fault){ "", AMPHI_MSG_FORMAT_UNKNOWN, 7,
                                        "xyz: the format of the file is not known",
                                        "write one of: gro pdb lammps-data dcd xtc psf chk" }));

    write_file(path_of("empty.gro"), "", 0);
    snprintf(text, sizeof text, "%s: the file is empty", path_of("empty.gro"));
    assert_true(refuses(path_of("empty.gro"), NULL,
                        &(const Fault){ "", AMPHI_MSG_FILE_EMPTY, 7, text, "" }));

    write_file(path_of("packed.gro"), "\x1F\x8B\x08\x00", 4);
    snprintf(text, sizeof text, "%s: the file is compressed", path_of("packed.gro"));
    snprintf(hint, sizeof hint, "unpack it first: gunzip -k %s", path_of("packed.gro"));
    assert_true(refuses(path_of("packed.gro"), NULL,
                        &(const Fault){ "", AMPHI_MSG_FORMAT_GZIP, 7, text, hint }));
    assert_false(refuses(path_of("packed.gro"), NULL,
                         &(const Fault){ "", AMPHI_MSG_FORMAT_GZIP, 8, text, hint }));

    snprintf(text, sizeof text, "%s: not a regular file", folder());
    assert_true(
        refuses(folder(), "gro", &(const Fault){ "", AMPHI_MSG_FILE_MISSING, 7, text, "" }));
    assert_int_equal(mkfifo(path_of("pipe.gro"), 0600), 0); /* must not wait for a writer */
    snprintf(text, sizeof text, "%s: not a regular file", path_of("pipe.gro"));
    assert_true(refuses(path_of("pipe.gro"), NULL,
                        &(const Fault){ "", AMPHI_MSG_FILE_MISSING, 7, text, "" }));
}

static void a_file_is_read_whole_up_to_the_limit(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    int64_t           n     = 0;
    char              text[256];

    write_file(path_of("ten"), "0123456789", 10);
    const char *const bytes = amphi_file_read(path_of("ten"), 10, &n, arena, from, notes);
    assert_non_null(bytes);
    assert_int_equal(n, 10);
    assert_memory_equal(bytes, "0123456789", 11); /* and a zero */
    assert_null(amphi_file_read(path_of("ten"), 9, &n, arena, from, notes));
    snprintf(text, sizeof text, "%s: 10 bytes; at most 9 are read", path_of("ten"));
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_FILE_TOO_LARGE, 7, text, "" }));

    amphi_arena_fail_at(1);
    assert_null(amphi_file_read(path_of("ten"), 10, &n, arena, from, notes));
    amphi_arena_fail_at(0);
    assert_true(amphi_arena_failed(arena));
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

static void a_frame_is_chosen(void **state)
{
    (void)state;
    static const char text[] = "a\n1\n    1WAT      W    1   0.100   0.200   0.300\n1 1 1\n"
                               "b\n1\n    1WAT      W    1   0.400   0.200   0.300\n1 1 1\n";
    AmphiArena *const arena  = amphi_arena_new();
    AmphiNotes *const notes  = amphi_notes_new();
    const char *const path   = path_of("two.gro");

    write_file(path, text, (int64_t)strlen(text));
    const AmphiSnapshot *first = amphi_snapshot_read(path, NULL, arena, from, notes);
    const AmphiSnapshot *last  = amphi_snapshot_read_frame(path, "gro", -1, arena, from, notes);
    assert_true(first->position_nm[0][0] == 0.1);
    assert_true(last->position_nm[0][0] == 0.4);
    assert_string_equal(first->path, path);
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

static void names_are_made_where_there_are_none(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           next  = 0;

    assert_string_equal(amphi_snapshot_bead_name(s, 1).text, "PO");
    s->bead_name[1].text[0] = '\0';
    assert_string_equal(amphi_snapshot_bead_name(s, 1).text, "B1");
    s->bead_name = NULL;
    assert_string_equal(amphi_snapshot_bead_name(s, 4).text, "B2");
    s->type = NULL;
    assert_string_equal(amphi_snapshot_bead_name(s, 4).text, "B");
    s->molecule_name = NULL;
    assert_string_equal(amphi_snapshot_molecule_name(s, 0).text, "MOL");

    /* beads of no molecule get numbers behind the largest */
    const int32_t molecules[] = { 4, 4, 0, 0, 2 };
    const int64_t expected[]  = { 4, 4, 5, 6, 2 };
    memcpy(s->molecule, molecules, sizeof molecules);
    for (int i = 0; i < N_SMALL; i++)
        assert_int_equal(amphi_snapshot_molecule_number(s, i, &next), expected[i]);
    s->molecule = NULL;
    next        = 0;
    for (int i = 0; i < N_SMALL; i++)
        assert_int_equal(amphi_snapshot_molecule_number(s, i, &next), i + 1);
    amphi_arena_free(arena);
}

static void names_that_will_be_cut_are_told_once(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    AmphiSnapshot    *s     = small_system(arena);

    strcpy(s->bead_name[3].text, "WATERS");
    strcpy(s->bead_name[4].text, "WATERS");
    strcpy(s->molecule_name[0].text, "LIPID");
    assert_true(amphi_format_check(&amphi_format_gro, "o.gro", s, notes));
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_CONVERT_NAMES_CUT, 0,
                                                "bead name WATERS does not fit: written as WATER",
                                                "gro has 5 columns for it" }));
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_WARNING), 1);
    assert_true(amphi_format_check(&amphi_format_pdb, "o.pdb", s, notes));
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_CONVERT_NAMES_CUT, 0,
                                                "molecule name LIPID does not fit: written as LIPI",
                                                "pdb has 4 columns for it" }));
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_WARNING), 3);
    assert_true(amphi_format_check(&amphi_format_chk, "o.chk", s, notes));
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_WARNING), 3);
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_ERROR), 0);
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

static void what_a_snapshot_has_is_told_part_by_part(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiSnapshot     none  = { 0 };

    assert_int_equal(amphi_snapshot_has(s), 1023);
    assert_int_equal(amphi_snapshot_has(&none), 0);
    s->dipole_strength_e_nm = NULL; /* axes alone are no dipoles */
    assert_int_equal(amphi_snapshot_has(s), 1023 & ~AMPHI_HAS_DIPOLES);
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_found_by_name_and_by_ending),
        cmocka_unit_test(files_that_cannot_be_read_are_told_where_they_were_named),
        cmocka_unit_test(a_file_is_read_whole_up_to_the_limit),
        cmocka_unit_test(a_frame_is_chosen),
        cmocka_unit_test(names_are_made_where_there_are_none),
        cmocka_unit_test(names_that_will_be_cut_are_told_once),
        cmocka_unit_test(what_a_snapshot_has_is_told_part_by_part),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
