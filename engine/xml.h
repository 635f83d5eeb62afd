/* XML files as small trees with line numbers, checked against the table of schema.h.
 *
 * amphi_xml_parse notes all faults that the table can find: unknown or missing elements and
 * attributes, wrong numbers, units, ranges and choices. The typed getters below return values and
 * add no notes; for a faulty attribute they return a harmless value, so that reading can go on.
 */
#ifndef AMPHI_ENGINE_XML_H
#define AMPHI_ENGINE_XML_H

#include "arena.h"
#include "error.h"
#include "schema.h"

typedef struct {
    const char *name, *value;
} AmphiXmlAttribute;

/* The bytes that a tree was read from; they must outlive it. */
typedef struct {
    const char *bytes;
    int64_t     n_bytes;
} AmphiXmlSource;

typedef struct AmphiXml AmphiXml;
struct AmphiXml {
    const char              *name, *text; /* text: only for elements that may have some */
    AmphiWhere               where;       /* the line where its tag begins */
    int64_t                  begin, end;  /* offsets of the tag in the source; begin -1: unknown */
    int64_t                  text_line;   /* the line where its text begins */
    int64_t                  word_line;   /* and where that has its first word; 0: it has none */
    AmphiXml                *parent, *child, *next; /* in the order of the file */
    int32_t                  place;                 /* index among its siblings, from 0 */
    int32_t                  n_attributes;
    const AmphiXmlAttribute *attribute;
    const AmphiXmlSource    *source;
    const AmphiElement      *element;   /* NULL: unknown, already noted */
    const AmphiPotential    *potential; /* of elements with fields; NULL: none or unknown */
};

/* Parses and checks a file whose root element is `root` ("amphi" or "forcefield"). NULL with a note
 * when that fails. path and bytes are borrowed by the tree. The encoding is UTF-8 whatever the file
 * declares; there are no entities, DTDs or XInclude, and no access to the network. */
AmphiXml *amphi_xml_parse(const char *path, const char *bytes, int64_t n_bytes, const char *root,
                          AmphiArena *arena, AmphiNotes *notes);

/* The version of libxml2: "2.9.14". */
const char *amphi_xml_version(void);

/* Children by name: for (c = amphi_xml_child(x, "bead"); c; c = amphi_xml_next(c, "bead")). */
const AmphiXml *amphi_xml_child(const AmphiXml *xml, const char *name);
const AmphiXml *amphi_xml_next(const AmphiXml *xml, const char *name);

bool amphi_xml_has(const AmphiXml *xml, const char *attribute);
/* The text of an attribute, or its default; NULL when there is neither. */
const char *amphi_xml_text(const AmphiXml *xml, const char *attribute);
/* In internal units; `otherwise` if the attribute is faulty, or absent and without default. */
double  amphi_xml_quantity(const AmphiXml *xml, const char *attribute, double otherwise);
int64_t amphi_xml_whole(const AmphiXml *xml, const char *attribute, int64_t otherwise);
/* An interval: sets *steps or *value, and the other one to 0. False when absent or faulty. */
bool amphi_xml_interval(const AmphiXml *xml, const char *attribute, double *value, int64_t *steps);
/* The index among the choices of the schema; 0 if faulty, -1 if absent and without default. */
int32_t amphi_xml_choice(const AmphiXml *xml, const char *attribute);
/* Is it one of them? Else nothing can be said of what goes with it. */
bool amphi_xml_is_choice(const AmphiXml *xml, const char *attribute);
/* Three numbers with one unit. False when absent or faulty. */
bool amphi_xml_vector(const AmphiXml *xml, const char *attribute, double v[3]);
/* The n words of a NAMES attribute. */
const char *const *amphi_xml_names(const AmphiXml *xml, const char *attribute, AmphiArena *arena,
                                   int32_t *n);
/* Fills in field[] of the potential that the element names, in the order of its field list. Fields
 * that belong to bead types are left as they are. */
void amphi_xml_fields(const AmphiXml *xml, double *field);

/* Adds a note about an attribute, with the source line and carets below it. Arguments {0} {1} {2}
 * of the message are the element, the attribute and its value; the ones given here follow. */
#define amphi_xml_note(notes, id, xml, attribute, ...)                                             \
    amphi_xml_note_strings((notes), AMPHI_MSG_##id, (xml), (attribute),                            \
                           (const char *const[]){ __VA_ARGS__, NULL })
void amphi_xml_note_strings(AmphiNotes *notes, AmphiMessageId id, const AmphiXml *xml,
                            const char *attribute, const char *const *more);

#endif
