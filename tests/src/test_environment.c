/* Options from environment variables: what is unset or not understood keeps its default. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <torc/torc.h>

static torc_options read_with(const char *name, const char *value)
{
    static const char *const names[] = {
        "TORC_BACKEND", "TORC_DEVICE", "TORC_MEMORY_LIMIT", "TORC_CACHE_DIR", "TORC_KERNEL"};
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
    cr_expect(options.backend == TORC_BACKEND_AUTO && options.device == 0 && options.memory_limit == 0 &&
              !options.cache_dir && !options.kernel);
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
    cr_expect(strcmp(read_with("TORC_CACHE_DIR", "/some/where").cache_dir, "/some/where") == 0);
}

Test(environment, names_the_kernel_or_the_rule)
{
    cr_expect(strcmp(read_with("TORC_KERNEL", "yang").kernel, "yang") == 0);
}
