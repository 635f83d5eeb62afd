/* The names of the energy terms, as users read them in tables. */
#include "frame.h"

#include <assert.h>

const char *amphi_term_name(AmphiTermSlot slot)
{
    assert((int)slot >= 0 && slot < AMPHI_TERMS);
    switch (slot) { /* a slot without a name does not compile */
    case AMPHI_LJ:
        return "lj";
    case AMPHI_QQ:
        return "qq";
    case AMPHI_QD:
        return "qd";
    case AMPHI_DD:
        return "dd";
    case AMPHI_STICKY:
        return "sticky";
    case AMPHI_GAY_BERNE:
        return "gay-berne";
    case AMPHI_BOND:
        return "bond";
    case AMPHI_ANGLE:
        return "angle";
    case AMPHI_ANGLE_COSINE:
        return "angle-cosine";
    case AMPHI_DIPOLE_RESTRAINT:
        return "dipole-restraint";
    case AMPHI_BOND_AXIS:
        return "bond-axis";
    case AMPHI_POSITION_RESTRAINT:
        return "position-restraint";
    case AMPHI_TERMS:
        break;
    }
    return "";
}
