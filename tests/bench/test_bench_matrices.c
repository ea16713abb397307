/* test_bench_matrices.c: each family, made small: well formed, the same every time, and with the degrees that
 * its model promises. */
#include "matrix_generators.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef bench_matrix (*maker)(void);

static bench_matrix uniform(void)
{
    return bench_make_uniform(4096, 3000, 16);
}

static bench_matrix band(void)
{
    return bench_make_band(4096, 64);
}

static bench_matrix rmat(void)
{
    return bench_make_rmat(12, true);
}

static bench_matrix rmat_ordered(void)
{
    return bench_make_rmat(12, false);
}

static bench_matrix road(void)
{
    return bench_make_road(100);
}

static bench_matrix molecules(void)
{
    return bench_make_molecules(20000);
}

static bench_matrix residues(void)
{
    return bench_make_residues(20000);
}

static bench_matrix reviews(void)
{
    return bench_make_reviews(3000);
}

static bench_matrix fem(void)
{
    return bench_make_fem(10, 12, 8);
}

static const bench_communities runs = {4000, 500, 40, 400, 80, false};

static bench_matrix communities(void)
{
    return bench_make_communities(&runs);
}

static bench_matrix scattered(void)
{
    bench_communities model = runs;
    model.is_scattered = true;
    return bench_make_communities(&model);
}

static bench_matrix web(void)
{
    return bench_make_web(20000);
}

static bench_matrix pruned(void)
{
    return bench_make_pruned(500, 90);
}

/* 1000 rows of 8, whose columns are in windows of 32 on the diagonal, and two hubs of 500. */
static const bench_mixture of_windows = {1000, 2000, 8, false, 100, 500, 500, 32, 4, 100, 1, 7};

/* A hub finds the 32 columns of its window. */
static bench_matrix mixture(void)
{
    return bench_make_mixture(&of_windows);
}

static bench_matrix small_world(void)
{
    return bench_make_small_world(&(bench_small_world){4000, 8, .2, 3});
}

/* The first three tokens are global; or every hundredth, three in all. The last rows of blocks are cut off.
 */
static const bench_attention of_first_tokens = {1000, 10, 3, 1, 16, 1.5, 5};

static bench_matrix attention(void)
{
    return bench_make_attention(&of_first_tokens);
}

static bench_matrix attention_spread(void)
{
    bench_attention model = of_first_tokens;
    model.spacing = 100;
    return bench_make_attention(&model);
}

static bench_matrix ratings(void)
{
    return bench_make_ratings(&(bench_ratings){5000, 2000, 20, 500, .7, 9});
}

/* Six dense rows and columns inside, half full, and a band beside which there is nothing. */
static bench_matrix arrow(void)
{
    return bench_make_arrow(&(bench_arrow){1000, 5, 80, 600, 6, 50});
}

static bench_matrix stencil(void)
{
    return bench_make_stencil(&(bench_stencil){20, 30, 10, true, false});
}

static bench_matrix torus(void)
{
    return bench_make_stencil(&(bench_stencil){50, 40, 1, false, true});
}

