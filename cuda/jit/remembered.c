/* remembered.c: lines of text kept from process to process, beside compiled kernels and in their manner; new
 * kernels, or another compiler, forget them. */
#include "cuda_device.h"
#include "own_thread.h"
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

typedef struct remembered_line {
    const torc_device *device;
    const char *about, *text;
} remembered_line;

static void *store(void *argument)
{
    const remembered_line *line = argument;
    const torc_device *device = line->device;
    char key[TORC_KEY_SIZE];
    torc_image image = {(void *)line->text, strlen(line->text)};
    if (torc_compile_key(key, line->about, device->info.compute_capability, torc_compiler_version())) {
        torc_kernel_cache_store(&device->cache, key, &image);
    }
    return NULL;
}

/* In a thread without signals, as kernels are stored: SIGXFSZ would end a program that may write no more. */
void torc_cuda_remember(torc_device *device, const char *about, const char *text)
{
    pthread_t thread;
    remembered_line line = {device, about, text};
    if (torc_own_thread(&thread, TORC_LARGE_STACK, store, &line)) {
        pthread_join(thread, NULL);
    }
}
