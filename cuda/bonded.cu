/* Bonded terms: a thread a bond, in order of energy slots so that a warp evaluates one formula. Each
 * bead of a bond has a place of its own for its force; places of a bead lie side by side, in the order
 * of the file, for whoever adds them up.
 *
 * Nearest images come from positions in double; formulas are in the precision of the build.
 */
#include "totals.h"

extern "C" {
#include "../engine/arena.h"
}

typedef struct __align__(16)
{
    int32_t rule, bead[AMPHI_MAX_BOND_BEADS], place[AMPHI_MAX_BOND_BEADS], spare;
}
Bond;

/* What kernels see; device memory. */
typedef struct {
    int32_t         n, first_restraint;
    const Bond     *bond;         /* [n] */
    const BondTerm *term;         /* [n_bond_rules] */
    const double (*anchor_nm)[3]; /* [restraints] */
} Bonds;

struct BondedPlan {
    Bonds     bonds;
    int32_t   first[AMPHI_TERMS + 1]; /* bond of a slot */
    TermSums *part;                   /* [n_bond_blocks] */
};

/* ---- one bond ---- */

/* Beads that the kind does not have: zeros. */
typedef struct {
    int32_t      n;
    BondGeometry g;
    BondResult   b;
} Evaluated;

typedef struct {
    double edge[3], inv_edge[3];
} Images;

__device__ static inline Images images_of(const View &v)
{
    Images out;

    for (int a = 0; a < 3; a++) {
        out.edge[a]     = v.ledger->box_nm[a];
        out.inv_edge[a] = 1 / out.edge[a];
    }
    return out;
}

__device__ static inline real3 nearest_between(const Images &box, const double to[3],
                                               const double from[3])
{
    double d[3];

    for (int a = 0; a < 3; a++) {
        d[a] = to[a] - from[a];
        d[a] -= box.edge[a] * rint(d[a] * box.inv_edge[a]);
    }
    return real3{ (real)d[0], (real)d[1], (real)d[2] };
}

__device__ static inline real3 axis_of(const double q[4])
{
    return real3{ (real)(2 * (q[1] * q[3] + q[0] * q[2])), (real)(2 * (q[2] * q[3] - q[0] * q[1])),
                  (real)(1 - 2 * (q[1] * q[1] + q[2] * q[2])) };
}

/* All that a formula may want; what it does not read is not loaded. */
template <int N_BEADS, int KIND>
__device__ __forceinline__ BondGeometry geometry_of(const View &v, const Bonds &bonds, int32_t k)
{
    const Bond   *bond = &bonds.bond[k];
    const Images  box  = images_of(v);
    const double *at   = v.position_nm[bond->bead[0]];
    BondGeometry  g    = {};

#pragma unroll
    for (int m = 0; m < N_BEADS; m++) {
        if (m > 0)
            g.x[m] = nearest_between(box, v.position_nm[bond->bead[m]], at);
        g.u[m] = axis_of(v.orientation[bond->bead[m]]);
    }
    if (KIND == BOND_position_restraint)
        g.x[0] = nearest_between(box, at, bonds.anchor_nm[k - bonds.first_restraint]);
    return g;
}

#define EVALUATE(name, slot, n_beads)                                                              \
    case BOND_##name:                                                                              \
        out.n = n_beads;                                                                           \
        out.g = geometry_of<n_beads, BOND_##name>(v, bonds, k);                                    \
        out.b = name(&term->as.name, &out.g);                                                      \
        break;

__device__ __forceinline__ static Evaluated evaluate(const View &v, const Bonds &bonds, int32_t k)
{
    const BondTerm *term = &bonds.term[bonds.bond[k].rule];
    Evaluated       out  = {};

    switch (term->kind) {
        BOND_LIST(EVALUATE)
    default:
        break;
    }
    return out;
}

__device__ static inline void put_forces(const View &v, const Bond *bond, const Evaluated &e)
{
#pragma unroll
    for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++)
        if (m < e.n) {
            v.bond_force[bond->place[m]]  = Four{ e.b.f[m].x, e.b.f[m].y, e.b.f[m].z, 0 };
            v.bond_torque[bond->place[m]] = Four{ e.b.t[m].x, e.b.t[m].y, e.b.t[m].z, 0 };
        }
}

