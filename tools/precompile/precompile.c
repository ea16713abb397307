/* precompile.c: torc-precompile FOLDER PRODUCTS ARCHITECTURE...: the kernels that programs use most, compiled
 * ahead of time into a folder that is installed with the library (kernel_cache.h). Everything else is
 * compiled at run time, in the same way. Needs no GPU.
 *
 * Which ones: for each of the first PRODUCTS of frequent_products.h ("all" of them), what torc_select_kernel
 * chooses on each architecture at each width, for few rows and for many, short and long, alike and not; and
 * those of frequent_dense.h. */
#include "compile.h"
#include "frequent_dense.h"
#include "frequent_products.h"
#include "kernel_cache.h"
#include "kernel_source.h"
#include "selection.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALIGNMENT = 256, MAX_KERNELS = 2048 };

static const int64_t widths[] = {1, 4, 8, 16, 32, 64, 128};

typedef struct kernel_list {
    char *sources[MAX_KERNELS];
    int count;
} kernel_list;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "torc-precompile: %s: %s\n", what, why);
    exit(1);
}

static void add_source(void *to, const char *source)
{
    kernel_list *list = to;
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->sources[i], source) == 0) {
            return;
        }
    }
    if (list->count == MAX_KERNELS || !(list->sources[list->count++] = strdup(source))) {
        die("kernels", "too many");
    }
}

static void release(kernel_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->sources[i]);
    }
}

/* About as many entries in each row, or very different numbers; all columns different, or few. */
static torc_statistics rows_of(int64_t nrows, int64_t mean_row, bool is_skewed, bool is_local)
{
    return (torc_statistics){
        .nrows = nrows,
        .ncols = nrows,
        .nnz = mean_row * nrows,
        .empty_rows = is_skewed ? nrows / 2 : 0,
        .max_row = is_skewed ? nrows / 32 + mean_row : 2 * mean_row,
        .mean_row = (double)mean_row,
        .deviation_row = is_skewed ? 9 * (double)mean_row : sqrt((double)mean_row),
        .near_footprint = is_local ? .1 : 1,
        .far_footprint = is_local ? .05 : 1,
        .sector_footprint = is_local ? .25 : 1,
    };
}

static void add_product(
    kernel_list *list, int which, int64_t ncols, const torc_statistics *rows, int architecture)
{
    torc_semiring semiring = {torc_frequent_products[which].add, torc_frequent_products[which].multiply,
        torc_frequent_products[which].type};
    torc_traits traits = torc_semiring_traits(semiring);
    bool is_frontier = torc_frequent_products[which].is_frontier,
         is_packed = traits.reads_b && semiring.type == TORC_BOOL,
         is_pattern = torc_frequent_products[which].a_is_pattern;
    torc_access old = torc_frequent_products[which].old;
    bool has_accum = old != TORC_ACCESS_NONE;
    torc_type b_type = is_packed ? TORC_UINT64 : traits.y_type,
              c_type = is_packed ? TORC_UINT64 : traits.z_type;
    bool has_array = traits.reads_b && !torc_frequent_products[which].b_is_iso;
    size_t b_size = has_array ? torc_type_size(b_type) : is_frontier ? 1 : 0;
    torc_problem problem = {
        .kernel =
            {
                .semiring = semiring,
                .a_type = is_pattern ? TORC_BOOL : traits.x_type,
                .b_type = b_type,
                .a_access = !traits.reads_a             ? TORC_ACCESS_NONE
                            : is_frontier || is_pattern ? TORC_ACCESS_ISO
                                                        : TORC_ACCESS_ARRAY,
                .b_access = has_array        ? TORC_ACCESS_ARRAY
                            : traits.reads_b ? TORC_ACCESS_ISO
                                             : TORC_ACCESS_NONE,
                .b_is_bitmap = is_frontier,
                .c_is_bitmap = is_frontier,
                .has_mask = is_frontier,
                .has_accum = has_accum,
                .accum = has_accum ? torc_frequent_products[which].accum : TORC_FIRST,
                .old_access = old,
                .is_packed = is_packed,
            },
        .ncols = ncols,
        .b_size = b_size,
        .c_size = torc_type_size(c_type),
        .b_alignment = ALIGNMENT | (uint64_t)ncols * b_size,
        .c_alignment = ALIGNMENT | (uint64_t)ncols * torc_type_size(c_type),
        .is_everywhere = !is_frontier,
        .rows = rows,
        .device = torc_device_complete((torc_device_facts){.compute_capability = architecture}),
    };
    torc_spmm_kernel kernel = torc_select_kernel(&problem, "");
    char source[TORC_SOURCE_SIZE];
    if (torc_spmm_source(source, &kernel) != TORC_SUCCESS) {
        die("kernel", "no source");
    }
    add_source(list, source);
}

