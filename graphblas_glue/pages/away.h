/* away.h: blocks of the arena whose content is on the device, and comes home when somebody touches it.
 *
 *     home     the host's bytes are the truth; the pages can be read and written
 *     away     the device's are; the pages cannot be touched
 *     coming   somebody brings it home
 *
 * A load or store to a block that is away faults. The handler of SIGSEGV has a thread of torc's own, the
 * keeper, bring the block home, waits for that, and lets the program repeat what it did. Faults of anybody
 * else go where the program sent them. Nothing but the pages' protection tells the program: whatever touches
 * a block finds its content.
 *
 * The kernel's own accesses do not fault, they fail: write(2) from a block that is away says EFAULT. So what
 * is handed to the program as an array is asked home before (dropin/ways_out.c).
 *
 * The handler must stay the process's: away content needs somebody who sees sigaction and its kin
 * (dropin/dropin_signals.c), and says so with torc_away_allow. */
#ifndef TORC_AWAY_H
#define TORC_AWAY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <torc/torc.h>

/* Who sees the program's calls of sigaction: `set` is libc's. Before other threads run. */
typedef int (*torc_sigaction)(int, const struct sigaction *, struct sigaction *);
void torc_away_allow(torc_sigaction set);

bool torc_away_is_watching(void);

/* sigaction for SIGSEGV, as the program asks for it: in force for the faults that are not torc's. */
int torc_away_program_action(const struct sigaction *action, struct sigaction *old);

/* Who fetches: called by the keeper, with a block that is away, to have it landed. Once. */
void torc_away_keep(void (*fetch)(void *block));

/* May blocks leave now? Not without a handler, nor while the process forks. */
bool torc_away_is_allowed(void);

/* Say that the content of the used block that begins at `block` is on the device. The number of its journey,
 * which no other has, or 0: it stays home. Nobody else may know the block yet. */
uint64_t torc_away_leave(void *block);

/* The number of the journey that p's block is on; 0: it is home, or not the arena's. Any thread, lock-free.
 */
uint64_t torc_away_journey(const void *p);

/* Bring the block home: true for the one who is to do so, and to end it with torc_away_land; false where it
 * is home, or has been freed. */
bool torc_away_begin_landing(void *block, uint64_t journey);

/* The content is in `content`, private pages as many as the block has, which become the block's: still nobody
 * can touch them. false: they do not, and stay the caller's. */
bool torc_away_put_pages(void *block, void *content);

/* The content is in the block's pages; or there is none any more, and what is read is undefined. */
void torc_away_land(void *block);

/* Is any block away? */
bool torc_away_is_any(void);

/* Have p's block brought home, if it is away, and wait. The caller must not have the device. */
void torc_away_ask(const void *p);

/* How often blocks came home because they were touched, and asked for. */
typedef struct torc_away_counts {
    uint64_t touched, asked;
} torc_away_counts;
torc_away_counts torc_away_count(void);

#endif
