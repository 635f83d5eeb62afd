/* Makes the molecules of a snapshot whole: along its bonds each bead is moved to the image that is
 * nearest to the one before it, and then the molecule into the box.
 */
#include "../build_space.h"
#include "../whole.h"
#include "formats.h"

/* The bonds of each bead: other[first[i]] to other[first[i + 1] - 1]. */
typedef struct {
    int32_t *first, *other; /* [n_beads + 1], [2 n_bonds] */
    int32_t *queue;         /* [n_beads] */
    bool    *is_placed;     /* [n_beads] */
} Graph;

static void find_bonds(const AmphiSnapshot *s, Graph *g)
{
    for (int32_t k = 0; k < s->n_bonds; k++)
        for (int end = 1; end < 3; end++)
            g->first[s->bond[k][end]]++;
    for (int32_t i = 0; i < s->n_beads; i++)
        g->first[i + 1] += g->first[i];
    /* filled from its end, each list's beginning comes to where it is */
    for (int32_t k = 0; k < s->n_bonds; k++)
        for (int end = 1; end < 3; end++)
            g->other[--g->first[s->bond[k][end]]] = s->bond[k][3 - end];
}

static bool take_graph(const AmphiSnapshot *s, AmphiArena *arena, Graph *g)
{
    g->first     = AMPHI_TAKE(arena, int32_t, (int64_t)s->n_beads + 1);
    g->other     = AMPHI_TAKE(arena, int32_t, 2 * (int64_t)s->n_bonds);
    g->queue     = AMPHI_TAKE(arena, int32_t, s->n_beads);
    g->is_placed = AMPHI_TAKE(arena, bool, s->n_beads);
    if (amphi_arena_failed(arena))
        return false;
    find_bonds(s, g);
    return true;
}

/* Moves bead i to the image nearest to bead `from`. */
static void place_at(AmphiSnapshot *s, int32_t from, int32_t i)
{
    double d[3];

    amphi_nearest_image(s->position_nm[i], s->position_nm[from], s->box_nm, d);
    for (int a = 0; a < 3; a++)
        s->position_nm[i][a] = s->position_nm[from][a] + d[a];
}

/* All that bonds join to a bead that is placed. */
static void follow_bonds(AmphiSnapshot *s, Graph *g, int32_t bead)
{
    int32_t n = 0;

    g->queue[n++]      = bead;
    g->is_placed[bead] = true;
    for (int32_t at = 0; at < n; at++)
        for (int32_t k = g->first[g->queue[at]]; k < g->first[g->queue[at] + 1]; k++) {
            const int32_t i = g->other[k];

            if (g->is_placed[i])
                continue;
            place_at(s, g->queue[at], i);
            g->is_placed[i] = true;
            g->queue[n++]   = i;
        }
}

static int32_t end_of_molecule(const AmphiSnapshot *s, int32_t first)
{
    int32_t end = first + 1;

    while (s->molecule != NULL && end < s->n_beads && s->molecule[end] == s->molecule[first])
        end++;
    return end;
}

bool amphi_snapshot_gather(AmphiSnapshot *s, AmphiArena *arena)
{
    Graph g;

    if (s->position_nm == NULL || !s->has_box)
        return true;
    if (!take_graph(s, arena, &g))
        return false;
    for (int32_t first = 0, end; first < s->n_beads; first = end) {
        end = end_of_molecule(s, first);
        for (int32_t i = first; i < end; i++) {
            if (g.is_placed[i])
                continue;
            if (i > first) /* a piece that no bond joins to the rest */
                place_at(s, first, i);
            follow_bonds(s, &g, i);
        }
        amphi_move_into_box(s->box_nm, end - first, s->position_nm + first);
    }
    return true;
}
