/* The XML schemas: made from the table, accepted by libxml2, as strict as promised, and equal to
 * the files that are shipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/schema.h"
#include "../../tools/topics_xml.h"

enum { MOST_BYTES = 1 << 20, MOST_DEEP = 8 };

/* The schema of one root as text; the caller frees it. */
static char *schema_text(const char *root)
{
    char       *text = NULL;
    size_t      n    = 0;
    FILE *const out  = open_memstream(&text, &n);

    assert_non_null(out);
    assert_true(amphi_schema_write_xsd(root, out) > 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void be_silent(void *context, const xmlError *error)
{
    (void)context;
    (void)error;
}

/* NULL when libxml2 does not take the text for a schema. */
static xmlSchemaPtr parse_schema(const char *text)
{
    const xmlSchemaParserCtxtPtr parser = xmlSchemaNewMemParserCtxt(text, (int)strlen(text));

    assert_non_null(parser);
    xmlSchemaSetParserStructuredErrors(parser, (xmlStructuredErrorFunc)be_silent, NULL);
    const xmlSchemaPtr schema = xmlSchemaParse(parser);
    xmlSchemaFreeParserCtxt(parser);
    return schema;
}

static xmlSchemaPtr schema_of(const char *root)
{
    char *const        text   = schema_text(root);
    const xmlSchemaPtr schema = parse_schema(text);

    free(text);
    assert_non_null(schema);
    return schema;
}

static bool is_valid(xmlSchemaPtr schema, const char *document)
{
    const xmlDocPtr doc = xmlReadMemory(document, (int)strlen(document), "test.xml", NULL,
                                        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);

    if (doc == NULL)
        fail_msg("not well-formed: %s", document);
    assert_non_null(context);
    xmlSchemaSetValidStructuredErrors(context, (xmlStructuredErrorFunc)be_silent, NULL);
    const bool valid = xmlSchemaValidateDoc(context, doc) == 0;
    xmlSchemaFreeValidCtxt(context);
    xmlFreeDoc(doc);
    return valid;
}

static char *read_file(const char *path)
{
    static char bytes[MOST_BYTES];
    FILE *const file = fopen(path, "rb");

    if (file == NULL)
        fail_msg("%s is not there; run this from the top of the repository", path);
    const size_t n = fread(bytes, 1, sizeof bytes - 1, file);
    assert_int_equal(fclose(file), 0);
    bytes[n] = '\0';
    return bytes;
}

/* ---- tests ---- */

static void libxml2_takes_both_schemas_and_no_other_text(void **state)
{
    (void)state;
    xmlSchemaFree(schema_of("amphi"));
    xmlSchemaFree(schema_of("forcefield"));
    assert_null(parse_schema("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">"
                             "<xs:element name=\"a\" type=\"nowhere\"/></xs:schema>"));
}

static void another_root_has_no_schema(void **state)
{
    char       *text = NULL;
    size_t      n    = 0;
    FILE *const out  = open_memstream(&text, &n);
    (void)state;

    assert_int_equal(amphi_schema_write_xsd("system", out), 0);
    assert_int_equal(amphi_schema_write_xsd("", out), 0);
    fclose(out);
    assert_int_equal(n, 0);
    free(text);
}

static void a_full_disk_is_a_failure(void **state)
{
    FILE *const out = fopen("/dev/full", "w");
    (void)state;

    assert_non_null(out);
    setvbuf(out, NULL, _IONBF, 0);
    assert_int_equal(amphi_schema_write_xsd("amphi", out), 0);
    fclose(out);
}

static void check_all(const char *pattern, xmlSchemaPtr schema)
{
    glob_t found;

    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; k++)
        if (!is_valid(schema, read_file(found.gl_pathv[k])))
            fail_msg("%s is not valid", found.gl_pathv[k]);
    globfree(&found);
}

static void every_shipped_file_is_valid(void **state)
{
    const xmlSchemaPtr system = schema_of("amphi"), forcefield = schema_of("forcefield");
    (void)state;

    check_all("systems/*.xml", system);
    check_all("forcefield/*.xml", forcefield);
    xmlSchemaFree(system);
    xmlSchemaFree(forcefield);
}

static void check_shipped(const char *path, const char *root)
{
    char *const text = schema_text(root);

    if (strcmp(text, read_file(path)) != 0)
        fail_msg("%s is not what the table gives: make xsd", path);
    free(text);
}

static void the_shipped_schemas_are_those_of_the_table(void **state)
{
    (void)state;
    check_shipped("systems/amphi-system.xsd", "amphi");
    check_shipped("systems/amphi-forcefield.xsd", "forcefield");
}

typedef struct {
    bool        valid;
    const char *root, *document;
} Case;

static const Case cases[] = {
    { true, "amphi", "<amphi version=\"1\"/>" }, /* counts are the reader's */
    { true, "forcefield", "<forcefield version=\"1\" name=\"x\"/>" },
    /* the schema of <amphi> is for files with every root, and only for roots */
    { true, "amphi", "<forcefield version=\"1\" name=\"x\"/>" },
    { true, "amphi", "<output><area every=\"1 ps\"/><order/></output>" },
    { true, "output", "<output><area every=\"1 ps\"/><order/></output>" },
    { false, "amphi", "<output><are/></output>" },
    { false, "amphi", "<output every=\"1 ps\"/>" },
    { false, "amphi", "<forcefield/>" },
    { false, "amphi", "<system/>" },
    { false, "amphi", "<area/>" },
    { false, "output", "<amphi version=\"1\"/>" },
    { false, "forcefield", "<output/>" },
    { false, "forcefield", "<amphi version=\"1\"/>" },
    /* in any order, as often as one likes */
    { true, "amphi",
      "<amphi version=\"1\"><system/><title>t</title><forcefield/><system/></amphi>" },
    /* <forcefield> as a child has no attributes, as a root it has */
    { false, "amphi", "<amphi version=\"1\"><forcefield name=\"x\" version=\"1\"/></amphi>" },
    { false, "forcefield", "<forcefield version=\"1\"/>" },
    /* misspelt and misplaced */
    { false, "amphi", "<amphi version=\"1\"><sytem/></amphi>" },
    { false, "amphi", "<amphi version=\"1\"><box x=\"1 nm\" y=\"1 nm\" z=\"1 nm\"/></amphi>" },
    { false, "amphi", "<amphi><system/></amphi>" },
    { false, "amphi", "<amphi version=\"1\">text</amphi>" },
    { false, "amphi",
      "<amphi version=\"1\"><system><box x=\"1 nm\" y=\"1 nm\" Z=\"1 nm\"/></system></amphi>" },
    { false, "amphi",
      "<amphi version=\"1\"><system><box x=\"1 nm\" y=\"1 nm\"/></system></amphi>" },
    /* choices, one and several */
    { true, "amphi",
      "<amphi version=\"1\"><interactions><treatment of=\"charges dipoles\" "
      "type=\"truncated\"/></interactions></amphi>" },
    { false, "amphi",
      "<amphi version=\"1\"><interactions><treatment of=\"charges dipole\" "
      "type=\"truncated\"/></interactions></amphi>" },
    { false, "amphi",
      "<amphi version=\"1\"><interactions><treatment of=\"charges\" "
      "type=\"truncate\"/></interactions></amphi>" },
    /* quantities are text: the reader has the better message */
    { true, "forcefield",
      "<forcefield version=\"1\" name=\"x\"><beadtype name=\"a\" mass=\"heavy\"/></forcefield>" },
    /* fields of all potentials of an element, and only those */
    { true, "forcefield",
      "<forcefield version=\"1\" name=\"x\"><pair types=\"a b\" potential=\"sticky\" "
      "s-prime-from=\"1 nm\" sigma=\"1 nm\"/></forcefield>" },
    { false, "forcefield",
      "<forcefield version=\"1\" name=\"x\"><pair types=\"a b\" potential=\"sticky\" "
      "s_prime_from=\"1 nm\"/></forcefield>" },
    { false, "forcefield",
      "<forcefield version=\"1\" name=\"x\"><pair types=\"a b\" potential=\"gay-berne\" "
      "breadth-i=\"1 nm\"/></forcefield>" },
    { false, "forcefield",
      "<forcefield version=\"1\" name=\"x\"><pair types=\"a b\" potential=\"lennard-jones\" "
      "coulomb=\"1\"/></forcefield>" },
};

static void documents_are_judged_as_the_table_says(void **state)
{
    const xmlSchemaPtr system = schema_of("amphi"), forcefield = schema_of("forcefield");
    const xmlSchemaPtr output = schema_of("output");
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const xmlSchemaPtr schema = strcmp(cases[k].root, "amphi") == 0    ? system
                                    : strcmp(cases[k].root, "output") == 0 ? output
                                                                           : forcefield;

        if (is_valid(schema, cases[k].document) != cases[k].valid)
            fail_msg("%svalid, %s expected: %s", cases[k].valid ? "not " : "",
                     cases[k].valid ? "valid" : "not", cases[k].document);
    }
    xmlSchemaFree(system);
    xmlSchemaFree(forcefield);
    xmlSchemaFree(output);
}

