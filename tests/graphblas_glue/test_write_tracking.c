/* Whoever writes to armed pages, and however, is seen; who only reads is not. */
#include "write_tracking.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20, SIZE = 8 << 20 };

static char *memory;

static bool is_unwritten(const void *pages, size_t size)
{
    return torc_tracking_written(pages, size) == 0;
}

static char *map(void *where)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0);
    char *pages = mmap(where, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    return pages;
}

static void fill(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    memory = map(NULL);
    madvise(memory, SIZE, MADV_HUGEPAGE);
    memset(memory, 1, SIZE);
}

static void arm(void)
{
    fill();
    cr_assert(torc_tracking_arm(memory, SIZE, SIZE));
    cr_assert(is_unwritten(memory, SIZE));
}

static void unmap(void)
{
    munmap(memory, SIZE);
}

TestSuite(write_tracking, .init = arm, .fini = unmap);

Test(write_tracking, sees_one_byte_on_every_page_of_small_and_huge_ones)
{
    for (size_t at = 0; at < SIZE; at += 4096 * 37 + 1) {
        ((volatile char *)memory)[at] = 1; /* what was there already */
        cr_assert_not(is_unwritten(memory, SIZE), "at %zu", at);
        cr_assert(torc_tracking_arm(memory, SIZE, SIZE));
        cr_assert(is_unwritten(memory, SIZE), "at %zu", at);
    }
}

Test(write_tracking, sees_no_read)
{
    unsigned sum = 0;
    for (size_t at = 0; at < SIZE; at++) {
        sum += (unsigned char)memory[at];
    }
    cr_assert_eq(sum, SIZE);
    int pipes[2];
    cr_assert_eq(pipe(pipes), 0);
    cr_assert_eq(write(pipes[1], memory, 5000), 5000);
    cr_assert(is_unwritten(memory, SIZE));
}

Test(write_tracking, sees_what_the_kernel_writes)
{
    int pipes[2];
    cr_assert_eq(pipe(pipes), 0);
    cr_assert_eq(write(pipes[1], "x", 1), 1);
    cr_assert_eq(read(pipes[0], memory + HUGE_PAGE + 12345, 1), 1);
    cr_assert_not(is_unwritten(memory, SIZE));
    cr_assert(is_unwritten(memory, HUGE_PAGE));
}

static void *write_one(void *where)
{
    *(volatile char *)where = 7;
    return NULL;
}

Test(write_tracking, measures_the_first_run_of_written_pages)
{
    memset(memory + HUGE_PAGE, 2, HUGE_PAGE + 4096);
    memory[SIZE - 1] = 2;
    cr_assert_eq(torc_tracking_written(memory, SIZE), HUGE_PAGE + 4096);
    cr_assert_eq(torc_tracking_written(memory + HUGE_PAGE + 4096, SIZE - HUGE_PAGE - 4096), HUGE_PAGE);
    memset(memory, 2, SIZE);
    cr_assert_eq(torc_tracking_written(memory, SIZE), SIZE);
}

Test(write_tracking, sees_other_threads)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, write_one, memory + SIZE - 1), 0);
    pthread_join(thread, NULL);
    cr_assert_not(is_unwritten(memory, SIZE));
}

Test(write_tracking, knows_nothing_of_what_is_not_armed)
{
    torc_tracking_disarm(memory, SIZE);
    cr_assert_not(is_unwritten(memory, SIZE));
    torc_tracking_disarm(memory, SIZE);
    cr_assert(torc_tracking_arm(memory, SIZE / 2, SIZE / 2));
    cr_assert(is_unwritten(memory, SIZE / 2));
    cr_assert_not(is_unwritten(memory, SIZE));
}

Test(write_tracking, ends_where_pages_are_given_back_or_replaced)
{
    madvise(memory + HUGE_PAGE, HUGE_PAGE, MADV_DONTNEED);
    cr_assert_not(is_unwritten(memory, SIZE));
    cr_assert(is_unwritten(memory, HUGE_PAGE));
    map(memory);
    cr_assert_not(is_unwritten(memory, SIZE));
    cr_assert_not(is_unwritten(memory, HUGE_PAGE));
}

