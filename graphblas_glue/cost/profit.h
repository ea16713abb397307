/* profit.h: programs that gained by the device, or would have: it is opened for them from GrB_init on, beside
 * the program, which mostly reads its input then.
 *
 * They are remembered in a text file beside the rates, the newest first, 200 at most:
 *
 *     torc programs 1
 *     HEX             a line each: the hash of the executable's path, size and time of change, of the command
 *                     line, and of the device that is asked for
 *     sum HEX         checksum of all lines before
 *
 * A program is worth it if its calls gained more than one of all processors loses by opening: calls of this
 * process, later than opening takes after GrB_init; those before could not have gained. It is forgotten the
 * first time that it is not. A file that is not exactly this counts as absent. */
#ifndef TORC_PROFIT_H
#define TORC_PROFIT_H

#include <stdbool.h>
#include <stdint.h>

/* GraphBLAS has been started: open the device if this program profited last time. */
void torc_profit_begin(void);

/* A call has gained so many seconds by the device, or would have, were it open; less than 0: it lost. Any
 * thread. */
void torc_profit_add(double seconds);

/* A call has lost so many seconds, if more than 0, on the CPU because the device was not open. What all of
 * them have lost: once that is as much as opening takes the device is opened, beside the program, by the ski
 * rental rule of decision.h. Any thread. */
void torc_profit_miss(double seconds);
double torc_profit_missed(void);

/* This program; 0: it cannot be told. */
uint64_t torc_profit_program(void);

bool torc_profit_is_remembered(const char *folder, uint64_t program);

/* false: it could not be written; the folder must be there, and nobody else may write to it. */
bool torc_profit_remember(const char *folder, uint64_t program, bool has_profited);

#endif