static void store(const torc_kernel_cache *cache, const char *source, int architecture)
{
    char key[TORC_KEY_SIZE], log[TORC_LOG_SIZE];
    torc_image image;
    if (!torc_compile_key(key, source, architecture, torc_compiler_built_with())) {
        die("key", "too long");
    }
    if (torc_compile(&image, log, source, architecture) != TORC_SUCCESS) {
        die("compile", log);
    }
    if (!torc_kernel_cache_store(cache, key, &image)) {
        die(cache->path, "cannot be written");
    }
    torc_image_release(&image);
}

/* Kernels go round among as many processes as there are processors. */
static bool store_all(const torc_kernel_cache *cache, const kernel_list *list, int architecture)
{
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    bool is_stored = true;
    for (int worker = 0; worker < workers; worker++) {
        pid_t pid = fork();
        if (pid < 0) {
            die("fork", "failed");
        }
        if (pid == 0) {
            for (int i = worker; i < list->count; i += workers) {
                store(cache, list->sources[i], architecture);
            }
            _exit(0);
        }
    }
    for (int worker = 0; worker < workers; worker++) {
        int status;
        is_stored = wait(&status) >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_stored;
    }
    return is_stored;
}

static void list_kernels(kernel_list *list, int products, int architecture)
{
    for (int which = 0; which < products; which++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            for (int64_t nrows = 1 << 14; nrows <= 1 << 20; nrows <<= 3) {
                for (int64_t mean_row = 2; mean_row <= 512; mean_row *= 2) {
                    for (int kind = 0; kind < 4; kind++) {
                        torc_statistics rows = rows_of(nrows, mean_row, kind % 2, kind / 2);
                        add_product(list, which, widths[w], &rows, architecture);
                    }
                }
            }
        }
    }
    torc_frequent_dense(add_source, list);
}

int main(int argc, char **argv)
{
    torc_kernel_cache cache;
    if (argc < 4) {
        die("usage", "torc-precompile FOLDER PRODUCTS ARCHITECTURE...");
    }
    char *end = argv[2] + strlen(argv[2]);
    long products = strcmp(argv[2], "all") == 0 ? TORC_FREQUENT_PRODUCTS : strtol(argv[2], &end, 10);
    if (end == argv[2] || *end || products < 0 || products > TORC_FREQUENT_PRODUCTS) {
        die(argv[2], "not a number of frequent products");
    }
    torc_kernel_cache_open(&cache, argv[1]);
    if (cache.folder < 0) {
        die(argv[1], "cannot be used");
    }
    if (torc_compiler_version() != torc_compiler_built_with()) {
        die("the run-time compiler", "not of the toolkit that torc was built with");
    }
    bool is_stored = true;
    for (int i = 3; i < argc; i++) {
        kernel_list list = {.count = 0};
        list_kernels(&list, (int)products, atoi(argv[i]));
        is_stored = store_all(&cache, &list, atoi(argv[i])) && is_stored;
        printf("%d kernels for sm_%s in %s\n", list.count, argv[i], argv[1]);
        release(&list);
    }
    torc_kernel_cache_close(&cache);
    return !is_stored;
}
