/* Faults between a job and its coordinate file. */
#include "message_cases.h"

#define FROM_GRO      "<coordinates file=\"a.gro\"/>\n<orientations seed=\"1\"/>\n"
#define FROM_DATA     "<coordinates file=\"a.data\"/>\n"
#define GRO_1         "    1salt    NA    1   1.000   1.000   1.000\n"
#define GRO_2         "    1salt    CL    2   1.400   1.000   1.000\n"
#define GRO_3         "    2water    W    3   2.000   2.000   1.000\n"
#define GRO_4         "    3water    W    4   2.000   1.000   2.000\n"
#define GRO(n, lines) "A test\n" n "\n" lines "3.0 3.0 3.0\n"
#define IN_ORDER      "write the <molecule> elements in the order of the file"
#define PDB_BOX       "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n"
#define PDB_LINE(serial, bead, residue, at)                                                        \
    "ATOM      " serial "  " bead "  " residue "      " at "  1.00  0.00\n"

#define SYSTEM_HEAD "<system>\n" JOB_BOX

#define DATA_HEAD                                                                                  \
    "A test\n\n4 atoms\n3 atom types\n1 bonds\n1 bond types\n1 angles\n1 angle types\n"            \
    "0 30 xlo xhi\n0 30 ylo yhi\n0 30 zlo zhi\n\nMasses\n\n1 40\n2 35\n3 20\n\nAtoms\n\n"
#define DATA_1     "1 1 10 10 10 1 1 0 0 0 3 1\n"
#define DATA_2     "2 2 14 10 10 1 -1 0 0 0 3 1\n"
#define DATA_3     "3 3 20 20 10 2 0 0 0 0.41638866541 3 1\n"
#define DATA_4     "4 3 20 10 20 3 0 0 0 0.41638866541 3 1\n"
#define DATA_BOND  "\nBonds\n\n1 1 1 2\n"
#define DATA_ANGLE "\nAngles\n\n1 1 3 1 2\n"
#define NO_ANGLES(atoms)                                                                           \
    "A test\n\n4 atoms\n3 atom types\n1 bonds\n1 bond types\n"                                     \
    "0 30 xlo xhi\n0 30 ylo yhi\n0 30 zlo zhi\n\nMasses\n\n1 40\n2 35\n3 20\n\nAtoms\n\n" atoms

