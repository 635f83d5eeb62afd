/* amphi describe: the reference, printed from the program's own tables. */
#include <string.h>

#include "../engine/schema.h"
#include "command.h"
#include "completion.h"
#include "man.h"
#include "print.h"
#include "topics.h"

enum { MOST_NAMES = 1024 };

static void print_list(FILE *out)
{
    fprintf(out,
            "amphi describe NAME explains any of these; a word in front of a list, all of it.\n\n");
    for (int topic = 0; topic < TOPICS; topic++) {
        ToolLines   lines  = tool_lines_begin(out, 14, topic_name((Topic)topic));
        const char *name   = NULL;
        const char *before = "";

        for (int32_t k = 0; (name = topic_entry((Topic)topic, k)) != NULL; k++) {
            if (strcmp(name, before) != 0)
                tool_lines_word(&lines, strchr(name, ' ') != NULL ? "\"%s\"" : "%s", name);
            before = name;
        }
        tool_lines_end(&lines);
    }
}

static void describe_topic(Topic topic, bool as_json, FILE *out)
{
    if (!as_json)
        fprintf(out, "%s\n\n", topic_name(topic));
    for (int32_t k = 0; topic_entry(topic, k) != NULL; k++)
        topic_describe(topic, k, as_json, out);
    if (!as_json)
        fprintf(out, "\n");
}

/* "<box>" asks for the element. */
static const char *bare_name(const char *given, char *text, size_t size)
{
    const size_t n = strlen(given);

    if (n < 3 || given[0] != '<' || given[n - 1] != '>')
        return given;
    snprintf(text, size, "%.*s", (int)(n - 2), given + 1);
    return text;
}

typedef bool Answers(Topic topic, int32_t k, const char *word);

static bool is_named(Topic topic, int32_t k, const char *word)
{
    return strcmp(topic_entry(topic, k), word) == 0;
}

/* Describes every entry that answers; how many. */
static int describe_all(Answers *answers, const char *word, bool as_json, FILE *out)
{
    int n = 0;

    for (int topic = 0; topic < TOPICS; topic++)
        for (int32_t k = 0; topic_entry((Topic)topic, k) != NULL; k++)
            if (answers((Topic)topic, k, word)) {
                topic_describe((Topic)topic, k, as_json, out);
                n++;
            }
    return n;
}

static AmphiStatus fail_unknown(const char *word, AmphiError *err)
{
    const char *known[MOST_NAMES], *name = NULL;
    int32_t     n = 0;
    char        text[160];

    for (int topic = 0; topic < TOPICS; topic++) {
        known[n++] = topic_name((Topic)topic);
        for (int32_t k = 0; (name = topic_entry((Topic)topic, k)) != NULL; k++)
            if (n < MOST_NAMES - TOPICS)
                known[n++] = name;
    }
    snprintf(text, sizeof text, "describe: nothing is called \"%.80s\"", word);
    return tool_fail_near(err, text, word, known, n, "(`amphi describe` lists everything)");
}

static AmphiStatus describe_word(const char *given, bool as_json, FILE *out, AmphiError *err)
{
    char              text[128];
    const char *const word = bare_name(given, text, sizeof text);

    for (int topic = 0; topic < TOPICS; topic++)
        if (strcmp(topic_name((Topic)topic), word) == 0) {
            describe_topic((Topic)topic, as_json, out);
            return AMPHI_OK;
        }
    /* names win over attributes and units, which many entries share */
    if (describe_all(is_named, word, as_json, out) > 0 ||
        describe_all(topic_holds, word, as_json, out) > 0)
        return AMPHI_OK;
    return fail_unknown(given, err);
}

AmphiStatus cmd_describe(const ToolCall *call, AmphiError *err)
{
    const char *const root    = tool_value(call, "xsd");
    const bool        as_json = tool_has(call, "json"), as_man = tool_has(call, "man");
    const bool        completes = tool_has(call, "completion");
    const bool        has_more  = call->n_arguments > 0 || tool_has(call, "all") || as_json;

    if ((root != NULL) + as_man + completes + has_more > 1)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "describe: --%s goes with nothing else",
                          root != NULL ? "xsd"
                          : as_man     ? "man"
                                       : "completion");
    if (as_man)
        tool_write_man(call->out);
    if (completes)
        tool_write_completion(call->out);
    if (as_man || completes)
        return AMPHI_OK;
    if (root != NULL)
        return amphi_schema_write_xsd(root, call->out) > 0
                   ? AMPHI_OK
                   : amphi_fail(err, AMPHI_BAD_FILE, "the schema of <%s> could not be written",
                                root);
    if (tool_has(call, "all") || (as_json && call->n_arguments == 0)) {
        for (int topic = 0; topic < TOPICS; topic++)
            describe_topic((Topic)topic, as_json, call->out);
        return AMPHI_OK;
    }
    if (call->n_arguments == 0)
        print_list(call->out);
    for (int k = 0; k < call->n_arguments; k++)
        AMPHI_TRY(describe_word(call->argument[k], as_json, call->out, err));
    return AMPHI_OK;
}
