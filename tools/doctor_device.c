/* doctor_device.c: what torc doctor says of the driver, the device and the run-time compiler. TORC_HAS_CUDA
 * and TORC_CUDA_MAJOR: whether the engine beside this tool was built with CUDA, and with which (0: without).
 */
#include "finding.h"

#include <dlfcn.h>
#include <string.h>
#include <torc/torc.h>
#include <unistd.h>

#ifndef TORC_CUDA_MAJOR
#define TORC_CUDA_MAJOR 0
#endif

static const char INSTALL_DRIVER[] =
    "install NVIDIA's driver for this kernel (nvidia-driver); a container is "
    "started with --gpus all",
                  UPDATE_DRIVER[] = "install a newer driver: release 580 or later for CUDA 13",
                  BUILD_WITH_CUDA[] =
                      "install the CUDA toolkit (nvcc), and build torc again in an empty build folder";

/* ISO C knows no cast from an object pointer to a function pointer. */
static bool look_up(void *function, void *library, const char *name)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address;
}

/* cuInit says why there is no device where the driver and the kernel do not go together. */
static torc_finding ask_driver(void *library)
{
    int (*init)(unsigned);
    int (*get_version)(int *);
    int (*get_text)(int, const char **);
    if (!look_up(&init, library, "cuInit") || !look_up(&get_version, library, "cuDriverGetVersion") ||
        !look_up(&get_text, library, "cuGetErrorString")) {
        return torc_missing(INSTALL_DRIVER, "libcuda.so.1 is not NVIDIA's");
    }
    int version = 0, status = init(0);
    const char *text = NULL;
    get_version(&version);
    if (status != 0) {
        get_text(status, &text);
        return torc_missing(INSTALL_DRIVER, "libcuda.so.1 is there and does not start: %s (%d)",
            text ? text : "unknown error", status);
    }
    if (version / 1000 < TORC_CUDA_MAJOR) {
        return torc_missing(UPDATE_DRIVER, "it is for CUDA %d.%d, and torc was built with CUDA %d",
            version / 1000, version % 1000 / 10, TORC_CUDA_MAJOR);
    }
    return torc_found("for programs up to CUDA %d.%d", version / 1000, version % 1000 / 10);
}

torc_finding torc_find_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        return torc_missing(INSTALL_DRIVER, "%s",
            access("/dev/nvidiactl", F_OK) == 0 ? "the kernel has it, but libcuda.so.1 is not found"
                                                : "libcuda.so.1 is not found");
    }
    torc_finding finding = ask_driver(library);
    dlclose(library);
    return finding;
}

/* What torc does on such a device. */
static const char *meaning_of(int capability)
{
    static const int compiled[] = {75, 80, 86, 89, 100, 120};
    if (capability == 90) {
        return "tested and measured";
    }
    for (size_t i = 0; i < sizeof compiled / sizeof compiled[0]; i++) {
        if (capability == compiled[i]) {
            return "all kernels compile for it, and none was ever run on one";
        }
    }
    return "not tried: kernels that compile for it run";
}

torc_finding torc_find_device(void)
{
    torc_options options;
    torc_options_from_environment(&options);
    if (options.backend == TORC_BACKEND_OFF || options.backend == TORC_BACKEND_REFERENCE) {
        return torc_missing("unset TORC_BACKEND", "TORC_BACKEND=%s keeps everything off the GPU",
            options.backend == TORC_BACKEND_OFF ? "off" : "reference");
    }
    if (!TORC_HAS_CUDA) {
        return torc_missing(BUILD_WITH_CUDA, "torc was built without CUDA");
    }
    options.backend = TORC_BACKEND_CUDA;
    torc_context *context = NULL;
    torc_device_info info;
    torc_status status = torc_context_create(&context, &options);
    if (status == TORC_SUCCESS) {
        status = torc_context_info(&info, context);
    }
    torc_context_destroy(context);
    if (status != TORC_SUCCESS) {
        return torc_missing(
            "see whether nvidia-smi lists a GPU, and what CUDA_VISIBLE_DEVICES and TORC_DEVICE say",
            "device %d: %s", options.device, torc_status_text(status));
    }
    return torc_found("%s, compute capability %d.%d: %s; %zu of %zu MiB available", info.name,
        info.compute_capability / 10, info.compute_capability % 10, meaning_of(info.compute_capability),
        info.memory_available >> 20, info.memory_total >> 20);
}

#if TORC_HAS_CUDA
torc_finding torc_find_compiler(void)
{
    static const char *const names[] = {
        TORC_NVRTC_FOLDER "/" TORC_NVRTC_SONAME, TORC_NVRTC_SONAME, "libnvrtc.so"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
        library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    }
    int (*get_version)(int *, int *);
    int major = 0, minor = 0;
    bool is_there =
        library && look_up(&get_version, library, "nvrtcVersion") && get_version(&major, &minor) == 0;
    if (library) {
        dlclose(library);
    }
    return is_there
               ? torc_found("NVRTC %d.%d", major, minor)
               : torc_missing("install cuda-nvrtc of the toolkit's version; without it only the kernels that "
                              "came with torc run",
                     "%s is not found", TORC_NVRTC_SONAME);
}
#else
torc_finding torc_find_compiler(void)
{
    return torc_missing(BUILD_WITH_CUDA, "NVRTC is of no use to a torc that was built without CUDA");
}
#endif
