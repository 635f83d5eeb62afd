/* Bead types of the force fields, and names of both kinds of types. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/* More are a mistake or an attack. */
enum { MAX_TYPES = 4096 };

static bool is_item(const AmphiXml *xml, const char *name)
{
    return strcmp(xml->name, name) == 0;
}

static int32_t count_items(const AmphiReader *r, const char *name)
{
    int32_t n = 0;

    for (int32_t k = 0; k < r->n_items; k++)
        n += is_item(r->item[k], name);
    return n;
}

/* Names. */

static int compare_named(const void *a, const void *b)
{
    const AmphiNamed *p = a, *q = b;
    const int         c = strcmp(p->name, q->name);

    return c != 0 ? c : (p->place > q->place) - (p->place < q->place);
}

/* The index of the first element of that name; -1: none. */
static int32_t find_named(const AmphiNamed *named, int32_t n, const char *name)
{
    int32_t low = 0, high = n;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (strcmp(named[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strcmp(named[low].name, name) == 0 ? named[low].place : -1;
}

/* After so many faults the list of known names is left out. */
enum { ENOUGH_FAULTS = 100, LONGEST_LIST = 40 };

const char *amphi_reader_list(AmphiReader *r, const AmphiNamed *known, int32_t n)
{
    const char *list = "";

    for (int32_t k = 0; k < n && k < LONGEST_LIST && list != NULL; k++)
        list = amphi_arena_print(r->arena, "%s%s%s", list, k > 0 ? " " : "", known[k].name);
    if (n > LONGEST_LIST && list != NULL)
        list = amphi_arena_print(r->arena, "%s ... (%d in all)", list, n);
    return list != NULL ? list : "";
}

static const char *did_you_mean(AmphiReader *r, const char *word, const AmphiNamed *known,
                                int32_t n)
{
    const char **name = AMPHI_TAKE(r->arena, const char *, n);
    const char  *near, *out = NULL;

    for (int32_t k = 0; name != NULL && k < n; k++)
        name[k] = known[k].name;
    near = name != NULL ? amphi_nearest(word, name, n) : NULL;
    if (near != NULL)
        out = amphi_arena_print(r->arena, "        (did you mean \"%s\"?)", near);
    return out != NULL ? out : "";
}

void amphi_reader_unknown(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *word, const char *what, const AmphiNamed *known, int32_t n)
{
    const bool  is_late = amphi_notes_count(r->notes, AMPHI_NOTE_ERROR) >= ENOUGH_FAULTS;
    const char *list    = is_late ? "..." : amphi_reader_list(r, known, n);
    const char *mean    = is_late ? "" : did_you_mean(r, word, known, n);

    if (n == 0)
        list = r->n_items > 0 ? "(none is defined)"
                              : "(none is defined: an <include href=\"forcefield:elba\"/> in "
                                "<forcefield> brings some)";
    amphi_xml_note(r->notes, UNKNOWN_NAME, xml, attribute, what, list, mean);
}

const char *amphi_reader_digits(AmphiReader *r, int64_t n)
{
    const char *out = amphi_arena_print(r->arena, "%lld", (long long)n);

    return out != NULL ? out : "";
}

const char *amphi_reader_place(AmphiReader *r, const AmphiXml *xml)
{
    const char *place =
        amphi_arena_print(r->arena, "%s:%lld", xml->where.file, (long long)xml->where.line);

    return place != NULL ? place : "";
}

/* The elements of one kind that have names, and their names sorted. An element whose name is
 * already taken is noted and left out. */
typedef struct {
    int32_t          n;
    const AmphiXml **xml;   /* [n] in the order of the files */
    AmphiNamed      *named; /* [n] sorted; places in xml */
} Definitions;

static bool find_definitions(AmphiReader *r, const char *element, Definitions *out)
{
    const int32_t most = count_items(r, element);
    AmphiNamed   *all  = AMPHI_TAKE(r->arena, AmphiNamed, most);
    int32_t       n    = 0;

    *out = (Definitions){ 0, AMPHI_TAKE(r->arena, const AmphiXml *, most),
                          AMPHI_TAKE(r->arena, AmphiNamed, most) };
    if (all == NULL || out->xml == NULL || out->named == NULL)
        return false;
    for (int32_t k = 0; k < r->n_items; k++)
        if (is_item(r->item[k], element) && amphi_xml_text(r->item[k], "name") != NULL)
            all[n++] = (AmphiNamed){ amphi_xml_text(r->item[k], "name"), k };
    qsort(all, (size_t)n, sizeof *all, compare_named);
    for (int32_t k = 0; k < r->n_items; k++) {
        const char *name = is_item(r->item[k], element) ? amphi_xml_text(r->item[k], "name") : NULL;
        const int32_t first = name != NULL ? find_named(all, n, name) : k;

        if (name == NULL && is_item(r->item[k], element))
            r->lacks_items = true;
        if (first != k)
            amphi_xml_note(r->notes, DUPLICATE, r->item[k], "name",
                           amphi_reader_place(r, r->item[first]));
        else if (name != NULL) {
            out->named[out->n] = (AmphiNamed){ name, out->n };
            out->xml[out->n++] = r->item[k];
        }
    }
    qsort(out->named, (size_t)out->n, sizeof *out->named, compare_named);
    return true;
}

/* Bead types. */

/* What is nearer to one axis is further from another: no mass has a moment above the other two
 * together, and a flat one has as much. To a thousandth, for rounded numbers. */
static bool has_a_body(const double m[3])
{
    const double most = fmax(m[0], fmax(m[1], m[2]));

    return most <= (m[0] + m[1] + m[2] - most) * 1.001;
}

/* Moments about body x y z, and how the bead turns. */
static void read_inertia(AmphiReader *r, const AmphiXml *xml, AmphiBeadType *type)
{
    const double inertia = amphi_xml_quantity(xml, "inertia", 0);
    double       m[3];

    type->rotor = AMPHI_POINT;
    if (amphi_xml_has(xml, "moments")) {
        if (!amphi_xml_vector(xml, "moments", m))
            return;
        if (!(m[0] > 0 && m[1] > 0 && m[2] > 0)) {
            amphi_xml_note(r->notes, NOT_POSITIVE, xml, "moments", NULL);
            return;
        }
        type->rotor = AMPHI_TOP;
        memcpy(type->inertia_u_nm2, m, sizeof m);
        if (!has_a_body(m))
            amphi_xml_note(r->notes, NO_SUCH_BODY, xml, "moments", NULL);
        if (amphi_xml_has(xml, "inertia"))
            amphi_xml_note(r->notes, BOTH_GIVEN, xml, "inertia", "moments");
        else if (amphi_xml_has(xml, "rotor"))
            amphi_xml_note(r->notes, NO_USE_WITH, xml, "rotor", "moments, which tell it");
        return;
    }
    if (!(inertia > 0)) {
        if (amphi_xml_has(xml, "rotor") && !amphi_xml_has(xml, "inertia"))
            amphi_xml_note(r->notes, NO_USE_WITH, xml, "rotor", "no inertia");
        return;
    }
    type->rotor            = amphi_xml_choice(xml, "rotor") == 1 ? AMPHI_TOP : AMPHI_LINEAR_ROTOR;
    type->inertia_u_nm2[0] = type->inertia_u_nm2[1] = inertia;
    type->inertia_u_nm2[2]                          = type->rotor == AMPHI_TOP ? inertia : 0;
}

/* What is told of a shape means something beside its breadth. */
static void check_shape(AmphiReader *r, const AmphiXml *xml)
{
    static const char *const other[] = { "length", "side", "end" };

    for (int k = 0; k < 3; k++)
        if (amphi_xml_has(xml, other[k]) && !amphi_xml_has(xml, "breadth")) {
            amphi_xml_note(r->notes, NO_USE_WITH, xml, other[k], "no breadth");
            return;
        }
}

static void read_beadtype(AmphiReader *r, const AmphiXml *xml)
{
    AmphiBeadType *type = &r->type[r->n_types++];

    *type = (AmphiBeadType){ .name        = amphi_xml_text(xml, "name"),
                             .mass_u      = amphi_xml_quantity(xml, "mass", 1),
                             .charge_e    = amphi_xml_quantity(xml, "charge", 0),
                             .dipole_e_nm = amphi_xml_quantity(xml, "dipole", 0),
                             .electrons   = amphi_xml_quantity(xml, "electrons", 0),
                             .breadth_nm  = amphi_xml_quantity(xml, "breadth", 0),
                             .side        = amphi_xml_quantity(xml, "side", 1),
                             .end         = amphi_xml_quantity(xml, "end", 1) };

    type->length_nm = amphi_xml_quantity(xml, "length", type->breadth_nm);
    check_shape(r, xml);
    read_inertia(r, xml, type);
    if (amphi_xml_has(xml, "inertia") || amphi_xml_has(xml, "moments"))
        return;
    if (type->dipole_e_nm > 0)
        amphi_xml_note(r->notes, NO_INERTIA, xml, "dipole", NULL);
    if (type->length_nm != type->breadth_nm)
        amphi_xml_note(r->notes, NO_INERTIA, xml, "length", NULL);
}

int32_t amphi_reader_type(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                          const char *name)
{
    const int32_t k = find_named(r->type_named, r->n_types, name);

    if (k < 0 && !r->lacks_items)
        amphi_reader_unknown(r, xml, attribute, name, "bead type", r->type_named, r->n_types);
    return k;
}

int32_t amphi_reader_molecule(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                              const char *name)
{
    const int32_t k = find_named(r->molecule_named, r->n_molecule_types, name);

    if (k < 0 && !r->lacks_items)
        amphi_reader_unknown(r, xml, attribute, name, "molecule type", r->molecule_named,
                             r->n_molecule_types);
    return k;
}

int32_t amphi_reader_molecule_type(AmphiReader *r, const AmphiXml *xml, const char *attribute)
{
    const char *name = amphi_xml_text(xml, attribute);

    return name != NULL ? amphi_reader_molecule(r, xml, attribute, name) : -1;
}

void amphi_reader_types(AmphiReader *r)
{
    Definitions types, molecules;

    if (count_items(r, "beadtype") > MAX_TYPES || count_items(r, "moleculetype") > MAX_TYPES) {
        amphi_note(r->notes, TOO_MANY, amphi_xml_child(r->root, "forcefield")->where,
                   "bead types or molecule types", "4096");
        r->lacks_items = true;
        return;
    }
    if (!find_definitions(r, "beadtype", &types) ||
        !find_definitions(r, "moleculetype", &molecules))
        return;
    r->type           = AMPHI_TAKE(r->arena, AmphiBeadType, types.n);
    r->type_named     = types.named;
    r->molecule_type  = AMPHI_TAKE(r->arena, AmphiMoleculeType, molecules.n);
    r->molecule_named = molecules.named;
    if (r->type == NULL || r->molecule_type == NULL)
        return;
    for (int32_t k = 0; k < types.n; k++)
        read_beadtype(r, types.xml[k]);
    for (int32_t k = 0; k < molecules.n; k++)
        amphi_reader_moleculetype(r, molecules.xml[k]);
}
