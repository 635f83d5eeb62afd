/* The table of all XML elements and attributes: where they are allowed, with which dimension, range
 * and default, and what they mean.
 *
 * The reader checks every file against this table, `amphi describe` prints it, and the XSD files
 * are generated from it. The fields of potentials come from forcefield/spec.h.
 */
#ifndef AMPHI_ENGINE_SCHEMA_H
#define AMPHI_ENGINE_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../forcefield/spec.h"
#include "units.h"

typedef enum {
    AMPHI_ATTR_TEXT,     /* free text */
    AMPHI_ATTR_NAME,     /* a reference or definition: no blanks */
    AMPHI_ATTR_NAMES,    /* one or more names, separated by blanks */
    AMPHI_ATTR_CHOICE,   /* one of `choices` */
    AMPHI_ATTR_CHOICES,  /* one or more of `choices`, separated by blanks */
    AMPHI_ATTR_QUANTITY, /* a number with a unit of `dimension` (AMPHI_NUMBER, _WHOLE: without) */
    AMPHI_ATTR_VECTOR,   /* three numbers and one unit */
    AMPHI_ATTR_INTERVAL  /* "100 steps", or a quantity; above zero */
} AmphiAttributeKind;

typedef enum { AMPHI_REQUIRED, AMPHI_OPTIONAL, AMPHI_DEFAULT } AmphiUse;

typedef struct {
    const char        *name;
    AmphiAttributeKind kind;
    AmphiDimension     dimension;
    AmphiRange         range;
    AmphiUse           use;
    const char        *standard; /* the default, when use is AMPHI_DEFAULT */
    const char        *choices;  /* "a b c" */
    const char        *meaning;
} AmphiAttribute;

typedef struct {
    const char           *name;
    const char           *parents; /* "system start": where it may stand; "" for a root */
    const char           *meaning;
    int32_t               min, max; /* how often in one parent; max -1: any number */
    bool                  has_text;
    bool                  has_fields; /* takes the fields of the potential it names */
    const AmphiAttribute *attribute;  /* ends with name NULL */
} AmphiElement;

/* The root elements are "amphi" for jobs, "forcefield" for force fields, and "output" for what is
 * to be measured in a trajectory. */
const AmphiElement   *amphi_schema_at(int32_t k); /* from 0; NULL after the last */
const AmphiElement   *amphi_schema_find(const char *name, const char *parent);
const AmphiAttribute *amphi_schema_attribute(const AmphiElement *element, const char *name);

/* Is `word` one of `words`, which are separated by blanks? */
bool amphi_schema_is_word(const char *words, const char *word);

/* Writes the XSD 1.0 schema of files with this root; that of "amphi" takes files with every root.
 * Returns the bytes written, 0 on failure. */
int64_t amphi_schema_write_xsd(const char *root, FILE *out);

#endif
