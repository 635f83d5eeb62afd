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

#endif
