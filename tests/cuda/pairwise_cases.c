#include "pairwise_cases.h"
#include "policy_cases.h"
#include <stdlib.h>
#include <string.h>

/* A kernel's choices, and the pairs of them. */
enum { CHOICES = 11, PAIRS = CHOICES * (CHOICES - 1) / 2 };

/* A hash table of pairs: which two choices, and what was chosen. 0: a free place. */
enum { SET_SIZE = 1 << 17 };

/* Vectors belong to the policy: together they decide how many registers a kernel has use for. */
static void read_choices(uint32_t choices[CHOICES], const torc_spmm_kernel *kernel)
{
    const int policy[] = {
        kernel->is_packed, kernel->b_is_bitmap, kernel->c_is_bitmap, kernel->has_mask, kernel->has_accum};
    uint32_t policy_and_vector = kernel->family;
    for (size_t i = 0; i < sizeof policy / sizeof *policy; i++) {
        policy_and_vector = policy_and_vector * 2 + (uint32_t)policy[i];
    }
    policy_and_vector = policy_and_vector * 32 + (uint32_t)kernel->shape.vector;
    const uint32_t all[CHOICES] = {
        policy_and_vector,
        (uint32_t)(kernel->shape.lanes * 64 + kernel->number),
        kernel->semiring.add,
        kernel->semiring.multiply,
        kernel->semiring.type,
        kernel->a_type,
        kernel->b_type,
        kernel->a_access,
        kernel->b_access,
        kernel->old_access,
        (uint32_t)(kernel->wide_offsets + 2 * kernel->wide_pitch),
    };
    memcpy(choices, all, sizeof all);
}

static uint64_t *find(uint64_t *set, uint64_t pair)
{
    uint64_t at = (pair * 0x9e3779b97f4a7c15u) % SET_SIZE;
    while (set[at] && set[at] != pair) {
        at = (at + 1) % SET_SIZE;
    }
    return &set[at];
}

/* Where the kernel's pairs are, or belong, in the set; returns how many of them are new. */
static int find_pairs(uint64_t pairs[PAIRS], uint64_t *set, const torc_spmm_kernel *kernel)
{
    uint32_t choices[CHOICES];
    int count = 0, fresh = 0;
    read_choices(choices, kernel);
    for (uint64_t i = 0; i < CHOICES; i++) {
        for (uint64_t j = 0; j < i; j++) {
            uint64_t pair = (i * CHOICES + j) << 56 | (uint64_t)choices[i] << 28 | choices[j];
            pairs[count++] = pair;
            fresh += *find(set, pair) != pair;
        }
    }
    return fresh;
}

static torc_kernel_cases add_all(torc_kernel_cases cases, torc_kernel_cases more)
{
    size_t count = (size_t)cases.count + (size_t)more.count;
    cases.kernels = realloc(cases.kernels, count * sizeof *cases.kernels);
    if (!cases.kernels) {
        abort();
    }
    memcpy(&cases.kernels[cases.count], more.kernels, (size_t)more.count * sizeof *more.kernels);
    cases.count = (int)count;
    free(more.kernels);
    return cases;
}

/* Those with many new pairs first: the fewer are needed. */
torc_kernel_cases torc_pairwise_cases_build(void)
{
    torc_kernel_cases all = torc_policy_cases_build(), few = {NULL, 0};
    all = add_all(all, torc_packed_cases_build());
    all = add_all(all, torc_kernel_cases_chosen());
    all = add_all(all, torc_kernel_cases_of_semirings());
    uint64_t pairs[PAIRS], *set = calloc(SET_SIZE, sizeof *set);
    few.kernels = malloc((size_t)all.count * sizeof *few.kernels);
    if (!set || !few.kernels) {
        abort();
    }
    for (int least = PAIRS; least > 0; least /= 2) {
        for (int i = 0; i < all.count; i++) {
            if (find_pairs(pairs, set, &all.kernels[i]) >= least) {
                few.kernels[few.count++] = all.kernels[i];
                for (int p = 0; p < PAIRS; p++) {
                    *find(set, pairs[p]) = pairs[p];
                }
            }
        }
    }
    free(set);
    free(all.kernels);
    return few;
}
