/* Faults of coordinate files, met through <coordinates>; their own tests have many more. */
#include "message_cases.h"

#define IN_FILE(id_, text_, hint_, name_, content_)                                                \
    CASE(id_, text_, hint_, JOB_BEADS,                                                             \
         "<coordinates file=\"" name_ "\"/>\n<orientations seed=\"1\"/>\n"),                       \
        WITH(name_, content_)
#define GRO_BEAD         "    1salt    NA    1   1.000   1.000   1.000\n"
#define PDB_BEAD(serial) "ATOM  " serial "  NA  SAL     1      10.000  10.000  10.000\n"
#define EDGES            "0 30 xlo xhi\n0 30 ylo yhi\n0 30 zlo zhi\n"
#define COUNTS           "1 atoms\n1 atom types\n"
#define MASSES           "\nMasses\n\n1 40\n\n"
#define ATOM             "1 1 10 10 10 1 1 0 0 0 3 1\n"
#define ATOMS            "Atoms\n\n" ATOM
#define HEAD             "A test\n\n" COUNTS EDGES
#define PSF              "PSF\n\n1 !NTITLE\n a\n\n"

const MessageCase message_cases_formats[] = {
    { CASE(FORMAT_GZIP, "a.gro: the file is compressed", "unpack it first: gunzip -k /tmp/",
           JOB_BEADS, "<coordinates file=\"a.gro\"/>@"),
      WITH("a.gro", "\x1F\x8B\x08") },
    { IN_FILE(FORMAT_CUT, "the file ends before its box", "is it whole?", "a.gro",
              "A test\n1\n@" GRO_BEAD) },
    { IN_FILE(FORMAT_NO_BEADS, "there are no beads in this file", "", "a.gro",
              "A test\n@0\n3 3 3\n") },
    { IN_FILE(FORMAT_COUNT, "900000 beads: more than 51 bytes can hold",
              "correct the number of beads, or copy", "a.gro",
              "A test\n@900000\n" GRO_BEAD "3 3 3\n") },
    { IN_FILE(FORMAT_NOT_NUMBER, "x: \"1.0a0\" is not a number", "write a plain number", "a.gro",
              "A test\n1\n@    1salt    NA    1   1.0a0   1.000   1.000\n3 3 3\n") },
    { IN_FILE(FORMAT_NOT_WHOLE, "residue number: \"1x\" is not a whole number from -9999 to 99999",
              "", "a.gro", "A test\n1\n@   1xsalt    NA    1   1.000   1.000   1.000\n3 3 3\n") },
    { IN_FILE(FORMAT_BOX, "box edge z is -3: must be above zero", "", "a.gro",
              "A test\n1\n" GRO_BEAD "@3 3 -3\n") },
    { IN_FILE(FORMAT_TRICLINIC, "the box is triclinic", "amphi needs a rectangular box", "a.gro",
              "A test\n1\n" GRO_BEAD "@3 3 3 0 0 1 0 0 0\n") },
    { IN_FILE(FORMAT_SHORT_LINE, "a line of 46 columns where 54 are needed", "ATOM, columns",
              "a.pdb", "@ATOM      1  W   WAT     1       1.000   2.000\n") },
    { IN_FILE(FORMAT_BEAD, "there is no bead 3; they count from 1 to 1", "", "a.psf",
              PSF "1 !NATOM\n 1 W 1 W W W 0 20 0\n\n1 !NBOND\n@ 1 3\n") },
    { IN_FILE(GRO_COUNT, "\"five\" is not the number of beads", "the second line", "a.gro",
              "A test\n@five\n") },
    { IN_FILE(GRO_COLUMNS, "no columns of coordinates in this line", "x y z in nm", "a.gro",
              "A test\n1\n@    1salt    NA    1   1    1    1    \n3 3 3\n") },
    { IN_FILE(GRO_TOO_MANY, "the box stands here, behind 1 beads; line 2 says 2",
              "write 1 in line 2", "a.gro",
              "A test\n2\n" GRO_BEAD "@   3.00000   3.00000   3.00000\n   3\n") },
    { IN_FILE(GRO_VELOCITY, "some beads have velocities", "for all beads or for none", "a.gro",
              "A test\n2\n    1salt    NA    1   1.000   1.000   1.000  0.1000  0.1000  "
              "0.1000\n@" GRO_BEAD "3 3 3\n") },
    { IN_FILE(GRO_BOX, "a box of 3 or 9 numbers is wanted here, behind 1 beads", "line 2", "a.gro",
              "A test\n1\n" GRO_BEAD "@" GRO_BEAD "3 3 3\n") },
    { IN_FILE(PDB_SERIAL, "CONECT: no beads have the serial number 7", "bonds need serial numbers",
              "a.pdb", PDB_BEAD("    1") "@CONECT    1    7\n") },
    { IN_FILE(LAMMPS_HEADER, "\"1 atomz\": neither a count nor a box edge", "such as: ", "a.data",
              "A test\n\n@1 atomz\n" EDGES MASSES ATOMS) },
    { IN_FILE(LAMMPS_NOT_READ, "4 dihedrals: not read", "amphi knows atoms, bonds and angles",
              "a.data", "A test\n\n" COUNTS "@4 dihedrals\n" EDGES MASSES ATOMS) },
    { IN_FILE(LAMMPS_SECTION, "\"Mases\": no section of that name is read", "Masses, Bond Coeffs",
              "a.data", HEAD "\n@Mases\n\n1 40\n\n" ATOMS) },
    { IN_FILE(LAMMPS_UNITS, "units = lj: amphi reads data in units real", "with units real",
              "a.data", "@A test, units = lj\n\n" COUNTS EDGES MASSES ATOMS) },
    { IN_FILE(LAMMPS_STYLE, "Atoms # full: this atom style is not read",
              "hybrid angle dipole sphere", "a.data", HEAD MASSES "@Atoms # full\n\n" ATOM) },
    { IN_FILE(LAMMPS_COUNT, "Atoms: 2 lines, but line 3 says 1", "correct the count in line 3",
              "a.data", HEAD MASSES ATOMS "@2 1 10 10 10 1 1 0 0 0 3 1\n") },
    { IN_FILE(LAMMPS_WORDS, "Atoms: 9 values in this line", "write: ", "a.data",
              HEAD MASSES "Atoms\n\n@1 1 10 10 10 1 1 0 0\n") },
    { IN_FILE(LAMMPS_MISSING, "the section Atoms is missing", "", "a.data",
              HEAD "\nMasses\n\n@1 40\n") },
    { IN_FILE(LAMMPS_ORDER, "Velocities stands before Atoms", "move it behind Atoms", "a.data",
              HEAD MASSES "@Velocities\n\n1 0 0 0 0 0 0\n\n" ATOMS) },
    { IN_FILE(LAMMPS_SECTION_TWICE, "the section Masses stands twice", "", "a.data",
              HEAD MASSES "@Masses\n\n1 40\n\n" ATOMS) },
    { IN_FILE(LAMMPS_TWICE, "Masses: number 1 stands at line 11 already", "", "a.data",
              "A test\n\n1 atoms\n2 atom types\n" EDGES "\nMasses\n\n1 40\n@1 40\n\n" ATOMS) },
    { IN_FILE(LAMMPS_NO_BEAD, "Velocities: no bead has the number 5", "", "a.data",
              HEAD MASSES ATOMS "\nVelocities\n\n@5 0 0 0 0 0 0\n") },
    { IN_FILE(LAMMPS_VALUE, "the mass is -40: must be above zero", "", "a.data",
              HEAD "\nMasses\n\n@1 -40\n\n" ATOMS) },
    { IN_FILE(PSF_HEADER, "a PSF file begins with the word PSF", "", "a.psf", "@BSF\n") },
    { IN_FILE(PSF_ATOM, "7 words in the line of a bead; 8 are wanted", "number, segment", "a.psf",
              PSF "1 !NATOM\n@ 1 WAT 1 WAT W W 0.5\n") },
    { IN_FILE(PSF_MISSING, "the section !NBOND is missing", "", "a.psf",
              PSF "1 !NATOM\n 1 W 1 W W W 0 20 @0\n") },
    { IN_FILE(DCD_HEADER, "not a DCD file of the CHARMM flavour", "", "a.dcd",
              "not a trajectory of any kind, though it is long enough to hold the header of "
              "one: ................................................................"
              "................................................................"),
      .file = "a.dcd" },
    { IN_FILE(XTC_HEADER, "not an XTC file: its first frame is none: it does not begin with 1995",
              "", "a.xtc",
              "not a trajectory of any kind, though it is long enough to hold the head of a frame"),
      .file = "a.xtc" },
    { IN_FILE(CHK_MAGIC, "the first eight bytes are not AMPHICHK", "", "a.chk",
              "AMPHICHX................................................................"
              "................................................................"),
      .file = "a.chk" },
    { IN_FILE(CHK_CUT, "the checkpoint is cut: 20 bytes", "use run.chk.prev", "a.chk",
              "AMPHICHK............"),
      .file = "a.chk" },
    { .text = NULL },
};
