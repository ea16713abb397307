/* remembered.c: lines of text kept from process to process, beside compiled kernels and in their manner; new
 * kernels, or another compiler, forget them. */
#include "cuda_device.h"
#include <stdio.h>
#include <string.h>

bool torc_cuda_recall(char *text, size_t size, torc_device *device, const char *about)
{
    char key[TORC_KEY_SIZE];
    torc_image found;
    bool is_found = torc_compile_key(key, about, device->info.compute_capability, torc_compiler_version()) &&
                    torc_kernel_cache_load(&found, &device->cache, key);
    if (!is_found) {
        return false;
    }
    bool fits = found.size < size;
    if (fits) {
        memcpy(text, found.data, found.size);
        text[found.size] = '\0';
    }
    torc_image_release(&found);
    return fits;
}

void torc_cuda_remember(torc_device *device, const char *about, const char *text)
{
    char key[TORC_KEY_SIZE];
    torc_image line = {(void *)text, strlen(text)};
    if (torc_compile_key(key, about, device->info.compute_capability, torc_compiler_version())) {
        torc_kernel_cache_store(&device->cache, key, &line);
    }
}
