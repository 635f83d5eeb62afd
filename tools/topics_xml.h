/* Describes XML elements and potentials, from their tables. */
#ifndef AMPHI_TOOLS_TOPICS_XML_H
#define AMPHI_TOOLS_TOPICS_XML_H

#include "../engine/schema.h"

void describe_element(const AmphiElement *element, bool as_json, FILE *out);
void describe_potential(const AmphiPotential *potential, bool as_json, FILE *out);
bool potential_has_field(const AmphiPotential *potential, const char *attribute);

/* An example of the element with all required attributes and, if it has fields, those of the first
 * potential. Written to text[size], which is returned. */
const char *element_example(const AmphiElement *element, char *text, size_t size);

#endif
