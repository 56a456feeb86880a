#ifndef LUNA_LOOP_VALUES_H
#define LUNA_LOOP_VALUES_H

// What a loop carries from turn to turn, and what it leaves behind.

#include <stdbool.h>

#include "mlir-c/IR.h"

/// The values of scf.for or scf.while. Value `i` that is carried is operand
/// first_operand + i, argument first_argument + i of `header`, and operand `i`
/// of `yield`. Value `i` that is left is operand first_left + i of `exit`, and
/// result `i`; of an scf.for, it is the value carried.
typedef struct LunaLoopValues {
  MlirOperation op;
  bool is_for;
  MlirBlock header;    ///< where each turn begins
  MlirBlock body;      ///< where it ends: the same, or the second region
  MlirOperation yield; ///< at the end of `body`
  MlirOperation exit;  ///< `yield`, or the scf.condition
  intptr_t first_operand, first_argument, first_left;
  intptr_t count; ///< of the values carried
} LunaLoopValues;

/// Describes a loop.
LunaLoopValues luna_loop_values(MlirOperation loop);

/// Returns what the loop carries as value `i` at first, within a turn, and on
/// to the next.
MlirValue luna_loop_init(const LunaLoopValues *loop, intptr_t i);
MlirValue luna_loop_argument(const LunaLoopValues *loop, intptr_t i);
MlirValue luna_loop_next(const LunaLoopValues *loop, intptr_t i);
/// Returns what a turn leaves as result `i` if it is the last.
MlirValue luna_loop_left(const LunaLoopValues *loop, intptr_t i);

#endif // LUNA_LOOP_VALUES_H
