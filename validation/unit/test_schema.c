/* The table of elements and attributes holds together: parents exist, choices are not empty,
 * defaults are values that the reader itself would take; and it has the potentials and observers
 * that there are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../../engine/observe.h"
#include "../../engine/reader.h"
#include "../../engine/schema.h"
#include "../../engine/xml_check.h"
#include "../../forcefield/treatment.h"
#include "../../tools/commands.h"

/* ---- one entry of the table; false with a message when it is wrong ---- */

static bool complain(const char *element, const char *attribute, const char *what)
{
    print_message("<%s %s>: %s\n", element, attribute, what);
    return false;
}

/* Letters and dashes, so that it can stand in XML as it is. */
static bool is_plain_name(const char *name)
{
    return name[0] != '\0' && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static bool is_list_of_words(const char *words)
{
    const size_t n = strlen(words);

    return n > 0 && words[0] != ' ' && words[n - 1] != ' ' && strstr(words, "  ") == NULL;
}

static bool is_quantity(const char *text, AmphiDimension dimension, AmphiRange range)
{
    double value = 0;

    return amphi_units_parse(text, dimension, &value) == AMPHI_UNIT_OK &&
           amphi_xml_is_in_range(dimension, range, value);
}

static bool is_sound_default(const char *element, const AmphiAttribute *a)
{
    double value = 0, steps = 0;

    if (a->use != AMPHI_DEFAULT)
        return a->standard == NULL || complain(element, a->name, "a default that is not used");
    if (a->standard == NULL)
        return complain(element, a->name, "no default");
    switch (a->kind) {
    case AMPHI_ATTR_CHOICE:
        return amphi_schema_is_word(a->choices, a->standard) ||
               complain(element, a->name, "the default is no choice");
    case AMPHI_ATTR_QUANTITY:
        return is_quantity(a->standard, a->dimension, a->range) ||
               complain(element, a->name, "the default is no quantity in range");
    case AMPHI_ATTR_INTERVAL:
        return amphi_units_interval(a->standard, a->dimension, &value, &steps) == AMPHI_UNIT_OK ||
               complain(element, a->name, "the default is no interval");
    default:
        return a->standard[0] != '\0' || complain(element, a->name, "an empty default");
    }
}

static bool is_sound_attribute(const char *element, const AmphiAttribute *a)
{
    const bool is_choice = a->kind == AMPHI_ATTR_CHOICE || a->kind == AMPHI_ATTR_CHOICES;

    if (!is_plain_name(a->name))
        return complain(element, a->name, "not a name");
    if (is_choice != (a->choices != NULL))
        return complain(element, a->name, "choices where there should be none, or none");
    if (is_choice && !is_list_of_words(a->choices))
        return complain(element, a->name, "choices are words with one blank between");
    if (a->meaning == NULL || a->meaning[0] == '\0')
        return complain(element, a->name, "no meaning");
    return is_sound_default(element, a);
}

static bool has_element(const char *name)
{
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        if (strcmp(amphi_schema_at(k)->name, name) == 0)
            return true;
    return false;
}

static bool has_known_parents(const AmphiElement *e)
{
    char *const copy  = strdup(e->parents);
    char       *rest  = NULL;
    bool        known = true;

    assert_non_null(copy);
    for (char *w = strtok_r(copy, " ", &rest); w != NULL; w = strtok_r(NULL, " ", &rest))
        known = has_element(w) && known;
    free(copy);
    return known || complain(e->name, e->parents, "no such parent");
}

static bool is_sound_element(const AmphiElement *e)
{
    bool is_sound = is_plain_name(e->name) && has_known_parents(e);

    if (e->min < 0 || (e->max >= 0 && e->max < e->min) || e->max == 0)
        is_sound = complain(e->name, "", "a count that cannot be");
    if (e->meaning == NULL || e->meaning[0] == '\0')
        is_sound = complain(e->name, "", "no meaning");
    for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++) {
        is_sound = is_sound_attribute(e->name, a) && is_sound;
        for (const AmphiAttribute *b = e->attribute; b != a; b++)
            if (strcmp(a->name, b->name) == 0)
                is_sound = complain(e->name, a->name, "stands twice");
    }
    return is_sound;
}

static bool is_sound_field(const AmphiPotential *p, const AmphiField *f)
{
    if (f->meaning == NULL || f->meaning[0] == '\0')
        return complain(p->name, f->name, "no meaning");
    return f->standard == NULL || is_quantity(f->standard, f->dimension, f->range) ||
           complain(p->name, f->name, "the default is no quantity in range");
}

/* ---- tests ---- */

