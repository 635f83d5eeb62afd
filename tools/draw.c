/* Scenes for tachyon: beads as spheres, bonds as cylinders, the box as lines, and their colours. */
#include "draw.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/formats/sink.h"
#include "../engine/turn.h"
#include "launch.h"

enum { LONGER_SIDE = 1000, SHORTEST_SIDE = 64 }; /* pixels */
enum { NAME_SIZE = 32 };                         /* bytes */

static const ToolShot side_shot = { .longer_side = LONGER_SIDE };

#define MARGIN_NM      0.15
#define BOND_RADIUS_NM 0.09
#define EDGE_OF_WIDTH  0.0016 /* radius of the box's edges over the width of the picture */
#define EYE_NM         10.0   /* in front of the box */
#define PLAIN_BEAD_NM  0.3    /* diameter of a bead without contact distance */

/* Red, green, blue. */
typedef struct {
    double r, g, b;
} Colour;

/* What a bead is to the eye, three shades each for its types. */
typedef enum { SOLVENT, POSITIVE, NEGATIVE, POLAR, APOLAR, LOOKS } Look;

static const Colour shade[LOOKS][3] = {
    [SOLVENT]  = { { 0.62, 0.80, 0.93 }, { 0.55, 0.84, 0.86 }, { 0.70, 0.76, 0.95 } },
    [POSITIVE] = { { 0.16, 0.32, 0.70 }, { 0.10, 0.52, 0.62 }, { 0.38, 0.27, 0.66 } },
    [NEGATIVE] = { { 0.85, 0.33, 0.16 }, { 0.78, 0.18, 0.28 }, { 0.90, 0.50, 0.16 } },
    [POLAR]    = { { 0.30, 0.60, 0.35 }, { 0.56, 0.72, 0.34 }, { 0.20, 0.50, 0.45 } },
    [APOLAR]   = { { 0.93, 0.83, 0.58 }, { 0.80, 0.76, 0.70 }, { 0.93, 0.72, 0.50 } },
};

static bool is_solvent(const AmphiSystem *s, int32_t type)
{
    for (int32_t m = 0; m < s->n_molecule_types; m++) {
        const AmphiMoleculeType *molecule = &s->molecule_type[m];

        if (strcmp(molecule->kind, "solvent") == 0)
            for (int32_t b = 0; b < molecule->n_beads; b++)
                if (molecule->bead_type[b] == type)
                    return true;
    }
    return false;
}

static Look look_of(const AmphiSystem *s, int32_t type)
{
    const AmphiBeadType *t = &s->type[type];

    if (is_solvent(s, type))
        return SOLVENT;
    if (t->charge_e != 0)
        return t->charge_e > 0 ? POSITIVE : NEGATIVE;
    return t->dipole_e_nm > 0 ? POLAR : APOLAR;
}

/* Types of one look take its shades in turn. */
static Colour colour_of(const AmphiSystem *s, int32_t type)
{
    const Look look = look_of(s, type);
    int        n    = 0;

    for (int32_t t = 0; t < type; t++)
        n += look_of(s, t) == look;
    return shade[look][n % 3];
}

void tool_draw_colour(const AmphiSystem *system, int32_t type, double rgb[3])
{
    const Colour c = colour_of(system, type);

    rgb[0] = c.r;
    rgb[1] = c.g;
    rgb[2] = c.b;
}

static void write_textures(FILE *out, const AmphiSystem *s)
{
    for (int32_t t = 0; t < s->n_types; t++) {
        const Colour c = colour_of(s, t);

        fprintf(out,
                "TEXDEF type%d AMBIENT 0.28 DIFFUSE 0.80 SPECULAR 0.0 OPACITY 1.0\n"
                "PHONG PLASTIC 0.12 PHONG_SIZE 40 COLOR %.2f %.2f %.2f TEXFUNC 0\n",
                t, c.r, c.g, c.b);
    }
    fprintf(out, "TEXDEF edge AMBIENT 0.9 DIFFUSE 0.1 SPECULAR 0.0 OPACITY 1.0\n"
                 "COLOR 0.35 0.35 0.40 TEXFUNC 0\n");
}

