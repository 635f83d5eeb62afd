/* The check of one value of a tree, and lists of words for what is told of it. Shared by
 * xml_check.c and xml_values.c.
 */
#ifndef AMPHI_ENGINE_XML_VALUES_H
#define AMPHI_ENGINE_XML_VALUES_H

#include "xml.h"

enum { AMPHI_MOST_WORDS = 64 };

typedef struct {
    const char *word[AMPHI_MOST_WORDS];
    int32_t     n;
} AmphiWords;

/* NULL and what is too many are left out. */
void amphi_words_add(AmphiWords *words, const char *word);
/* One after another with blanks between. */
const char *amphi_words_join(const AmphiWords *words, AmphiArena *arena);
AmphiWords  amphi_words_split(const char *text, AmphiArena *arena);
/* `        (did you mean "npt"?)`, or nothing. */
const char *amphi_words_meant(const char *word, const AmphiWords *words, AmphiArena *arena);

/* What to write instead of a bare number, in the unit that people think in: "1 bar", "10 fs" of a
 * time step. */
const char *amphi_xml_in_usual_unit(const char *text, const char *attribute,
                                    AmphiDimension dimension, AmphiArena *arena);

/* Notes what is wrong with the value of an attribute. */
void amphi_xml_check_value(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
                           AmphiArena *arena, AmphiNotes *notes);
/* The same of a field of a potential, whose whole numbers are powers. */
void amphi_xml_check_field(const AmphiXml *xml, const char *name, const char *value,
                           const AmphiField *field, AmphiArena *arena, AmphiNotes *notes);

#endif
