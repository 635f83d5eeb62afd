/* What the reader makes of <plan>, <output> and <compute>: numbers in internal units, defaults, and
 * the texts by which a started run knows its physics. Faults are in message_cases_plan.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/units.h"
#include "job_folder.h"
#include "skipping.h"

static const char plan[] =
    "<plan timestep=\"10 fs\">\n"
    "<minimise name=\"relax\" steps=\"70\" stop-force=\"20 kJ/mol/nm\"/>\n"
    "<run name=\"warm\" ensemble=\"nvt\" length=\"1 ns\" timestep=\"5 fs\" seed=\"7\">\n"
    "<thermostat type=\"langevin\" temperature=\"303 K\" time=\"0.5 ps\" groups=\"all\"/>\n"
    "<restrain group=\"ions\" axes=\"xz\" k=\"100 kJ/mol/nm^2\"/>\n"
    "</run>\n"
    "<run name=\"settle\" ensemble=\"npt\" length=\"2 ns\">\n"
    "<thermostat temperature=\"303 K\" remove-drift=\"yes\"/>\n"
    "<barostat type=\"berendsen\" pressure=\"2 bar\" tension=\"10 mN/m\"\n"
    " compressibility=\"4.5e-5 1/bar\"/>\n"
    "</run>\n"
    "<run name=\"measure\" ensemble=\"nve\" length=\"4 ns\"/>\n"
    "</plan>\n"
    "<output>\n"
    "<energies every=\"100 steps\"/>\n"
    "<trajectory every=\"100 ps\" group=\"ions\" molecules=\"wrapped\"/>\n"
    "<profile from=\"measure\" centre=\"ions\" of=\"mass charge\" axis=\"y\"/>\n"
    "<rdf from=\"settle\" beads=\"dip cl\" extent=\"1 nm\"/>\n"
    "<checkpoint every=\"2 min\"/>\n"
    "</output>\n"
    "<compute backend=\"cpu\" precision=\"double\" device=\"2\" threads=\"3\">\n"
    "<watch every=\"50 steps\" verify-every=\"1e6 steps\" max-drift=\"1e-4 kT/ns/dof\" "
    "on-fault=\"stop\"/>\n"
    "</compute>\n"
    "</amphi>\n";

static JobReading read_with(const char *from, const char *to)
{
    char *const whole   = replaced(job_base, "</amphi>\n", plan);
    char *const changed = from != NULL ? replaced(whole, from, to) : strdup(whole);
    JobReading  r       = read_job_text(changed);

    free(whole);
    free(changed);
    if (r.job == NULL)
        amphi_notes_print(r.notes, stderr, false);
    assert_non_null(r.job);
    return r;
}

/* Conversions round once: the last bits of the number next to it. */
static void check_near(double value, double wanted)
{
    assert_true(value >= wanted * (1 - 1e-14) && value <= wanted * (1 + 1e-14));
}

static void stages_are_read_in_order_with_their_numbers(void **state)
{
    (void)state;
    JobReading        r = read_with(NULL, NULL);
    const AmphiStage *s = r.job->stage;

    assert_int_equal(r.job->n_stages, 4);
    assert_int_equal(s[0].ensemble, AMPHI_MINIMISE);
    assert_int_equal(s[0].n_steps, 70);
    check_near(s[0].stop_force_kJ_mol_nm, 20);
    assert_string_equal(s[1].name, "warm");
    assert_int_equal(s[1].ensemble, AMPHI_NVT);
    assert_int_equal(s[1].n_steps, 200000);
    check_near(s[1].dt_ps, 0.005);
    assert_int_equal(s[1].seed, 7);
    assert_int_equal(s[2].n_steps, 200000);
    assert_int_equal(s[3].ensemble, AMPHI_NVE);
    assert_true(s[3].conserved_mean);
    assert_false(s[2].conserved_mean);
    reading_free(&r);
}

