/* test_tile_parts.c: rows have parts where there are too few of them, and enough entries. */
#include "tile_parts.h"
#include "backend.h"
#include "splitmix.h"
#include <criterion/criterion.h>
#include <math.h>

static torc_statistics rows_of(int64_t nrows, double mean)
{
    return (torc_statistics){
        .nrows = nrows, .ncols = 8192, .nnz = (int64_t)((double)nrows * mean), .mean_row = mean};
}

static int parts_of(int64_t nrows, double mean)
{
    torc_statistics A = rows_of(nrows, mean);
    return torc_tile_parts(&A, 1);
}

Test(tile_parts, are_for_few_rows_of_many_entries)
{
    cr_expect_gt(parts_of(8192, 1638), 1);
    cr_expect_gt(parts_of(4096, 410), 1);
    cr_expect_eq(parts_of(8192, 100), 1, "a part's sum is stored, and read once more");
    cr_expect_eq(parts_of(1000000, 1638), 1, "so many rows keep all multiprocessors busy");
    torc_statistics weights = rows_of(8192, 1638);
    cr_expect_eq(
        torc_tile_parts(&weights, 3), torc_tile_parts(&weights, 1), "an operand has one plan of parts");
    cr_expect_eq(torc_tile_parts(&weights, 4), 1, "four lines of B keep them busy too");
}

Test(tile_parts, make_blocks_for_all_multiprocessors_whatever_the_rows)
{
    for (int64_t nrows = 1; nrows < 300000; nrows += 1 + nrows / 3) {
        for (double mean = 1; mean < 20000; mean *= 1.7) {
            torc_statistics A = rows_of(nrows, mean);
            int parts = torc_tile_parts(&A, 1);
            int64_t of_part = torc_tile_part_blocks(nrows, parts), blocks = torc_tile_blocks(&A, parts);
            cr_assert(parts >= 1 && TORC_TILE_BLOCKS(parts) % parts == 0, "%d parts", parts);
            cr_assert(of_part * TORC_TILE_ROWS >= nrows, "%lld rows in %lld blocks", (long long)nrows,
                (long long)of_part);
            cr_assert(nrows < 2000 || 10 * blocks >= 9 * TORC_TILE_BLOCKS(parts),
                "%lld rows in %d parts make %lld blocks", (long long)nrows, parts, (long long)blocks);
        }
    }
}

/* Lengths of a log-normal distribution, drawn: so many of them have so many pieces. */
Test(tile_parts, count_the_pieces_of_long_rows)
{
    enum { ROWS = 100000 };
    uint64_t state = 5;
    double sum = 0, squares = 0;
    int64_t pieces = 0;
    torc_statistics A = {.nrows = ROWS, .ncols = 50000};
    for (int i = 0; i < ROWS; i++) {
        double normal = -6; /* of twelve uniform numbers */
        for (int n = 0; n < 12; n++) {
            normal += (double)random_below(&state, 1 << 30) / (1 << 30);
        }
        int64_t length = (int64_t)exp(5.5 + 1.2 * normal);
        pieces += length > TORC_TILE_PIECE ? (length + TORC_TILE_PIECE - 1) / TORC_TILE_PIECE : 1;
        A.max_row = length > A.max_row ? length : A.max_row;
        sum += (double)length;
        squares += (double)length * (double)length;
    }
    A.nnz = (int64_t)sum;
    A.mean_row = sum / ROWS;
    A.deviation_row = sqrt(squares / ROWS - A.mean_row * A.mean_row);
    int64_t expected = torc_tile_part_blocks(pieces, 1), blocks = torc_tile_blocks(&A, 1);
    cr_expect(pieces > ROWS + ROWS / 10);
    cr_expect_eq(blocks, expected, "%lld blocks, not %lld", (long long)blocks, (long long)expected);
}
