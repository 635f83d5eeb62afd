/* The names of the energy terms, as users read them in tables. */
#include "frame.h"

#include <assert.h>

const char *amphi_term_name(AmphiTermSlot slot)
{
    static const char *const names[AMPHI_TERMS] = {
        [AMPHI_LJ]                 = "lj",
        [AMPHI_QQ]                 = "qq",
        [AMPHI_QD]                 = "qd",
        [AMPHI_DD]                 = "dd",
        [AMPHI_STICKY]             = "sticky",
        [AMPHI_GAY_BERNE]          = "gay-berne",
        [AMPHI_BOND]               = "bond",
        [AMPHI_ANGLE]              = "angle",
        [AMPHI_ANGLE_COSINE]       = "angle-cosine",
        [AMPHI_DIPOLE_RESTRAINT]   = "dipole-restraint",
        [AMPHI_BOND_AXIS]          = "bond-axis",
        [AMPHI_POSITION_RESTRAINT] = "position-restraint",
    };

    assert((int)slot >= 0 && slot < AMPHI_TERMS);
    return names[slot];
}
