/* cache_file.h: small text files beside the compiled kernels, each ending in a line with the sum of all
 * before it. They appear whole, by rename. A program that runs with rights that its user has not has no
 * folder. */
#ifndef TORC_CACHE_FILE_H
#define TORC_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folder where the engine keeps compiled kernels, told without opening the device. */
enum { TORC_CACHE_FOLDER = 512, TORC_CACHE_FILE = 4096 };
bool torc_cache_folder(char folder[TORC_CACHE_FOLDER]);

/* FNV-1a, against accidents: whoever may write to the folder may also slow torc down. */
uint64_t torc_cache_sum(const char *text);

/* Appends the line with the sum, for which there must be room. */
void torc_cache_seal(char text[TORC_CACHE_FILE]);

/* false: there is no such file, or it is longer, or its sum is wrong. */
bool torc_cache_read(char text[TORC_CACHE_FILE], const char *folder, const char *name);

/* false: it could not be written, and what was there before still is. */
bool torc_cache_write(const char *folder, const char *name, const char *text);

#endif
