/* sample JOB.xml EVERY BACKEND PRECISION: the table of sampling.h on standard output, a row every
 * EVERY steps. AMPHI_DATA: root of the force fields. Ends with 0, 1 when the run failed, 2 for a
 * wrong command line, 3 for a wrong job, 4 when the table could not be written.
 */
#include <stdlib.h>
#include <string.h>

#include "../../engine/error.h"
#include "sampling.h"

static AmphiPrecision precision_called(const char *name)
{
    int p = 0;

    while (p < AMPHI_PRECISIONS && strcmp(name, amphi_precision_name((AmphiPrecision)p)) != 0)
        p++;
    return (AmphiPrecision)p;
}

static void print_table(const Table *t)
{
    for (int32_t c = 0; c < t->n_columns; c++)
        printf("%s%c", t->name[c], c + 1 < t->n_columns ? '\t' : '\n');
    for (int64_t k = 0; k < t->n_rows * t->n_columns; k++)
        printf("%.15g%c", t->cell[k], (k + 1) % t->n_columns == 0 ? '\n' : '\t');
}

static int sample(const char *path, int64_t every, const AmphiBackend *backend)
{
    const char *const      data    = getenv("AMPHI_DATA");
    const AmphiLoadOptions options = { .data_dir = data != NULL ? data : "." };
    AmphiNotes *const      notes   = amphi_notes_new();
    AmphiError             err     = { .status = AMPHI_OK };
    AmphiJob *const        job     = amphi_job_load(path, &options, notes, &err);
    Table                 *table   = NULL;

    if (job == NULL)
        amphi_notes_print(notes, stderr, false);
    else if ((table = sample_job(job, backend, every, &err)) != NULL)
        print_table(table);
    if (err.status != AMPHI_OK)
        fprintf(stderr, "%s: %s\n", path, err.text);
    const int status = job == NULL ? 3 : table == NULL ? 1 : 0;
    table_free(table);
    amphi_job_free(job);
    amphi_notes_free(notes);
    return status;
}

int main(int argc, char **argv)
{
    const AmphiPrecision      precision = argc == 5 ? precision_called(argv[4]) : AMPHI_PRECISIONS;
    const long                every     = argc == 5 ? strtol(argv[2], NULL, 10) : 0;
    const AmphiBackend *const backend =
        precision < AMPHI_PRECISIONS ? amphi_backend_there(argv[3], precision) : NULL;

    if (backend == NULL || every < 1) {
        fprintf(stderr, "usage: sample JOB.xml EVERY BACKEND PRECISION; a backend that is here\n");
        return 2;
    }
    const int status = sample(argv[1], every, backend);
    return fflush(stdout) != 0 || ferror(stdout) ? 4 : status;
}
