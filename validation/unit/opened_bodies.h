/* The bodies of a made-up case, opened, for tests of what bodies.h promises. */
#ifndef AMPHI_VALIDATION_UNIT_OPENED_BODIES_H
#define AMPHI_VALIDATION_UNIT_OPENED_BODIES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../property/body_cases.h"

static Case the_case;

static inline AmphiBodies *opened(int32_t n, int kind)
{
    AmphiBodies *b = NULL;

    make_case(&the_case, n, kind, 3, 298);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    return b;
}

static inline void begin(AmphiBodies *b, const AmphiStage *stage)
{
    assert_int_equal(amphi_bodies_begin_stage(b, stage, NULL), AMPHI_OK);
}

#endif
