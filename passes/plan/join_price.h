#ifndef LUNA_JOIN_PRICE_H
#define LUNA_JOIN_PRICE_H

// What the joins of a function cost, as they are.

#include <stdbool.h>
#include <stdint.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// What joins are decided for.
typedef struct LunaJoinTarget {
  const LunaMachine *machine;
  int64_t capacity_bytes; ///< of the shared memory
  bool counts_staging;    ///< where copies are coalesced; else tensors alone
} LunaJoinTarget;

/// A price; less is better, member by member.
typedef struct LunaJoinPrice {
  int64_t excess_bytes;    ///< beyond the capacity, with the least staging
  uint64_t slowest_cycles; ///< of the path that takes most
  uint64_t all_cycles;     ///< of all paths, each as much as another
  int64_t bytes;           ///< of the tensors with scratch
} LunaJoinPrice;

/// Computes the price of `func` by planning it. Cycles are those of the unit
/// and the host core; loops whose number of turns is not known take one.
/// Returns false, after an error, if it cannot be planned or an op has no cost.
bool luna_join_price(const LunaJoinTarget *target, MlirOperation func,
                     LunaJoinPrice *price);

/// Returns true if `a` is less than `b`.
bool luna_join_price_is_less(const LunaJoinPrice *a, const LunaJoinPrice *b);

#endif // LUNA_JOIN_PRICE_H
