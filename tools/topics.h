/* The topics of `amphi describe`: elements, potentials, treatments, units, files, formats, exit
 * codes, signals, the environment, scales of fixed precision and messages. Each is printed from
 * the table that the program itself uses.
 */
#ifndef AMPHI_TOOLS_TOPICS_H
#define AMPHI_TOOLS_TOPICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum {
    TOPIC_ELEMENTS,
    TOPIC_POTENTIALS,
    TOPIC_TREATMENTS,
    TOPIC_UNITS,
    TOPIC_FILES,
    TOPIC_FORMATS,
    TOPIC_EXIT_CODES,
    TOPIC_SIGNALS,
    TOPIC_ENVIRONMENT,
    TOPIC_PRECISION,
    TOPIC_MESSAGES,
    TOPICS
} Topic;

/* The name of a topic: "elements", "exit-codes". */
const char *topic_name(Topic topic);
/* The name of the k-th entry; NULL after the last. */
const char *topic_entry(Topic topic, int32_t k);
/* Has the entry this attribute or field, or is the word a value of one, or one of its units? */
bool topic_holds(Topic topic, int32_t k, const char *word);
/* Prints an entry as text or as JSON lines. */
void topic_describe(Topic topic, int32_t k, bool as_json, FILE *out);

#endif
