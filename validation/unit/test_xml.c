/* Trees of XML: children, lines, typed values with their defaults, and what getters give for faulty
 * attributes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/xml_check.h"
#include "../../engine/xml_source.h"
#include "job_folder.h"

typedef struct {
    AmphiArena *arena;
    AmphiNotes *notes;
    AmphiXml   *root;
    char       *bytes;
} Tree;

static Tree parse(const char *text)
{
    Tree t = { amphi_arena_new(), amphi_notes_new(), NULL, strdup(text) };

    assert_non_null(t.arena);
    assert_non_null(t.notes);
    assert_non_null(t.bytes);
    t.root = amphi_xml_parse("t.xml", t.bytes, (int64_t)strlen(text), "amphi", t.arena, t.notes);
    return t;
}

static void tree_free(Tree *t)
{
    amphi_arena_free(t->arena);
    amphi_notes_free(t->notes);
    free(t->bytes);
}

/* The first element of that name, anywhere. */
static AmphiXml *find(const Tree *t, const char *name)
{
    for (AmphiXml *at = t->root; at != NULL; at = amphi_xml_walk(t->root, at))
        if (strcmp(at->name, name) == 0)
            return at;
    fail_msg("no <%s>", name);
    return NULL;
}

/* job_base with a piece replaced. */
static Tree parse_changed(const char *from, const char *to)
{
    char *const text = replaced(job_base, from, to);
    const Tree  t    = parse(text);

    free(text);
    return t;
}

static void children_are_found_by_name_in_their_order(void **state)
{
    (void)state;
    Tree            t      = parse(job_base);
    const AmphiXml *system = amphi_xml_child(t.root, "system");
    const AmphiXml *first  = amphi_xml_child(system, "molecule");
    const AmphiXml *second = amphi_xml_next(first, "molecule");

    assert_int_equal(amphi_notes_count(t.notes, AMPHI_NOTE_ERROR), 0);
    assert_string_equal(t.root->name, "amphi");
    assert_null(t.root->parent);
    assert_ptr_equal(system->parent, t.root);
    assert_string_equal(amphi_xml_text(first, "type"), "salt");
    assert_string_equal(amphi_xml_text(second, "type"), "water");
    assert_null(amphi_xml_next(second, "molecule"));
    assert_null(amphi_xml_child(system, "molecules"));
    assert_null(amphi_xml_child(NULL, "system"));
    assert_int_equal(amphi_xml_child(system, "box")->place, 0);
    assert_int_equal(second->place, 2);
    assert_string_equal(amphi_xml_child(t.root, "title")->text, "A test");
    tree_free(&t);
}

static void every_element_knows_its_line_and_its_tag(void **state)
{
    (void)state;
    Tree t = parse("<?xml version='1.0'?>\n<!-- <box/> -->\n<amphi\n version='1'\n>\n"
                   "<title><![CDATA[<box>]]></title><system><box x='1 nm > 2'\n/></system>\n"
                   "</amphi>\n");

    const AmphiXml *box = find(&t, "box");

    assert_int_equal(t.root->where.line, 3);
    assert_int_equal(t.root->text_line, 5);
    assert_string_equal(t.root->where.file, "t.xml");
    assert_int_equal(find(&t, "title")->where.line, 6);
    assert_string_equal(find(&t, "title")->text, "<box>");
    assert_int_equal(box->where.line, 6);
    assert_int_equal(box->text_line, 7);
    assert_int_equal(strncmp(t.bytes + box->begin, "<box x='1 nm > 2'\n/>", 20), 0);
    assert_int_equal(box->end - box->begin, 20);
    tree_free(&t);
}

/* The tree in one go, an element after the other, as the tags stand in the file. */
static void the_walk_meets_elements_in_the_order_of_the_file(void **state)
{
    (void)state;
    Tree    t    = parse(job_base);
    int64_t last = -1;
    int     n    = 0;

    for (AmphiXml *at = t.root; at != NULL; at = amphi_xml_walk(t.root, at)) {
        assert_true(at->begin > last);
        last = at->begin;
        n++;
    }
    assert_int_equal(n, 28);
    tree_free(&t);
}

