/* The table of XML elements and attributes, and look-ups in it. xsd.c writes the schema from it. */
#include "schema.h"

#include <string.h>

#define TEXT(name_, use_, meaning_)                                                                \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_TEXT, .use = use_, .meaning = meaning_                   \
    }
#define NAME(name_, use_, meaning_)                                                                \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_NAME, .use = use_, .meaning = meaning_                   \
    }
#define NAME_OR(name_, standard_, meaning_)                                                        \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_NAME, .use = AMPHI_DEFAULT, .standard = standard_,       \
        .meaning = meaning_                                                                        \
    }
#define NAMES(name_, use_, meaning_)                                                               \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_NAMES, .use = use_, .meaning = meaning_                  \
    }
#define CHOICE(name_, use_, standard_, choices_, meaning_)                                         \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_CHOICE, .use = use_, .standard = standard_,              \
        .choices = choices_, .meaning = meaning_                                                   \
    }
#define CHOICES(name_, use_, standard_, choices_, meaning_)                                        \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_CHOICES, .use = use_, .standard = standard_,             \
        .choices = choices_, .meaning = meaning_                                                   \
    }
#define QUANTITY(name_, dimension_, range_, use_, standard_, meaning_)                             \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_QUANTITY, .dimension = AMPHI_DIM_##dimension_,           \
        .range = AMPHI_RANGE_##range_, .use = use_, .standard = standard_, .meaning = meaning_     \
    }
#define VECTOR(name_, dimension_, use_, meaning_)                                                  \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_VECTOR, .dimension = AMPHI_DIM_##dimension_,             \
        .use = use_, .meaning = meaning_                                                           \
    }
#define INTERVAL(name_, dimension_, use_, standard_, meaning_)                                     \
    {                                                                                              \
        .name = name_, .kind = AMPHI_ATTR_INTERVAL, .dimension = AMPHI_DIM_##dimension_,           \
        .range = AMPHI_RANGE_POSITIVE, .use = use_, .standard = standard_, .meaning = meaning_     \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }
#define SOURCE TEXT("source", AMPHI_OPTIONAL, "where the numbers come from")

static const AmphiAttribute none[] = { END };

/* The force-field file. */

