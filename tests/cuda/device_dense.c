#include "device_dense.h"
#include "dense_cases.h"
#include "gpu.h"
#include "ugly_csr.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ------------------------------------------------------------------------------------------- */

/* Small integers and halves; now and then what is awkward: no zero of the wrong sign, which min and max may
 * choose between. */
static double random_number(uint64_t *state)
{
    const double awkward[] = {
        NAN, INFINITY, -INFINITY, 1e30, -1e30, 127, 128, 255, 300.7, -129, 2147483648.0};
    uint64_t which = torc_random(state, 12 * sizeof awkward / sizeof *awkward);
    return which < sizeof awkward / sizeof *awkward ? awkward[which]
                                                    : ((double)torc_random(state, 15) - 7) / 2 + 0.0;
}

static void fill_values(void *values, uint64_t *state, torc_type type, size_t count)
{
    size_t size = torc_type_size(type);
    for (size_t p = 0; p < count; p++) {
        unsigned char *value = (unsigned char *)values + p * size;
        torc_fc64 z = {random_number(state), random_number(state)};
        if (type < TORC_OPAQUE) {
            torc_cast(value, type, &z, TORC_FC64);
        } else {
            for (size_t b = 0; b < size; b++) {
                value[b] = (unsigned char)torc_random(state, 256);
            }
        }
    }
}

static uint8_t *random_bytes(uint64_t *state, size_t count, uint64_t bound)
{
    uint8_t *bytes = malloc(count + 1);
    for (size_t p = 0; p < count; p++) {
        bytes[p] = torc_random(state, 3) == 0 ? 0 : (uint8_t)(1 + torc_random(state, bound));
    }
    return bytes;
}

