/* allocator.c: memory from the allocator that GraphBLAS was initialised with; see pack.h.
 *
 * GraphBLAS frees what is packed into a matrix with its own function, so that nothing else will do. The two
 * functions are known where GraphBLAS can be asked (8.0 on), or the drop-in saw them, or where a matrix turns
 * out to have a block of torc's own arena: then they are torc_malloc and torc_free. Otherwise a matrix
 * lends its memory: a scalar assigned to all of it costs nothing, the values being equal, and unpacking that
 * without the right to an iso array makes GraphBLAS allocate and fill one. Such a block goes back the same
 * way, inside a matrix of one byte.
 */
#include "pack.h"
#include "arena.h"

#include <pthread.h>
#include <string.h>

typedef struct allocator {
    void *(*allocate)(size_t);
    void (*release)(void *);
} allocator;

static allocator noted;

void torc_allocator_note(void *(*allocate)(size_t), void (*release)(void *))
{
    noted = (allocator){allocate, release};
}

static void *borrow(const torc_binding *graphblas, size_t size)
{
    GrB_Index count = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t), bytes;
    const GrB_Index *all = torc_binding_handle(graphblas, "GrB_ALL");
    GrB_Matrix lender = NULL;
    void *memory = NULL;
    if (graphblas->matrix_new(&lender, torc_binding_handle(graphblas, "GrB_UINT64"), count, 1) !=
            GrB_SUCCESS ||
        graphblas->assign_uint64(lender, NULL, NULL, 0, all, count, all, 1, NULL) != GrB_SUCCESS ||
        graphblas->unpack_full_r(lender, &memory, &bytes, NULL, NULL) != GrB_SUCCESS) {
        memory = NULL;
    }
    graphblas->matrix_free(&lender);
    return memory;
}

/* If GraphBLAS cannot make a matrix of one byte, the block is lost. */
static void give_back(const torc_binding *graphblas, void *memory)
{
    GrB_Matrix taker = NULL;
    if (graphblas->matrix_new(&taker, torc_binding_handle(graphblas, "GrB_INT8"), 1, 1) == GrB_SUCCESS) {
        graphblas->pack_full_r(taker, &memory, 1, false, NULL);
    }
    graphblas->matrix_free(&taker);
}

/* Where GraphBLAS cannot be asked, and the drop-in did not see it start. */
static bool is_arena;

static void look_at_a_block(void)
{
    const torc_binding *graphblas = torc_binding_get();
    void *block = borrow(graphblas, TORC_ARENA_SMALLEST), *base;
    is_arena = torc_arena_block(block, &base, NULL) && base == block;
    if (block) {
        give_back(graphblas, block);
    }
}

static allocator find_arena(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_at_a_block);
    return is_arena ? (allocator){torc_malloc, torc_free} : (allocator){NULL, NULL};
}

/* Both functions or none. */
static allocator find_allocator(const torc_binding *graphblas)
{
    const torc_numbers *numbers = graphblas->numbers;
    if (!numbers->malloc_function) {
        return noted.allocate ? noted : find_arena();
    }
    void *allocate = NULL, *release = NULL;
    graphblas->global_get_function(numbers->malloc_function, &allocate);
    graphblas->global_get_function(numbers->free_function, &release);
    allocator told;
    memcpy(&told.allocate, &allocate, sizeof allocate);
    memcpy(&told.release, &release, sizeof release);
    return told;
}

bool torc_host_is_arena(const torc_binding *graphblas)
{
    return find_allocator(graphblas).allocate == torc_malloc;
}

void *torc_host_allocate(const torc_binding *graphblas, size_t size)
{
    size_t at_least = size < TORC_HOST_MINIMUM ? TORC_HOST_MINIMUM : size;
    allocator known = find_allocator(graphblas);
    return known.allocate ? known.allocate(at_least) : borrow(graphblas, at_least);
}

void torc_host_release(const torc_binding *graphblas, void *memory)
{
    if (!memory) {
        return;
    }
    allocator known = find_allocator(graphblas);
    if (known.release) {
        known.release(memory);
    } else {
        give_back(graphblas, memory);
    }
}
