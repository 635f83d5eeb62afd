/* Validation of UTF-8. */
#ifndef AMPHI_TOOLS_UTF8_H
#define AMPHI_TOOLS_UTF8_H

/* Length in bytes of the UTF-8 sequence at the beginning of text; 0: it is ill-formed (RFC 3629: no
 * surrogates, no overlong forms, nothing above U+10FFFF). */
int tool_utf8_length(const unsigned char *text);

#endif
