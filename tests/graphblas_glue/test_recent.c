/* Things of a kind are found by their keys; in a full set the one asked for the longest ago makes room. */
#include "recent.h"
#include <criterion/criterion.h>

typedef struct thing {
    uint64_t key;
    int value;
} thing;

TORC_RECENT(few, thing, key, TORC_RECENT_WAYS);
TORC_RECENT(many, thing, key, 1024);

static void add(torc_recent *recent, uint64_t key, int value)
{
    thing *added = torc_recent_find_or_add(recent, &key);
    cr_assert_eq(added->key, key);
    added->value = value;
}

/* 0: there is none. */
static int value_of(torc_recent *recent, uint64_t key)
{
    const thing *found = torc_recent_find(recent, &key);
    return found ? found->value : 0;
}

Test(recent, nothing_is_found_before_it_was_added_whatever_its_key)
{
    cr_expect_eq(value_of(&few, 0), 0);
    cr_expect_null(torc_recent_find(&few, &(uint64_t){0}));
    add(&few, 0, 5);
    cr_expect_eq(value_of(&few, 0), 5);
}

Test(recent, the_one_asked_for_the_longest_ago_makes_room)
{
    for (int key = 1; key <= TORC_RECENT_WAYS; key++) {
        add(&few, (uint64_t)key, key);
    }
    cr_expect_eq(value_of(&few, 1), 1);
    add(&few, 9, 9);
    cr_expect_eq(value_of(&few, 1), 1, "it was asked for after the others");
    cr_expect_null(torc_recent_find(&few, &(uint64_t){2}));
    cr_expect_eq(value_of(&few, 3), 3);
    cr_expect_eq(value_of(&few, 9), 9);
    thing *again = torc_recent_find_or_add(&few, &(uint64_t){2});
    cr_expect_eq(again->value, 0, "nothing is left of what was there");
}

/* Sets fill unevenly: of half of what there is room for nearly all are kept. */
Test(recent, keys_are_spread_over_the_sets)
{
    int kept = 0;
    for (int key = 1; key <= 512; key++) {
        add(&many, (uint64_t)key << 12, key);
    }
    for (int key = 1; key <= 512; key++) {
        kept += value_of(&many, (uint64_t)key << 12) == key;
    }
    cr_expect_gt(kept, 480);
}
