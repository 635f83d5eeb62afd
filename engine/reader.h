/* What the parts of the job reader share. Private to engine/job*.c, topology.c and system.c.
 *
 * Every part notes the faults that it finds and goes on; an index of -1 stands for an unknown name.
 */
#ifndef AMPHI_ENGINE_READER_H
#define AMPHI_ENGINE_READER_H

#include "build.h"
#include "job.h"
#include "xml.h"

enum { AMPHI_MOST_OBSERVERS = 32 }; /* one of a kind; of those with labels more */

/* A name and the index of what it names in another list; sorted by name for binary search. */
typedef struct {
    const char *name;
    int32_t     place;
} AmphiNamed;

typedef struct {
    AmphiArena             *arena;
    AmphiNotes             *notes;
    const AmphiLoadOptions *options;
    AmphiJob               *job;
    AmphiSystem            *system;    /* of the job */
    const AmphiXml         *root;      /* <amphi> */
    bool                    no_memory; /* an allocation outside the arena failed */

    const AmphiXml *observer_xml[AMPHI_MOST_OBSERVERS]; /* of job->observer */
    const AmphiXml *asked_xml[AMPHI_MOST_OBSERVERS];    /* of job->asked */

    /* every child of every <forcefield>, in the order of inclusion */
    int32_t          n_items;
    const AmphiXml **item;
    bool lacks_items; /* some cannot be read (noted): names may be unknown for that reason */

    /* all types that the force fields define; the system keeps those it uses */
    int32_t            n_types, n_molecule_types, n_bond_rules;
    AmphiBeadType     *type;
    AmphiNamed        *type_named; /* [n_types] sorted */
    int32_t           *type_used;  /* [n_types] index in the system; -1: not used */
    AmphiMoleculeType *molecule_type;
    AmphiNamed        *molecule_named; /* [n_molecule_types] sorted */
    AmphiBondRule     *bond_rule;

    /* the start */
    bool            has_box;
    const AmphiXml *box_xml;
    AmphiBuildPlan  plan;
    int32_t         n_portions;
    AmphiPortion   *portion; /* molecules in the order of their beads */
    double (*position)[3], (*velocity)[3], (*orientation)[4], (*spin)[3];
    double *charge, *dipole;
    bool   *is_oriented; /* [n_beads] by a file that does not tell all orientations */
    const double (*angular_velocity)[3]; /* rad/ps in space; NULL: the file has spins, or nothing */
    bool            has_orientations, has_velocities; /* all of them, by the file */
    const AmphiXml *drawn; /* <orientations> that were drawn at random; NULL: none were */

    AmphiStage *stage; /* [job->n_stages] job->stage */
} AmphiReader;

/* job_files.c: the path of the file that an attribute names, relative to the file it stands in,
 * with symbolic links resolved; NULL with a note. */
const char *amphi_reader_resolve(AmphiReader *r, const AmphiXml *xml, const char *attribute);
/* Adds a file to the job's list of what was read. */
void amphi_reader_record(AmphiReader *r, const char *path);
/* Reads and records a file. */
char *amphi_reader_file(AmphiReader *r, const char *path, AmphiWhere from, int64_t *n_bytes);
/* Fills in r->item from the job's <forcefield> and everything that it includes. */
void amphi_reader_include(AmphiReader *r);

/* job_types.c */
void amphi_reader_types(AmphiReader *r);
/* The index of the bead type of that name in r->type; -1 with a note, or without one where the
 * cause is noted already (lacks_items). Molecule types alike. */
int32_t amphi_reader_type(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *name);
int32_t amphi_reader_molecule_type(AmphiReader *r, const AmphiXml *xml, const char *attribute);
int32_t amphi_reader_molecule(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                              const char *name);
/* Notes UNKNOWN_NAME with the list of what is known and the nearest. */
void amphi_reader_unknown(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *word, const char *what, const AmphiNamed *known, int32_t n);
/* The first names as one text. */
const char *amphi_reader_list(AmphiReader *r, const AmphiNamed *known, int32_t n);
/* The place of an element, "ff.xml:12". */
const char *amphi_reader_place(AmphiReader *r, const AmphiXml *xml);
/* A number as text of the reader's arena; "" without memory. */
const char *amphi_reader_digits(AmphiReader *r, int64_t n);

/* job_molecules.c: adds a molecule type to r->molecule_type. */
void amphi_reader_moleculetype(AmphiReader *r, const AmphiXml *xml);
/* The index of a bonded rule in the list, to which it is added if new; 0 without memory. */
int32_t amphi_reader_bond_rule(AmphiReader *r, const AmphiBondRule *rule);

/* job_system.c: what is in the box, before and after the start is known. */
void amphi_reader_contents(AmphiReader *r);
void amphi_reader_restraints(AmphiReader *r);
/* job_groups.c */
void amphi_reader_groups(AmphiReader *r);