/* What the picture shows, nm. The scene has x to the right, y up and z away from the eye: from the
 * side box x, z and y; from above box x, y and -z. */
typedef struct {
    const AmphiSystem *system;
    const ToolShot    *shot;
    double             left, right, low, high, front, back;
} View;

static void place(const View *v, const double x[3], double at[3])
{
    at[0] = x[0];
    at[1] = v->shot->from_above ? x[1] : x[2];
    at[2] = v->shot->from_above ? -x[2] : x[1];
}

static double radius_of(const AmphiSystem *s, int32_t type)
{
    const double sigma = s->pair_rule[type * s->n_types + type].sigma_nm;

    if (s->type[type].breadth_nm > 0)
        return s->type[type].breadth_nm / 2;
    return (sigma > 0 ? sigma : PLAIN_BEAD_NM) / 2;
}

static bool is_seen(const View *v, int32_t bead)
{
    return !v->shot->without_solvent || !is_solvent(v->system, v->system->bead_type[bead]);
}

/* The box and the molecules that stick out of it. */
static View view_of(const AmphiSystem *s, const ToolShot *shot)
{
    View         v         = { .system = s, .shot = shot };
    const double corner[3] = { s->box_nm[0], s->box_nm[1], s->box_nm[2] };
    double       at[3];

    place(&v, corner, at);
    v.right = at[0];
    v.high  = at[1];
    v.front = fmin(at[2], 0);
    v.back  = fmax(at[2], 0);
    for (int32_t b = 0; b < s->n_beads; b++) {
        const double r = radius_of(s, s->bead_type[b]);

        if (!is_seen(&v, b))
            continue;
        place(&v, s->position_nm[b], at);
        v.left  = fmin(v.left, at[0] - r);
        v.right = fmax(v.right, at[0] + r);
        v.low   = fmin(v.low, at[1] - r);
        v.high  = fmax(v.high, at[1] + r);
        v.front = fmin(v.front, at[2] - r);
        v.back  = fmax(v.back, at[2] + r);
    }
    return v;
}

static double width_of(const View *v)
{
    return v->right - v->left + 2 * MARGIN_NM;
}

static double height_of(const View *v)
{
    return v->high - v->low + 2 * MARGIN_NM;
}

static int pixels_along(const View *v, double length_nm, double longer_nm)
{
    const int n = (int)ceil(length_nm / longer_nm * v->shot->longer_side);

    return n < SHORTEST_SIDE ? SHORTEST_SIDE : n;
}

/* ZOOM is the reciprocal of the picture's height. */
static void write_camera(FILE *out, const View *v)
{
    const double longer = fmax(width_of(v), height_of(v));
    const int    up     = pixels_along(v, height_of(v), longer);

    fprintf(out, "BEGIN_SCENE\nRESOLUTION %d %d\n", pixels_along(v, width_of(v), longer), up);
    fprintf(out,
            "CAMERA\nPROJECTION ORTHOGRAPHIC\nZOOM %.9g\nASPECTRATIO 1.0\nANTIALIASING 2\n"
            "RAYDEPTH 8\nCENTER %.6f %.6f %.6f\nVIEWDIR 0 0 1\nUPDIR 0 1 0\nEND_CAMERA\n",
            v->shot->longer_side / (longer * up), (v->left + v->right) / 2, (v->low + v->high) / 2,
            v->front - EYE_NM);
}

/* Three lights, so that shadows never hide what lies behind, and a haze for depth. */
static void write_lights(FILE *out, const View *v)
{
    fprintf(out, "BACKGROUND 1 1 1\n"
                 "DIRECTIONAL_LIGHT DIRECTION 0.40 -0.60 0.70 COLOR 0.50 0.50 0.50\n"
                 "DIRECTIONAL_LIGHT DIRECTION -0.30 -0.10 0.95 COLOR 0.22 0.22 0.22\n"
                 "DIRECTIONAL_LIGHT DIRECTION 0.05 0.25 0.97 COLOR 0.20 0.20 0.20\n");
    fprintf(out, "FOG LINEAR START %.6f END %.6f DENSITY 0.75 COLOR 1 1 1\n",
            EYE_NM + 0.2 * (v->back - v->front), EYE_NM + 1.4 * (v->back - v->front));
}

