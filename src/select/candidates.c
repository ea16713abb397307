#include "candidates.h"
#include "families.h"
#include <stdio.h>
#include <string.h>

enum {
    MAX_VECTOR = 4,
    MAX_SPANS = 4, /* groups narrower than that read A over and over; a whole warp is as wide as there is */
    MAX_IDLE_SPANS = 16
};

/* B is one value or unread, and no term depends on its column. */
static bool has_equal_columns(const torc_spmm_kernel *kernel)
{
    torc_multiply multiply = kernel->semiring.multiply;
    return kernel->b_access != TORC_ACCESS_ARRAY && multiply != TORC_SECONDJ && multiply != TORC_SECONDJ1;
}

/* The conditions of families (TORC_NEEDS_...) that the product meets. */
static unsigned met_by(const torc_problem *problem)
{
    const torc_spmm_kernel *kernel = &problem->kernel;
    bool takes_one = kernel->semiring.add == TORC_ANY_MONOID && !kernel->b_is_bitmap;
    bool has_array = kernel->b_access == TORC_ACCESS_ARRAY && problem->b_size > 0;
    return (problem->is_everywhere ? TORC_NEEDS_EVERYWHERE : 0u) | (takes_one ? 0u : TORC_NEEDS_ALL_ENTRIES) |
           (kernel->semiring.definition ? 0u : TORC_NEEDS_BUILT_IN) |
           (has_array ? TORC_NEEDS_ARRAY_OF_B : 0u) |
           (kernel->wide_offsets ? 0u : TORC_NEEDS_NARROW_OFFSETS) |
           (kernel->has_accum ? 0u : TORC_NEEDS_NO_ACCUMULATOR);
}

/* Bit f: family f can compute the product. Where all columns of C are equal, only families that compute one
 * column are legal. */
static unsigned legal_families(const torc_problem *problem)
{
    bool is_uniform = problem->is_everywhere && has_equal_columns(&problem->kernel);
    unsigned met = met_by(problem), legal = 0;
    for (int f = 0; f < TORC_FAMILIES; f++) {
        bool is_legal = (torc_family_models[f].needs & ~met) == 0 && !problem->lacks[torc_families[f].cut] &&
                        torc_families[f].is_uniform == is_uniform;
        legal |= (unsigned)is_legal << f;
    }
    return legal;
}

/* Are groups of this shape wide enough for C? */
static bool is_wide_enough(const torc_problem *problem, torc_shape shape)
{
    int spans = torc_leaves_threads_idle(problem, shape) ? MAX_IDLE_SPANS : MAX_SPANS;
    return shape.lanes == TORC_WARP || (int64_t)spans * shape.lanes * shape.vector >= problem->ncols;
}

/* List the kernels of one shape; with 0 x 0, those of families that have shapes of their own. */
static void list_shape(torc_listing *listing, const torc_problem *problem, unsigned legal, torc_shape shape)
{
    torc_spmm_kernel kernel = problem->kernel;
    kernel.shape = shape;
    for (int f = 0; f < TORC_FAMILIES; f++) {
        const torc_family_model *model = &torc_family_models[f];
        bool has_shape = shape.lanes == 0 ? model->has_own_shapes
                                          : !model->has_own_shapes && shape.lanes >= model->least_lanes &&
                                                shape.lanes <= model->most_lanes;
        if (has_shape && (legal >> f & 1)) {
            kernel.family = (torc_family)f;
            model->list(listing, problem, kernel);
        }
    }
}

int torc_list_candidates(torc_spmm_kernel *list, const torc_problem *problem)
{
    torc_listing listing = {list, 0};
    unsigned legal = legal_families(problem);
    list_shape(&listing, problem, legal, (torc_shape){0, 0});
    for (int vector = MAX_VECTOR; vector >= 1; vector /= 2) {
        if (!torc_is_legal_vector(vector, problem)) {
            continue;
        }
        for (int lanes = 1;
             lanes <= TORC_WARP && (lanes == 1 || (int64_t)lanes / 2 * vector < problem->ncols); lanes *= 2) {
            torc_shape shape = {lanes, vector};
            if (is_wide_enough(problem, shape)) {
                list_shape(&listing, problem, legal, shape);
            }
        }
    }
    return listing.count;
}

void torc_kernel_name(char name[TORC_KERNEL_NAME], const torc_spmm_kernel *kernel)
{
    const torc_family_facts *family = &torc_families[kernel->family];
    char number[16] = "", lanes[16] = "", rows[16] = "";
    if (family->is_numbered) {
        snprintf(number, sizeof number, "%d", kernel->number);
    }
    if (!family->is_uniform) {
        snprintf(lanes, sizeof lanes, "x%d", kernel->shape.lanes);
    }
    if (kernel->height > 1) {
        snprintf(rows, sizeof rows, "/%drows", kernel->height * TORC_BRICK_ROWS);
    }
    snprintf(name, TORC_KERNEL_NAME, "%s%s/v%d%s%s%s", family->name, number, kernel->shape.vector, lanes,
        family->suffix, rows);
}

static bool has_name(torc_spmm_kernel kernel, const char *name)
{
    char own[TORC_KERNEL_NAME];
    torc_kernel_name(own, &kernel);
    return strcmp(own, name) == 0;
}

/* Has the kernel the name, with bricks of either height? */
static bool is_named_at_a_height(torc_spmm_kernel kernel, const char *name)
{
    torc_spmm_kernel taller = kernel;
    taller.height = kernel.family == TORC_BRICKS ? 2 : 0;
    return has_name(kernel, name) || has_name(taller, name);
}

/* Has one of the family's kernels of that shape the name? */
static bool is_named_in(torc_family family, torc_shape shape, const char *name)
{
    torc_spmm_kernel kernel = {.family = family, .shape = shape};
    bool is_named = false;
    for (kernel.number = 0; kernel.number <= TORC_WARP; kernel.number++) {
        bool is_kernel = torc_family_models[family].numbers >> kernel.number & 1;
        is_named |=
            is_kernel && torc_ways(&kernel) * shape.lanes <= TORC_WARP && is_named_at_a_height(kernel, name);
    }
    return is_named;
}

bool torc_kernel_is_named(const char *name)
{
    bool is_named = false;
    for (int f = 0; f < TORC_FAMILIES; f++) {
        const torc_family_model *model = &torc_family_models[f];
        for (int lanes = model->least_lanes; lanes <= model->most_lanes; lanes *= 2) {
            for (int vector = 1; vector <= model->most_vector; vector *= 2) {
                is_named |= is_named_in((torc_family)f, (torc_shape){lanes, vector}, name);
            }
        }
    }
    return is_named;
}
