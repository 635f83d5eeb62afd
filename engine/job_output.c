/* <output>: what is written while a plan runs. */
#include <math.h>
#include <string.h>

#include "formats/xtc.h"
#include "reader.h"

typedef struct {
    AmphiReader       *r;
    const AmphiXml    *xml;
    AmphiObserverPlan *plan;
} Output;

/* The stage that `from` names, or the first that moves. */
static int32_t find_stage(const Output *o)
{
    AmphiReader *r     = o->r;
    const char  *from  = amphi_xml_text(o->xml, "from");
    AmphiNamed  *known = AMPHI_TAKE(r->arena, AmphiNamed, r->job->n_stages);
    int32_t      first = 0, n = 0;

    while (first < r->job->n_stages - 1 && r->job->stage[first].ensemble == AMPHI_MINIMISE)
        first++;
    if (from == NULL || known == NULL)
        return first;
    for (int32_t k = 0; k < r->job->n_stages; k++) {
        const bool moves = r->job->stage[k].ensemble != AMPHI_MINIMISE;

        if (moves)
            known[n++] = (AmphiNamed){ r->job->stage[k].name, k };
        if (strcmp(r->job->stage[k].name, from) != 0)
            continue;
        if (!moves)
            amphi_xml_note(r->notes, FROM_MINIMISE, o->xml, "from", NULL);
        return k;
    }
    amphi_reader_unknown(r, o->xml, "from", from, "stage", known, n);
    return first;
}

static void read_group(const Output *o, const char *attribute)
{
    const char   *name  = amphi_xml_text(o->xml, attribute);
    const int32_t group = amphi_reader_group(o->r, o->xml, attribute, name);

    o->plan->group = group >= 0 ? group : 0;
}

static void read_names(const Output *o, const char *attribute)
{
    o->plan->name = amphi_xml_names(o->xml, attribute, o->r->arena, &o->plan->n_names);
}

/* Bead types that the system has. */
static void check_types(const Output *o, const char *attribute)
{
    const AmphiSystem *s     = o->r->system;
    AmphiNamed        *known = AMPHI_TAKE(o->r->arena, AmphiNamed, s->n_types);

    for (int32_t k = 0; known != NULL && k < s->n_types; k++)
        known[k] = (AmphiNamed){ s->type[k].name, k };
    for (int32_t n = 0; known != NULL && n < o->plan->n_names; n++) {
        bool is_known = false;

        for (int32_t k = 0; k < s->n_types; k++)
            is_known = is_known || strcmp(o->plan->name[n], s->type[k].name) == 0;
        if (!is_known)
            amphi_reader_unknown(o->r, o->xml, attribute, o->plan->name[n], "bead type", known,
                                 s->n_types);
    }
}

enum { MAX_TAILS = 256 };

/* Adds a name that is not there yet. */
static int32_t with_name(AmphiNamed known[MAX_TAILS], int32_t n, const char *name)
{
    for (int32_t k = 0; k < n; k++)
        if (strcmp(known[k].name, name) == 0)
            return n;
    if (n < MAX_TAILS)
        known[n] = (AmphiNamed){ name, n };
    return n < MAX_TAILS ? n + 1 : n;
}

/* Tails that some lipid of the system has. */
static void check_tails(const Output *o)
{
    const AmphiSystem *s       = o->r->system;
    AmphiNamed        *known   = AMPHI_TAKE(o->r->arena, AmphiNamed, MAX_TAILS);
    int32_t            n_known = 0;

    for (int32_t m = 0; known != NULL && m < s->n_molecule_types; m++)
        for (int32_t t = 0; t < s->molecule_type[m].n_tails; t++)
            n_known = with_name(known, n_known, s->molecule_type[m].tail[t].name);
    for (int32_t n = 0; known != NULL && n < o->plan->n_names; n++) {
        bool is_known = false;

        for (int32_t k = 0; k < n_known; k++) /* one without a name, which is noted, may be any */
            is_known = is_known || known[k].name[0] == '\0' ||
                       strcmp(o->plan->name[n], known[k].name) == 0;
        if (!is_known)
            amphi_reader_unknown(o->r, o->xml, "bonds", o->plan->name[n], "tail", known, n_known);
    }
}

static void check_lipids(const Output *o)
{
    const AmphiSystem *s = o->r->system;

    for (int32_t m = 0; m < s->n_molecules; m++)
        if (strcmp(s->molecule_type[s->molecule[m].type].kind, "lipid") == 0)
            return;
    amphi_note(o->r->notes, OUTPUT_NO_LIPIDS, o->xml->where, o->xml->name);
}

