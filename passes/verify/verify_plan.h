#ifndef VERIFY_PLAN_H
#define VERIFY_PLAN_H

// The parts of luna-verify-plan: checks of one operator at a time, and the
// comparison of both programs.

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

/// Emits an error at `op` as printf would; gives false.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool luna_verify_error(MlirOperation op, const char *format, ...);

/// Checks that every allocation in shared memory has an id, a static shape and
/// an aligned offset within the function's arena, one offset for each id; that
/// the arena fits the machine; that operators of the unit reach shared memory
/// only, and that constant indices are within their memrefs. False after an
/// error.
bool luna_verify_placement(MlirOperation func, const LunaVerifyLimits *limits,
                           LunaArena *arena);

/// Checks that all globals in the body of a module or of a luna.program are
/// constants with a value. False after an error.
bool luna_verify_globals(MlirBlock symbols);

/// Checks that the tiling of each operator of the unit is legal on the machine,
/// that its tiles cover the result, and that its scratch holds them. False
/// after an error.
bool luna_verify_tilings(MlirOperation func, const LunaMachine *machine);

/// Returns the function in `block` that has that name and a body; a null
/// operation if there is none.
MlirOperation luna_verify_function_named(MlirBlock block, MlirStringRef name);

/// Returns true if `plan` leaves in each argument, byte by byte and on every
/// path, what the function `program` leaves there; bytes that the program
/// leaves undefined may hold anything. With a null `program`, what the plan
/// would leave there if each execution of an allocation had a memory of its
/// own, and if no operator reads what nothing has written. Otherwise emits one
/// error. Assumes that offsets and tilings were checked.
bool luna_verify_plan(MlirOperation program, MlirOperation plan,
                      const LunaVerifyLimits *limits);

#endif // VERIFY_PLAN_H
