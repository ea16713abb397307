/* cache_file.h: small text files beside the compiled kernels. Each ends in a line with the checksum of all
 * lines before, and appears whole, by rename. A program that runs with more rights than its user has no
 * folder for them. */
#ifndef TORC_CACHE_FILE_H
#define TORC_CACHE_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* The folder where the engine keeps compiled kernels; the device need not be open. */
enum { TORC_CACHE_FOLDER = 512, TORC_CACHE_FILE = 4096 };
bool torc_cache_folder(char folder[TORC_CACHE_FOLDER]);

/* FNV-1a, against accidents: whoever may write to the folder may also slow torc down. */
uint64_t torc_cache_sum(const char *text);

/* Append the line with the checksum; there must be room for it. */
void torc_cache_seal(char text[TORC_CACHE_FILE]);

/* false: there is no such file, or it is too long, or its checksum is wrong. */
bool torc_cache_read(char text[TORC_CACHE_FILE], const char *folder, const char *name);

/* false: it could not be written, and an older file is as it was. */
bool torc_cache_write(const char *folder, const char *name, const char *text);

#endif
