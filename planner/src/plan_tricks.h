#ifndef LUNA_PLAN_TRICKS_H
#define LUNA_PLAN_TRICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/error.h"

/// The parts of the planner that can be left out, to measure what each is
/// worth (plan_tricks.def).

typedef enum LunaPlanTrick {
#define LUNA_PLAN_TRICK(enumerator, name, without) PLAN_TRICK_##enumerator,
#include "plan_tricks.def"
#undef LUNA_PLAN_TRICK
  PLAN_TRICK_COUNT,
} LunaPlanTrick;

/// A set of tricks that are left out; all zero, it is empty.
typedef struct LunaPlanWithout {
  uint64_t words[(PLAN_TRICK_COUNT + 63) / 64];
} LunaPlanWithout;

/// Returns true if a trick is not left out.
static inline bool plan_tries(const LunaPlanWithout *without,
                              LunaPlanTrick trick) {
  return (without->words[trick / 64] >> trick % 64 & 1) == 0;
}

/// Returns the name of a trick, and what happens without it.
const char *luna_plan_trick_name(LunaPlanTrick trick);
const char *luna_plan_trick_without(LunaPlanTrick trick);

/// Reads names joined by commas; NULL is the empty set. Fails with
/// LUNA_ERROR_INPUT if there is no such trick.
bool luna_plan_read_without(const char *names, LunaPlanWithout *without,
                            LunaError *error);

#endif // LUNA_PLAN_TRICKS_H