static void the_checkers_see_each_fault(void **state)
{
    (void)state;
    const AmphiAttribute right = { .name      = "x",
                                   .kind      = AMPHI_ATTR_QUANTITY,
                                   .dimension = AMPHI_DIM_LENGTH,
                                   .range     = AMPHI_RANGE_POSITIVE,
                                   .use       = AMPHI_DEFAULT,
                                   .standard  = "1 nm",
                                   .meaning   = "edge" };
    const AmphiAttribute none  = { .name = NULL };
    AmphiAttribute       wrong = right;
    AmphiElement         e     = { "box", "system", "a box", 0, 1, false, false, &none };

    assert_true(is_sound_attribute("a", &right));
    wrong.standard = "1";
    assert_false(is_sound_attribute("a", &wrong));
    wrong.standard = "0 nm";
    assert_false(is_sound_attribute("a", &wrong));
    wrong.use = AMPHI_OPTIONAL;
    assert_false(is_sound_attribute("a", &wrong));
    wrong         = right;
    wrong.choices = "a b";
    assert_false(is_sound_attribute("a", &wrong));
    wrong.kind = AMPHI_ATTR_CHOICE;
    assert_false(is_sound_attribute("a", &wrong));
    wrong.standard = "b";
    assert_true(is_sound_attribute("a", &wrong));
    wrong.choices = "a  b";
    assert_false(is_sound_attribute("a", &wrong));
    wrong      = right;
    wrong.name = "x y";
    assert_false(is_sound_attribute("a", &wrong));
    wrong         = right;
    wrong.meaning = "";
    assert_false(is_sound_attribute("a", &wrong));
    assert_true(is_sound_element(&e));
    e.parents = "system nowhere";
    assert_false(is_sound_element(&e));
    e.parents = "system";
    e.max     = 0;
    assert_false(is_sound_element(&e));
    e.max       = 1;
    e.attribute = (const AmphiAttribute[]){ right, right, none };
    assert_false(is_sound_element(&e));
}

static void every_element_of_the_table_is_sound(void **state)
{
    (void)state;
    bool    is_sound = true;
    int32_t n        = 0;

    for (; amphi_schema_at(n) != NULL; n++)
        is_sound = is_sound_element(amphi_schema_at(n)) && is_sound;
    assert_true(is_sound);
    assert_true(n > 30);
    assert_null(amphi_schema_at(-1));
}

/* The same name may stand below different parents, but not twice below one. */
static void elements_are_told_apart_by_their_parents(void **state)
{
    (void)state;
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        for (int32_t j = 0; j < k; j++) {
            const AmphiElement *a = amphi_schema_at(k), *b = amphi_schema_at(j);

            if (strcmp(a->name, b->name) != 0)
                continue;
            for (int32_t p = 0; amphi_schema_at(p) != NULL; p++) {
                const char *parent = amphi_schema_at(p)->name;
                assert_false(amphi_schema_is_word(a->parents, parent) &&
                             amphi_schema_is_word(b->parents, parent));
            }
        }
    assert_ptr_not_equal(amphi_schema_find("forcefield", ""),
                         amphi_schema_find("forcefield", "amphi"));
    assert_null(amphi_schema_find("box", "start"));
    assert_null(amphi_schema_find("box", ""));
    assert_null(amphi_schema_find("bo", "system"));
    assert_null(amphi_schema_attribute(amphi_schema_find("box", "system"), "w"));
}

static void only_whole_words_are_words_of_a_list(void **state)
{
    (void)state;
    assert_true(amphi_schema_is_word("x xy xyz", "xy"));
    assert_true(amphi_schema_is_word("x xy xyz", "xyz"));
    assert_false(amphi_schema_is_word("x xy xyz", "y"));
    assert_false(amphi_schema_is_word("xyz", "xy"));
    assert_false(amphi_schema_is_word("xyz", ""));
    assert_false(amphi_schema_is_word("", "x"));
    assert_true(amphi_schema_is_word("force-shift energy", "energy"));
    assert_false(amphi_schema_is_word("force-shift energy", "shift"));
}

/* What has fields has potentials, and these are just the choices of its attribute. */
static void potentials_of_the_table_are_those_of_the_lists(void **state)
{
    (void)state;
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++) {
        const AmphiElement   *e = amphi_schema_at(k);
        const AmphiAttribute *a = amphi_schema_attribute(e, "potential");
        int32_t               n = 0;

        if (!e->has_fields)
            continue;
        assert_non_null(a);
        for (int32_t p = 0; amphi_spec_at(p) != NULL; p++)
            if (strcmp(amphi_spec_at(p)->element, e->name) == 0) {
                if (!amphi_schema_is_word(a->choices, amphi_spec_at(p)->name))
                    fail_msg("<%s potential=\"%s\"> is no choice in schema.c", e->name,
                             amphi_spec_at(p)->name);
                n++;
            }
        assert_true(n > 0);
    }
}

static void every_field_of_a_potential_is_sound(void **state)
{
    (void)state;
    const AmphiField bad = { "k", AMPHI_DIM_ENERGY, AMPHI_RANGE_POSITIVE, "1 nm", "a constant" };
    bool             is_sound = true;

    for (int32_t p = 0; amphi_spec_at(p) != NULL; p++)
        for (int32_t k = 0; k < amphi_spec_at(p)->n_fields; k++)
            is_sound = is_sound_field(amphi_spec_at(p), &amphi_spec_at(p)->field[k]) && is_sound;
    assert_true(is_sound);
    assert_false(is_sound_field(amphi_spec_at(0), &bad));
}

