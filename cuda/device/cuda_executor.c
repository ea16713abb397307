/* cuda_executor.c: opening and closing a GPU, and the executor's table. */
#include "cuda_device.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void torc_device_note(torc_device *device, const char *what, const char *text)
{
    snprintf(device->error, sizeof device->error, "%s: %.*s", what, (int)strcspn(text, "\n"), text);
}

torc_status torc_device_check(torc_device *device, cudaError_t result, const char *call)
{
    if (result == cudaSuccess) {
        return TORC_SUCCESS;
    }
    cudaGetLastError(); /* else the next, unrelated check would find it */
    torc_device_note(device, call, cudaGetErrorString(result));
    return result == cudaErrorMemoryAllocation ? TORC_OUT_OF_MEMORY : TORC_DEVICE_ERROR;
}

static bool device_exists(int ordinal)
{
    int count;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    return ordinal >= 0 && ordinal < count;
}

/* 0 where the driver does not say. */
static double ask(const torc_device *device, enum cudaDeviceAttr attribute)
{
    int value;
    if (cudaDeviceGetAttribute(&value, attribute, device->ordinal) != cudaSuccess) {
        cudaGetLastError(); /* else the next, unrelated check would find it */
        return 0;
    }
    return value;
}

static torc_status describe(torc_device *device)
{
    struct cudaDeviceProp properties;
    TORC_TRY_CUDA(device, cudaGetDeviceProperties(&properties, device->ordinal));
    device->info = (torc_device_info){
        .backend = "cuda",
        .compute_capability = properties.major * 10 + properties.minor,
        .multiprocessors = properties.multiProcessorCount,
        .memory_total = properties.totalGlobalMem,
        .l2_bytes = (size_t)properties.l2CacheSize,
        .compiler_version = torc_compiler_version(),
        .multiprocessor_threads = properties.maxThreadsPerMultiProcessor,
        .block_shared = properties.sharedMemPerBlockOptin,
        .multiprocessor_shared = properties.sharedMemPerMultiprocessor,
        .clock = 1e3 * ask(device, cudaDevAttrClockRate),
        .bandwidth = 2e3 * ask(device, cudaDevAttrMemoryClockRate) * /* two bits a cycle and wire */
                     ask(device, cudaDevAttrGlobalMemoryBusWidth) / 8,
    };
    snprintf(device->info.name, sizeof device->info.name, "%.127s", properties.name);
    snprintf(device->info.cache_dir, sizeof device->info.cache_dir, "%s", device->cache.path);
    return TORC_SUCCESS;
}

enum { WORK, SEND, FETCH, STREAMS };

static cudaStream_t *stream_of(torc_device *device, int number)
{
    return number == WORK ? &device->stream : &device->traffic[number - SEND];
}

static torc_status find_driver(torc_device *device)
{
    enum { VERSION = 11000 }; /* of CUDA: the function is older, and the same since */
    void *function = NULL;
    TORC_TRY_CUDA(device, cudaGetDriverEntryPointByVersion(
                              "cuPointerGetAttribute", &function, VERSION, cudaEnableDefault, NULL));
    memcpy(&device->pointer_attribute, &function, sizeof function);
    return function ? TORC_SUCCESS : TORC_NO_DEVICE;
}

static torc_status start(torc_device *device)
{
    TORC_ENTER(device);
    TORC_TRY(describe(device));
    TORC_TRY(find_driver(device));
    int least, greatest;
    TORC_TRY_CUDA(device, cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int i = 0; i < STREAMS; i++) {
        /* The kernels of traffic are small, and last: a multiplication finds room beside them. */
        int priority = i == WORK ? least : greatest;
        TORC_TRY_CUDA(
            device, cudaStreamCreateWithPriority(stream_of(device, i), cudaStreamNonBlocking, priority));
        TORC_TRY_CUDA(device, cudaEventCreateWithFlags(&device->reached[i], cudaEventDisableTiming));
    }
    torc_pool_open(device);
    if (torc_ring_open(device) != TORC_SUCCESS) { /* copies between pinned memory and the device need none */
        device->error[0] = '\0';
    }
    return TORC_SUCCESS;
}

/* Kernels beside the file that this function is part of. */
static void open_installed(torc_kernel_cache *cache)
{
    static const char here;
    Dl_info library;
    bool is_known = dladdr(&here, &library) != 0 && library.dli_fname;
    torc_kernel_cache_open_installed(cache, is_known ? library.dli_fname : "");
}

/* What start made, be it all or not. */
static void stop(torc_device *device)
{
    torc_ring_close(device);
    torc_pool_close(device);
    for (int i = 0; i < STREAMS; i++) {
        if (*stream_of(device, i)) {
            cudaStreamDestroy(*stream_of(device, i));
        }
        if (device->reached[i]) {
            cudaEventDestroy(device->reached[i]);
        }
    }
    cudaGetLastError(); /* of all that was closed: else the first check of the next device would find it */
    torc_deferred_close(device);
    torc_kernel_cache_close(&device->cache);
    torc_kernel_cache_close(&device->installed);
    free(device);
}

static torc_status cuda_open(torc_device **device, const torc_options *options)
{
    *device = NULL;
    if (!device_exists(options->device)) {
        return TORC_NO_DEVICE;
    }
    torc_device *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return TORC_OUT_OF_MEMORY;
    }
    opened->ordinal = options->device;
    opened->limit = options->memory_limit ? options->memory_limit : SIZE_MAX;
    torc_deferred_open(opened);
    torc_kernel_cache_open(&opened->cache, options->cache_dir);
    open_installed(&opened->installed);
    bool has_kernels = torc_compiler_version() > 0 || opened->installed.folder >= 0;
    torc_status status = has_kernels ? start(opened) : TORC_NO_COMPILER;
    if (status != TORC_SUCCESS) {
        stop(opened);
        return status == TORC_DEVICE_ERROR ? TORC_NO_DEVICE : status;
    }
    *device = opened;
    return TORC_SUCCESS;
}

