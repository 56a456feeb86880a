#ifndef LUNA_TIME_LOOP_H
#define LUNA_TIME_LOOP_H

// Steps: an scf.for that carries values, such as the states of a recurrent
// operator and the sequence that it makes.
//
//   LunaTimeLoop loop = luna_time_loop(b, &spec);
//   MlirValue row = luna_build_slice_at(b, sequence, axis, loop.at, 1);
//   next[2] = luna_build_insert_at(b, shown, loop.carried[2], axis, loop.at);
//   luna_time_end(&loop, next);
//
// From luna_time_loop to luna_time_end the builder's block is the body.

#include "luna-c/builder.h"

/// The most values that a loop carries: two states and a result.
enum { LUNA_TIME_MAX_CARRIED = 3 };

/// What a loop is made from.
typedef struct LunaTimeSpec {
  int64_t steps;
  bool is_reverse; ///< from the last step to the first
  int count;       ///< of the values carried
  MlirValue first[LUNA_TIME_MAX_CARRIED];
} LunaTimeSpec;

/// A loop whose body is being built.
typedef struct LunaTimeLoop {
  LunaBuilder *builder;
  MlirBlock outer;
  MlirOperation op;
  int count;
  MlirValue at; ///< the step, an index
  MlirValue carried[LUNA_TIME_MAX_CARRIED];
} LunaTimeLoop;

/// Adds a loop and opens its body.
LunaTimeLoop luna_time_loop(LunaBuilder *b, const LunaTimeSpec *spec);
/// Closes the body with the next values of all that is carried.
void luna_time_end(const LunaTimeLoop *loop, const MlirValue *next);
/// Returns a carried value after the last step.
MlirValue luna_time_last(const LunaTimeLoop *loop, int i);

/// Builds the indices that a flat one is in `shape`, one per dimension.
void luna_unflatten(LunaBuilder *b, MlirValue flat, const LunaShape *shape,
                    MlirValue *index);

/// Builds the places, int64, of the elements that are not 0, in order, and how
/// many there are, an index: [bound, rank], or [rank, bound] if `as_columns`.
/// Those that the bound does not hold are left out.
MlirValue luna_find_places(LunaBuilder *b, MlirValue value, int64_t bound,
                           bool as_columns, MlirValue *count);

#endif // LUNA_TIME_LOOP_H
