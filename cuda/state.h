/* What a state holds on the device, and who works on it.
 *
 * Bodies stand in the order of the file: motion, bonds, noise and groups know nothing of space.
 * Pairs stand in the order of slots: by kind, within a kind by cell, within a cell by bead. A kind
 * is all types that have the same potentials with every type, but for Lennard-Jones constants. A
 * slot has a record of what a pair reads of its bead, rewritten after every drift, and a row of
 * neighbours in segments of one kind. bead_of and slot_of translate.
 *
 * Motion is in double in every precision; positions reach pairs as fractions of the box. Sums go
 * over blocks in a fixed order, never through atomics on floating point, so that the same state
 * gives the same bits. Every kernel that moves beads, adds to them or builds their list returns at
 * once when the ledger holds a fault, so that the state stands still where it was. (Where a step
 * itself finds beads out of the range of fixed precision, some of its blocks may have moved theirs
 * and others not: what goes on from there is a state set aside before.)
 */
#ifndef AMPHI_CUDA_STATE_H
#define AMPHI_CUDA_STATE_H

#include <string.h>

#include "../engine/motion.h"
#include "../forcefield/bonds.h"
#include "../forcefield/pairs.h"
#include "device.h"
#include "fixed_view.h"
#include "gate.h"

extern "C" {
#include "../engine/bodies.h"
#include "../engine/host.h"
}

/* Threads of a block: of a pair kernel, of a kernel with one thread a bead, and of one that
 * adds. */
enum { PAIR_BLOCK = 128, BEAD_BLOCK = 128, SUM_BLOCK = 256 };

/* Threads a bead of a pair kernel, at most. */
enum { MOST_LANES = 16 };
/* Entries of short rows that the lanes of a bead test at once, and of which they have room. */
enum { SHORT_ROUND = MOST_LANES };

enum { GRAPH_SIZES = 8, PATTERNS = 8 }; /* graphs.cu */

/* Where a drift says that the list is stale, for the pairs behind it: steps of a graph take two
 * places in turn, and each clears that of the next, whose kick and drift may be one kernel. The
 * last of a graph, and steps without one, say it where nobody looks. */
enum { NOBODY_WAITS = 2 };

/* View.turn of forces in a graph that the device launches: Ledger.gate has it. */
enum { TURN_OF_GATE = -1 };

/* Of a list where there is no time step to choose a margin by. */
#define AMPHI_DEVICE_MARGIN_NM 0.12

typedef struct __align__(16)
{
    scalar x, y, z, w;
}
Four;

#if defined(AMPHI_BUILD_SINGLE)
#define AMPHI_PRECISION_NAME  "single"
#define AMPHI_BUILD_PRECISION AMPHI_SINGLE
#elif defined(AMPHI_BUILD_DOUBLE)
#define AMPHI_PRECISION_NAME  "double"
#define AMPHI_BUILD_PRECISION AMPHI_DOUBLE
#else
#define AMPHI_PRECISION_NAME  "fixed"
#define AMPHI_BUILD_PRECISION AMPHI_FIXED
#endif

#ifdef AMPHI_BUILD_DOUBLE
typedef double Coordinate; /* a fraction of the box */
#else
typedef int32_t Coordinate; /* in units of 2^-32: differences wrap to the nearest image */
#endif

/* What a pair reads of a bead, in two halves. 32 places stand before their 32 values: beads with
 * neighbouring slots share lines of a cache, and one address serves both halves. */
enum { RECORD_GROUP = 32 };

typedef struct __align__(4 * sizeof(scalar))
{
    Coordinate at[3];
    int32_t    type;
}
RecordPlace;

typedef struct __align__(4 * sizeof(scalar))
{
    scalar value[4]; /* axis and charge; or a quaternion (w, x, y, z) */
}
RecordValue;

typedef struct {
    RecordPlace place;
    RecordValue value;
} Record;

typedef union {
    RecordPlace place;
    RecordValue value;
} HalfRecord;

/* Types of one kind have neighbouring numbers. */
typedef struct {
    int32_t kind, first_type, end_type;
    int32_t n_before; /* beads of the kinds before it */
} Kind;

