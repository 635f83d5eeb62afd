/* UTF-8, as far as text of unknown origin needs it. */
#ifndef AMPHI_TOOLS_UTF8_H
#define AMPHI_TOOLS_UTF8_H

/* Bytes of the UTF-8 sequence that text begins with; 0 when it is ill-formed (RFC 3629: no
 * surrogates, no overlong forms, nothing above U+10FFFF). */
int tool_utf8_length(const unsigned char *text);

#endif
