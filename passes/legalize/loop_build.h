#ifndef LUNA_LOOP_BUILD_H
#define LUNA_LOOP_BUILD_H

// Building a linalg.generic over the elements of one result.
//
//   LunaLoop loop = luna_loop_begin(before, location, result_type);
//   MlirValue x = luna_loop_input(&loop, tensor);
//   MlirValue y = luna_loop_unary(&loop, "math.roundeven", x);
//   MlirValue tensor = luna_loop_end(&loop, y);
//
// The loops iterate over the result in order. Values from outside are added as
// inputs before the body uses them.

#include "luna-c/ir.h"

enum { LUNA_LOOP_MAX_INPUTS = 4 };

typedef struct LunaLoop {
  MlirOperation before;
  MlirLocation location;
  MlirType result;
  MlirBlock body;
  MlirValue inputs[LUNA_LOOP_MAX_INPUTS];
  MlirAttribute maps[LUNA_LOOP_MAX_INPUTS + 1];
  intptr_t input_count;
} LunaLoop;

/// Opens the body of a loop, which luna_loop_end inserts before `before`.
LunaLoop luna_loop_begin(MlirOperation before, MlirLocation location,
                         MlirType result);
/// Adds an input and returns its element. The input has one element, or the
/// result's rank, where dimensions of 1 repeat.
MlirValue luna_loop_input(LunaLoop *loop, MlirValue tensor);
/// Adds an input of rank 1, indexed by the last dimension.
MlirValue luna_loop_input_last(LunaLoop *loop, MlirValue tensor);
/// Closes the body with the result's element; returns the tensor.
MlirValue luna_loop_end(LunaLoop *loop, MlirValue element);

/// Adds an f32 or an integer constant to the body.
MlirValue luna_loop_float(LunaLoop *loop, double value);
MlirValue luna_loop_int(LunaLoop *loop, MlirType type, int64_t value);
/// Adds an operator whose result has the type of its operands.
MlirValue luna_loop_unary(LunaLoop *loop, const char *name, MlirValue x);
MlirValue luna_loop_binary(LunaLoop *loop, const char *name, MlirValue x,
                           MlirValue y);
/// Adds a conversion.
MlirValue luna_loop_convert(LunaLoop *loop, const char *name, MlirValue x,
                            MlirType type);
/// Adds a comparison of floats by a predicate of arith.cmpf.
MlirValue luna_loop_compare(LunaLoop *loop, int64_t predicate, MlirValue x,
                            MlirValue y);

#endif // LUNA_LOOP_BUILD_H
