/* Rates come back from their file as they were stored, for the same key, and from no other file. */
#include "doubt_rate.h"
#include "memory_rate.h"
#include "rates.h"
#include "rates_measure.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char key[] = "device 0 of some\nprocessors 3\n";
static char folder[] = "/tmp/torc-rates-XXXXXX";
static char path[512];

/* The only file of the folder. */
static void find_file(void)
{
    DIR *entries = opendir(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            count++;
        }
    }
    closedir(entries);
    cr_assert_eq(count, 1, "%d files", count);
}

static torc_machine_rates some_rates(void)
{
    torc_machine_rates rates;
    torc_rates_default(&rates, 3);
    rates.of[TORC_RATE_IN_STAGED] = 12345678901;
    return rates;
}

static void start(void)
{
    cr_assert_not_null(mkdtemp(folder));
    torc_machine_rates rates = some_rates();
    cr_assert(torc_rates_store(&rates, folder, key));
    find_file();
}

static void finish(void)
{
    unlink(path);
    rmdir(folder);
}

static bool is_loaded(const char *asked)
{
    torc_machine_rates rates = {.of = {0}};
    bool is_found = torc_rates_load(&rates, folder, asked);
    cr_assert_eq(is_found, rates.of[0] > 0, "untouched unless found");
    return is_found;
}

static size_t read_file(char text[4096])
{
    FILE *file = fopen(path, "r");
    size_t size = fread(text, 1, 4096, file);
    fclose(file);
    return size;
}

