/* test_deferred_kernel.c: a kernel goes to the thread that compiles it and comes back once, as do its errors.
 * All but the last test need no GPU. */
#include "compile.h"
#include "cuda_device.h"
#include "gpu.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

static const char good[] = "extern \"C\" __global__ void one() {}", bad[] = "no C++",
                  other[] = "extern \"C\" __global__ void other() {}";

static torc_device device;

static void start(void)
{
    if (torc_compiler_version() == 0) {
        cr_skip_test("no NVRTC");
    }
    device = (torc_device){.info.compute_capability = 90, .cache.folder = -1, .installed.folder = -1};
    torc_deferred_open(&device);
}

static void finish(void)
{
    torc_deferred_close(&device);
}

TestSuite(deferred_kernel, .init = start, .fini = finish);

static torc_status take(const char *source)
{
    torc_image image = {NULL, 0};
    torc_status status = torc_deferred_take(&image, &device, source);
    cr_expect_eq(status == TORC_SUCCESS, image.size > 0);
    torc_image_release(&image);
    return status;
}

static void *compile(void *status)
{
    *(torc_status *)status = torc_cuda_compile(&device);
    return NULL;
}

static torc_status compile_in_a_thread(void)
{
    pthread_t thread;
    torc_status status;
    cr_assert_eq(pthread_create(&thread, NULL, compile, &status), 0);
    pthread_join(thread, NULL);
    return status;
}

/* NVRTC is called once for it: an error notes what the compiler says, and another time nothing is noted. */
Test(deferred_kernel, what_does_not_compile_is_not_tried_again)
{
    static const torc_definition nonsense = {.source = "no C++",
        .multiply = "f",
        .x = {TORC_FP32, NULL},
        .y = {TORC_FP32, NULL},
        .z = {TORC_FP32, NULL}};
    const torc_loaded_kernel *loaded;
    torc_spmm_kernel kernel = {.semiring = {TORC_PLUS_MONOID, TORC_USER, TORC_FP32, &nonsense, false},
        .a_type = TORC_FP32,
        .b_type = TORC_FP32,
        .a_access = TORC_ACCESS_ARRAY,
        .b_access = TORC_ACCESS_ARRAY,
        .shape = {8, 4}};
    cr_expect_eq(torc_kernel_load(&loaded, &device, &torc_spmm_kind, &kernel), TORC_COMPILE_ERROR);
    cr_expect_neq(device.error[0], '\0');
    device.error[0] = '\0';
    cr_expect_eq(torc_kernel_load(&loaded, &device, &torc_spmm_kind, &kernel), TORC_COMPILE_ERROR);
    cr_expect_eq(device.error[0], '\0');
    torc_kernels_unload(&device);
}

Test(deferred_kernel, is_taken_once_when_it_is_compiled)
{
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS, "nothing to compile");
    torc_deferred_ask(&device, good);
    cr_expect_eq(take(good), TORC_NOT_COMPILED);
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS);
    cr_expect_eq(take(other), TORC_NOT_COMPILED);
    cr_expect_eq(take(good), TORC_SUCCESS);
    cr_expect_eq(take(good), TORC_NOT_COMPILED);
}

Test(deferred_kernel, keeps_its_place_until_it_is_compiled)
{
    torc_deferred_ask(&device, good);
    torc_deferred_ask(&device, other);
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS);
    cr_expect_eq(take(other), TORC_NOT_COMPILED);
    torc_deferred_ask(&device, other);
    cr_expect_eq(take(good), TORC_NOT_COMPILED, "the next one has its place");
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS);
    cr_expect_eq(take(other), TORC_SUCCESS);
}

Test(deferred_kernel, that_does_not_compile_fails_where_it_is_taken)
{
    torc_deferred_ask(&device, bad);
    cr_expect_eq(compile_in_a_thread(), TORC_COMPILE_ERROR);
    cr_expect_str_empty(device.error, "the error belongs to the thread that has the device");
    cr_expect_eq(take(bad), TORC_COMPILE_ERROR);
    cr_expect_not_null(strstr(device.error, "NVRTC"), "%s", device.error);
    cr_expect_eq(take(bad), TORC_NOT_COMPILED);
}

enum { N = 32 }; /* A is the N×N matrix of twos on the diagonal */

static torc_status multiply(float c[N * N], torc_context *context)
{
    static const torc_semiring rare = {TORC_TIMES_MONOID, TORC_ISGT, TORC_FP32};
    static float b[N * N];
    int32_t row_ptr[N + 1], col_idx[N];
    float twos[N];
    for (int i = 0; i < N; i++) {
        row_ptr[i] = col_idx[i] = i;
        twos[i] = 2;
    }
    row_ptr[N] = N;
    torc_csr csr = {N, N, row_ptr, col_idx, twos, 32, 32, TORC_FP32, false, NULL};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    torc_dense B = {N, N, N, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL}, C = B;
    C.data = c;
    torc_status status = torc_spmm_host(&C, rare, A, false, &B, NULL, NULL);
    torc_sparse_destroy(A);
    return status;
}

/* Without a folder for it, the image goes from hand to hand alone. */
Test(deferred_kernel, runs_on_the_gpu)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.cache_dir = "/dev/null/none";
    torc_context *context = torc_gpu_context(&options);
    float c[N * N] = {0};
    torc_context_defer_kernels(context, true);
    cr_expect_eq(multiply(c, context), TORC_NOT_COMPILED);
    cr_expect_eq(torc_context_compile(context), TORC_SUCCESS);
    torc_status status = multiply(c, context);
    cr_expect_eq(status, TORC_SUCCESS, "%s: %s", torc_status_text(status), torc_context_error(context));
    for (int i = 0; i < N * N; i++) {
        cr_expect_eq(c[i], 1, "element %d is %g", i, c[i]); /* 2 > 0 */
    }
    torc_context_destroy(context);
}
