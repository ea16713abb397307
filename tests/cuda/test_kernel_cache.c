/* test_kernel_cache.c: what is stored is found; what is damaged, foreign or unsafe is not. No GPU. */
#include "cuda_device.h"
#include "kernel_cache.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char key[] = "key of a kernel";
static const char bytes[] = "an image of some length";
static const torc_image image = {(void *)bytes, sizeof bytes};

static char folder[64];
static torc_kernel_cache cache;

static void setup(void)
{
    strcpy(folder, "/tmp/torc-cache-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    torc_kernel_cache_open(&cache, folder);
    cr_assert_geq(cache.folder, 0);
}

/* The path of the folder's only file. */
static void only_file(char path[512])
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(path, 512, "%s/%s", folder, entry->d_name);
            count++;
        }
    }
    closedir(directory);
    cr_assert_eq(count, 1, "%d files in the cache", count);
}

static void teardown(void)
{
    torc_kernel_cache_close(&cache);
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory));) {
        unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
    rmdir(folder);
}

TestSuite(kernel_cache, .init = setup, .fini = teardown);

static bool finds(const char *wanted)
{
    torc_image found;
    bool is_found = torc_kernel_cache_load(&found, &cache, wanted);
    if (is_found) {
        cr_assert_eq(found.size, image.size);
        cr_assert_arr_eq(found.data, image.data, image.size);
    } else {
        cr_assert_null(found.data);
    }
    torc_image_release(&found);
    return is_found;
}

static size_t read_file(char contents[1024], const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    size_t size = fread(contents, 1, 1024, file);
    fclose(file);
    return size;
}

static void write_file(const char *path, const char *contents, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(contents, 1, size, file), size);
    fclose(file);
}

Test(kernel_cache, finds_what_was_stored_and_nothing_else)
{
    cr_expect_not(finds(key));
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    cr_expect(finds(key));
    cr_expect_not(finds("another key"));
    cr_assert(torc_kernel_cache_store(&cache, key, &image), "storing again");
    cr_expect(finds(key));
}

Test(kernel_cache, another_opening_finds_it)
{
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    torc_kernel_cache_close(&cache);
    cr_expect_not(finds(key), "closed");
    torc_kernel_cache_open(&cache, folder);
    cr_expect(finds(key));
}

Test(kernel_cache, a_file_cut_anywhere_is_not_trusted)
{
    char path[512], contents[1024];
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    only_file(path);
    size_t size = read_file(contents, path);
    for (size_t cut = 0; cut < size; cut++) {
        write_file(path, contents, cut);
        cr_expect_not(finds(key), "cut to %zu of %zu bytes", cut, size);
    }
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    cr_expect(finds(key), "stored anew");
}

Test(kernel_cache, a_flipped_bit_anywhere_or_a_longer_file_is_not_trusted)
{
    char path[512], contents[1024];
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    only_file(path);
    size_t size = read_file(contents, path);
    for (size_t i = 0; i < 8 * size; i++) {
        contents[i / 8] ^= (char)(1 << i % 8);
        write_file(path, contents, size);
        cr_expect_not(finds(key), "bit %zu of byte %zu", i % 8, i / 8);
        contents[i / 8] ^= (char)(1 << i % 8);
    }
    contents[size] = 0;
    write_file(path, contents, size + 1);
    cr_expect_not(finds(key), "a byte more");
    write_file(path, contents, size);
    cr_expect(finds(key), "repaired");
}

Test(kernel_cache, the_file_of_another_key_is_not_trusted)
{
    char path[512], contents[1024], other_contents[1024];
    cr_assert(torc_kernel_cache_store(&cache, "KEY of a kernel", &image));
    only_file(path);
    size_t size = read_file(contents, path);
    unlink(path);
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    only_file(path);
    cr_assert_eq(read_file(other_contents, path), size);
    write_file(path, contents, size);
    cr_expect_not(finds(key));
}

Test(kernel_cache, no_file_but_a_regular_one_is_read)
{
    char path[512];
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    only_file(path);
    unlink(path);
    cr_assert_eq(mkdir(path, 0700), 0);
    cr_expect_not(finds(key));
    cr_expect_not(torc_kernel_cache_store(&cache, key, &image), "a folder is in the way");
    rmdir(path);
    cr_assert_eq(symlink("/etc/passwd", path), 0);
    cr_expect_not(finds(key));
    unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_expect_not(finds(key), "a FIFO that nobody writes to");
}

/* KiB of addresses that this process ever had at once. */
static long peak(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && kib < 0 && fgets(line, sizeof line, file)) {
        sscanf(line, "VmPeak: %ld", &kib);
    }
    cr_assert(file && kib > 0);
    fclose(file);
    return kib;
}

/* It would be read for hours, or fill the memory. */
Test(kernel_cache, a_file_that_does_not_begin_like_the_keys_is_not_read)
{
    char path[512];
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    only_file(path);
    cr_assert_eq(truncate(path, 0), 0);
    cr_assert_eq(truncate(path, (off_t)1 << 30), 0);
    long before = peak();
    cr_expect_not(finds(key));
    cr_expect_lt(peak() - before, 1 << 19);
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    cr_expect(finds(key), "stored anew");
}

