/* The list of file formats, one const table each. To add one, name it here. */
#ifndef AMPHI_ENGINE_FORMATS_FORMATS_H
#define AMPHI_ENGINE_FORMATS_FORMATS_H

#include "snapshot.h"

#define FORMAT_LIST(FORMAT)                                                                        \
    FORMAT(gro)                                                                                    \
    FORMAT(pdb)                                                                                    \
    FORMAT(lammps)                                                                                 \
    FORMAT(dcd)                                                                                    \
    FORMAT(xtc)                                                                                    \
    FORMAT(psf)                                                                                    \
    FORMAT(chk)

#define FORMAT_TABLE(name) extern const AmphiFormat amphi_format_##name;
FORMAT_LIST(FORMAT_TABLE)

/* What .write of PSF does with as many columns, 8 or 10, as the beads have need of. */
AmphiStatus amphi_psf_write(const char *path, const AmphiSnapshot *snapshot, int columns,
                            AmphiError *err);

#endif
