/* test_launch_tiles.c: products with tiles are several launches, each of which may lack memory. On the
 * reference executor, here with plans of tiles, and launches that are counted and compute nothing. */
#include "engine_fixture.h"
#include "context.h"
#include <string.h>

enum { ROWS = 64, COLUMNS = 36 }; /* a line of fp32, and four columns beside it */

static int launched, failing; /* launches so far; the number of the one that lacks memory */
static torc_context *context;

static torc_status launch(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    (void)device;
    (void)kernel;
    (void)args;
    return launched++ == failing ? TORC_OUT_OF_MEMORY : TORC_SUCCESS;
}

static torc_status plan_tiles(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
{
    void *batches;
    (void)device;
    (void)parts;
    *tiles = (torc_tiles){0};
    *rest = (torc_device_csr){.nrows = A->nrows, .ncols = A->ncols};
    torc_status status = torc_memory_allocate(&batches, context, sizeof *tiles->batches);
    tiles->batches = batches;
    return status;
}

static torc_sparse *create(void)
{
    static uint32_t row_ptr[ROWS + 1], col_idx[ROWS * ROWS];
    static const float one = 1;
    for (uint32_t p = 0; p < ROWS * ROWS; p++) {
        row_ptr[p / ROWS + 1] = p + 1;
        col_idx[p] = p % ROWS;
    }
    torc_csr csr = {ROWS, ROWS, row_ptr, col_idx, &one, 32, 32, TORC_FP32, true, NULL};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    return A;
}

/* Launches that were made. */
static int multiply(torc_status *status, int number)
{
    static const char zeros[ROWS * COLUMNS * sizeof(float)];
    context = open_devices(NULL, 0);
    torc_executor executor = *context->executor;
    executor.spmm = launch;
    executor.plan_tiles = plan_tiles;
    context->executor = &executor;
    context->facts = torc_device_complete((torc_device_facts){0});
    strcpy(context->kernel, "rows/tiles/v4x8");
    torc_sparse *A = create();
    torc_dense B = {ROWS, COLUMNS, COLUMNS, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL}, C = B;
    B.data = device_copy(context, zeros, sizeof zeros);
    C.data = device_copy(context, zeros, sizeof zeros);
    launched = 0;
    failing = number;
    *status = torc_spmm(
        &C, (torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false}, A, false, &B, NULL);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return launched;
}

Test(launch_tiles, without_memory_for_the_first_launch_the_product_is_tried_again_without_tiles)
{
    torc_status status;
    cr_assert_eq(multiply(&status, -1), 2, "%s", torc_status_text(status));
    cr_expect_eq(multiply(&status, 0), 2);
    cr_expect_eq(status, TORC_SUCCESS);
}

/* All of C is overwritten, so it does not matter that some of it was. */
Test(launch_tiles, without_memory_for_a_later_one_it_is_too)
{
    torc_status status;
    cr_expect_eq(multiply(&status, 1), 3);
    cr_expect_eq(status, TORC_SUCCESS);
}
