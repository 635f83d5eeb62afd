/* The list of all messages about input: M(id, severity, text, hint). {0} {1} ... are replaced by
 * the arguments of amphi_note (error.h).
 *
 * The text says what is wrong and is printed after the place; the hint says what to write instead.
 * validation/unit/test_messages.c triggers each message.
 */
#ifndef AMPHI_ENGINE_MESSAGES_H
#define AMPHI_ENGINE_MESSAGES_H

/* Files, and XML syntax. */
#define FILE_MESSAGES(M)                                                                           \
    M(FILE_MISSING, ERROR, "{0}: {1}", "")                                                         \
    M(FILE_TOO_LARGE, ERROR, "{0}: {1} bytes; at most {2} are read", "")                           \
    M(FILE_EMPTY, ERROR, "{0}: the file is empty", "")                                             \
    M(XML_SYNTAX, ERROR, "not well-formed XML: {0}", "{1}")                                        \
    M(XML_DOCTYPE, ERROR, "a DOCTYPE is not allowed", "remove it; files are joined by <include>")  \
    M(XML_ENTITY, ERROR, "the entity &{0}; is not allowed",                                        \
      "write the text itself, or one of &lt; &gt; &amp; &quot; &apos;")                            \
    M(XML_ROOT, ERROR, "<{0}>: the file must begin with <{1}>", "")                                \
    M(XML_NAMESPACE, ERROR, "<{0} xmlns=\"{1}\">: the elements of these files have no namespace",  \
      "remove xmlns")                                                                              \
    M(XML_VERSION, ERROR, "<{0} {1}=\"{2}\">: this amphi reads version 1", "")                     \
    M(XML_SCHEMA, ERROR, "{0}", "")                                                                \
    M(FILE_OUTSIDE, ERROR, "<{0} {1}=\"{2}\">: not below the folder of this file",                 \
      "copy it into that folder, or below it{3}")                                                  \
    M(FILE_NOT_THERE, ERROR, "<{0} {1}=\"{2}\">: there is no file {3}",                            \
      "write the name of a file in the folder of this one, or below it{4}")                        \
    M(INCLUDE_UNKNOWN, ERROR, "<{0} {1}=\"{2}\">: there is no such force field in {3}",            \
      "write one of: {4}")                                                                         \
    M(INCLUDE_TOO_DEEP, ERROR, "<{0} {1}=\"{2}\">: more than 8 files deep or 64 in all", "")

/* Elements and attributes against the table of schema.c. */
#define SCHEMA_MESSAGES(M)                                                                         \
    M(UNKNOWN_ELEMENT, ERROR, "<{0}>: no such element in <{1}>", "write one of: {2}{3}")           \
    M(TAKES_NO_ELEMENTS, ERROR, "<{0}>: there are no elements in <{1}>", "")                       \
    M(TAKES_NO_ATTRIBUTES, ERROR, "<{0} {1}=\"{2}\">: the element has no attributes", "")          \
    M(UNKNOWN_ATTRIBUTE, ERROR, "<{0} {1}=\"{2}\">: no such attribute", "write one of: {3}{4}")    \
    M(MISSING_ATTRIBUTE, ERROR, "<{0}>: the attribute {1} is missing", "write: {1}=\"{2}\"")       \
    M(MISSING_ELEMENT, ERROR, "<{0}>: the element <{1}> is missing", "")                           \
    M(TOO_FEW_ELEMENTS, ERROR, "<{0}>: {1} of <{2}> are wanted, and one is there", "")             \
    M(TOO_MANY_ELEMENTS, ERROR, "<{0}>: at most {1} of <{2}>", "")                                 \
    M(STRAY_TEXT, ERROR, "<{0}>: text is not allowed here: \"{1}\"",                               \
      "remove it; or, of an element, write the < that it lacks")                                   \
    M(NOT_A_CHOICE, ERROR, "<{0} {1}=\"{2}\">: not one of its values", "write one of: {3}{4}")     \
    M(NOT_A_NUMBER, ERROR, "<{0} {1}=\"{2}\">: not a number", "write {1}=\"{3}\"")                 \
    M(UNIT_MISSING, ERROR, "<{0} {1}=\"{2}\">: a {3} needs a unit",                                \
      "write one behind the number: {4}")                                                          \
    M(UNIT_UNKNOWN, ERROR, "<{0} {1}=\"{2}\">: the unit is not known", "known for a {3}: {4}{5}")  \
    M(UNIT_WRONG, ERROR, "<{0} {1}=\"{2}\">: the unit is not that of a {3}",                       \
      "known for a {3}: {4}")                                                                      \
    M(UNIT_NOT_WANTED, ERROR, "<{0} {1}=\"{2}\">: a number without unit is wanted", "")            \
    M(NOT_POSITIVE, ERROR, "<{0} {1}=\"{2}\">: must be above zero", "")                            \
    M(NEGATIVE, ERROR, "<{0} {1}=\"{2}\">: must not be negative", "")                              \
    M(NOT_WHOLE, ERROR, "<{0} {1}=\"{2}\">: must be a whole number", "")                           \
    M(NOT_HALF_TURN, ERROR, "<{0} {1}=\"{2}\">: must lie between 0 and 180 degrees", "")           \
    M(TOO_LARGE_NUMBER, ERROR, "<{0} {1}=\"{2}\">: out of range, beyond {3}", "")                  \
    M(TOO_SMALL_NUMBER, ERROR, "<{0} {1}=\"{2}\">: out of range, below {3}", "")                   \
    M(EMPTY_ATTRIBUTE, ERROR, "<{0} {1}=\"\">: must not be empty", "")                             \
    M(BLANK_IN_NAME, ERROR, "<{0} {1}=\"{2}\">: a name has no blanks, which part names in lists",  \
      "write: {1}=\"{3}\"")