/* Where the row of a bead is, in rounds of entries, and what its entries count from: entries.h. */
typedef struct __align__(8)
{
    uint32_t round;
    int32_t  base;
}
RowAt;

/* What pairs ask of a bead before its first neighbour, fetched together. */
typedef struct __align__(16)
{
    int32_t  slot, bead, type;
    uint16_t stretch, last; /* of the type's stretches the first, and that behind the last */
    int32_t  begin, n;      /* of the first: its entries */
    uint32_t round;         /* RowAt */
    int32_t  base;
}
Opening;

/* A part of a row. */
typedef struct __align__(8)
{
    int32_t begin, end;
}
Segment;

/* A bead that has gone further than half of the margin. Who may be within its cut-off by now was
 * nearer than far_nm when the list was built. */
typedef struct __align__(16)
{
    int32_t slot, kind;
    float   far_nm;
}
Stray;

/* DIPOLES: axis is the dipole vector in e nm; UNIT_AXES: the body z axis; FRAMES: a quaternion. */
typedef enum { DIPOLES, UNIT_AXES, FRAMES, RECORD_KINDS } RecordKind;

/* Bits of a fault. */
enum {
    FAULT_NOT_FINITE = 1,  /* of a position; fault_bead tells which (the smallest) */
    FAULT_ROWS       = 2,  /* too little room for rows; the longest needs fault_size entries */
    FAULT_ENTRIES    = 4,  /* an entry of a row was too narrow for a neighbour's slot */
    FAULT_BOX        = 8,  /* an edge is shorter than twice the cut-off */
    FAULT_WILD       = 16, /* a bead that is not finite, no rotation, or too fast; fault_bead */
    FAULT_RANGE      = 32, /* of fixed precision; view.fixed.out_of_range */
    FAULT_TORN       = 64, /* a bond; fault_bead is its first */
    FAULTS_OF_ROOM   = FAULT_ROWS | FAULT_ENTRIES /* that cells_grow mends */
};

/* Sums of pairs or bonds that every step can have: potential and the diagonal of the virial. */
typedef struct {
    double potential, virial[3];
} QuickSums;

/* Sums of one energy slot: energy, virial, pairs or bonds in range. */
typedef struct {
    double energy, virial[9], count;
} TermSums;

/* A move of the box; of a step without one, factors of 1. */
typedef struct {
    double  strain[3], stretch[3], slow[3];
    double  box_nm[3]; /* before it; of Ledger.now and turn */
    int64_t is_due;
    int64_t step; /* which makes it; of Ledger.turn */
} Move;

/* A power of two: moves that are due, and the one that is found meanwhile. */
enum { MOVES_KEPT = 4 };
static_assert(int(MOVES_KEPT) > int(AMPHI_MOVE_LAG), "a move would overwrite one that is due");

/* The numbers of a state. One struct in device memory, copied whole to whoever looks. The part
 * down to the groups has the meaning that the fields of AmphiBodies of the same name have. */
typedef struct {
    uint32_t fault;
    int32_t  fault_bead, fault_size;
    int32_t  stale;       /* the list must be built before the next forces */
    int32_t  waits[3];    /* a drift has found that: View.waits_at */
    Gate     gate;        /* of lists that the device launches */
    int64_t  n_builds;    /* of the list */
    int32_t  longest_row; /* of the last build */
    int32_t  n_echoes;    /* of its slots, the first ones: entries.h */
    double   built_box_nm[3];
    int32_t  n_strays, n_looked; /* of this step; blocks that are through with them */

    int64_t      gathered; /* the step whose forces motion_gather has left, and 1; 0: of none */
    int64_t      step, stage_step, conserved_count;
    double       box_nm[3];
    double       heat_kJ_mol, work_kJ_mol, conserved_kJ_mol, conserved_sum_kJ_mol;
    double       kick_heat_kJ_mol; /* heat as the last kick found it */
    double       potential_kJ_mol; /* of the last forces with QUICK */
    double       virial_kJ_mol[3]; /* of the last ones with VIRIALS or QUICK */
    AmphiKinetic translation, rotation;
    double       kinetic_half_kJ_mol[3][3];
    double       scaled_half_kJ_mol[3]; /* its diagonal when the thermostat is through */

    /* moves of the box: strain of the last one; that of this step, set aside by a kick with virials
     * for its drift; those to come, by due_at; and by View.at those of whole steps with sums
     * (summed.cu), which may still owe the books of the last one */
    double  strain[3];
    int64_t n_limited; /* moves that were cut short */
    Move    now, due[MOVES_KEPT], turn[2];
    double  drawn[2][2]; /* by View.at: normal deviates for the strain that such a step asks for */
    int32_t owes_books;
    int32_t owes_heat[2]; /* by View.at: the noise of a whole step */

    /* minimisation */
    double  step_length_nm, last_potential_kJ_mol, largest_force_kJ_mol_nm;
    int32_t has_best, converged, goes_back;
} Ledger;

