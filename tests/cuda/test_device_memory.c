/* test_device_memory.c: device memory, its limit, copies of every size past the ring of chunks, and pinned
 * host memory. */
#include "cuda_device.h"
#include "gpu.h"
#include "ugly_csr.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

Test(device_memory, a_device_that_is_not_there_is_no_device)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_device *device = (torc_device *)&options;
    options.device = 1000;
    cr_expect_eq(torc_executor_cuda()->open(&device, &options), TORC_NO_DEVICE);
    cr_expect_null(device);
    options.device = -1;
    cr_expect_eq(torc_executor_cuda()->open(&device, &options), TORC_NO_DEVICE);
}

Test(device_memory, the_limit_holds_and_failed_allocations_leave_the_device_usable)
{
    const size_t limit = (size_t)1 << 20;
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(limit);
    torc_device_info info;
    void *half, *other, *most;

    TORC_GPU_TRY(device, cuda->allocate(&half, device, limit / 2));
    TORC_GPU_TRY(device, cuda->info(&info, device));
    cr_expect_eq(info.memory_available, limit / 2);
    cr_expect_eq(cuda->allocate(&other, device, limit / 2 + 1), TORC_OUT_OF_MEMORY);
    cr_expect_null(other);
    cr_expect_neq(cuda->error(device)[0], '\0');
    cuda->release(device, half);
    cuda->release(device, NULL);
    TORC_GPU_TRY(device, cuda->allocate(&most, device, limit));
    cr_expect_eq((uintptr_t)most % 256, 0);
    cuda->release(device, most);
    TORC_GPU_TRY(device, cuda->allocate(&other, device, 0));
    cr_expect_null(other);
    cuda->close(device);

    device = torc_gpu_open(0);
    cr_expect_eq(cuda->allocate(&most, device, (size_t)1 << 60), TORC_OUT_OF_MEMORY);
    cr_expect_null(most);
    TORC_GPU_TRY(device, cuda->allocate(&half, device, 100));
    TORC_GPU_TRY(device, cuda->wait(device));
    cuda->release(device, half);
    cuda->close(device);
}

Test(device_memory, info_names_the_device)
{
    torc_device *device = torc_gpu_open(0);
    torc_device_info info;
    TORC_GPU_TRY(device, torc_executor_cuda()->info(&info, device));
    cr_expect_str_eq(info.backend, "cuda");
    cr_expect_neq(info.name[0], '\0');
    cr_expect_geq(info.compute_capability, 75);
    cr_expect_gt(info.multiprocessors, 0);
    cr_expect_gt(info.memory_available, 0);
    cr_expect_geq(info.memory_total, info.memory_available);
    torc_executor_cuda()->close(device);
}

Test(device_memory, copies_of_every_size_arrive_whole)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    const size_t chunk = TORC_CHUNK_SIZE, ring = chunk * TORC_RING_CHUNKS;
    const size_t sizes[] = {1, 4097, chunk - 1, chunk, chunk + 1, ring, ring + 3, 2 * ring + chunk / 2};
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *sent = malloc(sizes[i]), *received = calloc(1, sizes[i]);
        for (size_t b = 0; b < sizes[i]; b++) {
            sent[b] = (unsigned char)torc_random(&state, 256);
        }
        void *memory = torc_gpu_copy(device, sent, sizes[i]);
        TORC_GPU_TRY(device, cuda->download(device, received, memory, sizes[i]));
        cr_expect_eq(memcmp(sent, received, sizes[i]), 0, "%zu bytes", sizes[i]);
        cuda->release(device, memory);
        free(sent);
        free(received);
    }
    cuda->close(device);
}