static void thermostats_barostats_and_restraints_are_read(void **state)
{
    (void)state;
    JobReading           r = read_with(NULL, NULL);
    const AmphiStage    *s = r.job->stage;
    const AmphiBarostat *p = &s[2].barostat;

    assert_int_equal(s[1].thermostat.type, AMPHI_LANGEVIN);
    check_near(s[1].thermostat.time_ps, 0.5);
    assert_int_equal(s[1].n_restraints, 1);
    assert_true(s[1].restraint[0].axis[0] && !s[1].restraint[0].axis[1] &&
                s[1].restraint[0].axis[2]);
    assert_string_equal(r.job->system.group[s[1].restraint[0].group].name, "ions");
    assert_int_equal(s[2].thermostat.type, AMPHI_VELOCITY_RESCALE);
    assert_int_equal(s[2].thermostat.n_groups, 1);
    assert_int_equal(s[2].thermostat.every, 10);
    assert_true(s[2].remove_drift);
    assert_int_equal(p->type, AMPHI_BERENDSEN_P);
    assert_int_equal(p->coupling, AMPHI_SEMI_ISOTROPIC);
    check_near(p->pressure_kJ_mol_nm3, 2 * AMPHI_BAR);
    check_near(p->compressibility_nm3_mol_kJ, 4.5e-5 / AMPHI_BAR);
    check_near(p->tension_kJ_mol_nm2, 10 * 0.602214076);
    assert_int_equal(s[3].barostat.type, AMPHI_NO_BAROSTAT);
    assert_int_equal(s[3].thermostat.type, AMPHI_NO_THERMOSTAT);
    reading_free(&r);
}

static void outputs_know_their_stage_and_their_steps_in_each(void **state)
{
    (void)state;
    JobReading               r = read_with(NULL, NULL);
    const AmphiObserverPlan *o = r.job->observer;

    assert_int_equal(r.job->n_observers, 4);
    assert_string_equal(o[0].kind, "energies");
    assert_int_equal(o[0].from_stage, 1); /* the first that moves */
    assert_int_equal(amphi_observer_every(&o[0], &r.job->stage[1]), 100);
    assert_int_equal(amphi_observer_every(&o[0], &r.job->stage[3]), 100);
    assert_int_equal(amphi_observer_every(&o[1], &r.job->stage[1]), 20000);
    assert_int_equal(amphi_observer_every(&o[1], &r.job->stage[2]), 10000);
    assert_false(o[1].is_whole);
    assert_int_equal(o[2].from_stage, 3);
    assert_int_equal(o[2].axis, 1);
    assert_int_equal(o[2].n_names, 2);
    assert_string_equal(o[2].name[1], "charge");
    check_near(o[2].width_nm, 0.05);
    assert_int_equal(o[3].from_stage, 2);
    check_near(o[3].extent_nm, 1);
    reading_free(&r);
}

static void how_it_is_computed_is_read_or_has_defaults(void **state)
{
    (void)state;
    JobReading r = read_with(NULL, NULL);

    assert_string_equal(r.job->compute.backend, "cpu");
    assert_int_equal(r.job->compute.precision, AMPHI_DOUBLE);
    assert_int_equal(r.job->compute.choice.device, 2);
    assert_int_equal(r.job->compute.choice.threads, 3);
    assert_int_equal(r.job->compute.watch_every, 50);
    assert_int_equal(r.job->compute.verify_every, 1000000);
    check_near(r.job->compute.max_drift_kT_ns_dof, 1e-4);
    assert_true(r.job->compute.stops_on_drift);
    check_near(r.job->compute.checkpoint_every_s, 120);
    reading_free(&r);

    r = read_job_text(job_base);
    assert_int_equal(r.job->n_stages, 0);
    assert_null(r.job->compute.backend);
    assert_int_equal(r.job->compute.precision, AMPHI_SINGLE);
    assert_int_equal(r.job->compute.choice.device, 0);
    assert_int_equal(r.job->compute.watch_every, 100);
    assert_int_equal(r.job->compute.verify_every, 0);
    check_near(r.job->compute.max_drift_kT_ns_dof, 1e-3);
    check_near(r.job->compute.checkpoint_every_s, 300);
    reading_free(&r);
}

static void the_mean_of_the_conserved_energy_can_be_asked_for(void **state)
{
    (void)state;
    JobReading r = read_with("<energies every=\"100 steps\"/>", "<energies conserved=\"mean\"/>");

    assert_true(r.job->stage[1].conserved_mean && r.job->stage[3].conserved_mean);
    assert_false(r.job->stage[0].conserved_mean);
    reading_free(&r);
    r = read_with("<energies every=\"100 steps\"/>", "<energies conserved=\"sample\"/>");
    assert_false(r.job->stage[3].conserved_mean);
    reading_free(&r);
}

