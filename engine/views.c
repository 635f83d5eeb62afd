/* topology.psf and the scripts for VMD and PyMOL. */
#include "views.h"

#include <string.h>

#include "formats/formats.h"
#include "formats/sink.h"
#include "formats/trajectory.h"

/* ---- topology ---- */

/* Bonds whose beads are all chosen, renumbered. `new_of` is -1 for those that are not. */
static int32_t pick_bonds(int32_t *from, int32_t n, int32_t width, const int32_t *new_of)
{
    int32_t n_kept = 0;

    for (int32_t k = 0; k < n; k++) {
        int32_t *const row  = from + (int64_t)k * width;
        bool           kept = true;

        for (int32_t b = 1; b < width; b++)
            kept = kept && new_of[row[b]] >= 0;
        if (!kept)
            continue;
        for (int32_t b = 0; b < width; b++)
            from[(int64_t)n_kept * width + b] = b == 0 ? row[0] : new_of[row[b]];
        n_kept++;
    }
    return n_kept;
}

/* Keeps the chosen beads; in ascending order, so that nothing is overwritten before it is moved. */
static bool pick_beads(AmphiSnapshot *s, const int32_t *bead, int32_t n, AmphiArena *arena)
{
    int32_t *const new_of = AMPHI_TAKE(arena, int32_t, s->n_beads);

    if (new_of == NULL)
        return false;
    for (int32_t i = 0; i < s->n_beads; i++)
        new_of[i] = -1;
    for (int32_t i = 0; i < n; i++) {
        const int32_t old   = bead[i];
        new_of[old]         = i;
        s->bead_name[i]     = s->bead_name[old];
        s->molecule_name[i] = s->molecule_name[old];
        s->molecule[i]      = s->molecule[old];
        s->type[i]          = s->type[old];
        s->mass_u[i]        = s->mass_u[old];
        s->charge_e[i]      = s->charge_e[old];
    }
    s->n_beads  = n;
    s->n_bonds  = pick_bonds(&s->bond[0][0], s->n_bonds, 3, new_of);
    s->n_angles = pick_bonds(&s->angle[0][0], s->n_angles, 4, new_of);
    return true;
}

AmphiStatus amphi_topology_write(const AmphiObserverPlace *place, const int32_t *bead,
                                 int32_t n_beads, AmphiError *err)
{
    AmphiArena *const    arena = amphi_arena_new();
    AmphiSnapshot *const s = arena == NULL ? NULL : amphi_snapshot_of_system(place->system, arena);
    const bool  is_ready   = s != NULL && (bead == NULL || pick_beads(s, bead, n_beads, arena));
    char        path[AMPHI_PATH_SIZE];
    AmphiStatus status = AMPHI_NO_MEMORY;

    snprintf(path, sizeof path, "%s/topology.psf", place->dir);
    status = is_ready ? amphi_format_psf.write(path, s, err)
                      : amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", path);
    amphi_arena_free(arena);
    return status;
}

/* ---- scripts ---- */

/* As names stand in final.gro, which PyMOL reads: five bytes of them. */
static void print_short(AmphiSink *sink, const char *name)
{
    char text[6];

    snprintf(text, sizeof text, "%.5s", name);
    amphi_sink_text(sink, text);
}

/* "DMPC DOPC", between quotation marks of VMD or with + of PyMOL. */
static void print_molecules(AmphiSink *sink, const AmphiSystem *s, bool of_lipids,
                            const char *between,
                            void (*print_name)(AmphiSink *sink, const char *name))
{
    bool is_first = true;

    for (int32_t t = 0; t < s->n_molecule_types; t++) {
        if ((strcmp(s->molecule_type[t].kind, "lipid") == 0) != of_lipids)
            continue;
        amphi_sink_print(sink, "%s", is_first ? "" : between);
        print_name(sink, s->molecule_type[t].name);
        is_first = false;
    }
}

static int32_t count_kinds(const AmphiSystem *s, bool of_lipids)
{
    int32_t n = 0;

    for (int32_t t = 0; t < s->n_molecule_types; t++)
        n += (strcmp(s->molecule_type[t].kind, "lipid") == 0) == of_lipids;
    return n;
}

static void print_vmd_rest(AmphiSink *sink, const AmphiSystem *s, bool of_lipids, const char *style)
{
    if (count_kinds(s, of_lipids) == 0)
        return;
    amphi_sink_print(sink, "mol representation %s\nmol selection {resname ", style);
    print_molecules(sink, s, of_lipids, " ", amphi_sink_text);
    amphi_sink_print(sink, "}\nmol addrep top\n");
}