/* What elements mean together. */
#define MEANING_MESSAGES(M)                                                                        \
    M(DUPLICATE, ERROR, "<{0} {1}=\"{2}\">: defined before, at {3}", "")                           \
    M(UNKNOWN_NAME, ERROR, "<{0} {1}=\"{2}\">: no {3} of that name", "write one of: {4}{5}")       \
    M(TOO_MANY, ERROR, "more than {1} {0}", "")                                                    \
    M(BOTH_GIVEN, ERROR, "<{0} {1}=\"{2}\">: {3} is given as well", "write one of them")           \
    M(NO_SUCH_BODY, WARNING,                                                                       \
      "<{0} {1}=\"{2}\">: no body has one of them above the sum of the others",                    \
      "write what its masses have about x, y and z")                                               \
    M(NO_INERTIA, ERROR, "<{0} {1}=\"{2}\">: a bead that turns needs a moment of inertia",         \
      "write: inertia=\"1 u*nm^2\"")                                                               \
    M(CANNOT_TURN, ERROR, "<{0} {1}=\"{2}\">: {3} has no moment of inertia, and cannot turn",      \
      "write: inertia=\"1 u*nm^2\" at its <beadtype>")                                             \
    M(NO_SUCH_BEAD, ERROR, "<{0} {1}=\"{2}\">: {3} has beads 1 to {4}", "")                        \
    M(WRONG_ID, ERROR, "<{0} {1}=\"{2}\">: ids count the beads in order", "write: id=\"{3}\"")     \
    M(WRONG_NUMBER_OF_BEADS, ERROR, "<{0} {1}=\"{2}\">: {3} beads are wanted", "")                 \
    M(BEAD_TWICE, ERROR, "<{0} {1}=\"{2}\">: the same bead twice", "")                             \
    M(HEAD_TWICE, ERROR, "<{0} {1}=\"{2}\">: the same head twice", "remove one")                   \
    M(TAIL_GAP, WARNING, "<{0} {1}=\"{2}\">: no <bond> joins beads {3} of this tail",              \
      "write its beads in the order in which bonds join them")                                     \
    M(TAIL_TURNED, WARNING,                                                                        \
      "<{0} {1}=\"{2}\">: begins at the free end of this tail: bonds join {3} to the others",      \
      "write its beads from the head to the end")                                                  \
    M(HEAD_IN_TAIL, WARNING, "<{0} {1}=\"{2}\">: is in tail {3} as well",                          \
      "write a bead of the head group, or the tail without it")                                    \
    M(LOOSE_ARM, WARNING, "<{0} {1}=\"{2}\">: no <bond> joins beads {3}, an arm of this angle",    \
      "write the vertex second")                                                                   \
    M(IN_PIECES, WARNING, "<{0} {1}=\"{2}\">: no bonds join bead {3} to bead 1",                   \
      "write a <bond> that does, or two molecule types")                                           \
    M(NO_VELOCITIES, WARNING, "<start>: no velocities, so that {0} begins at 0 K below its {1}",   \
      "write <velocities temperature=\"{1}\" seed=\"1\"/> in it")                                  \
    M(NOT_TWO_TYPES, ERROR, "<{0} {1}=\"{2}\">: two bead types are wanted",                        \
      "write: {1}=\"water water\"")                                                                \
    M(TREATMENT_NO_USE, ERROR, "<{0} {1}=\"{2}\">: has no meaning with type=\"{3}\"", "remove it") \
    M(TREATMENT_NEEDS, ERROR, "<treatment type=\"{0}\">: needs {1}", "write: {1}=\"{2}\"")         \
    M(TREATMENT_NOT_OF, ERROR, "<{0} {1}=\"{2}\">: not a treatment of {3}", "write one of: {4}")   \
    M(TREATMENT_MISSING, ERROR, "no treatment of {0} at the cut-off, for the pair {1}",            \
      "write <treatment of=\"{0}\" type=\"...\"/> with one of: {2}")                               \
    M(REPLACED, WARNING,                                                                           \
      "<{0} {1}=\"{2}\">: replaces that of {3}, also for what that is the force field of",         \
      "write what is to hold for all in <interactions>")                                           \
    M(NO_FACTOR, ERROR, "<{0} {1}=\"{2}\">: has neither of its factors",                           \
      "write: scale-epsilon=\"0.95\", or scale-sigma")                                             \
    M(CUTOFF_MISSING, ERROR, "no cut-off, for the pair {0}",                                       \
      "write <cutoff distance=\"1.2 nm\"/> in <interactions>")                                     \
    M(FROM_BEYOND, ERROR, "<{0} {1}=\"{2}\">: the switch must begin before the cut-off", "")       \
    M(SWITCH_ORDER, ERROR, "<{0} {1}=\"{2}\">: must lie beyond {3}", "")                           \
    M(NO_SHAPE, ERROR, "<{0} {1}=\"{2}\">: {3} has no shape",                                      \
      "write breadth (and length, side, end) at its <beadtype>")                                   \
    M(NO_FRAME, ERROR,                                                                             \
      "<{0} {1}=\"{2}\">: the sticky term needs beads with three moments of inertia",              \
      "write moments=\"...\" at their <beadtype>")                                                 \
    M(CUTOFF_IN_CORE, WARNING,                                                                     \
      "the cut-off {1} of {0} lies before the minimum of its potential, {2}; {3} such pairs",      \
      "write a longer cut-off")                                                                    \
    M(PAIR_MISSING, ERROR, "no potential between {0} and {1}",                                     \
      "write <pair types=\"{0} {1}\" potential=\"lennard-jones\" .../>, {2}or potential=\"none\"") \
    M(OVERRIDE_OF_NONE, ERROR,                                                                     \
      "<{0} {1}=\"{2}\">: these types have no potential to scale, by {3}", "remove it")            \
    M(TWO_STARTS, ERROR, "<{1}>: the start is given by <{0}> already", "")                         \
    M(NO_START, ERROR, "<{0}>: says nothing about where the beads are",                            \
      "write one of: <coordinates> <beads> <bilayer> <fill>")                                      \
    M(MOLECULES_AND_BUILD, ERROR, "<molecule>: <{0}> tells the molecules", "remove <molecule>")    \
    M(NO_MOLECULES, ERROR, "<system>: <{0}> needs <molecule> elements in the order of the beads",  \
      "write: {1}")                                                                                \
    M(WATER_AMOUNT, ERROR, "<{0}>: one of water-per-lipid and water-thickness is wanted",          \
      "write: water-per-lipid=\"33\"")                                                             \
    M(BOX_OF_BILAYER, ERROR, "<box>: the box of a <bilayer> follows from its lipids and water",    \
      "remove it; area-per-lipid at <bilayer> says how broad it is")                               \
    M(LEAFLET_TWICE, ERROR, "<{0} {1}=\"{2}\">: this side is there already", "")                   \
    M(NO_LIPIDS, ERROR, "<{0}>: no lipids",                                                        \
      "write <lipid type=\"DMPC\" count=\"64\"/> in <leaflet>")                                    \
    M(MONOLAYER, WARNING, "<{0} {1}=\"{2}\">: no lipids, so that the membrane is a monolayer",     \
      "write <lipid type=\"DMPC\" count=\"64\"/> in it")                                           \
    M(LIPIDS_CROWDED, WARNING,                                                                     \
      "<{0} {1}=\"{2}\">: lipids as long as they are have {3} % of the volume there that they "    \
      "fill",                                                                                      \
      "write: {1}=\"{4}\", or more")                                                               \
    M(NOT_A_LIPID, ERROR, "<{0} {1}=\"{2}\">: is of kind {3}, and no lipid",                       \
      "write a <moleculetype> of kind=\"lipid\", or kind=\"lipid\" at this one")                   \
    M(NOT_A_SOLVENT, ERROR, "<{0} {1}=\"{2}\">: is of kind {3}, and no solvent",                   \
      "name a <moleculetype> of kind=\"solvent\"")                                                 \
    M(FILL_WHAT, ERROR, "<{0}>: either type or <part> elements are wanted", "")                    \
    M(FILL_AMOUNT, ERROR, "<{0}>: two of <box>, count and density are wanted", "")                 \
    M(FILL_COUNT, ERROR, "<{0} {1}=\"{2}\">: <part> elements have counts of their own",            \
      "remove it")                                                                                 \
    M(FILL_TOO_MUCH, ERROR, "<{0} {1}=\"{2}\">: the counts and the <box> tell the density",        \
      "remove it, or the <box>")                                                                   \
    M(FILL_DENSITY, WARNING, "<{0} {1}=\"{2}\">: far from the {3} that are published of it",       \
      "write: {1}=\"{3}\"{4}")                                                                     \
    M(GROUP_FORM, ERROR, "<{0} {1}=\"{2}\">: molecule, bead or kind, then names",                  \
      "write: {1}=\"{3}\"")                                                                        \
    M(GROUP_AND, ERROR, "<{0} {1}=\"{2}\">: {3} stands among names", "write: {1}=\"{4}\"{5}")      \
    M(GROUP_EMPTY, ERROR, "<{0} {1}=\"{2}\">: selects no bead", "")                                \
    M(GROUP_TWICE, ERROR, "<{0} {1}=\"{2}\">: a group of that name is there already", "")          \
    M(COUNT_DIFFERS, ERROR, "{0} make {1} beads, but {2} has {3}", "{4}")                          \
    M(NAMES_DIFFER, WARNING,                                                                       \
      "bead {0} is called {1} here and {2} in its molecule type; {3} such names",                  \
      "is the order of <molecule> that of the file?")                                              \
    M(RESIDUES_DIFFER, ERROR, "{0}, is here, where <molecule> has {1}",                            \
      "write the <molecule> elements in the order of the file")                                    \
    M(RESIDUE_NAMES_DIFFER, WARNING,                                                               \
      "residue {0} is called {1} here and {2} in <molecule>; {3} such names",                      \
      "is the order of <molecule> that of the file?")                                              \
    M(TYPES_DIFFER, ERROR,                                                                         \
      "bead {0} has type {1} and is {2} by the order of <molecule>, but {1} is {3}",               \
      "is the order of <molecule> that of the file?")                                              \
    M(BONDS_DIFFER, ERROR, "{0} {1} {2}",                                                          \
      "the file and the molecule types must have the same bonds")                                  \
    M(MASSES_DIFFER, INFO, "the mass of {0} is {1}; in this file it is {2}, not used", "")         \
    M(STRENGTHS_DIFFER, WARNING, "{0} (bead {1}) from the force field's; not used",                \
      "dipoles=\"file\" at <coordinates> uses those of the file")                                  \
    M(NO_STRENGTHS, ERROR, "<{0} {1}=\"{2}\">: {3} has no charges and dipoles",                    \
      "write: {1}=\"forcefield\"")                                                                 \
    M(NO_POSITIONS, ERROR, "<{0} {1}=\"{2}\">: there are no positions in this file", "")           \
    M(SEVERAL_FRAMES, WARNING, "<{0} {1}=\"{2}\">: {3} frames; the first is the start",            \
      "`amphi convert --frame last` writes the last one into a file of its own")                   \
    M(NO_BOX, ERROR, "no box: {0} has none",                                                       \
      "write <box x=\"...\" y=\"...\" z=\"...\"/> in <system>")                                    \
    M(BOX_DIFFERS, WARNING, "<{0} {1}=\"{2}\">: {3} says {4}; this file wins", "")                 \
    M(BEAD_TYPE, ERROR, "type {0}: this bead is {1} by the order of <molecule>", "")               \
    M(BEAD_MOLECULE, ERROR, "molecule {0}: this bead belongs to molecule {1}", "write: {1}")       \
    M(BEAD_COLUMNS, ERROR, "{0} columns",                                                          \
      "write: type molecule x y z qw qx qy qz [charge dipole]")                                    \
    M(BEAD_NUMBER, ERROR, "{0} is not a number, or too large", "")                                 \
    M(BEAD_QUATERNION, ERROR, "<{0}>: the quaternion has no length",                               \
      "write 1 0 0 0 for no rotation")                                                             \
    M(BEAD_COUNT, ERROR, "<beads>: {0} lines for {1} beads", "")                                   \
    M(ORIENTATIONS_KNOWN, ERROR, "<orientations>: <{0}> tells them already",                       \
      "remove <orientations>")                                                                     \
    M(ROTATION_AT_REST, WARNING,                                                                   \
      "<{0} {1}=\"{2}\">: has velocities, but none of rotation, which begins at 0 K",              \
      "write <velocities temperature=\"303 K\" seed=\"1\"/> in <start>, which draws both anew")    \
    M(NO_ORIENTATIONS, ERROR, "<{0}>: does not tell all orientations: {1} missing",                \
      "write <orientations seed=\"1\"/> in <start>, which draws those, or start from a "           \
      "checkpoint")                                                                                \
    M(TURN_UNKNOWN, WARNING,                                                                       \
      "the file tells where dipoles point, but not how {1} is turned about its own ({0} beads): "  \
      "any way is taken",                                                                          \
      "start from a checkpoint (run.chk), or put a <minimise> before the first run")               \
    M(SYSTEM_TOO_LARGE, ERROR, "{0} beads, bonds and molecules need about {1}; {2} may be used",   \
      "write fewer molecules, or a larger --max-memory")                                           \
    M(BOX_TOO_SMALL, ERROR, "the cut-off {0} is more than half the shortest box edge, {1}",        \
      "write {2}, or a shorter cut-off")                                                           \
    M(BOX_IS_COARSE, WARNING,                                                                      \
      "the longest box edge is {0}, of which single and fixed precision tell parts of {1}",        \
      "write the unit that is meant, a smaller box, or precision=\"double\"")                      \
    M(BOND_TOO_LONG, ERROR, "a bond of {0} at rest is more than half the shortest box edge, {1}",  \
      "write a larger box: a bond goes to the nearest image")                                      \
    M(NET_CHARGE, WARNING, "the system has a net charge of {0}", "")                               \
    M(DIPOLE_ON_POINT, ERROR, "{0} has a dipole, but {1} has no moment of inertia",                \
      "write: inertia=\"1 u*nm^2\" at its <beadtype>")                                             \
    M(OVERLAP, ERROR, "{0} and {1} are on one spot: {2} apart, sigma {3}", "")                     \
    M(BONDED_IN_ONE, ERROR, "{0} and {1} are bonded and on one spot", "")                          \
    M(CLOSE_BEADS, WARNING, "{0} and {1} overlap: {2} apart, sigma {3}", "")                       \
    M(FAR_OUTSIDE, ERROR, "{0} is further than a million boxes away", "")                          \
    M(OUT_OF_RANGE, ERROR, "{0} has a {1} that is out of range: {2}", "")

