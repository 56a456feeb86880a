#ifndef VERIFY_PLAN_EFFECTS_H
#define VERIFY_PLAN_EFFECTS_H

// What an operator without control flow reads and writes.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"

/// What an operator does to one memref operand. It reads before it writes.
typedef struct LunaVerifyEffect {
  MlirValue value;
  bool reads, writes;
  bool is_whole;    ///< writes every element
  bool is_captured; ///< by the body of a linalg op
} LunaVerifyEffect;

typedef struct LunaVerifyEffects {
  LunaVerifyEffect *items;
  uint32_t count;
} LunaVerifyEffects;

/// Returns the effects of `op` on its memref operands, and on those that the
/// body of a linalg op captures; from `arena`. An op that is not known writes
/// all its memrefs, which never makes a valid program fail.
LunaVerifyEffects luna_verify_effects(MlirOperation op, LunaArena *arena);

#endif // VERIFY_PLAN_EFFECTS_H
