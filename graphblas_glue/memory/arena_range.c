/* arena_range.c: see arena_range.h. Two tables grow by chunks as blocks are cut: the block of each page, and
 * the blocks themselves. They are mapped, so that nothing here takes memory from an allocator. */
#include "arena_range.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define TIB ((size_t)1 << 40)

/* Tried from the largest down: 47-bit addresses have room for it, a sanitizer or an emulator perhaps only for
 * a smaller one. */
static const size_t LARGEST = 32 * TIB, USUAL = 4 * TIB, SMALLEST = (size_t)4 << 30;

enum { CLASSES_AN_OCTAVE = 8, TIMES_THE_MACHINE = 16 };
enum { MOST_PAGES = 1 << 24, PAGES_A_CHUNK = 1 << 15, BLOCKS_A_CHUNK = 1 << 10 };
enum { FIXED_NOREPLACE = 0x100000 }; /* MAP_FIXED_NOREPLACE of Linux 4.17 */
enum { CHUNK_IS_MAPPED = 2 };        /* glibc's IS_MMAPPED */

torc_range torc_arena_range;

typedef _Atomic(torc_block *) owner;

static pthread_once_t choose_once = PTHREAD_ONCE_INIT;
static atomic_size_t wanted;
static size_t page_count, cut_pages, block_count;
static size_t blocks_there, most_blocks; /* that have memory */
static bool is_used_up;
static _Atomic(owner *) owners[MOST_PAGES / PAGES_A_CHUNK];
static torc_block *blocks[MOST_PAGES / BLOCKS_A_CHUNK];

static size_t small_page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void *map(void *place, size_t size, int protection)
{
    int fixed = place ? FIXED_NOREPLACE : 0;
    void *memory = mmap(place, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    if (place && memory != place) { /* an old kernel takes the place for a wish */
        munmap(memory, size);
        errno = ENOTSUP;
        return NULL;
    }
    return memory;
}

/* ---- The range ---------------------------------------------------------------------------------------- */

/* The range ends one length of it below the addresses that the kernel hands out now, so that the kernel does
 * not reach it. */
static bool choose_size(size_t size)
{
    char *top = map(NULL, small_page(), PROT_NONE);
    if (!top) {
        return false;
    }
    munmap(top, small_page());
    uintptr_t highest = (uintptr_t)top / TORC_ARENA_PAGE * TORC_ARENA_PAGE;
    if (highest / 2 <= size || !map((void *)(highest - 2 * size), size, PROT_NONE)) {
        return false;
    }
    munmap((void *)(highest - 2 * size), size);
    page_count = size / TORC_ARENA_PAGE;
    atomic_store_explicit(&torc_arena_range.base, highest - 2 * size, memory_order_relaxed);
    atomic_store_explicit(&torc_arena_range.size, size, memory_order_release);
    return true;
}

size_t torc_range_wanted(size_t machine)
{
    size_t size = USUAL;
    while (size < LARGEST && size / TIMES_THE_MACHINE < machine) {
        size *= 2;
    }
    return size;
}

/* A block has three mappings: its header's page, what is in huge pages, and what is not. Of those that the
 * kernel lets a process have, half are for the program. */
static size_t blocks_for_half_the_mappings(void)
{
    enum { MAPPINGS_A_BLOCK = 3, LINUX_ALLOWS = 65530 };
    char digits[32] = "";
    int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t length = read(file, digits, sizeof digits - 1);
        digits[length > 0 ? length : 0] = '\0';
        close(file);
    }
    unsigned long mappings = strtoul(digits, NULL, 10);
    return (mappings > 0 ? mappings : LINUX_ALLOWS) / 2 / MAPPINGS_A_BLOCK;
}

static void choose(void)
{
    most_blocks = blocks_for_half_the_mappings();
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) {
        return;
    }
    for (size_t size = wanted; size >= SMALLEST && !choose_size(size); size /= 2) {
    }
}

bool torc_range_choose(size_t machine)
{
    if (torc_arena_range.size == 0) {
        wanted = torc_range_wanted(machine);
        pthread_once(&choose_once, choose);
    }
    return torc_arena_range.size > 0;
}

bool torc_range_is_used_up(void)
{
    return is_used_up;
}

bool torc_range_is_crowded(void)
{
    return blocks_there >= most_blocks;
}

/* ---- Classes ------------------------------------------------------------------------------------------ */

/* For p pages, with 2^k < p ≤ 2^(k+1) and k ≥ 3, sizes are multiples of 2^(k-3) pages. */
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

/* ---- Tables ------------------------------------------------------------------------------------------- */

static size_t page_number(const void *pointer)
{
    return ((uintptr_t)pointer - torc_arena_range.base) / TORC_ARENA_PAGE;
}