/* Coordinate files. */
#define FORMAT_MESSAGES(M)                                                                         \
    M(FORMAT_UNKNOWN, ERROR, "{0}: the format of the file is not known", "write one of: {1}")      \
    M(FORMAT_GZIP, ERROR, "{0}: the file is compressed", "unpack it first: gunzip -k {0}")         \
    M(FORMAT_CUT, ERROR, "the file ends before {0}", "is it whole? copy or write it again")        \
    M(FORMAT_NO_BEADS, ERROR, "there are no beads in this file", "")                               \
    M(FORMAT_COUNT, ERROR, "{0} {1}: more than {2} bytes can hold",                                \
      "correct the number of {1}, or copy the file again if it was cut")                           \
    M(FORMAT_NOT_NUMBER, ERROR, "{0}: \"{1}\" is not a number",                                    \
      "write a plain number such as 1.25 or -3e-2")                                                \
    M(FORMAT_NOT_WHOLE, ERROR, "{0}: \"{1}\" is not a whole number from {2} to {3}", "")           \
    M(FORMAT_BOX, ERROR, "box edge {0} is {1}: must be above zero", "")                            \
    M(FORMAT_TRICLINIC, ERROR, "the box is triclinic: {0}", "amphi needs a rectangular box")       \
    M(FORMAT_FRAME, ERROR, "frame {0} was asked for, and the file has {1}",                        \
      "write a number from 0 on, or last")                                                         \
    M(FORMAT_SHORT_LINE, ERROR, "a line of {0} columns where {1} are needed", "{2}")               \
    M(FORMAT_BEAD, ERROR, "{0}: there is no bead {1}; they count from 1 to {2}", "")               \
    M(GRO_COUNT, ERROR, "\"{0}\" is not the number of beads",                                      \
      "the second line of a frame holds this number alone")                                        \
    M(GRO_COLUMNS, ERROR, "no columns of coordinates in this line", "{0}")                         \
    M(GRO_TOO_MANY, ERROR, "the box stands here, behind {0} beads; line {1} says {2}",             \
      "write {0} in line {1}, or add the missing beads")                                           \
    M(GRO_VELOCITY, ERROR, "some beads have velocities and this one does not",                     \
      "write velocities for all beads or for none")                                                \
    M(GRO_BOX, ERROR, "a box of 3 or 9 numbers is wanted here, behind {0} beads",                  \
      "are there more beads than line {1} says?")                                                  \
    M(PDB_SERIAL, ERROR, "CONECT: {0} beads have the serial number {1}",                           \
      "bonds need serial numbers that stand once; or remove the CONECT lines")                     \
    M(LAMMPS_HEADER, ERROR, "\"{0}\": neither a count nor a box edge nor a section", "{1}")        \
    M(LAMMPS_NOT_READ, ERROR, "{0} {1}: not read",                                                 \
      "amphi knows atoms, bonds and angles of LAMMPS data")                                        \
    M(LAMMPS_SECTION, ERROR, "\"{0}\": no section of that name is read", "write one of: {1}{2}")   \
    M(LAMMPS_UNITS, ERROR, "units = {0}: amphi reads data in units real",                          \
      "write it by LAMMPS with units real, or correct this line: g/mol, A, A/fs, e")               \
    M(LAMMPS_STYLE, ERROR, "Atoms # {0}: this atom style is not read",                             \
      "amphi reads: hybrid angle dipole sphere")                                                   \
    M(LAMMPS_COUNT, ERROR, "{0}: {1} lines, but line {2} says {3}",                                \
      "correct the count in line {2}, or the lines of this section")                               \
    M(LAMMPS_WORDS, ERROR, "{0}: {1} values in this line", "write: {2}")                           \
    M(LAMMPS_MISSING, ERROR, "{0} is missing", "")                                                 \
    M(LAMMPS_ORDER, ERROR, "{0} stands before {1}", "move it behind {1}")                          \
    M(LAMMPS_SECTION_TWICE, ERROR, "the section {0} stands twice", "")                             \
    M(LAMMPS_TWICE, ERROR, "{0}: number {1} stands at line {2} already", "")                       \
    M(LAMMPS_NO_BEAD, ERROR, "{0}: no bead has the number {1}", "")                                \
    M(LAMMPS_VALUE, ERROR, "{0} is {1}: must {2}", "")                                             \
    M(PSF_HEADER, ERROR, "a PSF file begins with the word PSF", "")                                \
    M(PSF_ATOM, ERROR, "{0} words in the line of a bead; 8 are wanted",                            \
      "number, segment, residue number, residue, name, type, charge, mass")                        \
    M(PSF_MISSING, ERROR, "the section {0} is missing", "")                                        \
    M(DCD_HEADER, ERROR, "not a DCD file of the CHARMM flavour: {0}", "")                          \
    M(DCD_RECORD, ERROR, "frame {0}, byte {1}: {2}",                                               \
      "is the file damaged? the frames before this one can be read")                               \
    M(NO_WHOLE_FRAME, ERROR, "there is no whole frame in this file",                               \
      "a run writes one where its time steps begin, a minimisation none")                          \
    M(DCD_REST, WARNING, "behind its {0} whole frames {1}",                                        \
      "is a program still writing it, or was it cut? the whole frames are read")                   \
    M(XTC_HEADER, ERROR, "not an XTC file: its first frame is none: {0}", "")                      \
    M(XTC_FRAME, ERROR, "frame {0}, byte {1}: {2}",                                                \
      "is the file damaged? other frames can be read")                                             \
    M(XTC_REST, WARNING, "behind its {0} whole frames are {1} bytes: the frame there: {2}",        \
      "is a program still writing it, or is the file damaged? the whole frames are read")          \
    M(CHK_MAGIC, ERROR, "not a checkpoint of amphi: the first eight bytes are not AMPHICHK", "")   \
    M(CHK_VERSION, ERROR,                                                                          \
      "a checkpoint of version {0}, layout {1}; this amphi reads version {2}, layout {3}",         \
      "read it with amphi {4}")                                                                    \
    M(CHK_CUT, ERROR, "the checkpoint is cut: {0} bytes, {1} are needed at least",                 \
      "use run.chk.prev, the checkpoint before")                                                   \
    M(CHK_CHECKSUM, ERROR, "the checksum does not hold: the checkpoint is damaged or cut",         \
      "use run.chk.prev, the checkpoint before")                                                   \
    M(CHK_SECTION, ERROR, "byte {0}, section \"{1}\": {2}", "")                                    \
    M(CONVERT_MISSING, ERROR, "{0} needs {1}, which {2} does not have",                            \
      "files that can have them: {3}")                                                             \
    M(CONVERT_TOPOLOGY, ERROR, "{0} has {1} beads, and {2} has {3}",                               \
      "name the topology of this very system")                                                     \
    M(CONVERT_TOPOLOGY_KIND, ERROR, "{0}: nothing in this file is topology",                       \
      "names, charges, masses and bonds are in: {1}")                                              \
    M(CONVERT_FRAMES, WARNING, "{0} has {1} frames; the first is written",                         \
      "write --frame last or a number, from 0; of a DCD or XTC file all go into another")          \
    M(CONVERT_UNEVEN, WARNING,                                                                     \
      "frame {0} is at {1} ps; by the one interval that a DCD file has it is at {2} ps",           \
      "write an XTC file, in which every frame has its time")                                      \
    M(CONVERT_STEPS, INFO,                                                                         \
      "steps are counted from time 0, {0} ps each: a DCD file lacks those of the run, which "      \
      "count minimisations and stages with other time steps too",                                  \
      "a run with <trajectory format=\"xtc\"/> writes them")                                       \
    M(CONVERT_STEPS_LOST, INFO,                                                                    \
      "frame {0} is of step {1}; by the one interval that a DCD file has it is of step {2}",       \
      "an XTC file has the step of every frame")                                                   \
    M(CONVERT_NO_TIMES, WARNING, "the header has no {0}: {1}", "")                                 \
    M(CONVERT_NAMES_MADE, WARNING,                                                                 \
      "{0} has no names: beads are called B1, B2, ... after their types, molecules MOL",           \
      "give names with a topology: a GRO, PDB or PSF file")                                        \
    M(CONVERT_NAMES_CUT, WARNING, "{0} {1} does not fit: written as {2}",                          \
      "{3} has {4} columns for it")

