/* The start: positions from a coordinate file, from the XML or from the builder, and random
 * velocities and orientations where the job asks for them.
 */
#include "job_start.h"

#include <math.h>
#include <string.h>

#include "build_space.h"
#include "num/normal.h"

/* Longer lists belong in a file. */
enum { MAX_INLINE_BEADS = 10000 };

static const AmphiXml *start_of(const AmphiReader *r)
{
    return amphi_xml_child(amphi_xml_child(r->root, "system"), "start");
}

/* Inline beads. */

typedef struct {
    AmphiReader    *r;
    const AmphiXml *xml;
    double          length, charge, dipole; /* internal units in one of the text's */
} Inline;

static double unit_of(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                      AmphiDimension dimension)
{
    const char *unit   = amphi_xml_text(xml, attribute);
    double      factor = 1;

    if (unit != NULL && amphi_units_factor(unit, dimension, &factor) != AMPHI_UNIT_OK)
        amphi_xml_note(r->notes, UNIT_UNKNOWN, xml, attribute, amphi_units_name(dimension),
                       amphi_units_known(dimension), "");
    return factor;
}

static bool check_bead(const Inline *in, int32_t bead, AmphiWhere where, char *const word[])
{
    const AmphiSystem *s        = in->r->system;
    const char        *type     = s->type[s->bead_type[bead]].name;
    const char        *molecule = amphi_arena_print(in->r->arena, "%d", s->bead_molecule[bead] + 1);

    if (strcmp(word[0], type) != 0) {
        amphi_note(in->r->notes, BEAD_TYPE, where, word[0], type);
        return false;
    }
    if (molecule != NULL && strcmp(word[1], molecule) != 0) {
        amphi_note(in->r->notes, BEAD_MOLECULE, where, word[1], molecule);
        return false;
    }
    return true;
}

static void store_bead(const Inline *in, int32_t bead, AmphiWhere where, const double v[9], int n)
{
    AmphiReader *r      = in->r;
    const double length = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);

    if (!(length > 0 && length < 1e100)) {
        amphi_note(r->notes, BEAD_QUATERNION, where, "beads");
        return;
    }
    for (int a = 0; a < 3; a++)
        r->position[bead][a] = v[a] * in->length;
    for (int a = 0; a < 4; a++)
        r->orientation[bead][a] = v[3 + a] / length;
    if (n > 7)
        r->charge[bead] = v[7] * in->charge;
    if (n > 8)
        r->dipole[bead] = v[8] * in->dipole;
}

/* type molecule x y z qw qx qy qz [charge dipole] */
static void read_inline_bead(const Inline *in, int32_t bead, AmphiWhere where, char *line)
{
    char  *word[13], *rest = NULL;
    double v[9] = { 0 };
    int    n    = 0;

    for (char *w = strtok_r(line, " \t\r", &rest); w != NULL && n < 12;
         w       = strtok_r(NULL, " \t\r", &rest))
        word[n++] = w;
    if (n != 9 && n != 10 && n != 11) {
        const char *found = amphi_arena_print(in->r->arena, "%d", n);

        amphi_note(in->r->notes, BEAD_COLUMNS, where, found != NULL ? found : "");
        return;
    }
    if (!check_bead(in, bead, where, word))
        return;
    for (int k = 2; k < n; k++)
        if (!amphi_units_number(word[k], &v[k - 2]) || fabs(v[k - 2]) > 1e15) {
            amphi_note(in->r->notes, BEAD_NUMBER, where, word[k]);
            return;
        }
    store_bead(in, bead, where, v, n - 2);
}

static void read_inline(AmphiReader *r, const AmphiXml *xml)
{
    const Inline in    = { r, xml, unit_of(r, xml, "length", AMPHI_DIM_LENGTH),
                           unit_of(r, xml, "charge", AMPHI_DIM_CHARGE),
                           unit_of(r, xml, "dipole", AMPHI_DIM_DIPOLE) };
    char        *text  = amphi_arena_text(r->arena, xml->text);
    AmphiWhere   where = { xml->where.file, xml->text_line };
    int32_t      n     = 0;

    for (char *line = text, *end; line != NULL; line = end != NULL ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        if (line[strspn(line, " \t\r")] != '\0') {
            if (n < r->system->n_beads && n < MAX_INLINE_BEADS)
                read_inline_bead(&in, n, where, line);
            n++;
        }
        where.line++;
    }
    if (n > MAX_INLINE_BEADS) {
        amphi_note(r->notes, TOO_MANY, xml->where, "inline beads", "10000");
    } else if (n != r->system->n_beads) {
        const char *wanted = amphi_arena_print(r->arena, "%d", r->system->n_beads);
        const char *found  = amphi_arena_print(r->arena, "%d", n);

        if (wanted != NULL && found != NULL)
            amphi_note(r->notes, BEAD_COUNT, xml->where, found, wanted);
    }
    if (!r->has_box)
        amphi_note(r->notes, NO_BOX, xml->where, "<beads>");
    r->has_orientations = true;
}

