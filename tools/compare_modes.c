/* Selects the modes of a comparison, opens and closes their states, and records failures. */
#include <math.h>
#include <string.h>

#include "compare.h"
#include "options.h"

enum { MOST_WORDS = 8, WORD = 24 };

typedef struct {
    int32_t n;
    char    word[MOST_WORDS][WORD];
} Words;

static const char *const all_backends = "cpu,cuda";

/* ---- lists ---- */

static bool has_word(const Words *words, const char *word)
{
    for (int32_t k = 0; k < words->n; k++)
        if (strcmp(words->word[k], word) == 0)
            return true;
    return false;
}

static AmphiStatus fail_word(const char *option, const char *word, const Words *known,
                             AmphiError *err)
{
    const char *names[MOST_WORDS];
    char        text[160], all[160] = "write a list of: ";

    for (int32_t k = 0; k < known->n; k++) {
        names[k] = known->word[k];
        strncat(all, k > 0 ? "," : "", sizeof all - strlen(all) - 1);
        strncat(all, known->word[k], sizeof all - strlen(all) - 1);
    }
    snprintf(text, sizeof text, "--%s: there is no %s \"%.40s\"", option, option, word);
    return tool_fail_near(err, text, word, names, known->n, all);
}

static AmphiStatus read_words(const char *option, const char *list, const Words *known,
                              Words *words, AmphiError *err)
{
    *words = (Words){ .n = 0 };
    for (;;) {
        const size_t length = strcspn(list, ",");
        char         word[48];

        snprintf(word, sizeof word, "%.*s", (int)(length < 47 ? length : 47), list);
        if (!has_word(known, word))
            return fail_word(option, word, known, err);
        if (has_word(words, word))
            return amphi_fail(err, AMPHI_BAD_COMMAND, "--%s: %s is named twice", option, word);
        snprintf(words->word[words->n++], WORD, "%.23s", word);
        if (list[length] == '\0')
            return AMPHI_OK;
        list += length + 1;
    }
}

/* "cuda" is known even to a program that was built without it: it is left out with a reason. */
static void list_known(Words *backends, Words *precisions)
{
    static const char *const named[] = { "cpu", "cuda", "reference" };
    const AmphiBackend      *b       = NULL;

    *backends = *precisions = (Words){ .n = 0 };
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        snprintf(backends->word[backends->n++], WORD, "%s", named[k]);
    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; k++)
        if (!has_word(backends, b->name) && backends->n < MOST_WORDS)
            snprintf(backends->word[backends->n++], WORD, "%s", b->name);
    for (int32_t p = 0; p < AMPHI_PRECISIONS; p++)
        snprintf(precisions->word[precisions->n++], WORD, "%s",
                 amphi_precision_name((AmphiPrecision)p));
}

/* ---- modes ---- */

static AmphiPrecision precision_of(const char *name)
{
    int32_t p = 0;

    while (strcmp(amphi_precision_name((AmphiPrecision)p), name) != 0)
        p++;
    return (AmphiPrecision)p;
}

static void add_mode(Compare *c, const AmphiBackend *backend)
{
    if (c->n_modes == COMPARE_MODES)
        return;

    CompareMode *const mode = &c->mode[c->n_modes++];
    *mode                   = (CompareMode){ .backend = backend };
    snprintf(mode->name, sizeof mode->name, "%.12s %s", backend->name,
             amphi_precision_name(backend->precision));
}

static const char *reason_of(const char *name, AmphiPrecision precision)
{
    return amphi_backend_find(name, precision) != NULL ? "its device is not there"
                                                       : "this program has no such backend";
}

