/* The bench for runs. */
#include "run_bench.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hundred_waters.h"

static const char job_text[] = WATERS_JOB
    "<plan timestep=\"5 fs\">\n"
    "<minimise name=\"relax\" steps=\"20\"/>\n"
    "<run name=\"warm\" ensemble=\"nvt\" length=\"0.25 ps\"><thermostat temperature=\"298 "
    "K\"/></run>\n"
    "<run name=\"press\" ensemble=\"npt\" length=\"0.25 ps\"><thermostat temperature=\"298 K\"\n"
    " type=\"langevin\"/><barostat coupling=\"isotropic\"/></run>\n"
    "<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\"/>\n"
    "</plan>\n"
    "<output><energies every=\"0.05 ps\"/><checkpoint every=\"25 steps\"/></output>\n"
    "<compute><watch every=\"10 steps\"/></compute>\n"
    "</amphi>\n";

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

void open_bench(Bench *b, const char *from, const char *to)
{
    open_changed(b, (const char *const[]){ from, to, NULL });
}

void open_changed(Bench *b, const char *const *change)
{
    char *text = strdup(job_text);

    for (; *change != NULL; change += 2) {
        char *const before = text;

        text = replaced(before, change[0], change[1]);
        free(before);
    }
    *b         = (Bench){ .folder = folder_make() };
    b->reading = read_job_text(text);
    b->job     = b->reading.job;
    free(text);
    if (b->job == NULL)
        amphi_notes_print(b->reading.notes, stderr, false);
    assert_non_null(b->job);
    for (int k = 0; k < 8; k++)
        snprintf(b->dir[k], sizeof b->dir[k], "%s/run%d", b->folder, k);
}

void close_bench(Bench *b)
{
    reading_free(&b->reading);
    assert_int_equal(nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(b->folder);
}

AmphiRunOptions options_of(const char *dir, const char *backend, AmphiPrecision precision)
{
    AmphiRunOptions o = amphi_run_options_default();

    o.dir             = dir;
    o.backend         = backend;
    o.precision       = (int32_t)precision;
    o.compute.threads = 1;
    o.heading         = "amphi of a test";
    return o;
}

AmphiStatus run_once(Bench *b, const AmphiRunOptions *o, AmphiRunInfo *info)
{
    AmphiRun   *run    = NULL;
    AmphiStatus status = AMPHI_OK;

    b->err = (AmphiError){ .status = AMPHI_OK };
    status = amphi_run_open(b->job, o, &run, &b->err);
    if (status == AMPHI_OK)
        status = amphi_run(run, &b->err);
    if (run != NULL && info != NULL) {
        amphi_run_info(run, info);
        info->stage = info->backend = info->remark = NULL; /* the run's */
    }
    amphi_run_close(run);
    return status;
}

AmphiStatus run_to(Bench *b, AmphiRunOptions o, int64_t n_steps)
{
    o.n_steps = n_steps;
    return run_once(b, &o, NULL);
}

AmphiStatus run_on(Bench *b, const AmphiRunOptions *o, void (*change)(AmphiBackend *machine),
                   const AmphiBackend **honest)
{
    AmphiRun    *run = NULL;
    AmphiBackend machine;
    AmphiStatus  status;

    b->err = (AmphiError){ .status = AMPHI_OK };
    assert_int_equal(amphi_run_open(b->job, o, &run, &b->err), AMPHI_OK);
    *honest = run->backend;
    machine = *run->backend;
    change(&machine);
    run->backend = &machine;
    status       = amphi_run(run, &b->err);
    run->backend = *honest;
    amphi_run_close(run);
    return status;
}

void skip_without_device(AmphiPrecision precision)
{
    if (amphi_backend_there("cuda", precision) == NULL) {
        print_message("SKIPPED: no NVIDIA device\n");
        skip();
    }
}

bool is_same_file(const char *one, const char *other, const char *name)
{
    char    path[2][128];
    int64_t n[2];
    char   *bytes[2];
    bool    is_same;

    snprintf(path[0], sizeof path[0], "%s/%s", one, name);
    snprintf(path[1], sizeof path[1], "%s/%s", other, name);
    for (int k = 0; k < 2; k++)
        bytes[k] = file_bytes(path[k], &n[k]);
    is_same = n[0] == n[1] && memcmp(bytes[0], bytes[1], (size_t)n[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    return is_same;
}

void check_same_file(const char *one, const char *other, const char *name)
{
    if (!is_same_file(one, other, name))
        fail_msg("%s differs between %s and %s", name, one, other);
}

void check_same_run(const char *one, const char *other)
{
    check_same_file(one, other, "run.chk");
    check_same_file(one, other, "energy.tsv");
}

bool is_there(const char *dir, const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return access(path, F_OK) == 0;
}

void damage(const char *dir, const char *name)
{
    char        path[128];
    struct stat about;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(stat(path, &about), 0);
    FILE *const file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, about.st_size / 2, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, about.st_size / 2, SEEK_SET), 0);
    assert_int_not_equal(fputc(byte ^ 1, file), EOF);
    assert_int_equal(fclose(file), 0);
}