/* Starts made from a composition. */
#define BUILD_MESSAGES(M) M(BUILD_FAILED, ERROR, "<{0}>: {1}", "")

/* The plan, and what is written while it runs. */
#define PLAN_MESSAGES(M)                                                                           \
    M(NO_STAGES, ERROR, "<{0}>: nothing to do",                                                    \
      "write <minimise name=\"relax\"/> or <run name=\"first\" ensemble=\"nve\" "                  \
      "length=\"1 ns\"/>")                                                                         \
    M(STAGE_TWICE, ERROR, "<{0} {1}=\"{2}\">: a stage of that name is there already", "")          \
    M(HELD_TWICE, WARNING,                                                                         \
      "<{0} {1}=\"{2}\">: another line here holds it along the same axis; what they do adds up",   \
      "if both mean the same: write one, with their sum")                                          \
    M(STAGE_NEEDS, ERROR, "<{0} {1}=\"{2}\">: needs <{3}>", "write: {4}")                          \
    M(REFERENCE_IS_DOUBLE, WARNING, "<{0} {1}=\"{2}\">: the backend reference computes in double", \
      "write: precision=\"double\"")                                                               \
    M(FIXED_STEP, WARNING,                                                                         \
      "<{0} {1}=\"{2}\">: the time step of {3} is no whole number of {4}, in which fixed counts",  \
      "write: timestep=\"{5}\"")                                                                   \
    M(NO_USE_WITH, ERROR, "<{0} {1}=\"{2}\">: has no meaning with {3}", "remove it")               \
    M(BAROSTAT_WITHOUT_NPT, ERROR, "<{0}>: has no meaning with ensemble=\"{1}\"",                  \
      "write: ensemble=\"npt\", or remove <barostat>")                                             \
    M(THERMOSTAT_ON_NVE, WARNING, "<{0} {1}=\"{2}\">: has a thermostat, so this is not nve",       \
      "write: {1}=\"nvt\", or remove <thermostat>")                                                \
    M(DRAWN_AND_RUN, WARNING,                                                                      \
      "<{0}>: drawn at random, and nothing turns them downhill before time steps: their energy "   \
      "heats stage {1}",                                                                           \
      "write <minimise name=\"relax\" steps=\"500\"/> before the first <run>")                     \
    M(HELD_SELDOM, WARNING,                                                                        \
      "<{0} {1}=\"{2}\">: shorter than the {3} from one scaling to the next",                      \
      "write: every=\"{4}\", or a longer {1}")                                                     \
    M(FEW_ARE_PUSHED, WARNING,                                                                     \
      "<{0} {1}=\"{2}\">: between two removals other groups push {3}, which has {4} beads: what "  \
      "they give it counts as heat, and it may be held {5} K too cold",                            \
      "write: every=\"1\"")                                                                        \
    M(DRIFT_COOLS, WARNING,                                                                        \
      "<{0} {1}=\"{2}\">: what groups give each other is taken away with their drift, and comes "  \
      "back in that time: some {3} K too cold",                                                    \
      "write: a shorter time, or every=\"1\"")                                                     \
    M(BOX_OVERSHOOTS, WARNING,                                                                     \
      "<{0} {1}=\"{2}\">: too short for a liquid whose box moves every {3} with a "                \
      "compressibility of {4}: it overshoots, and heats the beads",                                \
      "write: {1}=\"{5}\", or move the box more often")                                            \
    M(MOMENTUM_AS_HEAT, WARNING,                                                                   \
      "<{0}>: counts as heat the momentum that {1} leaves, and cools the beads for it",            \
      "write: remove-drift=\"yes\"")                                                               \
    M(GROUPS_MISS, ERROR, "<{0} {1}=\"{2}\">: {3} is in none of these groups",                     \
      "write: {1}=\"all\", or name more groups")                                                   \
    M(GROUPS_SHARE, ERROR, "<{0} {1}=\"{2}\">: {3} is in two of these groups", "")                 \
    M(LONG_TIME_STEP, WARNING, "<{0} {1}=\"{2}\">: longer than a tenth of the period of {3}, {4}", \
      "write: {1}=\"{5}\" or less; the drift of the conserved energy tells if it is still too "    \
      "long")                                                                                      \
    M(NO_LIQUID, WARNING, "<{0} {1}=\"{2}\">: liquids lie between {3}", "write: {1}=\"{4}\"")      \
    M(STEPS_ROUNDED, WARNING, "<{0} {1}=\"{2}\">: no whole number of steps of {3}; {4} it is", "") \
    M(FROM_MINIMISE, ERROR, "<{0} {1}=\"{2}\">: nothing is written of a minimisation",             \
      "name a <run>")                                                                              \
    M(NO_OUTPUT, WARNING, "<{0}>: no <output>, so that only checkpoints are written",              \
      "write <output><energies/><trajectory/></output>")                                           \
    M(OUTPUT_EMPTY, WARNING, "<{0}>: names no output, so that only checkpoints are written",       \
      "write <energies/><trajectory/> in it")                                                      \
    M(SEES_NOTHING, WARNING,                                                                       \
      "<{0}>: sees nothing, as outputs do not see minimisations and the plan has no <run>", "{1}") \
    M(OUTPUT_NO_LIPIDS, ERROR, "<{0}>: there are no lipids in the box", "remove it")               \
    M(UNEVEN_FRAMES, WARNING, "<{0} {1}=\"{2}\">: {3}, but a DCD file has one interval",           \
      "write: from=\"{4}\", another {1}, or format=\"xtc\", in which every frame has its time")    \
    M(BOX_MOVES_OR_NOT, WARNING,                                                                   \
      "<{0}>: one mean over stage {1}, whose barostat moves the box, and {2}, where it stands "    \
      "still",                                                                                     \
      "write: from=\"{3}\", or a plan that ends before {2}")                                       \
    M(BOX_MOVES_LATER, WARNING,                                                                    \
      "<{0}>: one mean over stage {1}, where the box stands still, and {2}, whose barostat moves " \
      "it",                                                                                        \
      "write: from=\"{2}\"")                                                                       \
    M(EVERY_TOO_LONG, WARNING,                                                                     \
      "<{0} {1}=\"{2}\">: no stage is as long: the first frame of each is all that is seen",       \
      "write: {1}=\"{3}\", or longer stages")                                                      \
    M(LEAFLET_LACKS, ERROR, "<{0}>: of the beads it is measured from, the {1} leaflet has none",   \
      "write beads=\"...\" with types that lipids of both leaflets have, or remove it")            \
    M(LIPIDS_LACK, ERROR, "<{0}>: no lipid has {1}", "{2}")                                        \
    M(LIPID_LEFT_OUT, WARNING, "<{0}>: {1} has no {2}, and is left out",                           \
      "write one in its <moleculetype>")                                                           \
    M(BONDS_ALIKE, WARNING, "<{0}>: two bonds of tail {1} of {2} are called {3} in order.tsv",     \
      "write a name=\"...\" of its own at each <bead> of the tail")                                \
    M(NO_ELECTRONS, WARNING, "<{0} {1}=\"{2}\">: beads of type {3} count as without electrons",    \
      "write electrons=\"10\", as many as they have, at its <beadtype>")                           \
    M(NO_PAIRS, ERROR, "<{0} {1}=\"{2}\">: no two such beads in different molecules",              \
      "write types of which the box has more")                                                     \
    M(STANDS_TWICE, ERROR, "<{0} {1}=\"{2}\">: {3} stands twice", "remove one of them")            \
    M(FILE_TWICE, ERROR, "<{0}>: a second one that writes {1}",                                    \
      "write {2}=\"...\" at it, as no other has")                                                  \
    M(NO_FILE_NAME, ERROR, "<{0} {1}=\"{2}\">: cannot be part of the name of a file",              \
      "write at most {3} of: letters digits - _ . +")                                              \
    M(WIDER_THAN_EXTENT, ERROR, "<{0} {1}=\"{2}\">: wider than the extent, {3}",                   \
      "write a smaller {1}, or a larger extent")                                                   \
    M(TOO_FINE, ERROR, "<{0} {1}=\"{2}\">: more than {3} {4}", "write a {1} of at least {5}")      \
    M(TOO_COARSE, ERROR, "<{0} {1}=\"{2}\">: coarser than {3}", "write a {1} of at most {3}")      \
    M(BEYOND_HALF_BOX, ERROR, "<{0} {1}=\"{2}\">: more than half the shortest box edge, {3}",      \
      "write an {1} of at most {4}, or a larger box")

#define MESSAGE_LIST(M)                                                                            \
    FILE_MESSAGES(M)                                                                               \
    SCHEMA_MESSAGES(M)                                                                             \
    MEANING_MESSAGES(M)                                                                            \
    FORMAT_MESSAGES(M)                                                                             \
    BUILD_MESSAGES(M)                                                                              \
    PLAN_MESSAGES(M)

#endif