/* The hash of the physics with a piece of the job changed. */
static uint64_t hash_with(const char *from, const char *to)
{
    JobReading     r    = read_with(from, to);
    const uint64_t hash = r.job->physics_hash;

    reading_free(&r);
    return hash;
}

static void what_decides_the_forces_is_physics_and_nothing_else(void **state)
{
    (void)state;
    const uint64_t plain = hash_with(NULL, NULL);

    assert_true(plain == hash_with(NULL, NULL));
    assert_true(plain == hash_with("timestep=\"10 fs\"", "timestep=\"0.01 ps\""));
    assert_true(plain == hash_with("length=\"4 ns\"", "length=\"8 ns\""));
    assert_true(plain == hash_with("every=\"100 ps\"", "every=\"50 ps\""));
    assert_true(plain == hash_with("precision=\"double\"", "precision=\"single\""));
    assert_true(plain == hash_with("device=\"2\"", "device=\"1\""));
    assert_true(plain == hash_with("A test", "Another"));
    assert_true(plain == hash_with("pressure=\"2 bar\"", "pressure=\"2 bar\" time=\"2 ps\""));
    assert_true(plain == hash_with("<forcefield>", "<forcefield><title>Salt</title>"));
    assert_true(plain == hash_with("<forcefield>", "<forcefield><!-- of salt -->"));
    assert_true(plain == hash_with("<beads length", "<!-- an ion -->\n<beads length"));
    assert_true(plain == hash_with("cl  1  1.4 1 1", "\n<!-- its\npartner -->\tcl 1 14e-1 1.0 1"));
    assert_true(plain !=
                hash_with("cl  1  1.4 1 1", "\n<!-- its\npartner -->\tcl 1 14.1e-1 1.0 1"));
    assert_true(plain ==
                hash_with("</system>", "<group name=\"seen\" select=\"bead dip\"/></system>"));
    assert_true(plain != hash_with("select=\"bead ion cl\"", "select=\"bead ion\""));
    assert_true(plain != hash_with("time=\"0.5 ps\"", "time=\"0.6 ps\""));
    assert_true(plain != hash_with("timestep=\"10 fs\"", "timestep=\"9 fs\""));
    assert_true(plain != hash_with("seed=\"7\"", "seed=\"8\""));
    assert_true(plain != hash_with("mass=\"40 u\"", "mass=\"41 u\""));
    assert_true(plain != hash_with("epsilon=\"4 kJ/mol\"", "epsilon=\"3 kJ/mol\""));
    assert_true(plain != hash_with("ion 1  1.0 1 1", "ion 1  1.0 1.1 1"));
    assert_true(plain != hash_with("distance=\"1.2 nm\"", "distance=\"1.1 nm\""));
    assert_true(plain != hash_with("name=\"relax\"", "name=\"down\""));
}

/* Of a calling program; where a locale with a decimal comma is installed. */
static void the_hash_is_the_same_in_every_locale(void **state)
{
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8" };
    const uint64_t           plain   = hash_with(NULL, NULL);
    const char              *found   = NULL;
    uint64_t                 hash;

    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names && found == NULL; k++)
        found = setlocale(LC_ALL, names[k]);
    if (found == NULL)
        SKIP("no locale with a decimal comma (Debian: locales-all)");
    hash = hash_with(NULL, NULL);
    setlocale(LC_ALL, "C");
    assert_true(hash == plain);
}

/* How often a plan of these stages is told that. */
static int n_noted(const char *system, const char *stages, AmphiMessageId id)
{
    char    text[4096];
    int64_t n     = 0;
    int     found = 0;

    snprintf(text, sizeof text, "<plan timestep=\"5 fs\">%s</plan><output/></amphi>\n", stages);
    char *const      whole = replaced(system, "</amphi>\n", text);
    JobReading       r     = read_job_text(whole);
    const AmphiNote *note  = amphi_notes_sorted(r.notes, &n);

    assert_non_null(r.job);
    for (int64_t k = 0; k < n; k++)
        found += note[k].id == id;
    reading_free(&r);
    free(whole);
    return found;
}

static int n_taken_for_heat(const char *system, const char *stages)
{
    return n_noted(system, stages, AMPHI_MSG_MOMENTUM_AS_HEAT);
}