static void write_file(const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    cr_assert_eq(fwrite(text, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

Test(rates, come_back_as_stored, .init = start, .fini = finish)
{
    torc_machine_rates rates, stored = some_rates();
    cr_assert(torc_rates_load(&rates, folder, key));
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        cr_assert_float_eq(rates.of[i], stored.of[i], 1e-9, "%s", torc_rate_name((torc_rate)i));
    }
    struct stat status;
    cr_assert_eq(stat(path, &status), 0);
    cr_assert_eq(status.st_mode & 0777, 0600);
}

Test(rates, are_replaced_by_later_ones, .init = start, .fini = finish)
{
    torc_machine_rates rates = some_rates();
    rates.of[TORC_RATE_CALL] = 0.5;
    cr_assert(torc_rates_store(&rates, folder, key));
    find_file();
    cr_assert(torc_rates_load(&rates, folder, key));
    cr_assert_float_eq(rates.of[TORC_RATE_CALL], 0.5, 1e-9);
}

/* In containers, numbers of processes come again. */
Test(rates, are_stored_after_a_process_of_that_number_died_in_the_middle, .init = start, .fini = finish)
{
    char left[128];
    torc_machine_rates rates = some_rates();
    rates.of[TORC_RATE_CALL] = 0.25;
    snprintf(left, sizeof left, "%s/.%ld.new", folder, (long)getpid());
    cr_assert_eq(close(open(left, O_WRONLY | O_CREAT | O_EXCL, 0600)), 0);
    cr_assert(torc_rates_store(&rates, folder, key));
    cr_assert(torc_rates_load(&rates, folder, key));
    cr_assert_float_eq(rates.of[TORC_RATE_CALL], 0.25, 1e-9);
    cr_assert_neq(access(left, F_OK), 0);
}

Test(rates, of_another_machine_are_not_found, .init = start, .fini = finish)
{
    cr_assert(is_loaded(key));
    cr_assert_not(is_loaded("device 0 of some\nprocessors 4\n"));
    cr_assert_not(torc_rates_store(&(torc_machine_rates){.of = {1}}, "/nonexistent", key));
}

Test(rates, of_a_cut_file_are_not_found, .init = start, .fini = finish)
{
    char text[4096];
    size_t size = read_file(text);
    for (size_t cut = 0; cut < size; cut++) {
        write_file(text, cut);
        cr_assert_not(is_loaded(key), "%zu of %zu bytes", cut, size);
    }
    text[size] = 'x';
    write_file(text, size + 1);
    cr_assert_not(is_loaded(key), "a byte too many");
}

Test(rates, of_a_file_with_one_changed_byte_are_not_found, .init = start, .fini = finish)
{
    char text[4096];
    size_t size = read_file(text);
    for (size_t at = 0; at < size; at++) {
        char bit = (char)(1 << at % 7);
        text[at] ^= bit;
        write_file(text, size);
        cr_assert_not(is_loaded(key), "byte %zu, %d", at, bit);
        text[at] ^= bit;
    }
    write_file(text, size);
    cr_assert(is_loaded(key));
}

Test(rates, are_not_read_through_a_link, .init = start, .fini = finish)
{
    char moved[600];
    snprintf(moved, sizeof moved, "%s/moved", folder);
    cr_assert_eq(rename(path, moved), 0);
    cr_assert_eq(symlink(moved, path), 0);
    cr_assert_not(is_loaded(key));
    unlink(moved);
}

Test(rates, by_default_grow_with_processors_and_never_shrink)
{
    for (int processors = 1; processors < 300; processors++) {
        torc_machine_rates few, more;
        torc_rates_default(&few, processors);
        torc_rates_default(&more, processors + 1);
        for (int i = 0; i < TORC_RATE_COUNT; i++) {
            cr_assert_gt(few.of[i], 0);
            cr_assert_leq(few.of[i], more.of[i]);
        }
    }
}

Test(rates, of_all_threads_are_those_of_the_machine)
{
    torc_machine_rates all = some_rates(), same = torc_rates_of_threads(&all, 3, 3);
    cr_expect_eq(memcmp(&same, &all, sizeof all), 0);
    same = torc_rates_of_threads(&all, 5, 3);
    cr_expect_eq(memcmp(&same, &all, sizeof all), 0);
}

Test(rates, of_few_threads_are_less_where_threads_do_the_work)
{
    torc_machine_rates all, few;
    torc_rates_default(&all, 16);
    all.of[TORC_RATE_CPU_MIN_MAX] *= 2; /* of a machine that is faster than by default */
    few = torc_rates_of_threads(&all, 2, 16);
    cr_expect_float_eq(few.of[TORC_RATE_CPU_PLUS], all.of[TORC_RATE_CPU_PLUS] / 8, 1);
    cr_expect_float_eq(few.of[TORC_RATE_CPU_MIN_MAX], all.of[TORC_RATE_CPU_MIN_MAX] / 8, 1);
    cr_expect_float_eq(few.of[TORC_RATE_OUT_STAGED], 13e9, 1, "two of 6.5e9, though 16 have 50e9");
    static const torc_rate of_the_device[] = {
        TORC_RATE_CALL, TORC_RATE_START, TORC_RATE_IN_PINNED, TORC_RATE_GATHER};
    for (size_t i = 0; i < sizeof of_the_device / sizeof *of_the_device; i++) {
        cr_expect_eq(few.of[of_the_device[i]], all.of[of_the_device[i]]);
    }
    few = torc_rates_of_threads(&all, 12, 16);
    cr_expect_eq(few.of[TORC_RATE_OUT_STAGED], all.of[TORC_RATE_OUT_STAGED], "no more than all have");
}

/* What can be measured on the reference executor is how: speeds there mean nothing. */
Test(rates, are_measured_through_the_engine)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    torc_context *context = NULL;
    torc_machine_rates rates = {.of = {0}};
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
    cr_assert_eq(torc_rates_measure_bus(&rates, context), TORC_SUCCESS);
    cr_assert_gt(rates.of[TORC_RATE_IN_STAGED], 0);
    cr_assert_gt(rates.of[TORC_RATE_OUT_STAGED], 0);
    cr_assert_gt(rates.of[TORC_RATE_IN_PINNED], 0);
    cr_assert_gt(rates.of[TORC_RATE_OUT_PINNED], 0);
    torc_context_destroy(context);
}

Test(rates, of_memory_are_measured_beyond_the_caches)
{
    torc_machine_rates rates, before;
    torc_rates_default(&rates, 4);
    rates.of[TORC_RATE_CACHE_OF_ALL] = 1 << 20;
    before = rates;
    cr_assert(torc_memory_rate_measure(&rates, 4));
    cr_expect_gt(rates.of[TORC_RATE_RANDOM], 0);
    cr_expect_gt(rates.of[TORC_RATE_CACHED], rates.of[TORC_RATE_RANDOM]);
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        bool is_measured = i == TORC_RATE_RANDOM || i == TORC_RATE_CACHED;
        cr_expect(is_measured || rates.of[i] == before.of[i], "%s", torc_rate_name((torc_rate)i));
    }
}

Test(rates, of_wrong_guesses_are_measured_alone)
{
    torc_machine_rates rates, before;
    torc_rates_default(&rates, 4);
    before = rates;
    torc_doubt_rate_measure(&rates, 4);
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        bool is_as_before = rates.of[i] == before.of[i];
        cr_expect(is_as_before == (i != TORC_RATE_CPU_DOUBT), "%s", torc_rate_name((torc_rate)i));
    }
    /* From a cycle a guess at 6 GHz, where the measurement saw none, to 1000 cycles at 1 GHz */
    cr_expect(rates.of[TORC_RATE_CPU_DOUBT] > 4 * 1e5 && rates.of[TORC_RATE_CPU_DOUBT] < 4 * 1e9);
}