/* job_pairs.c: pair rules for the types in use, with charges and dipoles of the beads that are
 * there. May be called again when there are more. */
void amphi_reader_pairs(AmphiReader *r);

/* job_coordinates.c: the <molecule> elements that a file of <coordinates> asks for, as a text; "":
 * not known. */
const char *amphi_reader_molecules_of(AmphiReader *r, const AmphiXml *xml);

/* job_start.c: positions, orientations, velocities, strengths. */
void amphi_reader_start(AmphiReader *r);
void amphi_reader_build(AmphiReader *r);
void amphi_reader_velocities(AmphiReader *r);
/* Do the beads of a start file move together, further than thermal motion does? */
bool amphi_reader_start_moves(const AmphiReader *r);

/* job_plan.c: stages, and by job_output.c what is written; needs the groups and pair rules. */
void amphi_reader_plan(AmphiReader *r);
/* Seeds of the stages' noise, once the start is known. */
void amphi_reader_seeds(AmphiReader *r);
/* The group of that name; -1 with a note. */
int32_t amphi_reader_group(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                           const char *name);
/* More steps than this are not exact in a double, and surely a mistake. */
#define AMPHI_MOST_STEPS 9007199254740992.0
/* A time as a number of steps, rounded, at least 1; noted if it is far from a whole number. */
int64_t amphi_reader_steps(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                           double time_ps, double dt_ps);
/* job_fastest.c: the fastest motion that forces, masses and moments of inertia let foresee. */
typedef struct {
    double period_ps; /* infinite: none */
    char   name[112]; /* "a bond gly-est" */
} AmphiFastest;
AmphiFastest amphi_reader_fastest(AmphiReader *r);
/* The same with beads that are held by E = k x^2 of each of n restraints, which add up. */
void amphi_reader_fastest_held(AmphiReader *r, const AmphiStageRestraint *held, int32_t n,
                               AmphiFastest *fastest);
/* job_measures.c: every attribute but when, a line each, in internal units. NULL: no memory. */
const char *amphi_reader_measures(const AmphiReader *r, const AmphiXml *xml);
/* job_outputs.c. `stage`: all stages of the job, whose conserved_mean is set here. */
void amphi_reader_output(AmphiReader *r, AmphiStage *stage);
/* job_output.c. Reads an element of an <output> that has a name of amphi_reader_kind; without
 * has_interval every step counts. */
void amphi_reader_observer(AmphiReader *r, const AmphiXml *xml, bool has_interval,
                           AmphiObserverPlan *plan);
/* The names of observers in the order of job->observer, from 0; NULL behind the last. */
const char *amphi_reader_kind(int32_t k);
/* job_outputs.c. Adds all elements of that name below an <output>. */
typedef struct {
    int32_t           *n;
    AmphiObserverPlan *plan; /* [AMPHI_MOST_OBSERVERS] */
    const AmphiXml   **xml;  /* likewise */
    bool (*has_interval)(const AmphiReader *r, const AmphiXml *xml);
} AmphiObserverSet;
void amphi_reader_observers(AmphiReader *r, const AmphiXml *output, const char *kind,
                            AmphiObserverSet *set);
/* job_asked.c: what the load options ask to measure. */
void amphi_reader_asked(AmphiReader *r);
/* A length in a text, "0.05 nm". */
const char *amphi_reader_length(const AmphiReader *r, double nm);
/* To two digits, so that what a hint says is allowed; up: to a multiple above. */
double amphi_reader_rounded(double value, bool up);
/* Is it one of the names that an observer is to look at? */
bool amphi_reader_names(const AmphiObserverPlan *plan, const char *name);
/* job_output_fits.c: do shells, slabs and whole numbers fit into the box? Once it is known. */
void amphi_reader_output_fits(AmphiReader *r);
/* job_compute.c */
void amphi_reader_compute(AmphiReader *r);

/* job_literature.c: published results for the molecules of this system; notes a density of <fill>
 * that is far from theirs. */
void amphi_reader_literature(AmphiReader *r);

/* job_physics.c: all attributes that the physics depends on, as texts, and their hash. */
void amphi_reader_physics(AmphiReader *r);
/* Of positions, velocities, orientations, charges and dipoles. False: no memory. */
bool amphi_reader_start_hash(const AmphiSystem *s, uint64_t hash[2]);

/* topology.c: repeats molecules: beads, bonds, exclusions. False: too many, or no memory. */
bool amphi_topology(AmphiReader *r);
/* Is there memory for so many beads, bonds and molecules? Noted when there is not. */
bool amphi_reader_fits(AmphiReader *r, double n);

/* system.c: checks what concerns several parts together. AMPHI_NO_MEMORY; faults are noted. */
AmphiStatus amphi_system_check(const AmphiSystem *system, const AmphiXml *root, AmphiNotes *notes);

#endif