static bool has_owner_chunks(size_t first, size_t last)
{
    for (size_t i = first / PAGES_A_CHUNK; i <= last / PAGES_A_CHUNK; i++) {
        if (!owners[i]) {
            atomic_store_explicit(&owners[i],
                map(NULL, PAGES_A_CHUNK * sizeof(owner), PROT_READ | PROT_WRITE), memory_order_release);
        }
        if (!owners[i]) {
            return false;
        }
    }
    return true;
}

static void own_pages(torc_block *block)
{
    size_t first = page_number(block->base);
    for (size_t page = first; page < first + block->size / TORC_ARENA_PAGE; page++) {
        owner *chunk = atomic_load_explicit(&owners[page / PAGES_A_CHUNK], memory_order_relaxed);
        atomic_store_explicit(&chunk[page % PAGES_A_CHUNK], block, memory_order_release);
    }
}

static torc_block *next_block(void)
{
    torc_block **chunk = &blocks[block_count / BLOCKS_A_CHUNK];
    if (!*chunk) {
        *chunk = map(NULL, BLOCKS_A_CHUNK * sizeof **chunk, PROT_READ | PROT_WRITE);
    }
    return *chunk ? &(*chunk)[block_count % BLOCKS_A_CHUNK] : NULL;
}

torc_block *torc_range_find(const void *pointer)
{
    if (!torc_range_has(pointer)) {
        return NULL;
    }
    size_t page = page_number(pointer);
    owner *chunk = atomic_load_explicit(&owners[page / PAGES_A_CHUNK], memory_order_acquire);
    return chunk ? atomic_load_explicit(&chunk[page % PAGES_A_CHUNK], memory_order_acquire) : NULL;
}

torc_block *torc_range_block(size_t number)
{
    return number < block_count ? &blocks[number / BLOCKS_A_CHUNK][number % BLOCKS_A_CHUNK] : NULL;
}

/* ---- Blocks ------------------------------------------------------------------------------------------- */

/* Two words before the block: how far before it the mapping begins, and the bytes from here to its end. */
static size_t *header_of(const char *base)
{
    return (size_t *)(uintptr_t)base - 2;
}

static size_t header_size(size_t bytes)
{
    return (bytes + 2 * sizeof(size_t)) | CHUNK_IS_MAPPED;
}

bool torc_range_is_there(const torc_block *block)
{
    return atomic_load_explicit(&block->has_memory, memory_order_acquire) &&
           header_of(block->base)[1] == header_size(block->size);
}

/* A kernel without huge pages has its usual ones, wherever it is told. */
void torc_range_choose_pages(char *base, size_t bytes, size_t size)
{
    size_t huge = size / TORC_ARENA_PAGE * TORC_ARENA_PAGE;
    if (huge > 0) {
        madvise(base, huge, MADV_HUGEPAGE);
    }
    if (huge < bytes) {
        madvise(base + huge, bytes - huge, MADV_NOHUGEPAGE);
    }
}

static bool map_block(char *base, size_t bytes, size_t size)
{
    if (!map(base - small_page(), small_page() + bytes, PROT_READ | PROT_WRITE)) {
        return false;
    }
    torc_range_choose_pages(base, bytes, size);
    header_of(base)[0] = small_page() - 2 * sizeof(size_t);
    header_of(base)[1] = header_size(bytes);
    return true;
}

/* The page before a block is its header's. What somebody else has mapped is left behind by longer and longer
 * steps. */
torc_block *torc_range_cut(size_t size)
{
    size_t pages = round_up(pages_of(size)), bytes = pages * TORC_ARENA_PAGE;
    for (size_t step = pages + 1; pages + 1 <= page_count - cut_pages; step *= 2) {
        torc_block *block = next_block();
        char *base = (char *)torc_arena_range.base + (cut_pages + 1) * TORC_ARENA_PAGE;
        if (!block || !has_owner_chunks(cut_pages, cut_pages + pages)) {
            return NULL;
        }
        if (map_block(base, bytes, size)) {
            *block = (torc_block){.base = base, .size = bytes, .has_memory = true};
            own_pages(block);
            block_count++;
            blocks_there++;
            cut_pages += pages + 1;
            return block;
        }
        if (errno != EEXIST) {
            return NULL;
        }
        cut_pages += step < page_count - cut_pages ? step : page_count - cut_pages;
    }
    is_used_up = true;
    return NULL;
}

/* Where the process has as many mappings as it may have, and this would make one more, the addresses are
 * lost, but not the memory. */
void torc_range_empty(torc_block *block)
{
    atomic_store_explicit(&block->has_memory, false, memory_order_release);
    blocks_there--;
    if (munmap(block->base - small_page(), small_page() + block->size) != 0) {
        madvise(block->base, block->size, MADV_DONTNEED);
    }
}

bool torc_range_fill(torc_block *block, size_t size)
{
    bool is_mapped = map_block(block->base, block->size, size);
    atomic_store_explicit(&block->has_memory, is_mapped, memory_order_release);
    blocks_there += is_mapped;
    return is_mapped;
}
