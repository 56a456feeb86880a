#ifndef LUNA_ROOT_SET_H
#define LUNA_ROOT_SET_H

// Sets of the allocations that a value may refer to.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A sorted set of numbers of allocations.
typedef struct LunaRootSet {
  const uint32_t *ids;
  uint32_t count;
  bool has_other; ///< or what is not an allocation: an argument or a global
} LunaRootSet;

/// Adds `more` to `*set`, in `arena`. Returns false if nothing is new.
bool luna_root_set_add(LunaRootSet *set, LunaRootSet more, LunaArena *arena);

/// Returns true if values of these roots may refer to the same memory.
bool luna_roots_meet(LunaRootSet a, LunaRootSet b);

#ifdef __cplusplus
}
#endif

#endif // LUNA_ROOT_SET_H
