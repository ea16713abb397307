#include "constant_cases.h"
#include "schedule.h"
#include "ugly_csr.h"
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 150, MOST_LENGTH = 6, ENTRIES = ROWS * MOST_LENGTH };

static uint32_t row_ptr[ROWS + 1], col_idx[ENTRIES], order[ROWS];
static float fp32[ENTRIES];
static double fp64[ENTRIES];

/* What must not get lost on its way as text, alone in the first rows. */
static const double special[] = {-0.0, 0x1p-149, 1. / 3, 0x1.fffffep127};
enum { SPECIAL = sizeof special / sizeof special[0] };

/* Else whole numbers, whose sums are exact in any order. */
static void set_value(uint32_t entry, uint64_t drawn)
{
    double value = entry < SPECIAL ? special[entry] : (double)(int)(drawn % 9) - 4;
    fp64[entry] = value;
    fp32[entry] = (float)value;
}

static void fill(void)
{
    uint64_t state = 5;
    uint32_t nnz = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t length = i < SPECIAL ? 1 : i % 13 == 7 ? 0 : 1 + (uint32_t)torc_random(&state, MOST_LENGTH);
        uint32_t first = (uint32_t)torc_random(&state, ROWS);
        for (uint32_t p = 0; p < length; p++) { /* a stride that is prime to ROWS: no column twice */
            set_value(nnz, torc_random(&state, 1 << 20));
            col_idx[nnz++] = (first + p * (i % 2 ? 143 : 7)) % ROWS;
        }
        row_ptr[i + 1] = nnz;
    }
}

torc_csr torc_constant_matrix(torc_type type)
{
    fill();
    return (torc_csr){.nrows = ROWS,
        .ncols = ROWS,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = type == TORC_FP32 ? (const void *)fp32 : fp64,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = type};
}

static const struct {
    torc_semiring semiring;
    torc_schedule schedule;
    int64_t ncols;
} cases[TORC_CONSTANT_CASES - TORC_TUNED_CASES] = {
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, {1, 32, false}, 1},
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, {4, 64, false}, 64},
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, {64, 32, true}, 65},
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, {7, 32, true}, 33},
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, {16, 96, false}, 96},
    {{TORC_MIN_MONOID, TORC_PLUS, TORC_FP32}, {5, 32, true}, 31},
    {{TORC_MAX_MONOID, TORC_MINUS, TORC_FP64}, {3, 64, false}, 40},
    {{TORC_MIN_MONOID, TORC_RDIV, TORC_FP32}, {8, 32, false}, 32},
};

/* Of all schedules the one that comes at that place. */
static torc_candidate_schedule search(int place)
{
    static torc_candidate_schedule list[TORC_MOST_SCHEDULES];
    int kept = 0;
    torc_search_problem problem = {{ROWS, ROWS, row_ptr, col_idx}, TORC_TUNED_COLUMNS, sizeof(float),
        torc_device_complete((torc_device_facts){.compute_capability = 90})};
    if (torc_search_schedules(list, &kept, &problem) == 0 || kept <= place) {
        fprintf(stderr, "constant_cases: %d schedules are kept\n", kept);
        exit(1);
    }
    return list[place];
}

torc_constant_kernel torc_constant_case(int which)
{
    int tuned = which - (TORC_CONSTANT_CASES - TORC_TUNED_CASES);
    torc_semiring semiring = tuned < 0 ? cases[which].semiring : cases[0].semiring;
    torc_csr csr = torc_constant_matrix(semiring.type);
    torc_schedule schedule = tuned < 0 ? cases[which].schedule : search(tuned).schedule;
    torc_host_csr A = {ROWS, ROWS, row_ptr, col_idx};
    if (torc_arrange_rows(order, &A, &schedule) != TORC_SUCCESS) {
        fprintf(stderr, "constant_cases: no memory\n");
        exit(1);
    }
    return (torc_constant_kernel){
        .semiring = semiring,
        .nrows = ROWS,
        .ncols = tuned < 0 ? cases[which].ncols : TORC_TUNED_COLUMNS,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = csr.values,
        .order = order,
        .tile_rows = schedule.rows,
        .threads = schedule.columns,
        .registers = torc_counted_registers(schedule.rows, torc_type_size(semiring.type)),
    };
}