static const AmphiAttribute forcefield_attributes[] = {
    QUANTITY("version", WHOLE, POSITIVE, AMPHI_REQUIRED, NULL, "of the form of the file: 1"),
    NAME("name", AMPHI_REQUIRED, "of the force field, for messages and records"),
    TEXT("cite", AMPHI_OPTIONAL, "what to cite when it is used"), END
};
static const AmphiAttribute beadtype_attributes[] = {
    NAME("name", AMPHI_REQUIRED, "of the bead type"),
    QUANTITY("mass", MASS, POSITIVE, AMPHI_REQUIRED, NULL, "mass"),
    QUANTITY("charge", CHARGE, ANY, AMPHI_DEFAULT, "0 e", "charge at the centre"),
    QUANTITY("dipole", DIPOLE, NON_NEGATIVE, AMPHI_DEFAULT, "0 D",
             "strength of a point dipole along body z"),
    QUANTITY("inertia", INERTIA, POSITIVE, AMPHI_OPTIONAL, NULL,
             "moment of inertia across the axis, or of a spherical top"),
    CHOICE("rotor", AMPHI_DEFAULT, "linear", "linear top",
           "with inertia: linear rotor (2 degrees of freedom) or spherical top (3)"),
    VECTOR("moments", INERTIA, AMPHI_OPTIONAL,
           "three moments of inertia about body x y z, instead of inertia"),
    QUANTITY("electrons", NUMBER, NON_NEGATIVE, AMPHI_DEFAULT, "0", "for electron densities"),
    QUANTITY("breadth", LENGTH, POSITIVE, AMPHI_OPTIONAL, NULL,
             "Gay-Berne: full diameter across the axis"),
    QUANTITY("length", LENGTH, POSITIVE, AMPHI_OPTIONAL, NULL,
             "Gay-Berne: full diameter along the axis; default: breadth"),
    QUANTITY("side", NUMBER, POSITIVE, AMPHI_DEFAULT, "1",
             "Gay-Berne: relative well depth side by side"),
    QUANTITY("end", NUMBER, POSITIVE, AMPHI_DEFAULT, "1",
             "Gay-Berne: relative well depth end to end"),
    SOURCE,
    END
};
static const AmphiAttribute pair_attributes[] = {
    NAMES("types", AMPHI_REQUIRED, "two bead types, in the order of fields with i and j"),
    CHOICE("potential", AMPHI_REQUIRED, NULL, "lennard-jones sticky gay-berne none",
           "its fields are further attributes; several potentials for a pair: several lines"),
    SOURCE, END
};
static const AmphiAttribute mixing_attributes[] = {
    CHOICE("potential", AMPHI_REQUIRED, NULL, "lennard-jones", "what is mixed"),
    CHOICE("rule", AMPHI_REQUIRED, NULL, "lorentz-berthelot",
           "sigma arithmetic, epsilon geometric, from the like pairs"),
    SOURCE, END
};
static const AmphiAttribute override_attributes[] = {
    NAMES("pair", AMPHI_REQUIRED, "two bead types"),
    QUANTITY("scale-epsilon", NUMBER, NON_NEGATIVE, AMPHI_DEFAULT, "1",
             "factor on epsilon of Lennard-Jones and Gay-Berne"),
    QUANTITY("scale-sigma", NUMBER, POSITIVE, AMPHI_DEFAULT, "1",
             "factor on sigma of Lennard-Jones, on all lengths of Gay-Berne"),
    TEXT("why", AMPHI_REQUIRED, "the reason, kept in every record of the run"), END
};
static const AmphiAttribute moleculetype_attributes[] = {
    NAME("name", AMPHI_REQUIRED, "of the molecule type"),
    CHOICE("kind", AMPHI_DEFAULT, "molecule", "lipid solvent molecule",
           "lipids have heads and tails; solvent fills boxes"),
    SOURCE, END
};
static const AmphiAttribute bead_attributes[] = {
    QUANTITY("id", WHOLE, POSITIVE, AMPHI_REQUIRED, NULL, "1, 2, 3 ... in order"),
    NAME("type", AMPHI_REQUIRED, "a bead type"),
    NAME("name", AMPHI_OPTIONAL, "in coordinate files; default: the type"), END
};
static const AmphiAttribute bond_attributes[] = {
    NAMES("beads", AMPHI_REQUIRED, "two ids"),
    CHOICE("potential", AMPHI_REQUIRED, NULL, "harmonic", "its fields are further attributes"),
    SOURCE, END
};
static const AmphiAttribute angle_attributes[] = {
    NAMES("beads", AMPHI_REQUIRED, "three ids, the vertex second"),
    CHOICE("potential", AMPHI_REQUIRED, NULL, "cosine-squared harmonic",
           "its fields are further attributes"),
    SOURCE, END
};
static const AmphiAttribute orientation_attributes[] = {
    NAMES("beads", AMPHI_REQUIRED,
          "dipole-restraint: the dipole and what it points to; bond-axis: the ellipsoid and two "
          "beads of its chain"),
    CHOICE("potential", AMPHI_REQUIRED, NULL, "dipole-restraint bond-axis",
           "its fields are further attributes"),
    SOURCE, END
};
static const AmphiAttribute tail_attributes[] = {
    NAME("name", AMPHI_REQUIRED, "of the tail"),
    NAMES("beads", AMPHI_REQUIRED, "ids from the head side to the end"), END
};
static const AmphiAttribute head_attributes[] = {
    NAME("bead", AMPHI_REQUIRED, "id of the bead whose height is the leaflet's"), END
};
static const AmphiAttribute literature_attributes[] = {
    NAMES("of", AMPHI_REQUIRED,
          "molecule types: all lipids of the membrane, or all that is in a box without lipids"),
    TEXT("source", AMPHI_REQUIRED, "who found it, and how"),
    QUANTITY("temperature", TEMPERATURE, POSITIVE, AMPHI_OPTIONAL, NULL, "at which"),
    QUANTITY("area", AREA, POSITIVE, AMPHI_OPTIONAL, NULL, "of a lipid"),
    QUANTITY("volume", VOLUME, POSITIVE, AMPHI_OPTIONAL, NULL, "of a lipid"),
    QUANTITY("thickness", LENGTH, POSITIVE, AMPHI_OPTIONAL, NULL,
             "between the heads of the leaflets"),
    QUANTITY("density", DENSITY, POSITIVE, AMPHI_OPTIONAL, NULL, "of all that is in the box"),
    END
};

/* The job file. */

