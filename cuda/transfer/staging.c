/* staging.c: copies between host and device. Pinned memory travels as it lies, by the copy engines or by a
 * kernel. Other memory passes through a ring of pinned chunks, which several threads fill or empty while
 * earlier ones travel; the event of a chunk says when the host may touch it again. Each stream keeps its own
 * copies in order.
 *
 * The ring is shared by all streams: each copy waits for its own chunks alone. */
#include "cuda_device.h"
#include "host_lines.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

/* One copy: its lines, the direction, and the stream that keeps it in order. */
typedef struct travel {
    torc_lines lines;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
} travel;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- The ring ----------------------------------------------------------------------------------------- */

static void touch_pages(void *chunk, int64_t begin, int64_t end)
{
    memset((char *)chunk + begin * HUGE_PAGE, 0, (size_t)(end - begin) * HUGE_PAGE);
}

/* Registered rather than allocated by CUDA, which takes longer over small pages
 * (bench/results/2026-11-21-h200-bus.txt), once several threads have made the pages. */
static torc_status pin_chunk(torc_device *device, char *chunk)
{
    madvise(chunk, TORC_CHUNK_SIZE, MADV_HUGEPAGE);
    torc_threads_loop(TORC_CHUNK_SIZE / HUGE_PAGE, HUGE_PAGE, touch_pages, chunk);
    TORC_TRY_CUDA(device, cudaHostRegister(chunk, TORC_CHUNK_SIZE, cudaHostRegisterDefault));
    return TORC_SUCCESS;
}

static torc_status open_chunk(torc_device *device)
{
    torc_ring *ring = &device->ring;
    if (!ring->travelled[ring->count]) {
        TORC_TRY_CUDA(
            device, cudaEventCreateWithFlags(&ring->travelled[ring->count], cudaEventDisableTiming));
    }
    void *chunk = aligned_alloc(HUGE_PAGE, TORC_CHUNK_SIZE);
    torc_status status = chunk ? pin_chunk(device, chunk) : TORC_OUT_OF_MEMORY;
    if (status != TORC_SUCCESS) {
        free(chunk);
        return status;
    }
    ring->memory[ring->count++] = chunk;
    return TORC_SUCCESS;
}

/* A ring of one chunk will do. What could not be had when the device was opened is tried again. */
torc_status torc_ring_open(torc_device *device)
{
    torc_status status = TORC_SUCCESS;
    while (device->ring.count < TORC_RING_CHUNKS && status == TORC_SUCCESS) {
        status = open_chunk(device);
    }
    return device->ring.count > 0 ? TORC_SUCCESS : status;
}

void torc_ring_close(torc_device *device)
{
    for (int i = 0; i < TORC_RING_CHUNKS; i++) {
        if (device->ring.travelled[i]) {
            cudaEventDestroy(device->ring.travelled[i]);
        }
        if (device->ring.memory[i]) {
            cudaHostUnregister(device->ring.memory[i]);
            free(device->ring.memory[i]);
        }
    }
}

static char *chunk_at(const torc_ring *ring, size_t number)
{
    return ring->memory[number % ring->count];
}

static torc_status wait_for_chunk(torc_device *device, size_t number)
{
    TORC_TRY_CUDA(device, cudaEventSynchronize(device->ring.travelled[number % device->ring.count]));
    return TORC_SUCCESS;
}

/* The ring's next chunk is given to its copy; without an event to wait for, that is over on return. */
static torc_status record_chunk(torc_device *device, cudaStream_t stream)
{
    torc_ring *ring = &device->ring;
    cudaError_t error = cudaEventRecord(ring->travelled[ring->next % ring->count], stream);
    if (error != cudaSuccess) {
        cudaStreamSynchronize(stream);
    }
    TORC_TRY(torc_device_check(device, error, "cudaEventRecord"));
    ring->next++;
    return TORC_SUCCESS;
}

/* ---- Lines -------------------------------------------------------------------------------------------- */

/* CUDA wants pitches below 2 GiB. */
static torc_status queue_lines(torc_device *device, const torc_lines *l, const travel *t)
{
    if (l->height == 1) {
        TORC_TRY_CUDA(device, cudaMemcpyAsync(l->to, l->from, l->width, t->kind, t->stream));
    } else if (l->to_pitch <= INT_MAX && l->from_pitch <= INT_MAX) {
        TORC_TRY_CUDA(device, cudaMemcpy2DAsync(l->to, l->to_pitch, l->from, l->from_pitch, l->width,
                                  l->height, t->kind, t->stream));
    } else {
        for (size_t i = 0; i < l->height; i++) {
            TORC_TRY_CUDA(
                device, cudaMemcpyAsync((char *)l->to + i * l->to_pitch,
                            (const char *)l->from + i * l->from_pitch, l->width, t->kind, t->stream));
        }
    }
    return TORC_SUCCESS;
}