/* What is due in a step of the stage, or will be. */
__host__ __device__ static inline Move *due_at(Ledger *l, int64_t stage_step)
{
    return &l->due[stage_step % MOVES_KEPT];
}

/* A stage as kernels need it; constant from begin_stage on. */
typedef struct {
    AmphiEnsemble   ensemble;
    double          dt_ps, kT; /* kT: kJ/mol, of the thermostat */
    uint64_t        seed;
    int64_t         n_steps;
    double          stop_force_kJ_mol_nm;
    int32_t         conserved_mean, remove_drift;
    AmphiThermostat thermostat; /* its group array is of the host: not for kernels */
    AmphiBarostat   barostat;
    Noise           noise; /* of Langevin */
} StageView;

/* What a computation of forces adds up: nothing, virials, or the potential too. VIRIALS leaves
 * the potential alone. */
typedef enum { NO_SUMS, VIRIALS, QUICK, SUMS_LEVELS } SumsLevel;

/* What of forces a frame shows. */
typedef enum { SHOWS_NOTHING, SHOWS_FORCES, SHOWS_ENERGIES, SHOWS } Shows;

/* When pairs have their turn: now; or behind a drift that may have found the list stale, either
 * beside that list being built, unless it is, or after it, if it is. */
typedef enum { AT_ONCE, AHEAD_OF_LIST, BEHIND_LIST } PairsTurn;

/* Of all beads, what pairs read. */
typedef HalfRecord *RecordSet[RECORD_KINDS];

/* Everything that kernels read or write, by value. Pointers are device memory; [n] in the order of
 * the file unless it says slots. */