#define STAGE(name, ensemble, content)                                                             \
    "<run name=\"" name "\" ensemble=\"" ensemble "\" length=\"1 ps\">" content "</run>"
#define HEAT(attributes)       "<thermostat temperature=\"300 K\" " attributes "/>"
#define BATH(name, attributes) STAGE(name, "nvt", HEAT(attributes))
#define HOLD                   "<restrain group=\"ions\" k=\"1 kJ/mol/nm^2\"/>"
#define NOISE                  "type=\"langevin\""
#define STILL                  "remove-drift=\"yes\""
#define TWO_GROUPS             "groups=\"ions rest\""

static void momentum_that_would_count_as_heat_is_warned_of_where_it_can_be(void **state)
{
    (void)state;
    char *const groups = replaced(job_base, "<group name=\"ions\" select=\"bead ion cl\"/>\n",
                                  "<group name=\"ions\" select=\"bead ion cl\"/>\n"
                                  "<group name=\"rest\" select=\"bead dip\"/>\n");
    char *const s      = replaced(groups, "<restrain group=\"ions\" k=\"10 kJ/mol/nm^2\"/>\n", "");

    free(groups);
    assert_int_equal(n_taken_for_heat(s, BATH("a", NOISE) BATH("b", "")), 1);
    assert_int_equal(n_taken_for_heat(s, BATH("a", NOISE) BATH("b", "type=\"berendsen\"")), 1);
    assert_int_equal(n_taken_for_heat(s, STAGE("a", "nve", HOLD) BATH("b", "")), 1);
    assert_int_equal(n_taken_for_heat(s, BATH("a", NOISE) "<minimise name=\"m\"/>" STAGE(
                                             "f", "nve", "") BATH("b", "") BATH("c", "")),
                     1);
    assert_int_equal(n_taken_for_heat(s, BATH("a", "") BATH("b", "")), 0);
    assert_int_equal(n_taken_for_heat(s, BATH("a", NOISE) BATH("b", STILL) BATH("c", "")), 0);
    assert_int_equal(n_taken_for_heat(s, BATH("a", NOISE " " STILL) BATH("b", "")), 0);
    assert_int_equal(n_taken_for_heat(s, BATH("a", "") BATH("b", NOISE) BATH("c", NOISE)), 0);
    assert_int_equal(n_taken_for_heat(s, BATH("a", NOISE) STAGE("b", "nvt", HEAT("") HOLD)), 0);
    assert_int_equal(n_taken_for_heat(s, BATH("a", NOISE) STAGE("b", "nve", "")), 0);
    assert_int_equal(n_taken_for_heat(job_base, BATH("a", NOISE) BATH("b", "")), 0);
    assert_int_equal(n_taken_for_heat(s, BATH("a", TWO_GROUPS) BATH("b", "")), 1);
    assert_int_equal(n_taken_for_heat(s, BATH("a", TWO_GROUPS " " STILL) BATH("b", "")), 0);
    free(s);
}

/* Steps of 5 fs; a liquid's compressibility is the default. */
static void a_box_that_would_overshoot_is_warned_of_and_no_other(void **state)
{
    (void)state;
    static const struct {
        const char *barostat;
        int         n;
    } cases[] = {
        { "<barostat/>", 0 },
        { "<barostat time=\"0.3 ps\"/>", 0 },
        { "<barostat time=\"0.299 ps\"/>", 1 },
        { "<barostat time=\"0.299 ps\" every=\"9\"/>", 0 },
        { "<barostat time=\"0.15 ps\" every=\"1\"/>", 0 },
        { "<barostat time=\"0.149 ps\" every=\"1\"/>", 1 },
        { "<barostat type=\"berendsen\" time=\"0.299 ps\"/>", 1 },
        { "<barostat coupling=\"isotropic\" time=\"0.299 ps\"/>", 1 },
        { "<barostat time=\"3 ps\" compressibility=\"4.6e-4 1/bar\"/>", 0 },
        { "<barostat time=\"2.99 ps\" compressibility=\"4.6e-4 1/bar\"/>", 1 },
        { "<barostat time=\"0.15 ps\" compressibility=\"2.3e-5 1/bar\"/>", 0 },
    };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[400];

        snprintf(text, sizeof text, STAGE("a", "npt", HEAT("") "%s"), cases[k].barostat);
        if (n_noted(job_base, text, AMPHI_MSG_BOX_OVERSHOOTS) != cases[k].n)
            fail_msg("%s: %d expected", cases[k].barostat, cases[k].n);
    }
}

