/* trees.h: sums of decision trees over features that are whole numbers, the models of ranking.h and
 * tile_choice.h. */
#ifndef TORC_TREES_H
#define TORC_TREES_H

#include <stdint.h>

/* Features are whole numbers of 1/512; what is beyond 64, or -64, counts as that. */
enum { TORC_FEATURE_ONE = 512 };

/* A feature as trees know it. */
int16_t torc_feature(double number);

/* The logarithm of base 2 of a number that may be 0, as a feature. */
int16_t torc_feature_logarithm(double number);

/* A tree is an array: its root, then the tree to the left, then the tree to the right. In a leaf, feature and
 * right are 0, and value is what the tree says, in a unit of the model's own. In another node, go left (to
 * the next node) if the feature is at most the value, and otherwise right, `right` nodes on. */
typedef struct torc_tree_node {
    int16_t value;
    uint8_t feature, right;
} torc_tree_node;

/* Tree after tree. */
typedef struct torc_trees {
    const torc_tree_node *nodes;
    const int *roots;
    int count;
} torc_trees;

enum { TORC_TREES_ABREAST = 10 }; /* trees that are asked together; a model has a multiple of it */

/* The sum of what TORC_TREES_ABREAST trees say, from `first` on. */
int32_t torc_trees_ask(const torc_trees *trees, int first, const int16_t features[]);

#endif