static const AmphiAttribute amphi_attributes[] = {
    QUANTITY("version", WHOLE, POSITIVE, AMPHI_REQUIRED, NULL, "of the form of the file: 1"), END
};
static const AmphiAttribute include_attributes[] = {
    NAME("href", AMPHI_REQUIRED,
         "a file below the folder of this one, or forcefield:NAME for those installed"),
    END
};
static const AmphiAttribute box_attributes[] = {
    QUANTITY("x", LENGTH, POSITIVE, AMPHI_REQUIRED, NULL, "edge"),
    QUANTITY("y", LENGTH, POSITIVE, AMPHI_REQUIRED, NULL, "edge"),
    QUANTITY("z", LENGTH, POSITIVE, AMPHI_REQUIRED, NULL, "edge"), END
};
static const AmphiAttribute molecule_attributes[] = {
    NAME("type", AMPHI_REQUIRED, "a molecule type"),
    QUANTITY("count", WHOLE, POSITIVE, AMPHI_REQUIRED, NULL, "how many, one after another"), END
};
static const AmphiAttribute coordinates_attributes[] = {
    TEXT("file", AMPHI_REQUIRED, "below the folder of this file; of several frames the first"),
    CHOICE("format", AMPHI_OPTIONAL, NULL, "gro pdb lammps-data chk dcd xtc",
           "default: by the ending of the name"),
    CHOICE("dipoles", AMPHI_DEFAULT, "forcefield", "file forcefield",
           "where the strengths of charges and dipoles come from"),
    END
};
static const AmphiAttribute beads_attributes[] = {
    NAME("length", AMPHI_REQUIRED, "unit of the positions"),
    NAME_OR("charge", "e", "unit of the charges"), NAME_OR("dipole", "e*nm", "unit of the dipoles"),
    END
};
static const AmphiAttribute velocities_attributes[] = {
    QUANTITY("temperature", TEMPERATURE, NON_NEGATIVE, AMPHI_REQUIRED, NULL,
             "of the Maxwell distribution, translation and rotation"),
    QUANTITY("seed", WHOLE, NON_NEGATIVE, AMPHI_REQUIRED, NULL, "of the random numbers"), END
};
static const AmphiAttribute orientations_attributes[] = {
    QUANTITY("seed", WHOLE, NON_NEGATIVE, AMPHI_REQUIRED, NULL,
             "random orientations, for files that have none"),
    END
};
static const AmphiAttribute bilayer_attributes[] = {
    CHOICE("normal", AMPHI_DEFAULT, "z", "z", "the axis across the membrane"),
    NAME_OR("water", "water", "molecule type of the solvent"),
    QUANTITY("water-per-lipid", NUMBER, NON_NEGATIVE, AMPHI_OPTIONAL, NULL,
             "solvent molecules for each lipid"),
    QUANTITY("water-thickness", LENGTH, NON_NEGATIVE, AMPHI_OPTIONAL, NULL,
             "of the whole solvent layer, instead of water-per-lipid"),
    QUANTITY("area-per-lipid", AREA, POSITIVE, AMPHI_DEFAULT, "0.65 nm^2",
             "of the start, in the larger leaflet"),
    QUANTITY("seed", WHOLE, NON_NEGATIVE, AMPHI_DEFAULT, "1", "of the random numbers"),
    END
};
static const AmphiAttribute leaflet_attributes[] = {
    CHOICE("side", AMPHI_REQUIRED, NULL, "upper lower", "which side of the membrane"), END
};
static const AmphiAttribute fill_attributes[] = {
    NAME("type", AMPHI_OPTIONAL, "a molecule type; for a mixture <part> instead"),
    QUANTITY("count", WHOLE, POSITIVE, AMPHI_OPTIONAL, NULL,
             "how many; with a <box> and a density it follows"),
    QUANTITY("density", DENSITY, POSITIVE, AMPHI_OPTIONAL, NULL,
             "of the box; with a count and no <box> the cube follows"),
    QUANTITY("seed", WHOLE, NON_NEGATIVE, AMPHI_DEFAULT, "1", "of the random numbers"), END
};
static const AmphiAttribute group_attributes[] = {
    NAME("name", AMPHI_REQUIRED, "of the group; `all` is always there"),
    NAMES("select", AMPHI_REQUIRED,
          "`molecule` and molecule types, `bead` and bead types, or `kind` and kinds; what several "
          "of these have in common: `molecule DMPC and bead phos`"),
    END
};
static const AmphiAttribute constants_attributes[] = {
    QUANTITY("coulomb", COULOMB, POSITIVE, AMPHI_DEFAULT, "138.935457644 kJ*nm/mol/e^2",
             "Coulomb constant (CODATA 2018)"),
    QUANTITY("relative-permittivity", NUMBER, POSITIVE, AMPHI_DEFAULT, "1",
             "divides the Coulomb constant; of what is within the cut-off, for a reaction field"),
    END
};
static const AmphiAttribute cutoff_attributes[] = {
    QUANTITY("distance", LENGTH, POSITIVE, AMPHI_REQUIRED, NULL,
             "of every potential that has none of its own"),
    END
};
static const AmphiAttribute treatment_attributes[] = {
    CHOICES("of", AMPHI_REQUIRED, NULL, "lennard-jones charges dipoles gay-berne",
            "potentials; charge-dipole pairs follow the dipoles"),
    CHOICE("type", AMPHI_REQUIRED, NULL,
           "truncated energy-shift force-shift quadratic-shift shifted-factors reaction-field "
           "switched",
           "what happens at the cut-off"),
    NAMES("pair", AMPHI_OPTIONAL, "two bead types; default: all pairs"),
    QUANTITY("cutoff", LENGTH, POSITIVE, AMPHI_OPTIONAL, NULL, "default: that of <cutoff>"),
    QUANTITY("from", LENGTH, POSITIVE, AMPHI_OPTIONAL, NULL,
             "switched, reaction-field: where the cubic switch begins"),
    QUANTITY("permittivity", NUMBER, POSITIVE, AMPHI_OPTIONAL, NULL,
             "reaction-field: of the medium beyond the cut-off, where that within has the "
             "relative-permittivity of <constants>"),
    END
};
static const AmphiAttribute restrain_attributes[] = {
    NAME("group", AMPHI_REQUIRED, "a group of beads"),
    CHOICE("axes", AMPHI_DEFAULT, "xyz", "x y z xy xz yz xyz", "along which"),
    QUANTITY("k", ENERGY_PER_AREA, NON_NEGATIVE, AMPHI_REQUIRED, NULL, "E = k x^2, without 1/2"),
    VECTOR("to", LENGTH, AMPHI_OPTIONAL, "of all, in the first box; default: each bead's start"),
    END
};

