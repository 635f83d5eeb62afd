/* A test that cannot run here says why; the tally shows it. Included behind cmocka.h. */
#ifndef AMPHI_VALIDATION_UNIT_SKIPPING_H
#define AMPHI_VALIDATION_UNIT_SKIPPING_H

#define SKIP(why)                                                                                  \
    do {                                                                                           \
        print_message("SKIPPED: %s\n", (why));                                                     \
        skip();                                                                                    \
    } while (0)

#endif
