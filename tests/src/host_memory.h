/* host_memory.h: the host memory of a program linked with --wrap=malloc and its like: blocks are counted, and
 * one allocation can be made to fail. Only calls from objects of the program itself are seen, not those of
 * shared libraries. */
#ifndef TORC_HOST_MEMORY_H
#define TORC_HOST_MEMORY_H

#include <stdint.h>

/* Let the call-th allocation (0 is the next) fail; negative: none. */
void torc_host_memory_fail_at(int64_t call);

/* Allocations to go before the one that fails; negative: it has failed, or none was asked to. */
int64_t torc_host_memory_calls_left(void);

/* Blocks allocated and not freed. */
int64_t torc_host_memory_blocks(void);

#endif