typedef struct {
    int32_t n, n_types, n_kinds, n_groups, max_groups;
    double  cutoff_nm, margin_nm;
    Ledger *ledger;

    /* constants of the system */
    const int32_t *bead_type;              /* [n] as Device.type_rank numbers them */
    const Kind    *kind_of;                /* [n_types] */
    const scalar  *charge_e, *dipole_e_nm; /* [n] */
    const Mover   *mover;                  /* [n_types] by rank */
    uint32_t       records;                /* bit 1 << RecordKind: is it used? */

    /* bodies */
    double (*position_nm)[3];
    int32_t (*image)[3];
    double (*velocity_nm_ps)[3], (*orientation)[4], (*spin_u_nm2_ps)[3];
    double (*velocity_now_nm_ps)[3], (*spin_now_u_nm2_ps)[3]; /* NULL: nobody wants them */
    double (*anchor_nm)[3];                            /* NULL where the stage restrains nothing */
    double (*force_kJ_mol_nm)[3], (*torque_kJ_mol)[3]; /* all of them; by motion_gather */
    float4 *acceleration_nm_ps2;                       /* [n] by the last kick: expected.h */

    /* cells.cu: the list */
    int32_t max_cells;
    int32_t lanes;      /* threads a bead of the pair kernel, for which rows are laid out */
    int32_t is_layered; /* are slots in the order of layers of columns, then kinds? */
    int32_t entries;    /* of rows: what they are (entries.h) */
    /* Where a step of a graph stands, as it is captured (graphs.cu). A step that finds the list
     * stale raises waits[waits_at]: pairs ahead of the list return, the gate builds it, and a
     * block of the next step clears it, at a fault, too; the last step of a graph, behind which the
     * list is built anyhow, has none (NOBODY_WAITS). Forces that a step may go ahead of leave
     * `turn` beside themselves, from 1 on in each graph, by which the step knows its own from those
     * before. */
    int32_t  waits_at; /* of the step: of Ledger.waits */
    int32_t  turn;     /* of forces: their place in a graph, 0 for the first; TURN_OF_GATE */
    int32_t  at;       /* of the step: its place in a graph, modulo 2 */
    int32_t  leads;    /* in so many steps there is a whole step with sums, whose move of the box
                            this one sets aside; 0: nothing to set aside */
    int32_t *bead_of, *slot_of, *type_of; /* [n] slot to bead, bead to slot, slot to type */
    int32_t *cell_start;                  /* [n_kinds * max_cells + 1] first slot: key_of */
    int32_t *cell_of;                     /* [n] by bead: its place in cell_start */
    Opening *opening; /* [n] of the beads in the order in which pairs go over them: order.cu */
    Opening *apart_opening; /* the same for ellipsoids among others; NULL if no kernel is for those
                               alone */
    double (*built_nm)[3];  /* [n] by bead: around which the list was built */
    Stray         *stray; /* [most_strays] in any order; NULL: a list is stale when there is one */
    int32_t        most_strays;
    int32_t        longest;  /* entries that a row has room for while it is filled */
    uint32_t       n_rounds; /* of entries, that all rows together have room for */
    void          *entry;    /* [n_rounds][round_of a layout] of all rows: entries.h */
    RowAt         *row;      /* [n] by slot */
    Segment       *segment;  /* [n][n_kinds] by slot, of the row */
    const uint8_t *begins;   /* [n_types][n_kinds] is a kind's segment one of those of that
                                             type's rows where a stretch begins (forces.cu)? */
    const int32_t *exclusion_start, *exclusion; /* [n + 1], by bead */
    const float *kind_cutoff_nm; /* [n_kinds][n_kinds] -cutoff_nm or less where nothing acts; NULL:
                                      all have cutoff_nm */
    /* rows of what is nearer than the sticky terms reach; NULL when there are none */
    double         short_cutoff_nm;
    int32_t        short_stride;
    int32_t       *short_row, *short_end; /* [n][short_stride], [n] */
    const uint8_t *is_short;              /* [n_kinds][n_kinds] has the pair a sticky term? */
    RecordSet      record;                /* by half_of(slot), echoes last; NULL: not used */
    RecordSet      shown;                 /* the same, for the forces behind the next drift: other
                                             memory where pairs may still read `record` by then */

    /* forces.cu, bonded.cu */
    Four      *pair_force, *pair_torque; /* by bead; w: in single the turn, else not used */
    QuickSums *pair_sums;                /* [n_pair_blocks] each pair counted twice */
    int32_t    n_pair_blocks;            /* of the kernels in use */
    int32_t    is_apart;   /* are ellipsoids met by a kernel ahead of that of all other pairs? */
    int32_t    n_bonded;   /* beads up to the last that has a bond: waters stand behind lipids */
    int32_t    sums_bonds; /* do blocks of bonds add up what these do to a bead? */
    /* sums_bonds: [n_bonded] sums by bead; then one a bead of a bond */
    Four          *bond_force, *bond_torque;
    const int32_t *role_start; /* [n_bonded + 1] by bead: where those of the second part are */
    QuickSums     *bond_sums;  /* [n_bond_blocks] */
    int32_t        n_bond_blocks;
    TermSums      *term; /* [AMPHI_TERMS] by forces_measure and bonded_measure */

    /* motion.cu */
    int32_t *group_of;                      /* [n] */
    double (*factor)[2], (*drift_nm_ps)[3]; /* [max_groups] translation and rotation */
    double (*pushed)[3];         /* [max_groups] momentum that the last kick has added, u nm/ps */
    double (*given_nm_ps)[3];    /* [max_groups] velocity that noise gives each, and leaves out */
    const double  *group_mass;   /* [max_groups] */
    const int32_t *group_size;   /* [max_groups] */
    const int64_t (*freedom)[2]; /* [max_groups] */
    AmphiKinetic (*group)[2];    /* [max_groups] */
    const double (*restraint_kJ_mol_nm2)[3]; /* [n] k along each axis of the stage; NULL: none */
    StageView stage; /* in a step that leaves thermostat or box alone, without them */
    FixedView fixed;
} View;

