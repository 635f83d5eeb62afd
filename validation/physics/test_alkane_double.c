/* Where the chains of B08o are from: an ellipsoid stands for three carbons, and how far apart two
 * in a row are, and how they bend, is what an alkane of united atoms does by itself. One chain is
 * sampled by Monte Carlo over its torsions, with the bonds, angles, torsions and Lennard-Jones of
 * TraPPE-UA: Martin & Siepmann, J. Phys. Chem. B 102, 2569 (1998).
 */
#define AMPHI_BUILD_DOUBLE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../forcefield/bonds.h"
#include "../property/draw.h"
#include "../unit/job_folder.h"

enum { MOST = 15, SEGMENT = 3 };

/* nm, rad; energies over k_B in K */
static const double bond_nm = 0.154, angle = 114 * 3.141592653589793 / 180, pi = 3.141592653589793;
static const double sigma_nm = 0.395, epsilon = 46, temperature = 303.15;
static const double kT = 8.314462618e-3 * 303.15; /* kJ/mol */

typedef struct {
    int    n; /* carbons */
    double torsion[MOST - 3];
    double x[MOST][3]; /* nm */
    double energy;     /* K */
} Chain;

/* A torsion of four CH2, K; trans is pi. */
static double torsion_energy(double t)
{
    return 355.03 * (1 + cos(t)) - 68.19 * (1 - cos(2 * t)) + 791.32 * (1 + cos(3 * t));
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* to - from, made a unit vector; returns its length. */
static double towards(const double from[3], const double to[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = to[k] - from[k];
    const double length = sqrt(dot(out, out));
    for (int k = 0; k < 3; k++)
        out[k] /= length;
    return length;
}

/* Places the carbons by their torsions, and adds up what the chain costs. Carbons four bonds and
 * more apart meet as Lennard-Jones spheres. */
static void chain_place(Chain *c)
{
    const double start[3][3] = { { 0, 0, 0 },
                                 { bond_nm, 0, 0 },
                                 { bond_nm * (1 - cos(angle)), bond_nm * sin(angle), 0 } };

    memcpy(c->x, start, sizeof start);
    c->energy = 0;
    for (int i = 3; i < c->n; i++) {
        const double t = c->torsion[i - 3];
        double       before[3], along[3], normal[3], across[3];

        towards(c->x[i - 3], c->x[i - 2], before);
        towards(c->x[i - 2], c->x[i - 1], along);
        cross(before, along, normal);
        const double size = sqrt(dot(normal, normal));
        for (int k = 0; k < 3; k++)
            normal[k] /= size;
        cross(normal, along, across);
        for (int k = 0; k < 3; k++)
            c->x[i][k] =
                c->x[i - 1][k] + bond_nm * (-cos(angle) * along[k] +
                                            sin(angle) * (cos(t) * across[k] + sin(t) * normal[k]));
        c->energy += torsion_energy(t);
        for (int j = 0; j < i - 3; j++) {
            double       d[3];
            const double s = pow(sigma_nm / towards(c->x[j], c->x[i], d), 6);
            c->energy += 4 * epsilon * (s * s - s);
        }
    }
}

/* One torsion anew, or turned a little; the old chain where the new one costs too much. */
static void chain_move(Chain *c, uint64_t *seed)
{
    const int    k     = (int)draw(seed, 0, c->n - 3);
    const double old   = c->energy;
    Chain        moved = *c;

    moved.torsion[k] =
        draw(seed, 0, 1) < 0.5 ? draw(seed, -pi, pi) : moved.torsion[k] + draw(seed, -0.5, 0.5);
    chain_place(&moved);
    if (draw(seed, 0, 1) < exp((old - moved.energy) / temperature))
        *c = moved;
}

static Chain straight(int n)
{
    Chain c = { .n = n };

    for (int k = 0; k < n - 3; k++)
        c.torsion[k] = pi;
    chain_place(&c);
    return c;
}

/* Distances of centres of three carbons, and cosines of the bend at each: sums and counts. */
typedef struct {
    double distance, cosine;
    long   n_distances, n_cosines;
} Shape;

static void shape_add(Shape *s, const Chain *c)
{
    double centre[MOST / SEGMENT][3] = { { 0 } };
    double way[2][3];

    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < 3; k++)
            centre[i / SEGMENT][k] += c->x[i][k] / SEGMENT;
    for (int i = 1; i < c->n / SEGMENT; i++) {
        s->distance += towards(centre[i - 1], centre[i], way[i % 2]);
        s->n_distances++;
        if (i == 1)
            continue;
        s->cosine += dot(way[0], way[1]);
        s->n_cosines++;
    }
}

static Shape shape_of_longest(long moves)
{
    uint64_t seed  = 1;
    Chain    c     = straight(MOST);
    Shape    shape = { 0 };

    for (long k = 0; k < moves; k++) {
        chain_move(&c, &seed);
        if (k > moves / 20 && k % 5 == 0)
            shape_add(&shape, &c);
    }
    return shape;
}

/* The rule of the bonded term of `kind` on these beads of DMPC. */
static const AmphiBondRule *rule_of(const AmphiSystem *system, int kind, int first, int second)
{
    const AmphiMoleculeType *const type = &system->molecule_type[system->molecule[0].type];

    for (int k = 0; k < type->n_bonds; k++) {
        const AmphiBondRule *const rule = &system->bond_rule[type->bond[k].rule];
        if (rule->kind == kind && type->bond[k].bead[0] == first && type->bond[k].bead[1] == second)
            return rule;
    }
    return NULL;
}

/* Mean cosine of the bend, pi less the angle, of a free angle term. */
static double mean_bend(const struct angle_cosine_squared *p)
{
    enum { PARTS = 20000 };
    double sum = 0, weight = 0;

    for (int k = 0; k < PARTS; k++) {
        const double c = -1 + (k + 0.5) * 2 / PARTS;
        const double w = exp(-p->k * (-c - p->cos0) * (-c - p->cos0) / kT);
        sum += c * w;
        weight += w;
    }
    return sum / weight;
}

static void four_carbons_are_trans_as_often_as_their_torsion_says(void **state)
{
    enum { PARTS = 20000, MOVES = 400000 };
    double   trans = 0, all = 0, found = 0;
    uint64_t seed = 1;
    Chain    c    = straight(4);

    (void)state;
    for (int k = 0; k < PARTS; k++) {
        const double t = (k + 0.5) * 2 * pi / PARTS;
        const double w = exp(-torsion_energy(t) / temperature);
        all += w;
        trans += cos(t) < -0.5 ? w : 0;
    }
    for (int k = 0; k < MOVES; k++) {
        chain_move(&c, &seed);
        found += cos(c.torsion[0]) < -0.5 ? 1.0 / MOVES : 0;
    }
    print_message("butane, trans: %.4f, exactly %.4f\n", found, trans / all);
    assert_true(fabs(found - trans / all) < 0.01);
}

/* Two segments of an alkane in a row, as a bond of the tails has them. All trans they would be
 * farther apart, by more than the bar. */
static void tails_are_as_long_and_bend_as_alkanes_do(void **state)
{
    const Shape  shape    = shape_of_longest(400000);
    const Chain  trans    = straight(MOST);
    Shape        longest  = { 0 };
    JobReading   reading  = read_job_file(data_folder(), "systems/bilayer-b08o.xml");
    const double distance = shape.distance / (double)shape.n_distances;
    const double cosine   = shape.cosine / (double)shape.n_cosines;

    (void)state;
    shape_add(&longest, &trans);
    assert_non_null(reading.job);
    const AmphiSystem *const   system = &reading.job->system;
    const AmphiBondRule *const bond   = rule_of(system, BOND_bond_harmonic, 4, 5);
    const AmphiBondRule *const bend   = rule_of(system, BOND_angle_cosine_squared, 4, 5);
    assert_non_null(bond);
    assert_non_null(bend);
    const double   length     = bond_prepare(bond).as.bond_harmonic.length;
    const BondTerm angle_term = bond_prepare(bend);
    const double   model      = mean_bend(&angle_term.as.angle_cosine_squared);
    reading_free(&reading);

    print_message("three carbons to the next three: %.4f nm, a bond %.4f nm, all trans %.4f nm\n",
                  distance, length, longest.distance / (double)longest.n_distances);
    print_message("mean cosine of a bend: %.3f, of an angle term %.3f\n", cosine, model);
    assert_true(fabs(distance - length) < 0.003);
    assert_true(longest.distance / (double)longest.n_distances - length > 0.02);
    assert_true(fabs(cosine - model) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_carbons_are_trans_as_often_as_their_torsion_says),
        cmocka_unit_test(tails_are_as_long_and_bend_as_alkanes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
