/* missing_kernels.h: dense operations whose kernels are being compiled beside the program.
 *
 * Such an operation runs on the CPU, and what it touches comes home. Were the others to run on the device
 * meanwhile, content would go to and fro in every round of a loop, which takes longer than to compute on the
 * CPU where objects are small: a fault, pages, pinning. So all operations on such objects wait on the CPU,
 * and such results of products come home at once, until the operations have their kernels. An operation that
 * the program does not ask for again, while it asks for a hundred others, is waited for no longer. Any
 * thread. */
#ifndef TORC_MISSING_KERNELS_H
#define TORC_MISSING_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

/* Objects of as many bytes go to and fro in less time than the CPU takes for a pass. Reasoned. */
enum { TORC_WORTH_FETCHING = 32 << 20 };

/* Should an operation on objects of so many bytes stay on the CPU? operation: a number of its kernel's own.
 * Where it was waiting, and nothing is being compiled any more, it is to be tried. */
bool torc_missing_kernels_hold_back(uint64_t operation, double bytes);

/* Should a product's result of so many bytes come home? */
bool torc_missing_kernels_send_home(double bytes);

/* The operation was tried, and lacks its kernel, which is compiled beside the program. */
void torc_missing_kernels_compile(uint64_t operation);

#endif