/* A backend without any of the precisions is told about once. */
static void try_backend(Compare *c, const char *name, const Words *precisions)
{
    int32_t n_there = 0;

    for (int32_t p = 0; p < precisions->n; p++)
        n_there += amphi_backend_there(name, precision_of(precisions->word[p])) != NULL;
    if (n_there == 0) {
        compare_add_remark(c->report, "%s is left out: %s", name,
                           reason_of(name, precision_of(precisions->word[0])));
        return;
    }
    for (int32_t p = 0; p < precisions->n; p++) {
        const AmphiPrecision      precision = precision_of(precisions->word[p]);
        const AmphiBackend *const there     = amphi_backend_there(name, precision);

        if (there != NULL)
            add_mode(c, there);
        else
            compare_add_remark(c->report, "%s %s is left out: %s", name, precisions->word[p],
                               reason_of(name, precision));
    }
}

static void find_base(Compare *c)
{
    c->base = -1;
    for (int32_t k = 0; k < c->n_modes && c->base < 0; k++)
        if (c->mode[k].backend->precision == AMPHI_DOUBLE)
            c->base = k;
}

static AmphiStatus add_base(Compare *c, AmphiError *err)
{
    if (c->n_modes == 0)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "none of these modes is there: %s\n    write: --backend cpu "
                          "--precision single,double     (`amphi --version` lists all)",
                          c->report->n_remarks > 0 ? c->report->remark[0] : "");
    find_base(c);
    if (c->base < 0 && !c->is_alone && amphi_backend_there("cpu", AMPHI_DOUBLE) != NULL) {
        add_mode(c, amphi_backend_there("cpu", AMPHI_DOUBLE));
        compare_add_remark(c->report, "cpu double is added: the others are held against it");
    }
    find_base(c);
    return AMPHI_OK;
}

AmphiStatus compare_choose(Compare *c, const char *backends, const char *precisions,
                           AmphiError *err)
{
    Words known[2], chosen[2];

    list_known(&known[0], &known[1]);
    AMPHI_TRY(read_words("backend", backends != NULL ? backends : all_backends, &known[0],
                         &chosen[0], err));
    chosen[1] = known[1];
    if (precisions != NULL)
        AMPHI_TRY(read_words("precision", precisions, &known[1], &chosen[1], err));
    for (int32_t b = 0; b < chosen[0].n; b++)
        try_backend(c, chosen[0].word[b], &chosen[1]);
    AMPHI_TRY(add_base(c, err));
    c->report->n_modes = c->n_modes;
    for (int32_t k = 0; k < c->n_modes; k++)
        c->report->mode[k] = c->mode[k].name;
    c->report->base = c->base >= 0 ? c->mode[c->base].name : "";
    return AMPHI_OK;
}

/* ---- states ---- */

AmphiStatus compare_lose(CompareMode *mode, AmphiStatus status, const AmphiError *why)
{
    if (status == AMPHI_OK)
        return AMPHI_OK;
    if (status == AMPHI_DEFECT)
        return status;
    mode->is_lost = true;
    snprintf(mode->why, sizeof mode->why, "%.300s", why->text);
    return AMPHI_OK;
}

AmphiStatus compare_open(Compare *c, AmphiError *err)
{
    for (int32_t k = 0; k < c->n_modes; k++) {
        CompareMode *const mode = &c->mode[k];
        AmphiError         why  = { .status = AMPHI_OK };

        if (mode->is_lost)
            continue;
        const double before = compare_heap();
        AMPHI_TRY(compare_lose(
            mode, mode->backend->open(&c->system, &c->choice, &mode->state, &why), &why));
        mode->heap_bytes = compare_heap() - before;
        if (mode->state != NULL)
            snprintf(mode->about, sizeof mode->about, "%s", mode->backend->about(mode->state));
    }
    (void)err;
    return AMPHI_OK;
}

void compare_close(Compare *c)
{
    for (int32_t k = 0; k < c->n_modes; k++) {
        if (c->mode[k].state != NULL)
            c->mode[k].backend->close(c->mode[k].state);
        c->mode[k].state = NULL;
    }
}

void compare_unknown(double value[COMPARE_MODES])
{
    for (int32_t k = 0; k < COMPARE_MODES; k++)
        value[k] = (double)NAN;
}
