#ifndef LUNA_RANDOM_ITEMS_H
#define LUNA_RANDOM_ITEMS_H

#include "plan_items.h"
#include "random_program.h"

/// Returns `count` items of up to `largest` bytes, in `arena`: lifetimes of one
/// or two ranges, some items aligned, neighbours listed.
LunaPlanItems random_items(LunaArena *arena, Random *random, uint32_t count,
                           uint32_t largest);

/// Fixes about every third item at a random offset up to `highest`, where it
/// overlaps no other that is fixed.
void fix_random_items(const LunaPlanItems *items, Random *random,
                      int64_t highest);

/// Returns true if offsets are aligned, fixed items lie where they should, and
/// no two items overlap.
bool is_plan_of_items(const LunaPlanItems *items, const int64_t *offsets);

enum { MAX_PERMUTED = 8 };

/// Returns the size of the smallest plan of at most MAX_PERMUTED items: the
/// smallest peak over all orders with first fit.
int64_t smallest_peak(const LunaPlanItems *items);

#endif // LUNA_RANDOM_ITEMS_H
