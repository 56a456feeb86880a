#ifndef VERIFY_PLAN_STATIC_H
#define VERIFY_PLAN_STATIC_H

// The checks of luna-verify-plan that examine one operator at a time.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/machine.h"
#include "mlir-c/IR.h"

/// The limits of the machine.
typedef struct LunaVerifyLimits {
  const LunaMachine *machine;
  int64_t capacity_bytes, alignment_bytes, granule_bytes;
  uint32_t outstanding;
} LunaVerifyLimits;

/// Checks that every allocation in shared memory has an id, a static shape and
/// an aligned offset within the function's arena, one offset for each id, and
/// that the arena fits the machine. False after an error.
bool luna_verify_placement(MlirOperation func, const LunaVerifyLimits *limits,
                           LunaArena *arena);

/// Checks that all globals in the body of a module or of a luna.program are
/// constants with a value. False after an error.
bool luna_verify_globals(MlirBlock symbols);

/// Checks that operators of the unit reach shared memory only and that constant
/// indices are within their memrefs. False after an error.
bool luna_verify_accesses(MlirOperation func);

/// Checks that the tiling of each operator of the unit is legal on the machine,
/// that its tiles cover the result, and that its scratch holds them. False
/// after an error.
bool luna_verify_units(MlirOperation func, const LunaMachine *machine);

#endif // VERIFY_PLAN_STATIC_H
