/* allocator.c: memory from the allocator that GraphBLAS was initialised with; see pack.h.
 *
 * GraphBLAS frees what is packed into a matrix with its own function, so the memory must come from its
 * partner. The two functions are known if GraphBLAS can be asked (8.0 on), or if the drop-in saw them, or if
 * a matrix has a block of torc's own arena: then they are torc_malloc and torc_free.
 *
 * Otherwise torc takes the memory out of a matrix. Assigning a scalar to all of a matrix costs nothing, since
 * GraphBLAS stores one value. Unpacking it as an array that is not iso makes GraphBLAS allocate and fill one.
 * Such a block goes back in the same way, inside a matrix of one byte.
 */
#include "pack.h"
#include "arena.h"
#include "brief_lock.h"

#include <stdatomic.h>
#include <string.h>

typedef struct allocator {
    void *(*allocate)(size_t);
    void (*release)(void *);
} allocator;

/* Allocators by the address of their library. Libraries that were finalised are among them. */
enum { MOST_LIBRARIES = 8 };
static struct {
    uintptr_t library;
    allocator functions;
} noted[MOST_LIBRARIES]; /* under the brief lock, as is: */
static unsigned nnoted;

static int find_note(uintptr_t library)
{
    for (int i = 0; i < MOST_LIBRARIES; i++) {
        if (noted[i].library == library) {
            return i;
        }
    }
    return -1;
}

void torc_allocator_note(const void *caller, void *(*allocate)(size_t), void (*release)(void *))
{
    torc_library library;
    if (torc_library_find(&library, caller)) {
        torc_brief_lock();
        int place = find_note(library.base);
        place = place >= 0 ? place : (int)(nnoted++ % MOST_LIBRARIES);
        noted[place].library = library.base;
        noted[place].functions = (allocator){allocate, release};
        torc_brief_unlock();
    }
}

static allocator find_noted(const torc_binding *graphblas)
{
    torc_brief_lock();
    int place = find_note(graphblas->library.base);
    allocator found = place >= 0 ? noted[place].functions : (allocator){NULL, NULL};
    torc_brief_unlock();
    return found;
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

/* Where GraphBLAS cannot be asked, and the drop-in did not see it start: asked of one block for each library.
 */
static allocator find_arena(const torc_binding *graphblas)
{
    static atomic_uint asked; /* the serial of the binding, above a bit that says whether it is the arena */
    if (atomic_load(&asked) / 2 != graphblas->serial) {
        void *block = borrow(graphblas, TORC_ARENA_SMALLEST), *base;
        bool is_arena = torc_arena_block(block, &base, NULL) && base == block;
        if (block) {
            give_back(graphblas, block);
        }
        atomic_store(&asked, 2 * graphblas->serial + is_arena);
    }
    return atomic_load(&asked) % 2 ? (allocator){torc_malloc, torc_free} : (allocator){NULL, NULL};
}

/* Both functions or none. */
static allocator find_allocator(const torc_binding *graphblas)
{
    const torc_numbers *numbers = graphblas->numbers;
    if (!numbers->malloc_function) {
        allocator told_by_dropin = find_noted(graphblas);
        return told_by_dropin.allocate ? told_by_dropin : find_arena(graphblas);
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
