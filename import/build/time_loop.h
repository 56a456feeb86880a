#ifndef LUNA_TIME_LOOP_H
#define LUNA_TIME_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

// The steps of a recurrent operator, for the readers of all kinds of models:
// an scf.for that carries the states and the sequence that it makes.
//
//   LunaTimeLoop loop = luna_time_loop(block, location, &spec);
//   // In loop.body, from loop.carried[] and rows of what was made before:
//   MlirValue row = luna_time_take(&loop, sequence, axis);
//   next[2] = luna_time_put(&loop, shown, loop.carried[2], axis);
//   luna_time_end(&loop, next);
//
// The caller adds its ops to the body itself.

/// The most values that a loop carries: two states and the result.
enum { LUNA_TIME_MAX_CARRIED = 3 };

/// What a loop is made from.
typedef struct LunaTimeSpec {
  int64_t steps;
  bool is_reverse; ///< from the last step to the first
  int count;       ///< of the values carried
  MlirValue first[LUNA_TIME_MAX_CARRIED];
} LunaTimeSpec;

/// A loop whose body is being filled.
typedef struct LunaTimeLoop {
  MlirLocation location;
  MlirOperation op;
  MlirBlock body;
  int count;
  MlirValue at; ///< the step, an index
  MlirValue carried[LUNA_TIME_MAX_CARRIED];
} LunaTimeLoop;

/// Appends a loop to `block`. What its body uses has to stand before it.
LunaTimeLoop luna_time_loop(MlirBlock block, MlirLocation location,
                            const LunaTimeSpec *spec);
/// Gives the row of this step: `sequence` with an extent of 1 in dimension
/// `axis`. Ranks are at most 4.
MlirValue luna_time_take(const LunaTimeLoop *loop, MlirValue sequence,
                         int axis);
/// Gives `sequence` with such a row in the place of this step.
MlirValue luna_time_put(const LunaTimeLoop *loop, MlirValue row,
                        MlirValue sequence, int axis);
/// Ends the body with the next values of all that is carried.
void luna_time_end(const LunaTimeLoop *loop, const MlirValue *next);
/// Gives a carried value after the last step.
MlirValue luna_time_last(const LunaTimeLoop *loop, int i);

#endif // LUNA_TIME_LOOP_H
