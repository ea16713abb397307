/* emulated_kernels.h: the kernels that write_kernels.c wrote, as the C++ compiler made them. */
#ifndef TORC_EMULATED_KERNELS_H
#define TORC_EMULATED_KERNELS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void torc_emulated_entry(const void *args);

typedef struct torc_emulated_kernel {
    const char *source;                  /* as its family has it */
    torc_emulated_entry *main, *combine; /* or NULL */
} torc_emulated_kernel;

extern const torc_emulated_kernel torc_emulated_kernels[];
extern const int torc_emulated_kernel_count;

/* Run a grid of gx x gy x gz blocks, one after another, each with `shared` bytes of shared memory beside what
 * the kernel itself names. Threads run one at a time, in the order of their
 * numbers, or if is_reversed, as blocks do, in the opposite one: what depends on the order differs. */
void torc_simt_launch(torc_emulated_entry *entry, const void *args, unsigned gx, unsigned gy, unsigned gz,
    int threads, size_t shared, int is_reversed);

#ifdef __cplusplus
}
#endif

#endif
