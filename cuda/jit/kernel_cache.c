#include "kernel_cache.h"
#include "fnv1a.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 64, OPENING = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY };

typedef struct file_header {
    char magic[8];
    uint64_t key_size, image_size, image_checksum;
} file_header;

static const char magic[8] = "torckrn";

/* ---- Folder ------------------------------------------------------------------------------------------- */

static bool choose_path(char path[512], const char *asked)
{
    const char *cache_home = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int length = -1;
    if (asked) {
        length = snprintf(path, 512, "%s", asked);
    } else if (cache_home && cache_home[0] == '/') {
        length = snprintf(path, 512, "%s/torc", cache_home);
    } else if (home && home[0] == '/') {
        length = snprintf(path, 512, "%s/.cache/torc", home);
    }
    return length > 0 && length < 512;
}

static void make_folders(const char *path)
{
    char parent[512];
    snprintf(parent, sizeof parent, "%s", path);
    for (char *slash = strchr(parent + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(parent, 0700);
        *slash = '/';
    }
    mkdir(parent, 0700);
}

static bool is_private(int folder, uid_t owner)
{
    struct stat status;
    return fstat(folder, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == owner) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* A folder that the process's user, or `owner`, alone may write. */
static void open_folder(torc_kernel_cache *cache, uid_t owner)
{
    cache->folder = open(cache->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cache->folder < 0 || !is_private(cache->folder, owner)) {
        torc_kernel_cache_close(cache);
    }
}

void torc_kernel_cache_open(torc_kernel_cache *cache, const char *path)
{
    *cache = (torc_kernel_cache){.folder = -1};
    if (!choose_path(cache->path, path)) {
        cache->path[0] = '\0';
        return;
    }
    make_folders(cache->path);
    open_folder(cache, geteuid());
}

void torc_kernel_cache_open_installed(torc_kernel_cache *cache, const char *library)
{
    *cache = (torc_kernel_cache){.folder = -1};
    const char *slash = strrchr(library, '/');
    int length = snprintf(
        cache->path, sizeof cache->path, "%.*s/torc/kernels", slash ? (int)(slash - library) : 0, library);
    if (slash && length < (int)sizeof cache->path) {
        open_folder(cache, 0);
    } else {
        cache->path[0] = '\0';
    }
}

void torc_kernel_cache_close(torc_kernel_cache *cache)
{
    if (cache->folder >= 0) {
        close(cache->folder);
    }
    *cache = (torc_kernel_cache){.folder = -1};
}

/* ---- Files -------------------------------------------------------------------------------------------- */

static bool read_all(int file, void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(file, (char *)data + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

static bool write_all(int file, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = write(file, (const char *)data + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

static void file_name(char name[NAME_SIZE], const char *key)
{
    uint64_t hash = torc_fnv1a(TORC_FNV1A_START, key, strlen(key));
    snprintf(name, NAME_SIZE, "%016llx.kernel", (unsigned long long)hash);
}

static file_header header_for(const char *key, const torc_image *image)
{
    file_header header = {.key_size = strlen(key),
        .image_size = image->size,
        .image_checksum = torc_fnv1a(TORC_FNV1A_START, image->data, image->size)};
    memcpy(header.magic, magic, sizeof magic);
    return header;
}

/* The whole file, of `size` bytes, into contents: is it what was stored for the key? */
static bool parse(torc_image *image, const char *contents, size_t size, const char *key)
{
    file_header header;
    size_t key_size = strlen(key);
    if (size < sizeof header + key_size) {
        return false;
    }
    torc_image stored = {.size = size - sizeof header - key_size};
    stored.data = malloc(stored.size + 1);
    if (!stored.data) {
        return false;
    }
    memcpy(stored.data, contents + sizeof header + key_size, stored.size);
    memcpy(&header, contents, sizeof header);
    file_header expected = header_for(key, &stored);
    if (memcmp(&header, &expected, sizeof header) != 0 ||
        memcmp(contents + sizeof header, key, key_size) != 0) {
        torc_image_release(&stored);
        return false;
    }
    *image = stored;
    return true;
}

/* Of a regular file that begins as the key's file does, so that nothing else is waited for or read; else 0.
 */
static size_t size_of_cached(int file, const char *key)
{
    struct stat status;
    file_header header;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
        pread(file, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.magic, magic, sizeof magic) != 0 || header.key_size != strlen(key)) {
        return 0;
    }
    size_t size = (size_t)status.st_size;
    return size == sizeof header + header.key_size + header.image_size ? size : 0;
}

bool torc_kernel_cache_load(torc_image *image, const torc_kernel_cache *cache, const char *key)
{
    *image = (torc_image){NULL, 0};
    char name[NAME_SIZE];
    file_name(name, key);
    int file = cache->folder < 0 ? -1 : openat(cache->folder, name, OPENING);
    if (file < 0) {
        return false;
    }
    bool found = false;
    size_t size = size_of_cached(file, key);
    if (size > 0) {
        char *contents = malloc(size + 1);
        found = contents && read_all(file, contents, size) && parse(image, contents, size, key);
        free(contents);
    }
    close(file);
    return found;
}

bool torc_kernel_cache_store(const torc_kernel_cache *cache, const char *key, const torc_image *image)
{
    if (cache->folder < 0) {
        return false;
    }
    char name[NAME_SIZE], temporary[NAME_SIZE];
    file_name(name, key);
    /* The address of a local keeps threads of one process apart. */
    snprintf(temporary, sizeof temporary, ".%ld-%p", (long)getpid(), (void *)name);
    int file = openat(cache->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return false;
    }
    file_header header = header_for(key, image);
    bool written = write_all(file, &header, sizeof header) && write_all(file, key, strlen(key)) &&
                   write_all(file, image->data, image->size);
    written = close(file) == 0 && written;
    if (!written || renameat(cache->folder, temporary, cache->folder, name) != 0) {
        unlinkat(cache->folder, temporary, 0);
        return false;
    }
    return true;
}
