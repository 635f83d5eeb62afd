/* Pictures of systems. The picture of a bilayer stays beside the test's program, to be looked
 * at. */
#include "../../tools/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "skipping.h"
#include "toy_systems.h"

static char folder[512]; /* of the test's program, from the root */

typedef struct {
    AmphiArena *arena;
    AmphiSystem system;
} Scene;

static Scene build(const AmphiBuildPlan *plan)
{
    Scene      s = { .arena = amphi_arena_new() };
    AmphiBuilt built;

    s.system = toy_elba(s.arena);
    toy_populate_plan(&s.system, plan, s.arena);
    assert_int_equal(amphi_build(&s.system, plan, s.arena, &built, NULL), AMPHI_OK);
    memcpy(s.system.box_nm, built.box_nm, sizeof built.box_nm);
    s.system.position_nm = (const double(*)[3])built.position_nm;
    s.system.orientation = (const double(*)[4])built.orientation;
    return s;
}

static Scene build_water(void)
{
    const AmphiPortion water = { TOY_WATER, 50 };

    return build(&(AmphiBuildPlan){ .n_fill = 1, .fill = &water, .box_nm = { 1, 1, 2 } });
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void skip_without_tachyon(void)
{
    if (system("command -v tachyon >/dev/null 2>&1") != 0)
        SKIP("no tachyon (Debian: tachyon)");
}

/* Width and height out of a PNG's first chunk; 0 when it is none. */
static void read_size(const char *path, long size[2])
{
    unsigned char head[24] = { 0 };
    FILE         *in       = fopen(path, "rb");

    size[0] = size[1] = 0;
    if (in == NULL)
        return;
    if (fread(head, 1, sizeof head, in) == sizeof head && memcmp(head + 12, "IHDR", 4) == 0)
        for (int k = 0; k < 8; k++)
            size[k / 4] = size[k / 4] << 8 | head[16 + k];
    fclose(in);
}

static void a_bilayer_becomes_a_picture_of_a_thousand_pixels(void **state)
{
    const AmphiPortion lipids = { TOY_DMPC, 64 };
    char               path[600], scene[610];
    long               size[2];

    (void)state;
    skip_without_tachyon();
    Scene s = build(&(AmphiBuildPlan){ .bilayer            = true,
                                       .seed               = 1,
                                       .n_leaflet          = { 1, 1 },
                                       .leaflet            = { &lipids, &lipids },
                                       .water              = { TOY_WATER, 0 },
                                       .water_per_lipid    = 33,
                                       .area_per_lipid_nm2 = 0.65 });
    snprintf(path, sizeof path, "%s/bilayer.png", folder);
    snprintf(scene, sizeof scene, "%s.dat", path);
    assert_int_equal(tool_draw_system(&s.system, path, NULL), AMPHI_OK);
    read_size(path, size);
    assert_true(size[0] <= 1000 && size[1] <= 1000 && (size[0] == 1000 || size[1] == 1000));
    assert_true(size[0] >= 500 && size[1] >= 500);
    assert_false(is_there(scene));
    print_message("a picture to look at: %s\n", path);
    amphi_arena_free(s.arena);
}

static void a_missing_ray_tracer_is_named_with_its_package(void **state)
{
    char       *path = strdup(getenv("PATH"));
    char        png[600];
    AmphiError  err = { 0 };
    const Scene s   = build_water();

    (void)state;
    snprintf(png, sizeof png, "%s/missing.png", folder);
    setenv("PATH", "/nowhere", 1);
    const AmphiStatus status = tool_draw_system(&s.system, png, &err);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, AMPHI_BAD_COMMAND);
    assert_non_null(strstr(err.text, "install the Debian package tachyon"));
    assert_false(is_there(png));
    amphi_arena_free(s.arena);
}

