/* fuzz_algebra.c: any bytes at all as a semiring given as text: it has all its parts, or there is one line
 * that says what is wrong. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "algebra_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[TORC_ALGEBRA_ERROR] = "", *argument = malloc(size + 2);
    torc_algebra_text text;
    if (!argument || memchr(data, '\0', size)) {
        free(argument);
        return 0;
    }
    memcpy(argument, data, size);
    memcpy(argument + size, "{", 2); /* so that it is no file's name */
    if (memchr(data, '{', size)) {
        argument[size] = '\0';
    }
    bool is_read = torc_algebra_text_read(&text, argument, error);
    if (is_read != (text.host != NULL) || is_read == (error[0] != '\0')) {
        abort();
    }
    torc_algebra_text_release(&text);
    free(argument);
    return 0;
}