/* What the host asks for most, in memory of the host that the device writes by itself. */
typedef struct {
    alignas(16) Ledger ledger;
    alignas(16) TermSums term[AMPHI_TERMS];
    alignas(16) AmphiKinetic group[1][2]; /* [max_groups] */
} Landing;

/* What of the state that is set aside last is under way and not waited for: nothing; its ledger,
 * and nothing else yet; all; all but how it moves. */
typedef enum { KEEPS_NOTHING, KEEPS_LEDGER, KEEPS_ALL, KEEPS_PLACES } Keeping;

/* What a look has asked for behind a list: where that had no room, it is repeated. */
typedef struct {
    bool     keeps[2]; /* a state aside, in that slot */
    bool     computes, kicks;
    uint32_t of_forces, of_kick; /* AMPHI_NEED_ bits */
} Wishes;

/* The state; the host's own part beside what kernels see. */
typedef struct AmphiState {
    const AmphiSystem *system;
    DeviceMemory       memory;
    cudaStream_t       stream, side; /* `side`: bonded terms beside pairs */
    cudaEvent_t        fork, join;
    View               view;
    AmphiBodies       *mirror;    /* on the host: begins stages, is saved, restored and shown */
    int32_t           *type_rank; /* [n_types] the number that a type has on the device */
    Kind              *kind_of;   /* [n_types] by that number */
    AmphiSums          sums;      /* of the last measure, for frames */
    int64_t (*freedom)[2];        /* of the groups, for frames */
    uint32_t        has;          /* AMPHI_NEED_ bits that hold for the present positions */
    bool            tunes_margin; /* nobody has asked for one */
    bool            fault_told;   /* the state may be read although it stands at a fault */
    bool            has_books;    /* has a kick followed the last forces, and nothing else since? */
    bool            has_motion;   /* and left v(t) and l(t)? */
    SumsLevel       sums_level;   /* what the last forces have added up, and no kick has used up */
    Landing        *landing;
    char           *adopted;    /* the arrays of the mirror, likewise; NULL: in its arena */
    char           *kept[2];    /* states aside, on the host */
    cudaStream_t    keeping;    /* on the way there, while nobody changes them */
    cudaEvent_t     is_put;     /* the ledger, in the stream */
    cudaEvent_t     is_kept[2]; /* how it moves; all; in keeping */
    Keeping         keeps;
    int             keeps_in;       /* which of kept */
    bool            has_anchors[2]; /* are they in it? */
    Wishes          wishes;
    bool            is_listed; /* has no bead moved since a list was built if it was due? */
    int32_t         device, n_processors;
    bool            begins_early; /* can a kernel begin beside the last one, and launch a graph? */
    int32_t         n_meeting;    /* blocks that sort its beads and wait for each other; 0: none */
    double          claimed;      /* of the device, for those */
    char            device_name[64], about[128];
    RecordSet       records[2]; /* the first, and another one if steps go ahead of pairs */
    cudaStream_t    list;       /* beside pairs; and beside what is measured */
    cudaGraphExec_t rebuild[SUMS_LEVELS]; /* of a list and forces: the device launches them */
    /* by what is added up, moved and held (graphs.cu), and by size */
    cudaGraphExec_t    graph[PATTERNS][PATTERNS][PATTERNS][GRAPH_SIZES];
    cudaGraphExec_t    shown[2][SUMS_LEVELS][SHOWS]; /* with sums beside; level; what (frames.cu) */
    struct CellsPlan  *cells;
    struct ForcesPlan *forces;
    struct BondedPlan *bonded;
    struct MotionPlan *motion;
} Device;

/* Which of a state's sets of records pairs read, and which the next drift writes. */
static inline void use_records(Device *d, int reads, int shows)
{
    memcpy(d->view.record, d->records[reads], sizeof d->view.record);
    memcpy(d->view.shown, d->records[shows], sizeof d->view.shown);
}

/* Does a step go ahead where pairs have left the forces on a bead? Only in single do they tell that
 * they are there; and not where bonds beside them add up what they do to it, and take as long.
 */
