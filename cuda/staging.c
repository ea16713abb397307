/* staging.c: copies between host and device through a ring of pinned chunks: the host fills or empties one
 * chunk while earlier ones travel. The stream keeps copies in order with each other and with kernels; the
 * event of a chunk says when the host may touch it again. */
#include "cuda_device.h"
#include <string.h>

static torc_status open_ring(torc_device *device)
{
    torc_ring *ring = &device->ring;
    for (int i = 0; i < TORC_RING_CHUNKS; i++) {
        if (!ring->travelled[i]) {
            TORC_TRY_CUDA(device, cudaEventCreateWithFlags(&ring->travelled[i], cudaEventDisableTiming));
        }
    }
    if (!ring->memory) {
        void *memory;
        TORC_TRY_CUDA(
            device, cudaHostAlloc(&memory, (size_t)TORC_RING_CHUNKS * TORC_CHUNK_SIZE, cudaHostAllocDefault));
        ring->memory = memory;
    }
    return TORC_SUCCESS;
}

void torc_ring_close(torc_device *device)
{
    for (int i = 0; i < TORC_RING_CHUNKS; i++) {
        if (device->ring.travelled[i]) {
            cudaEventDestroy(device->ring.travelled[i]);
        }
    }
    cudaFreeHost(device->ring.memory);
}

static char *chunk_at(torc_device *device, unsigned number)
{
    return device->ring.memory + (size_t)(number % TORC_RING_CHUNKS) * TORC_CHUNK_SIZE;
}

static torc_status wait_for_chunk(torc_device *device, unsigned number)
{
    TORC_TRY_CUDA(device, cudaEventSynchronize(device->ring.travelled[number % TORC_RING_CHUNKS]));
    return TORC_SUCCESS;
}

/* Queue the copy of the ring's next chunk. */
static torc_status queue_chunk(
    torc_device *device, void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    torc_ring *ring = &device->ring;
    TORC_TRY_CUDA(device, cudaMemcpyAsync(to, from, size, kind, device->stream));
    TORC_TRY_CUDA(device, cudaEventRecord(ring->travelled[ring->next % TORC_RING_CHUNKS], device->stream));
    ring->next++;
    return TORC_SUCCESS;
}

static size_t chunk_size(size_t left)
{
    return left < TORC_CHUNK_SIZE ? left : TORC_CHUNK_SIZE;
}

static void narrow(uint32_t *to, const int64_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = (uint32_t)from[i];
    }
}

/* `size` bytes arrive; is_narrowed: each of their 32-bit integers comes from one of 64 bits. */
static torc_status send(torc_device *device, char *to, const char *from, size_t size, bool is_narrowed)
{
    TORC_ENTER(device);
    TORC_TRY(open_ring(device));
    for (size_t done = 0; done < size; done += TORC_CHUNK_SIZE) {
        size_t n = chunk_size(size - done);
        char *chunk = chunk_at(device, device->ring.next);
        TORC_TRY(wait_for_chunk(device, device->ring.next));
        if (is_narrowed) {
            narrow((uint32_t *)(void *)chunk, (const int64_t *)(const void *)(from + 2 * done),
                n / sizeof(uint32_t));
        } else {
            memcpy(chunk, from + done, n);
        }
        TORC_TRY(queue_chunk(device, to + done, chunk, n, cudaMemcpyHostToDevice));
    }
    return TORC_SUCCESS;
}

torc_status torc_cuda_upload(torc_device *device, void *to, const void *from, size_t size)
{
    return send(device, to, from, size, false);
}

torc_status torc_cuda_upload_narrow(torc_device *device, uint32_t *to, const int64_t *from, int64_t count)
{
    return send(device, (char *)to, (const char *)from, (size_t)count * sizeof(uint32_t), true);
}

torc_status torc_cuda_download(torc_device *device, void *to, const void *from, size_t size)
{
    TORC_ENTER(device);
    TORC_TRY(open_ring(device));
    unsigned arriving = device->ring.next;
    size_t queued = 0;
    for (size_t done = 0; done < size; done += TORC_CHUNK_SIZE, arriving++) {
        while (queued < size && device->ring.next - arriving < TORC_RING_CHUNKS) {
            size_t n = chunk_size(size - queued);
            TORC_TRY(queue_chunk(device, chunk_at(device, device->ring.next), (const char *)from + queued, n,
                cudaMemcpyDeviceToHost));
            queued += n;
        }
        TORC_TRY(wait_for_chunk(device, arriving));
        memcpy((char *)to + done, chunk_at(device, arriving), chunk_size(size - done));
    }
    return TORC_SUCCESS;
}
