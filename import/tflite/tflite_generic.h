#ifndef LUNA_TFLITE_GENERIC_H
#define LUNA_TFLITE_GENERIC_H

#include "tflite_build.h"

// A builder of linalg.generic for what no TOSA operator computes exactly: one
// loop per dimension of the results, a body of scalar ops.
//
//   LunaGeneric sum = luna_generic(builder, rank, shape);
//   MlirValue a = luna_generic_input(&sum, lhs);      // broadcast
//   MlirValue b = luna_generic_input(&sum, rhs);
//   luna_generic_result(&sum, builder->i32);
//   MlirValue c = luna_scalar(builder, "arith.addi", a, b);
//   MlirValue tensor = luna_generic_end(&sum, c);
//
// Between luna_generic and luna_generic_end the builder's block is the body:
// what has to stand outside of it is made before.

/// The most inputs, and the most results, of one.
enum { LUNA_GENERIC_MAX = 12 };

typedef struct LunaGeneric {
  LunaTosaBuilder *builder;
  MlirBlock outer, body;
  int64_t rank, shape[LUNA_TOSA_MAX_RANK];
  MlirValue inputs[LUNA_GENERIC_MAX];
  MlirAffineMap maps[LUNA_GENERIC_MAX];
  int input_count;
  MlirType results[LUNA_GENERIC_MAX];
  MlirValue inits[LUNA_GENERIC_MAX]; ///< null: none
  int result_count;
} LunaGeneric;

/// Opens the body of loops over `shape`.
LunaGeneric luna_generic(LunaTosaBuilder *builder, int64_t rank,
                         const int64_t *shape);
/// Adds an input, broadcast to the loops as TensorFlow does (dimensions count
/// from the last one, those of 1 repeat), and gives its element. All inputs
/// come before the first result.
MlirValue luna_generic_input(LunaGeneric *generic, MlirValue tensor);
/// Adds an input whose dimension i is indexed by loop loops[i], or by the
/// constant -1 - loops[i] where that is negative.
MlirValue luna_generic_input_at(LunaGeneric *generic, MlirValue tensor,
                                const int *loops);
/// Adds a result of the loops' shape.
void luna_generic_result(LunaGeneric *generic, MlirType element);
/// Adds a result that takes the place of `tensor`, of the loops' shape, and
/// gives the element there was.
MlirValue luna_generic_update(LunaGeneric *generic, MlirValue tensor);
/// Gives the index of a loop.
MlirValue luna_generic_index(LunaGeneric *generic, int64_t dimension);
/// Closes the body with the elements of all results; gives the op, or the
/// result of one that has only one.
MlirOperation luna_generic_close(LunaGeneric *generic, const MlirValue *values);
MlirValue luna_generic_end(LunaGeneric *generic, MlirValue value);

//===----------------------------------------------------------------------===//
// Scalar ops, for bodies
//===----------------------------------------------------------------------===//

/// How integers and (ordered) floats compare.
typedef enum LunaCompare {
  LUNA_EQ,
  LUNA_NE,
  LUNA_LT,
  LUNA_LE,
  LUNA_GT,
  LUNA_GE,
} LunaCompare;

/// Gives a constant of an integer, index or float type.
MlirValue luna_scalar_int(LunaTosaBuilder *builder, MlirType type,
                          int64_t value);
MlirValue luna_scalar_f32(LunaTosaBuilder *builder, double value);
/// Adds an op of two operands (or one) of one type, which is its result's.
MlirValue luna_scalar(LunaTosaBuilder *builder, const char *name, MlirValue a,
                      MlirValue b);
MlirValue luna_scalar_unary(LunaTosaBuilder *builder, const char *name,
                            MlirValue a);
/// Adds an op of one operand that gives another type.
MlirValue luna_scalar_to(LunaTosaBuilder *builder, const char *name,
                         MlirValue a, MlirType type);
/// Widens or narrows a signed integer; nothing where the type is the same.
MlirValue luna_scalar_resize(LunaTosaBuilder *builder, MlirValue a,
                             MlirType type);
MlirValue luna_scalar_compare(LunaTosaBuilder *builder, LunaCompare how,
                              MlirValue a, MlirValue b);
MlirValue luna_scalar_select(LunaTosaBuilder *builder, MlirValue condition,
                             MlirValue a, MlirValue b);
/// Clamps a signed integer.
MlirValue luna_scalar_clamp(LunaTosaBuilder *builder, MlirValue a, int64_t min,
                            int64_t max);
/// Gives the leading zeros of a positive 32-bit integer.
MlirValue luna_scalar_leading_zeros(LunaTosaBuilder *builder, MlirValue a);
/// Gives element `index` (an index) of a tensor of one dimension.
MlirValue luna_scalar_lookup(LunaTosaBuilder *builder, MlirValue tensor,
                             MlirValue index);
/// Adds luna_high_mul of two computed integers.
MlirValue luna_scalar_high_mul(LunaTosaBuilder *builder, MlirValue a,
                               MlirValue b);
/// Adds luna_multiply: 32 bits in (or 64 that hold as much) and out.
MlirValue luna_scalar_multiply(LunaTosaBuilder *builder, MlirValue value,
                               LunaMultiplier by);
/// The same, then adds a zero point, clamps to the range of `element` (an
/// integer of less than 32 bits) and narrows.
MlirValue luna_scalar_requantize(LunaTosaBuilder *builder, MlirValue value,
                                 LunaMultiplier by, int64_t zero_point,
                                 MlirType element);
/// Clamps 32 bits to the range of a narrower integer and narrows.
MlirValue luna_scalar_saturate(LunaTosaBuilder *builder, MlirValue value,
                               MlirType element);

#endif // LUNA_TFLITE_GENERIC_H
