/* Faults in what a force field means: types, molecules, potentials, treatments. */
#include "message_cases.h"

#define BEADTYPE_DIP "<beadtype name=\"dip\" mass=\"20 u\" dipole=\"2 D\" inertia=\"1 u*nm^2\"/>\n"
#define BOND_LINE                                                                                  \
    "<bond beads=\"1 2\" potential=\"harmonic\" k=\"100 kJ/mol/nm^2\" length=\"0.4 nm\"/>\n"
#define STICKY(types, to, prime_to)                                                                \
    "<pair types=\"" types "\" potential=\"sticky\" v0=\"16 kJ/mol\" w0=\"0.077\" "                \
    "s-from=\"0.24 nm\" s-to=\"" to "\" s-prime-from=\"0.275 nm\" s-prime-to=\"" prime_to "\"/>"
#define CHAIN(more)                                                                                \
    "<moleculetype name=\"chain\"><bead id=\"1\" type=\"ion\"/><bead id=\"2\" type=\"ion\"/>"      \
    "<bead id=\"3\" type=\"ion\"/>" BOND_LINE                                                      \
    "<bond beads=\"2 3\" potential=\"harmonic\" k=\"100 kJ/mol/nm^2\" length=\"0.4 nm\"/>\n" more  \
    "</moleculetype></forcefield>"
#define MIXING       "<mixing potential=\"lennard-jones\" rule=\"lorentz-berthelot\"/>\n"
#define LJ_TREATMENT "<treatment of=\"lennard-jones\" type=\"force-shift\"/>\n"