/* Writes to a file need not come by these page tables. */
static void check_a_file(int populate)
{
    int file = memfd_create("pages", MFD_CLOEXEC), flags = MAP_FIXED | MAP_SHARED | populate;
    char *part = memory + HUGE_PAGE / 2, value = 7;
    cr_assert_eq(ftruncate(file, HUGE_PAGE), 0);
    cr_assert_eq(mmap(part, HUGE_PAGE, PROT_READ | PROT_WRITE, flags, file, 0), part);
    for (int turn = 0; turn < 3; turn++) {
        torc_tracking_arm(memory, SIZE, SIZE);
        cr_assert_neq(memchr(part, 1, HUGE_PAGE), part); /* it is copied once it is armed */
        cr_assert_not(is_unwritten(memory, SIZE));
        cr_assert_eq(pwrite(file, &value, 1, 4096 * turn), 1);
        cr_assert_not(is_unwritten(memory, SIZE));
    }
    close(file);
}

Test(write_tracking, counts_a_file_as_written)
{
    check_a_file(MAP_POPULATE);
}

/* What is armed before it is copied is not in the page tables yet. */
Test(write_tracking, counts_a_file_as_written_that_nobody_has_touched)
{
    check_a_file(0);
}

Test(write_tracking, of_memory_never_touched_sees_the_first_write)
{
    map(memory);
    cr_assert(torc_tracking_arm(memory, SIZE, SIZE));
    memory[SIZE / 2] = 1;
    cr_assert_not(is_unwritten(memory + SIZE / 2, 4096));
}

/* The child returns the number of the first claim that fails. */
static int check_child(void)
{
    if (is_unwritten(memory, SIZE)) {
        return 1;
    }
    memory[0] = 3;
    if (!torc_tracking_arm(memory, SIZE, SIZE) || !is_unwritten(memory, SIZE)) {
        return 2;
    }
    memory[0] = 4;
    if (is_unwritten(memory, SIZE)) {
        return 3;
    }
    torc_tracking_disarm(memory, SIZE);
    return 0;
}

Test(write_tracking, of_parent_and_child_are_apart)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        _exit(check_child());
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0, "claim %d", WEXITSTATUS(status));
    cr_assert(is_unwritten(memory, SIZE));
    memory[HUGE_PAGE] = 5;
    cr_assert_not(is_unwritten(memory, SIZE));
}

/* Writes that a page's copying for a child goes before are seen too. */
Test(write_tracking, goes_on_while_a_child_lives)
{
    int pipes[2];
    char byte;
    cr_assert_eq(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        close(pipes[1]);
        _exit((int)read(pipes[0], &byte, 1));
    }
    cr_assert(is_unwritten(memory, SIZE));
    memory[5] = 5;
    cr_assert_not(is_unwritten(memory, SIZE));
    close(pipes[1]);
    cr_assert_eq(waitpid(child, NULL, 0), child);
}

/* The file's number, or -1: by what the kernel calls it. */
static int number_of(const char *what)
{
    char path[32], name[64];
    for (int number = 0; number < 64; number++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", number);
        ssize_t length = readlink(path, name, sizeof name - 1);
        name[length > 0 ? length : 0] = '\0';
        if (strstr(name, what)) {
            return number;
        }
    }
    return -1;
}

/* A daemon closes whatever is open, and is given the numbers again. */
Test(write_tracking, leaves_files_alone_that_took_its_numbers)
{
    int numbers[] = {number_of("userfaultfd"), number_of("pagemap")};
    FILE *files[2];
    for (int i = 0; i < 2; i++) {
        cr_assert_geq(numbers[i], 0);
        files[i] = tmpfile();
        cr_assert_eq(dup2(fileno(files[i]), numbers[i]), numbers[i]);
    }
    cr_expect_not(is_unwritten(memory, SIZE), "nothing is known any more");
    cr_expect_not(torc_tracking_arm(memory, SIZE, SIZE));
    pid_t child = fork();
    if (child == 0) {
        bool is_written = write(numbers[0], "a", 1) == 1 && write(numbers[1], "b", 1) == 1;
        _exit(!is_written || !torc_tracking_arm(memory, SIZE, SIZE) || !is_unwritten(memory, SIZE));
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(lseek(numbers[i], 0, SEEK_END), 1);
        close(numbers[i]);
        fclose(files[i]);
    }
}