/* Guesses at what was meant would tell of faults that are none. */
static void of_an_ensemble_that_is_none_nothing_follows(void **state)
{
    (void)state;
    int64_t     n = 0;
    char *const whole =
        replaced(job_base, "</amphi>\n",
                 "<plan timestep=\"4 fs\">" STAGE(
                     "a", "NPT", HEAT("") "<barostat/>") "</plan><output><energies "
                                                         "every=\"1 ps\"/></output></amphi>\n");
    JobReading       r    = read_job_text(whole);
    const AmphiNote *note = amphi_notes_sorted(r.notes, &n);

    assert_int_equal(n, 1);
    assert_int_equal(note[0].id, AMPHI_MSG_NOT_A_CHOICE);
    reading_free(&r);
    free(whole);
}

static void of_a_stage_without_a_name_only_that_is_told(void **state)
{
    (void)state;
    int64_t     n = 0;
    char *const whole =
        replaced(job_base, "</amphi>\n",
                 "<plan timestep=\"4 fs\"><run ensemble=\"nve\" length=\"1 ps\"/><run name=\"b\" "
                 "ensemble=\"nve\" length=\"1 ps\"/></plan><output><trajectory every=\"0.3 "
                 "ps\"/></output></amphi>\n");
    JobReading       r    = read_job_text(whole);
    const AmphiNote *note = amphi_notes_sorted(r.notes, &n);

    assert_int_equal(n, 1);
    assert_int_equal(note[0].id, AMPHI_MSG_MISSING_ATTRIBUTE);
    reading_free(&r);
    free(whole);
}

/* What is told of a time step of a box with this water; freed by the caller; NULL: nothing. */
static char *told_of_step(const char *forcefield, const char *water, const char *timestep)
{
    const bool is_fluid = strcmp(water, "GB") == 0; /* in reduced units */
    char       text[2048];
    char      *told = NULL;
    int64_t    n    = 0;

    snprintf(text, sizeof text,
             "<amphi version=\"1\"><forcefield>%s</forcefield><system><start>"
             "<fill type=\"%s\" count=\"200\" density=\"%s\" seed=\"1\"/>"
             "<velocities temperature=\"298 K\" seed=\"1\"/></start></system>"
             "<interactions><cutoff distance=\"%s\"/></interactions>"
             "<plan timestep=\"%s\">" STAGE("a", "nve", "") "</plan><output/></amphi>\n",
             forcefield, water, is_fluid ? "0.3 u/nm^3" : "1 g/cm^3", is_fluid ? "4 nm" : "0.9 nm",
             timestep);
    JobReading             r    = read_job_text(text);
    const AmphiNote *const note = amphi_notes_sorted(r.notes, &n);

    if (r.job == NULL)
        amphi_notes_print(r.notes, stderr, false);
    assert_non_null(r.job);
    for (int64_t k = 0; k < n; k++)
        if (note[k].id == AMPHI_MSG_LONG_TIME_STEP)
            told = strdup(note[k].text);
    reading_free(&r);
    return told;
}

#define ELBA "<include href=\"forcefield:elba\"/>"
#define SSD  "<include href=\"forcefield:ssd\"/>"
/* In the well of Lennard-Jones u'' = 72/2^(1/3) epsilon/sigma^2; a chain has twice that for each
 * bead: 2 pi/sqrt(4 u''/m) = 587.72 fs. */
#define LJ(a, b)                                                                                   \
    "<pair types=\"" a " " b "\" potential=\"lennard-jones\" epsilon=\"2 kJ/mol\" "                \
    "sigma=\"0.3162277660168379 nm\"/>"
#define ARGON                                                                                      \
    "<beadtype name=\"A\" mass=\"40 u\"/>" LJ(                                                     \
        "A", "A") "<moleculetype name=\"argon\" kind=\"solvent\"><bead id=\"1\" "                  \
                  "type=\"A\"/></moleculetype>"                                                    \
                  "<treatment of=\"lennard-jones\" type=\"truncated\"/>"