/* The plan of a job, its output, and how it is computed. */

static const AmphiAttribute plan_attributes[] = {
    QUANTITY("timestep", TIME, POSITIVE, AMPHI_REQUIRED, NULL,
             "of every stage that has none of its own; a tenth of the fastest period, or less: of "
             "bonds, angles, orientations, restraints, dipoles, beads at contact"),
    END
};
static const AmphiAttribute minimise_attributes[] = {
    NAME("name", AMPHI_REQUIRED, "of the stage"),
    QUANTITY("steps", WHOLE, POSITIVE, AMPHI_DEFAULT, "500", "at most so many, downhill"),
    QUANTITY("stop-force", FORCE, POSITIVE, AMPHI_DEFAULT, "100 kJ/mol/nm",
             "ends when no force, and no torque over 0.1 nm, is larger; see \"fixed force\""),
    END
};
static const AmphiAttribute run_attributes[] = {
    NAME("name", AMPHI_REQUIRED, "of the stage"),
    CHOICE("ensemble", AMPHI_REQUIRED, NULL, "nve nvt npt",
           "constant energy, temperature, or temperature and pressure"),
    QUANTITY("length", TIME, POSITIVE, AMPHI_REQUIRED, NULL, "simulated time"),
    QUANTITY("timestep", TIME, POSITIVE, AMPHI_OPTIONAL, NULL, "default: that of <plan>"),
    QUANTITY("seed", WHOLE, NON_NEGATIVE, AMPHI_OPTIONAL, NULL,
             "of the random numbers of thermostat and barostat; default: made of the seeds of the "
             "start, or of its coordinates and velocities, so that another start has other noise"),
    END
};
static const AmphiAttribute thermostat_attributes[] = {
    CHOICE("type", AMPHI_DEFAULT, "velocity-rescale", "velocity-rescale berendsen langevin",
           "berendsen only to equilibrate: its fluctuations are too small"),
    QUANTITY("temperature", TEMPERATURE, POSITIVE, AMPHI_REQUIRED, NULL, "to hold"),
    QUANTITY("time", TIME, POSITIVE, AMPHI_DEFAULT, "1 ps",
             "of relaxation; langevin: the inverse of the friction"),
    QUANTITY("every", WHOLE, POSITIVE, AMPHI_DEFAULT, "10",
             "steps between two scalings of velocities; langevin acts in each"),
    {
        .name     = "groups",
        .kind     = AMPHI_ATTR_NAMES,
        .use      = AMPHI_DEFAULT,
        .standard = "all",
        .meaning  = "each is held apart; together they hold every bead once",
    },
    QUANTITY(
        "remove-drift", FLAG, ANY, AMPHI_DEFAULT, "no",
        "take away the momentum of each of the groups whenever it is held; what groups have given "
        "each other since goes with it, 0.06 K in a membrane of 128 lipids with time=\"1 ps\", in "
        "proportion to that time and more where there are fewer beads, 5 K in two liquids that "
        "mix: there write every=\"1\""),
    END
};
static const AmphiAttribute barostat_attributes[] = {
    CHOICE("type", AMPHI_DEFAULT, "cell-rescale", "cell-rescale berendsen",
           "berendsen only to equilibrate: its fluctuations are too small"),
    CHOICE("coupling", AMPHI_DEFAULT, "semi-isotropic", "isotropic semi-isotropic constant-area",
           "all edges alike, z apart from x and y, or z alone (NPAT)"),
    QUANTITY("pressure", PRESSURE, ANY, AMPHI_DEFAULT, "1 bar", "to hold"),
    QUANTITY("time", TIME, POSITIVE, AMPHI_DEFAULT, "2 ps", "of relaxation"),
    QUANTITY("compressibility", COMPRESSIBILITY, POSITIVE, AMPHI_DEFAULT, "4.6e-5 1/bar",
             "of the system, about; one of twice the size acts as half the time"),
    QUANTITY("tension", ENERGY_PER_AREA, ANY, AMPHI_OPTIONAL, NULL,
             "semi-isotropic: surface tension of the whole membrane; default: none"),
    QUANTITY("every", WHOLE, POSITIVE, AMPHI_DEFAULT, "10",
             "steps between two moves of the box, each by the pressure of two steps before"),
    END
};
static const AmphiAttribute hold_attributes[] = {
    NAME("group", AMPHI_REQUIRED, "a group of beads"),
    CHOICE("axes", AMPHI_DEFAULT, "xyz", "x y z xy xz yz xyz", "along which"),
    QUANTITY("k", ENERGY_PER_AREA, NON_NEGATIVE, AMPHI_REQUIRED, NULL, "E = k x^2, without 1/2"),
    END
};

