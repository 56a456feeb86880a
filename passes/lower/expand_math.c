// luna-expand-math: operators of math that the C library has no function for.
//
// In: functions with ops of math on single numbers, as loops have them. Out:
// absi, ctpop and cttz of i8, i16, i32 and i64, copysign, isnan, isinf and
// isfinite of f32 and f64 become arith. What is left upstream expands (ctlz,
// rsqrt), turns into functions (ipowi, fpowi) or calls in the C library.
// Refuses: nothing. No options. Example:
// lit_tests/passes/luna-expand-math/doc.mlir

#include <math.h>

#include "luna-c/build_scalar.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinTypes.h"

static unsigned width_of(MlirType type) {
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
         : mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type)
                                  : 0;
}

// Returns `byte` in each byte of a number of `type`, as a signed number.
static MlirValue repeated(const LunaBuilder *b, MlirType type, uint64_t byte) {
  uint64_t all = byte * (UINT64_MAX / 255);
  unsigned unused = 64 - width_of(type);
  return luna_scalar_int(b, type, (int64_t)(all << unused) >> unused);
}

static MlirValue and_of(const LunaBuilder *b, MlirValue x, MlirValue y) {
  return luna_scalar(b, "arith.andi", x, y);
}

static MlirValue shifted(const LunaBuilder *b, MlirValue x, int64_t count) {
  return luna_scalar(b, "arith.shrui", x,
                     luna_scalar_int(b, mlirValueGetType(x), count));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static MlirValue absi(const LunaBuilder *b, const MlirValue *x) {
  MlirValue zero = luna_scalar_int(b, mlirValueGetType(*x), 0);
  return luna_scalar_max(b, *x, luna_scalar_sub(b, zero, *x));
}

// Counts in pairs, fours and bytes, then adds the bytes up.
static MlirValue ctpop(const LunaBuilder *b, const MlirValue *x) {
  MlirType type = mlirValueGetType(*x);
  MlirValue pairs = luna_scalar_sub(
      b, *x, and_of(b, shifted(b, *x, 1), repeated(b, type, 0x55)));
  MlirValue threes = repeated(b, type, 0x33);
  MlirValue fours = luna_scalar_add(b, and_of(b, pairs, threes),
                                    and_of(b, shifted(b, pairs, 2), threes));
  MlirValue bytes = and_of(b, luna_scalar_add(b, fours, shifted(b, fours, 4)),
                           repeated(b, type, 0x0f));
  MlirValue sum = luna_scalar_mul(b, bytes, repeated(b, type, 1));
  return shifted(b, sum, (int64_t)width_of(type) - 8);
}

// The bits below the lowest that is set.
static MlirValue cttz(const LunaBuilder *b, const MlirValue *x) {
  MlirType type = mlirValueGetType(*x);
  MlirValue ones = luna_scalar_int(b, type, -1);
  MlirValue below = and_of(b, luna_scalar(b, "arith.xori", *x, ones),
                           luna_scalar_add(b, *x, ones));
  return ctpop(b, &below);
}

//===----------------------------------------------------------------------===//
// Floating-point numbers
//===----------------------------------------------------------------------===//

static MlirType bits_type(const LunaBuilder *b, MlirValue x) {
  return mlirIntegerTypeGet(b->context, width_of(mlirValueGetType(x)));
}

static MlirValue bits_of(const LunaBuilder *b, MlirValue x) {
  return luna_scalar_to(b, "arith.bitcast", x, bits_type(b, x));
}

static int64_t sign_bit(MlirType bits) {
  return (int64_t)(UINT64_MAX << (width_of(bits) - 1));
}

// Returns the bits without the sign.
static MlirValue magnitude(const LunaBuilder *b, MlirValue x) {
  MlirType bits = bits_type(b, x);
  return and_of(b, bits_of(b, x), luna_scalar_int(b, bits, ~sign_bit(bits)));
}

static MlirValue copysign_of(const LunaBuilder *b, const MlirValue *x) {
  MlirType bits = bits_type(b, x[0]);
  MlirValue sign =
      and_of(b, bits_of(b, x[1]), luna_scalar_int(b, bits, sign_bit(bits)));
  return luna_scalar_to(b, "arith.bitcast",
                        luna_scalar(b, "arith.ori", magnitude(b, x[0]), sign),
                        mlirValueGetType(x[0]));
}

// Compares the magnitude with that of infinity: above it are NaNs.
static MlirValue against_infinity(const LunaBuilder *b, LunaCompare how,
                                  MlirValue x) {
  MlirType type = mlirValueGetType(x);
  MlirValue infinity = luna_scalar_float(b, type, INFINITY);
  return luna_scalar_compare(b, how, magnitude(b, x), bits_of(b, infinity));
}

static MlirValue isnan_of(const LunaBuilder *b, const MlirValue *x) {
  return against_infinity(b, LUNA_UGT, *x);
}

static MlirValue isinf_of(const LunaBuilder *b, const MlirValue *x) {
  return against_infinity(b, LUNA_EQ, *x);
}

static MlirValue isfinite_of(const LunaBuilder *b, const MlirValue *x) {
  return against_infinity(b, LUNA_ULT, *x);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static const struct {
  LunaOpName name;
  bool is_integer;
  MlirValue (*expand)(const LunaBuilder *b, const MlirValue *operands);
} rows[] = {
    {LUNA_OP_MATH_ABSI, true, absi},
    {LUNA_OP_MATH_CTPOP, true, ctpop},
    {LUNA_OP_MATH_CTTZ, true, cttz},
    {LUNA_OP_MATH_COPYSIGN, false, copysign_of},
    {LUNA_OP_MATH_ISNAN, false, isnan_of},
    {LUNA_OP_MATH_ISINF, false, isinf_of},
    {LUNA_OP_MATH_ISFINITE, false, isfinite_of},
};

// Returns true for what the expansions compute on.
static bool is_known_type(MlirType type, bool is_integer) {
  if (!is_integer)
    return mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
  unsigned width = width_of(type);
  return mlirTypeIsAInteger(type) &&
         (width == 8 || width == 16 || width == 32 || width == 64);
}

static bool visit(MlirOperation op, void *data) {
  (void)data;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    if (!luna_op_is(op, rows[i].name))
      continue;
    MlirValue operands[2] = {{NULL}, {NULL}};
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t k = 0; k < count && k < 2; ++k)
      operands[k] = mlirOperationGetOperand(op, k);
    if (!is_known_type(mlirValueGetType(operands[0]), rows[i].is_integer))
      return true;
    LunaBuilder b = luna_builder_before(op, op);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                  rows[i].expand(&b, operands));
    mlirOperationDestroy(op);
    return true;
  }
  return true;
}

static const char *const dialects[] = {"arith", NULL};

const LunaPassDesc luna_pass_expand_math = {
    .argument = "luna-expand-math",
    .summary = "Expand operators of math that no library has",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .visit = visit,
};
