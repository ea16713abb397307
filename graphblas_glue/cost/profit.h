/* profit.h: programs for which the device is opened before their calls have asked for it.
 *
 * Opening takes about as long as reading a graph, and may go on beside it. So a program that gained by the
 * device the last time, or would have, has it opened from GrB_init on. One that is not known has it opened
 * once its matrices have TORC_LARGE_CONTENT bytes, a graph of some ten million entries: one product of that
 * with 64 columns takes 16 processors as long as opening does. If it gains nothing by that, it is known
 * from then on, and calls alone decide.
 *
 * Programs are remembered in a text file beside the rates, the newest first, 200 at most:
 *
 *     torc programs 2
 *     +HEX        a line each, + for one that gained, - for one that did not, ! for one that lost
 *     sum HEX     checksum of all lines before
 *
 * HEX is the hash of the executable's path, size and time of change, of the command line, and of the device
 * that is asked for.
 *
 * A program has gained if its calls gained more than one of all processors loses by opening: calls of this
 * process, later than opening takes after GrB_init; those before could not have gained. It has lost if it
 * ends while the device has to be so much faster because it took too long (trial.h). What calls on the CPU
 * would have gained is predicted, and so it was when the program lost: from then on it has gained if that is
 * as much as opening takes. Of a process that measured the machine's rates, the first on it, a gain alone is
 * remembered. A file that is not exactly this counts as absent. */
#ifndef TORC_PROFIT_H
#define TORC_PROFIT_H

#include <stdbool.h>
#include <stdint.h>

#define TORC_LARGE_CONTENT ((size_t)128 << 20)

/* GraphBLAS has been started: open the device if this program gained last time, or else, unless it is known
 * not to have, once its content is large. */
void torc_profit_begin(void);

/* Did this program gain last time? Any thread. */
bool torc_profit_is_expected(void);

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

typedef enum torc_profit {
    TORC_PROFIT_UNKNOWN,
    TORC_PROFIT_NONE,
    TORC_PROFIT_LOSS,
    TORC_PROFIT_SOME,
} torc_profit;

/* What a program is known for that was known for `last_time`, gained so many seconds, and ends with that
 * hurdle of trial.h. start: the seconds that opening takes. */
torc_profit torc_profit_judge(
    torc_profit last_time, double gained, double hurdle, double start, double processors);

torc_profit torc_profit_recall(const char *folder, uint64_t program);

/* false: it could not be written; the folder must be there, and nobody else may write to it. */
bool torc_profit_remember(const char *folder, uint64_t program, torc_profit known);

#endif
