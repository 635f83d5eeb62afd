/* Parsing with libxml2: converts its trees to ours, and its messages to notes. The only file that
 * includes libxml2. The checks against the schema are in xml_check.c.
 */
#include "xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

#include "xml_check.h"
#include "xml_source.h"

#define SCHEMA_INSTANCE "http://www.w3.org/2001/XMLSchema-instance"

/* A loader of external entities that refuses every request. */
static xmlParserInputPtr refuse_entity(const char *url, const char *id, xmlParserCtxtPtr context)
{
    (void)url;
    (void)id;
    (void)context;
    return NULL;
}

typedef struct {
    const char *path;
    AmphiNotes *notes;
    bool        is_schema; /* one complaint is enough: the table should have seen it */
    bool        is_refused;
    int64_t     n_heard;
} Listener;

/* Versions of libxml2 have different codes for it; one is that of control characters too. */
static bool is_no_utf8(const xmlError *error, const char *text)
{
    static const char words[] = "Input is not proper UTF-8";

    return error->code == XML_ERR_INVALID_ENCODING || strncmp(text, words, strlen(words)) == 0;
}

/* libxml2's messages end with a line break; the first line says it all. */
static void hear(void *user, xmlErrorPtr error)
{
    Listener        *l     = user;
    const AmphiWhere where = { l->path, error->line };
    char             text[256];
    size_t           n = 0;

    while (error->message != NULL && error->message[n] != '\0' && error->message[n] != '\n' &&
           n < sizeof text - 1) {
        text[n] = error->message[n];
        n++;
    }
    text[n] = '\0';
    l->n_heard++;
    if (l->is_refused)
        return;
    if (l->is_schema && l->n_heard == 1)
        amphi_note(l->notes, XML_SCHEMA, where, text);
    else if (l->is_schema)
        return;
    else if (error->code == XML_ERR_UNDECLARED_ENTITY || error->code == XML_WAR_UNDECLARED_ENTITY)
        amphi_note(l->notes, XML_ENTITY, where, error->str1 != NULL ? error->str1 : "?");
    else if (!amphi_notes_has(l->notes, where))
        amphi_note(l->notes, XML_SYNTAX, where,
                   is_no_utf8(error, text)
                       ? "bytes that are no UTF-8; it must be text in UTF-8, whatever it declares"
                       : text,
                   error->code == XML_ERR_NAME_REQUIRED && strstr(text, "EntityRef") != NULL
                       ? "write &amp; for an & in a text"
                       : "");
}

/* A DOCTYPE stops the parser, so that its contents are never processed. */
static void refuse_doctype(void *user, const xmlChar *name, const xmlChar *id, const xmlChar *url)
{
    xmlParserCtxtPtr parser = user;
    Listener        *l      = parser->_private;
    const AmphiWhere where  = { l->path, parser->input != NULL ? parser->input->line : 0 };

    (void)name;
    (void)id;
    (void)url;
    amphi_note(l->notes, XML_DOCTYPE, where, "");
    l->is_refused = true;
    xmlStopParser(parser);
}

static const char *text_of(AmphiArena *arena, const xmlChar *text)
{
    return amphi_arena_text(arena, text != NULL ? (const char *)text : "");
}

static int32_t count_attributes(const xmlNode *node)
{
    int32_t n = 0;

    for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
        if (a->ns == NULL || strcmp((const char *)a->ns->href, SCHEMA_INSTANCE) != 0)
            n++;
    return n;
}

static void copy_attributes(AmphiXml *xml, const xmlNode *node, AmphiArena *arena)
{
    AmphiXmlAttribute *out = AMPHI_TAKE(arena, AmphiXmlAttribute, count_attributes(node));

    if (out == NULL)
        return;
    xml->attribute = out;
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
        xmlChar *value;

        if (a->ns != NULL && strcmp((const char *)a->ns->href, SCHEMA_INSTANCE) == 0)
            continue;
        value      = xmlNodeListGetString(node->doc, a->children, 1);
        out->name  = text_of(arena, a->name);
        out->value = text_of(arena, value);
        xmlFree(value);
        xml->n_attributes++;
        out++;
    }
}

/* What of a child counts as text: of comments the line ends, so that lines can be counted. */
static size_t add_text(const xmlNode *node, char *out)
{
    const char *text = (const char *)node->content;
    size_t      n    = 0;

    if (text == NULL)
        return 0;
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
        n = strlen(text);
        if (out != NULL)
            memcpy(out, text, n);
    } else if (node->type == XML_COMMENT_NODE || node->type == XML_PI_NODE) {
        for (; *text != '\0'; text++)
            if (*text == '\n') {
                if (out != NULL)
                    out[n] = '\n';
                n++;
            }
    }
    return n;
}

