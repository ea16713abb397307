/* Options from environment variables: what is unset or not understood keeps its default, and the latter is
 * said once. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/torc.h>

static torc_options read_with(const char *name, const char *value)
{
    static const char *const names[] = {"TORC_BACKEND", "TORC_DEVICE", "TORC_DEVICES", "TORC_MEMORY_LIMIT",
        "TORC_CACHE_DIR", "TORC_KERNEL", "TORC_PRECISION"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsetenv(names[i]);
    }
    if (name) {
        setenv(name, value, 1);
    }
    torc_options options;
    memset(&options, 0xA5, sizeof options);
    torc_options_from_environment(&options);
    return options;
}

Test(environment, has_defaults)
{
    torc_options options = read_with(NULL, NULL);
    cr_expect(options.backend == TORC_BACKEND_AUTO && options.device == 0 && !options.devices &&
              options.memory_limit == 0 && !options.cache_dir && !options.kernel &&
              options.precision == TORC_PRECISION_EXACT);
}

Test(environment, names_the_backend)
{
    cr_expect(read_with("TORC_BACKEND", "auto").backend == TORC_BACKEND_AUTO);
    cr_expect(read_with("TORC_BACKEND", "cuda").backend == TORC_BACKEND_CUDA);
    cr_expect(read_with("TORC_BACKEND", "reference").backend == TORC_BACKEND_REFERENCE);
    cr_expect(read_with("TORC_BACKEND", "off").backend == TORC_BACKEND_OFF);
    cr_expect(read_with("TORC_BACKEND", "offline").backend == TORC_BACKEND_AUTO);
    cr_expect(read_with("TORC_BACKEND", "").backend == TORC_BACKEND_AUTO);
}

Test(environment, numbers_the_device)
{
    cr_expect(read_with("TORC_DEVICE", "3").device == 3);
    cr_expect(read_with("TORC_DEVICE", "2147483647").device == 2147483647);
    static const char *const bad[] = {"", "first", "3x", "-1", " 3", "2147483648", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect(read_with("TORC_DEVICE", bad[i]).device == 0, "\"%s\"", bad[i]);
    }
}

Test(environment, lists_devices_that_compute_as_one)
{
    cr_expect_str_eq(read_with("TORC_DEVICES", "all").devices, "all");
    cr_expect_str_eq(read_with("TORC_DEVICES", "0").devices, "0");
    cr_expect_str_eq(read_with("TORC_DEVICES", "1,0").devices, "1,0");
    static const char *const bad[] = {"", "every", "0,", ",0", "0,,1", "-1", "0 1", "2147483648"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_null(read_with("TORC_DEVICES", bad[i]).devices, "\"%s\"", bad[i]);
    }
}

Test(environment, limits_memory_in_bytes_or_by_suffix)
{
    cr_expect(read_with("TORC_MEMORY_LIMIT", "1000").memory_limit == 1000);
    cr_expect(read_with("TORC_MEMORY_LIMIT", "3K").memory_limit == 3 * 1024);
    cr_expect(read_with("TORC_MEMORY_LIMIT", "5M").memory_limit == 5 * 1024 * 1024);
    cr_expect(read_with("TORC_MEMORY_LIMIT", "7G").memory_limit == (size_t)7 << 30);
    cr_expect(read_with("TORC_MEMORY_LIMIT", "17179869183G").memory_limit == (size_t)17179869183 << 30);
    cr_expect(read_with("TORC_MEMORY_LIMIT", "0").memory_limit == 0);
    static const char *const bad[] = {"", "K", "lots", "-1", " 1", "+1", "1.5G", "1T", "1k", "1MB",
        "17179869184G", "18014398509481985K", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect(read_with("TORC_MEMORY_LIMIT", bad[i]).memory_limit == 0, "\"%s\"", bad[i]);
    }
}

Test(environment, names_the_folder_of_compiled_kernels)
{
    char name[513];
    cr_expect(strcmp(read_with("TORC_CACHE_DIR", "/some/where").cache_dir, "/some/where") == 0);
    memset(name, 'x', 512);
    name[512] = '\0';
    cr_expect(!read_with("TORC_CACHE_DIR", name).cache_dir);
    name[511] = '\0';
    cr_expect(read_with("TORC_CACHE_DIR", name).cache_dir);
}

Test(environment, names_the_kernel_or_the_rule)
{
    cr_expect(strcmp(read_with("TORC_KERNEL", "yang").kernel, "yang") == 0);
    static const char *const kernels[] = {"rows/sequential/v4x8", "rows/sequential/v4x8/cached",
        "rows/parallel4/v2x1", "rows/bundled/v4x8", "nonzeros/parallel16/v2x1", "nonzeros/streamed/v1x1",
        "rows/panels8/v4x1", "rows/tiles/v4x8", "rows/bricks3/v4x32", "rows/bricks1/v2x32",
        "rows/bricks3/v4x32/16rows", "rows/uniform8/v4", "rows/uniform32/v16"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        torc_options options = read_with("TORC_KERNEL", kernels[i]);
        cr_expect(options.kernel && strcmp(options.kernel, kernels[i]) == 0, "%s", kernels[i]);
    }
    static const char *const bad[] = {"", "rows", "yangs", "rows/sequential/v4x8/", "rows/sequential/v3x8",
        "rows/sequential/v4x64", "rows/parallel32/v4x2", "nonzeros/tiles/v4x8", "rows/panels4/v4x1",
        "rows/bricks2/v4x32", "rows/bricks3/v4x16", "rows/bricks3/v4x32/8rows", "rows/bricks3/v4x32/32rows",
        "rows/tiles/v4x8/16rows"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_null(read_with("TORC_KERNEL", bad[i]).kernel, "\"%s\"", bad[i]);
    }
}

Test(environment, names_the_precision)
{
    cr_expect(read_with("TORC_PRECISION", "exact").precision == TORC_PRECISION_EXACT);
    cr_expect(read_with("TORC_PRECISION", "fp32").precision == TORC_PRECISION_FP32);
    cr_expect(read_with("TORC_PRECISION", "tf32").precision == TORC_PRECISION_TF32);
    static const char *const bad[] = {"", "fp", "FP32", "tf32x", "1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect(read_with("TORC_PRECISION", bad[i]).precision == TORC_PRECISION_EXACT, "\"%s\"", bad[i]);
    }
}

Test(environment, says_once_what_means_nothing)
{
    static const char *const nonsense[][2] = {{"TORC_BACKEND", "nonsense"}, {"TORC_DEVICE", "first"},
        {"TORC_MEMORY_LIMIT", "12Q"}, {"TORC_KERNEL", "none"}, {"TORC_PRECISION", "fp16"},
        {"TORC_BACKEND", "other nonsense"}};
    char *said = NULL;
    size_t size;
    FILE *real = stderr;
    stderr = open_memstream(&said, &size);
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        read_with(nonsense[i][0], nonsense[i][1]);
        read_with(nonsense[i][0], nonsense[i][1]);
        read_with(nonsense[i][0], "");
    }
    read_with("TORC_CACHE_DIR", "/some/where");
    fclose(stderr);
    stderr = real;
    cr_expect_str_eq(said,
        "torc: TORC_BACKEND=nonsense is ignored: it is auto, cuda, reference or off\n"
        "torc: TORC_DEVICE=first is ignored: it is a number\n"
        "torc: TORC_MEMORY_LIMIT=12Q is ignored: it is a number of bytes, or one with K, M or G\n"
        "torc: TORC_KERNEL=none is ignored: it is yang, huang or a name that torc explain prints, not "
        "constant/...\n"
        "torc: TORC_PRECISION=fp16 is ignored: it is exact, fp32 or tf32\n");
    free(said);
}
