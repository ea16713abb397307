/* compile.h: text to machine code by NVRTC, the run-time compiler. Needs no GPU and no driver. */
#ifndef TORC_COMPILE_H
#define TORC_COMPILE_H

#include <torc/torc.h>

/* A cubin. */
typedef struct torc_image {
    void *data;
    size_t size;
} torc_image;

void torc_image_release(torc_image *image);

enum { TORC_KEY_SIZE = 17408, TORC_LOG_SIZE = 2048 };

/* Everything that decides what torc_compile makes of a source, as text: equal keys, equal images. compiler:
 * its version, as below. False if it does not fit. */
bool torc_compile_key(char key[TORC_KEY_SIZE], const char *source, int architecture, int compiler);

/* Compile for an architecture, 90 for sm_90. log receives what the compiler said, "" if nothing, cut to fit.
 *  TORC_COMPILE_ERROR, TORC_OUT_OF_MEMORY, TORC_NO_COMPILER: *image is empty. */
torc_status torc_compile(torc_image *image, char log[TORC_LOG_SIZE], const char *source, int architecture);

/* 1300 for 13.0; 0 if there is none. */
int torc_compiler_version(void);

/* The same of the toolkit that torc was built with. */
int torc_compiler_built_with(void);

#endif