static inline bool goes_ahead(const Device *d)
{
    return AMPHI_BUILD_PRECISION == AMPHI_SINGLE && d->begins_early &&
           (d->view.n_bond_blocks == 0 || !d->view.sums_bonds);
}

/* Each room: open takes memory and fills constants in (the host may wait there); the others only
 * launch, in d->stream or beside it, and can be captured in a graph. Bits do not depend on who
 * looks: forces have the same ones whatever their kernel adds up, and other kernels measure. */

/* cells.cu */
AmphiStatus AMPHI_T(cells_open)(Device *d, AmphiError *err);
/* The margin for a stage, by what the stage says alone: a run that goes on has it too. The list is
 * stale if it changes. Host waits. */
AmphiStatus AMPHI_T(cells_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err);
/* Sets ledger.stale when the box or a bead has moved too far; drift does the same by itself. */
AmphiStatus AMPHI_T(cells_check)(Device *d, AmphiError *err);
/* strays.cu. Behind whatever moves beads, in d->stream: sets ledger.stale where the list misses a
 * pair of one that has gone far. */
AmphiStatus AMPHI_T(cells_look)(Device *d, AmphiError *err);
/* Sorts and fills the rows anew if ledger.stale, and clears it; else does nothing. Writes
 * records. */
AmphiStatus AMPHI_T(cells_build)(Device *d, AmphiError *err);
/* Rows for what the list needs that raised a fault; it is stale after it. Host waits. */
AmphiStatus AMPHI_T(cells_grow)(Device *d, const Ledger *l, AmphiError *err);

/* Memory for the records that a set does not have yet. */
AmphiStatus AMPHI_T(cells_take_records)(Device *d, RecordSet to, AmphiError *err);

/* The list is stale, and nothing is left of a build that a fault has cut short. */
AmphiStatus AMPHI_T(cells_forget)(Device *d, AmphiError *err);

/* pair_plan.cu: type_rank, and the view's kinds. */
AmphiStatus AMPHI_T(rank_types)(Device *d, AmphiError *err);

/* forces.cu, measure.cu: pairs, into pair_force and pair_torque; by level into pair_sums too */
AmphiStatus AMPHI_T(forces_open)(Device *d, AmphiError *err);
AmphiStatus AMPHI_T(forces_compute)(Device *d, SumsLevel level, PairsTurn turn, cudaStream_t stream,
                                    AmphiError *err);
/* Energies, virials and counts of each pair slot into view.term: overwrites those of pair slots. */
AmphiStatus AMPHI_T(forces_measure)(Device *d, AmphiError *err);

/* bonded_plan.cu, bonded.cu: the same for bonded terms */
AmphiStatus AMPHI_T(bonded_open)(Device *d, AmphiError *err);
AmphiStatus AMPHI_T(bonded_compute)(Device *d, SumsLevel level, cudaStream_t stream,
                                    AmphiError *err);
AmphiStatus AMPHI_T(bonded_measure)(Device *d, AmphiError *err);

/* motion_stage.cu, motion.cu, drift.cu, summed.cu, descend.cu */
AmphiStatus AMPHI_T(motion_open)(Device *d, AmphiError *err);
/* After the mirror's stage has begun and the bodies are on the device: groups, freedom, restraints,
 * the stage's constants. Host waits. */
AmphiStatus AMPHI_T(motion_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err);
/* What a step does beside forces, kick and drift: a matter of the stage and of its step alone. */
typedef struct {
    SumsLevel level; /* of the forces that its kick has */
    bool      moves_box;
    bool      acts; /* the thermostat; and drift is removed */
} StepPlan;

/* Before a kick: view.stage is what that step has of the stage. */
void AMPHI_T(motion_expect)(Device *d, const StepPlan *plan);
/* After it, can kick and drift be one kernel? Nobody wants sums between them. */
bool AMPHI_T(motion_is_plain)(const Device *d, const StepPlan *plan);
/* Such a step: the same bits as a kick and a drift. With Langevin noise it owes the heat of that,
 * which another such step books if that comes next, or motion_owed_heat. */