bool amphi_reader_names(const AmphiObserverPlan *plan, const char *name)
{
    for (int32_t k = 0; k < plan->n_names; k++)
        if (strcmp(plan->name[k], name) == 0)
            return true;
    return false;
}

/* One of the named types, or a head where none is named. */
static bool has_height(const Output *o, const AmphiMoleculeType *type)
{
    for (int32_t i = 0; i < type->n_beads; i++)
        if (amphi_reader_names(o->plan, o->r->system->type[type->bead_type[i]].name))
            return true;
    return o->plan->n_names == 0 && type->n_heads > 0;
}

/* A bond in one of the named tails, or in any where none is named. */
static bool has_tail_bond(const Output *o, const AmphiMoleculeType *type)
{
    for (int32_t t = 0; t < type->n_tails; t++)
        if (type->tail[t].n_beads > 1 &&
            (o->plan->n_names == 0 || amphi_reader_names(o->plan, type->tail[t].name)))
            return true;
    return false;
}

/* Is the element faulty already, so that its numbers mean nothing? */
static bool is_faulty(const Output *o)
{
    return amphi_notes_has(o->r->notes, o->xml->where) &&
           amphi_notes_count(o->r->notes, AMPHI_NOTE_ERROR) > 0;
}

/* Notes it unless some lipid in the box has one; and if nothing is named, the first type that lacks
 * `part`, which the others have. */
static void check_any(const Output *o, bool (*has)(const Output *, const AmphiMoleculeType *),
                      const char *part, const char *what, const char *hint)
{
    const AmphiSystem       *s     = o->r->system;
    const AmphiMoleculeType *lacks = NULL;
    bool                     any   = false;

    for (int32_t m = 0; m < s->n_molecules; m++) {
        const AmphiMoleculeType *type = &s->molecule_type[s->molecule[m].type];

        if (strcmp(type->kind, "lipid") != 0 || type == lacks)
            continue;
        if (has(o, type))
            any = true;
        else if (lacks == NULL)
            lacks = type;
    }
    if (!any && !is_faulty(o))
        amphi_note(o->r->notes, LIPIDS_LACK, o->xml->where, o->xml->name, what, hint);
    else if (any && lacks != NULL && o->plan->n_names == 0)
        amphi_note(o->r->notes, LIPID_LEFT_OUT, o->xml->where, o->xml->name, lacks->name, part);
}

/* Are there two beads of these types in different molecules? */
static bool has_pairs(const Output *o)
{
    const AmphiSystem *s    = o->r->system;
    double             n[2] = { 0, 0 }, within = 0;

    for (int32_t m = 0; m < s->n_molecules; m++) {
        const AmphiMoleculeType *type  = &s->molecule_type[s->molecule[m].type];
        double                   in[2] = { 0, 0 };

        for (int32_t i = 0; i < type->n_beads; i++)
            for (int k = 0; k < 2; k++)
                in[k] += strcmp(s->type[type->bead_type[i]].name, o->plan->name[k]) == 0;
        n[0] += in[0];
        n[1] += in[1];
        within += in[0] * in[1];
    }
    return n[0] * n[1] > within;
}

const char *amphi_reader_length(const AmphiReader *r, double nm)
{
    const char *text = amphi_arena_print(r->arena, "%.6g nm", nm);

    return text != NULL ? text : "";
}

double amphi_reader_rounded(double value, bool up)
{
    const double unit = pow(10, floor(log10(value)) - 1);

    return unit * (up ? ceil(value / unit) : floor(value / unit));
}

static void check_shells(const Output *o)
{
    const AmphiObserverPlan *plan = o->plan;
    const double least            = amphi_reader_rounded(plan->extent_nm / AMPHI_MOST_SHELLS, true);

    if (is_faulty(o))
        return;
    if (!has_pairs(o))
        amphi_xml_note(o->r->notes, NO_PAIRS, o->xml, "beads", NULL);
    if (amphi_observer_shells(plan) < 1)
        amphi_xml_note(o->r->notes, WIDER_THAN_EXTENT, o->xml, "width",
                       amphi_reader_length(o->r, plan->extent_nm));
    if (amphi_observer_shells(plan) > AMPHI_MOST_SHELLS)
        amphi_xml_note(o->r->notes, TOO_FINE, o->xml, "width",
                       amphi_reader_digits(o->r, AMPHI_MOST_SHELLS), "shells",
                       amphi_reader_length(o->r, least));
}

static void check_densities(const Output *o)
{
    for (int32_t k = 0; k < o->plan->n_names; k++)
        for (int32_t j = 0; j < k; j++)
            if (strcmp(o->plan->name[j], o->plan->name[k]) == 0) {
                amphi_xml_note(o->r->notes, STANDS_TWICE, o->xml, "of", o->plan->name[k]);
                return;
            }
}

