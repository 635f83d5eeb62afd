/* The short topics of `amphi describe`; elements and potentials are in topics_xml.c. */
#include "topics.h"

#include <string.h>

#include "../engine/formats/snapshot.h"
#include "../engine/schema.h"
#include "command.h"
#include "print.h"
#include "reference.h"
#include "topics_fixed.h"
#include "topics_xml.h"

enum { INDENT = 4 };

const char *topic_name(Topic topic)
{
    static const char *const names[TOPICS] = {
        [TOPIC_ELEMENTS]    = "elements",
        [TOPIC_POTENTIALS]  = "potentials",
        [TOPIC_TREATMENTS]  = "treatments",
        [TOPIC_UNITS]       = "units",
        [TOPIC_FILES]       = "files",
        [TOPIC_FORMATS]     = "formats",
        [TOPIC_EXIT_CODES]  = "exit-codes",
        [TOPIC_SIGNALS]     = "signals",
        [TOPIC_ENVIRONMENT] = "environment",
        [TOPIC_PRECISION]   = "precision",
        [TOPIC_MESSAGES]    = "messages",
    };

    return names[topic];
}

typedef struct {
    const char *text, *hint;
} Message;

#define MESSAGE_TEXT(id, severity, text, hint) { text, hint },
static const Message messages[] = { MESSAGE_LIST(MESSAGE_TEXT) };

/* Dimensions without a unit come first in the list. */
static const char *dimension_at(int32_t k)
{
    const int32_t d = k + AMPHI_DIM_LENGTH;

    return d < AMPHI_DIMENSIONS ? amphi_units_name((AmphiDimension)d) : NULL;
}

const char *topic_entry(Topic topic, int32_t k)
{
    switch (topic) {
    case TOPIC_ELEMENTS:
        return amphi_schema_at(k) != NULL ? amphi_schema_at(k)->name : NULL;
    case TOPIC_POTENTIALS:
        return amphi_spec_at(k) != NULL ? amphi_spec_at(k)->name : NULL;
    case TOPIC_TREATMENTS:
        return tool_treatments()[k].name;
    case TOPIC_UNITS:
        return dimension_at(k);
    case TOPIC_FILES:
        return tool_result_files()[k].name;
    case TOPIC_FORMATS:
        return amphi_format_at(k) != NULL ? amphi_format_at(k)->name : NULL;
    case TOPIC_EXIT_CODES:
        return tool_exit_codes()[k].name;
    case TOPIC_SIGNALS:
        return tool_signals()[k].name;
    case TOPIC_ENVIRONMENT:
        return tool_environment()[k].name;
    case TOPIC_PRECISION:
        return scale_name(k);
    case TOPIC_MESSAGES:
        return k < AMPHI_MESSAGES ? tool_message_name((AmphiMessageId)k) : NULL;
    case TOPICS:
        break;
    }
    return NULL;
}

/* Is the word a value of one of its attributes, as langevin? */
static bool has_choice(const AmphiElement *element, const char *word)
{
    for (const AmphiAttribute *a = element->attribute; a->name != NULL; a++)
        if (a->choices != NULL && amphi_schema_is_word(a->choices, word))
            return true;
    return false;
}

bool topic_holds(Topic topic, int32_t k, const char *word)
{
    switch (topic) {
    case TOPIC_ELEMENTS:
        return amphi_schema_attribute(amphi_schema_at(k), word) != NULL ||
               has_choice(amphi_schema_at(k), word);
    case TOPIC_POTENTIALS:
        return potential_has_field(amphi_spec_at(k), word);
    case TOPIC_UNITS:
        return amphi_schema_is_word(amphi_units_known((AmphiDimension)(k + AMPHI_DIM_LENGTH)),
                                    word);
    default:
        return false;
    }
}

/* ---- entries ---- */

static void describe_entry(const char *kind, const ToolEntry *entry, bool as_json, FILE *out)
{
    if (as_json) {
        ToolJson json = tool_json_begin(out, kind);

        tool_json_text(&json, "name", entry->name);
        tool_json_text(&json, "meaning", entry->meaning);
        tool_json_end(&json);
        return;
    }
    ToolLines lines = tool_lines_begin(out, 20, entry->name);
    tool_lines_text(&lines, entry->meaning);
    tool_lines_end(&lines);
}

