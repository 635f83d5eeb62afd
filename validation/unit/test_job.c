/* What a job becomes: pair rules with their treatments, mixing and overrides; strengths;
 * restraints; and what it costs when memory ends anywhere. The start is in test_job_start.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/typed/probe.h"
#include "../../forcefield/spec.h"
#include "job_folder.h"

#define CUTOFF       "<cutoff distance=\"1.2 nm\"/>\n"
#define LJ_TREATMENT "<treatment of=\"lennard-jones\" type=\"force-shift\"/>\n"
#define MIXING       "<mixing potential=\"lennard-jones\" rule=\"lorentz-berthelot\"/>\n"
#define RESTRAIN     "<restrain group=\"ions\" k=\"10 kJ/mol/nm^2\"/>\n"

enum { ION, CL, DIP }; /* in the order of the molecule types */

static const AmphiPairRule *rule_of(const JobReading *r, int32_t i, int32_t j)
{
    return &r->job->system.pair_rule[i * r->job->system.n_types + j];
}

/* The term of that potential; NULL: none. */
static const AmphiPairTerm *term_of(const JobReading *r, int32_t i, int32_t j, const char *element,
                                    const char *name)
{
    const AmphiPairRule *const rule = rule_of(r, i, j);

    for (int32_t k = 0; k < rule->n_terms; k++)
        if (rule->term[k].kind == amphi_spec_find(element, name)->kind)
            return &rule->term[k];
    return NULL;
}

static const AmphiPairTerm *lj_of(const JobReading *r, int32_t i, int32_t j)
{
    const AmphiPairTerm *const term = term_of(r, i, j, "pair", "lennard-jones");

    assert_non_null(term);
    return term;
}

/* A field of a term by its name. */
static double field_of(const AmphiPairTerm *term, const char *name)
{
    for (int32_t p = 0; amphi_spec_at(p) != NULL; p++) {
        const AmphiPotential *const potential = amphi_spec_at(p);

        for (int32_t k = 0; (int)potential->slot < AMPHI_PAIR_TERMS &&
                            potential->kind == term->kind && k < potential->n_fields;
             k++)
            if (strcmp(potential->field[k].name, name) == 0)
                return term->field[k];
    }
    fail_msg("no field %s", name);
    return 0;
}

/* ---- treatments ---- */

static void the_base_job_has_its_terms(void **state)
{
    (void)state;
    JobReading               r = read_job_text(job_base);
    const AmphiSystem *const s = &r.job->system;

    assert_int_equal(s->n_types, 3);
    assert_string_equal(s->type[ION].name, "ion");
    assert_string_equal(s->type[DIP].name, "dip");
    assert_int_equal(rule_of(&r, ION, ION)->n_terms, 2); /* LJ and charges */
    assert_int_equal(rule_of(&r, ION, DIP)->n_terms, 2); /* LJ and charge-dipole */
    assert_int_equal(rule_of(&r, DIP, DIP)->n_terms, 2); /* LJ and dipoles */
    assert_non_null(term_of(&r, ION, DIP, "dipoles", "charge-dipole"));
    assert_null(term_of(&r, ION, DIP, "dipoles", "dipole-charge"));
    assert_non_null(term_of(&r, DIP, ION, "dipoles", "dipole-charge"));
    assert_true(rule_of(&r, ION, DIP)->cutoff_nm == 1.2 && s->cutoff_nm == 1.2);
    assert_true(s->coulomb_kJ_nm_mol_e2 == AMPHI_COULOMB);
    reading_free(&r);
}