/* Of all sizes, at odd places, more than a block of threads. */
Test(device_memory, elements_are_gathered_and_scattered)
{
    enum { COUNT = 300, APART = 37, SPAN = COUNT * APART };
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    uint64_t offsets[COUNT];
    for (int i = 0; i < COUNT; i++) {
        offsets[i] = (uint64_t)((i * 7 % COUNT) * APART + 1);
    }
    for (size_t size = 1; size <= 16; size++) {
        unsigned char content[SPAN], expected[SPAN], received[SPAN], elements[COUNT * 16];
        for (int b = 0; b < SPAN; b++) {
            content[b] = (unsigned char)(b * 31 + b / 256);
        }
        memcpy(expected, content, SPAN);
        void *memory = torc_gpu_copy(device, content, SPAN);
        TORC_GPU_TRY(device, cuda->gather(device, elements, memory, offsets, COUNT, size));
        for (size_t i = 0; i < COUNT; i++) {
            cr_expect_eq(memcmp(elements + i * size, content + offsets[i], size), 0, "%zu of %zu", i, size);
            elements[i * size] ^= 0xff;
            memcpy(expected + offsets[i], elements + i * size, size);
        }
        TORC_GPU_TRY(device, cuda->scatter(device, memory, elements, offsets, COUNT, size));
        TORC_GPU_TRY(device, cuda->download(device, received, memory, SPAN));
        cr_expect_eq(memcmp(received, expected, SPAN), 0, "elements of %zu bytes", size);
        cuda->release(device, memory);
    }
    cuda->close(device);
}

Test(device_memory, narrowing_keeps_every_index)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    const int64_t counts[] = {0, 1, 1000, TORC_CHUNK_SIZE / 4, TORC_CHUNK_SIZE / 4 + 1, 6000001};
    uint64_t state = 2;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        size_t count = (size_t)counts[i];
        int64_t *wide = calloc(count + 1, sizeof *wide);
        uint32_t *received = calloc(count + 1, sizeof *received);
        for (size_t k = 0; k < count; k++) {
            wide[k] = (int64_t)torc_random(&state, (uint64_t)UINT32_MAX + 1);
        }
        void *memory;
        TORC_GPU_TRY(device, cuda->allocate(&memory, device, (count + 1) * sizeof(uint32_t)));
        TORC_GPU_TRY(device, cuda->upload_narrow(device, memory, wide, counts[i]));
        TORC_GPU_TRY(device, cuda->download(device, received, memory, count * sizeof(uint32_t)));
        int64_t differences = 0;
        for (size_t k = 0; k < count; k++) {
            differences += received[k] != (uint64_t)wide[k];
        }
        cr_expect_eq(differences, 0, "%zu indices", count);
        cuda->release(device, memory);
        free(wide);
        free(received);
    }
    cuda->close(device);
}

/* Host memory is pinned whole, copied, unpinned by another thread, pinned again. */
typedef struct pinned {
    torc_device *device;
    void *host;
    size_t size;
} pinned;

static void *unpin(void *data)
{
    pinned *p = data;
    torc_executor_cuda()->unpin(p->device, p->host, p->size);
    return NULL;
}

Test(device_memory, host_memory_is_pinned_and_unpinned_in_any_thread)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    size_t size = (size_t)8 << 20;
    char *host = aligned_alloc((size_t)2 << 20, size), *back = malloc(size);
    pinned p = {device, host, size};
    for (int turn = 0; turn < 3; turn++) {
        pthread_t thread;
        memset(host, 'a' + turn, size);
        TORC_GPU_TRY(device, cuda->pin(device, host, size));
        cr_expect_neq(cuda->pin(device, host, size), TORC_SUCCESS, "turn %d: pinned twice", turn);
        cr_expect_eq(cuda->error(device)[0], '\0', "written by what any thread may call");
        void *memory = torc_gpu_copy(device, host, size);
        TORC_GPU_TRY(device, cuda->download(device, back, memory, size));
        cr_expect_arr_eq(back, host, size);
        cuda->release(device, memory);
        cr_assert_eq(pthread_create(&thread, NULL, unpin, &p), 0);
        pthread_join(thread, NULL);
    }
    cuda->unpin(device, host, size);
    TORC_GPU_TRY(device, cuda->wait(device));
    free(host);
    free(back);
    cuda->close(device);
}