/* The defaults are an H200's; a device of half its bandwidth moves half as much. */
Test(rates, of_a_device_follow_its_bandwidth)
{
    torc_machine_rates defaults, rates;
    torc_rates_default(&defaults, 16);
    rates = defaults;
    torc_rates_know_device(&rates, &(torc_device_info){.bandwidth = 0});
    cr_expect_eq(memcmp(&rates, &defaults, sizeof rates), 0, "a driver that does not tell");
    torc_rates_know_device(&rates, &(torc_device_info){.bandwidth = 4.917e12});
    cr_expect_float_eq(rates.of[TORC_RATE_GATHER] / defaults.of[TORC_RATE_GATHER], 1, .02);
    cr_expect_float_eq(rates.of[TORC_RATE_DEVICE_COPY] / defaults.of[TORC_RATE_DEVICE_COPY], 1, .02);
    double gather = rates.of[TORC_RATE_GATHER];
    torc_rates_know_device(&rates, &(torc_device_info){.bandwidth = 4.917e12 / 2});
    cr_expect_float_eq(rates.of[TORC_RATE_GATHER], gather / 2, 1);
}

Test(rates, stay_where_the_device_has_no_memory)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    options.memory_limit = 1 << 20;
    torc_context *context = NULL;
    torc_machine_rates rates = {.of = {0}}, before = rates;
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
    cr_assert_eq(torc_rates_measure_bus(&rates, context), TORC_OUT_OF_MEMORY);
    cr_assert_eq(torc_rates_measure_kernels(&rates, context), TORC_OUT_OF_MEMORY);
    cr_assert_eq(memcmp(&rates, &before, sizeof rates), 0);
    torc_context_destroy(context);
}

/* A cache that is not an absolute path is none: see kernel_cache.h, by which they are stored. */
Test(rates, are_looked_for_where_kernels_are_kept, .init = start, .fini = finish)
{
    char own_key[TORC_RATES_KEY], cache[600], remove[700];
    torc_machine_rates kept;
    unsetenv("TORC_CACHE_DIR");
    setenv("XDG_CACHE_HOME", "somewhere", 1);
    setenv("HOME", folder, 1);
    snprintf(cache, sizeof cache, "%s/.cache", folder);
    cr_assert_eq(mkdir(cache, 0700), 0);
    strcat(cache, "/torc");
    cr_assert_eq(mkdir(cache, 0700), 0);
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    torc_rates_default(&kept, 3);
    kept.of[TORC_RATE_CALL] = 123e-6;
    torc_rates_key(own_key, torc_binding_get());
    cr_assert(torc_rates_store(&kept, cache, own_key));
    cr_expect_eq(torc_rates_get()->of[TORC_RATE_CALL], 123e-6);
    cr_assert_eq(GrB_finalize(), GrB_SUCCESS);
    snprintf(remove, sizeof remove, "rm -r '%s/.cache'", folder);
    cr_assert_eq(system(remove), 0);
}

/* The table in bench/results/2026-11-24-h200-staging.txt, milliseconds after a pause. */
Test(rates, short_staged_copies_take_longer_a_byte)
{
    static const double sizes[] = {4, 8, 16, 64, 256}, in[] = {.373, .611, 1.262, 2.029, 5.473},
                        out[] = {.208, .317, .589, 1.440, 5.039};
    torc_machine_rates rates;
    torc_rates_default(&rates, 16);
    rates.of[TORC_RATE_IN_STAGED] = (double)TORC_BUS_BYTES / 2.029e-3;
    rates.of[TORC_RATE_OUT_STAGED] = (double)TORC_BUS_BYTES / 1.440e-3;
    for (int i = 0; i < 5; i++) {
        double bytes = sizes[i] * (1 << 20);
        cr_expect_float_eq(1e3 * torc_rates_staged_in(&rates, bytes), in[i], .25 * in[i], "%g MiB", sizes[i]);
        cr_expect_float_eq(1e3 * torc_rates_staged_out(&rates, bytes), out[i], .35 * out[i], "%g", sizes[i]);
    }
    rates.of[TORC_RATE_IN_STAGED] = 1e15;
    cr_expect_gt(torc_rates_staged_in(&rates, 1), 0);
}