/* Random orientations, for beads of which the file has none. */

static int32_t count_missing(const AmphiReader *r)
{
    const AmphiSystem *s = r->system;
    int32_t            n = 0;

    for (int32_t i = 0; i < s->n_beads; i++)
        n += !r->is_oriented[i] && s->type[s->bead_type[i]].rotor != AMPHI_POINT;
    return n;
}

static void read_orientations(AmphiReader *r, const AmphiXml *start, const AmphiXml *how)
{
    const AmphiXml *xml   = amphi_xml_child(start, "orientations");
    const bool      built = r->job->start >= AMPHI_START_BILAYER;
    const int32_t   n     = count_missing(r);

    if (xml != NULL && (r->has_orientations || built)) {
        amphi_note(r->notes, ORIENTATIONS_KNOWN, xml->where, how->name);
        return;
    }
    if (built || r->has_orientations || n == 0)
        return;
    if (xml == NULL) {
        amphi_note(r->notes, NO_ORIENTATIONS, how->where, how->name, amphi_reader_digits(r, n));
        return;
    }
    r->drawn = xml;
    for (int32_t i = 0; i < r->system->n_beads; i++) {
        AmphiDraws draws = { .seed   = (uint64_t)amphi_xml_whole(xml, "seed", 0),
                             .id     = (uint64_t)i,
                             .stream = AMPHI_STREAM_ORIENTATION };

        if (!r->is_oriented[i])
            amphi_draw_quaternion(&draws, r->orientation[i]);
    }
}

static bool take_arrays(AmphiReader *r)
{
    AmphiSystem *s = r->system;

    r->position    = amphi_arena_take(r->arena, s->n_beads, sizeof *r->position);
    r->velocity    = amphi_arena_take(r->arena, s->n_beads, sizeof *r->velocity);
    r->orientation = amphi_arena_take(r->arena, s->n_beads, sizeof *r->orientation);
    r->spin        = amphi_arena_take(r->arena, s->n_beads, sizeof *r->spin);
    r->is_oriented = amphi_arena_take(r->arena, s->n_beads, sizeof *r->is_oriented);
    if (r->position == NULL || r->velocity == NULL || r->orientation == NULL || r->spin == NULL ||
        r->is_oriented == NULL)
        return false;
    for (int32_t i = 0; i < s->n_beads; i++)
        r->orientation[i][0] = 1;
    s->position_nm    = (const double(*)[3])r->position;
    s->velocity_nm_ps = (const double(*)[3])r->velocity;
    s->orientation    = (const double(*)[4])r->orientation;
    s->spin_u_nm2_ps  = (const double(*)[3])r->spin;
    return true;
}

void amphi_reader_start(AmphiReader *r)
{
    static const char *const name[] = { "coordinates", "beads", "bilayer", "fill" };
    const AmphiXml          *start  = start_of(r);
    const AmphiXml          *how    = amphi_xml_child(start, name[r->job->start]);

    if (!take_arrays(r))
        return;
    if (r->job->start == AMPHI_START_FILE)
        amphi_reader_coordinates(r, how);
    else if (r->job->start == AMPHI_START_BEADS)
        read_inline(r, how);
    if (amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) == 0) {
        read_orientations(r, start, how);
        amphi_reader_spins(r);
    }
}

/* A slip of the number, as 0.064 for 0.64: gels are hardly denser than liquids. */
static void check_crowding(AmphiReader *r, const AmphiXml *xml, double crowding)
{
    const double most = 1.5;
    const double area = amphi_reader_rounded(r->plan.area_per_lipid_nm2 * crowding, true);
    const char  *enough, *share;

    if (!(crowding > most))
        return;
    enough = amphi_arena_print(r->arena, "%.6g nm^2", area);
    share  = amphi_arena_print(r->arena, "%.0f", 100 / crowding);
    if (enough != NULL && share != NULL)
        amphi_xml_note(r->notes, LIPIDS_CROWDED, xml, "area-per-lipid", share, enough);
}

