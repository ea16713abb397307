#include "write_tracking.h"
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the kernel's interface, what <linux/userfaultfd.h> and <linux/fs.h> of Linux 6.7 have and those of older
 * systems, where torc may be built, have not. */
enum {
    USER_MODE_ONLY = 1,
    WP_UNPOPULATED = 1 << 13,
    WP_ASYNC = 1 << 15,
    SCAN_CHECK_WP_ASYNC = 1 << 1, /* fail where the range is not tracked */
    PAGE_WRITTEN = 1 << 1,
    PAGE_PRESENT = 1 << 3,
};

typedef struct page_region {
    uint64_t start, end, categories;
} page_region;

typedef struct scan_request {
    uint64_t size, flags, start, end, walk_end, regions, nregions, max_pages;
    uint64_t inverted, all_of, any_of, returned; /* masks of categories */
} scan_request;

#define PAGEMAP_SCAN_REQUEST _IOWR('f', 16, scan_request)

static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static int faults = -1, pagemap = -1;

static void close_both(void)
{
    close(faults);
    close(pagemap);
    faults = pagemap = -1;
}

/* Both belong to this process: what a child inherits would tell of its parent's memory. */
static void open_both(void)
{
    struct uffdio_api api = {.api = UFFD_API, .features = WP_ASYNC | WP_UNPOPULATED};
    faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (faults < 0 || pagemap < 0 || ioctl(faults, UFFDIO_API, &api) != 0) {
        close_both();
    }
}

static bool arm(void *pages, size_t size)
{
    struct uffdio_range range = {.start = (uintptr_t)pages, .len = size};
    struct uffdio_register track = {.range = range, .mode = UFFDIO_REGISTER_MODE_WP};
    struct uffdio_writeprotect protect = {.range = range, .mode = UFFDIO_WRITEPROTECT_MODE_WP};
    return ioctl(faults, UFFDIO_REGISTER, &track) == 0 && ioctl(faults, UFFDIO_WRITEPROTECT, &protect) == 0;
}

/* The first run of pages that were written to, or are gone. */
static size_t written(const void *pages, size_t size)
{
    page_region run = {0};
    scan_request scan = {
        .size = sizeof scan,
        .flags = SCAN_CHECK_WP_ASYNC,
        .start = (uintptr_t)pages,
        .end = (uintptr_t)pages + size,
        .regions = (uintptr_t)&run,
        .nregions = 1,
        .inverted = PAGE_PRESENT,
        .any_of = PAGE_WRITTEN | PAGE_PRESENT,
        .returned = PAGE_WRITTEN,
    };
    return ioctl(pagemap, PAGEMAP_SCAN_REQUEST, &scan) < 0 ? size : (size_t)(run.end - run.start);
}

/* A kernel that accepts all of it and yet sees no write would be the worst case: try it. */
static bool sees_a_write(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return false;
    }
    *page = 1;
    bool is_seen = arm((void *)page, size) && written((void *)page, size) == 0;
    *page = 2;
    is_seen = is_seen && written((void *)page, size) == size;
    munmap((void *)page, size);
    return is_seen;
}

static void reopen_in_child(void)
{
    if (faults >= 0) {
        close_both();
        open_both();
    }
}

static void open_first(void)
{
    open_both();
    if (faults >= 0 && (!sees_a_write() || pthread_atfork(NULL, NULL, reopen_in_child) != 0)) {
        close_both();
    }
}

bool torc_tracking_is_available(void)
{
    pthread_once(&open_once, open_first);
    return faults >= 0;
}

bool torc_tracking_arm(void *pages, size_t size)
{
    return torc_tracking_is_available() && arm(pages, size);
}

size_t torc_tracking_written(const void *pages, size_t size)
{
    return torc_tracking_is_available() ? written(pages, size) : size;
}

void torc_tracking_disarm(void *pages, size_t size)
{
    struct uffdio_range range = {.start = (uintptr_t)pages, .len = size};
    if (torc_tracking_is_available()) {
        ioctl(faults, UFFDIO_UNREGISTER, &range);
    }
}
