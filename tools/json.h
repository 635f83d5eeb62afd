/* Writes JSON lines: one flat object a line, keys in the order of the calls.
 *
 * Text is UTF-8; a byte that is not becomes U+FFFD, so a line is valid whatever a file name holds.
 * Errors of the stream are left to whoever owns it.
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
/* 17 digits; null when it is not finite, for JSON has no word for it. */
void tool_json_number(ToolJson *json, const char *key, double value);
void tool_json_numbers(ToolJson *json, const char *key, const double *value, int32_t n);
void tool_json_texts(ToolJson *json, const char *key, const char *const *text, int32_t n);
void tool_json_end(ToolJson *json);

#endif
