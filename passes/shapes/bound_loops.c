// Loops that carry tensors of a size that only the running program knows: they
// carry the bound, and how much of that is valid. The bound is what the loop
// says, or follows: a copy of the loop shows what an iteration adds, the trip
// count how often.

#include "bound_shapes.h"

#include "luna-c/build_tosa.h"
#include "luna/checked.h"
#include "structure.h"

// Copies of loops are made for each time that one around them is.
enum { MAX_COPIES = 256 };

typedef struct Carried {
  intptr_t count; ///< of all values that the loop carries
  intptr_t first; ///< the operand that is the first of them
  int *axes;      ///< the open dimension of each, or -1
  int64_t *bounds;
  int64_t *yielded; ///< what an iteration made of the bound
  intptr_t valid_count;
} Carried;

// A while loop forwards what it carries, in order.
static bool is_regular(MlirOperation loop, const Carried *carried) {
  if (luna_op_is(loop, LUNA_OP_SCF_FOR))
    return true;
  MlirBlock test = luna_body(loop, 0);
  MlirOperation end = mlirBlockGetTerminator(test);
  bool is_same = mlirBlockGetNumArguments(test) == carried->count;
  for (intptr_t k = 0; is_same && k < carried->count; ++k) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(test, k));
    is_same = mlirTypeEqual(
                  type, mlirValueGetType(mlirOperationGetResult(loop, k))) &&
              mlirTypeEqual(
                  type, mlirValueGetType(mlirOperationGetOperand(end, 1 + k)));
  }
  return is_same;
}

static bool has_open(MlirOperation loop) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(loop); ++k)
    if (luna_is_open(mlirValueGetType(mlirOperationGetResult(loop, k))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); ++i)
    if (luna_is_open(mlirValueGetType(mlirOperationGetOperand(loop, i))))
      return true;
  return false;
}

// Finds what is open, and starts the bounds with what the loop starts with.
static bool read_carried(LunaBounder *bounder, MlirOperation loop,
                         Carried *carried) {
  for (intptr_t k = 0; k < carried->count; ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(loop, k));
    MlirValue init = luna_valid_now(
        &bounder->lengths, mlirOperationGetOperand(loop, carried->first + k));
    carried->axes[k] = luna_valid_open_axis(type);
    if (!luna_is_open(type))
      continue;
    const LunaValidLength *valid = luna_valid_find(&bounder->lengths, init);
    if (carried->axes[k] < 0 || !valid)
      return luna_refuse_open(loop, carried->axes[k],
                              "it does not start with such a value");
    if (valid->axis != carried->axes[k])
      return luna_refuse_open(loop, -1, "");
    ++carried->valid_count;
    int64_t extent = luna_extent(init, valid->axis);
    carried->bounds[k] = extent > 0 ? extent : 1;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Carrying the bound
//===----------------------------------------------------------------------===//

static void set_argument(LunaBounder *bounder, MlirBlock block, intptr_t i,
                         const Carried *carried, intptr_t k, intptr_t count) {
  MlirValue argument = mlirBlockGetArgument(block, i);
  LunaValidLength valid = {.count = mlirBlockGetArgument(block, count)};
  mlirValueSetType(argument,
                   luna_bounded_type(mlirValueGetType(argument),
                                     carried->axes[k], carried->bounds[k]));
  luna_valid_set(&bounder->lengths, argument, &valid, carried->axes[k]);
}

// Makes the arguments of the loop's blocks, and its results, of the bound.
static void set_types(LunaBounder *bounder, MlirOperation loop,
                      const Carried *carried) {
  intptr_t at = carried->count;
  for (intptr_t k = 0; k < carried->count; ++k) {
    MlirValue result = mlirOperationGetResult(loop, k);
    if (carried->axes[k] < 0)
      continue;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(loop); ++r) {
      MlirBlock block = luna_body(loop, r);
      intptr_t first = luna_op_is(loop, LUNA_OP_SCF_FOR); // its index
      set_argument(bounder, block, first + k, carried, k, first + at);
    }
    mlirValueSetType(result,
                     luna_bounded_type(mlirValueGetType(result),
                                       carried->axes[k], carried->bounds[k]));
    ++at;
  }
}

// Has a terminator hand on the bound and the counts, from operand `first` on.
static bool hand_on(LunaBounder *bounder, MlirOperation end, intptr_t first,
                    Carried *carried) {
  MlirValue *counts =
      LUNA_ARENA_ARRAY(bounder->arena, MlirValue, carried->valid_count);
  intptr_t at = 0;
  LunaBuilder b = luna_builder_before(end, end);
  for (intptr_t k = 0; k < carried->count; ++k) {
    int axis = carried->axes[k];
    if (axis < 0)
      continue;
    MlirValue value = luna_valid_now(&bounder->lengths,
                                     mlirOperationGetOperand(end, first + k));
    const LunaValidLength *valid = luna_valid_find(&bounder->lengths, value);
    if (!valid || valid->axis != axis)
      return luna_refuse_open(mlirOperationGetParentOperation(end), axis,
                              "an iteration gives another one");
    carried->yielded[k] = luna_extent(value, axis);
    counts[at++] = valid->count;
    mlirOperationSetOperand(
        end, first + k, luna_valid_fit(&b, value, axis, carried->bounds[k]));
  }
  luna_add_yields(bounder->arena, mlirOperationGetBlock(end), counts, at);
  return true;
}

