/* What acts between two types of beads, and along bonds, as checked input: kinds and numbers in
 * double, before any backend prepares kernel constants from them. Untyped.
 *
 * `kind` counts along the lists of pairs.h and bonds.h; `field` holds the potential's input in the
 * order of its field list.
 */
#ifndef AMPHI_FORCEFIELD_RULES_H
#define AMPHI_FORCEFIELD_RULES_H

#include <stdint.h>

#include "treatment.h"

enum { AMPHI_MAX_FIELDS = 16, AMPHI_MAX_PAIR_TERMS = 8, AMPHI_MAX_BOND_BEADS = 3 };

typedef struct {
    int32_t        kind; /* PairKind */
    AmphiTreatment treatment;
    double         field[AMPHI_MAX_FIELDS];
} AmphiPairTerm;

/* All that acts between beads of type i and type j; [i][j] and [j][i] are mirror images. */
typedef struct {
    int32_t       n_terms;
    double        cutoff_nm; /* the largest of the terms */
    double        sigma_nm;  /* contact distance, for overlap checks; 0: none */
    AmphiPairTerm term[AMPHI_MAX_PAIR_TERMS];
} AmphiPairRule;

/* One kind of bonded term with its numbers; bonds refer to it. */
typedef struct {
    int32_t kind; /* BondKind */
    double  field[AMPHI_MAX_FIELDS];
} AmphiBondRule;

typedef struct {
    int32_t rule;                       /* index into AmphiSystem.bond_rule */
    int32_t bead[AMPHI_MAX_BOND_BEADS]; /* as many as the kind has */
} AmphiBond;

#endif
