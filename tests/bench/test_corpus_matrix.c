/* test_corpus_matrix.c: random matrices of each family, and those that a list names. */
#include "corpus_matrix.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 10 * CORPUS_FAMILIES };
static const double MOST_ENTRIES = 20000;

static bool parse(corpus_families *families, const char *names)
{
    char list[256];
    snprintf(list, sizeof list, "%s", names);
    return corpus_families_parse(families, list);
}

static bool are_equal(const bench_matrix *one, const bench_matrix *other)
{
    return strcmp(one->name, other->name) == 0 && one->nrows == other->nrows && one->ncols == other->ncols &&
           one->nnz == other->nnz &&
           memcmp(one->row_ptr, other->row_ptr, ((size_t)one->nrows + 1) * sizeof(int32_t)) == 0 &&
           memcmp(one->col_idx, other->col_idx, (size_t)one->nnz * sizeof(int32_t)) == 0;
}

Test(corpus_matrix, each_family_keeps_to_its_size_in_order)
{
    corpus_families all = corpus_families_all();
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bench_matrix matrix = corpus_matrix_make(&all, seed, MOST_ENTRIES);
        char name[64];
        snprintf(name, sizeof name, "%s-%d", corpus_family_name((int)(seed % CORPUS_FAMILIES)), (int)seed);
        cr_expect_str_eq(matrix.name, name);
        cr_expect(matrix.nnz > CORPUS_LEAST_ENTRIES / 10 && (double)matrix.nnz < 3 * MOST_ENTRIES, "%s: %d",
            name, (int)matrix.nnz);
        cr_assert_eq(matrix.row_ptr[matrix.nrows], matrix.nnz, "%s", name);
        for (int64_t i = 0; i < matrix.nrows; i++) {
            for (int64_t p = matrix.row_ptr[i]; p < matrix.row_ptr[i + 1]; p++) {
                int32_t least = p > matrix.row_ptr[i] ? matrix.col_idx[p - 1] + 1 : 0;
                cr_assert(matrix.col_idx[p] >= least && matrix.col_idx[p] < matrix.ncols, "%s, row %d", name,
                    (int)i);
            }
        }
        bench_matrix_free(&matrix);
    }
}

Test(corpus_matrix, family_and_seed_say_which_matrix_it_is)
{
    corpus_families all = corpus_families_all();
    for (uint64_t seed = 0; seed < SEEDS; seed += 7) {
        corpus_families one;
        cr_assert(parse(&one, corpus_family_name((int)(seed % CORPUS_FAMILIES))));
        bench_matrix among_all = corpus_matrix_make(&all, seed, MOST_ENTRIES);
        bench_matrix alone = corpus_matrix_make(&one, seed, MOST_ENTRIES);
        cr_expect(are_equal(&among_all, &alone), "%s, %s", among_all.name, alone.name);
        bench_matrix_free(&among_all);
        bench_matrix_free(&alone);
    }
}

Test(corpus_matrix, families_of_a_list_take_turns)
{
    static const char *const names[] = {"stencil-3", "rmat-4", "attention-5", "stencil-6"};
    corpus_families three;
    cr_assert(parse(&three, "stencil,rmat,attention"));
    for (uint64_t seed = 3; seed < 7; seed++) {
        bench_matrix matrix = corpus_matrix_make(&three, seed, MOST_ENTRIES);
        cr_expect_str_eq(matrix.name, names[seed - 3]);
        bench_matrix_free(&matrix);
    }
}

Test(corpus_matrix, lists_of_unknown_or_too_many_families_are_not_taken)
{
    corpus_families families;
    char webs[4 * CORPUS_FAMILIES + 5] = "";
    for (int i = 0; i < CORPUS_FAMILIES; i++) {
        strcat(webs, i == 0 ? "web" : ",web");
    }
    cr_expect(parse(&families, webs));
    cr_expect(!parse(&families, strcat(webs, ",web")));
    cr_expect(!parse(&families, ""));
    cr_expect(!parse(&families, "rmat,"));
    cr_expect(!parse(&families, "rmat,Web"));
    cr_expect(parse(&families, "web,rmat"));
    cr_expect_eq(families.count, 2);
}