#define EVERY(standard_)                                                                           \
    INTERVAL("every", TIME, AMPHI_DEFAULT, standard_, "between frames, counted in each stage")
#define CENTRE                                                                                     \
    NAME_OR("centre", "all",                                                                       \
            "the group whose middle is zero: the circular mean of the ends of tails in it, as "    \
            "for the other outputs; of all its beads, by mass, where it has none; all, without "   \
            "lipids: the middle of the box")
#define FROM NAME("from", AMPHI_OPTIONAL, "the first stage that is seen; default: the first <run>")

static const AmphiAttribute energies_attributes[] = {
    EVERY("1 ps"), FROM,
    CHOICE(
        "conserved", AMPHI_OPTIONAL, NULL, "mean sample",
        "the conserved energy: mean over all steps since the last line, or of the step; default: "
        "mean in nve, where it costs little to know"),
    END
};
static const AmphiAttribute trajectory_attributes[] = {
    EVERY("100 ps"),
    FROM,
    CHOICE(
        "format", AMPHI_DEFAULT, "dcd", "dcd xtc",
        "dcd: trajectory.dcd, single precision, one interval for all frames; xtc: trajectory.xtc, "
        "a third of the size, each frame with its step and time"),
    QUANTITY("precision", LENGTH, POSITIVE, AMPHI_OPTIONAL, NULL,
             "of positions in xtc, which are whole numbers of it; default: 0.001 nm"),
    CHOICE("molecules", AMPHI_DEFAULT, "whole", "whole wrapped",
           "molecules in one piece, or every bead inside the box"),
    NAME_OR("group", "all", "which beads"),
    END
};
static const AmphiAttribute profile_attributes[] = {
    EVERY("1 ps"),
    FROM,
    CHOICE("axis", AMPHI_DEFAULT, "z", "x y z", "across the membrane"),
    CENTRE,
    NAME("group", AMPHI_OPTIONAL,
         "the beads that count, in profile-GROUP.tsv; default: all beads, in profile.tsv"),
    QUANTITY("width", LENGTH, POSITIVE, AMPHI_DEFAULT, "0.05 nm", "of a slab"),
    CHOICES("of", AMPHI_DEFAULT, "mass", "mass number charge electrons dipole", "densities"),
    END
};
static const AmphiAttribute area_attributes[]      = { EVERY("1 ps"), FROM, END };
static const AmphiAttribute thickness_attributes[] = {
    EVERY("1 ps"), FROM,
    NAMES("beads", AMPHI_OPTIONAL, "bead types; default: the heads of the lipids"), END
};
static const AmphiAttribute order_attributes[] = {
    EVERY("1 ps"), FROM,
    NAMES("bonds", AMPHI_OPTIONAL, "names of tails; default: all tails of the lipids"), END
};
static const AmphiAttribute rdf_attributes[] = {
    EVERY("10 ps"),
    FROM,
    NAMES("beads", AMPHI_REQUIRED, "two bead types"),
    NAME("name", AMPHI_OPTIONAL, "rdf-NAME.tsv is written; default: rdf.tsv"),
    QUANTITY("width", LENGTH, POSITIVE, AMPHI_DEFAULT, "0.01 nm", "of a shell"),
    QUANTITY("extent", LENGTH, POSITIVE, AMPHI_DEFAULT, "1.5 nm", "the largest distance"),
    END
};
static const AmphiAttribute diffusion_attributes[] = {
    EVERY("10 ps"), FROM,
    NAME_OR("group", "all", "which beads; they move against their leaflet, or the system"),
    CHOICE("plane", AMPHI_DEFAULT, "xyz", "xy xyz", "along the membrane, or in space"), END
};
static const AmphiAttribute lateral_pressure_attributes[] = {
    EVERY("1 ps"),
    FROM,
    CHOICE("axis", AMPHI_DEFAULT, "z", "x y z", "across the membrane"),
    CENTRE,
    QUANTITY("width", LENGTH, POSITIVE, AMPHI_DEFAULT, "0.1 nm", "of a slab"),
    END
};
static const AmphiAttribute undulations_attributes[] = {
    EVERY("10 ps"), FROM,
    NAMES("beads", AMPHI_OPTIONAL, "bead types; default: the heads of the lipids"), END
};
static const AmphiAttribute checkpoint_attributes[] = {
    INTERVAL("every", WALL_TIME, AMPHI_DEFAULT, "5 min", "on the clock"), END
};
static const AmphiAttribute report_attributes[] = {
    QUANTITY("snapshot", FLAG, ANY, AMPHI_DEFAULT, "yes", "pictures of the last state"), END
};
static const AmphiAttribute compute_attributes[] = {
    CHOICE("backend", AMPHI_DEFAULT, "auto", "auto reference cpu cuda",
           "who computes; auto: the fastest there is"),
    CHOICE("precision", AMPHI_DEFAULT, "single", "single double fixed",
           "of pair forces; fixed: of forces, motion and state"),
    QUANTITY("device", WHOLE, NON_NEGATIVE, AMPHI_DEFAULT, "0", "which GPU, from 0; backend cuda"),
    QUANTITY("threads", WHOLE, POSITIVE, AMPHI_OPTIONAL, NULL,
             "4096 at most; default: as many as processors"),
    QUANTITY("margin", LENGTH, POSITIVE, AMPHI_OPTIONAL, NULL,
             "of the neighbour list, 10 nm at most; default: chosen by the backend"),
    END
};
static const AmphiAttribute watch_attributes[] = {
    INTERVAL(
        "every", TIME, AMPHI_DEFAULT, "100 steps",
        "between two looks for faults: what is not finite, beads that go 0.5 nm in a step, "
        "orientations that are no rotation, bonds beyond twice their length with over 100 kT; when "
        "a stage begins, overlaps: more than 100 kT a bead, or given to a bead by the first step"),
    INTERVAL(
        "verify-every", TIME, AMPHI_OPTIONAL, NULL,
        "compute the last 100 steps again, or all of a shorter interval, and stop if they lead "
        "to other bits: the hardware is at fault; default: never"),
    QUANTITY("max-drift", DRIFT, POSITIVE, AMPHI_DEFAULT, "1e-3 kT/ns/dof",
             "of the conserved energy of a stage: a line through its samples, one in each look; "
             "judged from 1000 of them on, where it is more than two of its errors. With a "
             "barostat, whose moves leave some, 100 kJ/mol/ns more for the whole box; with "
             "Langevin noise, which walks in it, not at all. Good is less: below 4e-5 kT/ns/dof in "
             "single, 2e-6 in double and fixed"),
    CHOICE("on-fault", AMPHI_DEFAULT, "warn", "warn stop",
           "what a larger drift leads to; what is not finite always stops the run"),
    END
};

