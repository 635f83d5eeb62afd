/* Files of jobs for tests, and the job that most of them begin with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "job_folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char job_base[] =
    "<?xml version=\"1.0\"?>\n"
    "<amphi version=\"1\">\n"
    "<title>A test</title>\n"
    "<forcefield>\n"
    "<beadtype name=\"ion\" mass=\"40 u\" charge=\"1 e\"/>\n"
    "<beadtype name=\"cl\" mass=\"35 u\" charge=\"-1 e\"/>\n"
    "<beadtype name=\"dip\" mass=\"20 u\" dipole=\"2 D\" inertia=\"1 u*nm^2\"/>\n"
    "<pair types=\"ion ion\" potential=\"lennard-jones\" epsilon=\"1 kJ/mol\" sigma=\"0.3 nm\"/>\n"
    "<pair types=\"cl cl\" potential=\"lennard-jones\" epsilon=\"4 kJ/mol\" sigma=\"0.4 nm\"/>\n"
    "<pair types=\"dip dip\" potential=\"lennard-jones\" epsilon=\"2 kJ/mol\" sigma=\"0.2 nm\"/>\n"
    "<mixing potential=\"lennard-jones\" rule=\"lorentz-berthelot\"/>\n"
    "<moleculetype name=\"salt\">\n"
    "<bead id=\"1\" type=\"ion\" name=\"NA\"/>\n"
    "<bead id=\"2\" type=\"cl\" name=\"CL\"/>\n"
    "<bond beads=\"1 2\" potential=\"harmonic\" k=\"100 kJ/mol/nm^2\" length=\"0.4 nm\"/>\n"
    "</moleculetype>\n"
    "<moleculetype name=\"water\" kind=\"solvent\"><bead id=\"1\" type=\"dip\" name=\"W\"/>"
    "</moleculetype>\n"
    "</forcefield>\n"
    "<system>\n" JOB_BOX JOB_MOLECULES "<start>\n" JOB_BEADS "</start>\n"
    "<group name=\"ions\" select=\"bead ion cl\"/>\n"
    "</system>\n"
    "<interactions>\n"
    "<cutoff distance=\"1.2 nm\"/>\n"
    "<treatment of=\"lennard-jones\" type=\"force-shift\"/>\n"
    "<treatment of=\"charges dipoles\" type=\"shifted-factors\"/>\n"
    "<restrain group=\"ions\" k=\"10 kJ/mol/nm^2\"/>\n"
    "</interactions>\n"
    "</amphi>\n";

char *folder_make(void)
{
    char *const folder = strdup("/tmp/amphi-test-XXXXXX");

    assert_non_null(folder);
    assert_non_null(mkdtemp(folder));
    return folder;
}

const char *folder_path(const char *folder, const char *name)
{
    static char path[8][1024];
    static int  turn;

    turn = (turn + 1) % 8;
    assert_true(snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name) < 1024);
    return path[turn];
}

void folder_remove(char *folder)
{
    DIR *const dir = opendir(folder);

    assert_non_null(dir);
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            assert_int_equal(unlink(folder_path(folder, e->d_name)), 0);
    closedir(dir);
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

void folder_write(const char *folder, const char *name, const void *bytes, int64_t n_bytes)
{
    FILE *const out = fopen(folder_path(folder, name), "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, (size_t)n_bytes, out), n_bytes);
    assert_int_equal(fclose(out), 0);
}

void folder_write_text(const char *folder, const char *name, const char *text)
{
    folder_write(folder, name, text, (int64_t)strlen(text));
}

char *file_bytes(const char *path, int64_t *n_bytes)
{
    FILE *const in = fopen(path, "rb");

    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    *n_bytes = ftell(in);
    assert_true(*n_bytes >= 0);
    rewind(in);

    char *const bytes = calloc((size_t)*n_bytes + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)*n_bytes, in), *n_bytes);
    fclose(in);
    return bytes;
}

const char *data_folder(void)
{
    const char *const wanted = getenv("AMPHI_DATA");

    return wanted != NULL ? wanted : ".";
}

static AmphiLoadOptions usual_options(void)
{
    return (AmphiLoadOptions){ .data_dir = data_folder(), .max_memory = 512e6 };
}

JobReading read_job_file(const char *folder, const char *name)
{
    const AmphiLoadOptions options = usual_options();
    JobReading             reading = { .notes = amphi_notes_new() };

    assert_non_null(reading.notes);
    reading.job = amphi_job_load(folder_path(folder, name), &options, reading.notes, &reading.err);
    return reading;
}

JobReading read_job_text(const char *text)
{
    const AmphiLoadOptions options = usual_options();
    JobReading             reading = { .notes = amphi_notes_new() };

    assert_non_null(reading.notes);
    reading.job = amphi_job_parse("/nowhere/job.xml", text, (int64_t)strlen(text), &options,
                                  reading.notes, &reading.err);
    return reading;
}

void reading_free(JobReading *reading)
{
    amphi_job_free(reading->job);
    amphi_notes_free(reading->notes);
    *reading = (JobReading){ 0 };
}

char *replaced(const char *text, const char *from, const char *to)
{
    const char *const at = strstr(text, from);

    if (at == NULL || strstr(at + 1, from) != NULL)
        fail_msg("%s stands %s", from, at == NULL ? "nowhere" : "more than once");

    const size_t n   = (size_t)(at - text);
    char *const  out = calloc(strlen(text) + strlen(to) + 1, 1);
    assert_non_null(out);
    memcpy(out, text, n);
    strcpy(out + n, to);
    strcat(out, at + strlen(from));
    return out;
}

JobReading read_changed(const char *from, const char *to)
{
    char *const job = replaced(job_base, from, to);
    JobReading  r   = read_job_text(job);

    free(job);
    if (r.job == NULL)
        amphi_notes_print(r.notes, stdout, false);
    assert_non_null(r.job);
    return r;
}
