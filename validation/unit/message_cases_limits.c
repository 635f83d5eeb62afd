/* What is too large, too many or too deep, and damaged binary files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "message_cases.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "../../engine/formats/formats.h"

/* A file of holes: no bytes on the disk. */
static void make_large(const char *folder)
{
    folder_write_text(folder, "large.xml", "<forcefield version=\"1\" name=\"f\"/>");
    assert_int_equal(truncate(folder_path(folder, "large.xml"), (16 << 20) + 1), 0);
}

/* 1.xml includes 2.xml ... */
static void make_chain(const char *folder)
{
    for (int k = 1; k < 10; k++) {
        char name[16], text[128];

        snprintf(name, sizeof name, "%d.xml", k);
        snprintf(text, sizeof text,
                 "<forcefield version=\"1\" name=\"f\">\n<include href=\"%d.xml\"/></forcefield>",
                 k + 1);
        folder_write_text(folder, name, text);
    }
}

static void make_many(const char *folder)
{
    for (int k = 1; k < 66; k++) {
        char name[16];

        snprintf(name, sizeof name, "%d.xml", k);
        folder_write_text(folder, name, "<forcefield version=\"1\" name=\"f\"/>");
    }
}

/* A molecule of one bead of each of 129 types. */
static void make_types(const char *folder)
{
    FILE *const out = fopen(folder_path(folder, "types.xml"), "w");

    assert_non_null(out);
    fprintf(out, "<forcefield version=\"1\" name=\"f\"><moleculetype name=\"big\">\n");
    for (int k = 1; k < 130; k++)
        fprintf(out, "<bead id=\"%d\" type=\"t%d\"/>\n", k, k);
    fprintf(out, "</moleculetype>\n");
    for (int k = 1; k < 130; k++)
        fprintf(out, "<beadtype name=\"t%d\" mass=\"1 u\"/>\n", k);
    fprintf(out, "</forcefield>\n");
    assert_int_equal(fclose(out), 0);
}

/* ---- binary files ---- */

typedef struct {
    int64_t     at, n; /* n bytes from there become these */
    const void *bytes;
    int64_t     cut;       /* from the end */
    bool        is_signed; /* with the checksum of a checkpoint */
} Damage;

/* The start of job_base in a binary format, damaged. */
static void make_damaged(const char *folder, const char *name, Damage damage)
{
    JobReading               r      = read_job_text(job_base);
    AmphiArena *const        arena  = amphi_arena_new();
    const AmphiFormat *const format = amphi_format_of_path(name);
    int64_t                  n      = 0;

    assert_non_null(r.job);
    assert_int_equal(format->write(folder_path(folder, name),
                                   amphi_snapshot_of_system(&r.job->system, arena), NULL),
                     AMPHI_OK);
    char *const all = file_bytes(folder_path(folder, name), &n);
    assert_true(damage.at + damage.n <= n && damage.cut < n);
    memcpy(all + damage.at, damage.bytes, (size_t)damage.n);
    if (damage.is_signed) {
        const XXH128_hash_t hash = XXH3_128bits(all, (size_t)n - 16);
        memcpy(all + n - 16, &hash.low64, 8);
        memcpy(all + n - 8, &hash.high64, 8);
    }
    folder_write(folder, name, all, n - damage.cut);
    free(all);
    amphi_arena_free(arena);
    reading_free(&r);
}

enum { DCD_FIRST_FRAME = 276 }; /* behind the records of numbers, title and count */

static void make_chk(const char *folder)
{
    make_damaged(folder, "a.chk", (Damage){ 0, 0, "", 0, false });
}

static void make_dcd_with_odd_mark(const char *folder)
{
    const int32_t odd = 77;

    make_damaged(folder, "a.dcd", (Damage){ DCD_FIRST_FRAME, 4, &odd, 0, false });
}

static void make_dcd_without_frame(const char *folder)
{
    make_damaged(folder, "a.dcd", (Damage){ 0, 0, "", 4, false });
}

static void make_dcd_of_fewer(const char *folder)
{
    const int32_t five = 5;

    make_damaged(folder, "a.dcd", (Damage){ 8, 4, &five, 0, false });
}

