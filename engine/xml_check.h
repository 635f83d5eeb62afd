/* The check of a tree against the table of schema.c. Shared by the xml*.c files; the range of a
 * value also by options of the command line. */
#ifndef AMPHI_ENGINE_XML_CHECK_H
#define AMPHI_ENGINE_XML_CHECK_H

#include "xml.h"

/* Notes every fault and fills in `element` and `potential` of every node. */
void amphi_xml_check(AmphiXml *root, AmphiArena *arena, AmphiNotes *notes);

/* The text of an attribute in the file, without defaults; NULL when it is absent. */
const char *amphi_xml_given(const AmphiXml *xml, const char *attribute);
/* Is a value (internal units) in this range, and of a magnitude that makes sense for its
 * dimension? */
bool amphi_xml_is_in_range(AmphiDimension dimension, AmphiRange range, double value);
/* Three numbers with a common unit: "1 2 3 nm". */
AmphiUnitFault amphi_xml_parse_vector(const char *text, AmphiDimension dimension, double v[3]);

/* The element after `at` in the order of the file, within root; NULL after the last. */
AmphiXml *amphi_xml_walk(const AmphiXml *root, AmphiXml *at);

#endif
