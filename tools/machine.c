/* What the system says of its processors and itself. */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first "model name" of /proc/cpuinfo; empty where there is none. */
static void read_model(char *model, size_t size)
{
    FILE *const in = fopen("/proc/cpuinfo", "r");
    char        line[512];

    model[0] = '\0';
    while (in != NULL && model[0] == '\0' && fgets(line, sizeof line, in) != NULL) {
        const char *const colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) == 0 && colon != NULL)
            snprintf(model, size, "%.*s", (int)strcspn(colon + 1 + (colon[1] == ' '), "\n"),
                     colon + 1 + (colon[1] == ' '));
    }
    if (in != NULL)
        fclose(in);
}

const char *tool_machine(char *text, size_t size)
{
    const long     n = sysconf(_SC_NPROCESSORS_ONLN);
    char           model[256];
    struct utsname system = { .sysname = "" };

    read_model(model, sizeof model);
    uname(&system);
    snprintf(text, size, "%s%s%ld processor%s, %s %s %s", model, model[0] != '\0' ? ", " : "", n,
             n == 1 ? "" : "s", system.sysname, system.release, system.machine);
    return text;
}

double tool_peak_memory_MB(void)
{
    const double  kB_in_MB = 1e6 / 1024;
    struct rusage usage    = { .ru_maxrss = 0 };

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / kB_in_MB;
}