static void write_sphere(FILE *out, const View *v, const double x[3], double radius_nm,
                         int32_t type)
{
    double at[3];

    place(v, x, at);
    fprintf(out, "SPHERE CENTER %.4f %.4f %.4f RAD %.4f type%d\n", at[0], at[1], at[2], radius_nm,
            type);
}

static void write_rod(FILE *out, const View *v, const double a[3], const double b[3],
                      double radius_nm, int32_t type)
{
    double from[3], to[3];

    place(v, a, from);
    place(v, b, to);
    fprintf(out, "FCYLINDER BASE %.4f %.4f %.4f APEX %.4f %.4f %.4f RAD %.4f ", from[0], from[1],
            from[2], to[0], to[1], to[2], radius_nm);
    fprintf(out, type < 0 ? "edge\n" : "type%d\n", type);
}

/* The twelve edges, each from a corner along one direction. */
static void write_box(FILE *out, const View *v, double radius_nm)
{
    const double *const box_nm = v->system->box_nm;

    for (int corner = 0; corner < 8; corner++)
        for (int k = 0; k < 3; k++) {
            double a[3], b[3];

            if ((corner >> k & 1) != 0)
                continue;
            for (int n = 0; n < 3; n++) {
                a[n] = (corner >> n & 1) != 0 ? box_nm[n] : 0;
                b[n] = n == k ? box_nm[n] : a[n];
            }
            write_rod(out, v, a, b, radius_nm, -1);
        }
}

/* A long ellipsoid as a rod with round ends along the body's z axis. */
static void write_bead(FILE *out, const View *v, int32_t bead)
{
    const AmphiSystem   *s    = v->system;
    const int32_t        type = s->bead_type[bead];
    const AmphiBeadType *t    = &s->type[type];
    const double         half = (t->length_nm - t->breadth_nm) / 2;
    const double        *q = s->orientation[bead], *x = s->position_nm[bead];
    double               axis[3], a[3], b[3];

    if (half <= 0) {
        write_sphere(out, v, x, radius_of(s, type), type);
        return;
    }
    amphi_axis_of(q, axis);
    for (int k = 0; k < 3; k++) {
        a[k] = x[k] - half * axis[k];
        b[k] = x[k] + half * axis[k];
    }
    write_sphere(out, v, a, t->breadth_nm / 2, type);
    write_sphere(out, v, b, t->breadth_nm / 2, type);
    write_rod(out, v, a, b, t->breadth_nm / 2, type);
}

/* Two halves, each in the colour of its bead; nothing across the box. */
static void write_bond(FILE *out, const View *v, int32_t i, int32_t j)
{
    const AmphiSystem *s = v->system;
    const double      *a = s->position_nm[i], *b = s->position_nm[j];
    double             middle[3];

    for (int k = 0; k < 3; k++) {
        if (fabs(a[k] - b[k]) > s->box_nm[k] / 2)
            return;
        middle[k] = (a[k] + b[k]) / 2;
    }
    write_rod(out, v, a, middle, BOND_RADIUS_NM, s->bead_type[i]);
    write_rod(out, v, middle, b, BOND_RADIUS_NM, s->bead_type[j]);
}

/* The files of a picture on its way. tachyon cuts names of files at blanks: it works in the folder,
 * with names that have none. */
typedef struct {
    const char *png_path;
    char        folder[AMPHI_PATH_SIZE], scene_name[NAME_SIZE], png_name[NAME_SIZE];
    char        scene[AMPHI_PATH_SIZE], png[AMPHI_PATH_SIZE];
} Drawing;