/* ---- the examples of `amphi describe` ---- */

/* The first parent; a root of that name comes before a child. NULL for a root. */
static const AmphiElement *parent_of(const AmphiElement *e)
{
    char                name[64];
    const AmphiElement *found = NULL;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(e->parents, " "), e->parents);
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++) {
        const AmphiElement *const other = amphi_schema_at(k);

        if (strcmp(other->name, name) == 0 && (found == NULL || other->parents[0] == '\0'))
            found = other;
    }
    return found;
}

/* "<box ...>" or "<box .../>" of the example. */
static void append_tag(char *document, size_t size, const AmphiElement *e)
{
    char         example[512];
    const size_t n = strlen(document);

    element_example(e, example, sizeof example);
    snprintf(document + n, size - n, "%.*s>", (int)strcspn(example, ">"), example);
}

static void every_example_of_describe_is_valid(void **state)
{
    const xmlSchemaPtr system = schema_of("amphi"), forcefield = schema_of("forcefield");
    const xmlSchemaPtr output = schema_of("output");
    (void)state;

    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++) {
        const AmphiElement *path[MOST_DEEP];
        int                 depth          = 0;
        char                document[4096] = "";

        for (const AmphiElement *e = amphi_schema_at(k); e != NULL; e = parent_of(e)) {
            assert_true(depth < MOST_DEEP);
            path[depth++] = e;
        }
        for (int d = depth; d-- > 0;)
            append_tag(document, sizeof document, path[d]);
        const bool is_closed = document[strlen(document) - 2] == '/';
        for (int d = is_closed ? 1 : 0; d < depth; d++) {
            const size_t n = strlen(document);
            snprintf(document + n, sizeof document - n, "</%s>", path[d]->name);
        }

        const char *const root = path[depth - 1]->name;
        if (!is_valid(strcmp(root, "amphi") == 0    ? system
                      : strcmp(root, "output") == 0 ? output
                                                    : forcefield,
                      document))
            fail_msg("not valid: %s", document);
        /* what the table cannot make up must be among the samples of topics_xml.c */
        if (strstr(document, "\"...\"") != NULL)
            fail_msg("no sample for an attribute of: %s", document);
    }
    xmlSchemaFree(output);
    xmlSchemaFree(system);
    xmlSchemaFree(forcefield);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libxml2_takes_both_schemas_and_no_other_text),
        cmocka_unit_test(another_root_has_no_schema),
        cmocka_unit_test(a_full_disk_is_a_failure),
        cmocka_unit_test(every_shipped_file_is_valid),
        cmocka_unit_test(the_shipped_schemas_are_those_of_the_table),
        cmocka_unit_test(documents_are_judged_as_the_table_says),
        cmocka_unit_test(every_example_of_describe_is_valid),
    };
    const int n_failed = cmocka_run_group_tests(tests, NULL, NULL);

    xmlCleanupParser();
    return n_failed;
}