static bool is_refused(const char *path)
{
    torc_kernel_cache refused;
    torc_kernel_cache_open(&refused, path);
    bool result = refused.folder < 0 && refused.path[0] == '\0';
    if (result) {
        torc_image found;
        cr_expect_not(torc_kernel_cache_store(&refused, key, &image));
        cr_expect_not(torc_kernel_cache_load(&found, &refused, key));
    }
    torc_kernel_cache_close(&refused);
    return result;
}

Test(kernel_cache, a_folder_that_others_may_write_or_that_cannot_be_is_refused)
{
    char path[600];
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    cr_expect(is_refused(path), "a path that is too long");
    cr_expect(is_refused("/dev/null/folder"));
    cr_expect(is_refused("/dev/null"));
    cr_expect_not(is_refused(folder));
    chmod(folder, 0720);
    cr_expect(is_refused(folder), "the group may write");
    chmod(folder, 0702);
    cr_expect(is_refused(folder), "others may write");
    chmod(folder, 0700);
    if (geteuid() == 0) {
        cr_assert_eq(chown(folder, 12345, 12345), 0);
        cr_expect(is_refused(folder), "another user's");
    }
}

Test(kernel_cache, the_default_folder_is_made_private)
{
    char path[512];
    torc_kernel_cache made;
    struct stat status;
    snprintf(path, sizeof path, "%s/some", folder);
    setenv("XDG_CACHE_HOME", path, 1);
    torc_kernel_cache_open(&made, NULL);
    snprintf(path, sizeof path, "%s/some/torc", folder);
    cr_expect_str_eq(made.path, path);
    cr_assert_eq(stat(path, &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0700);
    torc_kernel_cache_close(&made);

    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", folder, 1);
    torc_kernel_cache_open(&made, NULL);
    snprintf(path, sizeof path, "%s/.cache/torc", folder);
    cr_expect_str_eq(made.path, path);
    torc_kernel_cache_close(&made);
    snprintf(path, sizeof path, "rm -r %s/.cache %s/some", folder, folder);
    cr_assert_eq(system(path), 0);
}

Test(kernel_cache, the_installed_folder_is_beside_the_library)
{
    char library[100], path[100], command[120];
    torc_kernel_cache made, installed;
    torc_image found;
    snprintf(library, sizeof library, "%s/libtorc.so.0", folder);
    snprintf(path, sizeof path, "%s/torc/kernels", folder);
    torc_kernel_cache_open(&made, path);
    cr_assert_geq(made.folder, 0);
    cr_assert(torc_kernel_cache_store(&made, key, &image));
    torc_kernel_cache_close(&made);

    torc_kernel_cache_open_installed(&installed, library);
    cr_expect_str_eq(installed.path, path);
    cr_expect(torc_kernel_cache_load(&found, &installed, key));
    torc_image_release(&found);
    torc_kernel_cache_close(&installed);
    chmod(path, 0777);
    torc_kernel_cache_open_installed(&installed, library);
    cr_expect_lt(installed.folder, 0, "others may write");

    snprintf(command, sizeof command, "rm -r %s/torc", folder);
    cr_assert_eq(system(command), 0);
    torc_kernel_cache_open_installed(&installed, library);
    cr_expect_lt(installed.folder, 0, "there is none");
    torc_kernel_cache_open_installed(&installed, "libtorc.so.0");
    cr_expect_lt(installed.folder, 0, "nobody knows where");
}

Test(kernel_cache, processes_that_store_at_once_leave_a_whole_file)
{
    enum { PROCESSES = 4, ROUNDS = 500 };
    cr_assert(torc_kernel_cache_store(&cache, key, &image));
    for (int process = 0; process < PROCESSES; process++) {
        if (fork() == 0) {
            int failures = 0;
            for (int round = 0; round < ROUNDS; round++) {
                torc_image found;
                failures += !torc_kernel_cache_store(&cache, key, &image);
                failures += !torc_kernel_cache_load(&found, &cache, key);
                torc_image_release(&found);
            }
            _exit(failures != 0);
        }
    }
    for (int process = 0; process < PROCESSES; process++) {
        int status;
        wait(&status);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    char path[512];
    only_file(path);
    cr_expect(finds(key));
}

Test(kernel_cache, a_line_that_may_not_be_written_ends_no_program)
{
    static torc_device device;
    device.cache = cache;
    char text[32];
    torc_cuda_remember(&device, "a product", "a kernel");
    cr_assert(torc_cuda_recall(text, sizeof text, &device, "a product"));
    cr_expect_str_eq(text, "a kernel");
    if (fork() == 0) {
        const struct rlimit nothing = {0, 0};
        setrlimit(RLIMIT_FSIZE, &nothing);
        torc_cuda_remember(&device, "another product", "a kernel");
        _exit(torc_cuda_recall(text, sizeof text, &device, "another product"));
    }
    int status;
    wait(&status);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "signal %d", WTERMSIG(status));
}
