/* The residues of a coordinate file against the molecules of a job. */
#include <string.h>

#include "job_start.h"

AmphiWhere amphi_bead_line(const AmphiSnapshot *snap, int32_t bead)
{
    return (AmphiWhere){ snap->path, snap->line != NULL ? snap->line[bead] : 0 };
}

bool amphi_names_agree(const char *name, const char *in_file)
{
    const size_t n = strlen(in_file);

    return strcmp(name, in_file) == 0 || (n >= 4 && strncmp(name, in_file, n) == 0);
}

/* ---- residues ---- */

static bool same_residue(const AmphiSnapshot *snap, int32_t a, int32_t b)
{
    return snap->molecule[a] == snap->molecule[b] &&
           (snap->molecule_name == NULL ||
            strcmp(snap->molecule_name[a].text, snap->molecule_name[b].text) == 0);
}

/* The beads of the residue that begins with this one. */
static int32_t residue_length(const AmphiSnapshot *snap, int32_t first)
{
    int32_t n = 1;

    while (first + n < snap->n_beads && same_residue(snap, first, first + n))
        n++;
    return n;
}

const char *amphi_reader_parting(AmphiReader *r, const AmphiSnapshot *snap)
{
    int32_t bead = 0;

    if (snap->molecule == NULL)
        return "";
    for (int32_t k = 0; k < r->system->n_molecules && bead < snap->n_beads; k++) {
        const int32_t n = r->system->molecule_type[r->system->molecule[k].type].n_beads;
        const int32_t m = residue_length(snap, bead);

        if (m != n) {
            const int64_t     line  = amphi_bead_line(snap, bead).line; /* a checkpoint has none */
            const char *const where = line > 0 ? "line" : "bead";
            const int64_t     at    = line > 0 ? line : bead + 1;
            const char       *out;

            out = amphi_arena_print(
                r->arena, "They part at %s %lld of %s: residue %d has %d bead%s, not %d.", where,
                (long long)at, snap->path, snap->molecule[bead], m, m == 1 ? "" : "s", n);
            return out != NULL ? out : "";
        }
        bead += n;
    }
    return "";
}

/* ---- what <molecule> elements would be ---- */

/* The molecule type that a residue is called, of as many beads; NULL: none. */
static const char *type_called(const AmphiReader *r, const char *name, int32_t n_beads)
{
    const char *near = NULL;

    for (int32_t k = 0; name[0] != '\0' && k < r->n_molecule_types; k++) {
        const AmphiMoleculeType *type = &r->molecule_type[k];

        if (type->n_beads != n_beads || !amphi_names_agree(type->name, name))
            continue;
        if (strcmp(type->name, name) == 0)
            return type->name;
        near = near == NULL ? type->name : near;
    }
    return near;
}

static const char *with_molecules(AmphiReader *r, const char *list, const char *type, int32_t count)
{
    const char *out = amphi_arena_print(r->arena, "%s%s<molecule type=\"%s\" count=\"%d\"/>", list,
                                        list[0] != '\0' ? " " : "", type, (int)count);

    return out != NULL ? out : "";
}

const char *amphi_reader_residues(AmphiReader *r, const AmphiSnapshot *snap)
{
    enum { MOST_ELEMENTS = 20 };
    const char *list = "", *type = NULL;
    int32_t     count = 0, n = 0;

    if (snap->molecule == NULL || snap->molecule_name == NULL)
        return "";
    for (int32_t bead = 0, length; bead < snap->n_beads; bead += length) {
        length = residue_length(snap, bead);

        const char *next = type_called(r, snap->molecule_name[bead].text, length);
        if (next == NULL)
            return "";
        if (type != NULL && strcmp(type, next) != 0) {
            if (++n == MOST_ELEMENTS)
                return "";
            list  = with_molecules(r, list, type, count);
            count = 0;
        }
        type = next;
        count++;
    }
    return type != NULL ? with_molecules(r, list, type, count) : "";
}

/* ---- contradictions ---- */

/* A residue of the file, and the molecule of the job that its first bead is in. */
typedef struct {
    int32_t                  first, n; /* beads of the residue */
    const char              *name;     /* "": none */
    const AmphiMolecule     *molecule;
    const AmphiMoleculeType *type;
    bool                     is_ours; /* it has the name of the molecule */
} Residue;

