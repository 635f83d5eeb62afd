/* Describes the units of fixed precision: those in the table of scales, and momenta and
 * displacements, which are derived from it.
 */
#include "topics_fixed.h"

#include <string.h>

#include "../engine/fixed.h"
#include "command.h"
#include "print.h"

typedef struct {
    const char *name, *unit, *what;
    double      resolution;
    int         range_bits;
} Scale;

/* Momenta and spins are exact as doubles. */
enum { MOTION_RANGE = 53 };

#define SCALE_OF(NAME, name, bits, unit, range, what)                                              \
    { "fixed " #name, unit, what, FIXED_UNIT(NAME), range },
static const Scale scales[] = {
    FIXED_SCALE_LIST(SCALE_OF){ "fixed momentum", "u nm/ps", "momentum of a bead, a component",
                                FIXED_MOMENTUM_UNIT, MOTION_RANGE },
    { "fixed spin", "u nm^2/ps", "angular momentum of a bead, a component", FIXED_SPIN_UNIT,
      MOTION_RANGE },
    { "fixed displacement", "box edges", "of a bead in one time step, a component",
      FIXED_PLACE_UNIT, FIXED_DISPLACEMENT_RANGE },
    { "fixed time", "ps", "time steps are whole numbers of it", FIXED_TICK_PS, MOTION_RANGE },
};

const char *scale_name(int32_t k)
{
    return k < (int32_t)(sizeof scales / sizeof scales[0]) ? scales[k].name : NULL;
}

/* 2^range_bits units, from one more than a word holds. */
static double most_of(const Scale *s)
{
    return s->resolution * FIXED_POWER(s->range_bits - 1) * 2;
}

/* Pairs of a minimisation leave out their last bits. */
static bool is_coarse(const Scale *s)
{
    return strcmp(s->name, "fixed force") == 0 || strcmp(s->name, "fixed field") == 0;
}

void describe_scale(int32_t k, bool as_json, FILE *out)
{
    const Scale *s      = &scales[k];
    const double coarse = s->resolution * FIXED_POWER(FIXED_COARSE_BITS);

    if (as_json) {
        ToolJson json = tool_json_begin(out, "scale");

        tool_json_text(&json, "name", s->name);
        tool_json_text(&json, "unit", s->unit);
        tool_json_number(&json, "resolution", s->resolution);
        if (is_coarse(s))
            tool_json_number(&json, "resolution_of_pairs_in_minimise", coarse);
        tool_json_number(&json, "range", most_of(s));
        tool_json_text(&json, "what", s->what);
        tool_json_end(&json);
        return;
    }
    ToolLines lines = tool_lines_begin(out, 20, s->name);
    tool_lines_word(&lines, "in");
    tool_lines_word(&lines, "%.3g %s", s->resolution, s->unit);
    tool_lines_word(&lines, "up");
    tool_lines_word(&lines, "to");
    tool_lines_word(&lines, "%.3g:", most_of(s));
    tool_lines_text(&lines, s->what);
    if (is_coarse(s)) {
        tool_lines_text(&lines, "(of pairs in <minimise> in units of");
        tool_lines_word(&lines, "%.3g)", coarse);
    }
    tool_lines_end(&lines);
}
