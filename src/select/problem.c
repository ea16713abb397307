#include "problem.h"
#include "brick_height.h"
#include "dense.h"

bool torc_is_everywhere(const torc_dense *C, const torc_dense *B, const torc_update *update)
{
    return !C->bitmap && !B->bitmap && !update->mask;
}

static torc_access access_of_b(const torc_dense *B, bool reads_b)
{
    if (!reads_b) {
        return TORC_ACCESS_NONE;
    }
    return B->iso ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY;
}

/* The alignment of values, in bytes, where bytes of bitmaps or masks are read in step with them. */
static uint64_t alignment_of(
    const void *values, size_t size, int64_t ld, const uint8_t *bytes, const uint8_t *more_bytes)
{
    uint64_t elements = (uint64_t)ld | (uint64_t)(uintptr_t)bytes | (uint64_t)(uintptr_t)more_bytes;
    return (uint64_t)(uintptr_t)values | elements * size;
}

torc_problem torc_problem_of(const torc_dense *C, torc_semiring semiring, const torc_sparse *A,
    const torc_dense *B, const torc_update *update, bool is_packed)
{
    torc_traits traits = torc_semiring_traits(semiring);
    torc_access b_access = access_of_b(B, traits.reads_b);
    bool has_values = b_access == TORC_ACCESS_ARRAY;
    size_t b_size = has_values ? torc_type_size(B->type) : B->bitmap ? 1 : 0;
    size_t c_size = torc_type_size(C->type);
    torc_spmm_kernel kernel = {
        .semiring = semiring,
        .a_type = traits.reads_a ? A->type : traits.x_type,
        .b_type = traits.reads_b ? B->type : traits.y_type,
        .a_access = traits.reads_a ? A->access : TORC_ACCESS_NONE,
        .b_access = b_access,
        .wide_offsets = A->csr.wide_offsets,
        .wide_pitch = b_size > 0 && (uint64_t)B->ld > UINT32_MAX / b_size,
        .b_is_bitmap = B->bitmap,
        .c_is_bitmap = C->bitmap,
        .has_mask = update->mask,
        .has_accum = update->has_accum,
        .accum = update->has_accum ? update->accum : TORC_FIRST,
        .old_access = !torc_reads_old(update) ? TORC_ACCESS_NONE
                      : update->iso           ? TORC_ACCESS_ISO
                                              : TORC_ACCESS_ARRAY,
        .is_packed = is_packed,
    };
    torc_problem problem = {
        .kernel = kernel,
        .ncols = C->ncols,
        .b_size = b_size,
        .c_size = c_size,
        .b_alignment = alignment_of(has_values ? B->data : NULL, b_size, B->ld, B->bitmap, NULL),
        .c_alignment = alignment_of(C->data, c_size, C->ld, C->bitmap, update->mask),
        .is_everywhere = torc_is_everywhere(C, B, update),
        .precision = A->context->precision,
        .brick_height = torc_brick_height(&A->partition.statistics, A->type),
        .rows = &A->partition.statistics,
        .device = A->context->facts,
    };
    for (int cut = 0; cut < TORC_CUTS; cut++) {
        problem.lacks[cut] = torc_sparse_lacks_plan(A, (torc_cut)cut);
    }
    for (int f = 0; f < TORC_FAMILIES && A->is_divided; f++) {
        problem.lacks[torc_families[f].cut] |= torc_families[f].is_of_all_rows;
    }
    return problem;
}