static void of_treatments_the_last_line_that_matches_wins(void **state)
{
    (void)state;
    JobReading r =
        read_changed(LJ_TREATMENT,
                     "<treatment of=\"lennard-jones\" type=\"truncated\"/>\n"
                     "<treatment of=\"lennard-jones\" type=\"energy-shift\" pair=\"dip ion\" "
                     "cutoff=\"1 nm\"/>\n"
                     "<treatment of=\"lennard-jones\" type=\"quadratic-shift\" pair=\"dip ion\"/>\n"
                     "<treatment of=\"lennard-jones\" type=\"switched\" from=\"1 nm\" "
                     "pair=\"cl cl\"/>\n");

    assert_int_equal(lj_of(&r, ION, ION)->treatment.type, AMPHI_TRUNCATED);
    assert_int_equal(lj_of(&r, ION, DIP)->treatment.type, AMPHI_QUADRATIC_SHIFT);
    assert_int_equal(lj_of(&r, DIP, ION)->treatment.type, AMPHI_QUADRATIC_SHIFT);
    assert_true(lj_of(&r, ION, DIP)->treatment.cutoff_nm == 1.2); /* not that of the line before */
    assert_int_equal(lj_of(&r, CL, CL)->treatment.type, AMPHI_SWITCHED);
    assert_true(lj_of(&r, CL, CL)->treatment.from_nm == 1);
    reading_free(&r);
    /* a line for all pairs wins over an earlier one for a pair */
    r = read_changed(LJ_TREATMENT,
                     "<treatment of=\"lennard-jones\" type=\"truncated\" pair=\"ion cl\"/>\n"
                     "<treatment of=\"charges lennard-jones\" type=\"energy-shift\"/>\n");
    assert_int_equal(lj_of(&r, ION, CL)->treatment.type, AMPHI_ENERGY_SHIFT);
    reading_free(&r);
}

static void the_jobs_treatments_win_over_the_force_fields(void **state)
{
    (void)state;
    const char *const ff    = "<cutoff distance=\"0.9 nm\"/>\n"
                              "<treatment of=\"lennard-jones\" type=\"truncated\" "
                              "pair=\"cl cl\"/>\n"
                              "<treatment of=\"lennard-jones\" type=\"energy-shift\"/>\n" MIXING;
    char *const       one   = replaced(job_base, MIXING, ff);
    char *const       two   = replaced(one, LJ_TREATMENT, "");
    char *const       three = replaced(two, CUTOFF, "");
    JobReading        r;

    r = read_job_text(one);
    assert_int_equal(lj_of(&r, ION, ION)->treatment.type, AMPHI_FORCE_SHIFT);
    assert_int_equal(lj_of(&r, CL, CL)->treatment.type, AMPHI_FORCE_SHIFT);
    assert_true(lj_of(&r, CL, CL)->treatment.cutoff_nm == 1.2);
    reading_free(&r);
    r = read_job_text(two);
    assert_int_equal(lj_of(&r, ION, ION)->treatment.type, AMPHI_ENERGY_SHIFT);
    assert_int_equal(lj_of(&r, CL, CL)->treatment.type, AMPHI_ENERGY_SHIFT); /* the later line */
    assert_true(lj_of(&r, CL, CL)->treatment.cutoff_nm == 1.2);
    reading_free(&r);
    r = read_job_text(three);
    assert_true(lj_of(&r, CL, CL)->treatment.cutoff_nm == 0.9);
    reading_free(&r);
    free(one);
    free(two);
    free(three);
}

static void each_family_has_its_own_treatment(void **state)
{
    (void)state;
    JobReading r =
        read_changed("<treatment of=\"charges dipoles\" type=\"shifted-factors\"/>\n",
                     "<treatment of=\"dipoles\" type=\"reaction-field\" permittivity=\"80\" "
                     "cutoff=\"1.3 nm\"/>\n"
                     "<treatment of=\"charges\" type=\"force-shift\" cutoff=\"1.1 nm\"/>\n");
    const AmphiPairTerm *term = term_of(&r, ION, CL, "charges", "charge-charge");

    assert_int_equal(term->treatment.type, AMPHI_FORCE_SHIFT);
    assert_true(term->treatment.cutoff_nm == 1.1 && term->treatment.from_nm == 1.1);
    term = term_of(&r, ION, DIP, "dipoles", "charge-dipole"); /* follows the dipoles */
    assert_int_equal(term->treatment.type, AMPHI_REACTION_FIELD);
    assert_true(term->treatment.permittivity == 80 && term->treatment.cutoff_nm == 1.3);
    assert_true(term->treatment.permittivity_within == 1);
    assert_true(rule_of(&r, ION, DIP)->cutoff_nm == 1.3 && r.job->system.cutoff_nm == 1.3);
    assert_true(rule_of(&r, ION, CL)->cutoff_nm == 1.2);
    reading_free(&r);
}