void amphi_reader_build(AmphiReader *r)
{
    const AmphiXml *how;
    AmphiError      err   = { .status = AMPHI_OK };
    AmphiBuilt      built = { .position_nm = r->position, .orientation = r->orientation };

    if (r->job->start < AMPHI_START_BILAYER)
        return;
    how = amphi_xml_child(start_of(r), r->plan.bilayer ? "bilayer" : "fill");
    switch (amphi_build(r->system, &r->plan, r->arena, &built, &err)) {
    case AMPHI_OK:
        break;
    case AMPHI_NO_MEMORY:
        r->no_memory = true;
        return;
    default:
        amphi_note(r->notes, BUILD_FAILED, how->where, how->name, err.text);
        return;
    }
    if (r->plan.bilayer)
        check_crowding(r, how, built.crowding);
    memcpy(r->system->box_nm, built.box_nm, sizeof built.box_nm);
    r->position            = built.position_nm;
    r->orientation         = built.orientation;
    r->system->position_nm = (const double(*)[3])built.position_nm;
    r->system->orientation = (const double(*)[4])built.orientation;
}

/* Velocities. */

static void draw_normal(AmphiDraws *d, double out[2])
{
    const double     u      = amphi_draw(d);
    const TwoNormals normal = normals_of(u, amphi_draw(d));

    out[0] = normal.first;
    out[1] = normal.second;
}

static void draw_motion(const AmphiBeadType *type, double kT, AmphiDraws *d, double v[3],
                        double spin[3])
{
    double normal[6];

    for (int k = 0; k < 6; k += 2)
        draw_normal(d, normal + k);
    for (int a = 0; a < 3; a++) {
        v[a]    = sqrt(kT / type->mass_u) * normal[a];
        spin[a] = sqrt(kT * type->inertia_u_nm2[a]) * normal[3 + a];
    }
}

/* The total momentum in u nm/ps; returns the mass in u. */
static double momentum_of(const AmphiReader *r, double p[3])
{
    const AmphiSystem *s    = r->system;
    double             mass = 0;

    memset(p, 0, 3 * sizeof *p);
    for (int32_t i = 0; i < s->n_beads; i++) {
        const double m = s->type[s->bead_type[i]].mass_u;

        mass += m;
        for (int a = 0; a < 3; a++)
            p[a] += m * r->velocity[i][a];
    }
    return mass;
}

static void remove_drift(AmphiReader *r)
{
    double       p[3];
    const double mass = momentum_of(r, p);

    for (int32_t i = 0; i < r->system->n_beads; i++)
        for (int a = 0; a < 3; a++)
            r->velocity[i][a] -= p[a] / mass;
}

bool amphi_reader_start_moves(const AmphiReader *r)
{
    const double most = 15 * AMPHI_BOLTZMANN * 300; /* by chance in one of a million */
    double       p[3], mass;

    if (!r->has_velocities || amphi_xml_child(start_of(r), "velocities") != NULL)
        return false;
    mass = momentum_of(r, p);
    return r->system->n_beads > 1 && p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 2 * mass * most;
}

/* A thermostat takes its time to heat what begins at rest, which few want. */
static void note_rest(AmphiReader *r)
{
    const AmphiJob *job   = r->job;
    int32_t         first = 0;

    while (first < job->n_stages && job->stage[first].ensemble == AMPHI_MINIMISE)
        first++;
    if (first == job->n_stages || job->stage[first].thermostat.type == AMPHI_NO_THERMOSTAT)
        return;

    const char *const kelvin =
        amphi_arena_print(r->arena, "%g K", job->stage[first].thermostat.temperature_K);
    amphi_note(r->notes, NO_VELOCITIES, start_of(r)->where, job->stage[first].name,
               kelvin != NULL ? kelvin : "");
}

void amphi_reader_velocities(AmphiReader *r)
{
    const AmphiXml *xml = amphi_xml_child(start_of(r), "velocities");
    double          kT;

    r->job->has_velocities = r->has_velocities || xml != NULL;
    r->job->drawn_K        = xml != NULL ? amphi_xml_quantity(xml, "temperature", 0) : -1;
    if (!r->job->has_velocities)
        note_rest(r);
    if (xml == NULL)
        return;
    kT = AMPHI_BOLTZMANN * r->job->drawn_K;
    for (int32_t i = 0; i < r->system->n_beads; i++) {
        AmphiDraws draws = { .seed   = (uint64_t)amphi_xml_whole(xml, "seed", 0),
                             .id     = (uint64_t)i,
                             .stream = AMPHI_STREAM_VELOCITY };

        draw_motion(&r->system->type[r->system->bead_type[i]], kT, &draws, r->velocity[i],
                    r->spin[i]);
    }
    if (r->system->n_beads > 1)
        remove_drift(r);
}
