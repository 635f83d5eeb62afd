/* Positions in the text of an XML file: its start tags in order, with offsets and lines.
 *
 * libxml2 reports only the line where a tag ends, and no columns; this scan of the bytes finds the
 * rest. In well-formed UTF-8 without a DOCTYPE it finds exactly the elements of libxml2.
 */
#ifndef AMPHI_ENGINE_XML_SOURCE_H
#define AMPHI_ENGINE_XML_SOURCE_H

#include "xml.h"

/* A scan. Initialise it with { bytes, n_bytes, 0, 1 }. */
typedef struct {
    const char *bytes;
    int64_t     n_bytes, at, line;
} AmphiTags;

typedef struct {
    int64_t begin, end;     /* offsets of its <, and of the byte after its > */
    int64_t line, end_line; /* from 1 */
    int32_t n_attributes;
} AmphiTag;

/* The next start tag; false when there is none, or it has no end. */
bool amphi_tags_next(AmphiTags *tags, AmphiTag *tag);

/* Is this the tag of an element of that name, including any prefix? */
bool amphi_tag_is(const AmphiXmlSource *source, const AmphiTag *tag, const char *name);

/* Finds an attribute in the tag of an element: the offset of its name, the bytes up to its closing
 * quote, its line. False when it is absent. */
bool amphi_source_attribute(const AmphiXml *xml, const char *name, int64_t *at, int32_t *width,
                            int64_t *line);

/* Can these bytes be given to libxml2: are they text, without constructs that take it very long?
 * False with a note. */
bool amphi_source_check(const char *path, const char *bytes, int64_t n_bytes, AmphiNotes *notes);

#endif