static void constants_scale_charges_and_dipoles(void **state)
{
    (void)state;
    JobReading r = read_changed(CUTOFF, "<constants coulomb=\"100 kJ*nm/mol/e^2\" "
                                        "relative-permittivity=\"4\"/>\n" CUTOFF);

    assert_true(r.job->system.coulomb_kJ_nm_mol_e2 == 25);
    assert_true(term_of(&r, ION, CL, "charges", "charge-charge")->field[0] == 25);
    const AmphiPairTerm *term = term_of(&r, DIP, DIP, "dipoles", "dipole-dipole");
    assert_true(term->field[0] == 25 && term->treatment.permittivity_within == 4);
    reading_free(&r);
}

/* ---- mixing, overrides ---- */

static void unlike_pairs_are_mixed_from_the_like_ones(void **state)
{
    (void)state;
    JobReading r = read_job_text(job_base);

    assert_true(field_of(lj_of(&r, ION, CL), "epsilon") == 2); /* of 1 and 4 */
    assert_true(fabs(field_of(lj_of(&r, ION, CL), "sigma") - 0.35) < 1e-15);
    assert_true(fabs(rule_of(&r, CL, ION)->sigma_nm - 0.35) < 1e-15);
    reading_free(&r);
    /* a line of their own goes before */
    r = read_changed(MIXING, MIXING "<pair types=\"cl ion\" potential=\"lennard-jones\" "
                                    "epsilon=\"7 kJ/mol\" sigma=\"0.5 nm\"/>\n");
    assert_true(field_of(lj_of(&r, ION, CL), "epsilon") == 7);
    assert_true(field_of(lj_of(&r, CL, ION), "sigma") == 0.5);
    reading_free(&r);
    /* `none` leaves the charges alone */
    r = read_changed(MIXING, MIXING "<pair types=\"cl ion\" potential=\"none\"/>\n");
    assert_null(term_of(&r, ION, CL, "pair", "lennard-jones"));
    assert_int_equal(rule_of(&r, ION, CL)->n_terms, 1);
    assert_true(rule_of(&r, ION, CL)->sigma_nm == 0);
    reading_free(&r);
}

static void overrides_scale_a_pair_and_are_kept_in_words(void **state)
{
    (void)state;
    JobReading r = read_changed(
        MIXING, MIXING
        "<override pair=\"cl ion\" scale-epsilon=\"0.5\" why=\"a test\"/>\n"
        "<override pair=\"dip dip\" scale-sigma=\"2\" scale-epsilon=\"3\" why=\"another\"/>\n"
        "<override pair=\"ion cl\" scale-sigma=\"1.1\" why=\"of the other\"/>\n");

    assert_true(field_of(lj_of(&r, ION, CL), "epsilon") == 1);
    assert_true(field_of(lj_of(&r, CL, ION), "epsilon") == 1);
    assert_true(fabs(field_of(lj_of(&r, CL, ION), "sigma") - 0.385) < 1e-15);
    assert_true(field_of(lj_of(&r, DIP, DIP), "epsilon") == 6);
    assert_true(field_of(lj_of(&r, DIP, DIP), "sigma") == 0.4);
    assert_true(rule_of(&r, DIP, DIP)->sigma_nm == 0.4);
    assert_true(field_of(lj_of(&r, ION, ION), "epsilon") == 1);
    assert_true(fabs(field_of(lj_of(&r, DIP, ION), "sigma") - 0.25) < 1e-15); /* mixed before */
    assert_int_equal(r.job->n_overrides, 3);
    assert_string_equal(r.job->override[0], "cl ion: epsilon x 0.5, sigma x 1: a test");
    assert_string_equal(r.job->override[1], "dip dip: epsilon x 3, sigma x 2: another");
    reading_free(&r);
}