/* Fields and attributes of one element must not have the same name: the reader looks for both. */
static void fields_do_not_hide_attributes(void **state)
{
    (void)state;
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        for (int32_t p = 0; amphi_spec_at(p) != NULL; p++) {
            const AmphiElement   *e         = amphi_schema_at(k);
            const AmphiPotential *potential = amphi_spec_at(p);

            if (!e->has_fields || strcmp(potential->element, e->name) != 0)
                continue;
            for (int32_t f = 0; f < potential->n_fields; f++)
                for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
                    assert_false(amphi_field_is(&potential->field[f], a->name));
        }
}

/* The kinds of treatments are read as places among the choices: both orders must agree. */
static void treatments_stand_in_the_order_of_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int32_t     type;
    } rows[] = {
        { "truncated ", AMPHI_TRUNCATED },
        { "energy-shift ", AMPHI_ENERGY_SHIFT },
        { "force-shift ", AMPHI_FORCE_SHIFT },
        { "quadratic-shift ", AMPHI_QUADRATIC_SHIFT },
        { "shifted-factors ", AMPHI_SHIFTED_FACTORS },
        { "reaction-field ", AMPHI_REACTION_FIELD },
        { "switched", AMPHI_SWITCHED },
    };
    const char *at =
        amphi_schema_attribute(amphi_schema_find("treatment", "interactions"), "type")->choices;

    for (int32_t k = 0; k < AMPHI_TREATMENTS; k++) {
        assert_int_equal(rows[k].type, k);
        assert_int_equal(strncmp(at, rows[k].name, strlen(rows[k].name)), 0);
        at += strlen(rows[k].name);
    }
    assert_int_equal(*at, '\0');
}

/* ---- observers ---- */

static bool is_read(const char *kind)
{
    const char *name = NULL;

    for (int32_t k = 0; (name = amphi_reader_kind(k)) != NULL; k++)
        if (strcmp(name, kind) == 0)
            return true;
    return false;
}

/* The elements of <output>, the readers of job_output.c and the list of observe.c. */
static void observers_are_the_elements_of_an_output(void **state)
{
    int n = 0, n_read = 0;

    (void)state;
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++) {
        const AmphiElement *e = amphi_schema_at(k);

        if (strcmp(e->parents, "output") != 0 || strcmp(e->name, "checkpoint") == 0 ||
            strcmp(e->name, "report") == 0)
            continue;
        if (amphi_observer_kind(e->name) == NULL)
            fail_msg("<%s>: observe.c has no observer of that name", e->name);
        if (!is_read(e->name))
            fail_msg("<%s>: job_output.c does not read it", e->name);
        n++;
    }
    while (amphi_reader_kind(n_read) != NULL)
        n_read++;
    assert_int_equal(n, n_read);
    assert_non_null(amphi_observer_kind_at(n - 1));
    assert_null(amphi_observer_kind_at(n));
    assert_false(is_read("checkpoint"));
}

static const char *meaning_of(const char *command, const char *option)
{
    for (int k = 0; tool_command_at(k) != NULL; k++)
        for (const ToolOption *o = tool_command_at(k)->option; o->name != NULL; o++)
            if (strcmp(tool_command_at(k)->name, command) == 0 && strcmp(o->name, option) == 0)
                return o->meaning;
    return "";
}

/* What frames of a trajectory have enough for. */
static void the_help_of_analyse_names_what_it_can_observe(void **state)
{
    const char *const        meaning = meaning_of("analyse", "observe");
    const AmphiObserverKind *kind;
    int                      n = 0;

    (void)state;
    for (int32_t k = 0; (kind = amphi_observer_kind_at(k)) != NULL; k++) {
        const AmphiObserverPlan least = { .kind = kind->name };
        const bool              lacks = kind->lacks != NULL && kind->lacks(&least) != NULL;

        if (lacks != (strstr(meaning, kind->name) == NULL))
            fail_msg("%s: in the help of --observe in tools/commands.c, or not", kind->name);
        n += !lacks;
    }
    assert_true(n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checkers_see_each_fault),
        cmocka_unit_test(every_element_of_the_table_is_sound),
        cmocka_unit_test(elements_are_told_apart_by_their_parents),
        cmocka_unit_test(only_whole_words_are_words_of_a_list),
        cmocka_unit_test(potentials_of_the_table_are_those_of_the_lists),
        cmocka_unit_test(every_field_of_a_potential_is_sound),
        cmocka_unit_test(fields_do_not_hide_attributes),
        cmocka_unit_test(treatments_stand_in_the_order_of_their_numbers),
        cmocka_unit_test(observers_are_the_elements_of_an_output),
        cmocka_unit_test(the_help_of_analyse_names_what_it_can_observe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
