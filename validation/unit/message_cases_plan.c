/* Faults in what a plan and its outputs mean. */
#include "message_cases.h"

#define END_OF_JOB "</amphi>\n"
#define PLAN(stages)                                                                               \
    "<plan timestep=\"5 fs\">@\n" stages "</plan>\n<output><energies/></output>\n" END_OF_JOB
#define UNMARKED(stages, output)                                                                   \
    "<plan timestep=\"5 fs\">\n" stages "</plan>\n<output>\n" output "</output>\n" END_OF_JOB
#define RUN(attributes, content)                                                                   \
    "<run name=\"a\" length=\"1 ps\" " attributes ">\n" content "</run>\n"
#define PLAIN "<run name=\"a\" ensemble=\"nve\" length=\"1 ps\"/>\n"
#define LONGER                                                                                     \
    "<minimise name=\"m\"/>\n<run name=\"b\" ensemble=\"nve\" length=\"1 ps\" "                    \
    "timestep=\"10 fs\"/>\n"
#define HEAT  "<thermostat temperature=\"300 K\"/>\n"
#define NOISE "<thermostat type=\"langevin\" temperature=\"300 K\"/>\n"
#define PRESSED(name)                                                                              \
    "<run name=\"" name "\" ensemble=\"npt\" length=\"1 ps\">\n" HEAT                              \
    "<barostat pressure=\"1 bar\"/></run>\n"
#define BATH(name, content)                                                                        \
    "<run name=\"" name "\" ensemble=\"nvt\" length=\"1 ps\">\n" content "</run>\n"
#define PUSH "<barostat@/>\n"
#define FILLED                                                                                     \
    "<fill density=\"1 g/cm^3\" seed=\"1\"><part type=\"salt\" count=\"2\"/>"                      \
    "<part type=\"water\" count=\"12\"/></fill>\n"

/* The molecule types of job_base. */
#define SALT(kind, tail)                                                                           \
    "<moleculetype name=\"salt\"" kind ">\n<bead id=\"1\" type=\"ion\" name=\"NA\"/>\n"            \
    "<bead id=\"2\" type=\"cl\" name=\"CL\"/>\n<bond beads=\"1 2\" potential=\"harmonic\" "        \
    "k=\"100 kJ/mol/nm^2\" length=\"0.4 nm\"/>\n" tail "</moleculetype>\n"
#define WATER(kind) "<moleculetype name=\"water\" kind=\"" kind "\">"

#define SPRING(beads)                                                                              \
    "<bond beads=\"" beads "\" potential=\"harmonic\" k=\"500 kJ/mol/nm^2\" length=\"0.4 nm\"/>\n"
/* A lipid whose beads have no names of their own. */
#define NAMELESS                                                                                   \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/>\n"                       \
    "<moleculetype name=\"short\" kind=\"lipid\"><bead id=\"1\" type=\"phos\"/>\n"                 \
    "<bead id=\"2\" type=\"tail\"/><bead id=\"3\" type=\"tail\"/><bead id=\"4\" "                  \
    "type=\"tail\"/>\n" SPRING("1 2") SPRING("2 3")                                                \
        SPRING("3 4") "<head bead=\"1\"/><tail name=\"sn\" beads=\"2 3 "                           \
                      "4\"/></moleculetype></forcefield>\n"                                        \
                      "<system><start><fill type=\"short\" count=\"99\" density=\"0.6 "            \
                      "g/cm^3\"/></start></system>\n"

/* Held apart, in every tenth step, and without drift. */
#define TWO_GROUPS                                                                                 \
    UNMARKED(RUN("ensemble=\"nvt\"", "<thermostat temperature=\"300 K\" groups=\"ions rest\" "     \
                                     "remove-drift=\"yes\"@/>\n"),                                 \
             "")
#define AND_A_GROUP AND("ion cl\"/>", "ion cl\"/><group name=\"rest\" select=\"bead dip\"/>")

