/* All pairs, one by one. */
#include "build_judge.h"

#include <math.h>

#include "../../forcefield/spec.h"
#include "toy_systems.h"

/* M = sum over both of (D^2 + (L^2 - D^2) u u^T)/2; the contact distance is (n M^-1 n)^(-1/2).
 * Solved by Cramer's rule. */
double judge_contact(const double shape[4], const double u[3], const double v[3], const double n[3])
{
    const double half_i = (shape[1] * shape[1] - shape[0] * shape[0]) / 2;
    const double half_j = (shape[3] * shape[3] - shape[2] * shape[2]) / 2;
    const double round  = (shape[0] * shape[0] + shape[2] * shape[2]) / 2;
    double       m[3][3], det = 0, form = 0;

    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            m[a][b] = (a == b) * round + half_i * u[a] * u[b] + half_j * v[a] * v[b];
    for (int a = 0; a < 3; a++)
        det += m[0][a] *
               (m[1][(a + 1) % 3] * m[2][(a + 2) % 3] - m[1][(a + 2) % 3] * m[2][(a + 1) % 3]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;

            form += n[a] * n[b] * (m[a1][b1] * m[a2][b2] - m[a1][b2] * m[a2][b1]) / det;
        }
    return 1 / sqrt(form);
}

void judge_axis(const double q[4], double u[3])
{
    u[0] = 2 * (q[1] * q[3] + q[0] * q[2]);
    u[1] = 2 * (q[2] * q[3] - q[0] * q[1]);
    u[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

static double contact_of(const Start *s, int32_t i, int32_t j, const double *d, double r)
{
    const int32_t       *type = s->system.bead_type;
    const AmphiPairRule *rule = &s->system.pair_rule[type[i] * s->system.n_types + type[j]];
    double               u[3], v[3], n[3];

    if (rule->n_terms == 0)
        return rule->sigma_nm;
    const double *f        = rule->term[0].field;
    const double  shape[4] = { f[5], f[6], f[9], f[10] };

    judge_axis(s->built.orientation[i], u);
    judge_axis(s->built.orientation[j], v);
    for (int k = 0; k < 3; k++)
        n[k] = d[k] / r;
    return judge_contact(shape, u, v, n);
}

double judge_distance(const Start *s, int32_t i, int32_t j, double d[3])
{
    double r2 = 0;

    for (int k = 0; k < 3; k++) {
        const double edge = s->built.box_nm[k];

        d[k] = s->built.position_nm[i][k] - s->built.position_nm[j][k];
        d[k] -= edge * rint(d[k] / edge);
        r2 += d[k] * d[k];
    }
    return sqrt(r2);
}

static bool is_bonded(const Start *s, int32_t i, int32_t j)
{
    if (s->system.bead_molecule[i] != s->system.bead_molecule[j])
        return false;
    for (int32_t k = 0; k < s->system.n_exclusions; k++)
        if (s->system.exclusion[k][0] == i && s->system.exclusion[k][1] == j)
            return true;
    return false;
}

/* The widest contact of two types, so that far pairs cost one comparison. */
static double widest_of(const AmphiPairRule *rule)
{
    double widest = rule->sigma_nm;

    for (int k = 5; rule->n_terms > 0 && k < 11; k++)
        widest =
            k != 7 && k != 8 && rule->term[0].field[k] > widest ? rule->term[0].field[k] : widest;
    return widest;
}

static double find_closest(const Start *s)
{
    const AmphiSystem *system  = &s->system;
    double             closest = 10;

    for (int32_t i = 0; i < system->n_beads; i++)
        for (int32_t j = i + 1; j < system->n_beads; j++) {
            const AmphiPairRule *rule =
                &system->pair_rule[system->bead_type[i] * system->n_types + system->bead_type[j]];
            double       d[3];
            const double r = judge_distance(s, i, j, d);

            if (r >= widest_of(rule) || is_bonded(s, i, j))
                continue;
            closest = fmin(closest, r / contact_of(s, i, j, d, r));
        }
    return closest;
}

/* Bonds are the first rules of the toys, up to TAIL_TAIL; molecules are whole, so no images. */
static double find_worst_bond(const Start *s)
{
    const int32_t bond  = amphi_spec_find("bond", "harmonic")->kind;
    double        worst = 0;

    for (int32_t k = 0; k < s->system.n_bonds; k++) {
        const AmphiBond     *b    = &s->system.bond[k];
        const AmphiBondRule *rule = &s->system.bond_rule[b->rule];
        const double        *x    = s->built.position_nm[b->bead[0]], *y;

        if (rule->kind != bond)
            continue;
        y              = s->built.position_nm[b->bead[1]];
        const double r = sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                              (x[2] - y[2]) * (x[2] - y[2]));
        worst          = fmax(worst, fabs(r / rule->field[1] - 1));
    }
    return worst;
}

Verdict judge_start(const Start *s)
{
    return (Verdict){ find_closest(s), find_worst_bond(s) };
}

bool judge_wrapping(const Start *s)
{
    for (int32_t m = 0; m < s->system.n_molecules; m++) {
        const AmphiMolecule *molecule = &s->system.molecule[m];
        const int32_t        n        = s->system.molecule_type[molecule->type].n_beads;

        for (int k = 0; k < 3; k++) {
            double middle = 0;

            for (int32_t b = 0; b < n; b++)
                middle += s->built.position_nm[molecule->first_bead + b][k] / n;
            /* 1e-9 nm: the mean of thirteen coordinates rounds */
            if (middle < (n == 1 ? 0 : -1e-9) || middle >= s->built.box_nm[k] + (n == 1 ? 0 : 1e-9))
                return false;
        }
    }
    return true;
}

bool judge_quaternions(const Start *s)
{
    for (int32_t b = 0; b < s->system.n_beads; b++) {
        const double *q = s->built.orientation[b];

        if (fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > 1e-12)
            return false;
    }
    return true;
}

static double mean_height(const Start *s, int32_t first, const int32_t *bead, int32_t n)
{
    double sum = 0;

    for (int32_t k = 0; k < n; k++)
        sum += s->built.position_nm[first + bead[k]][2];
    return sum / n;
}

double judge_middle_plane(const Start *s)
{
    double  sum = 0;
    int32_t n   = 0;

    for (int32_t b = 0; b < s->system.n_beads; b++)
        if (s->system.bead_type[b] == TOY_TAIL) {
            sum += s->built.position_nm[b][2];
            n++;
        }
    return sum / n;
}

/* Heads of `side` (1: up) are beyond both tails of their lipid and on their side of the middle. */
static bool lipid_stands(const Start *s, int32_t molecule, double side, double middle)
{
    const AmphiMolecule     *m    = &s->system.molecule[molecule];
    const AmphiMoleculeType *type = &s->system.molecule_type[m->type];
    const double             head = mean_height(s, m->first_bead, type->head, type->n_heads);

    if (side * (head - middle) < 1)
        return false;
    for (int32_t t = 0; t < type->n_tails; t++)
        if (side *
                (head - mean_height(s, m->first_bead, type->tail[t].bead, type->tail[t].n_beads)) <
            0.3)
            return false;
    return true;
}

/* The first n_upper molecules up, the next n_lower down, and no water in the tails. */
bool judge_leaflets(const Start *s, int32_t n_upper, int32_t n_lower)
{
    const double middle = judge_middle_plane(s);

    for (int32_t m = 0; m < n_upper + n_lower; m++)
        if (!lipid_stands(s, m, m < n_upper ? 1 : -1, middle))
            return false;
    for (int32_t b = 0; b < s->system.n_beads; b++)
        if (s->system.bead_type[b] == TOY_WAT && fabs(s->built.position_nm[b][2] - middle) < 0.6)
            return false;
    return true;
}