static void make_dcd_with_rest(const char *folder)
{
    int64_t n = 0;

    make_damaged(folder, "a.dcd", (Damage){ 0, 0, "", 0, false });

    char *const one  = file_bytes(folder_path(folder, "a.dcd"), &n);
    char *const more = malloc((size_t)n + 7);
    assert_non_null(more);
    memcpy(more, one, (size_t)n);
    memset(more + n, 0, 7);
    folder_write(folder, "a.dcd", more, n + 7);
    free(more);
    free(one);
}

/* Few beads are floats, from byte 56 on. */
static void make_xtc_with_odd_position(const char *folder)
{
    make_damaged(folder, "a.xtc", (Damage){ 56, 4, "\x7F\xC0\x00\x00", 0, false });
}

/* Its one frame twice, the second time cut. */
static void make_xtc_with_rest(const char *folder)
{
    int64_t n = 0;

    make_damaged(folder, "a.xtc", (Damage){ 0, 0, "", 0, false });

    char *const one  = file_bytes(folder_path(folder, "a.xtc"), &n);
    char *const both = malloc((size_t)(2 * n));
    assert_non_null(both);
    memcpy(both, one, (size_t)n);
    memcpy(both + n, one, (size_t)n);
    folder_write(folder, "a.xtc", both, 2 * n - 1);
    free(both);
    free(one);
}

static void make_chk_of_future(const char *folder)
{
    const int32_t two = 2;

    make_damaged(folder, "a.chk", (Damage){ 8, 4, &two, 0, false });
}

static void make_chk_with_other_byte(const char *folder)
{
    make_damaged(folder, "a.chk", (Damage){ 200, 1, "X", 0, false });
}

static void make_chk_with_negative_box(const char *folder)
{
    const double negative = -1;

    make_damaged(folder, "a.chk", (Damage){ 96, 8, &negative, 0, true });
}