#define GAY_BERNE "<include href=\"forcefield:gay-berne\"/>"
#define ELLIPSOIDS(inertia, shape)                                                                 \
    "<beadtype name=\"GB\" mass=\"1 u\" inertia=\"" inertia "\" rotor=\"linear\" " shape "/>"      \
    "<pair types=\"GB GB\" potential=\"gay-berne\" epsilon=\"1 kJ/mol\" mu=\"2\" nu=\"1\"/>"       \
    "<treatment of=\"gay-berne\" type=\"switched\" from=\"3.6 nm\"/>"                              \
    "<moleculetype name=\"GB\" kind=\"solvent\"><bead id=\"1\" type=\"GB\"/></moleculetype>"
/* In the well of two rods that lie side by side, 5/3 kJ/mol deep, u'' = 72/2^(1/3) 5/3 along the
 * line between them: 2 pi/sqrt(4 u''/m) = 321.92 fs. Turned by a small angle t it is less deep by
 * t^2/2 times 5/3 (4 chi'/(1 - chi'^2) + chi^2/(1 - chi^2)) = 5.9444 kJ/mol, with chi = 0.8 and
 * chi' = 0.381966: with two neighbours and 0.01 u nm^2, 182.22 fs. Two discs face to face have a
 * well of 25/3 kJ/mol: 143.97 fs. */
#define LIGHT_RODS                                                                                 \
    ELLIPSOIDS("0.01 u*nm^2", "breadth=\"1 nm\" length=\"3 nm\" side=\"1\" end=\"0.2\"")
#define DISCS                                                                                      \
    ELLIPSOIDS("10 u*nm^2",                                                                        \
               "breadth=\"1 nm\" length=\"0.33333333333333 nm\" side=\"0.2\" end=\"1\"")
/* Three beads of argon in a row: bonds 2 pi/sqrt(2 k 2/m) = 888.58 fs. An angle of 120 degrees
 * between arms of 0.4 nm has 1/0.4^2 (1 + 1 + 3)/m for an inverse moment of inertia, and u'' is 300
 * kJ/mol: 410.4 fs. An axis with u'' = 400 kJ/mol turns with 2 u nm^2, 444.3 fs; where it is held
 * to a bond, that turns the other way, with 1/0.4^2 (1 + 1)/m for an inverse: 348.5 fs. */
#define THREE_PAIRS LJ("A", "A") LJ("A", "B") LJ("B", "B")
#define BEND(potential, k, angle)                                                                  \
    "<angle beads=\"1 2 3\" potential=\"" potential "\" k=\"" k "\" angle=\"" angle "\"/>"
#define AXIS(beads) "<orientation beads=\"" beads "\" potential=\"bond-axis\" k=\"200 kJ/mol\"/>"
#define TOWARDS(angle)                                                                             \
    "<orientation beads=\"2 1\" potential=\"dipole-restraint\" k=\"200 kJ/mol\" angle=\"" angle    \
    "\"/>"
#define THREE(terms)                                                                               \
    "<beadtype name=\"A\" mass=\"40 u\"/><beadtype name=\"B\" mass=\"40 u\" "                      \
    "inertia=\"2 u*nm^2\" rotor=\"linear\"/>" THREE_PAIRS                                          \
    "<moleculetype name=\"three\" kind=\"solvent\"><bead id=\"1\" type=\"A\"/>"                    \
    "<bead id=\"2\" type=\"B\"/><bead id=\"3\" type=\"A\"/>"                                       \
    "<bond beads=\"1 2\" potential=\"harmonic\" k=\"500 kJ/mol/nm^2\" length=\"0.4 nm\"/>"         \
    "<bond beads=\"2 3\" potential=\"harmonic\" k=\"500 kJ/mol/nm^2\" length=\"0.4 nm\"/>" terms   \
    "</moleculetype><treatment of=\"lennard-jones\" type=\"truncated\"/>"

/* 0.06 e nm at 0.3 nm: 4 C mu^2 / sigma^3 = 74.1 kJ/mol between dipoles, 2 C q mu / sigma^2 = 185
 * between charges of 1 e; over 0.025 u nm^2 periods of 115.4 and 73.0 fs. SSD/RF: 32 /
 * sqrt(27) times v0 of 16.3 kJ/mol over 0.006145 u nm^2, 49.1 fs. */
