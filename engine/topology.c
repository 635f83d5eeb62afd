/* The topology of the whole system, from that of its molecules: beads, bonds, exclusions.
 *
 * The memory that this needs is compared with the allowed amount before any is allocated.
 */
#include <stdlib.h>
#include <unistd.h>

#include "reader.h"

/* Bytes for a bead, bond or molecule, in all arrays from reading to simulating. */
static const double bytes_per_bead = 600;

static double memory_limit(const AmphiReader *r)
{
    if (r->options->max_memory > 0)
        return r->options->max_memory;
    return 0.8 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

bool amphi_reader_fits(AmphiReader *r, double n)
{
    const double    needed = bytes_per_bead * n, limit = memory_limit(r);
    const AmphiXml *system = amphi_xml_child(r->root, "system");
    const char     *beads, *bytes, *most;

    if (needed <= limit && n < 2e9)
        return true;
    beads = amphi_arena_print(r->arena, "%.0f", n);
    bytes = amphi_arena_print(r->arena, "%.1f MB", needed * 1e-6);
    most  = amphi_arena_print(r->arena, "%.1f MB", limit * 1e-6);
    if (beads != NULL && bytes != NULL && most != NULL)
        amphi_note(r->notes, SYSTEM_TOO_LARGE, system->where, beads, bytes, most);
    return false;
}

static double count_beads(const AmphiReader *r, double *n_molecules, double *n_bonds)
{
    double n = 0;

    *n_molecules = *n_bonds = 0;
    for (int32_t k = 0; k < r->n_portions; k++) {
        const AmphiMoleculeType *m = &r->system->molecule_type[r->portion[k].molecule_type];

        n += (double)r->portion[k].count * m->n_beads;
        *n_bonds += (double)r->portion[k].count * m->n_bonds;
        *n_molecules += r->portion[k].count;
    }
    return n;
}

typedef struct {
    int32_t *type, *molecule;
    double  *charge, *dipole;
} Beads;

static bool take_beads(AmphiReader *r, Beads *b, int64_t n)
{
    b->type     = AMPHI_TAKE(r->arena, int32_t, n);
    b->molecule = AMPHI_TAKE(r->arena, int32_t, n);
    b->charge   = AMPHI_TAKE(r->arena, double, n);
    b->dipole   = AMPHI_TAKE(r->arena, double, n);
    return b->type != NULL && b->molecule != NULL && b->charge != NULL && b->dipole != NULL;
}

static void add_molecule(AmphiReader *r, int32_t which, const AmphiMolecule *molecule,
                         const Beads *b, AmphiBond *bond)
{
    AmphiSystem             *s = r->system;
    const AmphiMoleculeType *m = &s->molecule_type[molecule->type];

    for (int32_t k = 0; k < m->n_beads; k++) {
        const int32_t at = molecule->first_bead + k;

        b->type[at]     = m->bead_type[k];
        b->molecule[at] = which;
        b->charge[at]   = s->type[m->bead_type[k]].charge_e;
        b->dipole[at]   = s->type[m->bead_type[k]].dipole_e_nm;
    }
    for (int32_t k = 0; k < m->n_bonds; k++) {
        AmphiBond *out = &bond[s->n_bonds++];

        *out = m->bond[k];
        for (int32_t c = 0; c < AMPHI_MAX_BOND_BEADS; c++)
            out->bead[c] += molecule->first_bead;
    }
    s->n_beads += m->n_beads;
}

static int compare_pairs(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;

    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

/* Bonded beads do not interact otherwise; second and third neighbours do. */
static bool exclude_bonded(AmphiReader *r)
{
    AmphiSystem *s    = r->system;
    int32_t(*pair)[2] = amphi_arena_take(r->arena, s->n_bonds, sizeof *pair);
    int32_t n         = 0;

    if (pair == NULL)
        return false;
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBond *bond = &s->bond[k];

        if (!amphi_potential_is_bond(amphi_potential_of_kind(r->bond_rule[bond->rule].kind, true)))
            continue;
        pair[n][0] = bond->bead[0] < bond->bead[1] ? bond->bead[0] : bond->bead[1];
        pair[n][1] = bond->bead[0] < bond->bead[1] ? bond->bead[1] : bond->bead[0];
        n++;
    }
    qsort(pair, (size_t)n, sizeof *pair, compare_pairs);
    s->exclusion    = (const int32_t(*)[2])pair;
    s->n_exclusions = n;
    return true;
}

bool amphi_topology(AmphiReader *r)
{
    AmphiSystem   *s = r->system;
    double         n_molecules, n_bonds;
    const double   n_beads = count_beads(r, &n_molecules, &n_bonds);
    AmphiMolecule *molecule;
    AmphiBond     *bond;
    Beads          beads;

    if (r->n_portions == 0 || !amphi_reader_fits(r, n_beads + n_bonds + n_molecules))
        return false;
    molecule = AMPHI_TAKE(r->arena, AmphiMolecule, (int64_t)n_molecules);
    bond     = AMPHI_TAKE(r->arena, AmphiBond, (int64_t)n_bonds);
    if (molecule == NULL || bond == NULL || !take_beads(r, &beads, (int64_t)n_beads))
        return false;
    for (int32_t p = 0; p < r->n_portions; p++)
        for (int32_t k = 0; k < r->portion[p].count; k++) {
            molecule[s->n_molecules] = (AmphiMolecule){ r->portion[p].molecule_type, s->n_beads };
            add_molecule(r, s->n_molecules, &molecule[s->n_molecules], &beads, bond);
            s->n_molecules++;
        }
    s->molecule         = molecule;
    s->bond             = bond;
    s->bond_rule        = r->bond_rule;
    s->n_bond_rules     = r->n_bond_rules;
    s->bead_type        = beads.type;
    s->bead_molecule    = beads.molecule;
    s->bead_charge_e    = beads.charge;
    s->bead_dipole_e_nm = beads.dipole;
    r->charge           = beads.charge;
    r->dipole           = beads.dipole;
    return exclude_bonded(r);
}