static const struct {
    const char *name;
    maker make;
    double mean, tolerance; /* of the mean row length: five standard errors or more */
    bool is_symmetric;
} families[] = {
    {"uniform", uniform, 3000 * (1 - 0.994681), 0.01, false}, /* distinct of 16 draws: n (1 - (1 - 1/n)^16) */
    {"band", band, 192 * (1 - 0.71596), 0.2, false},          /* (191/192)^64, the error 2.5 / √4096 · 5 */
    {"pruned", pruned, 50, 1.5, false}, /* five of the mean of 500 rows are .3 each: √(500·.9·.1)/√500 */
    {"rmat", rmat, 13.0, 1.5, false},   /* of 16, the repeated ones once: 12 to 14 at this scale */
    {"rmat-ordered", rmat_ordered, 13.0, 1.5, false},
    {"road", road, 2.8 * 0.99, 0.05, true}, /* a side in a hundred has no neighbour */
    {"molecules", molecules, 2.11, 0.04, true},
    {"fem", fem, 0, 0, true},                   /* below */
    {"residues", residues, 5, 0.1, true},       /* 2 (1 + .55 + .97), less what meets twice */
    {"reviews", reviews, 0, 0, true},           /* below */
    {"communities", communities, 37, 4, false}, /* 40, less what the cap cuts off: 39²/400 */
    {"mixture", mixture, 8 + 2. * (32 - 8) / 1000, 0.01, false},
    {"scattered", scattered, 37, 4, false},
    {"web", web, 10.6, 0.7, false},                  /* 11, less 10²/250 */
    {"small-world", small_world, 8, 0.02, true},     /* less what meets twice */
    {"attention", attention, 21 + 6 + 24, 6, false}, /* where they do not meet; five of √(1/4/63)·16 are 5 */
    {"attention, spread", attention_spread, 21 + 6 + 24, 6, false},
    {"ratings", ratings, 20 - 19. * 19 / 500, 2, false}, /* what the cap cuts off */
    {"arrow", arrow, 1 + 8 + 6, 0.3, true},              /* twice 5·.8 and twice 6·.5, less at the ends */
    {"stencil", stencil, (3 - 2. / 20) * (3 - 2. / 30) * (3 - 2. / 10), 1e-9, true},
    {"torus", torus, 5, 1e-9, true},
};

enum { FAMILIES = sizeof families / sizeof families[0] };

static bool has_entry(const bench_matrix *matrix, int64_t row, int32_t column)
{
    for (int64_t p = matrix->row_ptr[row]; p < matrix->row_ptr[row + 1]; p++) {
        if (matrix->col_idx[p] == column) {
            return true;
        }
    }
    return false;
}

static double mean(const bench_matrix *matrix)
{
    return (double)matrix->nnz / (double)matrix->nrows;
}

Test(bench_matrices, rows_ascend_without_repeats_and_in_range)
{
    for (int f = 0; f < FAMILIES; f++) {
        bench_matrix matrix = families[f].make();
        cr_assert_eq(matrix.row_ptr[0], 0);
        cr_assert_eq(matrix.row_ptr[matrix.nrows], matrix.nnz, "%s", families[f].name);
        int64_t longest = 0;
        for (int64_t i = 0; i < matrix.nrows; i++) {
            cr_assert(bench_row_length(&matrix, i) >= 0, "%s", families[f].name);
            longest = bench_row_length(&matrix, i) > longest ? bench_row_length(&matrix, i) : longest;
            for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
                int32_t least = p > matrix.row_ptr[i] ? matrix.col_idx[p - 1] + 1 : 0;
                cr_assert(matrix.col_idx[p] >= least && matrix.col_idx[p] < matrix.ncols, "%s, row %d",
                    families[f].name, (int)i);
            }
        }
        cr_expect_eq(bench_row_length(&matrix, matrix.longest_row), longest, "%s", families[f].name);
        bench_matrix_free(&matrix);
    }
}

Test(bench_matrices, every_call_makes_the_same)
{
    for (int f = 0; f < FAMILIES; f++) {
        bench_matrix first = families[f].make(), second = families[f].make();
        cr_assert_eq(first.nnz, second.nnz, "%s", families[f].name);
        cr_expect(memcmp(first.col_idx, second.col_idx, (size_t)first.nnz * sizeof(int32_t)) == 0, "%s",
            families[f].name);
        cr_expect(memcmp(first.row_ptr, second.row_ptr, ((size_t)first.nrows + 1) * sizeof(int32_t)) == 0,
            "%s", families[f].name);
        bench_matrix_free(&first);
        bench_matrix_free(&second);
    }
}

Test(bench_matrices, mean_rows_are_as_the_models_say)
{
    for (int f = 0; f < FAMILIES; f++) {
        bench_matrix matrix = families[f].make();
        cr_expect(families[f].mean == 0 || fabs(mean(&matrix) - families[f].mean) < families[f].tolerance,
            "%s: %.3f", families[f].name, mean(&matrix));
        bench_matrix_free(&matrix);
    }
}