static Residue residue_at(const AmphiSystem *s, const AmphiSnapshot *snap, int32_t first)
{
    const AmphiMolecule     *m    = &s->molecule[s->bead_molecule[first]];
    const AmphiMoleculeType *t    = &s->molecule_type[m->type];
    const char              *name = snap->molecule_name[first].text;

    return (Residue){ first, residue_length(snap, first),     name, m,
                      t,     amphi_names_agree(t->name, name) };
}

static bool fits(const Residue *e)
{
    const int32_t before = e->first - e->molecule->first_bead;

    return e->is_ours ? before == 0 && e->n == e->type->n_beads : before + e->n <= e->type->n_beads;
}

/* Is it called like a molecule type of the force field? */
static bool is_a_type(const AmphiReader *r, const char *name)
{
    for (int32_t k = 0; k < r->n_molecule_types; k++)
        if (amphi_names_agree(r->molecule_type[k].name, name))
            return true;
    return false;
}

static bool note_contradiction(AmphiReader *r, const AmphiSnapshot *snap, const Residue *e,
                               const char *expected)
{
    const char *found = amphi_arena_print(
        r->arena, "residue %d, %s of %d bead%s", snap->molecule[e->first],
        e->name[0] != '\0' ? e->name : "without a name", e->n, e->n == 1 ? "" : "s");

    if (found != NULL && expected != NULL)
        amphi_note(r->notes, RESIDUES_DIFFER, amphi_bead_line(snap, e->first), found, expected);
    return false;
}

static bool note_misfit(AmphiReader *r, const AmphiSnapshot *snap, const Residue *e)
{
    const int32_t n      = e->type->n_beads;
    const int32_t before = e->first - e->molecule->first_bead;
    const char   *where =
        before == 0 ? "" : amphi_arena_print(r->arena, ", bead %d of it", before + 1);

    return note_contradiction(r, snap, e,
                              amphi_arena_print(r->arena, "%s of %d bead%s%s", e->type->name, n,
                                                n == 1 ? "" : "s", where != NULL ? where : ""));
}

/* `like`: the bead in the same place of the first molecule of the type. */
static bool check_name(AmphiReader *r, const AmphiSnapshot *snap, const Residue *e, int32_t like)
{
    const char *first = snap->molecule_name[like].text;

    if (!e->is_ours && is_a_type(r, e->name))
        return note_misfit(r, snap, e);
    if (strcmp(first, e->name) == 0)
        return true;
    return note_contradiction(r, snap, e,
                              amphi_arena_print(r->arena, "%s, which is called %s in line %lld",
                                                e->type->name, first,
                                                (long long)amphi_bead_line(snap, like).line));
}

static void note_strange_name(AmphiReader *r, const AmphiSnapshot *snap, int32_t first, int32_t n)
{
    const AmphiSystem *s = r->system;

    if (n > 0)
        amphi_note(r->notes, RESIDUE_NAMES_DIFFER, amphi_bead_line(snap, first),
                   amphi_reader_digits(r, snap->molecule[first]), snap->molecule_name[first].text,
                   s->molecule_type[s->molecule[s->bead_molecule[first]].type].name,
                   amphi_reader_digits(r, n));
}

/* The first bead of each type's first molecule, [n_molecule_types]. */
static int32_t *first_of_types(AmphiReader *r)
{
    const AmphiSystem *s   = r->system;
    int32_t           *out = AMPHI_TAKE(r->arena, int32_t, s->n_molecule_types);

    for (int32_t k = s->n_molecules - 1; out != NULL && k >= 0; k--)
        out[s->molecule[k].type] = s->molecule[k].first_bead;
    return out;
}

bool amphi_reader_check_residues(AmphiReader *r, const AmphiSnapshot *snap)
{
    const AmphiSystem *s       = r->system;
    const int32_t     *first   = first_of_types(r);
    int32_t            strange = 0, n_strange = 0;

    if (first == NULL || snap->molecule == NULL || snap->molecule_name == NULL ||
        residue_length(snap, 0) == s->n_beads)
        return true;
    for (int32_t i = 0; i < s->n_beads;) {
        const Residue e    = residue_at(s, snap, i);
        const int32_t like = first[e.molecule->type] + i - e.molecule->first_bead;

        if (!fits(&e))
            return note_misfit(r, snap, &e);
        if (e.name[0] != '\0' && !check_name(r, snap, &e, like))
            return false;
        if (e.name[0] != '\0' && !e.is_ours && n_strange++ == 0)
            strange = i;
        i += e.n;
    }
    note_strange_name(r, snap, strange, n_strange);
    return true;
}
