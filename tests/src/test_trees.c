/* The trees of both models are whole, and small enough; what they say is what a walk from each root finds. */
#include "tile_choice.h"
#include "trees.h"
#include <criterion/criterion.h>

static const struct {
    const char *name;
    const torc_trees *trees;
    int features;
    size_t most_bytes;
} models[] = {{"ranking", &torc_rank_trees, TORC_RANK_FEATURES, 190000},
    {"tiles", &torc_tile_trees, TORC_TILE_FEATURES, 10000}};
enum { MODELS = sizeof models / sizeof models[0] };

/* Nodes of the tree that begins here; all features are there, and the deepest leaf is not deeper than that.
 */
static int count_nodes(int model, int first, int depth)
{
    enum { DEEPEST = 64 };
    const torc_tree_node *node = &models[model].trees->nodes[first];
    cr_assert_lt(depth, DEEPEST, "%s: node %d", models[model].name, first);
    if (node->right == 0) {
        return 1;
    }
    cr_assert_lt(node->feature, models[model].features, "%s: node %d", models[model].name, first);
    int left = count_nodes(model, first + 1, depth + 1);
    cr_assert_eq(node->right, 1 + left, "%s: node %d: its right tree comes after its left one",
        models[model].name, first);
    return 1 + left + count_nodes(model, first + node->right, depth + 1);
}

Test(trees, are_whole_and_one_after_another)
{
    for (int m = 0; m < MODELS; m++) {
        const torc_trees *trees = models[m].trees;
        int nodes = 0;
        for (int t = 0; t < trees->count; t++) {
            cr_assert_eq(trees->roots[t], nodes, "%s: tree %d", models[m].name, t);
            nodes += count_nodes(m, nodes, 0);
        }
        cr_expect(nodes > trees->count && nodes > 1, "%s", models[m].name);
        cr_expect_eq(trees->count % TORC_TREES_ABREAST, 0, "%s", models[m].name);
        cr_expect_leq((size_t)nodes * sizeof *trees->nodes, models[m].most_bytes, "%s: %d nodes",
            models[m].name, nodes);
    }
}

static int32_t walk(const torc_trees *trees, int tree, const int16_t features[])
{
    const torc_tree_node *at = &trees->nodes[trees->roots[tree]];
    while (at->right > 0) {
        at += features[at->feature] <= at->value ? 1 : at->right;
    }
    return at->value;
}

Test(trees, say_what_a_walk_from_each_root_finds)
{
    enum { MOST_FEATURES = 64, DRAWS = 20 };
    int16_t features[MOST_FEATURES];
    uint64_t state = 7;
    for (int m = 0; m < MODELS; m++) {
        cr_assert_leq(models[m].features, MOST_FEATURES);
        for (int draw = 0; draw < DRAWS; draw++) {
            for (int f = 0; f < models[m].features; f++) {
                state = state * 6364136223846793005U + 1442695040888963407U;
                features[f] = (int16_t)(state >> 48);
            }
            for (int t = 0; t < models[m].trees->count; t += TORC_TREES_ABREAST) {
                int32_t sum = 0;
                for (int i = 0; i < TORC_TREES_ABREAST; i++) {
                    sum += walk(models[m].trees, t + i, features);
                }
                cr_assert_eq(
                    torc_trees_ask(models[m].trees, t, features), sum, "%s: tree %d", models[m].name, t);
            }
        }
    }
}

Test(trees, know_features_as_whole_numbers)
{
    cr_expect(torc_feature(1.5) == 768 && torc_feature(-.25) == -128);
    cr_expect(torc_feature(1000) == INT16_MAX && torc_feature(-1000) == INT16_MIN);
    cr_expect(
        torc_feature_logarithm(8) == 3 * TORC_FEATURE_ONE && torc_feature_logarithm(.5) == -TORC_FEATURE_ONE);
    cr_expect(torc_feature_logarithm(0) < -39 * TORC_FEATURE_ONE);
}
