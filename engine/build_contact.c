/* Contact distances of all pairs of types, spheres and ellipsoids. */
#include "build_contact.h"

#include "../forcefield/spec.h"
#include "build_space.h"

/*   sigma0^2 = (D_i^2 + D_j^2)/2,  X_i = (L_i^2 - D_i^2)/(L_i^2 + D_j^2)
 *
 * and the contact is never wider than sqrt((M_i^2 + M_j^2)/2), M the larger of L and D: it is the
 * square root of the reciprocal form of a matrix whose eigenvalues are at most that large. */
AmphiContact amphi_contact_of_ellipsoids(const AmphiPotential *p, const double *field)
{
    const double Di = amphi_field_value(p, field, "breadth_i");
    const double Li = amphi_field_value(p, field, "length_i");
    const double Dj = amphi_field_value(p, field, "breadth_j");
    const double Lj = amphi_field_value(p, field, "length_j");
    const double Mi = Li > Di ? Li : Di, Mj = Lj > Dj ? Lj : Dj;

    return (AmphiContact){
        .sigma_nm  = sqrt((Di * Di + Dj * Dj) / 2),
        .widest_nm = sqrt((Mi * Mi + Mj * Mj) / 2),
        .xi        = (Li * Li - Di * Di) / (Li * Li + Dj * Dj),
        .xj        = (Lj * Lj - Dj * Dj) / (Lj * Lj + Di * Di),
    };
}

static AmphiContact contact_of_rule(const AmphiPairRule *rule)
{
    for (int32_t k = 0; k < rule->n_terms; k++) {
        const AmphiPotential *p = amphi_potential_of_kind(rule->term[k].kind, false);

        if (p != NULL && p->slot == AMPHI_GAY_BERNE &&
            amphi_field_value(p, rule->term[k].field, "epsilon") > 0)
            return amphi_contact_of_ellipsoids(p, rule->term[k].field);
    }
    return (AmphiContact){ .sigma_nm = rule->sigma_nm, .widest_nm = rule->sigma_nm };
}

AmphiContact *amphi_contacts_make(const AmphiSystem *types, AmphiArena *arena)
{
    const int64_t n       = (int64_t)types->n_types * types->n_types;
    AmphiContact *contact = AMPHI_TAKE(arena, AmphiContact, n);

    if (contact == NULL)
        return NULL;
    for (int64_t k = 0; k < n; k++)
        contact[k] = contact_of_rule(&types->pair_rule[k]);
    return contact;
}

/* sigma = sigma0 (1 - H)^(-1/2), H = [X_i x^2 + X_j y^2 - 2 X_i X_j x y z] / (1 - X_i X_j z^2) */
double amphi_contact_nm(const AmphiContact *c, const double axis_i[3], const double axis_j[3],
                        const double d[3], double r)
{
    if (c->xi == 0 && c->xj == 0)
        return c->sigma_nm;

    const double x = amphi_dot(axis_i, d) / r, y = amphi_dot(axis_j, d) / r;
    const double z  = amphi_dot(axis_i, axis_j);
    const double x2 = c->xi * c->xj;
    const double H  = (c->xi * x * x + c->xj * y * y - 2 * x2 * x * y * z) / (1 - x2 * z * z);

    return c->sigma_nm / sqrt(1 - H);
}
