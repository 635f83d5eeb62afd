/* Writes JSON lines: one flat object a line, keys in the order of the calls.
 *
 * Bytes that are not UTF-8 are replaced by U+FFFD, so that lines are valid whatever a file name
 * contains. Errors of the stream are left to its owner.
 */
#ifndef AMPHI_TOOLS_JSON_H
#define AMPHI_TOOLS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *out;
    bool  has_member;
} ToolJson;

/* Opens a line; its first member is "kind". */
ToolJson tool_json_begin(FILE *out, const char *kind);
void     tool_json_text(ToolJson *json, const char *key, const char *text); /* NULL: null */
void     tool_json_whole(ToolJson *json, const char *key, int64_t value);
void     tool_json_flag(ToolJson *json, const char *key, bool value);
/* 17 digits; null if it is not finite, which JSON cannot express. */
void tool_json_number(ToolJson *json, const char *key, double value);
void tool_json_numbers(ToolJson *json, const char *key, const double *value, int32_t n);
void tool_json_texts(ToolJson *json, const char *key, const char *const *text, int32_t n);
void tool_json_end(ToolJson *json);

#endif
