#include "write_tracking.h"
#include "process.h"
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The part of the kernel's interface that is new in <linux/userfaultfd.h> and <linux/fs.h> of Linux 6.7: torc
 * may be built where headers are older. */
enum {
    USER_MODE_ONLY = 1,
    WP_UNPOPULATED = 1 << 13,
    WP_ASYNC = 1 << 15,
    SCAN_CHECK_WP_ASYNC = 1 << 1, /* fail where the range is not tracked */
    PAGE_WRITTEN = 1 << 1,
    PAGE_FILE = 1 << 2,
    PAGE_PRESENT = 1 << 3,
    POPULATE_READ = 22, /* advice to madvise, of Linux 5.14 */
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

/* An open file, known by more than its number: the program may close whatever numbers it finds, and be given
 * them again for files of its own. */
typedef struct tracking_file {
    int number;
    dev_t device;
    ino_t inode;
} tracking_file;

static tracking_file faults = {.number = -1}, pagemap = {.number = -1};

static tracking_file identify(int number)
{
    struct stat is;
    return number >= 0 && fstat(number, &is) == 0 ? (tracking_file){number, is.st_dev, is.st_ino}
                                                  : (tracking_file){.number = -1};
}

static bool is_still_open(const tracking_file *file)
{
    tracking_file now = identify(file->number);
    return now.number >= 0 && now.device == file->device && now.inode == file->inode;
}

static void close_file(tracking_file *file)
{
    if (is_still_open(file)) {
        close(file->number);
    }
    file->number = -1;
}

static void close_both(void)
{
    close_file(&faults);
    close_file(&pagemap);
}

static void open_both(void)
{
    struct uffdio_api api = {.api = UFFD_API, .features = WP_ASYNC | WP_UNPOPULATED};
    faults = identify((int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY));
    pagemap = identify(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
    if (faults.number < 0 || pagemap.number < 0 || ioctl(faults.number, UFFDIO_API, &api) != 0) {
        close_both();
    }
}

/* The first run of pages of any of these categories; all of them where that cannot be told. */
static size_t first_run(const void *pages, size_t size, uint64_t categories)
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
        .any_of = categories,
        .returned = categories & ~(uint64_t)PAGE_PRESENT,
    };
    return ioctl(pagemap.number, PAGEMAP_SCAN_REQUEST, &scan) < 0 ? size : (size_t)(run.end - run.start);
}

/* Whoever writes to a file does not come by these page tables. What is mapped here later is not tracked,
 * which a scan says: so files are looked for only once. That takes several times as long as a scan without.
 */
static bool is_no_file(void *pages, size_t size)
{
    return first_run(pages, size, PAGE_FILE | PAGE_PRESENT) == 0;
}

static bool arm(void *pages, size_t size, size_t used)
{
    struct uffdio_range range = {.start = (uintptr_t)pages, .len = size};
    struct uffdio_register track = {.range = range, .mode = UFFDIO_REGISTER_MODE_WP};
    struct uffdio_writeprotect protect = {.range = range, .mode = UFFDIO_WRITEPROTECT_MODE_WP};
    if (!is_still_open(&faults) || ioctl(faults.number, UFFDIO_REGISTER, &track) != 0) {
        return false;
    }
    /* Of a page that nobody has touched yet a scan cannot tell whether it is a file's: so it is read. */
    bool is_armed =
        ioctl(faults.number, UFFDIO_WRITEPROTECT, &protect) == 0 &&
        (is_no_file(pages, used) || (madvise(pages, used, POPULATE_READ) == 0 && is_no_file(pages, used)));
    if (!is_armed) {
        ioctl(faults.number, UFFDIO_UNREGISTER, &range);
    }
    return is_armed;
}

/* Pages that are gone count too. */
static size_t written(const void *pages, size_t size)
{
    return first_run(pages, size, PAGE_WRITTEN | PAGE_PRESENT);
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
    bool is_seen = arm((void *)page, size, size) && written((void *)page, size) == 0;
    *page = 2;
    is_seen = is_seen && written((void *)page, size) == size;
    munmap((void *)page, size);
    return is_seen;
}

/* Both tell of the parent's memory, and act on it. The child opens its own when it first needs them. */
static void forget_in_child(void)
{
    close_both();
    open_once = (pthread_once_t)PTHREAD_ONCE_INIT;
}

static void open_first(void)
{
    static const torc_fork_handlers handlers = {.child = forget_in_child};
    open_both();
    if (faults.number >= 0 && !sees_a_write()) {
        close_both();
    }
    torc_process_at_fork(&handlers);
}

bool torc_tracking_is_available(void)
{
    pthread_once(&open_once, open_first);
    return faults.number >= 0;
}

bool torc_tracking_arm(void *pages, size_t size, size_t used)
{
    return torc_tracking_is_available() && arm(pages, size, used);
}

size_t torc_tracking_written(const void *pages, size_t size)
{
    return torc_tracking_is_available() ? written(pages, size) : size;
}

void torc_tracking_disarm(void *pages, size_t size)
{
    struct uffdio_range range = {.start = (uintptr_t)pages, .len = size};
    if (torc_tracking_is_available() && is_still_open(&faults)) {
        ioctl(faults.number, UFFDIO_UNREGISTER, &range);
    }
}
