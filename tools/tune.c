/* tune.c: torc tune FILE.mtx --n N --semiring S: which kernel computes that product in the least time, by the
 * clock; what is found is kept, so that torc_sparse_tune finds it by the content of the matrix. */
#include "tool.h"

#include "json_writer.h"
#include "product_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of the type that the semiring is on. */
static void *make_values(const torc_file_matrix *m, torc_type type)
{
    size_t size = torc_type_size(type), count = (size_t)m->row_ptr[m->nrows];
    char *values = malloc(count * size + 1);
    for (size_t p = 0; values && p < count; p++) {
        torc_cast(values + p * size, type, &m->values[p], TORC_FP64);
    }
    return values;
}

static void print(const torc_product_question *asked, const torc_tuning *tuning)
{
    printf("%s times %lld columns, %s\n%-26s %12s %12s\n", asked->path, (long long)asked->ncols,
        asked->semiring_name, "kernel", "predicted us", "measured us");
    for (int i = 0; i < tuning->count; i++) {
        const torc_timing *timing = &tuning->timings[i];
        printf("%-26s %12.2f %12.2f%s%s\n", timing->kernel, 1e6 * timing->predicted, 1e6 * timing->measured,
            i == 0 ? "  selected" : "", i == tuning->chosen ? "  fastest" : "");
    }
}

static void print_json(const torc_product_question *asked, const torc_tuning *tuning)
{
    torc_json json = {0};
    torc_json_open(&json, NULL, '{');
    torc_json_string(&json, "matrix", asked->path);
    torc_json_string(&json, "semiring", asked->semiring_name);
    torc_json_number(&json, "n", (double)asked->ncols);
    torc_json_open(&json, "timings", '[');
    for (int i = 0; i < tuning->count; i++) {
        torc_json_open(&json, NULL, '{');
        torc_json_string(&json, "kernel", tuning->timings[i].kernel);
        torc_json_number(&json, "predicted_us", 1e6 * tuning->timings[i].predicted);
        torc_json_number(&json, "measured_us", 1e6 * tuning->timings[i].measured);
        torc_json_close(&json, '}');
    }
    torc_json_close(&json, ']');
    torc_json_string(&json, "selected", tuning->count > 0 ? tuning->timings[0].kernel : "");
    torc_json_string(&json, "fastest", tuning->count > 0 ? tuning->timings[tuning->chosen].kernel : "");
    torc_json_close(&json, '}');
}

/* 0, or the exit status; the reason has been said. */
static int tune(torc_tuning *tuning, const torc_product_question *asked, const torc_file_matrix *m)
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
        status = torc_sparse_tune(tuning, A, asked->semiring, false, asked->ncols);
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
    torc_tuning tuning;
    int status = torc_product_parse(&asked, argc, argv);
    if (status != 0) {
        return status;
    }
    status = torc_file_matrix_read(&matrix, &asked);
    if (status == 0) {
        status = tune(&tuning, &asked, &matrix);
    }
    if (status == 0) {
        (asked.is_json ? print_json : print)(&asked, &tuning);
    }
    torc_file_matrix_free(&matrix);
    return status;
}