// Rewrites the loop for its bounds; false after an error. `*loop` is another
// one then.
static bool rewrite(LunaBounder *bounder, MlirOperation *loop,
                    Carried *carried) {
  MlirValue *counts =
      LUNA_ARENA_ARRAY(bounder->arena, MlirValue, carried->valid_count);
  LunaBuilder b = luna_builder_before(*loop, *loop);
  intptr_t at = 0;
  for (intptr_t k = 0; k < carried->count; ++k) {
    if (carried->axes[k] < 0)
      continue;
    intptr_t i = carried->first + k;
    MlirValue init =
        luna_valid_now(&bounder->lengths, mlirOperationGetOperand(*loop, i));
    const LunaValidLength *valid = luna_valid_find(&bounder->lengths, init);
    counts[at++] = valid->count;
    mlirOperationSetOperand(
        *loop, i, luna_valid_fit(&b, init, valid->axis, carried->bounds[k]));
  }
  *loop = luna_add_carried(bounder->arena, *loop, counts, at);
  set_types(bounder, *loop, carried);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(*loop); ++r) {
    MlirBlock block = luna_body(*loop, r);
    if (!bounder->bound_block(bounder, block))
      return false;
    MlirOperation end = mlirBlockGetTerminator(block);
    if (!hand_on(bounder, end, luna_op_is(end, LUNA_OP_SCF_CONDITION), carried))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

// Reads a copy of the loop for these bounds: what an iteration makes of them.
static bool try_bounds(LunaBounder *bounder, MlirOperation loop,
                       Carried *carried) {
  if (bounder->abandoned.count == MAX_COPIES) {
    luna_emit_error(loop, "loops with growing values are nested too deep to "
                          "find their bounds; give them, luna.bounds");
    return false;
  }
  MlirOperation copy = mlirOperationClone(loop);
  luna_insert_before(loop, copy);
  bool is_read = rewrite(bounder, &copy, carried);
  mlirOperationRemoveFromParent(copy);
  *LUNA_VECTOR_ADD(bounder->arena, &bounder->abandoned) = copy;
  return is_read;
}

// The bound after all iterations of a value that grows by so much in each, or,
// where they are not counted, in the first; -1 where it is too much.
static int64_t grown(int64_t bound, int64_t growth, int64_t trips) {
  int64_t size;
  if (growth <= 0)
    return bound;
  return luna_checked_mul(growth, trips >= 0 ? trips : 1, &size) &&
                 luna_checked_add(size, bound, &size)
             ? size
             : -1;
}

// Finds the bounds that the loop does not give. What grows faster the larger it
// is has none, nor what still grows where iterations are not counted.
static bool find_bounds(LunaBounder *bounder, MlirOperation loop,
                        const int64_t *given, Carried *carried) {
  int64_t trips = luna_trip_count(loop, -1);
  int64_t *growth = LUNA_ARENA_ARRAY(bounder->arena, int64_t, carried->count);
  for (int round = 0; round < 2; ++round) {
    bool is_linear = true;
    if (!try_bounds(bounder, loop, carried))
      return false;
    for (intptr_t k = 0; k < carried->count; ++k) {
      if (carried->axes[k] < 0 || given[k] > 0)
        continue;
      int64_t more = carried->yielded[k] - carried->bounds[k];
      if (round > 0)
        is_linear = more <= (trips >= 0 && growth[k] > 0 ? growth[k] : 0);
      else
        carried->bounds[k] = grown(carried->bounds[k], more, trips);
      growth[k] = more;
      if (carried->bounds[k] < 0 || !is_linear) {
        luna_emit_error(loop,
                        "the size of result %d is known while running only: "
                        "give a bound, luna.bounds of the loop or "
                        "--bound=NAME=N",
                        (int)k);
        return false;
      }
    }
  }
  return true;
}

bool luna_bound_loop(LunaBounder *bounder, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  Carried carried = {
      .count = count,
      .first = mlirOperationGetNumOperands(loop) - count,
      .axes = LUNA_ARENA_ARRAY(bounder->arena, int, count),
      .bounds = LUNA_ARENA_ARRAY(bounder->arena, int64_t, count),
      .yielded = LUNA_ARENA_ARRAY(bounder->arena, int64_t, count),
  };
  int64_t *given = LUNA_ARENA_ARRAY(bounder->arena, int64_t, count);
  if (!has_open(loop)) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(loop); ++r)
      if (!bounder->bound_block(bounder, luna_body(loop, r)))
        return false;
    return true;
  }
  luna_attr_ints(loop, "luna.bounds", given, count);
  if (!is_regular(loop, &carried))
    return luna_refuse_open(loop, 0, "the loop forwards other values");
  if (!read_carried(bounder, loop, &carried))
    return false;
  bool is_given = true;
  for (intptr_t k = 0; k < count; ++k)
    if (carried.axes[k] >= 0 && given[k] > 0)
      carried.bounds[k] = given[k];
    else
      is_given &= carried.axes[k] < 0;
  if ((!is_given && !find_bounds(bounder, loop, given, &carried)) ||
      !rewrite(bounder, &loop, &carried))
    return false;
  mlirOperationRemoveDiscardableAttributeByName(loop, luna_str("luna.bounds"));
  intptr_t at = count;
  for (intptr_t k = 0; k < count; ++k)
    if (carried.axes[k] >= 0) {
      LunaValidLength valid = {.count = mlirOperationGetResult(loop, at++)};
      luna_valid_set(&bounder->lengths, mlirOperationGetResult(loop, k), &valid,
                     carried.axes[k]);
    }
  return true;
}