Test(bench_matrices, undirected_ones_are_symmetric)
{
    for (int f = 0; f < FAMILIES; f++) {
        bench_matrix matrix = families[f].make();
        for (int64_t i = 0; families[f].is_symmetric && i < matrix.nrows; i++) {
            for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
                cr_assert(has_entry(&matrix, matrix.col_idx[p], (int32_t)i), "%s: (%d,%d) alone",
                    families[f].name, (int)i, (int)matrix.col_idx[p]);
            }
        }
        bench_matrix_free(&matrix);
    }
}

Test(bench_matrices, band_rows_stay_in_the_window_of_their_sixteen)
{
    bench_matrix matrix = band();
    for (int64_t i = 0; i < matrix.nrows; i += 16) {
        int32_t least = INT32_MAX, most = 0;
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 16]; p++) {
            least = matrix.col_idx[p] < least ? matrix.col_idx[p] : least;
            most = matrix.col_idx[p] > most ? matrix.col_idx[p] : most;
        }
        cr_expect(most - least < 192 && least <= i + 15 && most >= i, "rows from %d: %d to %d", (int)i, least,
            most);
    }
    bench_matrix_free(&matrix);
}

Test(bench_matrices, rmat_is_skewed_and_shuffling_moves_the_hub)
{
    bench_matrix ordered = rmat_ordered(), shuffled = rmat();
    cr_expect_eq(ordered.longest_row, 0);
    cr_expect_neq(shuffled.longest_row, 0);
    /* The first row is drawn with probability 0.76^12 = .037, of 65536 edges; repeated ones count once. */
    int64_t longest = bench_row_length(&ordered, 0);
    cr_expect(longest > 65536 / 100 && longest < 65536 / 20, "%d", (int)longest);
    int64_t empty = 0;
    for (int64_t i = 0; i < shuffled.nrows; i++) {
        empty += bench_row_length(&shuffled, i) == 0;
    }
    cr_expect(empty > shuffled.nrows / 10, "%d", (int)empty);
    bench_matrix_free(&ordered);
    bench_matrix_free(&shuffled);
}

Test(bench_matrices, mixtures_keep_to_the_window_of_their_rows)
{
    bench_matrix matrix = mixture();
    for (int64_t i = 0; i < matrix.nrows; i++) {
        int64_t middle = 2 * (i / 4 * 4 + 2);
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
            int64_t column = matrix.col_idx[p];
            bool is_at_an_end = middle < 16 || middle > 2000 - 16;
            cr_assert(is_at_an_end || (column >= middle - 16 && column < middle + 16), "(%d,%d)", (int)i,
                (int)column);
        }
    }
    bench_matrix_free(&matrix);
}

Test(bench_matrices, columns_of_a_power_are_more_at_the_front)
{
    bench_mixture model = of_windows;
    model.near = 0;
    model.power = 3;
    bench_matrix matrix = bench_make_mixture(&model);
    int64_t in_front = 0;
    for (int64_t p = 0; p < matrix.nnz; p++) {
        in_front += matrix.col_idx[p] < matrix.ncols / 8;
    }
    double share = (double)in_front / (double)matrix.nnz; /* a half, less what rows have already */
    cr_expect(share > .4 && share < .52, "%.3f", share);
    bench_matrix_free(&matrix);
}

Test(bench_matrices, shuffled_rows_are_the_same_rows)
{
    bench_matrix before = road(), rows_moved = bench_shuffle(&before, false, 1);
    bench_matrix both_moved = bench_shuffle(&before, true, 1);
    int64_t rows_at_home = 0, nsymmetric = 0, of_length[2][5] = {{0}};
    for (int64_t i = 0; i < before.nrows; i++) {
        rows_at_home += bench_row_length(&before, i) == bench_row_length(&rows_moved, i) &&
                        memcmp(before.col_idx + before.row_ptr[i], rows_moved.col_idx + rows_moved.row_ptr[i],
                            (size_t)bench_row_length(&before, i) * sizeof(int32_t)) == 0;
        of_length[0][bench_row_length(&before, i)]++;
        of_length[1][bench_row_length(&both_moved, i)]++;
        for (int64_t p = both_moved.row_ptr[i]; p < both_moved.row_ptr[i + 1]; p++) {
            nsymmetric += has_entry(&both_moved, both_moved.col_idx[p], (int32_t)i);
        }
    }
    cr_expect_eq(rows_moved.nnz, before.nnz);
    cr_expect(rows_at_home < before.nrows / 10, "%d", (int)rows_at_home); /* those without entries */
    cr_expect_eq(nsymmetric, before.nnz, "one order for both keeps it symmetric");
    cr_expect_eq(memcmp(of_length[0], of_length[1], sizeof of_length[0]), 0);
    bench_matrix_free(&before);
    bench_matrix_free(&rows_moved);
    bench_matrix_free(&both_moved);
}