const MessageCase message_cases_files[] = {
    { CASE(FILE_NOT_THERE, "<coordinates file=\"a.gro\">: there is no file /tmp/",
           "write the name of a file in the folder of this one, or below it", JOB_BEADS,
           "<coordinates file=\"a.gro\"/>@<orientations seed=\"1\"/>") },
    { CASE(FILE_EMPTY, "a.gro: the file is empty", "", JOB_BEADS,
           "<coordinates file=\"a.gro\"/>@<orientations seed=\"1\"/>"),
      WITH("a.gro", "") },
    { CASE(FORMAT_UNKNOWN, "a.xyz: the format of the file is not known",
           "write one of: .gro .pdb .data", JOB_BEADS, "<coordinates file=\"a.xyz\"/>@"),
      WITH("a.xyz", "x") },
    { CASE(NO_MOLECULES, "<system>: <coordinates> needs <molecule> elements in the order",
           "write: <molecule type=\"salt\" count=\"1\"/> <molecule type=\"water\" count=\"2\"/>",
           JOB_BEADS, FROM_GRO),
      WITH("a.gro", GRO("4", GRO_1 GRO_2 GRO_3 GRO_4)),
      AND(SYSTEM_HEAD JOB_MOLECULES, "@" SYSTEM_HEAD) },
    { CASE(NO_MOLECULES, "<system>: <coordinates> needs <molecule> elements in the order",
           "write: <molecule type=\"salt\" count=\"1\"/> <molecule type=\"water\" count=\"1\"/> "
           "<molecule type=\"salt\" count=\"1\"/>",
           JOB_BEADS, "<coordinates file=\"a.pdb\"/>"),
      WITH("a.pdb", PDB_BOX PDB_LINE("1", "NA", "salt  1", "10.000  10.000  10.000")
                        PDB_LINE("2", "CL", "salt  1", "14.000  10.000  10.000")
                            PDB_LINE("3", "W ", "wate  3", "20.000  20.000  10.000")
                                PDB_LINE("4", "NA", "salt  4", "20.000  10.000  20.000") PDB_LINE(
                                    "5", "CL", "salt  4", "20.000  14.000  20.000") "END\n"),
      AND(SYSTEM_HEAD JOB_MOLECULES, "@" SYSTEM_HEAD) },
    { CASE(NO_MOLECULES, "<system>: <coordinates> needs <molecule> elements in the order",
           "write: <molecule type=\"...\" count=\"...\"/>, one for each run of like molecules, of "
           "salt water",
           JOB_BEADS, FROM_GRO),
      WITH("a.gro", GRO("4", GRO_1 "    1sal     CL    2   1.400   1.000   1.000\n" GRO_3 GRO_4)),
      AND(SYSTEM_HEAD JOB_MOLECULES, "@" SYSTEM_HEAD) },
    { CASE(NO_POSITIONS, "<coordinates file=\"a.psf\">: there are no positions in this file", "",
           JOB_BEADS, "<coordinates file=\"a.psf\"/>@"),
      WITH("a.psf", "PSF\n\n1 !NTITLE\n a\n\n1 !NATOM\n 1 W 1 W W W 0 20 0\n\n0 !NBOND\n") },
    { CASE(
          ROTATION_AT_REST,
          "<coordinates file=\"a.gro\">: has velocities, but none of rotation, which begins at 0 K",
          "write <velocities temperature=\"303 K\" seed=\"1\"/> in <start>", JOB_BEADS,
          "<coordinates file=\"a.gro\"/>@\n<orientations seed=\"1\"/>\n"),
      WITH("a.gro",
           GRO("4", "    1salt    NA    1   1.000   1.000   1.000  0.1000  0.0000  0.0000\n"
                    "    1salt    CL    2   1.400   1.000   1.000 -0.1000  0.0000  0.0000\n"
                    "    2water    W    3   2.000   2.000   1.000  0.0000  0.1000  0.0000\n"
                    "    3water    W    4   2.000   1.000   2.000  0.0000 -0.1000  0.0000\n")),
      .severity = AMPHI_NOTE_WARNING },
    { CASE(SEVERAL_FRAMES, "<coordinates file=\"a.gro\">: 3 frames; the first is the start",
           "`amphi convert --frame last`", JOB_BEADS,
           "<coordinates file=\"a.gro\"/>@<orientations seed=\"1\"/>"),
      .severity = AMPHI_NOTE_WARNING,
      WITH("a.gro", GRO("4", GRO_1 GRO_2 GRO_3 GRO_4) GRO("4", GRO_1 GRO_2 GRO_3 GRO_4)
                        GRO("4", GRO_1 GRO_2 GRO_3 GRO_4) "and\nmore\n") },
    { CASE(COUNT_DIFFERS, "1 salt of 2 beads and 2 water of 1 bead make 4 beads, but /tmp/", "",
           JOB_BEADS, "<coordinates file=\"a.gro\"/>@"),
      WITH("a.gro", GRO("3", GRO_1 GRO_2 GRO_3)) },
    { CASE(COUNT_DIFFERS, "a.gro has 5", "They part at line 3 of /tmp/", JOB_BEADS,
           "<coordinates file=\"a.gro\"/>@"),
      WITH("a.gro", GRO("5", GRO_1 "    2salt    CL    2   1.400   1.000   1.000\n" GRO_3 GRO_4
                                   "    4water    W    5   1.000   2.000   2.000\n")) },
    { CASE(NAMES_DIFFER, "bead 2 is called NB here and CL in its molecule type; 2 such names",
           "is the order of <molecule> that of the file?", JOB_BEADS, FROM_GRO),
      .severity = AMPHI_NOTE_WARNING,
      WITH("a.gro", GRO("4", GRO_1 "@    1salt    NB    2   1.400   1.000   1.000\n" GRO_3
                                   "    3water    V    4   2.000   1.000   2.000\n")) },
    { CASE(RESIDUES_DIFFER,
           "residue 1, water of 1 bead, is here, where <molecule> has salt of 2 beads", IN_ORDER,
           JOB_BEADS, FROM_GRO),
      WITH("a.gro", GRO("4", "@    1water    W    1   2.000   2.000   1.000\n"
                             "    2water    W    2   2.000   1.000   2.000\n"
                             "    3salt    NA    3   1.000   1.000   1.000\n"
                             "    3salt    CL    4   1.400   1.000   1.000\n")) },
    { CASE(RESIDUES_DIFFER,
           "residue 2, two of 2 beads, is here, where <molecule> has salt of 2 beads, bead 2 of it",
           IN_ORDER, JOB_BEADS, FROM_GRO),
      WITH("a.gro", GRO("4", "    1one     NA    1   1.000   1.000   1.000\n"
                             "@    2two     CL    2   1.400   1.000   1.000\n"
                             "    2two      W    3   2.000   2.000   1.000\n" GRO_4)) },
    { CASE(RESIDUES_DIFFER, "residue 1, salt of 1 bead, is here, where <molecule> has salt of 2",
           IN_ORDER, JOB_BEADS, "<coordinates file=\"a.pdb\"/>\n<orientations seed=\"1\"/>\n"),
      WITH("a.pdb", PDB_BOX "@" PDB_LINE("1", "NA", "salt  1", "10.000  10.000  10.000")
                        PDB_LINE("2", "CL", "salt  2", "14.000  10.000  10.000")
                            PDB_LINE("3", "W ", "wate  3", "20.000  20.000  10.000")
                                PDB_LINE("4", "W ", "wate  4", "20.000  10.000  20.000") "END\n") },
    { CASE(RESIDUES_DIFFER,
           "residue 3, WAT of 1 bead, is here, where <molecule> has water, which is called SOL in "
           "line 5",
           IN_ORDER, JOB_BEADS, FROM_GRO),
      WITH("a.gro", GRO("4", GRO_1 GRO_2 "    2SOL      W    3   2.000   2.000   1.000\n"
                                         "@    3WAT      W    4   2.000   1.000   2.000\n")) },
    { CASE(RESIDUE_NAMES_DIFFER,
           "residue 2 is called SOL here and water in <molecule>; 2 such names",
           "is the order of <molecule> that of the file?", JOB_BEADS, FROM_GRO),
      .severity = AMPHI_NOTE_WARNING,
      WITH("a.gro", GRO("4", GRO_1 GRO_2 "@    2SOL      W    3   2.000   2.000   1.000\n"
                                         "    3SOL      W    4   2.000   1.000   2.000\n")) },
    { CASE(TYPES_DIFFER, "bead 4 has type 2 and is dip by the order of <molecule>, but 2 is cl",
           "is the order of <molecule> that of the file?", JOB_BEADS, FROM_DATA),
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 DATA_3 "@4 2 20 10 20 3 0 0 0 0.4 3 1\n" DATA_BOND)) },
    { CASE(BONDS_DIFFER, "bond 3 4 is in the file, but not in the molecule types",
           "must have the same bonds", JOB_BEADS, FROM_DATA),
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 DATA_3 DATA_4 "\nBonds\n\n1 1 3 4\n")),
      .file = "a.data", .n_others = 1 },
    { CASE(BONDS_DIFFER, "bond 1 2 of the molecule types is not in the file",
           "must have the same bonds", JOB_BEADS, FROM_DATA),
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 DATA_3 DATA_4 "\nBonds\n\n1 1 3 4\n")),
      .file = "a.data", .n_others = 1 },
    { CASE(BONDS_DIFFER, "angle 2 1 3 is in the file, but not in the molecule types",
           "must have the same bonds", JOB_BEADS, FROM_DATA),
      WITH("a.data", DATA_HEAD DATA_1 DATA_2 DATA_3 DATA_4 DATA_BOND DATA_ANGLE),
      .file = "a.data" },
    { CASE(MASSES_DIFFER, "the mass of cl is 30 u; in this file it is 35 u, not used", "",
           JOB_BEADS, FROM_DATA),
      .severity = AMPHI_NOTE_INFO, AND("mass=\"35 u\"", "mass=\"30 u\""),
      WITH("a.data", NO_ANGLES(DATA_1 "@" DATA_2 DATA_3 DATA_4 DATA_BOND)) },
    { CASE(STRENGTHS_DIFFER,
           "dipoles differ by up to 0.00836 e nm (bead 4) from the force field's; not used",
           "dipoles=\"file\" at <coordinates>", JOB_BEADS, FROM_DATA),
      .severity = AMPHI_NOTE_WARNING,
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 DATA_3 "@4 3 20 10 20 3 0 0 0 0.5 3 1\n" DATA_BOND)) },
    { CASE(STRENGTHS_DIFFER,
           "charges differ by up to 0.5 e (bead 2) from the force field's; not used",
           "dipoles=\"file\" at <coordinates>", JOB_BEADS, FROM_DATA),
      .severity = AMPHI_NOTE_WARNING,
      WITH("a.data",
           NO_ANGLES(DATA_1 "@2 2 14 10 10 1 -1.5 0 0 0 3 1\n" DATA_3 DATA_4 DATA_BOND)) },
    { CASE(NO_STRENGTHS, "<coordinates dipoles=\"file\">: /tmp/", "write: dipoles=\"forcefield\"",
           JOB_BEADS, "<coordinates file=\"a.gro\" dipoles=\"file\"/>@<orientations seed=\"1\"/>"),
      WITH("a.gro", GRO("4", GRO_1 GRO_2 GRO_3 GRO_4)) },
    { CASE(NO_ORIENTATIONS, "<coordinates>: does not tell all orientations: 2 missing",
           "write <orientations seed=\"1\"/> in <start>", JOB_BEADS,
           "<coordinates file=\"a.gro\"/>@"),
      WITH("a.gro", GRO("4", GRO_1 GRO_2 GRO_3 GRO_4)) },
    { CASE(NO_ORIENTATIONS, "<coordinates>: does not tell all orientations: 1 missing",
           "write <orientations seed=\"1\"/> in <start>", JOB_BEADS,
           "<coordinates file=\"a.data\"/>@"),
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 DATA_3 "4 3 20 10 20 3 0 0 0 0 3 1\n" DATA_BOND)) },
    { CASE(TURN_UNKNOWN,
           "the file tells where dipoles point, but not how dip is turned about its own (2 beads)",
           "start from a checkpoint (run.chk), or put a <minimise>", JOB_BEADS, FROM_DATA),
      .severity = AMPHI_NOTE_WARNING, AND("inertia=\"1 u*nm^2\"", "moments=\"1 2 1.5 u*nm^2\""),
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 "@" DATA_3 DATA_4 DATA_BOND)) },
    { CASE(ORIENTATIONS_KNOWN, "<orientations>: <coordinates> tells them already",
           "remove <orientations>", JOB_BEADS, FROM_DATA "<orientations seed=\"1\"/>@"),
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 DATA_3 DATA_4 DATA_BOND)) },
    { CASE(NO_BOX, "a.pdb has none", "write <box x=", JOB_BEADS,
           "<coordinates file=\"a.pdb\"/>@<orientations seed=\"1\"/>"),
      AND(JOB_BOX, ""),
      WITH("a.pdb", "ATOM      1  NA  SAL     1      10.000  10.000  10.000\n"
                    "ATOM      2  CL  SAL     1      14.000  10.000  10.000\n"
                    "ATOM      3  W   WAT     2      20.000  20.000  10.000\n"
                    "ATOM      4  W   WAT     3      20.000  10.000  20.000\n") },
    { CASE(BOX_DIFFERS, "<box y=\"3.2 nm\">: /tmp/", "", JOB_BEADS, FROM_GRO),
      .severity = AMPHI_NOTE_WARNING, AND("y=\"3 nm\"", "y=\"3.2 nm\"@"),
      WITH("a.gro", GRO("4", GRO_1 GRO_2 GRO_3 GRO_4)) },
    { CASE(OUT_OF_RANGE, "water 1 has a velocity in nm/ps that is out of range: 1e+13", "",
           JOB_BEADS, FROM_DATA),
      AND("<start>", "@<start>"),
      WITH("a.data", NO_ANGLES(DATA_1 DATA_2 DATA_3 DATA_4 "\nVelocities\n\n1 0 0 0 0 0 0\n"
                                                           "2 0 0 0 0 0 0\n3 1e11 0 0 0 0 0\n"
                                                           "4 0 0 0 0 0 0\n" DATA_BOND)) },
    { CASE(OUT_OF_RANGE, "the box has an edge in nm that is out of range: 1e+13", "",
           JOB_BOX JOB_MOLECULES "<start>\n" JOB_BEADS, JOB_MOLECULES "@<start>\n" FROM_GRO),
      WITH("a.gro", "A test\n4\n" GRO_1 GRO_2 GRO_3 GRO_4 "1e13 3 3\n") },
    { .text = NULL },
};