/* ---- times of frames ---- */

static double spacing_ps(const AmphiObserverPlan *plan, const AmphiStage *stage)
{
    return (double)amphi_observer_every(plan, stage) * stage->dt_ps;
}

/* The next stage with time steps behind this one; NULL: there is none. */
static const AmphiStage *next_moving(const AmphiJob *job, const AmphiStage *stage)
{
    for (stage++; stage < job->stage + job->n_stages; stage++)
        if (stage->ensemble != AMPHI_MINIMISE)
            return stage;
    return NULL;
}

/* How frames are uneven from this stage to the next; NULL: they are not. */
static const char *unevenness(const Output *o, const AmphiStage *stage, const AmphiStage *next)
{
    const double before = spacing_ps(o->plan, stage), now = spacing_ps(o->plan, next);

    if (fabs(now - before) > 1e-9 * before)
        return amphi_arena_print(o->r->arena, "%.9g ps in stage %s and %.9g ps before", now,
                                 next->name, before);
    if (stage->name[0] != '\0' && stage->n_steps % amphi_observer_every(o->plan, stage) != 0)
        return amphi_arena_print(o->r->arena, "stage %s ends between two frames", stage->name);
    if (stage->name[0] != '\0' && next > stage + 1)
        return amphi_arena_print(o->r->arena,
                                 "the end of stage %s and the beginning of %s have one time",
                                 stage->name, next->name);
    return NULL;
}

/* Readers of a DCD file take the first interval for all; frames have no times of their own. The
 * first fault is told, and the stage behind the last. */
static void check_times(const Output *o)
{
    const AmphiJob   *job   = o->r->job;
    const AmphiStage *stage = &job->stage[o->plan->from_stage], *next = NULL;
    const char       *what = NULL, *from = "";

    for (; (next = next_moving(job, stage)) != NULL; stage = next) {
        const char *here = unevenness(o, stage, next);

        what = what != NULL ? what : here;
        from = here != NULL ? next->name : from;
    }
    if (what != NULL)
        amphi_xml_note(o->r->notes, UNEVEN_FRAMES, o->xml, "every", what, from);
}

/* A box that stands still gives one value over and over, and a mean over it and one that moves is
 * that of neither. The first change to a box at rest is told, and where the last kind of stages
 * begins; or that to a box that moves, if there is no other. */
static void check_box(const Output *o)
{
    const AmphiJob   *job   = o->r->job;
    const AmphiStage *stage = &job->stage[o->plan->from_stage], *next = NULL, *before = NULL;
    const AmphiStage *first = stage->ensemble == AMPHI_MINIMISE ? next_moving(job, stage) : stage;
    const AmphiStage *rest = NULL, *from = first;

    check_lipids(o);
    for (; (next = next_moving(job, stage)) != NULL; stage = next) {
        const bool moved = stage->barostat.type != AMPHI_NO_BAROSTAT;

        if (moved == (next->barostat.type != AMPHI_NO_BAROSTAT))
            continue;
        from = next;
        if (moved && rest == NULL) {
            before = stage;
            rest   = next;
        }
    }
    if (rest != NULL)
        amphi_note(o->r->notes, BOX_MOVES_OR_NOT, o->xml->where, o->xml->name, before->name,
                   rest->name, from->name);
    else if (from != first)
        amphi_note(o->r->notes, BOX_MOVES_LATER, o->xml->where, o->xml->name, first->name,
                   from->name);
}

/* One reader for each kind of observer. */

static void read_trajectory(const Output *o)
{
    read_group(o, "group");
    o->plan->is_whole   = amphi_xml_choice(o->xml, "molecules") == 0;
    o->plan->is_xtc     = amphi_xml_choice(o->xml, "format") == 1;
    o->plan->xtc_per_nm = amphi_xml_has(o->xml, "precision")
                              ? 1 / amphi_xml_quantity(o->xml, "precision", 1)
                              : AMPHI_XTC_PER_NM;
    if (!amphi_xml_is_choice(o->xml, "format"))
        return; /* noted */
    if (!o->plan->is_xtc && amphi_xml_has(o->xml, "precision"))
        amphi_xml_note(o->r->notes, NO_USE_WITH, o->xml, "precision", "format=\"dcd\"");
    else if (!o->plan->is_xtc && !is_faulty(o))
        check_times(o);
}