/* ---- the order of types ---- */

#define GAY_BERNE(order)                                                                           \
    "<pair types=\"" order "\" potential=\"gay-berne\" epsilon=\"2 kJ/mol\"/>\n"

/* Two unlike ellipsoids with this cut-off, the second at `disc`, nm; `line`: that between them. */
static JobReading read_ellipsoids_at(const char *line, const char *cutoff, const char *disc)
{
    char job[4096];

    snprintf(
        job, sizeof job,
        "<amphi version=\"1\"><forcefield>\n"
        "<beadtype name=\"rod\" mass=\"1 u\" inertia=\"1 u*nm^2\" breadth=\"0.4 nm\" "
        "length=\"0.7 nm\" side=\"1\" end=\"0.4\" dipole=\"1 D\"/>\n"
        "<beadtype name=\"disc\" mass=\"1 u\" inertia=\"1 u*nm^2\" breadth=\"0.6 nm\" "
        "length=\"0.3 nm\" side=\"0.6\" end=\"1\" charge=\"0 e\"/>\n"
        "%s" GAY_BERNE("rod rod") GAY_BERNE(
            "disc disc") "<moleculetype name=\"rod\"><bead id=\"1\" type=\"rod\"/></moleculetype>\n"
                         "<moleculetype name=\"disc\"><bead id=\"1\" "
                         "type=\"disc\"/></moleculetype>\n"
                         "</forcefield><system><box x=\"6 nm\" y=\"6 nm\" z=\"6 nm\"/>\n"
                         "<molecule type=\"rod\" count=\"1\"/><molecule type=\"disc\" "
                         "count=\"1\"/>\n"
                         "<start><beads length=\"nm\">\n"
                         "rod 1 1 1 1 0.5 -0.5 0.5 0.5\ndisc 2 %s 0.8 0 0.6 0 1\n"
                         "</beads></start></system>\n"
                         "<interactions><cutoff distance=\"%s nm\"/>\n"
                         "<treatment of=\"gay-berne\" type=\"energy-shift\"/>\n"
                         "<treatment of=\"charges dipoles\" type=\"force-shift\"/>\n"
                         "</interactions></amphi>\n",
        line, disc, cutoff);
    return read_job_text(job);
}

static JobReading read_ellipsoids(const char *line)
{
    return read_ellipsoids_at(line, "2", "1.3 1.5 1.2");
}

enum { ALL = AMPHI_MAX_PAIR_TERMS };

/* The first n terms between the two beads, seen from bead i. */
static AmphiPairForces forces_of(const JobReading *r, int32_t i, int32_t j, int32_t n)
{
    const AmphiSystem *const s    = &r->job->system;
    const AmphiPairRule     *rule = rule_of(r, s->bead_type[i], s->bead_type[j]);
    AmphiPairForces          sum  = { 0 };
    AmphiPairPose            pose = { 0 };

    pose.charge_e[0]    = s->bead_charge_e[i];
    pose.charge_e[1]    = s->bead_charge_e[j];
    pose.dipole_e_nm[0] = s->bead_dipole_e_nm[i];
    pose.dipole_e_nm[1] = s->bead_dipole_e_nm[j];
    for (int a = 0; a < 3; a++)
        pose.d_nm[a] = s->position_nm[i][a] - s->position_nm[j][a];
    memcpy(pose.orientation[0], s->orientation[i], sizeof pose.orientation[0]);
    memcpy(pose.orientation[1], s->orientation[j], sizeof pose.orientation[1]);
    for (int32_t k = 0; k < n && k < rule->n_terms; k++) {
        AmphiPairForces one;

        probe_pairs_double(&rule->term[k], 1, &pose, &one);
        sum.energy += one.energy;
        for (int a = 0; a < 3; a++) {
            sum.force[a] += one.force[a];
            sum.torque[0][a] += one.torque[0][a];
            sum.torque[1][a] += one.torque[1][a];
        }
    }
    return sum;
}