Test(bench_matrices, molecules_are_small_and_whole)
{
    bench_matrix matrix = molecules();
    /* An edge spans less than a molecule, and only the first atom of one has no earlier neighbour. */
    int64_t molecule = -1, count = 0;
    for (int64_t i = 0; i < matrix.nrows; i++) {
        bool is_first = i == 0 || bench_row_length(&matrix, i) == 0 || matrix.col_idx[matrix.row_ptr[i]] > i;
        if (is_first) {
            cr_expect(
                molecule < 0 || (i - molecule >= 10 && i - molecule < 40), "%d atoms", (int)(i - molecule));
            molecule = i;
            count++;
        }
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
            cr_assert(matrix.col_idx[p] >= molecule && matrix.col_idx[p] < molecule + 40);
        }
    }
    cr_expect(count > 20000 / 40, "%d", (int)count);
    bench_matrix_free(&matrix);
}

Test(bench_matrices, reviews_are_joined_all_with_all)
{
    bench_matrix matrix = reviews();
    for (int64_t i = 0; i < matrix.nrows; i++) {
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
            cr_assert_neq(matrix.col_idx[p], i);
            cr_assert_eq(bench_row_length(&matrix, matrix.col_idx[p]), bench_row_length(&matrix, i));
        }
    }
    cr_expect(mean(&matrix) > 20, "%.1f", mean(&matrix));
    bench_matrix_free(&matrix);
}

Test(bench_matrices, finite_elements_come_in_blocks_of_three)
{
    bench_matrix matrix = fem();
    for (int64_t i = 0; i < matrix.nrows; i++) {
        cr_assert(has_entry(&matrix, i, (int32_t)i));
        cr_assert_eq(bench_row_length(&matrix, i) % 3, 0);
        cr_assert_eq(bench_row_length(&matrix, i), bench_row_length(&matrix, i / 3 * 3));
        cr_assert_eq(memcmp(matrix.col_idx + matrix.row_ptr[i], matrix.col_idx + matrix.row_ptr[i / 3 * 3],
                         (size_t)bench_row_length(&matrix, i) * sizeof(int32_t)),
            0);
    }
    /* Nodes around one, itself included: 3 - 2/size in each direction. */
    double around = (3 - 2.0 / 10) * (3 - 2.0 / 12) * (3 - 2.0 / 8);
    double expected = 3 * (1 + 0.77 * (around - 1)); /* ± 3 · √(.77 · .23 / 960 / 10) · 5 */
    cr_expect(fabs(mean(&matrix) - expected) < 0.5, "%.3f, not %.3f", mean(&matrix), expected);
    bench_matrix_free(&matrix);
}

Test(bench_matrices, communities_keep_to_themselves_unless_scattered)
{
    bench_matrix together = communities(), apart = scattered();
    int64_t own = 0, own_apart = 0;
    for (int64_t i = 0; i < together.nrows; i++) {
        for (int64_t p = together.row_ptr[i]; p < together.row_ptr[i + 1]; p++) {
            own += together.col_idx[p] / 500 == i / 500;
        }
        for (int64_t p = apart.row_ptr[i]; p < apart.row_ptr[i + 1]; p++) {
            own_apart += apart.col_idx[p] / 500 == i / 500;
        }
    }
    double share = (double)own / (double)together.nnz, apart_share = (double)own_apart / (double)apart.nnz;
    /* 80 % and an eighth of the rest, less what hubs find taken; scattered: an eighth */
    cr_expect(share > 0.65 && share < 0.84, "%.3f", share);
    cr_expect(apart_share > 0.11 && apart_share < 0.14, "%.3f", apart_share);
    cr_expect_eq(bench_row_length(&together, together.longest_row), 400); /* the cap, or nobody reaches it */
    bench_matrix_free(&together);
    bench_matrix_free(&apart);
}

