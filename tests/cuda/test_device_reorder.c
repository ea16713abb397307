/* test_device_reorder.c: products of operands whose rows were reordered, with every kernel that selection
 * could take, beside the reference executor's of the same as it was. tests/emulated/ runs it too. */
#include "candidates.h"
#include "gpu.h"
#include "sparse.h"
#include "ugly_csr.h"
#include <stdlib.h>
#include <string.h>

/* Sums of small integers are exact: the order of terms does not matter. */
static void *random_values(uint64_t *state, torc_type type, size_t count)
{
    size_t size = torc_type_size(type);
    char *values = malloc(count * size + 1);
    for (size_t i = 0; i < count; i++) {
        int64_t value = (int64_t)torc_random(state, 9) - 4;
        torc_cast(values + i * size, type, &value, TORC_INT64);
    }
    return values;
}

/* One product: of A as it is, or reordered. */
typedef struct product {
    const torc_ugly_csr *A;
    torc_semiring semiring;
    int64_t ncols;
    void *a, *b;
} product;

static torc_sparse *create(torc_context *context, const product *p)
{
    const torc_ugly_csr *A = p->A;
    torc_csr csr = {A->nrows, A->ncols, A->row_ptr, A->col_idx, p->a, 32, 32, p->semiring.type, false, NULL};
    torc_sparse *sparse;
    cr_assert_eq(torc_sparse_create(&sparse, context, &csr), TORC_SUCCESS);
    return sparse;
}

static void *copy(torc_context *context, const void *from, size_t size)
{
    void *memory;
    cr_assert_eq(torc_memory_allocate(&memory, context, size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_upload(context, memory, from, size), TORC_SUCCESS);
    return memory;
}

typedef struct operands {
    torc_dense B, C;
} operands;

static operands put(torc_context *context, const product *p)
{
    torc_type type = p->semiring.type;
    size_t size = torc_type_size(type);
    size_t b_size = (size_t)(p->A->ncols * p->ncols) * size, c_size = (size_t)(p->A->nrows * p->ncols) * size;
    void *rubbish = malloc(c_size + 1);
    memset(rubbish, 0x5A, c_size);
    operands made = {
        {p->A->ncols, p->ncols, p->ncols, TORC_ROW_MAJOR, type, false, copy(context, p->b, b_size), NULL},
        {p->A->nrows, p->ncols, p->ncols, TORC_ROW_MAJOR, type, false, copy(context, rubbish, c_size), NULL}};
    free(rubbish);
    return made;
}

/* C, on the host. */
static char *multiply(torc_context *context, const product *p, torc_sparse *A)
{
    operands on = put(context, p);
    size_t size = (size_t)(on.C.nrows * on.C.ncols) * torc_type_size(on.C.type);
    char *c = malloc(size + 1);
    torc_status status = torc_spmm(&on.C, p->semiring, A, false, &on.B, NULL);
    cr_assert_eq(status, TORC_SUCCESS, "%s: %s", torc_status_text(status), torc_context_error(context));
    cr_assert_eq(torc_memory_download(context, c, on.C.data, size), TORC_SUCCESS);
    torc_memory_release(context, on.B.data);
    torc_memory_release(context, on.C.data);
    return c;
}

/* Each candidate in turn. */
static void check(torc_context *device, torc_context *reference, const product *p)
{
    static const torc_update overwrite;
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    torc_sparse *here = create(reference, p), *there = create(device, p);
    char *expected = multiply(reference, p, here);
    cr_assert_eq(torc_sparse_reorder(NULL, there, false), TORC_SUCCESS);
    operands on = put(device, p);
    torc_problem problem =
        torc_problem_of(&on.C, p->semiring, torc_sparse_ordered(there), &on.B, &overwrite, false);
    int count = torc_list_candidates(list, &problem);
    size_t size = (size_t)(on.C.nrows * on.C.ncols) * torc_type_size(on.C.type);
    for (int i = 0; i < count; i++) {
        torc_kernel_name(device->kernel, &list[i]);
        char *found = multiply(device, p, there);
        cr_expect(memcmp(found, expected, size) == 0, "%s, %s_%s on \"%s\", %lld columns", device->kernel,
            torc_monoid_name(p->semiring.add), torc_multiply_name(p->semiring.multiply), p->A->name,
            (long long)p->ncols);
        free(found);
    }
    device->kernel[0] = '\0';
    torc_memory_release(device, on.B.data);
    torc_memory_release(device, on.C.data);
    torc_sparse_destroy(here);
    torc_sparse_destroy(there);
    free(expected);
    free(list);
}

Test(device_reorder, products_by_every_candidate_equal_the_reference_on_rows_as_they_were)
{
    static const torc_semiring semirings[] = {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
        {TORC_MIN_MONOID, TORC_FIRSTI, TORC_INT32}, {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32}};
    static const int64_t widths[] = {1, 4, 36, 128};
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *device = torc_gpu_context(&options), *reference;
    options.backend = TORC_BACKEND_REFERENCE;
    cr_assert_eq(torc_context_create(&reference, &options), TORC_SUCCESS);
    uint64_t state = 1;
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_ugly_csr A = torc_ugly_csr_build(which);
        for (int w = 0; w < 4 && A.nnz > 0; w++) {
            product p = {&A, semirings[(which + w) % 3], widths[w], NULL, NULL};
            p.a = random_values(&state, p.semiring.type, (size_t)A.nnz);
            p.b = random_values(&state, p.semiring.type, (size_t)(A.ncols * p.ncols));
            check(device, reference, &p);
            free(p.a);
            free(p.b);
        }
        torc_ugly_csr_free(&A);
    }
    torc_context_destroy(device);
    torc_context_destroy(reference);
}