static void the_order_of_types_in_a_line_does_not_matter(void **state)
{
    (void)state;
    JobReading a = read_ellipsoids(GAY_BERNE("rod disc"));
    JobReading b = read_ellipsoids(GAY_BERNE("disc rod"));

    assert_memory_equal(a.job->system.pair_rule, b.job->system.pair_rule,
                        4 * sizeof(AmphiPairRule));
    assert_true(fabs(forces_of(&a, 0, 1, ALL).energy) > 1e-3);
    reading_free(&a);
    reading_free(&b);
}

static void a_pair_and_its_mirror_image_agree(void **state)
{
    (void)state;
    JobReading            r     = read_ellipsoids(GAY_BERNE("rod disc"));
    const AmphiPairTerm  *there = term_of(&r, 0, 1, "shifted", "gay-berne");
    const AmphiPairTerm  *back  = term_of(&r, 1, 0, "shifted", "gay-berne");
    const AmphiPairForces one = forces_of(&r, 0, 1, ALL), two = forces_of(&r, 1, 0, ALL);

    assert_true(field_of(there, "breadth_i") == 0.4 && field_of(there, "breadth_j") == 0.6);
    assert_true(field_of(back, "breadth_i") == 0.6 && field_of(back, "breadth_j") == 0.4);
    assert_true(field_of(there, "length_i") == 0.7 && field_of(back, "length_j") == 0.7);
    assert_true(field_of(there, "side_j") == 0.6 && field_of(back, "end_j") == 0.4);
    assert_true(rule_of(&r, 0, 1)->sigma_nm == rule_of(&r, 1, 0)->sigma_nm);
    /* rounding alone: a few operations in another order */
    assert_true(fabs(one.energy - two.energy) < 1e-12 * fabs(one.energy));
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(one.force[k] + two.force[k]) < 1e-11);
        assert_true(fabs(one.torque[0][k] - two.torque[1][k]) < 1e-11);
        assert_true(fabs(one.torque[1][k] - two.torque[0][k]) < 1e-11);
    }
    reading_free(&r);
}

/* With everything a quarter longer, the energy is the same and the force a fifth less. */
static void an_override_scales_sigma_of_ellipsoids(void **state)
{
    (void)state;
    JobReading a = read_ellipsoids(GAY_BERNE("rod disc"));
    JobReading b = read_ellipsoids_at(GAY_BERNE("rod disc") "<override pair=\"disc rod\" "
                                                            "scale-sigma=\"1.25\" why=\"it\"/>\n",
                                      "2.5", "1.375 1.625 1.25");
    const AmphiPairForces one = forces_of(&a, 0, 1, 1), two = forces_of(&b, 0, 1, 1);

    assert_true(fabs(rule_of(&b, 0, 1)->sigma_nm / rule_of(&a, 0, 1)->sigma_nm - 1.25) < 1e-15);
    assert_true(fabs(one.energy) > 1e-3 && fabs(one.energy - two.energy) < 1e-9 * fabs(one.energy));
    for (int k = 0; k < 3; k++)
        assert_true(fabs(one.force[k] - 1.25 * two.force[k]) < 1e-9 * fabs(one.energy));
    reading_free(&a);
    reading_free(&b);
}

/* ---- strengths ---- */

static void a_charge_given_to_a_bead_brings_its_term(void **state)
{
    (void)state;
    JobReading r = read_changed("dip 3  2.0 1 2  1 0 0 0\n", "dip 3  2.0 1 2  1 0 0 0  0.25\n");

    assert_non_null(term_of(&r, DIP, DIP, "charges", "charge-charge"));
    assert_non_null(term_of(&r, DIP, DIP, "dipoles", "charge-dipole"));
    assert_non_null(term_of(&r, DIP, DIP, "dipoles", "dipole-charge"));
    assert_non_null(term_of(&r, ION, DIP, "charges", "charge-charge"));
    assert_true(r.job->system.bead_charge_e[3] == 0.25 && r.job->system.bead_charge_e[2] == 0);
    reading_free(&r);
    /* a type that lost all its charge has none */
    r = read_changed("ion 1  1.0 1 1  1 0 0 0\ncl  1  1.4 1 1  1 0 0 0\n",
                     "ion 1  1.0 1 1  1 0 0 0 0\ncl  1  1.4 1 1  1 0 0 0 0\n");
    assert_null(term_of(&r, ION, CL, "charges", "charge-charge"));
    assert_null(term_of(&r, ION, DIP, "dipoles", "charge-dipole"));
    reading_free(&r);
}

