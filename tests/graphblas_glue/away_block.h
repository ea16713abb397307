/* away_block.h: blocks of the arena whose content lies with the test, which stands for the device. */
#ifndef TORC_AWAY_BLOCK_H
#define TORC_AWAY_BLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { AWAY_WORDS = 400000 }; /* of a block: 2 pages of the arena */

/* How often the keeper has asked for a block; how it answers. */
extern atomic_int away_fetches;
extern atomic_bool away_is_lost; /* it does nothing */

/* Content may be away from here on. */
void away_start(void);

/* A new block that is away, with this content: word i is content + i. */
uint64_t *away_new(uint64_t content);

/* Another journey of a block that is home. */
uint64_t away_leave(uint64_t *block, uint64_t content);

/* Does the block hold that content? Touches it. */
bool away_holds(const uint64_t *block, uint64_t content);

/* Bring the block's content, once torc_away_begin_landing has said yes. */
void away_land(uint64_t *block);

#endif
