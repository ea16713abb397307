/* Memory for packing comes from the functions GraphBLAS was initialised with, and goes back to them. */
#include "arena.h"
#include "pack.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static size_t allocations, releases, last_size;
static void *last_block;

static void *counting_malloc(size_t size)
{
    allocations++;
    last_size = size;
    return last_block = malloc(size);
}

static void counting_free(void *memory)
{
    releases += memory != NULL;
    free(memory);
}

static const torc_binding *start(void)
{
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, counting_malloc, NULL, NULL, counting_free), GrB_SUCCESS);
    const torc_binding *graphblas = torc_binding_get();
    cr_assert_not_null(graphblas);
    return graphblas;
}

/* One block released, one packed into a matrix; then nothing may be left. */
static void use(const torc_binding *graphblas)
{
    char *block = torc_host_allocate(graphblas, 1000003);
    cr_assert_not_null(block);
    memset(block, 1, 1000003);
    torc_host_release(graphblas, block);

    GrB_Matrix C;
    GrB_Matrix_new(&C, GrB_INT8, 100, 3);
    torc_arrays arrays = {.format = TORC_FULL, .nvalues = 300, .type_size = 1};
    arrays.values = torc_host_allocate(graphblas, 300);
    memset(arrays.values, 7, 300);
    cr_assert_eq(torc_pack(C, graphblas, &arrays), GrB_SUCCESS);
    int64_t sum = 0;
    GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, C, NULL);
    cr_expect_eq(sum, 2100);
    GrB_Matrix_free(&C);
    torc_host_release(graphblas, NULL);
    GrB_finalize();
    cr_expect_gt(allocations, 2);
    cr_expect_eq(allocations, releases);
}

Test(allocator, noted_is_called_for_exactly_what_is_asked)
{
    const torc_binding *graphblas = start();
    torc_allocator_note(NULL, counting_malloc, counting_free);
    size_t before = allocations, freed_before = releases;
    void *block = torc_host_allocate(graphblas, 12345);
    cr_expect_eq(allocations, before + 1);
    cr_expect_eq(last_size, 12345);
    cr_expect_eq(block, last_block);
    torc_host_release(graphblas, block);
    cr_expect_eq(releases, freed_before + 1);
    use(graphblas);
}

Test(allocator, unknown_is_reached_through_a_matrix)
{
    use(start());
}

Test(allocator, gives_a_block_for_no_bytes)
{
    const torc_binding *graphblas = start();
    void *block = torc_host_allocate(graphblas, 0);
    cr_expect_not_null(block);
    torc_host_release(graphblas, block);
    use(graphblas);
}

Test(allocator, of_torc_is_known_without_being_told)
{
    enum { SIZE = 3 << 20 };
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
    const torc_binding *graphblas = torc_binding_get();
    char *block = torc_host_allocate(graphblas, SIZE);
    cr_assert(torc_arena_block(block, NULL, NULL));
    torc_arena_counts before = torc_arena_count();
    block[0] = 42; /* a matrix would fill what it lends */
    torc_host_release(graphblas, block);
    char *again = torc_host_allocate(graphblas, SIZE);
    cr_expect(again == block && again[0] == 42);
    cr_expect_eq(torc_arena_count().in_use, before.in_use);
    torc_host_release(graphblas, again);
    GrB_finalize();
    cr_expect_eq(torc_arena_count().in_use, 0);
}