/* Released memory may be handed out at once, while what was queued before has yet to use it: whoever comes
 * next must not be seen. */

enum { BLOCK = 64 << 20 };

static char *pinned_block(torc_device *device, int byte)
{
    char *host = aligned_alloc((size_t)2 << 20, BLOCK);
    memset(host, byte, BLOCK);
    TORC_GPU_TRY(device, torc_executor_cuda()->pin(device, host, BLOCK));
    return host;
}

static void free_pinned(torc_device *device, char *host)
{
    torc_executor_cuda()->unpin(device, host, BLOCK);
    free(host);
}

static bool is_all(const char *bytes, char byte)
{
    size_t same = 0;
    while (same < BLOCK && bytes[same] == byte) {
        same++;
    }
    return same == BLOCK;
}

Test(device_memory, what_is_fetched_is_whole_though_its_block_is_released)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    char *fetched = pinned_block(device, 0), *ones = pinned_block(device, 1), *twos = pinned_block(device, 2);
    for (int turn = 0; turn < 10; turn++) {
        void *first = torc_gpu_copy(device, ones, BLOCK), *second;
        memset(fetched, 0, BLOCK);
        torc_lines lines = {fetched, first, BLOCK, BLOCK, BLOCK, 1, NULL, 0, 1};
        TORC_GPU_TRY(device, cuda->fence(device, true));
        TORC_GPU_TRY(device, cuda->fetch(device, &lines));
        cuda->release(device, first);
        TORC_GPU_TRY(device, cuda->allocate(&second, device, BLOCK));
        TORC_GPU_TRY(device, cuda->upload(device, second, twos, BLOCK));
        TORC_GPU_TRY(device, cuda->wait(device));
        cr_expect(is_all(fetched, 1), "turn %d", turn);
        cuda->release(device, second);
    }
    free_pinned(device, fetched);
    free_pinned(device, ones);
    free_pinned(device, twos);
    cuda->close(device);
}

Test(device_memory, what_is_sent_waits_for_work_on_the_block_before)
{
    enum { COPIES = 40 };
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    char *back = pinned_block(device, 0), *ones = pinned_block(device, 1), *twos = pinned_block(device, 2);
    const torc_elementwise_kernel copying = {.operation = {.kind = TORC_APPLY, .type = TORC_FP32},
        .a = {TORC_FP32, TORC_ACCESS_ARRAY, false, false},
        .b = {TORC_FP32, TORC_ACCESS_NONE, false, false},
        .c_type = TORC_FP32,
        .is_flat = true,
        .vector = 4};
    void *result = torc_gpu_copy(device, twos, BLOCK);
    for (int turn = 0; turn < 10; turn++) {
        void *first = torc_gpu_copy(device, ones, BLOCK), *second;
        torc_elementwise_args args = {
            .nlines = 1, .length = BLOCK / sizeof(float), .a = {.values = first}, .c = result};
        for (int i = 0; i < COPIES; i++) {
            TORC_GPU_TRY(device, cuda->elementwise(device, &copying, &args));
        }
        cuda->release(device, first);
        TORC_GPU_TRY(device, cuda->allocate(&second, device, BLOCK));
        torc_lines lines = {second, twos, BLOCK, BLOCK, BLOCK, 1, NULL, 0, 1};
        TORC_GPU_TRY(device, cuda->send(device, &lines));
        TORC_GPU_TRY(device, cuda->fence(device, true));
        TORC_GPU_TRY(device, cuda->download(device, back, result, BLOCK));
        cr_expect(is_all(back, 1), "turn %d", turn);
        cuda->release(device, second);
    }
    cuda->release(device, result);
    free_pinned(device, back);
    free_pinned(device, ones);
    free_pinned(device, twos);
    cuda->close(device);
}
