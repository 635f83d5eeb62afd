/* The ways to a start, for job_start.c, and what those from files share. */
#ifndef AMPHI_ENGINE_JOB_START_H
#define AMPHI_ENGINE_JOB_START_H

#include "formats/snapshot.h"
#include "reader.h"

/* <coordinates>: positions, and what else the file tells. */
void amphi_reader_coordinates(AmphiReader *r, const AmphiXml *xml);
/* Spins of the angular velocities that it tells, when orientations are known. */
void amphi_reader_spins(AmphiReader *r);

/* Compares the residues of a coordinate file with as many beads as the job with the job's
 * molecules; false with an error at the first contradiction:
 *   - a residue reaches over the end of a molecule;
 *   - a residue has the name of its molecule, but is not all of it;
 *   - a residue has the name of another molecule type of the force field;
 *   - a residue has another name than the same residue of the first molecule of its type.
 * Names that are strange but consistent are a warning. Files without names of residues, or all of
 * one residue, pass. */
bool amphi_reader_check_residues(AmphiReader *r, const AmphiSnapshot *snapshot);

/* A sentence about the first residue that has another number of beads than its molecule; "" when
 * there is none, or the file has no residues. */
const char *amphi_reader_parting(AmphiReader *r, const AmphiSnapshot *snapshot);

/* The <molecule> elements that the file's residues would be, as a text; "" when it has none, or
 * some that are no molecule type by name and number of beads, or too many to write. */
const char *amphi_reader_residues(AmphiReader *r, const AmphiSnapshot *snapshot);

/* Is a name in a file ours? Some formats cut names, to no less than four bytes. */
bool amphi_names_agree(const char *name, const char *in_file);

/* Where a bead stands; line 0 where the file has no lines. */
AmphiWhere amphi_bead_line(const AmphiSnapshot *snapshot, int32_t bead);

#endif
