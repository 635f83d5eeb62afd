/* Errors of backends and their bounds. */
#include "backends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const Bound single_bounds[] = {
    { "systems/bilayer-128.xml", 2e-6, 1e-6 },
    { "systems/bilayer-128-dopc.xml", 2e-6, 1e-6 },
    { "systems/bilayer-128-mixture.xml", 2e-6, 1e-6 },
    { "systems/bilayer-b08o.xml", 2e-6, 1e-6 },
    { "systems/gay-berne.xml", 2e-6, 1e-6 },
    { "systems/mixture.xml", 2e-6, 1e-6 },
    { "systems/pair.xml", 2e-6, 1e-6 },
    { "systems/water-elba.xml", 2e-6, 1e-6 },
    { "systems/water-ssd.xml", 2e-6, 1e-6 },
    { "systems/water-ssd-e.xml", 2e-6, 1e-6 },
    { "systems/water-ssd-rf.xml", 2e-6, 1e-6 },
};
const int   n_single_bounds = (int)(sizeof single_bounds / sizeof single_bounds[0]);
const Bound peer_bound      = { "the peer's DMPC membrane", 2e-6, 1e-6 };

/* Forces and torques in double: pairs in another order, and partial sums. */
static const double double_bound = 1e-13;

/* Of the largest term. In single a squeezed membrane reaches 1.3e-6, others half of that. */
double energy_bound_of(AmphiPrecision precision)
{
    return precision == AMPHI_DOUBLE ? 1e-12 : 2e-6;
}

/* Of the largest component. Of a few molecules, whose parts cancel, a device reaches 2.3e-6 (31
 * SSD/RF water). */
static double virial_bound_of(AmphiPrecision precision)
{
    return precision == AMPHI_DOUBLE ? 1e-12 : 4e-6;
}

double largest(const double *a, int n)
{
    double most = 0;

    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(a[k]));
    return most;
}

static double vectors_error(const double (*a)[3], const double (*exact)[3], int32_t n)
{
    return largest(&exact[0][0], 3 * n) > 0 ? relative_rms(a, exact, n) : 0;
}

Errors errors_of(const AmphiFrame *frame, const Evaluation *exact)
{
    const double(*force)[3]  = (const double(*)[3])exact->force;
    const double(*torque)[3] = (const double(*)[3])exact->torque;
    const double energy      = largest(exact->energy, AMPHI_TERMS);
    const double virial      = largest(&exact->virial[0][0][0], 9 * AMPHI_TERMS);
    Errors       e           = { 0 };

    e.force  = vectors_error(frame->force_kJ_mol_nm, force, exact->n_beads);
    e.torque = vectors_error(frame->torque_kJ_mol, torque, exact->n_beads);
    for (int k = 0; k < AMPHI_TERMS && energy > 0; k++)
        e.energy = fmax(e.energy, fabs(frame->term_kJ_mol[k] - exact->energy[k]) / energy);
    for (int k = 0; k < 9 * AMPHI_TERMS && virial > 0; k++)
        e.virial = fmax(
            e.virial,
            fabs((&frame->term_virial_kJ_mol[0][0][0])[k] - (&exact->virial[0][0][0])[k]) / virial);
    return e;
}

void hold_errors(const char *what, AmphiPrecision precision, const Errors *e, const Bound *bound)
{
    const bool single = precision != AMPHI_DOUBLE; /* a pair in fp32 */

    print_message("  %s %s: force %.2e torque %.2e energy %.2e virial %.2e\n",
                  amphi_precision_name(precision), what, e->force, e->torque, e->energy, e->virial);
    HOLD("force", e->force, single ? bound->force : double_bound);
    HOLD("torque", e->torque, single ? bound->torque : double_bound);
    HOLD("energy", e->energy, energy_bound_of(precision));
    HOLD("virial", e->virial, virial_bound_of(precision));
}

void take_cpu_set(const char *set)
{
    unsetenv("AMPHI_CPU");
    if (set != NULL && strcmp(set, "v3") == 0)
        setenv("AMPHI_CPU", "v3", 1);
    if (set != NULL)
        assert_int_equal(amphi_cpu_has_v4(), strcmp(set, "v4") == 0);
}

bool names_cpu_set(const char *about)
{
    return strstr(about, amphi_cpu_has_v4() ? " v4, " : " v3, ") != NULL;
}

AmphiJob *peer_membrane(const char *data, char folder[PATH_SIZE])
{
    FILE *file;

    folder_make(folder);
    folder_unzip(data, "data.dmpc.gz", folder, "data.dmpc");
    file = folder_create(folder, "dmpc.xml");
    fputs(
        "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield><system>"
        "<molecule type=\"DMPC\" count=\"128\"/><molecule type=\"water\" count=\"5120\"/><start>"
        "<coordinates file=\"data.dmpc\" format=\"lammps-data\" dipoles=\"file\"/></start>"
        "</system></amphi>\n",
        file);
    folder_close(file);
    return job_of(folder, "dmpc.xml");
}

const AmphiBackend *device_or_skip(AmphiPrecision precision)
{
    const AmphiBackend *found = amphi_backend_find("cuda", precision);

    if (found == NULL || (found->is_there != NULL && !found->is_there())) {
        print_message("SKIPPED: %s\n", found == NULL ? "built without CUDA" : "no NVIDIA device");
        skip();
    }
    return found;
}

AmphiState *open_state(const AmphiBackend *backend, const AmphiSystem *system, double margin_nm)
{
    const AmphiCompute compute = { .margin_nm = margin_nm, .threads = 2 };
    AmphiState        *state   = NULL;
    AmphiError         err     = { AMPHI_OK, "" };

    if (backend->open(system, &compute, &state, &err) != AMPHI_OK)
        fail_msg("open: %s", err.text);
    return state;
}

AmphiJob *job_of_text(const char *format, ...)
{
    char      folder[PATH_SIZE];
    AmphiJob *job;
    FILE     *file;
    va_list   args;

    folder_make(folder);
    file = folder_create(folder, "job.xml");
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    folder_close(file);
    job = job_of(folder, "job.xml");
    folder_remove(folder);
    return job;
}

AmphiFrame forces_of(const AmphiBackend *backend, AmphiState *state)
{
    AmphiFrame frame;

    DO(backend->find_neighbours(state, &err));
    DO(backend->compute_forces(state, AMPHI_NEED_ENERGY, &err));
    DO(backend->read_frame(state, AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES, &frame, &err));
    return frame;
}
