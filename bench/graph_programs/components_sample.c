/* components_sample.c: two passes over the rows for each matrix: how long they become, and their entries. */
#include "components_sample.h"

#include "bench_graphblas.h"
#include "bench_random.h"

#include <stdlib.h>

enum { SAMPLES = 4, DRAWS = 864 };

typedef struct rows {
    GrB_Index *row_ptr, *columns;
    void *values;
    GrB_Index row_ptr_size, columns_size, values_size;
    bool is_iso, is_jumbled;
} rows;

static rows unpack(GrB_Matrix S)
{
    rows r;
    TRY(GxB_Matrix_unpack_CSR(S, &r.row_ptr, &r.columns, &r.values, &r.row_ptr_size, &r.columns_size,
        &r.values_size, &r.is_iso, &r.is_jumbled, NULL));
    return r;
}

static void pack(GrB_Matrix S, rows *r)
{
    TRY(GxB_Matrix_pack_CSR(S, &r->row_ptr, &r->columns, &r->values, r->row_ptr_size, r->columns_size,
        r->values_size, r->is_iso, r->is_jumbled, NULL));
}

/* Row i is to have row_ptr[i+1] entries: room for them. */
static rows rows_of_lengths(GrB_Index *row_ptr, GrB_Index n)
{
    for (GrB_Index i = 0; i < n; i++) {
        row_ptr[i + 1] += row_ptr[i];
    }
    rows r = {
        .row_ptr = row_ptr, .row_ptr_size = (n + 1) * sizeof *row_ptr, .values_size = 1, .is_iso = true};
    r.columns_size = (row_ptr[n] + 1) * sizeof *r.columns;
    r.columns = bench_allocate(row_ptr[n] + 1, sizeof *r.columns);
    bool *present = bench_allocate(1, sizeof *present);
    *present = true;
    r.values = present;
    return r;
}

static GrB_Matrix matrix_of(rows *r, GrB_Index n)
{
    GrB_Matrix T;
    TRY(GrB_Matrix_new(&T, GrB_BOOL, n, n));
    pack(T, r);
    return T;
}

GrB_Matrix bench_sample_first(GrB_Matrix S, GrB_Index n)
{
    GrB_Index nedges;
    TRY(GrB_Matrix_nvals(&nedges, S));
    if (nedges <= 2 * SAMPLES * n) {
        return NULL;
    }
    rows all = unpack(S);
    GrB_Index *row_ptr = bench_allocate(n + 1, sizeof *row_ptr);
#pragma omp parallel for
    for (GrB_Index i = 0; i < n; i++) {
        GrB_Index length = all.row_ptr[i + 1] - all.row_ptr[i];
        row_ptr[i + 1] = length < SAMPLES ? length : SAMPLES;
    }
    rows first = rows_of_lengths(row_ptr, n);
#pragma omp parallel for
    for (GrB_Index i = 0; i < n; i++) {
        for (GrB_Index p = first.row_ptr[i], q = all.row_ptr[i]; p < first.row_ptr[i + 1]; p++, q++) {
            first.columns[p] = all.columns[q];
        }
    }
    pack(S, &all);
    return matrix_of(&first, n);
}

static int compare(const void *x, const void *y)
{
    GrB_Index a = *(const GrB_Index *)x, b = *(const GrB_Index *)y;
    return (a > b) - (a < b);
}

/* The component that most of some randomly drawn vertices are in. */
static GrB_Index largest_component(const GrB_Index *parent, GrB_Index n)
{
    GrB_Index drawn[DRAWS], largest = 0;
    uint64_t state = 1;
    int longest = 0;
    for (int d = 0; d < DRAWS; d++) {
        drawn[d] = parent[bench_random(&state) % n];
    }
    qsort(drawn, DRAWS, sizeof drawn[0], compare);
    for (int d = 0, run = 0; d < DRAWS; d++) {
        run = d > 0 && drawn[d] == drawn[d - 1] ? run + 1 : 1;
        if (run > longest) {
            longest = run;
            largest = drawn[d];
        }
    }
    return largest;
}

GrB_Matrix bench_sample_rest(GrB_Matrix S, GrB_Index n, const GrB_Index *parent)
{
    GrB_Index largest = largest_component(parent, n), *row_ptr = bench_allocate(n + 1, sizeof *row_ptr);
    rows all = unpack(S);
#pragma omp parallel for
    for (GrB_Index i = 0; i < n; i++) {
        bool leads_in = false;
        for (GrB_Index q = all.row_ptr[i]; parent[i] != largest && q < all.row_ptr[i + 1]; q++) {
            bool is_inside = parent[all.columns[q]] == largest;
            row_ptr[i + 1] += !is_inside;
            leads_in = leads_in || is_inside;
        }
        if (leads_in) { /* there and back */
            row_ptr[i + 1]++;
#pragma omp atomic
            row_ptr[largest + 1]++;
        }
    }
    rows rest = rows_of_lengths(row_ptr, n);
    GrB_Index back = rest.row_ptr[largest];
#pragma omp parallel for
    for (GrB_Index i = 0; i < n; i++) {
        GrB_Index p = rest.row_ptr[i];
        for (GrB_Index q = all.row_ptr[i]; parent[i] != largest && q < all.row_ptr[i + 1]; q++) {
            if (parent[all.columns[q]] != largest) {
                rest.columns[p++] = all.columns[q];
            }
        }
        if (parent[i] != largest && p < rest.row_ptr[i + 1]) {
            GrB_Index place;
#pragma omp atomic capture
            place = back++;
            rest.columns[p] = largest;
            rest.columns[place] = i;
        }
    }
    rest.is_jumbled = true; /* `largest` comes last in its rows; its own entries come in any order */
    pack(S, &all);
    return matrix_of(&rest, n);
}
