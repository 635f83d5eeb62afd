/* A membrane that descends and then goes on under a pressure, for job_of_text: with the force
 * fields to include, what a start has, and the pressure in bar.
 */
#ifndef AMPHI_VALIDATION_MEMBRANE_JOB_H
#define AMPHI_VALIDATION_MEMBRANE_JOB_H

#define JOB_WITH(groups, restraints)                                                               \
    "<amphi version=\"1\"><forcefield>%s</forcefield><system>"                                     \
    "<start>%s<velocities temperature=\"303 K\" seed=\"1\"/></start>" groups "</system>"           \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"100\"/>"                             \
    "<run name=\"a\" ensemble=\"npt\" length=\"10 ps\"><thermostat temperature=\"303 K\"/>"        \
    "<barostat type=\"berendsen\" coupling=\"isotropic\" every=\"1\" pressure=\"%d "               \
    "bar\"/>" restraints "</run></plan></amphi>\n"
#define JOB  JOB_WITH("", "")
#define ELBA "<include href=\"forcefield:elba\"/>"
#define MEMBRANE                                                                                   \
    "<bilayer normal=\"z\" water-per-lipid=\"20\" seed=\"1\">"                                     \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"32\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"32\"/></leaflet></bilayer>"

enum { CALM_BAR = 1, SQUEEZE_BAR = 20000 };

/* 300 steps of 5 fs under the latter: a membrane becomes a third denser. */
enum { SQUEEZED_STEPS = 300 };

#endif