static AmphiStatus name_files(Drawing *d, AmphiError *err)
{
    const char *const png_path = d->png_path;
    const char *const slash    = strrchr(png_path, '/');
    const int         n        = slash == NULL ? 0 : (int)(slash - png_path) + 1;
    const long        id       = (long)getpid();

    if (strlen(png_path) + NAME_SIZE >= AMPHI_PATH_SIZE)
        return amphi_fail(err, AMPHI_BAD_FILE, "too long a path for a picture: %.80s...", png_path);
    snprintf(d->folder, sizeof d->folder, "%.*s", n == 0 ? 2 : n, n == 0 ? "./" : png_path);
    snprintf(d->scene_name, sizeof d->scene_name, "tachyon-%ld.dat", id);
    snprintf(d->png_name, sizeof d->png_name, "tachyon-%ld.png", id);
    snprintf(d->scene, sizeof d->scene, "%.*s%s", n, png_path, d->scene_name);
    snprintf(d->png, sizeof d->png, "%.*s%s", n, png_path, d->png_name);
    return AMPHI_OK;
}

static AmphiStatus write_scene(const AmphiSystem *s, const ToolShot *shot, const Drawing *d,
                               AmphiError *err)
{
    const View view = view_of(s, shot);
    FILE      *out  = fopen(d->scene, "w");

    if (out == NULL)
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", d->png_path, strerror(errno));
    write_camera(out, &view);
    write_lights(out, &view);
    write_textures(out, s);
    write_box(out, &view, EDGE_OF_WIDTH * fmax(width_of(&view), height_of(&view)));
    for (int32_t b = 0; b < s->n_beads; b++)
        if (is_seen(&view, b))
            write_bead(out, &view, b);
    for (int32_t k = 0; k < s->n_exclusions; k++)
        if (is_seen(&view, s->exclusion[k][0]))
            write_bond(out, &view, s->exclusion[k][0], s->exclusion[k][1]);
    fprintf(out, "END_SCENE\n");

    const bool bad = ferror(out) != 0;

    if (fclose(out) != 0 || bad)
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", d->png_path, strerror(errno));
    return AMPHI_OK;
}

static AmphiStatus run_tachyon(Drawing *d, AmphiError *err)
{
    char  program[] = "tachyon", fog[] = "-fog_vmd", format[] = "-format", kind[] = "PNG";
    char  output[]    = "-o";
    char *arguments[] = { program, d->scene_name, fog, format, kind, output, d->png_name, NULL };
    int   code        = 0;

    AMPHI_TRY(tool_launch(arguments, d->folder, "tachyon", &code, err));
    return code == 0
               ? AMPHI_OK
               : amphi_fail(err, AMPHI_BAD_FILE, "%s: tachyon failed to draw it", d->png_path);
}

/* tachyon's exit code is silent about a picture that could not be written. */
static AmphiStatus check_png(const Drawing *d, AmphiError *err)
{
    static const char start[8] = { '\x89', 'P', 'N', 'G', '\r', '\n', '\x1a', '\n' };
    char              bytes[8] = { 0 };
    FILE             *in       = fopen(d->png, "rb");
    const size_t      n        = in == NULL ? 0 : fread(bytes, 1, sizeof bytes, in);

    if (in != NULL)
        fclose(in);
    if (n != sizeof bytes || memcmp(bytes, start, sizeof start) != 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: tachyon did not write the picture",
                          d->png_path);
    return AMPHI_OK;
}

static AmphiStatus finish(const Drawing *d, AmphiError *err)
{
    AMPHI_TRY(check_png(d, err));
    if (rename(d->png, d->png_path) != 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", d->png_path, strerror(errno));
    return AMPHI_OK;
}

AmphiStatus tool_draw_shot(const AmphiSystem *system, const ToolShot *shot, const char *png_path,
                           AmphiError *err)
{
    Drawing     d = { .png_path = png_path };
    AmphiStatus status;

    AMPHI_TRY(name_files(&d, err));
    if (unlink(png_path) != 0 && errno != ENOENT)
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", png_path, strerror(errno));
    status = write_scene(system, shot, &d, err);
    if (status == AMPHI_OK)
        status = run_tachyon(&d, err);
    if (status == AMPHI_OK)
        status = finish(&d, err);
    unlink(d.scene);
    unlink(d.png);
    return status;
}

AmphiStatus tool_draw_system(const AmphiSystem *system, const char *png_path, AmphiError *err)
{
    return tool_draw_shot(system, &side_shot, png_path, err);
}