Test(bench_matrices, small_worlds_are_rings_but_for_what_is_rewired)
{
    bench_matrix matrix = small_world();
    int64_t far = 0;
    for (int64_t i = 0; i < matrix.nrows; i++) {
        cr_assert(bench_row_length(&matrix, i) >= 4 - 1 && !has_entry(&matrix, i, (int32_t)i), "%d", (int)i);
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
            int64_t apart = llabs(matrix.col_idx[p] - i);
            far += apart > 4 && apart < matrix.nrows - 4;
        }
    }
    double share = (double)far / (double)matrix.nnz; /* five of √(.2·.8/16000) are .016 */
    cr_expect(fabs(share - .2) < .016, "%.3f", share);
    bench_matrix_free(&matrix);
}

/* Of row i, the entries that neither a window nor a global token gives: whole blocks. */
static int64_t count_in_blocks(const bench_matrix *matrix, int64_t i, int64_t spacing)
{
    int64_t count = 0;
    for (int64_t p = matrix->row_ptr[i]; p < matrix->row_ptr[i + 1]; p++) {
        int64_t column = matrix->col_idx[p], first = column / 16 * 16, same_block = 0;
        if (llabs(column - i) > 10 && (column % spacing != 0 || column / spacing >= 3)) {
            for (int64_t other = first; other < first + 16 && other < matrix->ncols; other++) {
                same_block += has_entry(matrix, i, (int32_t)other);
            }
            cr_expect_eq(same_block, first + 16 < matrix->ncols ? 16 : matrix->ncols - first, "(%d,%d)",
                (int)i, (int)column);
            count++;
        }
    }
    return count;
}

static void expect_attention(const bench_matrix *matrix, int64_t spacing)
{
    int64_t in_blocks = 0;
    for (int64_t i = 0; i < matrix->nrows; i++) {
        bool is_global = i % spacing == 0 && i / spacing < 3;
        cr_assert(!is_global || bench_row_length(matrix, i) == matrix->ncols, "row %d", (int)i);
        for (int64_t column = i > 10 ? i - 10 : 0; column <= i + 10 && column < matrix->ncols; column++) {
            cr_assert(has_entry(matrix, i, (int32_t)column), "(%d,%d)", (int)i, (int)column);
        }
        for (int32_t token = 0; token < 3; token++) {
            cr_assert(has_entry(matrix, i, token * (int32_t)spacing), "row %d", (int)i);
        }
        in_blocks += is_global ? 0 : count_in_blocks(matrix, i, spacing);
    }
    cr_expect(in_blocks > 18 * matrix->nrows, "%d", (int)in_blocks); /* of 24, less what meets */
}

Test(bench_matrices, attention_has_a_window_global_tokens_and_blocks)
{
    bench_matrix first = attention(), spread = attention_spread();
    expect_attention(&first, 1);
    expect_attention(&spread, 100);
    bench_matrix_free(&first);
    bench_matrix_free(&spread);
}

static int compare_down(const void *x, const void *y)
{
    return *(const int *)y - *(const int *)x;
}

Test(bench_matrices, few_items_have_many_ratings_and_lie_anywhere)
{
    bench_matrix matrix = ratings();
    int *of_item = calloc((size_t)matrix.ncols, sizeof *of_item);
    cr_assert(of_item);
    for (int64_t p = 0; p < matrix.nnz; p++) {
        of_item[matrix.col_idx[p]]++;
    }
    int64_t in_front = 0, of_popular = 0;
    for (int64_t item = 0; item < matrix.ncols / 2; item++) {
        in_front += of_item[item];
    }
    qsort(of_item, (size_t)matrix.ncols, sizeof *of_item, compare_down);
    for (int64_t rank = 0; rank < matrix.ncols / 100; rank++) {
        of_popular += of_item[rank];
    }
    /* A hundredth of the items are drawn (21^.3 - 1) / (2001^.3 - 1) = .17 of the times, less what users
     * have. */
    double share = (double)of_popular / (double)matrix.nnz, front = (double)in_front / (double)matrix.nnz;
    cr_expect(share > .1 && share < .18, "%.3f", share);
    cr_expect(front > .35 && front < .65, "%.3f", front);
    cr_expect_gt(bench_row_length(&matrix, matrix.longest_row), 200); /* ten means */
    free(of_item);
    bench_matrix_free(&matrix);
}