#define DIPOLES(charge)                                                                            \
    "<beadtype name=\"dip\" mass=\"40 u\" dipole=\"0.06 e*nm\" charge=\"" charge                   \
    " e\" inertia=\"0.025 u*nm^2\"/>"                                                              \
    "<pair types=\"dip dip\" potential=\"lennard-jones\" epsilon=\"1 kJ/mol\" sigma=\"0.3 "        \
    "nm\"/><moleculetype name=\"dip\" kind=\"solvent\"><bead id=\"1\" type=\"dip\"/>"              \
    "</moleculetype><treatment of=\"lennard-jones\" type=\"truncated\"/>"                          \
    "<treatment of=\"charges dipoles\" type=\"truncated\"/>"

/* ELBA is published with 10 to 14 fs, and its light water with 10 fs. */
static void a_time_step_is_held_to_the_fastest_motion_that_forces_make(void **state)
{
    (void)state;
    static const struct {
        const char *forcefield, *water, *timestep, *told;
    } cases[] = {
        { ELBA, "water", "14 fs", NULL },
        { ELBA, "water", "16 fs", NULL },
        { ELBA, "water", "20 fs", "a pair water-water at contact, 166 fs" },
        { ELBA, "water", "40 fs", "a pair water-water at contact, 166 fs" },
        { ELBA, "water18", "10 fs", NULL },
        { ELBA, "water18", "14 fs", "a pair water18-water18 at contact, 111 fs" },
        { SSD, "SSDRF", "4.9 fs", NULL },
        { SSD, "SSDRF", "5 fs", "a sticky SSDRF, 49.1 fs" },
        { DIPOLES("0"), "dip", "11.5 fs", NULL },
        { DIPOLES("0"), "dip", "11.6 fs", "a dipole dip, 115 fs" },
        { DIPOLES("1"), "dip", "7.2 fs", NULL },
        { DIPOLES("1"), "dip", "7.4 fs", "a dipole dip by charges, 73 fs" },
        { ARGON, "argon", "58 fs", NULL },
        { ARGON, "argon", "59 fs", "a pair A-A at contact, 588 fs" },
        { GAY_BERNE, "GB", "32 fs", NULL },
        { GAY_BERNE, "GB", "33 fs", "a pair GB-GB at contact, 322 fs" },
        { LIGHT_RODS, "GB", "18 fs", NULL },
        { LIGHT_RODS, "GB", "19 fs", "an ellipsoid GB at contact, 182 fs" },
        { DISCS, "GB", "14 fs", NULL },
        { DISCS, "GB", "15 fs", "a pair GB-GB at contact, 144 fs" },
        { THREE(""), "three", "58 fs", NULL },
        { THREE(""), "three", "59 fs", "at contact, 588 fs" },
        { THREE(BEND("harmonic", "150 kJ/mol/rad^2", "120 deg")), "three", "41 fs", NULL },
        { THREE(BEND("harmonic", "150 kJ/mol/rad^2", "120 deg")), "three", "42 fs",
          "an angle A-B-A, 410 fs" },
        { THREE(BEND("cosine-squared", "200 kJ/mol", "120 deg")), "three", "41 fs", NULL },
        { THREE(BEND("cosine-squared", "200 kJ/mol", "120 deg")), "three", "42 fs",
          "an angle A-B-A, 410 fs" },
        { THREE(BEND("cosine-squared", "200 kJ/mol", "180 deg")), "three", "58 fs", NULL },
        { THREE(AXIS("2 1 3")), "three", "44 fs", NULL },
        { THREE(AXIS("2 1 3")), "three", "45 fs", "the orientation of B, 444 fs" },
        { THREE(AXIS("2 2 3")), "three", "34 fs", NULL },
        { THREE(AXIS("2 2 3")), "three", "35 fs", "the orientation of B, 349 fs" },
        { THREE(TOWARDS("90 deg")), "three", "34 fs", NULL },
        { THREE(TOWARDS("90 deg")), "three", "35 fs", "the orientation of B, 349 fs" },
        { THREE(TOWARDS("0 deg")), "three", "58 fs", NULL },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *const told = told_of_step(cases[k].forcefield, cases[k].water, cases[k].timestep);

        if ((told != NULL) != (cases[k].told != NULL) ||
            (told != NULL && strstr(told, cases[k].told) == NULL))
            fail_msg("%s at %s: %s", cases[k].water, cases[k].timestep,
                     told != NULL ? told : "nothing");
        free(told);
    }
}