const MessageCase message_cases_plan[] = {
    { CASE(NO_STAGES, "<plan>: nothing to do", "write <minimise name=\"relax\"/>", END_OF_JOB,
           PLAN("")) },
    { CASE(STAGE_TWICE, "<run name=\"a\">: a stage of that name is there already", "", END_OF_JOB,
           UNMARKED(PLAIN "<run name=\"a\"@ ensemble=\"nve\" length=\"1 ps\"/>\n", "")) },
    { CASE(HELD_TWICE, "<restrain group=\"ions\">: another line here holds it along the same axis",
           "if both mean the same", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nve\"",
                        "<restrain group=\"ions\" axes=\"xy\" k=\"1 kJ/mol/nm^2\"/>\n<restrain "
                        "group=\"ions\"@ axes=\"yz\" k=\"1 kJ/mol/nm^2\"/>"),
                    "")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(STAGE_NEEDS, "<run ensemble=\"nvt\">: needs <thermostat>",
           "write: <thermostat temperature=\"303 K\"/>", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nvt\"@", ""), "")) },
    { CASE(STAGE_NEEDS, "<run ensemble=\"npt\">: needs <barostat>", "write: <barostat", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"npt\"@", HEAT), "")) },
    { CASE(BAROSTAT_WITHOUT_NPT, "<barostat>: has no meaning with ensemble=\"nvt\"",
           "write: ensemble=\"npt\", or remove <barostat>", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nvt\"", HEAT PUSH), "")) },
    { CASE(BAROSTAT_WITHOUT_NPT, "<barostat>: has no meaning with ensemble=\"nve\"",
           "write: ensemble=\"npt\", or remove <barostat>", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nve\"", PUSH), "")) },
    { CASE(NO_LIQUID, "<barostat pressure=\"-100001 bar\">: liquids lie between -1e5 and 1e5 bar",
           "write: pressure=\"1 bar\"", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"npt\"", HEAT "<barostat pressure=\"-100001 bar\"@/>\n"),
                    "<energies/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(NO_LIQUID, "<barostat compressibility=\"1 1/bar\">: liquids lie between 1e-7 and 0.01",
           "write: compressibility=\"4.6e-5 1/bar\"", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"npt\"", HEAT "<barostat compressibility=\"1 1/bar\"@/>\n"),
                    "<energies/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(NO_USE_WITH, "<barostat tension=\"1 mN/m\">: has no meaning with coupling=\"isotropic\"",
           "remove it", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"npt\"",
                        HEAT "<barostat coupling=\"isotropic\" tension=\"1 mN/m\"@/>\n"),
                    "")) },
    { CASE(NO_USE_WITH, "<thermostat every=\"5\">: has no meaning with type=\"langevin\"",
           "remove it", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nvt\"", "<thermostat type=\"langevin\" temperature=\"300 K\" "
                                            "every=\"5\"@/>\n"),
                    "")) },
    { CASE(HELD_SELDOM,
           "<thermostat time=\"0.02 ps\">: shorter than the 0.05 ps from one scaling to the next",
           "write: every=\"4\", or a longer time", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nvt\"", "<thermostat temperature=\"300 K\" "
                                            "time=\"0.02 ps\"@/>\n"),
                    "")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(FEW_ARE_PUSHED,
           "<thermostat remove-drift=\"yes\">: between two removals other groups push ions, which "
           "has 2 beads: what they give it counts as heat, and it may be held 150 K too cold",
           "write: every=\"1\"", END_OF_JOB, TWO_GROUPS),
      AND_A_GROUP, .severity = AMPHI_NOTE_WARNING },
    { CASE(FEW_ARE_PUSHED, "between two removals other groups push ions, which has 2 beads",
           "write: every=\"1\"", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nvt\"", "<thermostat temperature=\"300 K\" groups=\"ions none "
                                            "rest\" remove-drift=\"yes\"@/>\n"),
                    "")),
      AND("ion cl\"/>", "ion cl\"/><group name=\"rest\" select=\"bead dip\"/>"
                        "<group name=\"none\" select=\"kind lipid\"/>"),
      .severity = AMPHI_NOTE_WARNING, .n_others = 1 },
    { CASE(
          DRIFT_COOLS,
          "<thermostat time=\"1 ps\">: what groups give each other is taken away with their drift, "
          "and comes back in that time: some 92.8 K too cold",
          "write: a shorter time, or every=\"1\"", END_OF_JOB, TWO_GROUPS),
      AND_A_GROUP, .severity = AMPHI_NOTE_WARNING },
    { CASE(
          BOX_OVERSHOOTS,
          "<barostat time=\"0.1 ps\">: too short for a liquid whose box moves every 0.05 ps with a "
          "compressibility of 4.6e-5 1/bar: it overshoots, and heats the beads",
          "write: time=\"0.3 ps\", or move the box more often", END_OF_JOB,
          UNMARKED(RUN("ensemble=\"npt\"", HEAT "<barostat time=\"0.1 ps\"@/>\n"), "")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(BOX_OVERSHOOTS,
           "<barostat time=\"2 ps\">: too short for a liquid whose box moves every 0.1 ps with a "
           "compressibility of 2.4e-4 1/bar",
           "write: time=\"2.435 ps\"", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"npt\"",
                        HEAT "<barostat@ every=\"20\" compressibility=\"2.4e-4 1/bar\"/>\n"),
                    "")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(THERMOSTAT_ON_NVE, "<run ensemble=\"nve\">: has a thermostat, so this is not nve",
           "write: ensemble=\"nvt\"", END_OF_JOB, UNMARKED(RUN("ensemble=\"nve\"@", HEAT), "")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(DRAWN_AND_RUN,
           "<orientations>: drawn at random, and nothing turns them downhill before time steps: "
           "their energy heats stage a",
           "write <minimise name=\"relax\" steps=\"500\"/> before the first <run>", END_OF_JOB,
           UNMARKED(PLAIN LONGER, "<energies/>\n")),
      AND(JOB_BEADS, "<coordinates file=\"a.gro\"/>\n<orientations@ seed=\"1\"/>\n"),
      WITH("a.gro", "A test\n4\n    1salt    NA    1   1.000   1.000   1.000\n"
                    "    1salt    CL    2   1.400   1.000   1.000\n"
                    "    2water    W    3   2.000   2.000   1.000\n"
                    "    3water    W    4   2.000   1.000   2.000\n3.0 3.0 3.0\n"),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(
          SEES_NOTHING,
          "<energies>: sees nothing, as outputs do not see minimisations and the plan has no <run>",
          "write a <run>, or remove it", END_OF_JOB,
          UNMARKED("<minimise name=\"m\"/>\n", "<energies@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(SEES_NOTHING, "<trajectory>: sees nothing, as outputs do not see minimisations",
           "write a <run>; without one it writes final.gro and final.data alone", END_OF_JOB,
           UNMARKED("<minimise name=\"m\"/>\n", "<trajectory@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(MOMENTUM_AS_HEAT,
           "<thermostat>: counts as heat the momentum that stage a leaves, and cools the beads",
           "write: remove-drift=\"yes\"", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nvt\"", NOISE)
                        BATH("b", "<thermostat@ temperature=\"300 K\"/>"),
                    "")),
      AND("<restrain group=\"ions\" k=\"10 kJ/mol/nm^2\"/>\n", ""),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(
        GROUPS_MISS, "<thermostat groups=\"ions\">: water 1 is in none of these groups",
        "write: groups=\"all\"", END_OF_JOB,
        UNMARKED(RUN("ensemble=\"nvt\"", "<thermostat temperature=\"300 K\" groups=\"ions\"@/>\n"),
                 "")) },
    { CASE(GROUPS_SHARE, "<thermostat groups=\"all ions\">: salt 1 bead NA is in two", "",
           END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nvt\"",
                        "<thermostat temperature=\"300 K\" groups=\"all ions\"@/>\n"),
                    "")) },
    { CASE(
        UNKNOWN_NAME, "<thermostat groups=\"iosn\">: no group of that name",
        "(did you mean \"ions\"?)", END_OF_JOB,
        UNMARKED(RUN("ensemble=\"nvt\"", "<thermostat temperature=\"300 K\" groups=\"iosn\"@/>\n"),
                 "")) },
    { CASE(UNKNOWN_NAME, "<restrain group=\"iosn\">: no group of that name",
           "(did you mean \"ions\"?)", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nve\"", "<restrain group=\"iosn\"@ k=\"1 kJ/mol/nm^2\"/>\n"),
                    "")) },
    { CASE(LONG_TIME_STEP,
           "<plan timestep=\"100 fs\">: longer than a tenth of the period of a dipole dip",
           "write: timestep=\"", END_OF_JOB,
           "<plan timestep=\"100 fs\"@>\n" PLAIN "</plan>\n<output/>\n" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING, AND("inertia=\"1 u*nm^2\"", "inertia=\"0.001 u*nm^2\"") },
    { CASE(LONG_TIME_STEP,
           "<plan timestep=\"100 fs\">: longer than a tenth of the period of a pair ion-cl at "
           "contact, ",
           "write: timestep=\"", END_OF_JOB,
           "<plan timestep=\"100 fs\"@>\n" PLAIN "</plan>\n<output/>\n" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING, AND(" dipole=\"2 D\" inertia=\"1 u*nm^2\"", "") },
    { CASE(LONG_TIME_STEP, "<run timestep=\"0.1 ps\">: longer than a tenth", "write: timestep=\"",
           END_OF_JOB, UNMARKED(RUN("ensemble=\"nve\" timestep=\"0.1 ps\"@", ""), "")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(LONG_TIME_STEP,
           "<plan timestep=\"5 fs\">: longer than a tenth of the period of a restrained bead cl",
           "write: timestep=\"", END_OF_JOB,
           "<plan timestep=\"5 fs\"@>\n<run name=\"a\" ensemble=\"nve\" length=\"1 ps\"><restrain "
           "group=\"ions\" k=\"3e5 kJ/mol/nm^2\"/></run>\n</plan>\n<output/>\n" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(LONG_TIME_STEP,
           "<plan timestep=\"5 fs\">: longer than a tenth of the period of a restrained bead cl",
           "write: timestep=\"", END_OF_JOB,
           "<plan timestep=\"5 fs\"@>\n" PLAIN "</plan>\n<output/>\n" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING, AND("k=\"10 kJ/mol/nm^2\"", "k=\"3e5 kJ/mol/nm^2\"") },
    { CASE(LONG_TIME_STEP, /* half of that in the run, and as much in a stage */
           "<run timestep=\"5 fs\">: longer than a tenth of the period of a restrained bead cl",
           "write: timestep=\"", END_OF_JOB,
           UNMARKED(RUN("ensemble=\"nve\" timestep=\"5 fs\"@",
                        "<restrain group=\"ions\" k=\"1.5e5 kJ/mol/nm^2\"/>"),
                    "")),
      .severity = AMPHI_NOTE_WARNING, AND("k=\"10 kJ/mol/nm^2\"", "k=\"1.5e5 kJ/mol/nm^2\"") },
    { CASE(STEPS_ROUNDED, "<run length=\"12 fs\">: no whole number of steps of 5 fs; 2 it is", "",
           END_OF_JOB,
           UNMARKED("<run name=\"a\" ensemble=\"nve\" length=\"12 fs\"@/>\n", "<energies/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(STEPS_ROUNDED, "<energies every=\"12 fs\">: no whole number of steps", "", END_OF_JOB,
           UNMARKED(PLAIN, "<energies every=\"12 fs\"@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(STEPS_ROUNDED, "<energies every=\"15 fs\">: no whole number of steps of 10 fs; 2 it is",
           "", END_OF_JOB, UNMARKED(PLAIN LONGER, "<energies every=\"15 fs\"@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(FROM_MINIMISE, "<energies from=\"m\">: nothing is written of a minimisation",
           "name a <run>", END_OF_JOB,
           UNMARKED("<minimise name=\"m\"/>\n" PLAIN, "<energies from=\"m\"@/>\n")) },
    { CASE(UNKNOWN_NAME, "<energies from=\"b\">: no stage of that name", "write one of: a",
           END_OF_JOB, UNMARKED(PLAIN, "<energies from=\"b\"@/>\n")) },
    { CASE(UNKNOWN_NAME, "<rdf beads=\"dip dop\">: no bead type of that name",
           "(did you mean \"dip\"?)", END_OF_JOB, UNMARKED(PLAIN, "<rdf beads=\"dip dop\"@/>\n")) },
    { CASE(NOT_TWO_TYPES, "<rdf beads=\"dip\">: two bead types are wanted",
           "write: beads=", END_OF_JOB, UNMARKED(PLAIN, "<rdf beads=\"dip\"@/>\n")) },
    { CASE(UNKNOWN_NAME, "<diffusion group=\"iosn\">: no group of that name",
           "(did you mean \"ions\"?)", END_OF_JOB,
           UNMARKED(PLAIN, "<diffusion group=\"iosn\"@/>\n")) },
    { CASE(OUTPUT_NO_LIPIDS, "<area>: there are no lipids in the box", "remove it", END_OF_JOB,
           UNMARKED(PLAIN, "<area/>@\n")) },
    { CASE(UNEVEN_FRAMES,
           "<trajectory every=\"50 steps\">: 0.5 ps in stage b and 0.25 ps before, but a DCD file",
           "write: from=\"b\", another every, or format=\"xtc\", in which every frame has its time",
           END_OF_JOB, UNMARKED(PLAIN LONGER, "<trajectory every=\"50 steps\"@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(UNEVEN_FRAMES, "<trajectory every=\"0.3 ps\">: stage a ends between two frames",
           "write: from=\"b\"", END_OF_JOB,
           UNMARKED(PLAIN LONGER, "<trajectory every=\"0.3 ps\"@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(UNEVEN_FRAMES,
           "<trajectory every=\"0.5 ps\">: the end of stage a and the beginning of c have one time",
           "write: from=\"c\"", END_OF_JOB,
           UNMARKED(PLAIN "<minimise name=\"b\"/>\n<run name=\"c\" ensemble=\"nve\" length=\"1 "
                          "ps\"/>\n",
                    "<trajectory every=\"0.5 ps\"@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(NO_USE_WITH, "<trajectory precision=\"0.001 nm\">: has no meaning with format=\"dcd\"",
           "remove it", END_OF_JOB, UNMARKED(PLAIN, "<trajectory precision=\"0.001 nm\"@/>\n")) },
    { CASE(TOO_FINE, "<trajectory precision=\"1e-9 nm\">: more than 100000000 parts of the longest",
           "write a precision of at least 3e-08 nm", END_OF_JOB,
           UNMARKED(PLAIN, "<trajectory format=\"xtc\" precision=\"1e-9 nm\"@/>\n")) },
    { CASE(TOO_FINE, "<trajectory precision=\"1e-9 nm\">: more than 100000000 parts of the longest",
           "write a precision of at least 8.7e-09 nm", END_OF_JOB,
           UNMARKED(PLAIN, "<trajectory format=\"xtc\" precision=\"1e-9 nm\"@/>\n")),
      AND(JOB_BOX JOB_MOLECULES "<start>\n" JOB_BEADS, "<start>\n" FILLED) },
    { CASE(TOO_COARSE, "<trajectory precision=\"0.2 nm\">: coarser than 0.05 nm",
           "write a precision of at most 0.05 nm", END_OF_JOB,
           UNMARKED(PLAIN, "<trajectory format=\"xtc\" precision=\"0.2 nm\"@/>\n")) },
    { CASE(UNIT_WRONG, "<checkpoint every=\"5 ps\">: the unit is not that of a time on the clock",
           "known for a time on the clock: s min h steps", END_OF_JOB,
           UNMARKED(PLAIN, "<checkpoint every=\"5 ps\"@/>\n")) },
    { CASE(TOO_SMALL_NUMBER,
           "<checkpoint every=\"1e-7 s\">: out of range, below 1e-06 s on the clock", "",
           END_OF_JOB, UNMARKED(PLAIN, "<checkpoint every=\"1e-7 s\"@/>\n")) },
    { CASE(REFERENCE_IS_DOUBLE,
           "<compute precision=\"fixed\">: the backend reference computes in double",
           "write: precision=\"double\"", END_OF_JOB,
           "<compute backend=\"reference\" precision=\"fixed\"@/>" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(FIXED_STEP,
           "<compute precision=\"fixed\">: the time step of a is no whole number of 1/64 fs, in "
           "which "
           "fixed counts",
           "write: timestep=\"0.296875 fs\"", END_OF_JOB,
           "<plan timestep=\"0.3 fs\">" PLAIN "</plan><output><energies/></output>"
           "<compute precision=\"fixed\"@/>" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(NO_ELECTRONS,
           "<profile of=\"mass electrons\">: beads of type ion count as without electrons",
           "write electrons=\"10\", as many as they have, at its <beadtype>", END_OF_JOB,
           UNMARKED(PLAIN, "<profile of=\"mass electrons\"@/>")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(NO_VELOCITIES, "<start>: no velocities, so that a begins at 0 K below its 300 K",
           "write <velocities temperature=\"300 K\" seed=\"1\"/> in it", END_OF_JOB,
           UNMARKED(BATH("a", HEAT), "<energies/>")),
      AND("<start>\n", "@<start>\n"), .severity = AMPHI_NOTE_WARNING },
    { CASE(TOO_LARGE_NUMBER,
           "<checkpoint every=\"1e5 h\">: out of range, beyond 1000000 s on the clock", "",
           END_OF_JOB, UNMARKED(PLAIN, "<checkpoint every=\"1e5 h\"@/>\n")) },
    { CASE(TOO_LARGE_NUMBER, "<compute threads=\"4097\">: out of range, beyond 4096", "",
           END_OF_JOB, "<compute threads=\"4097\"@/>\n" END_OF_JOB) },
    { CASE(TOO_LARGE_NUMBER, "<compute margin=\"10.5 nm\">: out of range, beyond 10 nm", "",
           END_OF_JOB, "<compute margin=\"10.5 nm\"@/>\n" END_OF_JOB) },
    { CASE(BEYOND_HALF_BOX, "<rdf extent=\"100 nm\">: more than half the shortest box edge, 1.5 nm",
           "write an extent of at most 1.5 nm", END_OF_JOB,
           UNMARKED(PLAIN, "<rdf beads=\"dip dip\" extent=\"100 nm\"@/>\n")) },
    { CASE(TOO_FINE, "<rdf width=\"1e-9 nm\">: more than 100000 shells",
           "write a width of at least 1.1e-05 nm", END_OF_JOB,
           UNMARKED(PLAIN, "<rdf beads=\"dip dip\" extent=\"1 nm\" width=\"1e-9 nm\"@/>\n")) },
    { CASE(TOO_FINE, "<profile width=\"1e-7 nm\">: more than 2000000 slabs",
           "write a width of at least 2.3e-06 nm", END_OF_JOB,
           UNMARKED(PLAIN, "<profile width=\"1e-7 nm\"@/>\n")) },
    { CASE(WIDER_THAN_EXTENT, "<rdf width=\"2 nm\">: wider than the extent, 1 nm",
           "write a smaller width", END_OF_JOB,
           UNMARKED(PLAIN, "<rdf beads=\"dip dip\" extent=\"1 nm\" width=\"2 nm\"@/>\n")) },
    { CASE(NO_PAIRS, "<rdf beads=\"ion cl\">: no two such beads in different molecules",
           "write types of which", END_OF_JOB,
           UNMARKED(PLAIN, "<rdf beads=\"ion cl\"@ extent=\"1 nm\"/>\n")) },
    { CASE(STANDS_TWICE, "<profile of=\"mass charge mass\">: mass stands twice",
           "remove one of them", END_OF_JOB,
           UNMARKED(PLAIN, "<profile of=\"mass charge mass\"@/>\n")) },
    { CASE(FILE_TWICE, "<profile>: a second one that writes profile.tsv",
           "write group=\"...\" at it, as no other has", END_OF_JOB,
           UNMARKED(PLAIN, "<profile/>\n<profile of=\"number\"/>@\n")) },
    { CASE(FILE_TWICE, "<profile>: a second one that writes profile-ions.tsv",
           "write group=", END_OF_JOB,
           UNMARKED(PLAIN, "<profile group=\"ions\"/>\n<profile group=\"ions\"/>@\n")) },
    { CASE(FILE_TWICE, "<rdf>: a second one that writes rdf-a.tsv",
           "write name=\"...\" at it, as no other has", END_OF_JOB,
           UNMARKED(PLAIN, "<rdf name=\"a\" beads=\"dip dip\" extent=\"1 nm\"/>\n"
                           "<rdf beads=\"dip dip\" extent=\"1 nm\"/>\n"
                           "<rdf name=\"a\" beads=\"dip ion\" extent=\"1 nm\"/>@\n")) },
    { CASE(NO_FILE_NAME, "<rdf name=\"../a\">: cannot be part of the name of a file",
           "write at most 60 of: letters digits - _ . +", END_OF_JOB,
           UNMARKED(PLAIN, "<rdf name=\"../a\"@ beads=\"dip dip\" extent=\"1 nm\"/>\n")) },
    { CASE(NO_FILE_NAME, "<profile group=\"i/o\">: cannot be part of the name of a file",
           "write at most 60", END_OF_JOB, UNMARKED(PLAIN, "<profile group=\"i/o\"@/>\n")),
      AND("ion cl\"/>", "ion cl\"/><group name=\"i/o\" select=\"bead dip\"/>") },
    { CASE(TOO_MANY, "more than 32 outputs", "", END_OF_JOB,
           UNMARKED(PLAIN, "$<rdf name=\"last\" beads=\"dip dip\" extent=\"1 nm\"/>@\n")),
      .piece = "<rdf name=\"a%d\" beads=\"dip dip\" extent=\"1 nm\"/>", .times = 32 },
    { CASE(BOX_MOVES_OR_NOT,
           "<area>: one mean over stage p, whose barostat moves the box, and a, where it stands",
           "write: from=\"a\", or a plan that ends before a", END_OF_JOB,
           UNMARKED(PRESSED("p") "<minimise name=\"m\"/>\n" PLAIN, "<area/>@\n")),
      .severity = AMPHI_NOTE_WARNING, AND("kind=\"solvent\"", "kind=\"lipid\"") },
    { CASE(BOX_MOVES_OR_NOT,
           "<area>: one mean over stage p, whose barostat moves the box, and a, where it stands",
           "write: from=\"q\", or a plan that ends before a", END_OF_JOB,
           UNMARKED(PRESSED("p") PLAIN PRESSED("q"), "<area from=\"p\"/>@\n")),
      .severity = AMPHI_NOTE_WARNING, AND("kind=\"solvent\"", "kind=\"lipid\"") },
    { CASE(BOX_MOVES_LATER,
           "<area>: one mean over stage a, where the box stands still, and p, whose barostat moves "
           "it",
           "write: from=\"p\"", END_OF_JOB,
           UNMARKED("<minimise name=\"m\"/>\n" PLAIN PRESSED("p"), "<area/>@\n")),
      .severity = AMPHI_NOTE_WARNING, AND("kind=\"solvent\"", "kind=\"lipid\"") },
    { CASE(EVERY_TOO_LONG, "<energies every=\"250 steps\">: no stage is as long",
           "write: every=\"0.01 ps\", or longer", END_OF_JOB,
           UNMARKED(PLAIN LONGER, "<energies every=\"250 steps\"@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(EVERY_TOO_LONG, "<trajectory every=\"1.5 ps\">: no stage is as long",
           "write: every=", END_OF_JOB, UNMARKED(PLAIN, "<trajectory every=\"1.5 ps\"@/>\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(LEAFLET_LACKS,
           "<thickness>: of the beads it is measured from, the lower leaflet has none",
           "with types that lipids of both leaflets have", END_OF_JOB,
           UNMARKED(PLAIN, "<thickness beads=\"ion\"/>@\n")),
      AND("<moleculetype name=\"salt\"", "<moleculetype name=\"salt\" kind=\"lipid\"") },
    { CASE(LIPIDS_LACK, "<thickness>: no lipid has a <head>", "write beads=", END_OF_JOB,
           UNMARKED(PLAIN, "<thickness/>@\n")),
      AND("kind=\"solvent\"", "kind=\"lipid\"") },
    { CASE(LIPIDS_LACK, "<thickness>: no lipid has a bead of these types",
           "write beads=", END_OF_JOB, UNMARKED(PLAIN, "<thickness beads=\"ion\"/>@\n")),
      AND("kind=\"solvent\"", "kind=\"lipid\"") },
    { CASE(LIPIDS_LACK, "<order>: no lipid has such a <tail> of two beads", "remove it", END_OF_JOB,
           UNMARKED(PLAIN, "<order/>@\n")),
      AND("kind=\"solvent\"", "kind=\"lipid\"") },
    { CASE(LIPID_LEFT_OUT, "<order>: water has no <tail> of two beads, and is left out",
           "write one in its <moleculetype>", END_OF_JOB, UNMARKED(PLAIN, "<order/>@\n")),
      AND(SALT("", "") WATER("solvent"),
          SALT(" kind=\"lipid\"", "<tail name=\"sn\" beads=\"1 2\"/>\n") WATER("lipid")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(BONDS_ALIKE,
           "<order>: two bonds of tail sn of short are called tail-tail in "
           "order.tsv",
           "write a name=\"...\" of its own at each <bead> of the tail", NULL,
           NAMELESS UNMARKED(PLAIN, "<order/>@\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(OUTPUT_EMPTY, "<output>: names no output, so that only checkpoints are written",
           "write <energies/><trajectory/> in it", END_OF_JOB,
           "<plan timestep=\"5 fs\">\n" PLAIN "</plan>\n<output>@<report/></output>\n" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(UNKNOWN_NAME, "<order bonds=\"sn1\">: no tail of that name", "(none is defined)",
           END_OF_JOB, UNMARKED(PLAIN, "<order bonds=\"sn1\"@/>\n")),
      .n_others = 1 },
    { CASE(UNKNOWN_NAME, "<order bonds=\"sn\">: no tail of that name", "write one of: sn1 sn2  ",
           END_OF_JOB, UNMARKED(PLAIN, "<order bonds=\"sn\"@/>\n")),
      AND("<moleculetype name=\"water\" kind=\"solvent\">",
          "<moleculetype name=\"other\" kind=\"lipid\"><bead id=\"1\" type=\"dip\" name=\"W\"/>"
          "<tail name=\"sn1\" beads=\"1\"/><tail name=\"sn2\" beads=\"1\"/></moleculetype>"
          "<moleculetype name=\"water\" kind=\"lipid\"><tail name=\"sn1\" beads=\"1\"/>"
          "<tail name=\"sn2\" beads=\"1\"/>") },
    { CASE(NO_OUTPUT, "<plan>: no <output>, so that only checkpoints are written",
           "write <output><energies/><trajectory/></output>", END_OF_JOB,
           "<plan timestep=\"5 fs\">@\n" PLAIN "</plan>\n" END_OF_JOB),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(TOO_MANY, "more than 256 stages", "", END_OF_JOB, PLAN("$")),
      .piece = "<minimise name=\"m%d\"/>\n", .times = 257 },
    { CASE(NOT_A_NUMBER, "<energies every=\"often\">: not a number", "write every=\"1.5 ps\"",
           END_OF_JOB, UNMARKED(PLAIN, "<energies every=\"often\"@/>\n")) },
    { CASE(UNIT_MISSING, "<energies every=\"100\">: a time needs a unit",
           "write one behind the number: fs ps ns us ms s min h steps", END_OF_JOB,
           UNMARKED(PLAIN, "<energies every=\"100\"@/>\n")) },
    { CASE(NOT_POSITIVE, "<energies every=\"0\">: must be above zero", "", END_OF_JOB,
           UNMARKED(PLAIN, "<energies every=\"0\"@/>\n")) },
    { CASE(NOT_POSITIVE, "<energies every=\"0 steps\">: must be above zero", "", END_OF_JOB,
           UNMARKED(PLAIN, "<energies every=\"0 steps\"@/>\n")) },
    { CASE(NOT_POSITIVE, "<energies every=\"-5 steps\">: must be above zero", "", END_OF_JOB,
           UNMARKED(PLAIN, "<energies every=\"-5 steps\"@/>\n")) },
    { CASE(NOT_WHOLE, "<energies every=\"1.5 steps\">: must be a whole number", "", END_OF_JOB,
           UNMARKED(PLAIN, "<energies every=\"1.5 steps\"@/>\n")) },
    { CASE(UNIT_WRONG, "<checkpoint every=\"5 nm\">: the unit is not that of a time on the clock",
           "known for a time on the clock: s min h", END_OF_JOB,
           UNMARKED(PLAIN, "<checkpoint every=\"5 nm\"@/>\n")) },
    { CASE(NEGATIVE, "<compute device=\"-1\">: must not be negative", "", END_OF_JOB,
           "<compute device=\"-1\"@/>\n" END_OF_JOB) },
    { CASE(NOT_WHOLE, "<compute device=\"0.5\">: must be a whole number", "", END_OF_JOB,
           "<compute device=\"0.5\"@/>\n" END_OF_JOB) },
    { CASE(NOT_A_NUMBER, "<compute device=\"first\">: not a number", "write device=\"1\"",
           END_OF_JOB, "<compute device=\"first\"@/>\n" END_OF_JOB) },
    { .text = NULL },
};