static AmphiStatus write_vmd(const AmphiObserverPlace *place, bool is_xtc, AmphiError *err)
{
    char      path[AMPHI_PATH_SIZE];
    AmphiSink sink;

    snprintf(path, sizeof path, "%s/view.vmd", place->dir);
    amphi_sink_open(&sink, path);
    amphi_sink_print(&sink,
                     "# vmd -e view.vmd\n"
                     "set here [file dirname [info script]]\n"
                     "mol new [file join $here topology.psf] type psf waitfor all\n"
                     "mol addfile [file join $here %s] type %s waitfor all\n"
                     "mol delrep 0 top\n"
                     "mol color Name\n",
                     amphi_trajectory_name(is_xtc), is_xtc ? "xtc" : "dcd");
    print_vmd_rest(&sink, place->system, true, "CPK 4.0 2.0 12 12");
    print_vmd_rest(&sink, place->system, false, "Points 4");
    amphi_sink_print(&sink, "pbc box -center unitcell\n"
                            "display projection Orthographic\n"
                            "axes location Off\n"
                            "color Display Background white\n"
                            "rotate x by -90\n");
    return amphi_sink_close(&sink, err);
}

/* PyMOL does not read PSF, and the beads are too far apart for it to guess bonds, so that every
 * bond is written. */
static void print_pymol_bonds(AmphiSink *sink, bool is_xtc)
{
    amphi_sink_print(sink,
                     "python\n"
                     "lines = iter(open('topology.psf'))\n"
                     "n = next(int(l.split()[0]) for l in lines if '!NBOND' in l)\n"
                     "ends = []\n"
                     "while len(ends) < 2 * n:\n"
                     "    ends += next(lines).split()\n"
                     "for a, b in zip(ends[::2], ends[1::2]):\n"
                     "    cmd.bond('final and index ' + a, 'final and index ' + b)\n"
                     "python end\n"
                     "load_traj %s, final\n",
                     amphi_trajectory_name(is_xtc));
}

static void print_pymol_style(AmphiSink *sink, const AmphiSystem *s, bool of_lipids,
                              const char *name, const char *style)
{
    if (count_kinds(s, of_lipids) == 0)
        return;
    amphi_sink_print(sink, "select %s, resn ", name);
    print_molecules(sink, s, of_lipids, "+", print_short);
    amphi_sink_print(sink, "\n%s", style);
}

typedef enum { POSITIVE, NEGATIVE, POLAR, APOLAR, LOOKS } Look;

static Look look_of(const AmphiBeadType *type)
{
    if (type->charge_e > 0 || type->charge_e < 0)
        return type->charge_e > 0 ? POSITIVE : NEGATIVE;
    return type->dipole_e_nm > 0 ? POLAR : APOLAR;
}

/* One line a bead name of a lipid: coarse beads have no elements to go by. */
static void print_pymol_colours(AmphiSink *sink, const AmphiSystem *s)
{
    static const char *const colour[LOOKS] = {
        [POSITIVE] = "marine", [NEGATIVE] = "brown", [POLAR] = "forest", [APOLAR] = "wheat"
    };

    for (int32_t t = 0; t < s->n_molecule_types; t++) {
        const AmphiMoleculeType *const type = &s->molecule_type[t];

        if (strcmp(type->kind, "lipid") != 0)
            continue;
        for (int32_t i = 0; i < type->n_beads; i++) {
            amphi_sink_print(sink, "color %s, resn ",
                             colour[look_of(&s->type[type->bead_type[i]])]);
            print_short(sink, type->name);
            amphi_sink_print(sink, " and name ");
            print_short(sink, type->bead_name[i]);
            amphi_sink_print(sink, "\n");
        }
    }
}

static AmphiStatus write_pymol(const AmphiObserverPlace *place, bool has_all, bool is_xtc,
                               AmphiError *err)
{
    char      path[AMPHI_PATH_SIZE];
    AmphiSink sink;

    snprintf(path, sizeof path, "%s/view.pml", place->dir);
    amphi_sink_open(&sink, path);
    amphi_sink_print(&sink, "# pymol view.pml, in this folder\n"
                            "set connect_mode, 1\n"
                            "set retain_order, 1\n"
                            "load final.gro, final\n");
    if (has_all)
        print_pymol_bonds(&sink, is_xtc);
    amphi_sink_print(&sink, "hide everything\n");
    print_pymol_style(&sink, place->system, false, "rest",
                      "show nonbonded, rest\ncolor lightblue, rest\n");
    print_pymol_style(&sink, place->system, true, "lipids",
                      "show sticks, lipids\n"
                      "set stick_radius, 0.8\n");
    print_pymol_colours(&sink, place->system);
    amphi_sink_print(&sink, "show cell\n"
                            "bg_color white\n"
                            "set orthoscopic, 1\n"
                            "turn x, -90\n"
                            "deselect\n"
                            "zoom\n");
    return amphi_sink_close(&sink, err);
}

AmphiStatus amphi_views_write(const AmphiObserverPlace *place, bool has_all, bool is_xtc,
                              AmphiError *err)
{
    AMPHI_TRY(write_vmd(place, is_xtc, err));
    return write_pymol(place, has_all, is_xtc, err);
}