/* What tells several of a kind apart, and is part of the name of a file. */
static void read_label(const Output *o, const char *attribute)
{
    static const char known[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+";
    const char *const label = amphi_xml_text(o->xml, attribute);
    const size_t      n     = label != NULL ? strlen(label) : 0;

    o->plan->label = label;
    if (n > 0 && (n > AMPHI_MOST_LABEL || strspn(label, known) != n))
        amphi_xml_note(o->r->notes, NO_FILE_NAME, o->xml, attribute,
                       amphi_reader_digits(o->r, AMPHI_MOST_LABEL));
}

/* They would count as beads without any; told of the first. */
static void check_electrons(const Output *o)
{
    const AmphiSystem *const s = o->r->system;

    if (!amphi_reader_names(o->plan, "electrons"))
        return;
    for (int32_t k = 0; k < s->n_types; k++)
        if (!(s->type[k].electrons > 0)) {
            amphi_xml_note(o->r->notes, NO_ELECTRONS, o->xml, "of", s->type[k].name);
            return;
        }
}

static void read_profile(const Output *o)
{
    read_group(o, "centre");
    if (amphi_xml_has(o->xml, "group")) {
        const int32_t only =
            amphi_reader_group(o->r, o->xml, "group", amphi_xml_text(o->xml, "group"));

        o->plan->only = only >= 0 ? only : 0;
        read_label(o, "group");
    }
    read_names(o, "of");
    o->plan->axis     = amphi_xml_choice(o->xml, "axis");
    o->plan->width_nm = amphi_xml_quantity(o->xml, "width", 1);
    check_densities(o);
    check_electrons(o);
}

static void read_lateral_pressure(const Output *o)
{
    read_group(o, "centre");
    o->plan->axis     = amphi_xml_choice(o->xml, "axis");
    o->plan->width_nm = amphi_xml_quantity(o->xml, "width", 1);
}

static void read_heights(const Output *o)
{
    check_lipids(o);
    if (amphi_xml_has(o->xml, "beads")) {
        read_names(o, "beads");
        check_types(o, "beads");
    }
    check_any(o, has_height, "<head>",
              o->plan->n_names > 0 ? "a bead of these types" : "a <head>, whose height is measured",
              "write beads=\"...\" with types of beads that the lipids have");
}

static const char *bond_name(const Output *o, const AmphiMoleculeType *type, const AmphiTail *tail,
                             int32_t b)
{
    const char *name = amphi_arena_print(o->r->arena, "%s-%s", type->bead_name[tail->bead[b - 1]],
                                         type->bead_name[tail->bead[b]]);

    return name != NULL ? name : "";
}

/* Two bonds of a tail with the same name: their lines of order.tsv look alike. False: none. */
static bool check_bonds(const Output *o, const AmphiMoleculeType *type, const AmphiTail *tail)
{
    for (int32_t b = 1; b < tail->n_beads && b < MAX_TAILS; b++)
        for (int32_t a = 1; a < b; a++)
            if (strcmp(bond_name(o, type, tail, a), bond_name(o, type, tail, b)) == 0) {
                amphi_note(o->r->notes, BONDS_ALIKE, o->xml->where, o->xml->name, tail->name,
                           type->name, bond_name(o, type, tail, b));
                return true;
            }
    return false;
}

/* The first is told. */
static void check_bond_names(const Output *o)
{
    const AmphiSystem *s = o->r->system;

    for (int32_t m = 0; m < s->n_molecule_types; m++) {
        const AmphiMoleculeType *type = &s->molecule_type[m];

        for (int32_t t = 0; t < type->n_tails; t++)
            if ((o->plan->n_names == 0 || amphi_reader_names(o->plan, type->tail[t].name)) &&
                strcmp(type->kind, "lipid") == 0 && check_bonds(o, type, &type->tail[t]))
                return;
    }
}

static void read_order(const Output *o)
{
    check_lipids(o);
    if (amphi_xml_has(o->xml, "bonds")) {
        read_names(o, "bonds");
        check_tails(o);
    }
    check_any(o, has_tail_bond, "<tail> of two beads", "such a <tail> of two beads",
              "remove it, or write other bonds");
    if (!is_faulty(o))
        check_bond_names(o);
}

static void read_rdf(const Output *o)
{
    read_names(o, "beads");
    if (amphi_xml_has(o->xml, "beads") && o->plan->n_names != 2)
        amphi_xml_note(o->r->notes, NOT_TWO_TYPES, o->xml, "beads", NULL);
    check_types(o, "beads");
    read_label(o, "name");
    o->plan->width_nm  = amphi_xml_quantity(o->xml, "width", 1);
    o->plan->extent_nm = amphi_xml_quantity(o->xml, "extent", 1);
    check_shells(o);
}

static void read_diffusion(const Output *o)
{
    read_group(o, "group");
    o->plan->in_plane = amphi_xml_choice(o->xml, "plane") == 0;
}

static const struct {
    const char *name;
    void (*read)(const Output *);
} kinds[] = {
    { "energies", NULL },
    { "trajectory", read_trajectory },
    { "profile", read_profile },
    { "area", check_box },
    { "thickness", read_heights },
    { "order", read_order },
    { "rdf", read_rdf },
    { "diffusion", read_diffusion },
    { "lateral-pressure", read_lateral_pressure },
    { "undulations", read_heights },
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

_Static_assert((int)N_KINDS <= (int)AMPHI_MOST_OBSERVERS, "room in the reader");

int64_t amphi_observer_every(const AmphiObserverPlan *plan, const AmphiStage *stage)
{
    const double n = plan->every_ps > 0 ? floor(plan->every_ps / stage->dt_ps + 0.5) : 0;

    return plan->every_ps > 0 ? (int64_t)fmin(fmax(n, 1), AMPHI_MOST_STEPS) : plan->every;
}

double amphi_observer_shells(const AmphiObserverPlan *rdf)
{
    return rdf->extent_nm / rdf->width_nm + 1e-9;
}

double amphi_observer_slabs(const AmphiObserverPlan *profile, const double box_nm[3])
{
    const double room = 1.5;

    return 0.5 * room * box_nm[profile->axis] / profile->width_nm;
}

/* Of what is written at intervals that no stage is as long as, only first frames are left. */
static void check_every(const Output *o)
{
    const AmphiJob *job     = o->r->job;
    double          most_ps = 0, dt_ps = 0;

    for (int32_t k = o->plan->from_stage; k < job->n_stages; k++) {
        const AmphiStage *stage = &job->stage[k];

        if (stage->ensemble == AMPHI_MINIMISE)
            continue;
        if (amphi_observer_every(o->plan, stage) <= stage->n_steps)
            return;
        if ((double)stage->n_steps * stage->dt_ps > most_ps) {
            most_ps = (double)stage->n_steps * stage->dt_ps;
            dt_ps   = stage->dt_ps;
        }
    }
    if (!(most_ps > 0) || is_faulty(o))
        return;
    const char *some = amphi_arena_print(o->r->arena, "%.6g ps",
                                         fmax(dt_ps, amphi_reader_rounded(0.01 * most_ps, true)));
    if (some != NULL)
        amphi_xml_note(o->r->notes, EVERY_TOO_LONG, o->xml, "every", some);
}

/* In steps of the stages behind from_stage. Noted of the first of which it is no whole number,
 * unless it is of from_stage. */
static void see_every_later(const Output *o, int64_t n_noted)
{
    const AmphiJob   *job   = o->r->job;
    const AmphiStage *stage = &job->stage[o->plan->from_stage];

    while (amphi_notes_count(o->r->notes, AMPHI_NOTE_WARNING) == n_noted &&
           (stage = next_moving(job, stage)) != NULL)
        (void)amphi_reader_steps(o->r, o->xml, "every", o->plan->every_ps, stage->dt_ps);
}

/* The interval in steps of from_stage; a note says if it had to be rounded there or later. */
static void read_every(const Output *o)
{
    AmphiObserverPlan *plan    = o->plan;
    const AmphiStage  *stage   = &o->r->job->stage[plan->from_stage];
    const int64_t      n_noted = amphi_notes_count(o->r->notes, AMPHI_NOTE_WARNING);

    amphi_xml_interval(o->xml, "every", &plan->every_ps, &plan->every);
    if (plan->every_ps > 0) {
        plan->every = amphi_reader_steps(o->r, o->xml, "every", plan->every_ps, stage->dt_ps);
        see_every_later(o, n_noted);
    }
    if (plan->every < 1)
        plan->every = 1; /* faulty: noted */
    check_every(o);
}

const char *amphi_reader_kind(int32_t k)
{
    return k >= 0 && k < N_KINDS ? kinds[k].name : NULL;
}

void amphi_reader_observer(AmphiReader *r, const AmphiXml *xml, bool has_interval,
                           AmphiObserverPlan *plan)
{
    const Output o = { r, xml, plan };
    int          k = 0;

    while (strcmp(kinds[k].name, xml->name) != 0)
        k++;
    plan->kind       = kinds[k].name;
    plan->where      = xml->where;
    plan->from_stage = find_stage(&o);
    plan->every      = 1;
    if (has_interval)
        read_every(&o);
    if (kinds[k].read != NULL)
        kinds[k].read(&o);
    plan->measures = amphi_reader_measures(r, xml);
}
