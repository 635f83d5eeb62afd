/* The check of a tree against the table of schema.c. Shared by xml.c, xml_check.c and xml_get.c. */
#ifndef AMPHI_ENGINE_XML_CHECK_H
#define AMPHI_ENGINE_XML_CHECK_H

#include "xml.h"

/* Notes every fault and fills in `element` and `potential` of every node. */
void amphi_xml_check(AmphiXml *root, AmphiArena *arena, AmphiNotes *notes);

/* The text of an attribute as given; NULL when it is not. */
const char *amphi_xml_given(const AmphiXml *xml, const char *attribute);
/* May a value of this dimension (internal units) stand here? Sizes are bounded too. */
bool amphi_xml_is_in_range(AmphiDimension dimension, AmphiRange range, double value);
/* "1 2 3 nm": three numbers and the unit of all. */
AmphiUnitFault amphi_xml_parse_vector(const char *text, AmphiDimension dimension, double v[3]);

/* The node after `at` in the order of the file, below root; NULL behind the last. */
AmphiXml *amphi_xml_walk(const AmphiXml *root, AmphiXml *at);

#endif