#define ANY_NUMBER (-1)

static const AmphiElement elements[] = {
    { "amphi", "", "a system to simulate", 1, 1, false, false, amphi_attributes },
    { "title", "amphi forcefield", "one line for people", 0, 1, true, false, none },
    { "forcefield", "amphi", "bead types, potentials and molecule types", 1, 1, false, false,
      none },
    { "forcefield", "", "a force-field file", 1, 1, false, false, forcefield_attributes },
    { "include", "forcefield", "another force-field file", 0, ANY_NUMBER, false, false,
      include_attributes },
    { "beadtype", "forcefield", "a type of beads", 0, ANY_NUMBER, false, false,
      beadtype_attributes },
    { "pair", "forcefield", "a potential between two types", 0, ANY_NUMBER, false, true,
      pair_attributes },
    { "mixing", "forcefield", "pairs that are not written out, from like ones without overrides", 0,
      1, false, false, mixing_attributes },
    { "override", "forcefield", "a deliberate change of a pair, once for each factor of two types",
      0, ANY_NUMBER, false, false, override_attributes },
    { "moleculetype", "forcefield", "beads and what holds them together", 0, ANY_NUMBER, false,
      false, moleculetype_attributes },
    { "bead", "moleculetype", "a bead of the molecule", 1, ANY_NUMBER, false, false,
      bead_attributes },
    { "bond", "moleculetype", "a bond; two that it joins do not interact otherwise", 0, ANY_NUMBER,
      false, true, bond_attributes },
    { "angle", "moleculetype", "an angle; its ends interact as other pairs do", 0, ANY_NUMBER,
      false, true, angle_attributes },
    { "orientation", "moleculetype", "what turns a dipole or an axis", 0, ANY_NUMBER, false, true,
      orientation_attributes },
    { "tail", "moleculetype", "a chain of a lipid", 0, ANY_NUMBER, false, false, tail_attributes },
    { "head", "moleculetype", "the head of a lipid", 0, ANY_NUMBER, false, false, head_attributes },
    { "literature", "forcefield", "published values, shown beside those of a run", 0, ANY_NUMBER,
      false, false, literature_attributes },
    { "system", "amphi", "what is in the box", 1, 1, false, false, none },
    { "box", "system", "periodic box; default: that of the coordinates", 0, 1, false, false,
      box_attributes },
    { "molecule", "system", "molecules in the order of the coordinates", 0, ANY_NUMBER, false,
      false, molecule_attributes },
    { "start", "system", "where everything is at the beginning", 1, 1, false, false, none },
    { "coordinates", "start", "from a file", 0, 1, false, false, coordinates_attributes },
    { "beads", "start",
      "in the text, a line a bead: type molecule x y z qw qx qy qz [charge dipole]", 0, 1, true,
      false, beads_attributes },
    { "bilayer", "start", "a membrane made from its composition", 0, 1, false, false,
      bilayer_attributes },
    { "leaflet", "bilayer", "one side", 2, 2, false, false, leaflet_attributes },
    { "lipid", "leaflet", "lipids of a leaflet", 0, ANY_NUMBER, false, false, molecule_attributes },
    { "fill", "start", "a box filled at random", 0, 1, false, false, fill_attributes },
    { "part", "fill", "a part of a mixture", 0, ANY_NUMBER, false, false, molecule_attributes },
    { "velocities", "start", "drawn at random; default: those of the file, or zero", 0, 1, false,
      false, velocities_attributes },
    { "orientations", "start",
      "drawn at random: begin the plan with <minimise>, or they heat the first <run>", 0, 1, false,
      false, orientations_attributes },
    { "group", "system", "a named set of beads", 0, ANY_NUMBER, false, false, group_attributes },
    { "interactions", "amphi", "what decides the forces", 0, 1, false, false, none },
    { "constants", "interactions", "to compare with other programs", 0, 1, false, false,
      constants_attributes },
    { "cutoff", "interactions forcefield", "the common cut-off; later ones, of <interactions>, win",
      0, 1, false, false, cutoff_attributes },
    { "treatment", "interactions forcefield",
      "what happens at the cut-off; later lines win over earlier ones", 0, ANY_NUMBER, false, false,
      treatment_attributes },
    { "restrain", "interactions", "holds images of beads near a place that moves with the box", 0,
      ANY_NUMBER, false, false, restrain_attributes },
    { "plan", "amphi", "what to do, stage by stage, in order", 0, 1, false, false,
      plan_attributes },
    { "minimise", "plan", "a stage: downhill; outputs do not see it", 0, ANY_NUMBER, false, false,
      minimise_attributes },
    { "run", "plan", "a stage: dynamics", 0, ANY_NUMBER, false, false, run_attributes },
    { "thermostat", "run", "holds the temperature", 0, 1, false, false, thermostat_attributes },
    { "barostat", "run", "holds the pressure", 0, 1, false, false, barostat_attributes },
    { "restrain", "run", "holds beads, unwrapped, near where the stage began", 0, ANY_NUMBER, false,
      false, hold_attributes },
    { "output", "amphi", "what to write while it runs", 0, 1, false, false, none },
    { "output", "", "the root of a file for `amphi analyse --observe`: what to measure", 1, 1,
      false, false, none },
    { "energies", "output", "energy.tsv: terms, temperature, pressure, box", 0, 1, false, false,
      energies_attributes },
    { "trajectory", "output", "trajectory.dcd or trajectory.xtc, and topology.psf", 0, 1, false,
      false, trajectory_attributes },
    { "profile", "output",
      "profile.tsv: densities across the membrane; profile-GROUP.tsv: those of a group, one "
      "<profile> "
      "for each",
      0, ANY_NUMBER, false, false, profile_attributes },
    { "area", "output", "area.tsv: area and volume per lipid", 0, 1, false, false,
      area_attributes },
    { "thickness", "output", "thickness.tsv: distance of the leaflets that the first frame has", 0,
      1, false, false, thickness_attributes },
    { "order", "output", "order.tsv: order parameter of tail bonds", 0, 1, false, false,
      order_attributes },
    { "rdf", "output", "rdf.tsv: radial distribution function; of several each has a name", 0,
      ANY_NUMBER, false, false, rdf_attributes },
    { "diffusion", "output", "diffusion.tsv: mean-square displacement", 0, 1, false, false,
      diffusion_attributes },
    { "lateral-pressure", "output",
      "lateral-pressure.tsv: pressure along the membrane and across it, without restraints", 0, 1,
      false, false, lateral_pressure_attributes },
    { "undulations", "output",
      "undulations.tsv: waves of a membrane with normal z, and its bending modulus", 0, 1, false,
      false, undulations_attributes },
    { "checkpoint", "output", "how often the run is saved", 0, 1, false, false,
      checkpoint_attributes },
    { "report", "output", "report.html: what the page of a run has", 0, 1, false, false,
      report_attributes },
    { "compute", "amphi", "where and how exactly; nothing here changes the physics", 0, 1, false,
      false, compute_attributes },
    { "watch", "compute", "looks for what is not physical", 0, 1, false, false, watch_attributes },
};

enum { N_ELEMENTS = sizeof elements / sizeof elements[0] };

const AmphiElement *amphi_schema_at(int32_t k)
{
    return k >= 0 && k < N_ELEMENTS ? &elements[k] : NULL;
}

bool amphi_schema_is_word(const char *words, const char *word)
{
    const size_t n = strlen(word);

    if (n == 0)
        return false;
    for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

const AmphiElement *amphi_schema_find(const char *name, const char *parent)
{
    for (int32_t k = 0; k < N_ELEMENTS; k++) {
        const AmphiElement *e = &elements[k];
        const bool          at =
            parent[0] == '\0' ? e->parents[0] == '\0' : amphi_schema_is_word(e->parents, parent);
        if (at && strcmp(e->name, name) == 0)
            return e;
    }
    return NULL;
}

const AmphiAttribute *amphi_schema_attribute(const AmphiElement *element, const char *name)
{
    for (const AmphiAttribute *a = element->attribute; a->name != NULL; a++)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}
