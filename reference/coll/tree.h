/* tree.h -- the binomial tree over 0 .. size - 1, for teams of any size.
 *
 * The parent of v is v without its lowest set bit; its children are v + 1, v + 2, v + 4 ... below that bit (0 has no
 * limit but size). The subtree of v holds the numbers from v up to the next child of its parent, without a gap.
 *
 *     for (int step = 1; fp_tree_child(v, size, step) > 0; step *= 2)
 *         ... fp_tree_child(v, size, step) ...
 */
#ifndef FP_TREE_H
#define FP_TREE_H

static inline int
fp_tree_parent(int v)
{
    return v & (v - 1);
}

/* The child at distance `step`, a power of two; 0: none, and none at a larger one. */
static inline int
fp_tree_child(int v, int size, int step)
{
    return (v & step) != 0 || step >= size - v ? 0 : v + step;
}

#endif
