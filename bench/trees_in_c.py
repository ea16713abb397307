"""Trees of lightgbm as src/select/trees.h has them: for train_ranking and train_tiles."""
import math


def lay_out(node):
    """The nodes of a tree, its root first: value, feature, distance to the right; for leaves these are 0."""
    if "leaf_value" in node:
        return [(node["leaf_value"], 0, 0)]
    left, right = lay_out(node["left_child"]), lay_out(node["right_child"])
    return [(node["threshold"], node["split_feature"], 1 + len(left))] + left + right


def in_c(value, feature, right, scale):
    """A node in C. Features are whole numbers, so a threshold is one too."""
    number = math.floor(value) if right > 0 else round(value * scale)
    return f"{{{number},{feature},{right}}},\n"


def write(model, path, name, program, features):
    """Write `name`_trees.c; `program` writes it, `features` is C's number of them."""
    description = model.dump_model()
    trees = [lay_out(tree["tree_structure"]) for tree in description["tree_info"]]
    leaves = max(sum(right == 0 for _, _, right in tree) for tree in trees)
    scale = 32767 / max(abs(value) for tree in trees for value, _, right in tree if right == 0)
    table = {"ranking": "torc_rank_trees", "tile": "torc_tile_trees"}[name]
    header = {"ranking": "ranking.h", "tile": "tile_choice.h"}[name]
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"""/* {name}_trees.c: {len(trees)} trees of {leaves} leaves at most, written by {program} --write.
 * docs/selection.md names the measurements that they were trained on. */
#include "{header}"

_Static_assert({features} == {len(description["feature_names"])}, "trained on other features");

/* clang-format off */
static const torc_tree_node nodes[] = {{
""")
        begins, count = [], 0
        for tree in trees:
            begins.append(count)
            count += len(tree)
            for value, feature, right in tree:
                out.write(in_c(value, feature, right, scale))
        out.write("};\n\nstatic const int roots[] = {" + ",".join(map(str, begins)) + "};\n")
        out.write(f"/* clang-format on */\nconst torc_trees {table} = {{nodes, roots, sizeof roots / sizeof *roots}};\n")
