/* Which bytes are UTF-8. */
#include "utf8.h"

#include <stddef.h>

int tool_utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char low, high, second_low, second_high;
        int           length;
    } forms[] = {
        { 0x00, 0x7F, 0, 0, 1 },       { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
        { 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 },
        { 0xF0, 0xF0, 0x90, 0xBF, 4 }, { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };

    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (text[0] < forms[k].low || text[0] > forms[k].high)
            continue;
        if (forms[k].length > 1 &&
            (text[1] < forms[k].second_low || text[1] > forms[k].second_high))
            return 0;
        for (int byte = 2; byte < forms[k].length; byte++)
            if ((text[byte] & 0xC0) != 0x80)
                return 0;
        return forms[k].length;
    }
    return 0;
}
