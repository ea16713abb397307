/* away.h: blocks of the arena whose content is on the device, and comes home when somebody touches it.
 *
 *     home     the content is on the host; the pages can be read and written
 *     away     the content is on the device; the pages cannot be touched
 *     coming   somebody is bringing it home; the pages cannot be touched yet
 *
 * A load or store to a block that is away faults. The handler of SIGSEGV wakes a thread of torc's own, the
 * keeper, and waits until it has brought the block home. Then the program repeats its access. So whoever
 * touches a block finds its content. All other faults go to the program's own handler.
 *
 * A system call that reads or writes a block that is away does not fault: it fails with EFAULT. So arrays are
 * brought home before they are handed to the program (dropin/ways_out.c).
 *
 * The handler must stay in force: content may be away only if somebody sees the program's calls of sigaction
 * and its kin (dropin/dropin_signals.c), and has called torc_away_allow. */
#ifndef TORC_AWAY_H
#define TORC_AWAY_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <torc/torc.h>

/* Called by the one who sees the program's calls of sigaction, before other threads run. set: libc's. */
typedef int (*torc_sigaction)(int, const struct sigaction *, struct sigaction *);
void torc_away_allow(torc_sigaction set);

bool torc_away_is_watching(void);

/* The program's sigaction for SIGSEGV: its action is in force for faults that are not torc's. */
int torc_away_program_action(const struct sigaction *action, struct sigaction *old);

/* Set the function that the keeper calls with a block that is away, to have it landed. Called once. */
void torc_away_keep(void (*fetch)(void *block));

/* May blocks leave now? Not without a handler, nor while the process forks, nor where memory is limited. */
bool torc_away_is_allowed(void);

/* Is memory limited that may be written to (RLIMIT_DATA)? Content that is away does not count, and could not
 * come home if the limit were reached meanwhile. So it may not leave. */
void torc_away_limit(bool is_limited);

/* Say that the content of the used block that begins at `block` is on the device from now on. Returns the
 * number of its journey, which no other journey has; 0: it stays home. Nobody else may know the block yet. */
uint64_t torc_away_leave(void *block);

/* The number of the journey that p's block is on; 0: it is home, or not the arena's. Any thread, lock-free.
 */
uint64_t torc_away_journey(const void *p);

/* Bring the block home: true for the one who is to do so, and to end it with torc_away_land; false where it
 * is home, or has been freed. */
bool torc_away_begin_landing(void *block, uint64_t journey);

/* Make `content` the block's pages: private pages, as many as the block has, with its content. Still nobody
 * can touch them. false: they could not be moved, and stay the caller's. */
bool torc_away_put_pages(void *block, void *content);

/* End the landing: the content is in the block's pages; or it is lost, and what is read is undefined. */
void torc_away_land(void *block);

/* Is any block away? */
bool torc_away_is_any(void);

/* The number of the last journey that began. Any thread, lock-free. */
uint64_t torc_away_last_journey(void);

/* Have p's block brought home, if it is away, and wait. The caller must not have the device. */
void torc_away_ask(const void *p);

/* How many blocks came home because they were touched, and because they were asked for. */
typedef struct torc_away_counts {
    uint64_t touched, asked;
} torc_away_counts;
torc_away_counts torc_away_count(void);

#endif
