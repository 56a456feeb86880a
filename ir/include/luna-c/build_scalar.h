#ifndef LUNA_C_BUILD_SCALAR_H
#define LUNA_C_BUILD_SCALAR_H

//===-- luna-c/build_scalar.h - ops on single numbers ---------------------===//
//
// What bodies of linalg.generic and conditions are made of. Integers are
// signed unless a name says otherwise.
//
//===----------------------------------------------------------------------===//

#include "luna-c/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds a constant of an integer, index or floating-point type.
MlirValue luna_scalar_int(const LunaBuilder *b, MlirType type, int64_t value);
MlirValue luna_scalar_float(const LunaBuilder *b, MlirType type, double value);
/// The same of type index, i32 or f32.
MlirValue luna_scalar_index(const LunaBuilder *b, int64_t value);
MlirValue luna_scalar_i32(const LunaBuilder *b, int64_t value);
MlirValue luna_scalar_f32(const LunaBuilder *b, double value);

/// Adds an op of one or two operands and the type of the first.
MlirValue luna_scalar_unary(const LunaBuilder *b, const char *name,
                            MlirValue x);
MlirValue luna_scalar(const LunaBuilder *b, const char *name, MlirValue x,
                      MlirValue y);
/// The same of `x` and a constant of its type.
MlirValue luna_scalar_with(const LunaBuilder *b, const char *name, MlirValue x,
                           int64_t y);
/// Adds an op of one operand and another type.
MlirValue luna_scalar_to(const LunaBuilder *b, const char *name, MlirValue x,
                         MlirType type);

/// Adds integer or floating-point arithmetic, as the operands are.
MlirValue luna_scalar_add(const LunaBuilder *b, MlirValue x, MlirValue y);
MlirValue luna_scalar_sub(const LunaBuilder *b, MlirValue x, MlirValue y);
MlirValue luna_scalar_mul(const LunaBuilder *b, MlirValue x, MlirValue y);
MlirValue luna_scalar_div(const LunaBuilder *b, MlirValue x, MlirValue y);
MlirValue luna_scalar_min(const LunaBuilder *b, MlirValue x, MlirValue y);
MlirValue luna_scalar_max(const LunaBuilder *b, MlirValue x, MlirValue y);
/// Clamps an integer.
MlirValue luna_scalar_clamp(const LunaBuilder *b, MlirValue x, int64_t min,
                            int64_t max);

/// Comparisons; ULT and on are those of unsigned integers.
typedef enum LunaCompare {
  LUNA_EQ,
  LUNA_NE,
  LUNA_LT,
  LUNA_LE,
  LUNA_GT,
  LUNA_GE,
  LUNA_ULT,
  LUNA_ULE,
  LUNA_UGT,
  LUNA_UGE,
} LunaCompare;

/// Adds a comparison. Of floating-point numbers it is ordered, but for "not
/// equal", which holds for NaN.
MlirValue luna_scalar_compare(const LunaBuilder *b, LunaCompare how,
                              MlirValue x, MlirValue y);
MlirValue luna_scalar_select(const LunaBuilder *b, MlirValue condition,
                             MlirValue x, MlirValue y);

/// Widens or narrows a signed integer.
MlirValue luna_scalar_resize(const LunaBuilder *b, MlirValue x, MlirType type);
/// Adds the element of a tensor or memref at these indices, one for each
/// dimension.
MlirValue luna_scalar_extract(const LunaBuilder *b, MlirValue tensor,
                              const MlirValue *indices);
/// Adds the tensor with `value` in the place of that element.
MlirValue luna_scalar_insert(const LunaBuilder *b, MlirValue value,
                             MlirValue tensor, const MlirValue *indices);
/// Adds the element of a tensor that has one.
MlirValue luna_scalar_only(const LunaBuilder *b, MlirValue tensor);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_BUILD_SCALAR_H
