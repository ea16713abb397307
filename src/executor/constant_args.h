/* constant_args.h: what the launch of a compiled-in product is given: all else is in its text. Plain C, read
 * by the host and by NVRTC. */
#ifndef TORC_CONSTANT_ARGS_H
#define TORC_CONSTANT_ARGS_H

typedef struct torc_constant_args {
    const void *b;
    void *c;
} torc_constant_args;

#endif
