/* A run of a small membrane that is analysed, for test_cmd_analyse*.c: its trajectory has a frame
 * wherever its observers look, but for the energies.
 */
#ifndef AMPHI_VALIDATION_UNIT_ANALYSE_RUN_H
#define AMPHI_VALIDATION_UNIT_ANALYSE_RUN_H

#include "run_amphi.h"

#define OUTPUTS(trajectory)                                                                        \
    "<energies every=\"0.5 ps\"/>\n"                                                               \
    "<trajectory every=\"" trajectory "\"/>\n"                                                     \
    "<profile every=\"0.1 ps\" centre=\"lipids\" of=\"mass number\"/>\n"                           \
    "<area every=\"0.1 ps\"/>\n"                                                                   \
    "<thickness every=\"0.1 ps\" from=\"measure\"/>\n"                                             \
    "<order every=\"0.1 ps\" from=\"measure\"/>\n"                                                 \
    "<rdf every=\"0.1 ps\" beads=\"water water\" extent=\"1 nm\"/>\n"                              \
    "<diffusion every=\"0.1 ps\" from=\"measure\"/>\n"

/* The minimisation ends before its last step, so that steps are not those of the plan. */
#define MEMBRANE(include, outputs)                                                                 \
    "<amphi version=\"1\">\n"                                                                      \
    "<forcefield><include href=\"" include "\"/></forcefield>\n"                                   \
    "<system><start>\n"                                                                            \
    "<bilayer water-per-lipid=\"20\" seed=\"1\">"                                                  \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"12\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"12\"/></leaflet>"                        \
    "</bilayer>\n"                                                                                 \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start>\n"                                     \
    "<group name=\"lipids\" select=\"kind lipid\"/></system>\n"                                    \
    "<plan timestep=\"10 fs\">\n"                                                                  \
    "<minimise name=\"relax\" steps=\"200\" stop-force=\"3000 kJ/mol/nm\"/>\n"                     \
    "<run name=\"warm\" ensemble=\"nvt\" length=\"0.35 ps\" timestep=\"5 fs\">"                    \
    "<thermostat temperature=\"303 K\"/></run>\n"                                                  \
    "<run name=\"measure\" ensemble=\"npt\" length=\"2 ps\">"                                      \
    "<thermostat temperature=\"303 K\"/>"                                                          \
    "<barostat coupling=\"semi-isotropic\" pressure=\"1 bar\" time=\"0.5 ps\"/></run></plan>\n"    \
    "<output>" outputs "</output>\n<compute threads=\"1\"/>\n</amphi>\n"
#define ELBA "forcefield:elba"

enum { WARM_FRAMES = 4, MEASURE_FRAMES = 21, FRAMES = WARM_FRAMES + MEASURE_FRAMES };
enum { LIPIDS = 24, WATERS = 20 * LIPIDS, BEADS = 13 * LIPIDS + WATERS };

/* The run, in m.run. */
static inline int make_run(void **state)
{
    if (make_run_folder(state) != 0)
        return 1;
    write_text("m.xml", MEMBRANE(ELBA, OUTPUTS("0.1 ps")));
    return amphi_form("run %s -o %s -q --no-report", in_folder("m.xml"), in_folder("m.run"))->code;
}

/* m.run/NAME */
static inline const char *run_of(const char *name)
{
    static char path[4][AMPHI_PATH_SIZE];
    static int  which = 0;

    which = (which + 1) % 4;
    snprintf(path[which], AMPHI_PATH_SIZE, "m.run/%s", name);
    return in_folder(path[which]);
}

static inline const Run *analyse(const char *words)
{
    return amphi_form("analyse %s %s", in_folder("m.run"), words);
}

/* Everything behind the first line, which says what was read. */
static inline const char *body_of(const char *path, char *bytes)
{
    read_into(path, bytes);
    assert_non_null(strchr(bytes, '\n'));
    return strchr(bytes, '\n');
}

static inline bool is_same_text(const char *one, const char *other)
{
    static char a[RUN_MOST_BYTES], b[RUN_MOST_BYTES];

    return strcmp(body_of(one, a), body_of(other, b)) == 0;
}

#endif