static void quantities_come_in_internal_units(void **state)
{
    (void)state;
    Tree            t   = parse_changed("<box x=\"3 nm\" y=\"3 nm\" z=\"3 nm\"/>",
                                        "<box x=\" 30 A\" y=\"3e3pm \" z=\"3 nm\"/>");
    const AmphiXml *box = find(&t, "box"), *ion = find(&t, "beadtype");

    assert_int_equal(amphi_notes_count(t.notes, AMPHI_NOTE_ERROR), 0);
    assert_true(amphi_xml_quantity(box, "x", 0) == 3);
    assert_true(amphi_xml_quantity(box, "y", 0) == 3);
    assert_true(amphi_xml_quantity(ion, "mass", 0) == 40);
    assert_true(amphi_xml_quantity(ion, "charge", 0) == 1);
    assert_int_equal(amphi_xml_whole(find(&t, "molecule"), "count", 0), 1);
    tree_free(&t);
}

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    Tree            t   = parse(job_base);
    const AmphiXml *ion = find(&t, "beadtype"), *restrain = find(&t, "restrain");

    assert_true(amphi_xml_quantity(ion, "dipole", 7) == 0);
    assert_true(amphi_xml_quantity(ion, "side", 7) == 1);
    assert_true(amphi_xml_quantity(ion, "inertia", 7) == 7); /* it has none */
    assert_null(amphi_xml_text(ion, "inertia"));
    assert_string_equal(amphi_xml_text(ion, "rotor"), "linear");
    assert_false(amphi_xml_has(ion, "rotor"));
    assert_true(amphi_xml_has(ion, "charge"));
    assert_int_equal(amphi_xml_choice(ion, "rotor"), 0);
    assert_int_equal(amphi_xml_choice(restrain, "axes"), 6); /* xyz */
    assert_string_equal(amphi_xml_text(find(&t, "beads"), "dipole"), "e*nm");
    assert_int_equal(amphi_xml_choice(find(&t, "moleculetype"), "kind"), 2);
    assert_int_equal(amphi_xml_choice(find(&t, "pair"), "potential"), 0);
    assert_null(amphi_xml_text(ion, "no-such-attribute"));
    tree_free(&t);
}

static void choices_count_in_the_order_of_the_table(void **state)
{
    (void)state;
    static const char *const axes[] = { "x", "y", "z", "xy", "xz", "yz", "xyz" };

    for (int32_t k = 0; k < 7; k++) {
        char to[64];

        snprintf(to, sizeof to, "<restrain axes=\"%s\" group=\"ions\"", axes[k]);
        Tree t = parse_changed("<restrain group=\"ions\"", to);
        assert_int_equal(amphi_xml_choice(find(&t, "restrain"), "axes"), k);
        tree_free(&t);
    }
}

/* Faulty values were noted when the tree was read; a getter gives what cannot do harm. */
static void faulty_attributes_give_stand_ins(void **state)
{
    (void)state;
    static const char *const counts[] = { "-5", "0", "2.5", "1e300", "x", "3 nm", "" };
    static const char *const edges[]  = { "-3 nm", "0 nm", "1e13 nm", "1e-13 nm",
                                          "3",     "3 ps", "nan nm",  "" };
    char                     to[64];

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        snprintf(to, sizeof to, "count=\"%s\"", counts[k]);
        Tree t = parse_changed("count=\"1\"", to);
        assert_int_equal(amphi_notes_count(t.notes, AMPHI_NOTE_ERROR), 1);
        assert_int_equal(amphi_xml_whole(find(&t, "molecule"), "count", 77), 77);
        tree_free(&t);
    }
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
        snprintf(to, sizeof to, "x=\"%s\"", edges[k]);
        Tree t = parse_changed("x=\"3 nm\"", to);
        assert_int_equal(amphi_notes_count(t.notes, AMPHI_NOTE_ERROR), 1);
        assert_true(amphi_xml_quantity(find(&t, "box"), "x", 77) == 77);
        tree_free(&t);
    }
    Tree t = parse_changed("<restrain group=\"ions\"", "<restrain axes=\"w\" group=\"ions\"");
    assert_int_equal(amphi_xml_choice(find(&t, "restrain"), "axes"), 0);
    tree_free(&t);
    t = parse_changed("<restrain group=\"ions\"", "<restraim group=\"ions\"");
    assert_int_equal(amphi_xml_choice(find(&t, "restraim"), "axes"), -1);
    assert_true(amphi_xml_quantity(find(&t, "restraim"), "k", 3) == 3);
    assert_string_equal(amphi_xml_text(find(&t, "restraim"), "group"), "ions");
    tree_free(&t);
}

