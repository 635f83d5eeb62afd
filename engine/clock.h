/* Wall time for intervals. */
#ifndef AMPHI_ENGINE_CLOCK_H
#define AMPHI_ENGINE_CLOCK_H

/* Seconds since some fixed time. Never goes backwards, whatever is done to the date. */
double amphi_clock_s(void);

#endif