static void a_place_that_cannot_be_written_is_named(void **state)
{
    AmphiError  err = { 0 };
    const Scene s   = build_water();
    char        path[5000];

    (void)state;
    assert_int_equal(tool_draw_system(&s.system, "/nowhere/water.png", &err), AMPHI_BAD_FILE);
    assert_non_null(strstr(err.text, "/nowhere/water.png"));
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(tool_draw_system(&s.system, path, &err), AMPHI_BAD_FILE);
    assert_non_null(strstr(err.text, "too long"));
    amphi_arena_free(s.arena);
}

/* Draws with a program named tachyon of these lines, which finds no other program by PATH. */
static AmphiStatus draw_with(const char *lines, const char *png, AmphiError *err)
{
    char       *path = strdup(getenv("PATH"));
    char        place[600], program[620];
    const Scene s = build_water();

    snprintf(place, sizeof place, "%s/false-XXXXXX", folder);
    assert_non_null(mkdtemp(place));
    snprintf(program, sizeof program, "%s/tachyon", place);
    FILE *out = fopen(program, "w");
    fprintf(out, "#!/bin/sh\n%s\n", lines);
    fclose(out);
    assert_int_equal(chmod(program, 0755), 0);
    setenv("PATH", place, 1);
    const AmphiStatus status = tool_draw_system(&s.system, png, err);
    setenv("PATH", path, 1);
    free(path);
    remove(program);
    remove(place);
    amphi_arena_free(s.arena);
    return status;
}

static void check_false_tachyon(const char *lines, const char *text)
{
    AmphiError err = { 0 };
    char       png[600];

    snprintf(png, sizeof png, "%s/false.png", folder);
    assert_int_equal(draw_with(lines, png, &err), AMPHI_BAD_FILE);
    assert_non_null(strstr(err.text, text));
    assert_non_null(strstr(err.text, "false.png"));
}

static void a_ray_tracer_that_fails_is_not_believed(void **state)
{
    (void)state;
    check_false_tachyon("exit 3", "tachyon failed to draw it");
    check_false_tachyon("exit 0", "tachyon did not write the picture");
}

/* tachyon SCENE -fog_vmd -format PNG -o NAME: the ray tracer cuts NAME at a blank. */
static void blanks_in_a_path_reach_no_other_file(void **state)
{
    (void)state;
    AmphiError err = { 0 };
    char       place[600], png[640], half[600];

    snprintf(place, sizeof place, "%s/two words", folder);
    snprintf(png, sizeof png, "%s/two words/the side.png", folder);
    snprintf(half, sizeof half, "%s/two", folder);
    assert_true(mkdir(place, 0777) == 0 || is_there(place));
    assert_int_equal(
        draw_with("test -f \"$1\" && printf '\\211PNG\\r\\n\\032\\n' >${6%% *}", png, &err),
        AMPHI_OK);
    assert_true(is_there(png));
    assert_false(is_there(half));

    /* nothing else is left in it */
    assert_int_equal(remove(png), 0);
    assert_int_equal(rmdir(place), 0);

    assert_int_equal(chdir(folder), 0);
    assert_int_equal(draw_with("printf '\\211PNG\\r\\n\\032\\n' >${6%% *}", "-a b.png", &err),
                     AMPHI_OK);
    assert_int_equal(remove("-a b.png"), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bilayer_becomes_a_picture_of_a_thousand_pixels),
        cmocka_unit_test(a_missing_ray_tracer_is_named_with_its_package),
        cmocka_unit_test(a_place_that_cannot_be_written_is_named),
        cmocka_unit_test(a_ray_tracer_that_fails_is_not_believed),
        cmocka_unit_test(blanks_in_a_path_reach_no_other_file),
    };
    const char *end = argc > 0 ? strrchr(argv[0], '/') : NULL;
    char        given[512];

    snprintf(given, sizeof given, "%.*s", end == NULL ? 1 : (int)(end - argv[0]),
             end == NULL ? "." : argv[0]);
    char *const whole = realpath(given, NULL);
    snprintf(folder, sizeof folder, "%s", whole == NULL ? "." : whole);
    free(whole);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