Test(bench_matrices, arrows_are_a_band_and_dense_rows_and_columns)
{
    bench_matrix matrix = arrow();
    int64_t in_dense = 0, in_band = 0;
    for (int64_t i = 0; i < matrix.nrows; i++) {
        cr_assert(has_entry(&matrix, i, (int32_t)i));
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
            int64_t column = matrix.col_idx[p];
            bool is_dense = (i >= 600 && i < 606) || (column >= 600 && column < 606);
            cr_assert(is_dense || llabs(column - i) <= 5, "(%d,%d)", (int)i, (int)column);
            in_dense += is_dense;
            in_band += !is_dense && column != i;
        }
    }
    /* Half of 12000 places, five standard deviations of pairs; of 10 · 1000, less some dozens, 80 % */
    cr_expect(in_dense > 6000 - 400 && in_dense < 6000 + 400, "%d", (int)in_dense);
    cr_expect(in_band > 7900 - 300 && in_band < 7900 + 300, "%d", (int)in_band);
    bench_matrix_free(&matrix);
}

Test(bench_matrices, stencils_reach_the_points_around)
{
    bench_matrix matrix = stencil(), around = torus();
    for (int64_t i = 0; i < matrix.nrows; i++) {
        int64_t a = i % 20, b = i / 20 % 30, c = i / 600;
        int64_t along_a = a == 0 || a == 19 ? 2 : 3, along_b = b == 0 || b == 29 ? 2 : 3;
        cr_assert_eq(bench_row_length(&matrix, i), along_a * along_b * (c == 0 || c == 9 ? 2 : 3));
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
            int64_t j = matrix.col_idx[p];
            cr_assert(llabs(j % 20 - a) <= 1 && llabs(j / 20 % 30 - b) <= 1 && llabs(j / 600 - c) <= 1);
        }
    }
    static const int32_t corner[] = {0, 1, 49, 50, 1950};
    for (int64_t i = 0; i < around.nrows; i++) {
        cr_assert_eq(bench_row_length(&around, i), 5);
    }
    cr_expect_eq(memcmp(around.col_idx, corner, sizeof corner), 0);
    bench_matrix_free(&matrix);
    bench_matrix_free(&around);
}

Test(bench_matrices, web_pages_share_links_with_pages_near_by)
{
    bench_matrix matrix = web();
    int64_t shared = 0, shared_far = 0;
    for (int64_t i = 10000; i < 19000; i++) {
        for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
            shared += has_entry(&matrix, i + 5, matrix.col_idx[p]);
            shared_far += has_entry(&matrix, i - 5000, matrix.col_idx[p]);
        }
    }
    cr_expect(shared > 20 * shared_far, "%d near, %d far", (int)shared, (int)shared_far);
    bench_matrix_free(&matrix);
}

Test(bench_matrices, a_matrix_market_file_is_read)
{
    char path[] = "/tmp/bench_matrix_XXXXXX.mtx";
    FILE *file = fdopen(mkstemps(path, 4), "w");
    cr_assert(file);
    fputs("%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 0.5\n4 1 1\n4 3 1\n", file);
    fclose(file);
    bench_matrix matrix = bench_matrix_make(path);
    cr_expect_eq(matrix.nrows, 4);
    cr_expect_eq(matrix.ncols, 4);
    cr_expect_eq(matrix.nnz, 6);
    cr_expect(has_entry(&matrix, 0, 1) && has_entry(&matrix, 1, 0) && has_entry(&matrix, 3, 2));
    cr_expect(strncmp(matrix.name, "bench_matrix_", 13) == 0 && !strchr(matrix.name, '.'), "%s", matrix.name);
    bench_matrix_free(&matrix);
    unlink(path);
}