/* All text directly inside an element, one piece after another. */
static const char *copy_text(const xmlNode *node, AmphiArena *arena)
{
    size_t n = 0;
    char  *out;

    for (const xmlNode *c = node->children; c != NULL; c = c->next)
        n += add_text(c, NULL);
    if (n == 0)
        return "";
    out = AMPHI_TAKE(arena, char, (int64_t)n + 1);
    if (out == NULL)
        return "";
    n = 0;
    for (const xmlNode *c = node->children; c != NULL; c = c->next)
        n += add_text(c, out + n);
    return out;
}

/* Of text directly inside an element. libxml2 knows where a piece ends. 0: it is blank. */
static int64_t line_of_word(const xmlNode *node)
{
    for (const xmlNode *c = node->children; c != NULL; c = c->next) {
        const char *text = (const char *)c->content;
        int64_t     line = xmlGetLineNo(c);

        if ((c->type != XML_TEXT_NODE && c->type != XML_CDATA_SECTION_NODE) || text == NULL)
            continue;
        text += strspn(text, " \t\r\n");
        if (*text == '\0')
            continue;
        for (; *text != '\0'; text++)
            line -= *text == '\n';
        return line;
    }
    return 0;
}

/* Where a tree comes from, and how far its start tags have been found. */
typedef struct {
    const char           *path;
    const AmphiXmlSource *source;
    AmphiTags             tags;
    AmphiArena           *arena;
} Origin;

/* An element with a prefix is unknown; it keeps the prefix for messages. */
static const char *name_of(const xmlNode *node, AmphiArena *arena)
{
    if (node->ns == NULL || node->ns->prefix == NULL)
        return text_of(arena, node->name);
    return amphi_arena_print(arena, "%s:%s", (const char *)node->ns->prefix,
                             (const char *)node->name);
}

static AmphiXml *copy_element(const xmlNode *node, AmphiXml *parent, Origin *from)
{
    AmphiXml *xml = AMPHI_TAKE(from->arena, AmphiXml, 1);
    AmphiTag  tag;

    if (xml == NULL)
        return NULL;
    xml->name      = name_of(node, from->arena);
    xml->text      = copy_text(node, from->arena);
    xml->where     = (AmphiWhere){ from->path, xmlGetLineNo(node) };
    xml->text_line = xml->where.line;
    xml->word_line = line_of_word(node);
    xml->begin     = -1;
    xml->parent    = parent;
    xml->source    = from->source;
    copy_attributes(xml, node, from->arena);
    if (xml->name == NULL || amphi_arena_failed(from->arena))
        return NULL;
    if (amphi_tags_next(&from->tags, &tag) && amphi_tag_is(from->source, &tag, xml->name)) {
        xml->where.line = tag.line;
        xml->text_line  = tag.end_line;
        xml->begin      = tag.begin;
        xml->end        = tag.end;
    }
    return xml;
}

