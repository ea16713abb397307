/* arena_range.c: see arena_range.h. The tables lie behind the range in the same reservation, so that nothing
 * here takes memory from an allocator: owners[i] is 1 + the number of the block that has page i.
 */
#include "arena_range.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Tried from the largest down: 47-bit addresses have room for the first, a sanitizer or an emulator perhaps
 * only for a smaller one. */
static const size_t LARGEST = (size_t)4 << 40, SMALLEST = (size_t)4 << 30;

enum { CLASSES_AN_OCTAVE = 8 };

torc_range torc_arena_range;

static pthread_once_t reserve_once = PTHREAD_ONCE_INIT;
static char *first_page;
static size_t page_count, cut_pages, block_count;
static atomic_uint *owners;
static torc_block *blocks;

static void *map(size_t size, int protection)
{
    void *memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static bool reserve_size(size_t size)
{
    size_t pages = size / TORC_ARENA_PAGE, tables = pages * (sizeof *owners + sizeof *blocks);
    char *range = map(size + TORC_ARENA_PAGE, PROT_NONE);
    char *memory = range ? map(tables, PROT_READ | PROT_WRITE) : NULL;
    if (!memory) {
        if (range) {
            munmap(range, size + TORC_ARENA_PAGE);
        }
        return false;
    }
    blocks = (torc_block *)memory;
    owners = (atomic_uint *)(memory + pages * sizeof *blocks);
    page_count = pages;
    first_page = range + (TORC_ARENA_PAGE - (uintptr_t)range % TORC_ARENA_PAGE) % TORC_ARENA_PAGE;
    atomic_store_explicit(&torc_arena_range.base, (uintptr_t)first_page, memory_order_relaxed);
    atomic_store_explicit(&torc_arena_range.size, size, memory_order_release);
    return true;
}

static void reserve(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) {
        return;
    }
    for (size_t size = LARGEST; size >= SMALLEST && !reserve_size(size); size /= 2) {
    }
}

bool torc_range_reserve(void)
{
    pthread_once(&reserve_once, reserve);
    return first_page;
}

/* With p pages, 2^k < p ≤ 2^(k+1) and k ≥ 3, sizes are multiples of 2^(k-3). */
static int class_step(size_t pages)
{
    return pages > CLASSES_AN_OCTAVE ? 63 - __builtin_clzll(pages - 1) - 3 : 0;
}

static size_t pages_of(size_t size)
{
    return (size - 1) / TORC_ARENA_PAGE + 1;
}

static size_t round_up(size_t pages)
{
    int step = class_step(pages);
    return (((pages - 1) >> step) + 1) << step;
}

int torc_range_class(size_t size)
{
    size_t pages = pages_of(size);
    int step = class_step(pages);
    return CLASSES_AN_OCTAVE * step + (int)((pages - 1) >> step);
}

size_t torc_range_class_size(size_t size)
{
    return round_up(pages_of(size)) * TORC_ARENA_PAGE;
}

torc_block *torc_range_cut(size_t size)
{
    size_t pages = round_up(pages_of(size)), bytes = pages * TORC_ARENA_PAGE;
    char *base = first_page + cut_pages * TORC_ARENA_PAGE;
    if (pages > page_count - cut_pages || mprotect(base, bytes, PROT_READ | PROT_WRITE) != 0) {
        return NULL;
    }
    madvise(base, bytes, MADV_HUGEPAGE); /* a kernel without them has its usual pages */
    torc_block *block = &blocks[block_count++];
    *block = (torc_block){.base = base, .size = bytes};
    for (size_t page = cut_pages; page < cut_pages + pages; page++) {
        atomic_store_explicit(&owners[page], (unsigned)block_count, memory_order_release);
    }
    cut_pages += pages;
    return block;
}

void torc_range_empty(torc_block *block)
{
    if (madvise(block->base, block->size, MADV_DONTNEED) != 0) {
        memset(block->base, 0, block->size); /* the program has locked some of it: it stays */
    }
}

torc_block *torc_range_find(const void *pointer)
{
    if (!torc_arena_owns(pointer)) {
        return NULL;
    }
    size_t page = (size_t)((const char *)pointer - first_page) / TORC_ARENA_PAGE;
    unsigned owner = atomic_load_explicit(&owners[page], memory_order_acquire);
    return owner > 0 ? &blocks[owner - 1] : NULL;
}

torc_block *torc_range_block(size_t number)
{
    return number < block_count ? &blocks[number] : NULL;
}