template <SumsLevel LEVEL>
__launch_bounds__(BEAD_BLOCK) __global__ static void k_bonds(const View v, const Bonds bonds)
{
    const int32_t k      = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    double        sum[4] = { 0, 0, 0, 0 };

    if (v.ledger->fault != 0)
        return;
    if (k < bonds.n) {
        const Evaluated e = evaluate(v, bonds, k);

        put_forces(v, &bonds.bond[k], e);
        sum[0] = e.b.u;
#pragma unroll
        for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++) {
            sum[1] += (double)e.g.x[m].x * e.b.f[m].x;
            sum[2] += (double)e.g.x[m].y * e.b.f[m].y;
            sum[3] += (double)e.g.x[m].z * e.b.f[m].z;
        }
    }
    if (LEVEL == QUICK)
        put_quick_sums<BEAD_BLOCK>(sum, &v.bond_sums[blockIdx.x]);
}

__device__ static inline void add_bond(const Evaluated &e, TermSums *to)
{
    to->energy += e.b.u;
    to->count += 1;
#pragma unroll
    for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++) {
        const double x[3] = { e.g.x[m].x, e.g.x[m].y, e.g.x[m].z };
        const double f[3] = { e.b.f[m].x, e.b.f[m].y, e.b.f[m].z };

#pragma unroll
        for (int a = 0; a < 9; a++)
            to->virial[a] += x[a / 3] * f[a % 3];
    }
}

/* Bonds from `first` on, n of them. */
__launch_bounds__(BEAD_BLOCK) __global__
    static void k_measure_bonds(const View v, const Bonds bonds, int32_t first, int32_t n,
                                TermSums *part)
{
    const int32_t k    = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    TermSums      mine = {};

    if (v.ledger->fault != 0)
        return;
    if (k < n)
        add_bond(evaluate(v, bonds, first + k), &mine);
    put_term_sums<BEAD_BLOCK>(&mine, 1, &part[blockIdx.x]);
}

AmphiStatus AMPHI_T(bonded_compute)(Device *d, SumsLevel level, cudaStream_t stream,
                                    AmphiError *err)
{
    const int32_t n = d->view.n_bond_blocks;

    if (n == 0)
        return AMPHI_OK;
    if (level == QUICK)
        k_bonds<QUICK><<<n, BEAD_BLOCK, 0, stream>>>(d->view, d->bonded->bonds);
    else
        k_bonds<NO_SUMS><<<n, BEAD_BLOCK, 0, stream>>>(d->view, d->bonded->bonds);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

static int32_t blocks_for(int32_t n_bonds)
{
    return (n_bonds + BEAD_BLOCK - 1) / BEAD_BLOCK;
}

AmphiStatus AMPHI_T(bonded_measure)(Device *d, AmphiError *err)
{
    const struct BondedPlan *plan = d->bonded;

    for (int32_t slot = AMPHI_BOND; slot < AMPHI_TERMS; slot++) {
        const int32_t first = plan->first[slot], n = plan->first[slot + 1] - first;

        if (n > 0) {
            k_measure_bonds<<<blocks_for(n), BEAD_BLOCK, 0, d->stream>>>(d->view, plan->bonds,
                                                                         first, n, plan->part);
            CUDA_TRY_LAUNCH();
        }
        k_add_parts<<<1, SUM_BLOCK, 0, d->stream>>>(d->view, plan->part, blocks_for(n), 1,
                                                    &d->view.term[slot]);
        CUDA_TRY_LAUNCH();
    }
    return AMPHI_OK;
}

/* ---- open ---- */

/* On the host, while the places are given out. */
typedef struct {
    BondTerm *term; /* [n_bond_rules] */
    Bond     *bond; /* [n_bonds] in order of slots */
    double (*anchor_nm)[3];
    int32_t *role_start, *next; /* [n + 1], [n] */
    int32_t  n_roles;
} Draft;

static void free_draft(Draft *t)
{
    amphi_release(t->term);
    amphi_release(t->bond);
    amphi_release(t->anchor_nm);
    amphi_release(t->role_start);
    amphi_release(t->next);
}

static AmphiStatus take_draft(const AmphiSystem *s, Draft *t, AmphiError *err)
{
    t->term       = (BondTerm *)amphi_alloc(s->n_bond_rules + 1, sizeof *t->term);
    t->bond       = (Bond *)amphi_alloc(s->n_bonds + 1, sizeof *t->bond);
    t->anchor_nm  = (double(*)[3])amphi_alloc(s->n_bonds + 1, sizeof *t->anchor_nm);
    t->role_start = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->role_start);
    t->next       = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->next);
    if (t->term == NULL || t->bond == NULL || t->anchor_nm == NULL || t->role_start == NULL ||
        t->next == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bonded terms", s->n_bonds);
    return AMPHI_OK;
}

