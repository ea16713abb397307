/* missing_kernels.h: dense operations whose kernels are being compiled beside the program.
 *
 * Such an operation runs on the CPU, and its operands come home. If other operations ran on the device
 * meanwhile, content would go to and fro in every round of a loop. Where objects are small, that takes longer
 * (a fault, pages, pinning) than computing on the CPU. So until the kernels are there, all dense operations
 * on small objects stay on the CPU, and small results of products come home at once.
 *
 * A kernel is waited for no longer once the program has asked for a hundred other operations in between. One
 * that cannot be had is tried again after as many questions for it: the number does not tell all that a
 * kernel depends on. Any thread. */
#ifndef TORC_MISSING_KERNELS_H
#define TORC_MISSING_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

/* Small objects have fewer bytes. Larger ones go to and fro in less time than the CPU takes for a pass:
 * reasoned, not measured. */
enum { TORC_WORTH_FETCHING = 32 << 20 };

/* Should an operation on objects of so many bytes stay on the CPU? operation: the number of its kernel. false
 * also for one that has waited, once nothing is being compiled any more: it is to be tried again. */
bool torc_missing_kernels_hold_back(uint64_t operation, double bytes);

/* Should a product's result of so many bytes come home? */
bool torc_missing_kernels_send_home(double bytes);

/* The operation was tried and lacks its kernel: have it compiled beside the program. */
void torc_missing_kernels_compile(uint64_t operation);

/* The operation was tried, and its kernel does not compile, or nothing compiles it. */
void torc_missing_kernels_give_up(uint64_t operation);

#endif
