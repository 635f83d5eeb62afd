/* The peers' systems as job files, as a user of amphi would write them.
 *
 * `peer` is the folder of the data. Each writes a job into a temporary folder, loads it, and
 * removes the folder. Treatments are the attributes of <treatment> behind `of`.
 */
#ifndef AMPHI_VALIDATION_AGREE_PEERS_H
#define AMPHI_VALIDATION_AGREE_PEERS_H

#include "compare.h"

/* The data file as it is, with its own dipoles: `molecules` are <molecule> lines. */
AmphiJob *peer_elba(const char *peer, const char *molecules, const char *file);
#define PEER_MEMBRANE                                                                              \
    "<molecule type=\"DMPC\" count=\"128\"/><molecule type=\"water\" count=\"5120\"/>"

/* A box of n waters of one type of forcefield/ssd.xml; and two of them, for scans. */
AmphiJob *peer_ssd_box(const char *peer, const char *type, int n, const char *lj,
                       const char *dipoles);
AmphiJob *peer_ssd_pair(const char *type, const char *lj, const char *dipoles);

/* The peer's types from 1; the box holds the first of them. */
AmphiJob *peer_gay_berne_box(const char *peer, const char *treatment);
AmphiJob *peer_gay_berne_pair(int first, int second);

/* A pair style of the peer. */
typedef struct {
    const char *name, *lj, *rest;
    bool        is_mixed; /* unlike pairs by the mixing rule, or written out */
} DipoleStyle;

enum { N_DIPOLE_STYLES = 3 };
const DipoleStyle *peer_dipole_style(int k);
AmphiJob          *peer_dipole_box(const char *peer, const DipoleStyle *style);
AmphiJob          *peer_dipole_pair(const DipoleStyle *style, int first, int second);

#endif
