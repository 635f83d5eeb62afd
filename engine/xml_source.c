/* Positions of start tags and attributes; and limits where libxml2 would take quadratic time. */
#include "xml_source.h"

#include <string.h>

enum {
    MAX_ELEMENTS   = 1000000, /* half a gigabyte as trees, libxml2's and ours */
    MAX_ATTRIBUTES = 64       /* libxml2 compares each with each */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void go_to(AmphiTags *t, int64_t at)
{
    for (; t->at < at; t->at++)
        t->line += t->bytes[t->at] == '\n';
}

static bool begins(const AmphiTags *t, const char *mark)
{
    const size_t n = strlen(mark);

    return t->n_bytes - t->at >= (int64_t)n && memcmp(t->bytes + t->at, mark, n) == 0;
}

/* Behind the next `mark`, or to the end when there is none. */
static void skip_behind(AmphiTags *t, const char *mark)
{
    while (t->at < t->n_bytes && !begins(t, mark))
        go_to(t, t->at + 1);
    go_to(t, t->at < t->n_bytes ? t->at + (int64_t)strlen(mark) : t->n_bytes);
}

/* Everything that opens with < and is no start tag. */
static bool skip_other(AmphiTags *t)
{
    if (begins(t, "<!--"))
        skip_behind(t, "-->");
    else if (begins(t, "<![CDATA["))
        skip_behind(t, "]]>");
    else if (begins(t, "<?"))
        skip_behind(t, "?>");
    else if (begins(t, "</") || begins(t, "<!"))
        skip_behind(t, ">");
    else
        return false;
    return true;
}

static bool read_tag(AmphiTags *t, AmphiTag *tag)
{
    char quote = '\0';

    *tag = (AmphiTag){ .begin = t->at, .line = t->line };
    for (; t->at < t->n_bytes; go_to(t, t->at + 1)) {
        const char c = t->bytes[t->at];

        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '=')
            tag->n_attributes++;
        else if (c == '>')
            break;
    }
    if (t->at == t->n_bytes)
        return false;
    go_to(t, t->at + 1);
    tag->end      = t->at;
    tag->end_line = t->line;
    return true;
}

bool amphi_tags_next(AmphiTags *t, AmphiTag *tag)
{
    while (t->at < t->n_bytes) {
        const char *open = memchr(t->bytes + t->at, '<', (size_t)(t->n_bytes - t->at));

        go_to(t, open != NULL ? open - t->bytes : t->n_bytes);
        if (open != NULL && !skip_other(t))
            return read_tag(t, tag);
    }
    return false;
}

bool amphi_tag_is(const AmphiXmlSource *source, const AmphiTag *tag, const char *name)
{
    const int64_t n = (int64_t)strlen(name), behind = tag->begin + 1 + n;

    if (behind >= tag->end || memcmp(source->bytes + tag->begin + 1, name, (size_t)n) != 0)
        return false;
    return is_blank(source->bytes[behind]) || source->bytes[behind] == '/' ||
           source->bytes[behind] == '>';
}

bool amphi_source_attribute(const AmphiXml *xml, const char *name, int64_t *at, int32_t *width,
                            int64_t *line)
{
    const size_t n    = strlen(name);
    const char  *from = xml->source->bytes + xml->begin, *end = xml->source->bytes + xml->end;
    const char  *c = from;

    while (xml->begin >= 0 && c < end && !is_blank(*c))
        c++;
    while (xml->begin >= 0 && c < end) {
        const char *word, *value;

        while (c < end && is_blank(*c))
            c++;
        word = c;
        while (c < end && *c != '"' && *c != '\'')
            c++;
        value = c++;
        while (c < end && *c != *value)
            c++;
        if (c++ >= end)
            return false;
        if ((size_t)(value - word) <= n || memcmp(word, name, n) != 0 ||
            (word[n] != '=' && !is_blank(word[n])))
            continue;
        *at    = word - xml->source->bytes;
        *width = (int32_t)(c - word);
        *line  = xml->where.line;
        for (const char *k = from; k < word; k++)
            *line += *k == '\n';
        return true;
    }
    return false;
}

static bool refuse(const char *path, int64_t line, const char *why, AmphiNotes *notes)
{
    const AmphiWhere where = { path, line };

    amphi_note(notes, XML_SYNTAX, where, why, "");
    return false;
}

static bool check_text(const char *path, const char *bytes, int64_t n_bytes, AmphiNotes *notes)
{
    AmphiTags   tags = { bytes, n_bytes, 0, 1 };
    const char *zero = memchr(bytes, '\0', (size_t)n_bytes);

    if (zero != NULL) {
        go_to(&tags, zero - bytes);
        return refuse(path, tags.line, "a zero byte; it must be text in UTF-8", notes);
    }
    if (begins(&tags, "\xEF\xBB\xBF")) /* the mark that some editors set */
        go_to(&tags, 3);
    while (tags.at < n_bytes && is_blank(bytes[tags.at]))
        go_to(&tags, tags.at + 1);
    if (!begins(&tags, "<"))
        return refuse(path, tags.line, "it must begin with <", notes);
    return true;
}

static bool check_sizes(const char *path, const char *bytes, int64_t n_bytes, AmphiNotes *notes)
{
    AmphiTags tags    = { bytes, n_bytes, 0, 1 };
    AmphiTag  tag     = { .line = 1 };
    int32_t   n       = 0;
    bool      is_more = true;

    /* the last tag may not end, and hold all the more attributes */
    while (is_more) {
        is_more = amphi_tags_next(&tags, &tag);
        n += is_more;
        if (n > MAX_ELEMENTS || tag.n_attributes > MAX_ATTRIBUTES) {
            const AmphiWhere where = { path, tag.line };

            if (n > MAX_ELEMENTS)
                amphi_note(notes, TOO_MANY, where, "elements in a file", "1000000");
            else
                amphi_note(notes, TOO_MANY, where, "attributes of one element", "64");
            return false;
        }
    }
    return true;
}

bool amphi_source_check(const char *path, const char *bytes, int64_t n_bytes, AmphiNotes *notes)
{
    return check_text(path, bytes, n_bytes, notes) && check_sizes(path, bytes, n_bytes, notes);
}
