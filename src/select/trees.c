#include "trees.h"
#include <math.h>

int16_t torc_feature(double number)
{
    return (int16_t)lrint(fmin(fmax(number * TORC_FEATURE_ONE, INT16_MIN), INT16_MAX));
}

int16_t torc_feature_logarithm(double number)
{
    static const double LEAST = 1e-12;
    return torc_feature(log2(fmax(LEAST, number)));
}

/* Each step of a way through a tree waits for memory, and a branch at its end would be guessed wrong; so the
 * trees take their steps together, and a leaf is stayed at. */
int32_t torc_trees_ask(const torc_trees *trees, int first, const int16_t features[])
{
    const torc_tree_node *at[TORC_TREES_ABREAST];
    int32_t said = 0;
    for (int t = 0; t < TORC_TREES_ABREAST; t++) {
        at[t] = &trees->nodes[trees->roots[first + t]];
    }
    for (int more = 1; more != 0;) {
        more = 0;
        for (int t = 0; t < TORC_TREES_ABREAST; t++) {
            int right = at[t]->right, left = right > 0;
            at[t] += left + (features[at[t]->feature] > at[t]->value) * (right - left);
            more |= at[t]->right;
        }
    }
    for (int t = 0; t < TORC_TREES_ABREAST; t++) {
        said += at[t]->value;
    }
    return said;
}
