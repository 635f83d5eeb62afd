/* XML files as small trees that know their lines, checked against the table of schema.c.
 *
 * amphi_xml_parse notes everything that the table can tell: unknown elements and attributes,
 * missing ones, numbers, units, ranges, choices. The typed getters below then give values and never
 * note again; for a faulty attribute they give a harmless stand-in, so that reading can go on.
 */
#ifndef AMPHI_ENGINE_XML_H
#define AMPHI_ENGINE_XML_H

#include "arena.h"
#include "error.h"
#include "schema.h"

typedef struct {
    const char *name, *value;
} AmphiXmlAttribute;

/* The bytes a tree was read from; they outlive it. */
typedef struct {
    const char *bytes;
    int64_t     n_bytes;
} AmphiXmlSource;

typedef struct AmphiXml AmphiXml;
struct AmphiXml {
    const char              *name, *text; /* text: only of elements that may have some */
    AmphiWhere               where;       /* the line where its tag begins */
    int64_t                  begin, end;  /* of the tag: offsets in the source; begin -1: unknown */
    int64_t                  text_line;   /* where the tag ends and its text begins */
    AmphiXml                *parent, *child, *next; /* in the order of the file */
    int32_t                  place;                 /* among the children of its parent, from 0 */
    int32_t                  n_attributes;
    const AmphiXmlAttribute *attribute;
    const AmphiXmlSource    *source;
    const AmphiElement      *element;   /* NULL: unknown, already noted */
    const AmphiPotential    *potential; /* of elements with fields; NULL: none or unknown */
};

/* The tree of a file whose root is `root` ("amphi" or "forcefield"); NULL with a note when there is
 * none. path and bytes are kept, not copied. UTF-8 whatever the file says; no network, no entities,
 * no DTD, no XInclude. */
AmphiXml *amphi_xml_parse(const char *path, const char *bytes, int64_t n_bytes, const char *root,
                          AmphiArena *arena, AmphiNotes *notes);

/* Of libxml2, "2.9.14". */
const char *amphi_xml_version(void);

/* Children by name: for (c = amphi_xml_child(x, "bead"); c; c = amphi_xml_next(c, "bead")). */
const AmphiXml *amphi_xml_child(const AmphiXml *xml, const char *name);
const AmphiXml *amphi_xml_next(const AmphiXml *xml, const char *name);

bool amphi_xml_has(const AmphiXml *xml, const char *attribute);
/* The text of an attribute or its default; NULL when neither is there. */
const char *amphi_xml_text(const AmphiXml *xml, const char *attribute);
/* In internal units; `otherwise` when absent without default, or faulty. */
double  amphi_xml_quantity(const AmphiXml *xml, const char *attribute, double otherwise);
int64_t amphi_xml_whole(const AmphiXml *xml, const char *attribute, int64_t otherwise);
/* An interval: *steps, or else a quantity, the other 0. False when absent or faulty. */
bool amphi_xml_interval(const AmphiXml *xml, const char *attribute, double *value, int64_t *steps);
/* Place among the choices of the schema; 0 when faulty, -1 when absent without default. */
int32_t amphi_xml_choice(const AmphiXml *xml, const char *attribute);
/* Three numbers with one unit. False when absent or faulty. */
bool amphi_xml_vector(const AmphiXml *xml, const char *attribute, double v[3]);
/* The n words of a NAMES attribute. */
const char *const *amphi_xml_names(const AmphiXml *xml, const char *attribute, AmphiArena *arena,
                                   int32_t *n);
/* The fields of its potential, in order; those of the bead types stay as they are. */
void amphi_xml_fields(const AmphiXml *xml, double *field);

/* Notes something about an attribute of xml, with the source line and carets below it. The first
 * arguments of the message are the element, the attribute and its value. */
#define amphi_xml_note(notes, id, xml, attribute, ...)                                             \
    amphi_xml_note_strings((notes), AMPHI_MSG_##id, (xml), (attribute),                            \
                           (const char *const[]){ __VA_ARGS__, NULL })
void amphi_xml_note_strings(AmphiNotes *notes, AmphiMessageId id, const AmphiXml *xml,
                            const char *attribute, const char *const *more);

#endif
