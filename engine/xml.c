/* libxml2 trees to our own, and what libxml2 itself has to say. The only file that includes libxml2;
 * the checks against the table are in xml_check.c.
 */
#include "xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

#include "xml_check.h"

#define SCHEMA_INSTANCE "http://www.w3.org/2001/XMLSchema-instance"

/* Entities come from nowhere: this loader refuses every request. */
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
    bool        schema; /* speak only where nobody has spoken */
} Listener;

/* libxml2's messages end with a line break; the first line says it all. */
static void hear(void *user, xmlErrorPtr error)
{
    const Listener  *l     = user;
    const AmphiWhere where = { l->path, error->line };
    char             text[256];
    size_t           n = 0;

    while (error->message != NULL && error->message[n] != '\0' && error->message[n] != '\n' &&
           n < sizeof text - 1) {
        text[n] = error->message[n];
        n++;
    }
    text[n] = '\0';
    if (l->schema) {
        if (amphi_notes_count(l->notes, AMPHI_NOTE_ERROR) == 0)
            amphi_note(l->notes, XML_SCHEMA, where, text);
        return;
    }
    if (error->code == XML_ERR_UNDECLARED_ENTITY || error->code == XML_WAR_UNDECLARED_ENTITY)
        amphi_note(l->notes, XML_ENTITY, where, error->str1 != NULL ? error->str1 : "?");
    else if (!amphi_notes_has(l->notes, where))
        amphi_note(l->notes, XML_SYNTAX, where, text);
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

/* All text directly inside an element, one piece after another. */
static const char *copy_text(const xmlNode *node, AmphiArena *arena)
{
    size_t n = 0;
    char  *out;

    for (const xmlNode *c = node->children; c != NULL; c = c->next)
        if ((c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE) && c->content != NULL)
            n += strlen((const char *)c->content);
    out = AMPHI_TAKE(arena, char, (int64_t)n + 1);
    if (out == NULL)
        return "";
    n = 0;
    for (const xmlNode *c = node->children; c != NULL; c = c->next)
        if ((c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE) && c->content != NULL) {
            const size_t m = strlen((const char *)c->content);

            memcpy(out + n, c->content, m);
            n += m;
        }
    return out;
}

static AmphiXml *copy_element(const xmlNode *node, const char *path, AmphiXml *parent,
                              const AmphiXmlSource *source, AmphiArena *arena)
{
    AmphiXml *xml = AMPHI_TAKE(arena, AmphiXml, 1);

    if (xml == NULL)
        return NULL;
    xml->name   = text_of(arena, node->name);
    xml->text   = copy_text(node, arena);
    xml->where  = (AmphiWhere){ path, xmlGetLineNo(node) };
    xml->parent = parent;
    xml->source = source;
    copy_attributes(xml, node, arena);
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
static AmphiXml *copy_tree(const xmlNode *root, const char *path, const AmphiXmlSource *source,
                           AmphiArena *arena)
{
    AmphiXml      *top = copy_element(root, path, NULL, source, arena), *at = top;
    const xmlNode *node = root;

    while (at != NULL) {
        const xmlNode *down = element_at(node->children);

        if (down != NULL) {
            at->child = copy_element(down, path, at, source, arena);
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
        at->next = copy_element(node, path, at->parent, source, arena);
        at       = at->next;
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

/* A second opinion, by the XSD that editors use: it must find nothing that the table lets pass. */
static void validate(xmlDocPtr doc, const char *path, const char *root, AmphiNotes *notes)
{
    Listener               listener = { path, notes, true };
    size_t                 n        = 0;
    char                  *text     = schema_text(root, &n);
    xmlSchemaParserCtxtPtr parser;
    xmlSchemaPtr           schema = NULL;
    xmlSchemaValidCtxtPtr  valid  = NULL;

    if (text == NULL)
        return;
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
}

/* Where the DOCTYPE stands: libxml2 keeps no line for it. */
static int64_t doctype_line(const char *bytes, int64_t n_bytes)
{
    int64_t line = 1;

    for (int64_t i = 0; i < n_bytes; i++) {
        if (bytes[i] == '\n')
            line++;
        if (n_bytes - i >= 9 && memcmp(bytes + i, "<!DOCTYPE", 9) == 0)
            return line;
    }
    return 1;
}

static xmlDocPtr read_document(const char *path, const char *bytes, int64_t n_bytes,
                               AmphiNotes *notes)
{
    int options = XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA | XML_PARSE_COMPACT;
    Listener         listener = { path, notes, false };
    xmlParserCtxtPtr parser   = xmlNewParserCtxt();
    xmlDocPtr        doc      = NULL;

#if LIBXML_VERSION >= 21300
    options |= XML_PARSE_NO_XXE;
#endif
    if (parser == NULL)
        return NULL;
    xmlSetExternalEntityLoader(refuse_entity);
    xmlSetStructuredErrorFunc(&listener, hear);
    doc = xmlCtxtReadMemory(parser, bytes, (int)n_bytes, path, NULL, options);
    xmlSetStructuredErrorFunc(NULL, NULL);
    if (doc != NULL && (doc->intSubset != NULL || doc->extSubset != NULL)) {
        const AmphiWhere where = { path, doctype_line(bytes, n_bytes) };

        amphi_note(notes, XML_DOCTYPE, where, "DOCTYPE");
    }
    xmlFreeParserCtxt(parser);
    return doc;
}

AmphiXml *amphi_xml_parse(const char *path, const char *bytes, int64_t n_bytes, const char *root,
                          AmphiArena *arena, AmphiNotes *notes)
{
    const AmphiWhere whole = { path, 0 };
    AmphiXml        *xml   = NULL;
    AmphiXmlSource  *source;
    xmlDocPtr        doc;
    const xmlNode   *top;

    if (n_bytes == 0) {
        amphi_note(notes, FILE_EMPTY, whole, path);
        return NULL;
    }
    doc = read_document(path, bytes, n_bytes, notes);
    if (doc == NULL) {
        if (!amphi_notes_has(notes, whole) && amphi_notes_count(notes, AMPHI_NOTE_ERROR) == 0)
            amphi_note(notes, XML_SYNTAX, whole, "it cannot be read as XML");
        return NULL;
    }
    top    = xmlDocGetRootElement(doc);
    source = AMPHI_TAKE(arena, AmphiXmlSource, 1);
    if (top != NULL && source != NULL) {
        *source = (AmphiXmlSource){ bytes, n_bytes };
        xml     = copy_tree(top, path, source, arena);
    }
    if (xml != NULL && strcmp(xml->name, root) != 0) {
        amphi_note(notes, XML_ROOT, xml->where, xml->name, root);
        xml = NULL;
    }
    if (xml != NULL) {
        amphi_xml_check(xml, arena, notes);
        if (amphi_notes_count(notes, AMPHI_NOTE_ERROR) == 0)
            validate(doc, path, root, notes);
    }
    xmlFreeDoc(doc);
    return xml;
}

const char *amphi_xml_version(void)
{
    return LIBXML_DOTTED_VERSION;
}