AmphiStatus AMPHI_T(motion_step)(Device *d, AmphiError *err);
/* Books such heat by a kernel of its own, which forces may run beside; before the next kick. */
AmphiStatus AMPHI_T(motion_owed_heat)(Device *d, cudaStream_t stream, AmphiError *err);
/* Can they be one kernel although somebody wants sums? Nobody does between them. */
bool AMPHI_T(motion_is_summed)(const Device *d, const StepPlan *plan);
/* Such a step: the same bits. Its move of the box must have been set aside (view.leads). It owes
 * its books, which another such step keeps, or motion_owed_books. Not `sums`: a step without them
 * that keeps those of the step before it, whose view.stage and level these are. */
AmphiStatus AMPHI_T(motion_step_summed)(Device *d, SumsLevel level, bool sums, AmphiError *err);
/* Keeps such books by a kernel of their own, which forces may run beside; before the next kick. */
AmphiStatus AMPHI_T(motion_owed_books)(Device *d, SumsLevel level, cudaStream_t stream,
                                       AmphiError *err);
/* At what a kick leaves: its books; or v(t) and l(t), too. */
typedef enum { NOT_LOOKED_AT, BOOKS_LOOKED_AT, MOTION_LOOKED_AT } KickLook;

/* v(t + dt/2), and sums for the books: kinetic energies, what the level says of pair_sums,
 * bond_sums and restraints. The books (thermostat factors, the strain of a move to come) are kept
 * at once when somebody looks; else by the drift, each of whose blocks finds its factors. */
AmphiStatus AMPHI_T(motion_kick)(Device *d, SumsLevel level, KickLook look, AmphiError *err);
/* The view for its kernel: nobody leaves v(t) where those of a frame are not wanted. */
static inline View view_of_kick(const Device *d, KickLook look)
{
    View v = d->view;

    if (look != MOTION_LOOKED_AT)
        v.velocity_now_nm_ps = v.spin_now_u_nm2_ps = NULL;
    return v;
}
/* On steps that move the box (the kick had VIRIALS at least), between kick and drift. The kick of
 * the next step wants them too, for the work. */
AmphiStatus AMPHI_T(motion_move_box)(Device *d, AmphiError *err);
/* Removal of drift, x(t + dt), rotation, noise, wrap, records; marks a stale list. */
AmphiStatus AMPHI_T(motion_drift)(Device *d, AmphiError *err);
/* One step downhill; ledger.converged when there was none to take. */
AmphiStatus AMPHI_T(motion_descend)(Device *d, AmphiError *err);
/* force_kJ_mol_nm and torque_kJ_mol: pairs, bonds and the stage's restraints together; the energy
 * and virial of restraints into term[AMPHI_POSITION_RESTRAINT] (added to what bonded_measure left
 * there). */
AmphiStatus AMPHI_T(motion_gather)(Device *d, bool measures, AmphiError *err);

/* fixed_state.cu */
AmphiStatus AMPHI_T(fixed_open)(Device *d, AmphiError *err); /* what forces, bonds, motion have */
/* In which units pairs will be counted: the next stage is this one. */
void        AMPHI_T(fixed_expect)(Device *d, const AmphiStage *stage);
AmphiStatus AMPHI_T(fixed_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err);
/* Clear rows for sums of that level, unless a graph is captured, whose last reader has cleared
 * them. */
AmphiStatus AMPHI_T(fixed_begin_sums)(FixedRow *rows, SumsLevel level, cudaStream_t stream,
                                      AmphiError *err);
/* All sums, and what is out of range. */
AmphiStatus AMPHI_T(fixed_clear)(Device *d, AmphiError *err);
/* Before the first stage: what is out of range is taken back, and told. Host waits. */
AmphiStatus AMPHI_T(fixed_forgive)(Device *d, bool *was_out, AmphiError *err);
/* AMPHI_UNSTABLE: tells what is out of range, and of which bead. Host waits. */
AmphiStatus AMPHI_T(fixed_judge)(const Device *d, AmphiError *err);

/* The number of the half record that is the place of a slot; its value is RECORD_GROUP further. */
__host__ __device__ static inline uint32_t half_of(int32_t slot)
{
    return (uint32_t)slot + ((uint32_t)slot & ~(RECORD_GROUP - 1u));
}

#endif