/* ---- restraints ---- */

static void restraints_hold_beads_where_they_start_or_at_one_place(void **state)
{
    (void)state;
    JobReading r =
        read_changed(RESTRAIN, RESTRAIN "<restrain group=\"all\" axes=\"xz\" k=\"3 kJ/mol/nm^2\" "
                                        "to=\"1 2 3 A\"/>\n");
    const AmphiSystem *const s    = &r.job->system;
    const int32_t            kind = amphi_spec_find("restrain", "position")->kind;

    assert_int_equal(s->n_bonds, 1 + 2 + 4);
    assert_non_null(s->anchor_nm);
    for (int32_t k = 1; k < 7; k++) {
        const AmphiBondRule *const rule  = &s->bond_rule[s->bond[k].rule];
        const int32_t              bead  = k < 3 ? k - 1 : k - 3;
        const double               first = k < 3 ? 10 : 3;

        assert_int_equal(rule->kind, kind);
        assert_int_equal(s->bond[k].bead[0], bead);
        assert_true(rule->field[0] == first && rule->field[2] == first);
        assert_true(rule->field[1] == (k < 3 ? 10 : 0));
        for (int a = 0; a < 3; a++)
            assert_true(fabs(s->anchor_nm[k][a] -
                             (k < 3 ? s->position_nm[bead][a] : 0.1 * (a + 1))) < 1e-15);
    }
    reading_free(&r);
    r = read_changed(RESTRAIN, "");
    assert_null(r.job->system.anchor_nm);
    assert_int_equal(r.job->system.n_bonds, 1);
    reading_free(&r);
}

/* ---- what cannot be read ---- */

/* A job that takes all its types from the included file. */
static char *job_with(const char *include)
{
    const char *const begin = strstr(job_base, "<forcefield>");
    const char *const end   = strstr(job_base, "</forcefield>");
    const size_t      size  = strlen(job_base) + strlen(include);
    char *const       job   = malloc(size);

    assert_non_null(job);
    snprintf(job, size, "%.*s<forcefield>%s%s", (int)(begin - job_base), job_base, include, end);
    return job;
}

static void check_one_error(const char *job, AmphiMessageId id)
{
    JobReading             r    = read_job_text(job);
    int64_t                n    = 0;
    const AmphiNote *const note = amphi_notes_sorted(r.notes, &n);

    assert_null(r.job);
    if (n != 1)
        amphi_notes_print(r.notes, stdout, false);
    assert_int_equal(n, 1);
    assert_int_equal(note->id, id);
    reading_free(&r);
}

static void types_that_cannot_be_read_are_missed_once(void **state)
{
    (void)state;
    static const struct {
        const char    *include;
        AmphiMessageId id;
    } cases[]        = { { "<include href=\"no.xml\"/>", AMPHI_MSG_FILE_NOT_THERE },
                         { "<include href=\"forcefield:no\"/>", AMPHI_MSG_INCLUDE_UNKNOWN },
                         { "<include href=\"/no.xml\"/>", AMPHI_MSG_FILE_OUTSIDE },
                         { "<include/>", AMPHI_MSG_MISSING_ATTRIBUTE },
                         { "<includ href=\"no.xml\"/>", AMPHI_MSG_UNKNOWN_ELEMENT } };
    char *const full = job_with(""), *job;
    JobReading  r    = read_job_text(full);

    assert_true(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR) > 1); /* nothing explains these */
    reading_free(&r);
    free(full);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        job = job_with(cases[k].include);
        check_one_error(job, cases[k].id);
        free(job);
    }
    /* pairs and treatments may be in the file that is not there */
    char *const own = replaced(job_base, MIXING, "<include href=\"no.xml\"/>\n");
    check_one_error(own, AMPHI_MSG_FILE_NOT_THERE);
    free(own);
    /* a type whose name is missing */
    char *const nameless = replaced(job_base, "beadtype name=\"cl\"", "beadtype");
    check_one_error(nameless, AMPHI_MSG_MISSING_ATTRIBUTE);
    free(nameless);
}