/* Lines without gaps on both sides are one. */
static torc_lines joined(const torc_lines *lines)
{
    torc_lines l = *lines;
    if (l.to_pitch == l.width && l.from_pitch == l.width && !l.chosen) {
        l.width *= l.height;
        l.height = 1;
    }
    return l;
}

torc_status torc_lines_receive(torc_device *device, const torc_lines *lines)
{
    travel t = {joined(lines), cudaMemcpyDefault, device->stream};
    return queue_lines(device, &t.lines, &t);
}

/* Packed bytes begin .. begin+size-1 between a chunk and the device: part of the one line, or whole lines. */
static torc_status queue_chunk(torc_device *device, const travel *t, char *chunk, size_t begin, size_t size)
{
    const torc_lines *l = &t->lines;
    bool is_sent = t->kind == cudaMemcpyHostToDevice;
    size_t pitch = is_sent ? l->to_pitch : l->from_pitch;
    size_t offset = l->height == 1 ? begin : begin / l->width * pitch;
    torc_lines part = *l;
    part.width = l->height == 1 ? size : l->width;
    part.height = l->height == 1 ? 1 : size / l->width;
    part.to = is_sent ? (char *)l->to + offset : chunk;
    part.from = is_sent ? chunk : (const char *)l->from + offset;
    *(is_sent ? &part.from_pitch : &part.to_pitch) = part.width;
    TORC_TRY(queue_lines(device, &part, t));
    return record_chunk(device, t->stream);
}

/* ---- Staged copies ------------------------------------------------------------------------------------ */

/* Bytes that a chunk takes of lines that are one, or no longer than a chunk each. Short copies are not cut
 * into more: programs took as long or longer (bench/results/2026-11-24-h200-staging.txt). */
static size_t chunk_bytes(const torc_lines *l)
{
    return l->height == 1 ? TORC_CHUNK_SIZE : TORC_CHUNK_SIZE / l->width * l->width;
}

static torc_status stage_in(torc_device *device, const travel *t)
{
    const torc_lines *l = &t->lines;
    size_t total = l->width * l->height, most = chunk_bytes(l);
    TORC_TRY(torc_ring_open(device));
    for (size_t done = 0; done < total; done += most) {
        size_t size = smaller(most, total - done);
        char *chunk = chunk_at(&device->ring, device->ring.next);
        TORC_TRY(wait_for_chunk(device, device->ring.next));
        torc_lines_pack(chunk, l->from, l->from_pitch, l->width, done, size);
        TORC_TRY(queue_chunk(device, t, chunk, done, size));
    }
    return TORC_SUCCESS;
}

static torc_status stage_out(torc_device *device, const travel *t)
{
    const torc_lines *l = &t->lines;
    size_t total = l->width * l->height, most = chunk_bytes(l), queued = 0;
    TORC_TRY(torc_ring_open(device));
    torc_ring *ring = &device->ring;
    size_t arriving = ring->next;
    for (size_t done = 0; done < total; done += most, arriving++) {
        for (; queued < total && ring->next - arriving < ring->count; queued += most) {
            TORC_TRY(wait_for_chunk(device, ring->next));
            TORC_TRY(
                queue_chunk(device, t, chunk_at(ring, ring->next), queued, smaller(most, total - queued)));
        }
        TORC_TRY(wait_for_chunk(device, arriving));
        torc_lines_unpack(
            l->to, l->to_pitch, l->width, chunk_at(ring, arriving), done, smaller(most, total - done));
    }
    return TORC_SUCCESS;
}

static torc_status stage(torc_device *device, const travel *t)
{
    return t->kind == cudaMemcpyHostToDevice ? stage_in(device, t) : stage_out(device, t);
}

/* Lines longer than a chunk go one by one. */
static torc_status stage_lines(torc_device *device, const travel *t)
{
    if (t->lines.height == 1 || t->lines.width <= TORC_CHUNK_SIZE) {
        return stage(device, t);
    }
    travel line = *t;
    line.lines.height = 1;
    for (size_t i = 0; i < t->lines.height; i++) {
        line.lines.to = (char *)t->lines.to + i * t->lines.to_pitch;
        line.lines.from = (const char *)t->lines.from + i * t->lines.from_pitch;
        TORC_TRY(stage(device, &line));
    }
    return TORC_SUCCESS;
}

/* ---- Entry points ------------------------------------------------------------------------------------- */

/* In one piece: no copy may cross from one to the next, and what is between two need not be pinned.
 * *is_mapped: kernels find it at the same address. */