/* For all of it, whatever fails: the host's memory is in use until then. */
static torc_status cuda_wait(torc_device *device)
{
    torc_status status = torc_device_check(device, cudaSetDevice(device->ordinal), "cudaSetDevice");
    for (int i = 0; i < STREAMS; i++) {
        cudaError_t result = cudaStreamSynchronize(*stream_of(device, i));
        torc_status done = torc_device_check(device, result, "cudaStreamSynchronize");
        status = status == TORC_SUCCESS ? done : status;
    }
    torc_traffic_passed(device);
    return status;
}

static torc_status cuda_fence(torc_device *device, bool sends_wait)
{
    TORC_ENTER(device);
    for (int i = 0; i < STREAMS; i++) {
        TORC_TRY_CUDA(device, cudaEventRecord(device->reached[i], *stream_of(device, i)));
    }
    for (int i = 0; i < STREAMS; i++) {
        for (int other = 0; other < STREAMS; other++) {
            bool waits = i == WORK ? other != WORK : i == FETCH ? other == WORK : sends_wait && other != SEND;
            if (waits) {
                TORC_TRY_CUDA(device, cudaStreamWaitEvent(*stream_of(device, i), device->reached[other], 0));
            }
        }
    }
    device->has_new_memory = device->has_new_memory && !sends_wait;
    torc_traffic_passed(device);
    return TORC_SUCCESS;
}

static void cuda_close(torc_device *device)
{
    cuda_wait(device);
    torc_kernels_unload(device);
    stop(device);
}

static torc_status cuda_info(torc_device_info *info, torc_device *device)
{
    size_t available, total, unused, allowed = device->limit - device->held;
    TORC_ENTER(device);
    TORC_TRY_CUDA(device, cudaMemGetInfo(&available, &total));
    TORC_TRY(torc_pool_unused(&unused, device));
    available += unused;
    *info = device->info;
    info->memory_available = available < allowed ? available : allowed;
    return TORC_SUCCESS;
}

static const char *cuda_error(torc_device *device)
{
    return device->error;
}

static void cuda_explain(torc_device *device, const char *text)
{
    snprintf(device->error, sizeof device->error, "%s", text);
}

static bool has_choice(torc_device *device)
{
    (void)device;
    return true;
}

/* libtorc_cuda's one export (src/executor/loaded_cuda.c). */
__attribute__((visibility("default"))) const torc_executor *torc_executor_cuda(void)
{
    static const torc_executor executor = {
        .name = "cuda",
        .open = cuda_open,
        .close = cuda_close,
        .wait = cuda_wait,
        .info = cuda_info,
        .error = cuda_error,
        .explain = cuda_explain,
        .defer_kernels = torc_cuda_defer_kernels,
        .compile = torc_cuda_compile,
        .allocate = torc_cuda_allocate,
        .release = torc_cuda_release,
        .pin = torc_cuda_pin,
        .unpin = torc_cuda_unpin,
        .upload = torc_cuda_upload,
        .download = torc_cuda_download,
        .follow = torc_cuda_follow,
        .receive = torc_cuda_receive,
        .exchange_identity = torc_cuda_exchange_identity,
        .exchange_unique_id = torc_cuda_exchange_unique_id,
        .exchange_open = torc_cuda_exchange_open,
        .exchange_close = torc_cuda_exchange_close,
        .exchange_progress = torc_cuda_exchange_progress,
        .exchange_move = torc_cuda_exchange_move,
        .exchange_await = torc_cuda_exchange_await,
        .exchange_export_events = torc_cuda_exchange_export_events,
        .exchange_import_events = torc_cuda_exchange_import_events,
        .exchange_allocate = torc_cuda_exchange_allocate,
        .exchange_map = torc_cuda_exchange_map,
        .exchange_unmap = torc_cuda_exchange_unmap,
        .exchange_ready = torc_cuda_exchange_ready,
        .exchange_write = torc_cuda_exchange_write,
        .exchange_turn_bytes = TORC_NCCL_TURN_BYTES,
        .exchange_written_bytes = TORC_WRITTEN_TURN_BYTES,
        .gather = torc_cuda_gather,
        .scatter = torc_cuda_scatter,
        .upload_narrow = torc_cuda_upload_narrow,
        .send = torc_cuda_send,
        .set = torc_cuda_set,
        .fetch = torc_cuda_fetch,
        .fence = cuda_fence,
        .measure = torc_cuda_measure,
        .cut_rows = torc_cuda_cut_rows,
        .list_columns = torc_cuda_list_columns,
        .transpose_csr = torc_cuda_transpose_csr,
        .transpose_dense = torc_cuda_transpose_dense,
        .pack_bits = torc_cuda_pack_bits,
        .unpack_bits = torc_cuda_unpack_bits,
        .mask_bits = torc_cuda_mask_bits,
        .plan_tiles = torc_cuda_plan_tiles,
        .plan_bricks = torc_cuda_plan_bricks,
        .load = torc_cuda_load,
        .spmm = torc_cuda_spmm,
        .has_choice = has_choice,
        .constant_load = torc_cuda_constant_load,
        .constant_multiply = torc_cuda_constant_multiply,
        .constant_unload = torc_cuda_constant_unload,
        .remember = torc_cuda_remember,
        .recall = torc_cuda_recall,
        .elementwise = torc_cuda_elementwise,
        .reduce = torc_cuda_reduce,
        .count = torc_cuda_count,
        .build = torc_cuda_build,
    };
    return &executor;
}