/* ---- memory ---- */

/* Did the failure happen that was ordered? Else it still lies ahead. */
static bool has_failed(int64_t n)
{
    bool lies_ahead = false;

    for (int64_t k = 0; k < n && !lies_ahead; k++) {
        void *const memory = amphi_alloc(1, 1);

        lies_ahead = memory == NULL;
        amphi_release(memory);
    }
    amphi_arena_fail_at(0);
    return !lies_ahead;
}

/* Each allocation of a job's reading fails once: no memory is the only answer. Gives their number.
 */
static int64_t fail_everywhere(const char *folder, const char *name)
{
    for (int64_t n = 1;; n++) {
        amphi_arena_fail_at(n);
        AmphiNotes *const      notes   = amphi_notes_new();
        const AmphiLoadOptions options = { .data_dir = data_folder() };
        AmphiError             err     = { .status = AMPHI_OK };
        AmphiJob *const job    = amphi_job_load(folder_path(folder, name), &options, notes, &err);
        const bool      failed = has_failed(n);

        if (failed && (job != NULL || err.status != AMPHI_NO_MEMORY))
            fail_msg("allocation %lld of %s failed, and the job says %d: %s", (long long)n, name,
                     (int)err.status, err.text);
        if (!failed)
            assert_non_null(job);
        amphi_job_free(job);
        amphi_notes_free(notes);
        if (!failed)
            return n - 1;
    }
}

static void a_job_without_memory_anywhere_says_so(void **state)
{
    (void)state;
    static const char ff[]   = "<forcefield version=\"1\" name=\"f\">"
                               "<beadtype name=\"more\" mass=\"1 u\"/></forcefield>\n";
    char *const       folder = folder_make();
    char *const       one =
        replaced(job_base, "<forcefield>\n", "<forcefield><include href=\"f.xml\"/>\n");
    char *const warned = replaced(one, "charge=\"-1 e\"", "charge=\"-2 e\"");
    char *const fill   = replaced(warned, JOB_MOLECULES, "");
    char *const built =
        replaced(fill, JOB_BEADS,
                 "<fill><part type=\"salt\" count=\"2\"/><part type=\"water\" count=\"3\"/>"
                 "</fill><velocities temperature=\"300 K\" seed=\"1\"/>\n");

    folder_write_text(folder, "f.xml", ff);
    folder_write_text(folder, "job.xml", warned);
    folder_write_text(folder, "built.xml", built);
    assert_true(fail_everywhere(folder, "job.xml") > 100);
    assert_true(fail_everywhere(folder, "built.xml") > 100);
    free(one);
    free(warned);
    free(fill);
    free(built);
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_job_has_its_terms),
        cmocka_unit_test(of_treatments_the_last_line_that_matches_wins),
        cmocka_unit_test(the_jobs_treatments_win_over_the_force_fields),
        cmocka_unit_test(each_family_has_its_own_treatment),
        cmocka_unit_test(constants_scale_charges_and_dipoles),
        cmocka_unit_test(unlike_pairs_are_mixed_from_the_like_ones),
        cmocka_unit_test(overrides_scale_a_pair_and_are_kept_in_words),
        cmocka_unit_test(an_override_scales_sigma_of_ellipsoids),
        cmocka_unit_test(the_order_of_types_in_a_line_does_not_matter),
        cmocka_unit_test(a_pair_and_its_mirror_image_agree),
        cmocka_unit_test(a_charge_given_to_a_bead_brings_its_term),
        cmocka_unit_test(restraints_hold_beads_where_they_start_or_at_one_place),
        cmocka_unit_test(types_that_cannot_be_read_are_missed_once),
        cmocka_unit_test(a_job_without_memory_anywhere_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
