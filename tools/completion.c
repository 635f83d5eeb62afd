/* Completion by bash: the commands; behind a command its options, the values of an option where
 * they are known, what `describe` explains; and files otherwise.
 */
#include "completion.h"

#include <stdbool.h>
#include <string.h>

#include "../engine/backend.h"
#include "../engine/formats/snapshot.h"
#include "../engine/observe.h"
#include "../engine/schema.h"
#include "../forcefield/spec.h"
#include "commands.h"
#include "topics.h"

static const char head[] =
    "# Completion of amphi by bash, as `amphi describe --completion bash` writes it.\n"
    "_amphi()\n"
    "{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
    "    if [ \"$word\" = = ]; then # --option=value comes as three words\n"
    "        word=\n"
    "    elif [ \"$before\" = = ]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n";

/* Of a list the last word is completed, behind the others. */
static const char tail[] = "    local last=${word##*,}\n"
                           "    COMPREPLY=($(compgen -P \"${word%\"$last\"}\" -W \"$words\" -- "
                           "\"$last\"))\n"
                           "}\n"
                           "complete -o default -F _amphi amphi\n";

static void put_commands(FILE *out)
{
    const ToolCommand *c = NULL;

    fputs("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='--help --version", out);
    for (int k = 0; (c = tool_command_at(k)) != NULL; k++)
        fprintf(out, " %s", c->name);
    fputs("'\n        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n        return\n    fi\n",
          out);
}

/* Each once, whatever its precisions. */
static void put_backends(FILE *out)
{
    const AmphiBackend *b = NULL, *last = NULL;

    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; last = b, k++)
        if (last == NULL || strcmp(b->name, last->name) != 0)
            fprintf(out, "%s ", b->name);
}

static void put_precisions(FILE *out)
{
    for (int k = 0; k < AMPHI_PRECISIONS; k++)
        fprintf(out, "%s ", amphi_precision_name((AmphiPrecision)k));
}

static void put_formats(FILE *out)
{
    const AmphiFormat *f = NULL;

    for (int32_t k = 0; (f = amphi_format_at(k)) != NULL; k++)
        fprintf(out, "%s ", f->name);
}

static void put_observers(FILE *out)
{
    const AmphiObserverKind *kind = NULL;

    for (int32_t k = 0; (kind = amphi_observer_kind_at(k)) != NULL; k++)
        if (amphi_observer_sees_frames(kind))
            fprintf(out, "%s ", kind->name);
}

/* What a value can be that has no choices in the table: those of this build, or of another part. */
static void (*writer_of(const ToolCommand *c, const ToolOption *o))(FILE *out)
{
    if (strcmp(o->name, "backend") == 0)
        return put_backends;
    if (strcmp(o->name, "precision") == 0)
        return put_precisions;
    if (strcmp(c->name, "convert") == 0 &&
        (strcmp(o->name, "from") == 0 || strcmp(o->name, "to") == 0))
        return put_formats;
    if (strcmp(o->name, "observe") == 0)
        return put_observers;
    return NULL;
}

/* Words for the value of an option. */
static void put_values(FILE *out)
{
    const ToolCommand *c = NULL;

    fputs("    case ${COMP_WORDS[1]}:$before in\n", out);
    for (int k = 0; (c = tool_command_at(k)) != NULL; k++)
        for (const ToolOption *o = c->option; o->name != NULL; o++) {
            void (*const write)(FILE *) = writer_of(c, o);

            if (o->choices == NULL && write == NULL)
                continue;
            fprintf(out, "    %s:--%s) words='%s", c->name, o->name,
                    o->choices != NULL ? o->choices : "");
            if (o->choices == NULL)
                write(out);
            fputs("' ;;\n", out);
        }
    fputs("    esac\n", out);
}

static void put_options(FILE *out)
{
    const ToolCommand *c = NULL;

    fputs("    case ${COMP_WORDS[1]}:$word in\n", out);
    for (int k = 0; (c = tool_command_at(k)) != NULL; k++) {
        fprintf(out, "    %s:-*) words='", c->name);
        for (const ToolOption *o = c->option; o->name != NULL; o++)
            fprintf(out, "%s--%s", o == c->option ? "" : " ", o->name);
        fputs("' ;;\n", out);
    }
    fputs("    describe:*) words='", out);
    for (int topic = 0; topic < TOPICS; topic++)
        fprintf(out, "%s ", topic_name((Topic)topic));
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        fprintf(out, "%s ", amphi_schema_at(k)->name);
    for (int32_t k = 0; amphi_spec_at(k) != NULL; k++)
        fprintf(out, "%s ", amphi_spec_at(k)->name);
    fputs("' ;;\n    esac\n", out);
}

void tool_write_completion(FILE *out)
{
    fputs(head, out);
    put_commands(out);
    put_values(out);
    fputs("    if [ -z \"$words\" ]; then\n", out);
    put_options(out);
    fputs("    fi\n", out);
    fputs(tail, out);
}