static bool is_same_real(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static bool is_same(const void *x, const void *y, torc_type type)
{
    if (type != TORC_FP32 && type != TORC_FP64 && type != TORC_FC32 && type != TORC_FC64) {
        return memcmp(x, y, torc_type_size(type)) == 0;
    }
    torc_fc64 zx, zy;
    torc_cast(&zx, TORC_FC64, x, type);
    torc_cast(&zy, TORC_FC64, y, type);
    return is_same_real(zx.real, zy.real) && is_same_real(zx.imag, zy.imag);
}

/* Of two arrays over the same rubbish, those that differ; values where the bitmap, if any, is zero do not
 * matter. */
static int64_t count_differences(
    const void *x, const void *y, const uint8_t *bitmap, torc_type type, size_t count)
{
    size_t size = torc_type_size(type);
    int64_t differences = 0;
    for (size_t p = 0; p < count; p++) {
        differences +=
            (!bitmap || bitmap[p]) && !is_same((const char *)x + p * size, (const char *)y + p * size, type);
    }
    return differences;
}

/* ---- Element by element ------------------------------------------------------------------------------- */

enum { SOURCE_LINES = 9, SOURCE_PLACES = 23, WIDEST = 16 };

/* Two copies of everything: on the host, and on the device. */
typedef struct operand_pair {
    torc_elementwise_operand host, device;
} operand_pair;

static uint64_t *random_list(uint64_t *state, int64_t count, uint64_t bound)
{
    uint64_t *list = malloc((size_t)count * sizeof *list + 1);
    for (int64_t k = 0; k < count; k++) {
        list[k] = torc_random(state, bound);
    }
    return list;
}

static operand_pair make_operand(torc_gpu_copies *copies, const torc_operand_form *form, int64_t nlines,
    int64_t length, int64_t ld, uint64_t *state)
{
    operand_pair made = {{.ld = ld, .step = 1}, {.ld = ld, .step = 1}};
    torc_elementwise_operand *host = &made.host, *device = &made.device;
    size_t size = torc_type_size(form->type), count = (size_t)(nlines * ld);
    if (form->has_lists) {
        bool is_crosswise = torc_random(state, 2) == 0;
        host->ld = is_crosswise ? 1 : SOURCE_PLACES;
        host->step = is_crosswise ? SOURCE_LINES : 1;
        count = (size_t)SOURCE_LINES * SOURCE_PLACES;
        bool has_lines = nlines > SOURCE_LINES || torc_random(state, 2),
             has_places = length > SOURCE_PLACES || torc_random(state, 2);
        uint64_t *lines = has_lines ? random_list(state, nlines, SOURCE_LINES) : NULL,
                 *places = has_places ? random_list(state, length, SOURCE_PLACES) : NULL;
        host->lines = lines;
        host->places = places;
        *device = *host;
        device->lines = lines ? torc_gpu_keep(copies, lines, (size_t)nlines * sizeof *lines) : NULL;
        device->places = places ? torc_gpu_keep(copies, places, (size_t)length * sizeof *places) : NULL;
    }
    bool is_iso = form->access == TORC_ACCESS_ISO, is_value = is_iso && size <= sizeof host->value;
    if (is_value && torc_random(state, 2)) {
        fill_values(host->value, state, form->type, 1);
        memcpy(device->value, host->value, sizeof host->value);
    } else if (form->access != TORC_ACCESS_NONE) {
        size_t values = is_iso ? 1 : count;
        void *array = malloc(values * size + 1);
        fill_values(array, state, form->type, values);
        host->values = array;
        device->values = torc_gpu_keep(copies, array, values * size);
    }
    if (form->is_bitmap) {
        host->bitmap = random_bytes(state, count, 1);
        device->bitmap = torc_gpu_keep(copies, host->bitmap, count);
    }
    return made;
}

static void free_operand(const operand_pair *pair)
{
    free((void *)(uintptr_t)pair->host.values);
    free((void *)(uintptr_t)pair->host.bitmap);
    free((void *)(uintptr_t)pair->host.lines);
    free((void *)(uintptr_t)pair->host.places);
}

static void choose_scalars(
    torc_elementwise_args *args, const torc_elementwise_kernel *kernel, uint64_t *state)
{
    torc_operation_traits traits = torc_operation_get_traits(&kernel->operation);
    int64_t position = (int64_t)torc_random(state, 9) - 4;
    if (traits.thunk_type == TORC_INT64) {
        memcpy(args->thunk, &position, sizeof position);
    } else if (traits.thunk_type < TORC_OPAQUE) {
        fill_values(args->thunk, state, traits.thunk_type, 1);
    }
    if (traits.x_type < TORC_OPAQUE) {
        fill_values(args->alpha, state, traits.x_type, 1);
        fill_values(args->beta, state, traits.y_type, 1);
    }
    args->by_column = (uint8_t)torc_random(state, 2);
}

void torc_device_elementwise_check(torc_device *device, torc_device *reference,
    const torc_elementwise_kernel *kernel, int64_t nlines, int64_t length, uint64_t seed)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_gpu_copies copies = {device, {NULL}, 0};
    uint64_t state = seed + 1;
    char name[256];
    torc_elementwise_describe(name, kernel);
    /* Gaps between lines; each line begins where vectors may. */
    int64_t ld = (length + WIDEST - 1) / WIDEST * WIDEST + WIDEST;
    size_t size = torc_type_size(kernel->c_type), count = (size_t)(nlines * ld);
    torc_elementwise_args args = {.nlines = nlines, .length = length, .ldc = ld};
    choose_scalars(&args, kernel, &state);
    operand_pair a = make_operand(&copies, &kernel->a, nlines, length, ld, &state),
                 b = make_operand(&copies, &kernel->b, nlines, length, ld, &state);
    char *expected = malloc(count * size + 1), *received = malloc(count * size + 1);
    fill_values(expected, &state, kernel->c_type, count);
    uint8_t *bitmap = random_bytes(&state, count, 1), *mask = random_bytes(&state, count, 255),
            *received_bitmap = malloc(count + 1);
    void *iso = malloc(size);
    fill_values(iso, &state, kernel->c_type, 1);
    args.mask_complement = kernel->has_mask && torc_random(&state, 2);
    args.mask_replace = kernel->has_mask && kernel->c_is_bitmap &&
                        (kernel->old_access == TORC_ACCESS_NONE || torc_random(&state, 2));
    bool is_iso = kernel->old_access == TORC_ACCESS_ISO;

    torc_elementwise_args on_device = args;
    on_device.a = a.device;
    on_device.b = b.device;
    on_device.c = torc_gpu_keep(&copies, expected, count * size);
    on_device.c_bitmap = torc_gpu_keep(&copies, bitmap, count);
    on_device.mask = torc_gpu_keep(&copies, mask, count);
    on_device.old_c = is_iso ? torc_gpu_keep(&copies, iso, size) : on_device.c;
    args.a = a.host;
    args.b = b.host;
    args.c = expected;
    args.c_bitmap = bitmap;
    args.mask = mask;
    args.old_c = is_iso ? iso : expected;
    TORC_GPU_TRY(device, cuda->elementwise(device, kernel, &on_device));
    cr_assert_eq(torc_executor_reference()->elementwise(reference, kernel, &args), TORC_SUCCESS, "%s", name);
    TORC_GPU_TRY(device, cuda->download(device, received, on_device.c, count * size));
    TORC_GPU_TRY(device, cuda->download(device, received_bitmap, on_device.c_bitmap, count));
    cr_expect_eq(
        memcmp(received_bitmap, bitmap, count), 0, "%s, %ldx%ld: presence", name, (long)nlines, (long)length);
    int64_t differences =
        count_differences(received, expected, kernel->c_is_bitmap ? bitmap : NULL, kernel->c_type, count);
    cr_expect_eq(differences, 0, "%s, %ldx%ld: %ld values differ", name, (long)nlines, (long)length,
        (long)differences);
    torc_gpu_release(&copies);
    free_operand(&a);
    free_operand(&b);
    free(expected);
    free(received);
    free(bitmap);
    free(received_bitmap);
    free(mask);
    free(iso);
}

