/* Inputs that trigger each message of engine/messages.h, as tables for test_messages.c. */
#ifndef AMPHI_VALIDATION_UNIT_MESSAGE_CASES_H
#define AMPHI_VALIDATION_UNIT_MESSAGE_CASES_H

#include "../../engine/error.h"
#include "job_folder.h"

/* job_base with a piece replaced, and the note that comes of it. The fault is expected where an @
 * stands in one of the texts; the @ is taken out before reading. */
typedef struct {
    AmphiMessageId id;
    AmphiSeverity  severity;  /* an error unless said otherwise */
    const char    *text;      /* a piece of the note's text */
    const char    *hint;      /* a piece of its hint; "": it has none */
    const char    *from, *to; /* from NULL: `to` is the whole job */
    const char    *from2, *to2;
    const char    *name, *content; /* another file beside the job */
    const char    *file;           /* where the fault is when there is no @ */
    int64_t        line;           /* 0: the file as a whole */
    const char    *piece;          /* stands for each $, `times` times, with a number for its %d */
    int            times;
    void (*make)(const char *folder); /* makes more files */
    int n_others;                     /* errors that come with it, each for a reason of its own */
} MessageCase;

#define CASE(id_, text_, hint_, from_, to_)                                                        \
    .id = AMPHI_MSG_##id_, .text = text_, .hint = hint_, .from = from_, .to = to_
#define AND(from_, to_)       .from2 = from_, .to2 = to_
#define WITH(name_, content_) .name = name_, .content = content_

/* The tables end with an entry whose text is NULL. */
extern const MessageCase message_cases_xml[], message_cases_types[], message_cases_system[],
    message_cases_files[], message_cases_formats[], message_cases_limits[], message_cases_plan[];

#endif
