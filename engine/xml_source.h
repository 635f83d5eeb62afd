/* Where things stand in the text of an XML file: start tags in their order, with places and lines.
 *
 * libxml2 tells one line an element, that of its tag's end, and no columns; this walk over the bytes
 * tells the rest. On well-formed UTF-8 without a DOCTYPE it sees exactly libxml2's elements.
 */
#ifndef AMPHI_ENGINE_XML_SOURCE_H
#define AMPHI_ENGINE_XML_SOURCE_H

#include "xml.h"

/* What is not yet read. Begin with { bytes, n_bytes, 0, 1 }. */
typedef struct {
    const char *bytes;
    int64_t     n_bytes, at, line;
} AmphiTags;

typedef struct {
    int64_t begin, end;     /* offsets of its < and behind its > */
    int64_t line, end_line; /* from 1 */
    int32_t n_attributes;
} AmphiTag;

/* The next start tag; false when there is none or it does not end. */
bool amphi_tags_next(AmphiTags *tags, AmphiTag *tag);

/* Is this the tag of an element of that name, prefix and all? */
bool amphi_tag_is(const AmphiXmlSource *source, const AmphiTag *tag, const char *name);

/* An attribute in the tag of xml: offset of its name, bytes up to the closing quote, and line.
 * False when it is not there. */
bool amphi_source_attribute(const AmphiXml *xml, const char *name, int64_t *at, int32_t *width,
                            int64_t *line);

/* May these bytes be handed to libxml2? Text, and of a size that it reads in good time; else noted.
 */
bool amphi_source_check(const char *path, const char *bytes, int64_t n_bytes, AmphiNotes *notes);

#endif
