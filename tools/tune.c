/* tune.c: torc tune FILE.mtx --n N --semiring S: which kernel computes that product in the least time, by the
 * clock; what is found is kept, so that torc_sparse_tune finds it by the content of the matrix. Then the same
 * with the matrix's rows reordered, and how many products pay for that. */
#include "tool.h"

#include "json_writer.h"
#include "product_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of the type that the semiring is on; one at least, which a matrix of one value has. */
static void *make_values(const torc_file_matrix *m, torc_type type)
{
    size_t size = torc_type_size(type), count = (size_t)m->row_ptr[m->nrows];
    char *values = calloc(count + 1, size);
    for (size_t p = 0; values && p < count; p++) {
        torc_cast(values + p * size, type, &m->values[p], TORC_FP64);
    }
    return values;
}

/* What was timed: with rows as they are, and in an order of torc's. */
typedef struct findings {
    torc_tuning as_it_is, reordered;
    torc_reordering order;
} findings;

static double fastest_of(const torc_tuning *tuning)
{
    return tuning->count > 0 ? tuning->timings[tuning->chosen].measured : 0;
}

/* So many products gain what it took to reorder; 0: none gain. A hundredth of a product is noise. */
static double paying_products(const findings *found)
{
    double before = fastest_of(&found->as_it_is), gain = before - fastest_of(&found->reordered);
    return gain > before / 100 ? ceil(found->order.seconds / gain) : 0;
}

static void print_timings(const torc_tuning *tuning)
{
    for (int i = 0; i < tuning->count; i++) {
        const torc_timing *timing = &tuning->timings[i];
        printf("%-28s %12.2f %12.2f%s%s\n", timing->kernel, 1e6 * timing->predicted, 1e6 * timing->measured,
            i == 0 ? "  selected" : "", i == tuning->chosen ? "  fastest" : "");
    }
}

static void print(const torc_product_question *asked, const findings *found)
{
    printf("%s times %lld columns, %s\n%-28s %12s %12s\n", asked->path, (long long)asked->ncols,
        asked->semiring_name, "kernel", "predicted us", "measured us");
    print_timings(&found->as_it_is);
    printf("rows reordered in %.3f s; blocks of 8 x 8: %lld, before %lld\n", found->order.seconds,
        (long long)found->order.bricks_after, (long long)found->order.bricks_before);
    print_timings(&found->reordered);
    double products = paying_products(found);
    if (products > 0) {
        printf("torc_sparse_reorder pays after %.0f products\n", products);
    } else {
        printf("torc_sparse_reorder does not pay: products take no less time\n");
    }
}

static void print_json_timings(torc_json *json, const char *name, const torc_tuning *tuning)
{
    torc_json_open(json, name, '[');
    for (int i = 0; i < tuning->count; i++) {
        torc_json_open(json, NULL, '{');
        torc_json_string(json, "kernel", tuning->timings[i].kernel);
        torc_json_number(json, "predicted_us", 1e6 * tuning->timings[i].predicted);
        torc_json_number(json, "measured_us", 1e6 * tuning->timings[i].measured);
        torc_json_close(json, '}');
    }
    torc_json_close(json, ']');
}

static void print_json(const torc_product_question *asked, const findings *found)
{
    torc_json json = {0};
    const torc_tuning *tuning = &found->as_it_is;
    torc_json_open(&json, NULL, '{');
    torc_json_string(&json, "matrix", asked->path);
    torc_json_string(&json, "semiring", asked->semiring_name);
    torc_json_number(&json, "n", (double)asked->ncols);
    print_json_timings(&json, "timings", tuning);
    torc_json_string(&json, "selected", tuning->count > 0 ? tuning->timings[0].kernel : "");
    torc_json_string(&json, "fastest", tuning->count > 0 ? tuning->timings[tuning->chosen].kernel : "");
    torc_json_open(&json, "reordered", '{');
    torc_json_number(&json, "seconds", found->order.seconds);
    torc_json_number(&json, "bricks_before", (double)found->order.bricks_before);
    torc_json_number(&json, "bricks_after", (double)found->order.bricks_after);
    print_json_timings(&json, "timings", &found->reordered);
    torc_json_number(&json, "pays_after", paying_products(found));
    torc_json_close(&json, '}');
    torc_json_close(&json, '}');
}

/* 0, or the exit status; the reason has been said. */
static int tune(findings *found, const torc_product_question *asked, const torc_file_matrix *m)
{
    torc_options options;
    torc_context *context = NULL;
    torc_sparse *A = NULL;
    void *values = make_values(m, asked->semiring.type);
    torc_csr csr = {m->nrows, m->ncols, m->row_ptr, m->col_idx, values, 64, 32, asked->semiring.type,
        !m->has_values, NULL};
    torc_options_from_environment(&options);
    torc_status status = values ? torc_context_create(&context, &options) : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        status = torc_sparse_create(&A, context, &csr);
    }
    if (status == TORC_SUCCESS) {
        status = torc_sparse_tune(&found->as_it_is, A, asked->semiring, false, asked->ncols);
    }
    if (status == TORC_SUCCESS) {
        status = torc_sparse_reorder(&found->order, A, false);
    }
    if (status == TORC_SUCCESS) {
        status = torc_sparse_tune(&found->reordered, A, asked->semiring, false, asked->ncols);
    }
    const char *reason = torc_context_error(context);
    int exit_status = status == TORC_SUCCESS ? 0
                                             : torc_product_fail("tune", asked->path,
                                                   reason[0] ? reason : torc_status_text(status));
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    free(values);
    return exit_status;
}

int torc_tune(int argc, char **argv)
{
    torc_product_question asked;
    torc_file_matrix matrix;
    findings found;
    int status = torc_product_parse(&asked, argc, argv);
    if (status != 0) {
        return status;
    }
    status = torc_file_matrix_read(&matrix, &asked);
    if (status == 0) {
        status = tune(&found, &asked, &matrix);
    }
    if (status == 0) {
        (asked.is_json ? print_json : print)(&asked, &found);
    }
    torc_file_matrix_free(&matrix);
    return status;
}