static bool is_pinned_piece(bool *is_mapped, const torc_device *device, const char *host, size_t size)
{
    struct cudaPointerAttributes attributes;
    CUdeviceptr at = (uintptr_t)host, begin;
    size_t length;
    if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    *is_mapped = attributes.devicePointer == host;
    return attributes.type == cudaMemoryTypeHost &&
           device->pointer_attribute(&begin, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at) == CUDA_SUCCESS &&
           device->pointer_attribute(&length, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at) == CUDA_SUCCESS &&
           at - begin + size <= length;
}

/* *is_pinned: the host goes on before it is done. */
static torc_status start_travel(torc_device *device, const travel *t, bool *is_pinned)
{
    const torc_lines *l = &t->lines;
    *is_pinned = false;
    if (l->width == 0 || l->height == 0) {
        return TORC_SUCCESS;
    }
    TORC_ENTER(device);
    bool is_sent = t->kind == cudaMemcpyHostToDevice;
    size_t span = (l->height - 1) * (is_sent ? l->from_pitch : l->to_pitch) + l->width;
    bool is_mapped;
    *is_pinned = is_pinned_piece(&is_mapped, device, is_sent ? l->from : l->to, span);
    if (*is_pinned && is_mapped && torc_lines_suit_kernel(l)) {
        return torc_lines_move(device, l, t->stream, is_sent);
    }
    travel all = *t; /* where no kernel chooses */
    all.lines.chosen = NULL;
    all.lines = joined(&all.lines);
    return *is_pinned ? queue_lines(device, &all.lines, &all) : stage_lines(device, &all);
}

torc_status torc_cuda_send(torc_device *device, const torc_lines *lines)
{
    bool is_pinned;
    travel t = {joined(lines), cudaMemcpyHostToDevice, device->traffic[0]};
    TORC_ENTER(device);
    TORC_TRY(torc_traffic_begin(device, true));
    return start_travel(device, &t, &is_pinned);
}

torc_status torc_cuda_fetch(torc_device *device, const torc_lines *lines)
{
    bool is_pinned;
    travel t = {joined(lines), cudaMemcpyDeviceToHost, device->traffic[1]};
    TORC_TRY(torc_traffic_begin(device, false));
    return start_travel(device, &t, &is_pinned);
}

torc_status torc_cuda_set(torc_device *device, const torc_lines *lines, int byte)
{
    if (lines->width == 0) {
        return TORC_SUCCESS;
    }
    TORC_ENTER(device);
    TORC_TRY(torc_traffic_begin(device, true));
    if (lines->height > 1 && lines->to_pitch <= INT_MAX) {
        TORC_TRY_CUDA(device, cudaMemset2DAsync(lines->to, lines->to_pitch, byte, lines->width, lines->height,
                                  device->traffic[0]));
        return TORC_SUCCESS;
    }
    for (size_t i = 0; i < lines->height; i++) {
        TORC_TRY_CUDA(device,
            cudaMemsetAsync((char *)lines->to + i * lines->to_pitch, byte, lines->width, device->traffic[0]));
    }
    return TORC_SUCCESS;
}

/* In order with other work, and done on return. */
static torc_status copy(
    torc_device *device, void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    bool is_pinned;
    travel t = {{to, from, size, size, size, 1, NULL, 0, 1}, kind, device->stream};
    TORC_TRY(start_travel(device, &t, &is_pinned));
    if (is_pinned) {
        TORC_TRY_CUDA(device, cudaStreamSynchronize(device->stream));
    }
    return TORC_SUCCESS;
}

torc_status torc_cuda_upload(torc_device *device, void *to, const void *from, size_t size)
{
    return copy(device, to, from, size, cudaMemcpyHostToDevice);
}

torc_status torc_cuda_download(torc_device *device, void *to, const void *from, size_t size)
{
    return copy(device, to, from, size, cudaMemcpyDeviceToHost);
}

torc_status torc_cuda_upload_narrow(torc_device *device, uint32_t *to, const int64_t *from, int64_t count)
{
    const size_t most = TORC_CHUNK_SIZE / sizeof *to, total = (size_t)count;
    TORC_ENTER(device);
    TORC_TRY(torc_ring_open(device));
    for (size_t done = 0; done < total; done += most) {
        size_t n = smaller(most, total - done);
        char *chunk = chunk_at(&device->ring, device->ring.next);
        TORC_TRY(wait_for_chunk(device, device->ring.next));
        torc_narrow((uint32_t *)(void *)chunk, from + done, n);
        TORC_TRY_CUDA(device,
            cudaMemcpyAsync(to + done, chunk, n * sizeof *to, cudaMemcpyHostToDevice, device->stream));
        TORC_TRY(record_chunk(device, device->stream));
    }
    return TORC_SUCCESS;
}