const MessageCase message_cases_limits[] = {
    { CASE(FILE_TOO_LARGE, "large.xml: 16777217 bytes; at most 16777216 are read", "",
           "<forcefield>", "<forcefield>\n<include href=\"large.xml\"/>@"),
      .make = make_large },
    { CASE(INCLUDE_TOO_DEEP, "<include href=\"9.xml\">: more than 8 files deep or 64 in all", "",
           "<forcefield>", "<forcefield>\n<include href=\"1.xml\"/>"),
      .make = make_chain,
      WITH("8.xml", "<forcefield version=\"1\" name=\"f\">\n\n"
                    "<include href=\"9.xml\"/>@</forcefield>") },
    { CASE(INCLUDE_TOO_DEEP, "<include href=\"65.xml\">: more than 8 files deep or 64 in all", "",
           "<forcefield>", "<forcefield>\n$@"),
      .make = make_many, .piece = "<include href=\"%d.xml\"/>", .times = 65 },
    { CASE(TOO_MANY, "more than 64 attributes of one element", "", "mass=\"20 u\"",
           "mass=\"20 u\"@ $"),
      .piece = "a%d='=' ", .times = 64 },
    { CASE(TOO_MANY, "more than 64 attributes of one element", "", "</amphi>\n", "@<amphi $"),
      .piece = "a%d='' ", .times = 65 },
    { CASE(TOO_MANY, "more than 1000000 elements in a file", "", "</amphi>\n", "@$</amphi>\n"),
      .piece = "<a/>", .times = 1000001 },
    { CASE(TOO_MANY, "more than 4096 bead types or molecule types", "", "<forcefield>\n",
           "@<forcefield>$\n"),
      .piece = "<beadtype name=\"a%d\" mass=\"1 u\"/>", .times = 4096 },
    { CASE(TOO_MANY, "more than 100000 beads in a molecule", "", "</forcefield>\n",
           "@<moleculetype name=\"m\">$</moleculetype>\n</forcefield>\n"),
      .piece = "<bead id=\"%d\" type=\"ion\"/>", .times = 100001 },
    { CASE(TOO_MANY, "more than 128 bead types in use", "", JOB_MOLECULES,
           "<molecule type=\"big\" count=\"1\"/>\n"),
      AND("<forcefield>\n", "<forcefield><include href=\"types.xml\"/>\n"), .make = make_types,
      .file = "job.xml", .line = 19, .n_others = 6 },
    { CASE(TOO_MANY, "more than 256 groups", "", "<system>\n", "@<system>$\n"),
      .piece = "<group name=\"g%d\" select=\"bead ion\"/>", .times = 257 },
    { CASE(TOO_MANY, "more than 10000 inline beads", "", JOB_BEADS,
           "@<beads length=\"nm\">\n$</beads>\n"),
      .piece = "dip %d 0 0 0 1 0 0 0\n", .times = 10001, .n_others = 4 },
    { CASE(DCD_RECORD, "frame 0, byte ", "is the file damaged?", JOB_BEADS,
           "<coordinates file=\"a.dcd\"/>\n<orientations seed=\"1\"/>\n"),
      .make = make_dcd_with_odd_mark, .file = "a.dcd" },
    { CASE(NO_WHOLE_FRAME, "there is no whole frame in this file", "a minimisation none", JOB_BEADS,
           "<coordinates file=\"a.dcd\"/>\n<orientations seed=\"1\"/>\n"),
      .make = make_dcd_without_frame, .file = "a.dcd" },
    { CASE(DCD_REST, "behind its 1 whole frames there is nothing, and its header tells of 5",
           "was it cut?", JOB_BEADS, "<coordinates file=\"a.dcd\"/>\n<orientations seed=\"1\"/>\n"),
      .make = make_dcd_of_fewer, .file = "a.dcd", .severity = AMPHI_NOTE_WARNING },
    { CASE(DCD_REST, "behind its 1 whole frames are 7 bytes of another", "was it cut?", JOB_BEADS,
           "<coordinates file=\"a.dcd\"/>\n<orientations seed=\"1\"/>\n"),
      .make = make_dcd_with_rest, .file = "a.dcd", .severity = AMPHI_NOTE_WARNING },
    { CASE(XTC_FRAME, "frame 0, byte 0: a position is not finite", "is the file damaged?",
           JOB_BEADS, "<coordinates file=\"a.xtc\"/>\n<orientations seed=\"1\"/>\n"),
      .make = make_xtc_with_odd_position, .file = "a.xtc" },
    { CASE(XTC_REST, "behind its 1 whole frames are 103 bytes: the frame there: it is cut",
           "is a program still writing it, or is the file damaged?", JOB_BEADS,
           "<coordinates file=\"a.xtc\"/>\n<orientations seed=\"1\"/>\n"),
      .make = make_xtc_with_rest, .file = "a.xtc", .severity = AMPHI_NOTE_WARNING },
    { CASE(CHK_VERSION, "a checkpoint of version 2, layout 1; this amphi reads version 1, layout 1",
           "read it with amphi ", JOB_BEADS, "<coordinates file=\"a.chk\"/>\n"),
      .make = make_chk_of_future, .file = "a.chk" },
    { CASE(CHK_CHECKSUM, "the checksum does not hold", "use run.chk.prev", JOB_BEADS,
           "<coordinates file=\"a.chk\"/>\n"),
      .make = make_chk_with_other_byte, .file = "a.chk" },
    { CASE(CHK_SECTION, "byte 88, section \"header\": a box edge is not above zero", "", JOB_BEADS,
           "<coordinates file=\"a.chk\"/>\n"),
      .make = make_chk_with_negative_box, .file = "a.chk" },
    { CASE(NO_MOLECULES, "<system>: <coordinates> needs <molecule> elements in the order",
           "write: <molecule type=\"salt\" count=\"1\"/> <molecule type=\"water\" count=\"2\"/>",
           JOB_BEADS, "<coordinates file=\"a.chk\"/>\n"),
      AND("<system>\n" JOB_BOX JOB_MOLECULES, "@<system>\n" JOB_BOX), .make = make_chk },
    { .text = NULL },
};