static const AmphiPhysicsText *find_text(const AmphiJob *job, const char *key)
{
    for (int32_t k = 0; k < job->n_physics; k++)
        if (strcmp(job->physics[k].key, key) == 0)
            return &job->physics[k];
    fail_msg("no text %s", key);
    return NULL;
}

static void texts_of_the_physics_have_names_that_people_understand(void **state)
{
    (void)state;
    char *const             whole = replaced(job_base, "</amphi>\n", plan);
    JobReading              r     = read_job_text(whole);
    const AmphiPhysicsText *heat  = find_text(r.job, "run warm thermostat langevin time");

    assert_string_equal(heat->value, "0.5 ps");
    assert_int_equal(heat->stage, 1);
    assert_string_equal(find_text(r.job, "pair cl cl sigma")->value, "0.40000000000000002 nm");
    assert_int_equal(find_text(r.job, "cutoff distance")->stage, -1);
    assert_string_equal(find_text(r.job, "stage 4")->value, "measure");
    for (int32_t j = 0; j < r.job->n_physics; j++)
        for (int32_t k = 0; k < j; k++)
            assert_string_not_equal(r.job->physics[j].key, r.job->physics[k].key);
    reading_free(&r);
    free(whole);
}

static int n_uneven(const char *from, const char *to)
{
    JobReading       r     = read_with(from, to);
    int64_t          n     = 0;
    int              found = 0;
    const AmphiNote *note  = amphi_notes_sorted(r.notes, &n);

    for (int64_t k = 0; k < n; k++)
        found += note[k].id == AMPHI_MSG_UNEVEN_FRAMES;
    reading_free(&r);
    return found;
}

/* Stages of 5 fs and 10 fs, 1 ns and 2 ns and 4 ns. */
static void only_frames_that_are_not_evenly_spaced_are_warned_of(void **state)
{
    (void)state;
    assert_int_equal(n_uneven(NULL, NULL), 0);
    assert_int_equal(n_uneven("every=\"100 ps\"", "every=\"1000 steps\""), 1);
    assert_int_equal(n_uneven("every=\"100 ps\"", "every=\"1000 steps\" from=\"settle\""), 0);
    assert_int_equal(n_uneven("every=\"100 ps\"", "every=\"300 ps\""), 1);
    assert_int_equal(n_uneven("every=\"100 ps\"", "every=\"300 ps\" from=\"measure\""), 0);
    assert_int_equal(n_uneven("every=\"100 ps\"", "every=\"300 ps\" format=\"dcd\""), 1);
    assert_int_equal(n_uneven("every=\"100 ps\"", "every=\"300 ps\" format=\"xtc\""), 0);
}

/* Of the system where <interactions> restrain it, else of the first stage that does. */
static void a_group_belongs_to_what_restrains_it_first(void **state)
{
    (void)state;
    JobReading r = read_with(NULL, NULL);

    assert_int_equal(find_text(r.job, "group ions select")->stage, -1);
    reading_free(&r);
    r = read_with("<restrain group=\"ions\" k=\"10 kJ/mol/nm^2\"/>\n", "");
    assert_int_equal(find_text(r.job, "group ions select")->stage, 1);
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_are_read_in_order_with_their_numbers),
        cmocka_unit_test(thermostats_barostats_and_restraints_are_read),
        cmocka_unit_test(outputs_know_their_stage_and_their_steps_in_each),
        cmocka_unit_test(how_it_is_computed_is_read_or_has_defaults),
        cmocka_unit_test(the_mean_of_the_conserved_energy_can_be_asked_for),
        cmocka_unit_test(what_decides_the_forces_is_physics_and_nothing_else),
        cmocka_unit_test(the_hash_is_the_same_in_every_locale),
        cmocka_unit_test(a_box_that_would_overshoot_is_warned_of_and_no_other),
        cmocka_unit_test(of_an_ensemble_that_is_none_nothing_follows),
        cmocka_unit_test(of_a_stage_without_a_name_only_that_is_told),
        cmocka_unit_test(a_time_step_is_held_to_the_fastest_motion_that_forces_make),
        cmocka_unit_test(momentum_that_would_count_as_heat_is_warned_of_where_it_can_be),
        cmocka_unit_test(texts_of_the_physics_have_names_that_people_understand),
        cmocka_unit_test(only_frames_that_are_not_evenly_spaced_are_warned_of),
        cmocka_unit_test(a_group_belongs_to_what_restrains_it_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