static void count_roles(const AmphiSystem *s, Draft *t)
{
    for (int32_t k = 0; k < s->n_bonds; k++)
        for (int32_t m = 0; m < t->term[s->bond[k].rule].n_beads; m++)
            t->role_start[s->bond[k].bead[m] + 1]++;
    for (int32_t i = 0; i < s->n_beads; i++) {
        t->next[i] = t->role_start[i];
        t->role_start[i + 1] += t->role_start[i];
    }
    t->n_roles = t->role_start[s->n_beads];
}

/* Where the bonds of each slot begin. */
static void count_slots(const AmphiSystem *s, const Draft *t, int32_t first[AMPHI_TERMS + 1])
{
    for (int32_t k = 0; k < s->n_bonds; k++)
        first[t->term[s->bond[k].rule].slot + 1]++;
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++)
        first[slot + 1] += first[slot];
}

static void place_bonds(const AmphiSystem *s, const int32_t first[AMPHI_TERMS + 1], Draft *t)
{
    int32_t next[AMPHI_TERMS];

    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++)
        next[slot] = first[slot];
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBond *from = &s->bond[k];
        const BondTerm  *term = &t->term[from->rule];
        const int32_t    at   = next[term->slot]++;
        Bond            *to   = &t->bond[at];

        to->rule = from->rule;
        for (int32_t m = 0; m < term->n_beads; m++) {
            to->bead[m]  = from->bead[m];
            to->place[m] = t->next[from->bead[m]]++;
        }
        if (term->kind == BOND_position_restraint)
            for (int a = 0; a < 3; a++)
                t->anchor_nm[at - first[AMPHI_POSITION_RESTRAINT]][a] = s->anchor_nm[k][a];
    }
}

/* A copy of n items on the device. */
template <typename T>
static AmphiStatus put_array(Device *d, const T *from, int64_t n, T **to, AmphiError *err)
{
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, to, err));
    if (n == 0)
        return AMPHI_OK;
    return amphi_device_put(*to, from, sizeof(T) * (size_t)n, d->stream, err);
}

static AmphiStatus put_draft(Device *d, const Draft *t, AmphiError *err)
{
    const AmphiSystem *s    = d->system;
    struct BondedPlan *plan = d->bonded;
    View              *v    = &d->view;
    DeviceMemory      *m    = &d->memory;
    const int32_t      n_restraints =
        plan->first[AMPHI_POSITION_RESTRAINT + 1] - plan->first[AMPHI_POSITION_RESTRAINT];
    BondTerm *term;
    Bond     *bond;
    double(*anchor_nm)[3];

    AMPHI_TRY(put_array(d, t->term, s->n_bond_rules, &term, err));
    AMPHI_TRY(put_array(d, t->bond, s->n_bonds, &bond, err));
    AMPHI_TRY(put_array(d, t->anchor_nm, n_restraints, &anchor_nm, err));
    AMPHI_TRY(put_array(d, t->role_start, (int64_t)s->n_beads + 1, &v->role_start, err));
    AMPHI_TRY(amphi_device_take_array(m, t->n_roles, &v->bond_force, err));
    AMPHI_TRY(amphi_device_take_array(m, t->n_roles, &v->bond_torque, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n_bond_blocks, &v->bond_sums, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n_bond_blocks, &plan->part, err));
    plan->bonds = Bonds{ s->n_bonds, plan->first[AMPHI_POSITION_RESTRAINT], bond, term, anchor_nm };
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(bonded_open)(Device *d, AmphiError *err)
{
    const AmphiSystem *s     = d->system;
    Draft              draft = {};
    AmphiStatus        status;

    d->bonded = AMPHI_TAKE(d->mirror->arena, struct BondedPlan, 1);
    if (d->bonded == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for bonded terms");
    d->view.n_bond_blocks = blocks_for(s->n_bonds);
    status                = take_draft(s, &draft, err);
    if (status == AMPHI_OK) {
        for (int32_t k = 0; k < s->n_bond_rules; k++)
            draft.term[k] = bond_prepare(&s->bond_rule[k]);
        count_roles(s, &draft);
        count_slots(s, &draft, d->bonded->first);
        place_bonds(s, d->bonded->first, &draft);
        status = put_draft(d, &draft, err);
    }
    free_draft(&draft);
    return status;
}
