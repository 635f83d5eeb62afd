/* The lines of a job that its pair rules are made of. Private to engine/job_pair*.c:
 *
 *   job_pair_lines.c  reads them, those of the force fields and then those of the job
 *   job_pairs.c       makes a rule of them for every pair of types
 */
#ifndef AMPHI_ENGINE_JOB_PAIRS_H
#define AMPHI_ENGINE_JOB_PAIRS_H

#include <string.h>

#include "reader.h"

/* The families of <treatment of="...">; family_name in job_pair_lines.c has their names there. */
typedef enum {
    PAIR_LENNARD_JONES,
    PAIR_CHARGES,
    PAIR_DIPOLES,
    PAIR_GAY_BERNE,
    PAIR_FAMILIES
} AmphiPairFamily;

/* One potential between two types of beads in use. */
typedef struct {
    const AmphiXml *xml;
    int32_t         next; /* of the same types; -1: none */
} AmphiPairLine;

typedef struct {
    const AmphiXml *xml;
    bool            of[PAIR_FAMILIES];
    AmphiTreatment  treatment; /* cutoff_nm 0: the common one */
} AmphiTreatmentLine;

typedef struct {
    const AmphiXml *xml;
    int32_t         i, j;
} AmphiOverrideLine;

/* A factor on a parameter of two types, and the override that has set it; NULL: none has. */
typedef struct {
    double          factor;
    const AmphiXml *xml;
} AmphiPairScale;

/* Tables [n_types][n_types] are symmetric; -1 stands for no line. */
typedef struct {
    AmphiReader        *r;
    AmphiSystem        *s;
    int32_t             n_pairs, n_treatments, n_overrides;
    AmphiPairLine      *pair;
    AmphiTreatmentLine *treatment;
    AmphiOverrideLine  *override;
    int32_t            *first_pair;                    /* the chain of lines of two types */
    int32_t            *last_treatment[PAIR_FAMILIES]; /* the last line that names two types */
    int32_t             last_of_all[PAIR_FAMILIES];    /* the last line for all pairs */
    AmphiPairScale     *scale_epsilon, *scale_sigma;
    const AmphiXml     *mixing;
    double              cutoff_nm; /* 0: none given */
    const AmphiXml     *cutoff;    /* that gives it */
    bool   is_of_force_field;      /* the line that is read: no other is to replace it there */
    double coulomb;                /* over the relative permittivity */
    double relative_permittivity;
    bool  *has_charge, *has_dipole;  /* [n_types] some bead of the type has */
    bool missing[PAIR_FAMILIES + 1]; /* noted already: no treatment; [PAIR_FAMILIES]: no cut-off */
    /* some cannot be read (noted), and what is missing may be that */
    bool lacks_pairs, lacks_treatments, lacks_cutoff;
} AmphiPairBook;

/* Index of a pair of types in the tables, and of the same pair reversed. */
static inline int64_t amphi_pair_place(const AmphiPairBook *b, int32_t i, int32_t j)
{
    return (int64_t)i * b->s->n_types + j;
}

static inline bool amphi_pair_is_potential(const AmphiXml *xml, const char *potential)
{
    const char *name = amphi_xml_text(xml, "potential");

    return name != NULL && strcmp(name, potential) == 0;
}

/* "charges": the name of a family, and a potential of it with the treatments that it allows; NULL
 * of PAIR_FAMILIES. */
const char           *amphi_pair_family(AmphiPairFamily family);
const AmphiPotential *amphi_pair_family_potential(AmphiPairFamily family);

/* Takes the tables, for the types in use, and enters every line; faults are noted. False: no
 * memory. Of b->r and b->s alone. */
bool amphi_pair_lines(AmphiPairBook *b);

#endif