static const xmlNode *element_at(const xmlNode *node)
{
    while (node != NULL && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

/* The whole tree, depth first and without recursion: down to the first child, else to the next
 * sibling of the nearest ancestor that has one. */
static AmphiXml *copy_tree(const xmlNode *root, Origin *from)
{
    AmphiXml      *top = copy_element(root, NULL, from), *at = top;
    const xmlNode *node = root;

    while (at != NULL) {
        const xmlNode *down = element_at(node->children);

        if (down != NULL) {
            at->child = copy_element(down, at, from);
            at        = at->child;
            node      = down;
            continue;
        }
        while (node != root && element_at(node->next) == NULL) {
            node = node->parent;
            at   = at->parent;
        }
        if (node == root)
            return top;
        node     = element_at(node->next);
        at->next = copy_element(node, at->parent, from);
        if (at->next != NULL)
            at->next->place = at->place + 1;
        at = at->next;
    }
    return NULL; /* no memory: the arena remembers */
}

static char *schema_text(const char *root, size_t *n)
{
    char *text = NULL;
    FILE *out  = open_memstream(&text, n);

    if (out == NULL)
        return NULL;
    amphi_schema_write_xsd(root, out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* A second check, by the XSD that editors use: it must find no fault that our check did not. */
static bool is_valid(xmlDocPtr doc, const char *path, const char *root, AmphiNotes *notes)
{
    Listener               listener = { .path = path, .notes = notes, .is_schema = true };
    size_t                 n        = 0;
    char                  *text     = schema_text(root, &n);
    xmlSchemaParserCtxtPtr parser;
    xmlSchemaPtr           schema = NULL;
    xmlSchemaValidCtxtPtr  valid  = NULL;

    if (text == NULL)
        return true;
    parser = xmlSchemaNewMemParserCtxt(text, (int)n);
    if (parser != NULL)
        schema = xmlSchemaParse(parser);
    if (schema != NULL)
        valid = xmlSchemaNewValidCtxt(schema);
    if (valid != NULL) {
        xmlSchemaSetValidStructuredErrors(valid, hear, &listener);
        xmlSchemaValidateDoc(valid, doc);
    }
    xmlSchemaFreeValidCtxt(valid);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
    free(text);
    return listener.n_heard == 0;
}

static xmlDocPtr read_document(const char *path, const char *bytes, int64_t n_bytes,
                               AmphiNotes *notes)
{
    int options = XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA | XML_PARSE_COMPACT |
                  XML_PARSE_IGNORE_ENC;
    Listener         listener = { .path = path, .notes = notes };
    xmlParserCtxtPtr parser   = xmlNewParserCtxt();
    xmlDocPtr        doc      = NULL;

#if LIBXML_VERSION >= 21300
    options |= XML_PARSE_NO_XXE;
#endif
    if (parser == NULL)
        return NULL;
    parser->_private            = &listener;
    parser->sax->internalSubset = refuse_doctype;
    xmlSetExternalEntityLoader(refuse_entity);
    xmlSetStructuredErrorFunc(&listener, hear);
    doc = xmlCtxtReadMemory(parser, bytes, (int)n_bytes, path, "UTF-8", options);
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlFreeParserCtxt(parser);
    if (listener.is_refused) {
        xmlFreeDoc(doc);
        return NULL;
    }
    return doc;
}

/* Converts and checks a well-formed document. */
static AmphiXml *read_tree(xmlDocPtr doc, const char *root, Origin *from, AmphiNotes *notes)
{
    const int64_t  before = amphi_notes_count(notes, AMPHI_NOTE_ERROR);
    const xmlNode *top    = xmlDocGetRootElement(doc);
    AmphiXml      *xml    = top != NULL ? copy_tree(top, from) : NULL;

    if (xml == NULL)
        return NULL;
    if (strcmp(xml->name, root) != 0) {
        amphi_note(notes, XML_ROOT, xml->where, xml->name, root);
        return NULL;
    }
    if (top->ns != NULL) {
        amphi_note(notes, XML_NAMESPACE, xml->where, xml->name, (const char *)top->ns->href);
        return NULL;
    }
    amphi_xml_check(xml, from->arena, notes);
    if (amphi_notes_count(notes, AMPHI_NOTE_ERROR) == before &&
        !is_valid(doc, from->path, root, notes))
        return NULL;
    return xml;
}

AmphiXml *amphi_xml_parse(const char *path, const char *bytes, int64_t n_bytes, const char *root,
                          AmphiArena *arena, AmphiNotes *notes)
{
    const AmphiWhere whole  = { path, 0 };
    const int64_t    before = amphi_notes_count(notes, AMPHI_NOTE_ERROR);
    AmphiXmlSource  *source = AMPHI_TAKE(arena, AmphiXmlSource, 1);
    Origin           from   = { path, source, { bytes, n_bytes, 0, 1 }, arena };
    AmphiXml        *xml    = NULL;
    xmlDocPtr        doc;

    if (source == NULL)
        return NULL;
    *source = (AmphiXmlSource){ bytes, n_bytes };
    if (n_bytes == 0) {
        amphi_note(notes, FILE_EMPTY, whole, path);
        return NULL;
    }
    if (!amphi_source_check(path, bytes, n_bytes, notes))
        return NULL;
    doc = read_document(path, bytes, n_bytes, notes);
    if (doc != NULL)
        xml = read_tree(doc, root, &from, notes);
    if (xml == NULL && !amphi_arena_failed(arena) &&
        amphi_notes_count(notes, AMPHI_NOTE_ERROR) == before)
        amphi_note(notes, XML_SYNTAX, whole, "it cannot be read as XML", "");
    xmlFreeDoc(doc);
    return xml;
}

const char *amphi_xml_version(void)
{
    return LIBXML_DOTTED_VERSION;
}
