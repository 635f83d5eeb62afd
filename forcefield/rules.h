/* What acts between two bead types, and along bonds, as checked input in double. Backends prepare
 * their kernel constants from it. Does not depend on the precision of the build.
 *
 * `kind` is a PairKind (pairs.h) or BondKind (bonds.h); `field` has the numbers of the potential in
 * the order of its field list, in internal units.
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

/* All terms between beads of types i and j. The rule of [j][i] has the same terms with the roles of
 * i and j exchanged. */
typedef struct {
    int32_t       n_terms;
    double        cutoff_nm; /* the largest of the terms */
    double        sigma_nm;  /* contact distance, for overlap checks; 0: none */
    AmphiPairTerm term[AMPHI_MAX_PAIR_TERMS];
} AmphiPairRule;

/* A bonded potential with its numbers; many bonds may refer to it. */
typedef struct {
    int32_t kind; /* BondKind */
    double  field[AMPHI_MAX_FIELDS];
} AmphiBondRule;

typedef struct {
    int32_t rule;                       /* index into AmphiSystem.bond_rule */
    int32_t bead[AMPHI_MAX_BOND_BEADS]; /* as many as the kind has */
} AmphiBond;

#endif
