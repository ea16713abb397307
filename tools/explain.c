/* explain.c: torc explain FILE.mtx --n N --semiring S: which kernel would compute that product, and why. The
 * columns of B and C lie as GraphBLAS's full matrices by row do, and nothing is computed. */
#include "tool.h"

#include "bit_packing.h"
#include "explanation.h"
#include "footprint.h"
#include "partition.h"
#include "product_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double COPIED = .875; /* of the memory's bandwidth, by a copy on an H200: bench/results/ */

/* Statistics as a sparse operand has them. */
static void measure(torc_statistics *statistics, const torc_file_matrix *m)
{
    torc_partition partition;
    torc_window windows[TORC_WINDOWS];
    torc_partition_measure(&partition, m->row_ptr, 64, m->nrows, m->ncols);
    torc_footprint_count(windows, m->col_idx, m->row_ptr[m->nrows], m->nrows, m->ncols);
    *statistics = partition.statistics;
    torc_footprint_set(statistics, windows);
}

/* What the search says of schedules with the matrix in the kernel's text, where it is small enough. */
static void search_schedules(torc_explanation *e, const torc_file_matrix *m, torc_semiring semiring)
{
    int64_t nnz = m->row_ptr[m->nrows];
    bool is_real = semiring.type == TORC_FP32 || semiring.type == TORC_FP64;
    torc_candidate_schedule *list = malloc(TORC_MOST_SCHEDULES * sizeof *list);
    uint32_t *row_ptr = malloc(((size_t)m->nrows + 1) * sizeof *row_ptr);
    if (is_real && m->has_values && torc_search_may_gain(m->nrows, nnz) && list && row_ptr) {
        for (int64_t i = 0; i <= m->nrows; i++) {
            row_ptr[i] = (uint32_t)m->row_ptr[i];
        }
        torc_search_problem problem = {{m->nrows, m->ncols, row_ptr, m->col_idx}, e->ncols,
            torc_type_size(semiring.type), e->problem.device};
        int count = torc_search_schedules(list, &e->nkept, &problem);
        for (int i = 0; i < count; i++) {
            e->verdicts[list[i].verdict]++;
        }
        for (int i = 0; i < TORC_SHOWN_SCHEDULES && i < e->nkept; i++) {
            e->schedules[i] = list[i];
        }
        e->nschedules = count;
    }
    free(list);
    free(row_ptr);
}

/* The device that there is, or an H200. */
static void look_at_device(torc_explanation *e, torc_context *described)
{
    torc_options options;
    torc_options_from_environment(&options);
    torc_context *context = NULL;
    torc_device_info info = {0};
    if (torc_context_create(&context, &options) == TORC_SUCCESS) {
        torc_context_info(&info, context);
    }
    torc_context_destroy(context);
    e->rule = options.kernel ? options.kernel : "";
    e->is_assumed = info.multiprocessors == 0;
    snprintf(e->device, sizeof e->device, "%s", e->is_assumed ? "NVIDIA H200" : info.name);
    *described = (torc_context){.facts = torc_device_facts_of(&info), .precision = options.precision};
}

/* As torc_spmm would ask. */
static void pose(torc_explanation *e, torc_semiring semiring, bool has_values, torc_context *context)
{
    static const torc_update overwrite = {0};
    torc_traits traits = torc_semiring_traits(semiring);
    torc_sparse A = {.context = context,
        .type = semiring.type,
        .access = has_values ? TORC_ACCESS_ARRAY : TORC_ACCESS_ISO,
        .csr.wide_offsets = e->rows.nnz > UINT32_MAX,
        .partition.statistics = e->rows};
    torc_dense B = {e->rows.ncols, e->ncols, e->ncols, TORC_ROW_MAJOR, semiring.type, false, NULL, NULL};
    torc_dense C = {e->rows.nrows, e->ncols, e->ncols, TORC_ROW_MAJOR, traits.z_type, false, NULL, NULL};
    e->is_packed = torc_packing_pays(&C, semiring, &A, &B);
    free(A.selected);
    if (e->is_packed) {
        B.ncols = B.ld = C.ncols = C.ld = (e->ncols + TORC_WORD_COLUMNS - 1) / TORC_WORD_COLUMNS;
        B.type = C.type = TORC_UINT64;
    }
    e->problem = torc_problem_of(&C, semiring, &A, &B, &overwrite, e->is_packed);
    e->problem.rows = &e->rows;
}

static void answer(torc_explanation *e)
{
    torc_floor bytes = torc_floor_of(&e->problem);
    e->bandwidth = COPIED * e->problem.device.bandwidth;
    e->compulsory = bytes.compulsory / e->bandwidth;
    e->gather = bytes.gather / e->bandwidth;
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    e->count = torc_rank_kernels(list, &e->problem);
    for (int i = 0; i < e->count; i++) {
        e->candidates[i].kernel = list[i];
        e->candidates[i].time = torc_predict(&list[i], &e->problem, &torc_measured_rates);
        torc_kernel_name(e->candidates[i].name, &list[i]);
    }
    const struct {
        const char *rule;
        char *name;
    } rules[] = {{e->rule, e->chosen}, {"yang", e->yang}, {"huang", e->huang}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        torc_spmm_kernel kernel = torc_select_kernel(&e->problem, rules[i].rule);
        torc_kernel_name(rules[i].name, &kernel);
    }
}

int torc_explain(int argc, char **argv)
{
    torc_product_question asked;
    torc_file_matrix matrix;
    torc_context context;
    int status = torc_product_parse(&asked, argc, argv);
    if (status != 0) {
        return status;
    }
    status = torc_file_matrix_read(&matrix, &asked);
    if (status == 0) {
        torc_explanation e = {.path = asked.path, .semiring = asked.semiring_name, .ncols = asked.ncols};
        measure(&e.rows, &matrix);
        look_at_device(&e, &context);
        pose(&e, asked.semiring, matrix.has_values, &context);
        answer(&e);
        search_schedules(&e, &matrix, asked.semiring);
        (asked.is_json ? torc_explanation_print_json : torc_explanation_print)(&e);
    }
    torc_file_matrix_free(&matrix);
    return status;
}