/* ---- Reductions --------------------------------------------------------------------------------------- */

static int64_t parts(int64_t count, int64_t most)
{
    return count > most ? (count + most - 1) / most : 1;
}

void torc_device_reduce_check(torc_device *device, torc_device *reference, const torc_reduce_kernel *kernel,
    int64_t nlines, int64_t length, uint64_t seed)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_gpu_copies copies = {device, {NULL}, 0};
    uint64_t state = seed + 1;
    char name[256];
    torc_reduce_describe(name, kernel);
    torc_reduce_args args = {.nlines = nlines, .length = length};
    args.ld = length + (int64_t)torc_random(&state, 6);
    int64_t ldc = kernel->is_across ? length : parts(length, TORC_REDUCE_CHUNK),
            lines = kernel->is_across ? parts(nlines, TORC_REDUCE_STRIP) : nlines;
    args.ldc = ldc;
    torc_type type = kernel->reduction.type;
    size_t count = (size_t)(nlines * args.ld), sums = (size_t)(lines * ldc);
    size_t a_size = torc_type_size(kernel->a_type), size = torc_type_size(type);
    size_t values = kernel->a_access == TORC_ACCESS_ISO ? 1 : count;
    void *a = malloc(values * a_size + 1);
    fill_values(a, &state, kernel->a_type, values);
    uint8_t *bitmap = random_bytes(&state, count, 1), *expected_bitmap = calloc(sums + 1, 1),
            *received_bitmap = malloc(sums + 1);
    char *expected = calloc(sums + 1, size), *received = malloc(sums * size + 1);

    torc_reduce_args on_device = args;
    on_device.a = torc_gpu_keep(&copies, a, values * a_size);
    on_device.a_bitmap = torc_gpu_keep(&copies, bitmap, count);
    on_device.c = torc_gpu_keep(&copies, expected, sums * size);
    on_device.c_bitmap = torc_gpu_keep(&copies, expected_bitmap, sums);
    args.a = a;
    args.a_bitmap = bitmap;
    args.c = expected;
    args.c_bitmap = expected_bitmap;
    TORC_GPU_TRY(device, cuda->reduce(device, kernel, &on_device));
    cr_assert_eq(torc_executor_reference()->reduce(reference, kernel, &args), TORC_SUCCESS, "%s", name);
    TORC_GPU_TRY(device, cuda->download(device, received, on_device.c, sums * size));
    TORC_GPU_TRY(device, cuda->download(device, received_bitmap, on_device.c_bitmap, sums));
    cr_expect_eq(memcmp(received_bitmap, expected_bitmap, sums), 0, "%s, %ldx%ld: presence", name,
        (long)nlines, (long)length);
    int64_t differences = count_differences(received, expected, NULL, type, sums);
    cr_expect_eq(
        differences, 0, "%s, %ldx%ld: %ld sums differ", name, (long)nlines, (long)length, (long)differences);
    torc_gpu_release(&copies);
    free(a);
    free(bitmap);
    free(expected);
    free(expected_bitmap);
    free(received);
    free(received_bitmap);
}
