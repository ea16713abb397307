/* own_realloc.c: a program's own realloc, over libc's inner one, as some count memory: it passes nothing on.
 */
#include <stddef.h>

extern void *__libc_realloc(void *memory, size_t size);
void *realloc(void *memory, size_t size);

void *realloc(void *memory, size_t size)
{
    return __libc_realloc(memory, size);
}
