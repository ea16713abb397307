#include "compile.h"
#include "fnv1a.h"
#include "kernel_headers.h"
#include "nvrtc_library.h"
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No fused multiply-add: a product that overflows must do so before it is added, as on the CPU, where inf -
 * inf is a NaN and not -inf. User-defined functions come without __device__. No file of the folder at hand is
 * read: the key of the cache would not know what it says. */
static const char *const options[] = {"--std=c++17", "--fmad=false", "--ptxas-options=--warn-on-spills",
    "--device-as-default-execution-space", "--no-source-include"};
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

/* Of a long text, which has many functions, all processors optimise some each: with two, a matrix of 5000
 * entries takes two thirds of the time. The option is known to have that meaning in this version. */
enum { LONG_TEXT = 1 << 16, SPLITS_COMPILATION = 1300 };

void torc_image_release(torc_image *image)
{
    free(image->data);
    *image = (torc_image){NULL, 0};
}

int torc_compiler_version(void)
{
    int major, minor;
    const torc_nvrtc *nvrtc = torc_nvrtc_get();
    return nvrtc && nvrtc->version(&major, &minor) == NVRTC_SUCCESS ? major * 100 + minor : 0;
}

int torc_compiler_built_with(void)
{
    return CUDART_VERSION / 1000 * 100 + CUDART_VERSION % 1000 / 10;
}

bool torc_compile_key(char key[TORC_KEY_SIZE], const char *source, int architecture, int compiler)
{
    uint64_t digest = TORC_FNV1A_START;
    for (int i = 0; i < torc_kernel_header_count; i++) {
        digest = torc_fnv1a(digest, torc_kernel_header_names[i], strlen(torc_kernel_header_names[i]) + 1);
        digest = torc_fnv1a(digest, torc_kernel_header_texts[i], strlen(torc_kernel_header_texts[i]) + 1);
    }
    for (int i = 0; i < OPTION_COUNT; i++) {
        digest = torc_fnv1a(digest, options[i], strlen(options[i]) + 1);
    }
    int length = snprintf(key, TORC_KEY_SIZE, "torc kernel, headers and options %016llx, nvrtc %d, sm_%d\n%s",
        (unsigned long long)digest, compiler, architecture, source);
    return length < TORC_KEY_SIZE;
}

static void read_log(char log[TORC_LOG_SIZE], const torc_nvrtc *nvrtc, nvrtcProgram program)
{
    size_t size;
    if (nvrtc->log_size(program, &size) != NVRTC_SUCCESS) {
        return;
    }
    char *text = malloc(size + 1);
    if (text && nvrtc->log(program, text) == NVRTC_SUCCESS) {
        text[size] = '\0';
        snprintf(log, TORC_LOG_SIZE, "%s", text);
    }
    free(text);
}

static nvrtcResult read_image(torc_image *image, const torc_nvrtc *nvrtc, nvrtcProgram program)
{
    size_t size;
    nvrtcResult result = nvrtc->cubin_size(program, &size);
    if (result != NVRTC_SUCCESS) {
        return result;
    }
    void *data = malloc(size);
    if (!data) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    result = nvrtc->cubin(program, data);
    if (result != NVRTC_SUCCESS) {
        free(data);
        return result;
    }
    *image = (torc_image){data, size};
    return NVRTC_SUCCESS;
}

torc_status torc_compile(torc_image *image, char log[TORC_LOG_SIZE], const char *source, int architecture)
{
    *image = (torc_image){NULL, 0};
    log[0] = '\0';
    const torc_nvrtc *nvrtc = torc_nvrtc_get();
    if (!nvrtc) {
        snprintf(log, TORC_LOG_SIZE, "%s", torc_status_text(TORC_NO_COMPILER));
        return TORC_NO_COMPILER;
    }
    char target[40];
    snprintf(target, sizeof target, "--gpu-architecture=sm_%d", architecture);
    const char *arguments[OPTION_COUNT + 2];
    int count = OPTION_COUNT;
    memcpy(arguments, options, sizeof options);
    arguments[count++] = target;
    if (torc_compiler_version() >= SPLITS_COMPILATION && strlen(source) >= LONG_TEXT) {
        arguments[count++] = "--split-compile=0";
    }

    nvrtcProgram program;
    nvrtcResult result = nvrtc->create(&program, source, "torc_kernel.cu", torc_kernel_header_count,
        torc_kernel_header_texts, torc_kernel_header_names);
    if (result == NVRTC_SUCCESS) {
        result = nvrtc->compile(program, count, arguments);
        read_log(log, nvrtc, program);
        if (result == NVRTC_SUCCESS) {
            result = read_image(image, nvrtc, program);
        }
        nvrtc->destroy(&program);
    }
    if (result == NVRTC_SUCCESS) {
        return TORC_SUCCESS;
    }
    if (!log[0]) {
        snprintf(log, TORC_LOG_SIZE, "%s", nvrtc->error_string(result));
    }
    return result == NVRTC_ERROR_OUT_OF_MEMORY ? TORC_OUT_OF_MEMORY : TORC_COMPILE_ERROR;
}
