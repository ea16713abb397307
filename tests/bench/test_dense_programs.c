/* test_dense_programs.c: the bench's programs on dense data of vertices, and its single products, beside the
 * obvious computation; once more under the drop-in, as test_graph_programs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_require.h"
#include "program_check.h"

static const double fp32 = 0x1p-24, fp64 = 0x1p-53;

TestSuite(dense_programs, .init = begin_graphblas, .fini = end_graphblas);

static double *new_array(size_t size, double value)
{
    double *array = bench_allocate(size, sizeof *array);
    for (size_t p = 0; p < size; p++) {
        array[p] = value;
    }
    return array;
}

static void check_labels(const checked_run *it)
{
    size_t size = it->n * it->batch;
    double *labels = dense_of(it->input.labels, NULL), *F = new_array(size, 1 / (double)it->batch);
    double *T = new_array(size, 0), *ones = new_array(it->n, 1), *degree = new_array(it->n, 0);
    plain_product(degree, it->graph.link, ones, it->n, 1);
    for (int step = 0; step <= it->answer.steps; step++) {
        for (size_t p = 0; p < size; p++) {
            double spread = step ? T[p] / fmax(degree[p / it->batch], 1) : F[p];
            F[p] = isnan(labels[p]) ? spread : labels[p];
        }
        plain_product(T, it->graph.link, F, it->n, it->batch);
    }
    for (size_t p = 0; p < size; p++) {
        expect_near(it, p, it->values[p], F[p], 2 * it->answer.steps * (it->longest + 3) * fp32 * F[p]);
    }
    free(labels);
    free(F);
    free(T);
    free(ones);
    free(degree);
}

Test(dense_programs, labels_spread)
{
    expect_on_every_graph("label-propagation", check_labels);
}

static void check_network(const checked_run *it)
{
    size_t K = it->batch, size = it->n * K;
    double *H = dense_of(it->input.features, NULL), *T = new_array(size, 0);
    size_t clipped = 0;
    for (int layer = 0; layer < BENCH_LAYERS; layer++) {
        double *W = dense_of(it->input.layers[layer], NULL);
        memset(T, 0, size * sizeof *T);
        for (size_t p = 0; p < size * K; p++) {
            size_t row = p / K / K, k = p / K % K, j = p % K;
            T[row * K + j] += H[row * K + k] * W[k * K + j];
        }
        plain_product(H, it->graph.link, T, it->n, K);
        for (size_t p = 0; p < size; p++) {
            clipped += H[p] < 0 || H[p] > 4;
            H[p] = fmin(fmax(H[p], 0), 4);
        }
        free(W);
    }
    for (size_t p = 0; p < size; p++) {
        expect_equal(it, p, it->values[p], H[p]);
    }
    cr_expect_gt(clipped, 0);
    free(H);
    free(T);
}

Test(dense_programs, a_network_of_two_layers)
{
    expect_on_every_graph("graph-network", check_network);
}

static void check_distances(const checked_run *it)
{
    double *C = dense_of(it->input.centres, NULL);
    for (size_t v = 0; v < it->n; v++) {
        double nearest = INFINITY;
        for (size_t j = 0; j < it->batch; j++) {
            double distance = 0;
            for (size_t i = 0; i < it->n; i++) {
                double difference = it->graph.edge[v * it->n + i] - C[i * it->batch + j];
                distance += difference * difference;
            }
            nearest = fmin(nearest, distance);
        }
        expect_equal(it, v, it->values[v], nearest);
    }
    free(C);
}

Test(dense_programs, distances_to_the_nearest_centre)
{
    expect_on_every_graph("centre-distances", check_distances);
}

static void check_chain(const checked_run *it)
{
    size_t size = it->n * it->batch;
    double *X = new_array(size, 1), *Y = new_array(size, 0);
    for (size_t j = 0; j < it->batch; j++) {
        X[it->input.sources[j] * it->batch + j] = 2;
    }
    for (int product = 0; product < 10; product++) {
        plain_product(Y, it->graph.edge, X, it->n, it->batch);
        memcpy(X, Y, size * sizeof *X);
    }
    for (size_t p = 0; p < size; p++) {
        expect_near(it, p, it->values[p], X[p], 2 * 10 * it->longest * fp64 * X[p]);
    }
    free(X);
    free(Y);
}

Test(dense_programs, ten_products_in_a_chain)
{
    expect_on_every_graph("chained-products", check_chain);
}

static void check_plus_second(const checked_run *it)
{
    for (size_t v = 0; v < it->n; v++) {
        double sum = 0, calls = (double)it->batch;
        for (size_t u = 0; u < it->n; u++) {
            sum += it->graph.edge[u * it->n + v] ? (double)u : 0;
        }
        double expected = 1 + calls * sum;
        expect_near(it, v, it->values[v], expected, (calls + it->longest) * fp32 * expected);
    }
}

Test(dense_programs, a_vector_accumulates_products)
{
    expect_on_every_graph("mxv-plus-second", check_plus_second);
}

static void check_min_second(const checked_run *it)
{
    double *x = new_array(it->n, 0), *y = new_array(it->n, 0);
    for (size_t v = 0; v < it->n; v++) {
        x[v] = y[v] = (double)v;
    }
    for (size_t call = 0; call < it->batch; call++) {
        for (size_t p = 0; p < it->n * it->n; p++) {
            y[p / it->n] = it->graph.link[p] ? fmin(y[p / it->n], x[p % it->n]) : y[p / it->n];
        }
        double *swap = x;
        x = y;
        y = swap;
    }
    for (size_t v = 0; v < it->n; v++) {
        expect_equal(it, v, it->values[v], x[v]);
    }
    free(x);
    free(y);
}

Test(dense_programs, a_vector_takes_its_neighbours_least)
{
    expect_of_batch(
        "mxv-min-second", 3, check_min_second); /* so few that not all vertices have heard of the least */
}

static void check_any_secondi(const checked_run *it)
{
    for (size_t v = 0; v < it->n; v++) {
        bool is_reached = false;
        for (size_t u = 0; u < it->n; u += 2) {
            is_reached = is_reached || (it->graph.edge[u * it->n + v] && v % 3 != 0);
        }
        double value = it->values[v];
        cr_expect_eq(isnan(value), !is_reached, "%s, %zu", it->where, v);
        if (is_reached && !isnan(value)) {
            size_t u = (size_t)value;
            cr_expect(
                u % 2 == 0 && it->graph.edge[u * it->n + v], "%s: %zu does not lead to %zu", it->where, u, v);
        }
    }
}

Test(dense_programs, a_masked_vector_of_any_index)
{
    expect_on_every_graph("mxv-any-secondi", check_any_secondi);
}
