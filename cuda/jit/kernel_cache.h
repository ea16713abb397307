/* kernel_cache.h: compiled kernels on disk, a file a key, in a folder of the user's own; and, compiled ahead
 * of time, in one that is installed with the library.
 *
 *     magic, size of key, size of image, checksum of image   32 bytes
 *     key                                                     text, see torc_compile_key
 *     image
 *
 * The file's name is the hash of the key. A file that is not exactly this for the key asked for, because it
 * is damaged, cut or another key's, counts as absent and is written anew. Files appear whole, by rename, so
 * that processes may share the folder.
 */
#ifndef TORC_KERNEL_CACHE_H
#define TORC_KERNEL_CACHE_H

#include "compile.h"

typedef struct torc_kernel_cache {
    int folder;     /* file descriptor; -1: no cache, nothing is found and nothing stored */
    char path[512]; /* "" if there is none */
} torc_kernel_cache;

/* Open the folder `path`, or if NULL $XDG_CACHE_HOME/torc or $HOME/.cache/torc, made if absent. A folder that
 * cannot be made, is not the user's or may be written by others is not used: folder is then -1. */
void torc_kernel_cache_open(torc_kernel_cache *cache, const char *path);
/* The folder torc/kernels beside a file, for reading: the administrator's or the user's, and nobody else's to
 * write. Closed as the other one. */
void torc_kernel_cache_open_installed(torc_kernel_cache *cache, const char *library);

void torc_kernel_cache_close(torc_kernel_cache *cache);

/* False if the cache has no good image for the key; *image is then empty. */
bool torc_kernel_cache_load(torc_image *image, const torc_kernel_cache *cache, const char *key);

/* False if it could not be stored. */
bool torc_kernel_cache_store(const torc_kernel_cache *cache, const char *key, const torc_image *image);

#endif
