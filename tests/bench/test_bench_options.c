/* test_bench_options.c: what the command line asks for, and what is refused. */
#include "bench_matrix.h"
#include "bench_options.h"
#include "rmat_settings.h"
#include <criterion/criterion.h>
#include <getopt.h>
#include <string.h>

enum { MAX_WORDS = 20 };

/* Parse words that blanks separate; the line must outlive the options. */
static bool parse(bench_options *options, char *line)
{
    char *argv[MAX_WORDS + 1] = {"torc-bench"};
    int argc = 1;
    for (char *rest = line, *word; argc < MAX_WORDS && (word = strsep(&rest, " ")); argc++) {
        argv[argc] = word;
    }
    return bench_options_parse(options, argc, argv);
}

Test(bench_options, nothing_asks_for_everything)
{
    bench_options options;
    char *argv[] = {"torc-bench", NULL};
    cr_assert(bench_options_parse(&options, 1, argv));
    int names = 0;
    while (bench_matrix_names[names]) {
        names++;
    }
    cr_expect_eq(options.nmatrices, names);
    cr_expect_eq(options.nwidths, 11);
    cr_expect_eq(options.widths[0], 1);
    cr_expect_eq(options.widths[10], 512);
    cr_expect_eq(options.ntypes, 2);
    cr_assert_eq(options.nsemirings, 2);
    cr_expect_eq(options.semirings[0].add, TORC_PLUS_MONOID);
    cr_expect_eq(options.semirings[0].multiply, TORC_TIMES);
    cr_expect_eq(options.semirings[1].add, TORC_LOR_MONOID);
    cr_expect(!options.is_cold && !options.reorders && options.ncontenders == 0 && !options.csv &&
              options.runs == 0);
}

Test(bench_options, lists_replace_the_defaults)
{
    bench_options options;
    char line[] = "--matrix road,a.mtx.gz --n 3,65 --type fp64 --semiring min_plus,any_second --cold "
                  "--reorder --bits 20 "
                  "--contender selected,cusparse --csv out.csv";
    cr_assert(parse(&options, line), "%s", options.error);
    cr_assert_eq(options.nmatrices, 2);
    cr_expect_str_eq(options.matrices[0], "road");
    cr_expect_str_eq(options.matrices[1], "a.mtx.gz");
    cr_assert_eq(options.nwidths, 2);
    cr_expect_eq(options.widths[1], 65);
    cr_assert_eq(options.ntypes, 1);
    cr_expect_eq(options.types[0], TORC_FP64);
    cr_assert_eq(options.nsemirings, 2);
    cr_expect_eq(options.semirings[0].add, TORC_MIN_MONOID);
    cr_expect_eq(options.semirings[1].multiply, TORC_SECOND);
    cr_expect(options.is_cold && options.reorders);
    cr_expect_eq(options.runs, 20);
    cr_assert_eq(options.ncontenders, 2);
    cr_expect_str_eq(options.contenders[1], "cusparse");
    cr_expect_str_eq(options.csv, "out.csv");
}

Test(bench_options, a_semiring_is_measured_on_the_types_that_have_it)
{
    bench_options options;
    char line[] = "--type fp32,bool,int64 --semiring plus_times,lor_land,any_second,any_secondi";
    cr_assert(parse(&options, line), "%s", options.error);
    static const bool is_on_fp32[] = {true, false, true, false}, is_on_bool[] = {false, true, true, false},
                      is_on_int64[] = {true, false, true, true};
    for (int s = 0; s < 4; s++) {
        torc_semiring semiring;
        cr_expect_eq(bench_options_semiring(&semiring, &options, s, TORC_FP32), is_on_fp32[s]);
        cr_expect_eq(bench_options_semiring(&semiring, &options, s, TORC_INT64), is_on_int64[s]);
        cr_expect_eq(bench_options_semiring(&semiring, &options, s, TORC_BOOL), is_on_bool[s]);
        cr_expect_eq(semiring.type, TORC_BOOL);
    }
}

Test(bench_options, quick_is_less_and_yields_to_what_is_named)
{
    bench_options options;
    char line[] = "--quick --n 64";
    cr_assert(parse(&options, line));
    cr_expect_eq(options.nwidths, 1);
    cr_expect_eq(options.widths[0], 64);
    cr_expect_eq(options.ntypes, 1);
    cr_expect_eq(options.ncontenders, 2);
    cr_expect(options.nmatrices > 0 && options.nmatrices < 6);
}

Test(bench_options, a_sweep_is_of_kernels_and_yields_to_what_is_named)
{
    bench_options options;
    char all[] = "--sweep", some[] = "--sweep --contender rows";
    cr_assert(parse(&options, all));
    cr_expect(options.is_sweep);
    cr_assert_eq(options.ncontenders, 1);
    cr_expect_str_eq(options.contenders[0], "/");
    cr_expect_eq(options.nwidths, 11);
    cr_assert(parse(&options, some));
    cr_assert_eq(options.ncontenders, 1);
    cr_expect_str_eq(options.contenders[0], "rows");
}

Test(bench_options, what_is_not_understood_is_refused_by_name)
{
    static const char *const bad[] = {"--n 0", "--n 4,x", "--n", "--type fp16", "--semiring min_pls",
        "--semiring lor_lnad", "--bits -1", "--nonsense", "word",
        "--n 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bench_options options;
        char line[128];
        strcpy(line, bad[i]);
        cr_expect(!parse(&options, line), "%s", bad[i]);
        cr_expect(options.error[0] != '\0', "%s", bad[i]);
    }
}

/* The command line of torc-bench-devices and torc-bench-ranks. */
static bool parse_rmat(rmat_settings *settings, char *line)
{
    char *argv[MAX_WORDS + 1] = {"torc-bench-devices"};
    int argc = 1;
    for (char *rest = line, *word; argc < MAX_WORDS && (word = strsep(&rest, " ")); argc++) {
        argv[argc] = word;
    }
    *settings = (rmat_settings){.scale = 20, .repeats = 9, .nwidths = 1, .widths = {8}};
    optind = 0;
    opterr = 0;
    return rmat_settings_parse(settings, 26, argc, argv);
}

Test(rmat_settings, are_read_to_their_ends)
{
    rmat_settings settings;
    char good[] = "--scale 10 --columns 1,8,128 --repeats 99 --csv FILE";
    cr_assert(parse_rmat(&settings, good));
    cr_expect_eq(settings.scale, 10);
    cr_expect_eq(settings.nwidths, 3);
    cr_expect_eq(settings.widths[2], 128);
    cr_expect_eq(settings.repeats, 99);
    cr_expect_str_eq(settings.csv, "FILE");
    char wrong[][80] = {"--scale 10x", "--scale 27", "--scale 0", "--columns 8,128k", "--columns 8,,9",
        "--columns 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "--columns 9999999999", "--repeats 4294967297",
        "--repeats 100", "--csv", "stray", "--bogus"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[80];
        strcpy(line, wrong[i]);
        cr_expect_not(parse_rmat(&settings, line), "%s", wrong[i]);
    }
}
