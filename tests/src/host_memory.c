#include "host_memory.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int_fast64_t calls_until_failure = -1, blocks; /* threads allocate too */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

void torc_host_memory_fail_at(int64_t call)
{
    calls_until_failure = call;
}

int64_t torc_host_memory_calls_left(void)
{
    return calls_until_failure;
}

int64_t torc_host_memory_blocks(void)
{
    return blocks;
}

static bool is_made_to_fail(void)
{
    return atomic_load(&calls_until_failure) >= 0 && atomic_fetch_sub(&calls_until_failure, 1) == 0;
}

static void *counted(void *memory)
{
    blocks += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return is_made_to_fail() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_made_to_fail() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (is_made_to_fail()) {
        return NULL;
    }
    void *moved = __real_realloc(memory, size);
    return memory ? moved : counted(moved);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return is_made_to_fail() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *memory)
{
    blocks -= memory != NULL;
    __real_free(memory);
}