static void describe_dimension(AmphiDimension dimension, bool as_json, FILE *out)
{
    const char *const name = amphi_units_name(dimension), *known = amphi_units_known(dimension);
    const char *const internal = amphi_units_internal(dimension);

    if (as_json) {
        ToolJson json = tool_json_begin(out, "dimension");

        tool_json_text(&json, "name", name);
        tool_json_text(&json, "internal", internal);
        tool_json_text(&json, "known", known);
        tool_json_end(&json);
        return;
    }
    ToolLines lines = tool_lines_begin(out, 20, name);
    char      word[96]; /* told when it is known what stands behind it */
    char      mark = ';';

    snprintf(word, sizeof word, "in %.40s inside", internal);
    while (*known != '\0') {
        const int length = (int)strcspn(known, " ");
        double    factor = 0;
        char      unit[64];

        snprintf(unit, sizeof unit, "%.*s", length, known);
        known += length + (known[length] == ' ');
        if (strcmp(unit, internal) == 0)
            continue;
        amphi_units_factor(unit, dimension, &factor);
        tool_lines_word(&lines, "%s%c", word, mark);
        snprintf(word, sizeof word, "1 %s = %.12g", unit, factor);
        mark = ',';
    }
    tool_lines_word(&lines, "%s", word);
    tool_lines_end(&lines);
}

static void describe_format(const AmphiFormat *format, bool as_json, FILE *out)
{
    static const struct {
        uint32_t    bit;
        const char *name;
    } contents[] = {
        { AMPHI_HAS_POSITIONS, "positions" }, { AMPHI_HAS_BOX, "box" },
        { AMPHI_HAS_NAMES, "names" },         { AMPHI_HAS_VELOCITIES, "velocities" },
        { AMPHI_HAS_TYPES, "types" },         { AMPHI_HAS_CHARGES, "charges" },
        { AMPHI_HAS_MASSES, "masses" },       { AMPHI_HAS_BONDS, "bonds" },
        { AMPHI_HAS_DIPOLES, "dipoles" },     { AMPHI_HAS_ORIENTATIONS, "orientations" },
    };
    const char *held[sizeof contents / sizeof *contents];
    int32_t     n = 0;

    for (size_t k = 0; k < sizeof contents / sizeof *contents; k++)
        if ((format->holds & contents[k].bit) != 0)
            held[n++] = contents[k].name;
    if (as_json) {
        ToolJson json = tool_json_begin(out, "format");

        tool_json_text(&json, "name", format->name);
        tool_json_text(&json, "ending", format->ending);
        tool_json_flag(&json, "is_read", amphi_format_is_read(format));
        tool_json_flag(&json, "is_written", format->write != NULL);
        tool_json_texts(&json, "holds", held, n);
        tool_json_end(&json);
        return;
    }
    ToolLines lines = tool_lines_begin(out, 20, format->name);
    tool_lines_word(&lines, "*%s,", format->ending);
    tool_lines_word(&lines, "%s%s%s:", amphi_format_is_read(format) ? "read" : "",
                    amphi_format_is_read(format) && format->write != NULL ? " and " : "",
                    format->write != NULL ? "written" : "");
    for (int32_t k = 0; k < n; k++)
        tool_lines_word(&lines, "%s", held[k]);
    tool_lines_end(&lines);
}

static void describe_message(int32_t id, bool as_json, FILE *out)
{
    const char *const name = tool_message_name((AmphiMessageId)id);

    if (as_json) {
        ToolJson json = tool_json_begin(out, "message");

        tool_json_text(&json, "name", name);
        tool_json_text(&json, "text", messages[id].text);
        tool_json_text(&json, "hint", messages[id].hint);
        tool_json_end(&json);
        return;
    }
    fprintf(out, "  %s\n", name);
    ToolLines lines = tool_lines_begin(out, INDENT, "");
    tool_lines_text(&lines, messages[id].text);
    tool_lines_end(&lines);
    if (messages[id].hint[0] != '\0') {
        lines = tool_lines_begin(out, INDENT, "");
        tool_lines_text(&lines, messages[id].hint);
        tool_lines_end(&lines);
    }
}

void topic_describe(Topic topic, int32_t k, bool as_json, FILE *out)
{
    switch (topic) {
    case TOPIC_ELEMENTS:
        describe_element(amphi_schema_at(k), as_json, out);
        break;
    case TOPIC_POTENTIALS:
        describe_potential(amphi_spec_at(k), as_json, out);
        break;
    case TOPIC_TREATMENTS:
        describe_entry("treatment", &tool_treatments()[k], as_json, out);
        break;
    case TOPIC_UNITS:
        describe_dimension((AmphiDimension)(k + AMPHI_DIM_LENGTH), as_json, out);
        break;
    case TOPIC_FILES:
        describe_entry("file", &tool_result_files()[k], as_json, out);
        break;
    case TOPIC_FORMATS:
        describe_format(amphi_format_at(k), as_json, out);
        break;
    case TOPIC_EXIT_CODES:
        describe_entry("exit_code", &tool_exit_codes()[k], as_json, out);
        break;
    case TOPIC_SIGNALS:
        describe_entry("signal", &tool_signals()[k], as_json, out);
        break;
    case TOPIC_ENVIRONMENT:
        describe_entry("variable", &tool_environment()[k], as_json, out);
        break;
    case TOPIC_PRECISION:
        describe_scale(k, as_json, out);
        break;
    case TOPIC_MESSAGES:
        describe_message(k, as_json, out);
        break;
    case TOPICS:
        break;
    }
}
