/* deferred_kernel.c: a kernel that is compiled while its multiplication is done elsewhere. The thread that
 * has the device asks for it and takes it; the one that compiles reads nothing of the device that changes. */
#include "cuda_device.h"
#include "own_thread.h"
#include <stdlib.h>
#include <string.h>

static void clear(torc_deferred_kernel *deferred)
{
    free(deferred->source);
    torc_image_release(&deferred->image);
    deferred->source = NULL;
    deferred->state = TORC_DEFERRED_NONE;
}

void torc_deferred_open(torc_device *device)
{
    pthread_mutex_init(&device->deferred.mutex, NULL);
}

void torc_deferred_close(torc_device *device)
{
    clear(&device->deferred);
    pthread_mutex_destroy(&device->deferred.mutex);
}

torc_status torc_deferred_take(torc_image *image, torc_device *device, const char *source)
{
    torc_deferred_kernel *deferred = &device->deferred;
    torc_status status = TORC_NOT_COMPILED;
    pthread_mutex_lock(&deferred->mutex);
    if (deferred->state == TORC_DEFERRED_DONE && strcmp(deferred->source, source) == 0) {
        status = deferred->status;
        *image = deferred->image;
        deferred->image = (torc_image){NULL, 0};
        if (status != TORC_SUCCESS) {
            torc_device_note(device, "NVRTC", deferred->log);
        }
        clear(deferred);
    }
    pthread_mutex_unlock(&deferred->mutex);
    return status;
}

void torc_deferred_ask(torc_device *device, const char *source)
{
    torc_deferred_kernel *deferred = &device->deferred;
    pthread_mutex_lock(&deferred->mutex);
    if (deferred->state == TORC_DEFERRED_NONE || deferred->state == TORC_DEFERRED_DONE) {
        clear(deferred);
        deferred->source = strdup(source);
        deferred->state = deferred->source ? TORC_DEFERRED_WANTED : TORC_DEFERRED_NONE;
    }
    pthread_mutex_unlock(&deferred->mutex);
}

void torc_cuda_defer_kernels(torc_device *device, bool defers)
{
    device->defers_kernels = defers;
}

static void *compile_in_thread(void *argument)
{
    torc_device *device = argument;
    torc_deferred_kernel *deferred = &device->deferred;
    deferred->status = torc_kernel_compile(&deferred->image, deferred->log, device, deferred->source);
    return NULL;
}

/* In a thread with room for the compiler: the caller's stack may be small. */
torc_status torc_cuda_compile(torc_device *device)
{
    torc_deferred_kernel *deferred = &device->deferred;
    pthread_mutex_lock(&deferred->mutex);
    bool is_wanted = deferred->state == TORC_DEFERRED_WANTED;
    if (is_wanted) {
        deferred->state = TORC_DEFERRED_COMPILING; /* nobody else touches it until it is done */
    }
    pthread_mutex_unlock(&deferred->mutex);
    if (!is_wanted) {
        return TORC_SUCCESS;
    }
    pthread_t thread;
    deferred->status = TORC_OUT_OF_MEMORY;
    strcpy(deferred->log, "no thread for the compiler");
    if (torc_own_thread(&thread, TORC_LARGE_STACK, compile_in_thread, device)) {
        pthread_join(thread, NULL);
    }
    torc_status status = deferred->status;
    pthread_mutex_lock(&deferred->mutex);
    deferred->state = TORC_DEFERRED_DONE;
    pthread_mutex_unlock(&deferred->mutex);
    return status;
}