/* The bounds themselves are in, what lies beyond is out. */
static void ranges_include_their_ends(void **state)
{
    (void)state;
    const AmphiDimension length = AMPHI_DIM_LENGTH, whole = AMPHI_DIM_WHOLE;

    assert_true(amphi_xml_is_in_range(length, AMPHI_RANGE_POSITIVE, 1e-12));
    assert_false(amphi_xml_is_in_range(length, AMPHI_RANGE_POSITIVE, 0.99e-12));
    assert_true(amphi_xml_is_in_range(length, AMPHI_RANGE_POSITIVE, 1e12));
    assert_false(amphi_xml_is_in_range(length, AMPHI_RANGE_POSITIVE, 1.01e12));
    assert_true(amphi_xml_is_in_range(length, AMPHI_RANGE_NON_NEGATIVE, 0));
    assert_false(amphi_xml_is_in_range(length, AMPHI_RANGE_NON_NEGATIVE, -1e-30));
    assert_true(amphi_xml_is_in_range(length, AMPHI_RANGE_ANY, -1e12));
    assert_false(amphi_xml_is_in_range(length, AMPHI_RANGE_ANY, -1.01e12));
    assert_false(amphi_xml_is_in_range(length, AMPHI_RANGE_ANY, (double)NAN));
    assert_true(amphi_xml_is_in_range(AMPHI_DIM_ANGLE, AMPHI_RANGE_HALF_TURN, acos(-1)));
    assert_false(amphi_xml_is_in_range(AMPHI_DIM_ANGLE, AMPHI_RANGE_HALF_TURN, 3.1416));
    assert_false(amphi_xml_is_in_range(AMPHI_DIM_ANGLE, AMPHI_RANGE_HALF_TURN, -1e-9));
    assert_true(amphi_xml_is_in_range(whole, AMPHI_RANGE_POSITIVE, 1));
    assert_false(amphi_xml_is_in_range(whole, AMPHI_RANGE_POSITIVE, 0));
    assert_true(amphi_xml_is_in_range(whole, AMPHI_RANGE_NON_NEGATIVE, 9007199254740991.0));
    assert_false(amphi_xml_is_in_range(whole, AMPHI_RANGE_NON_NEGATIVE, 9007199254740994.0));
    assert_false(amphi_xml_is_in_range(whole, AMPHI_RANGE_ANY, 0.5));
}

static void vectors_are_three_numbers_and_one_unit(void **state)
{
    (void)state;
    double v[3] = { 0 };

    assert_int_equal(amphi_xml_parse_vector("1 2 3 A", AMPHI_DIM_LENGTH, v), AMPHI_UNIT_OK);
    assert_true(v[0] == 0.1 && v[1] == 0.2 && fabs(v[2] - 0.3) < 1e-16);
    assert_int_equal(amphi_xml_parse_vector(" -1\t2e0 .5  nm ", AMPHI_DIM_LENGTH, v),
                     AMPHI_UNIT_OK);
    assert_true(v[0] == -1 && v[1] == 2 && v[2] == 0.5);

    assert_int_equal(amphi_xml_parse_vector("1 2 3", AMPHI_DIM_LENGTH, v), AMPHI_UNIT_MISSING);
    assert_int_equal(amphi_xml_parse_vector("1 2 nm", AMPHI_DIM_LENGTH, v),
                     AMPHI_UNIT_NOT_A_NUMBER);
    assert_int_equal(amphi_xml_parse_vector("", AMPHI_DIM_LENGTH, v), AMPHI_UNIT_NOT_A_NUMBER);
    assert_int_equal(amphi_xml_parse_vector("1 2 3 ps", AMPHI_DIM_LENGTH, v), AMPHI_UNIT_WRONG);
    assert_int_equal(amphi_xml_parse_vector("1 2 3 4 nm", AMPHI_DIM_LENGTH, v), AMPHI_UNIT_UNKNOWN);
    assert_int_equal(amphi_xml_parse_vector("1 nan 3 nm", AMPHI_DIM_LENGTH, v),
                     AMPHI_UNIT_NOT_A_NUMBER);
    /* nothing behind a long row of blanks is overlooked */
    assert_int_not_equal(amphi_xml_parse_vector("1 2 3 nm                                        "
                                                "                                            x",
                                                AMPHI_DIM_LENGTH, v),
                         AMPHI_UNIT_OK);
}

static void vectors_and_names_are_read_from_attributes(void **state)
{
    (void)state;
    Tree               t = parse_changed("inertia=\"1 u*nm^2\"", "moments=\"1 2 3 u*nm^2\"");
    double             v[3];
    int32_t            n    = 0;
    const char *const *word = amphi_xml_names(find(&t, "group"), "select", t.arena, &n);
    const AmphiXml    *dip  = find(&t, "beadtype");

    while (!amphi_xml_has(dip, "moments"))
        dip = amphi_xml_next(dip, "beadtype");
    assert_true(amphi_xml_vector(dip, "moments", v));
    assert_true(v[0] == 1 && v[1] == 2 && v[2] == 3);
    assert_false(amphi_xml_vector(find(&t, "beadtype"), "moments", v));
    assert_int_equal(n, 3);
    assert_string_equal(word[0], "bead");
    assert_string_equal(word[2], "cl");
    amphi_xml_names(find(&t, "group"), "no", t.arena, &n);
    assert_int_equal(n, 0);
    tree_free(&t);
    t   = parse_changed("inertia=\"1 u*nm^2\"", "moments=\"1 1e13 3 u*nm^2\"");
    dip = amphi_xml_next(amphi_xml_next(find(&t, "beadtype"), "beadtype"), "beadtype");
    assert_false(amphi_xml_vector(dip, "moments", v));
    tree_free(&t);
}

