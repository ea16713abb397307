/* numpy_module.c: PyDataMem_NEW and its kin as numpy 1 and 2 have them, with a count of blocks in the place
 * of tracemalloc. With OWN_POOL blocks begin behind a header of the module's own. */
#include <stdlib.h>
#include <string.h>

#ifdef OWN_POOL
enum { HEADER = 64 };
#else
enum { HEADER = 0 };
#endif

long numpy_module_blocks(void);
void *numpy_module_new(size_t size);
void *numpy_module_new_zeroed(size_t count, size_t size);
void *numpy_module_renew(void *block, size_t size);
void numpy_module_free(void *block);

static long blocks;

long numpy_module_blocks(void)
{
    return blocks;
}

void *numpy_module_new(size_t size)
{
    __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED);
    char *block = malloc(HEADER + size);
    return block ? block + HEADER : NULL;
}

void *numpy_module_new_zeroed(size_t count, size_t size)
{
    void *block = numpy_module_new(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

void *numpy_module_renew(void *block, size_t size)
{
    if (!block) {
        return numpy_module_new(size);
    }
    char *moved = realloc((char *)block - HEADER, HEADER + size);
    return moved ? moved + HEADER : NULL;
}

void numpy_module_free(void *block)
{
    if (block) {
        __atomic_fetch_sub(&blocks, 1, __ATOMIC_RELAXED);
        free((char *)block - HEADER);
    }
}