const MessageCase message_cases_types[] = {
    { CASE(DUPLICATE, "<beadtype name=\"ion\">: defined before, at /tmp/", "", BEADTYPE_DIP,
           BEADTYPE_DIP "<beadtype name=\"ion\" mass=\"1 u\"/>@") },
    { CASE(DUPLICATE, "<moleculetype name=\"salt\">: defined before, at /tmp/", "", "</forcefield>",
           "<moleculetype name=\"salt\"><bead id=\"1\" type=\"ion\"/></moleculetype>@"
           "</forcefield>") },
    { CASE(DUPLICATE, "<pair types=\"dip dip\">: defined before, at /tmp/", "", MIXING,
           MIXING "<pair types=\"dip dip\" potential=\"lennard-jones\" epsilon=\"1 kJ/mol\" "
                  "sigma=\"0.3 nm\"/>@") },
    { CASE(DUPLICATE, "<pair types=\"cl ion\">: defined before, at /tmp/", "", MIXING,
           MIXING "<pair types=\"ion cl\" potential=\"none\"/>\n"
                  "<pair types=\"cl ion\" potential=\"lennard-jones\" epsilon=\"1 kJ/mol\" "
                  "sigma=\"0.3 nm\"/>@") },
    { CASE(OVERRIDE_OF_NONE,
           "<override pair=\"cl ion\">: these types have no potential to scale, by /tmp/",
           "remove it", MIXING,
           MIXING "<pair types=\"ion cl\" potential=\"none\"/>\n"
                  "<override pair=\"cl ion\" scale-epsilon=\"2\" why=\"a test\"/>@") },
    { CASE(DUPLICATE, "<override scale-epsilon=\"2\">: defined before, at /tmp/", "", MIXING,
           MIXING "<override pair=\"cl ion\" scale-epsilon=\"2\" why=\"a test\"/>\n"
                  "<override pair=\"ion cl\" scale-epsilon=\"2\" why=\"a test\"/>@") },
    { CASE(DUPLICATE, "<override scale-sigma=\"1.1\">: defined before, at /tmp/", "", MIXING,
           MIXING "<override pair=\"dip dip\" scale-sigma=\"1.2\" scale-epsilon=\"2\" "
                  "why=\"a test\"/>\n"
                  "<override pair=\"dip dip\" scale-sigma=\"1.1\" why=\"another\"/>@") },
    { CASE(UNKNOWN_NAME, "<bead type=\"iom\">: no bead type of that name",
           "write one of: cl dip ion        (did you mean \"ion\"?)", "type=\"ion\" name",
           "type=\"iom\"@ name") },
    { CASE(UNKNOWN_NAME, "<pair types=\"ion xyz\">: no bead type of that name",
           "write one of: cl dip ion", "types=\"ion ion\"", "types=\"ion xyz\"@") },
    { CASE(BOTH_GIVEN, "<beadtype inertia=\"1 u*nm^2\">: moments is given as well",
           "write one of them", "inertia=\"1 u*nm^2\"",
           "inertia=\"1 u*nm^2\"@ moments=\"1 1 1 u*nm^2\"") },
    { CASE(NO_SUCH_BODY, "<beadtype moments=\"1 2.1 1 u*nm^2\">: no body has one of them above",
           "write what its masses have about x, y and z", "inertia=\"1 u*nm^2\"",
           "moments=\"1 2.1 1 u*nm^2\"@"),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(NO_INERTIA, "<beadtype dipole=\"2 D\">: a bead that turns needs a moment of inertia",
           "write: inertia=\"1 u*nm^2\"", "inertia=\"1 u*nm^2\"", "@") },
    { CASE(NO_INERTIA, "<beadtype length=\"2 nm\">: a bead that turns",
           "write: inertia=", "charge=\"1 e\"", "breadth=\"1 nm\" length=\"2 nm\"@") },
    { CASE(IN_PIECES, "<moleculetype name=\"salt\">: no bonds join bead 2 to bead 1",
           "write a <bond> that does, or two molecule types", "<moleculetype name=\"salt\">\n",
           "<moleculetype name=\"salt\"@>\n"),
      AND(BOND_LINE, ""), .severity = AMPHI_NOTE_WARNING },
    { CASE(TAIL_GAP, "<tail beads=\"1 2\">: no <bond> joins beads 1 and 2 of this tail",
           "write its beads in the order in which bonds join them", BOND_LINE,
           "<tail name=\"A\" beads=\"1 2\"/>@\n"),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(TAIL_TURNED,
           "<tail beads=\"3 2\">: begins at the free end of this tail: bonds join 2 to "
           "the others",
           "write its beads from the head to the end", "</forcefield>",
           CHAIN("<tail name=\"A\" beads=\"3 2\"/>@")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(HEAD_IN_TAIL, "<head bead=\"2\">: is in tail A as well",
           "write a bead of the head group, or the tail without it", "</forcefield>",
           CHAIN("<tail name=\"A\" beads=\"2 3\"/>\n<head bead=\"2\"/>@")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(LOOSE_ARM,
           "<angle beads=\"2 1 3\">: no <bond> joins beads 1 and 3, an arm of this angle",
           "write the vertex second", "</forcefield>",
           CHAIN("<angle beads=\"2 1 3\" potential=\"harmonic\" k=\"1 kJ/mol/rad^2\" angle=\"1 "
                 "deg\"/>@")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(HEAD_TWICE, "<head bead=\"2\">: the same head twice", "remove one", BOND_LINE,
           BOND_LINE "<head bead=\"2\"/><head bead=\"1\"/><head bead=\"2\"/>@") },
    { CASE(NO_SUCH_BEAD, "<bond beads=\"1 3\">: salt has beads 1 to 2", "", "beads=\"1 2\"",
           "beads=\"1 3\"@") },
    { CASE(NO_SUCH_BEAD, "<bond beads=\"1 NaN\">: salt has beads 1 to 2", "", "beads=\"1 2\"",
           "beads=\"1 NaN\"@") },
    { CASE(NO_SUCH_BEAD, "<head bead=\"0\">: salt has beads 1 to 2", "", BOND_LINE,
           BOND_LINE "<head bead=\"0\"/>@") },
    { CASE(NO_SUCH_BEAD, "<tail beads=\"1 1e99\">: salt has beads 1 to 2", "", BOND_LINE,
           BOND_LINE "<tail name=\"A\" beads=\"1 1e99\"/>@") },
    { CASE(WRONG_ID, "<bead id=\"3\">: ids count the beads in order", "write: id=\"2\"", "id=\"2\"",
           "id=\"3\"@") },
    { CASE(WRONG_NUMBER_OF_BEADS, "<bond beads=\"1 2 1\">: 2 beads are wanted", "", "beads=\"1 2\"",
           "beads=\"1 2 1\"@") },
    { CASE(BEAD_TWICE, "<bond beads=\"2 2\">: the same bead twice", "", "beads=\"1 2\"",
           "beads=\"2 2\"@") },
    { CASE(BEAD_TWICE, "<orientation beads=\"1 2 2\">: the same bead twice", "", BOND_LINE,
           BOND_LINE "<orientation beads=\"1 2 2\" potential=\"bond-axis\" k=\"1 kJ/mol\"/>@") },
    { CASE(BEAD_TWICE, "<tail beads=\"2 2\">: the same bead twice", "", BOND_LINE,
           BOND_LINE "<tail name=\"A\" beads=\"2 2\"/>@") },
    { CASE(DUPLICATE, "<tail name=\"A\">: defined before, at /tmp/", "", BOND_LINE,
           BOND_LINE "<tail name=\"A\" beads=\"1\"/>\n<tail name=\"A\" beads=\"2\"/>@") },
    { CASE(DUPLICATE, "<bond beads=\"2 1\">: defined before, at /tmp/", "", BOND_LINE,
           BOND_LINE "<bond beads=\"2 1\" potential=\"harmonic\" k=\"1 kJ/mol/nm^2\" "
                     "length=\"0.4 nm\"/>@") },
    { CASE(CANNOT_TURN, "<orientation beads=\"2 1\">: cl has no moment of inertia, and cannot turn",
           "write: inertia=\"1 u*nm^2\" at its <beadtype>", BOND_LINE,
           BOND_LINE
           "<orientation beads=\"2 1\" potential=\"dipole-restraint\" k=\"1 kJ/mol\"/>@") },
    { CASE(NOT_TWO_TYPES, "<pair types=\"ion\">: two bead types are wanted",
           "write: types=\"water water\"", "types=\"ion ion\"", "types=\"ion\"@") },
    { CASE(NOT_TWO_TYPES, "<treatment pair=\"ion cl dip\">: two bead types are wanted",
           "write: pair=\"water water\"", LJ_TREATMENT,
           LJ_TREATMENT "<treatment of=\"charges\" type=\"truncated\" pair=\"ion cl dip\"/>@") },
    { CASE(TREATMENT_NO_USE, "<treatment from=\"1 nm\">: has no meaning with type=\"force-shift\"",
           "remove it", LJ_TREATMENT,
           "<treatment of=\"lennard-jones\" type=\"force-shift\" from=\"1 nm\"/>@\n") },
    { CASE(TREATMENT_NO_USE,
           "<treatment permittivity=\"80\">: has no meaning with "
           "type=\"force-shift\"",
           "remove it", LJ_TREATMENT,
           "<treatment of=\"lennard-jones\" type=\"force-shift\" permittivity=\"80\"/>@\n") },
    { CASE(TREATMENT_NEEDS, "<treatment type=\"switched\">: needs from", "write: from=\"1.1 nm\"",
           LJ_TREATMENT, "<treatment of=\"lennard-jones\" type=\"switched\"/>@\n") },
    { CASE(TREATMENT_NEEDS, "<treatment type=\"reaction-field\">: needs permittivity",
           "write: permittivity=\"80\"", "type=\"shifted-factors\"", "type=\"reaction-field\"@") },
    { CASE(TREATMENT_NOT_OF, "<treatment type=\"quadratic-shift\">: not a treatment of charges",
           "write one of: truncated energy-shift force-shift shifted-factors reaction-field "
           "switched",
           "type=\"shifted-factors\"", "type=\"quadratic-shift\"@"),
      .n_others = 1 },
    { CASE(TREATMENT_MISSING, "no treatment of lennard-jones at the cut-off, for the pair ion ion",
           "write <treatment of=\"lennard-jones\" type=\"...\"/> with one of: truncated",
           LJ_TREATMENT, ""),
      AND("<interactions>", "@<interactions>") },
    { CASE(TREATMENT_MISSING, "no treatment of dipoles at the cut-off, for the pair ion dip",
           "with one of: ", "of=\"charges dipoles\"", "of=\"charges\""),
      AND("<interactions>", "@<interactions>") },
    { CASE(CUTOFF_MISSING, "no cut-off, for the pair ion ion",
           "write <cutoff distance=\"1.2 nm\"/> in <interactions>",
           "<cutoff distance=\"1.2 nm\"/>\n" LJ_TREATMENT, "@" LJ_TREATMENT) },
    { CASE(FROM_BEYOND, "<treatment from=\"1.3 nm\">: the switch must begin before the cut-off", "",
           LJ_TREATMENT,
           "<treatment of=\"lennard-jones\" type=\"switched\" from=\"1.3 nm\"/>@\n") },
    { CASE(SWITCH_ORDER, "<pair s-to=\"0.2 nm\">: must lie beyond s-from", "", MIXING,
           STICKY("dip dip", "0.2 nm", "0.3 nm") "@" MIXING),
      .n_others = 1 },
    { CASE(SWITCH_ORDER, "<pair s-prime-to=\"0.2 nm\">: must lie beyond s-prime-from", "", MIXING,
           STICKY("dip dip", "0.3 nm", "0.2 nm") "@" MIXING),
      .n_others = 1 },
    { CASE(NO_SHAPE, "<pair types=\"ion dip\">: ion has no shape", "write breadth", MIXING,
           "<pair types=\"ion dip\" potential=\"gay-berne\" epsilon=\"1 kJ/mol\"/>@" MIXING),
      AND(LJ_TREATMENT, LJ_TREATMENT "<treatment of=\"gay-berne\" type=\"truncated\"/>") },
    { CASE(NO_FRAME, "<pair types=\"dip dip\">: the sticky term needs beads with three moments",
           "write moments=", MIXING, STICKY("dip dip", "0.3 nm", "0.4 nm") "@" MIXING) },
    { CASE(PAIR_MISSING, "no potential between ion and cl",
           "write <pair types=\"ion cl\" potential=\"lennard-jones\" .../>", MIXING, ""),
      AND("<forcefield>", "@<forcefield>"), .n_others = 2 },
    { CASE(PAIR_MISSING, "no potential between dip and dip",
           "write <pair types=\"dip dip\" potential=\"lennard-jones\" .../>",
           "<pair types=\"dip dip\" potential=\"lennard-jones\" epsilon=\"2 kJ/mol\" sigma=\"0.2 "
           "nm\"/>\n",
           ""),
      AND("<forcefield>", "@<forcefield>"), .n_others = 0 },
    { .text = NULL },
};