static void fields_of_potentials_come_in_their_order(void **state)
{
    (void)state;
    Tree t = parse_changed("<mixing ",
                           "<pair types=\"ion dip\" potential=\"gay-berne\" "
                           "epsilon=\"2 kJ/mol\" harmonic-wells=\"yes\" mu=\"1\"/>\n<mixing ");

    double          field[AMPHI_MAX_FIELDS] = { [5] = 77 };
    const AmphiXml *gb                      = find(&t, "pair");

    for (int k = 0; k < 3; k++)
        gb = amphi_xml_next(gb, "pair");
    amphi_xml_fields(gb, field);
    assert_string_equal(gb->potential->name, "gay-berne");
    assert_true(field[0] == 2 && field[1] == 1 && field[2] == 1 && field[3] == 1 && field[4] == 1);
    assert_true(field[5] == 77); /* a bead type's */
    tree_free(&t);
}

static void tags_are_found_wherever_they_stand(void **state)
{
    (void)state;
    static const char text[] = "<?pi <a/> ?><!-- <b/> --><c x='>' y = \"/>\"\n z=''>"
                               "<![CDATA[<d/>]]></c ><e/><f";
    AmphiTags         tags   = { text, (int64_t)strlen(text), 0, 1 };
    AmphiTag          tag;

    assert_true(amphi_tags_next(&tags, &tag));
    assert_int_equal(strncmp(text + tag.begin, "<c ", 3), 0);
    assert_int_equal(tag.n_attributes, 3);
    assert_int_equal(tag.line, 1);
    assert_int_equal(tag.end_line, 2);
    assert_int_equal(text[tag.end - 1], '>');
    assert_true(amphi_tags_next(&tags, &tag));
    assert_int_equal(strncmp(text + tag.begin, "<e/>", 4), 0);
    assert_false(amphi_tags_next(&tags, &tag));
    assert_false(amphi_tags_next(&tags, &tag));
}

static void all_faults_have_their_attributes_place(void **state)
{
    (void)state;
    Tree    t  = parse("<amphi version='1'\n a='version'   bb = \"'\"/>");
    int64_t at = 0, line = 0;
    int32_t width = 0;

    assert_true(amphi_source_attribute(t.root, "version", &at, &width, &line));
    assert_int_equal(at, 7);
    assert_int_equal(width, 11);
    assert_int_equal(line, 1);
    assert_true(amphi_source_attribute(t.root, "bb", &at, &width, &line));
    assert_int_equal(strncmp(t.bytes + at, "bb = \"'\"", (size_t)width), 0);
    assert_int_equal(width, 8);
    assert_int_equal(line, 2);
    assert_false(amphi_source_attribute(t.root, "b", &at, &width, &line));
    assert_false(amphi_source_attribute(t.root, "versio", &at, &width, &line));
    tree_free(&t);
}

/* The XSD speaks only where the table is silent. */
static void the_schema_speaks_only_where_the_table_is_silent(void **state)
{
    (void)state;
    Tree             t    = parse_changed("<box ", "<box w=\"1\" ");
    int64_t          n    = 0;
    const AmphiNote *list = amphi_notes_sorted(t.notes, &n);

    assert_int_equal(n, 1);
    assert_int_equal(list[0].id, AMPHI_MSG_UNKNOWN_ATTRIBUTE);
    tree_free(&t);
    t = parse_changed("<box ", "<box xmlns=\"http://a/\" ");
    amphi_notes_sorted(t.notes, &n);
    assert_null(t.root);
    assert_int_equal(n, 1);
    tree_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_are_found_by_name_in_their_order),
        cmocka_unit_test(every_element_knows_its_line_and_its_tag),
        cmocka_unit_test(the_walk_meets_elements_in_the_order_of_the_file),
        cmocka_unit_test(quantities_come_in_internal_units),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(choices_count_in_the_order_of_the_table),
        cmocka_unit_test(faulty_attributes_give_stand_ins),
        cmocka_unit_test(ranges_include_their_ends),
        cmocka_unit_test(vectors_are_three_numbers_and_one_unit),
        cmocka_unit_test(vectors_and_names_are_read_from_attributes),
        cmocka_unit_test(fields_of_potentials_come_in_their_order),
        cmocka_unit_test(tags_are_found_wherever_they_stand),
        cmocka_unit_test(all_faults_have_their_attributes_place),
        cmocka_unit_test(the_schema_speaks_only_where_the_table_is_silent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
