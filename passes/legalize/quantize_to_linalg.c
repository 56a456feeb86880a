// luna-quantize-to-linalg: lowers luna.quantize and luna.dequantize.
//
// In: func.func on tensors of static shape. Out: each luna.quantize and
// luna.dequantize is one linalg.generic of arith and math operators that round
// and saturate exactly as the operator is defined. Scales and zero points that
// are one constant are in its body, others are inputs. Refuses: dynamic shapes.
// No options. Example: lit_tests/passes/luna-quantize-to-linalg/doc.mlir.

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { INPUT, SCALE, ZERO_POINT };
enum { HALF_AWAY = 1 };

// A parameter: one constant, or the element of an input.
typedef struct Parameter {
  bool is_constant;
  double number;
  MlirValue element;
} Parameter;

// An op and the loop that it becomes.
typedef struct Lowering {
  MlirOperation op;
  LunaBuilder b;
  LunaGeneric loops;
  MlirType ints; // the integers' element type
  bool is_unsigned;
  Parameter scale, zero;
} Lowering;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static double integer_at(MlirAttribute values, unsigned width,
                         bool is_unsigned) {
  if (width == 8)
    return is_unsigned ? mlirDenseElementsAttrGetUInt8Value(values, 0)
                       : mlirDenseElementsAttrGetInt8Value(values, 0);
  if (width == 16)
    return is_unsigned ? mlirDenseElementsAttrGetUInt16Value(values, 0)
                       : mlirDenseElementsAttrGetInt16Value(values, 0);
  return mlirDenseElementsAttrGetInt32Value(values, 0);
}

// Reads a constant whose elements are all alike.
static bool read_constant(MlirValue value, bool is_unsigned, double *number) {
  MlirAttribute values = luna_constant_value(value);
  if (mlirAttributeIsNull(values) || !mlirAttributeIsADenseElements(values) ||
      !mlirDenseElementsAttrIsSplat(values))
    return false;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(value));
  *number =
      mlirTypeIsAF32(element)
          ? (double)mlirDenseElementsAttrGetFloatValue(values, 0)
          : integer_at(values, mlirIntegerTypeGetWidth(element), is_unsigned);
  return true;
}

// An input of one element or of the loops' rank.
static MlirValue add_input(Lowering *l, MlirValue value) {
  static const int none[LUNA_RANK_MAX] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                          -1, -1, -1, -1, -1, -1, -1, -1};
  return luna_rank_of(value) == l->loops.loops.rank
             ? luna_generic_input(&l->loops, value)
             : luna_generic_input_at(&l->loops, value, none);
}

// The parameter that is operand `index` of the op, 0 where there is none.
static Parameter read_parameter(Lowering *l, intptr_t index) {
  Parameter parameter = {.is_constant = true};
  if (index >= mlirOperationGetNumOperands(l->op))
    return parameter;
  MlirValue value = mlirOperationGetOperand(l->op, index);
  parameter.is_constant =
      read_constant(value, l->is_unsigned, &parameter.number);
  if (!parameter.is_constant)
    parameter.element = add_input(l, value);
  return parameter;
}

static MlirValue parameter_value(Lowering *l, const Parameter *parameter) {
  return parameter->is_constant ? luna_scalar_f32(&l->b, parameter->number)
                                : parameter->element;
}

static MlirValue to_float(Lowering *l, MlirValue integer) {
  return luna_scalar_to(&l->b, l->is_unsigned ? "arith.uitofp" : "arith.sitofp",
                        integer, l->b.f32);
}

// Returns the zero point as f32, which is exact for at most 16 bits.
static MlirValue float_zero(Lowering *l) {
  return l->zero.is_constant ? luna_scalar_f32(&l->b, l->zero.number)
                             : to_float(l, l->zero.element);
}

static bool has_zero(const Lowering *l) {
  return !l->zero.is_constant || l->zero.number != 0;
}

//===----------------------------------------------------------------------===//
// Quantising
//===----------------------------------------------------------------------===//

static MlirValue clamp(Lowering *l, MlirValue x, MlirValue low,
                       MlirValue high) {
  x = luna_scalar(&l->b, "arith.maximumf", x, low);
  return luna_scalar(&l->b, "arith.minimumf", x, high);
}

static void read_range(const Lowering *l, double *low, double *high) {
  int64_t count = INT64_C(1) << mlirIntegerTypeGetWidth(l->ints);
  int64_t least = l->is_unsigned ? 0 : -count / 2;
  *low = (double)luna_attr_int(l->op, "clamp_min", least);
  *high = (double)luna_attr_int(l->op, "clamp_max", least + count - 1);
}

// Rounds to even, adds the zero point, clamps, converts.
static MlirValue round_to_even(Lowering *l, MlirValue x) {
  double low, high;
  read_range(l, &low, &high);
  x = luna_scalar_unary(&l->b, "math.roundeven", x);
  if (has_zero(l))
    x = luna_scalar(&l->b, "arith.addf", x, float_zero(l));
  MlirValue bottom = luna_scalar_f32(&l->b, low);
  x = clamp(l, x, bottom, luna_scalar_f32(&l->b, high));
  if (!l->is_unsigned)
    return luna_scalar_to(&l->b, "arith.fptosi", x, l->ints);
  x = luna_scalar_to(&l->b, "arith.fptosi", x, l->b.i32);
  return luna_scalar_to(&l->b, "arith.trunci", x, l->ints);
}

// `bound` less the zero point.
static MlirValue moved_bound(Lowering *l, double bound) {
  if (l->zero.is_constant)
    return luna_scalar_f32(&l->b, bound - l->zero.number);
  MlirValue whole = luna_scalar_f32(&l->b, bound);
  return luna_scalar(&l->b, "arith.subf", whole, float_zero(l));
}

// 1 where `x` compares with `bound`, 0 elsewhere.
static MlirValue counts(Lowering *l, LunaCompare how, MlirValue x,
                        double bound) {
  MlirValue limit = luna_scalar_f32(&l->b, bound);
  return luna_scalar_to(&l->b, "arith.extui",
                        luna_scalar_compare(&l->b, how, x, limit), l->b.i32);
}

static MlirValue integer_zero(Lowering *l) {
  if (l->zero.is_constant)
    return luna_scalar_i32(&l->b, (int64_t)l->zero.number);
  return luna_scalar_to(&l->b, l->is_unsigned ? "arith.extui" : "arith.extsi",
                        l->zero.element, l->b.i32);
}

// Rounds ties away from zero, adds the zero point, converts. Clamped first, to
// what the result clamps anyway: then the distance to the integer below is
// exact.
static MlirValue round_away(Lowering *l, MlirValue x) {
  double low, high;
  read_range(l, &low, &high);
  MlirValue bottom = moved_bound(l, low);
  x = clamp(l, x, bottom, moved_bound(l, high));
  MlirValue whole = luna_scalar_to(&l->b, "arith.fptosi", x, l->b.i32);
  MlirValue rest =
      luna_scalar(&l->b, "arith.subf", x,
                  luna_scalar_to(&l->b, "arith.sitofp", whole, l->b.f32));
  MlirValue up = counts(l, LUNA_GE, rest, 0.5);
  MlirValue down = counts(l, LUNA_LE, rest, -0.5);
  MlirValue sum = luna_scalar(&l->b, "arith.addi", whole, up);
  sum = luna_scalar(&l->b, "arith.subi", sum, down);
  sum = luna_scalar(&l->b, "arith.addi", sum, integer_zero(l));
  return luna_scalar_to(&l->b, "arith.trunci", sum, l->ints);
}

static MlirValue quantize(Lowering *l, MlirValue x) {
  x = luna_scalar(&l->b, "arith.divf", x, parameter_value(l, &l->scale));
  bool is_away = luna_attr_int(l->op, "rounding", 0) == HALF_AWAY;
  return is_away ? round_away(l, x) : round_to_even(l, x);
}

//===----------------------------------------------------------------------===//
// Dequantising
//===----------------------------------------------------------------------===//

static MlirValue dequantize(Lowering *l, MlirValue x) {
  bool is_wide = mlirIntegerTypeGetWidth(l->ints) > 16;
  if (is_wide && has_zero(l)) {
    MlirValue zero = l->zero.is_constant ? integer_zero(l) : l->zero.element;
    x = luna_scalar(&l->b, "arith.subi", x, zero);
  }
  x = to_float(l, x);
  if (!is_wide && has_zero(l))
    x = luna_scalar(&l->b, "arith.subf", x, float_zero(l));
  return luna_scalar(&l->b, "arith.mulf", x, parameter_value(l, &l->scale));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void lower(MlirOperation op, bool is_quantize) {
  MlirValue input = mlirOperationGetOperand(op, INPUT);
  MlirValue result = mlirOperationGetResult(op, 0);
  Lowering l = {
      .op = op,
      .b = luna_builder_before(op, op),
      .ints = luna_element_of(is_quantize ? result : input),
      .is_unsigned = !mlirAttributeIsNull(luna_attr(op, "is_unsigned")),
  };
  l.loops = luna_generic_over(&l.b, result);
  MlirValue x = luna_generic_input(&l.loops, input);
  l.scale = read_parameter(&l, SCALE);
  l.zero = read_parameter(&l, ZERO_POINT);
  luna_generic_result(&l.loops, luna_element_of(result));
  x = is_quantize ? quantize(&l, x) : dequantize(&l, x);
  mlirValueReplaceAllUsesOfWith(result, luna_generic_end(&l.loops, x));
  mlirOperationDestroy(op);
}

static bool visit(MlirOperation op, void *data) {
  bool is_quantize = luna_op_is(op, LUNA_OP_LUNA_QUANTIZE);
  if (!is_quantize && !luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE))
    return true;
  if (!mlirShapedTypeHasStaticShape(
          mlirValueGetType(mlirOperationGetResult(op, 0)))) {
    luna_emit_error(op, "has a dynamic shape, needs a static one");
    *(bool *)data = false;
    return false;
  }
  lower(op, is_quantize);
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  bool is_done = true;
  luna_walk(func, visit, &is_done);
  return is_done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const char *const dialects[] = {"arith", "linalg", "math", "tensor",
                                       NULL};

const LunaPassDesc luna_pass_quantize_to_linalg = {
    .argument = "luna-quantize-to-linalg",
    .summary = "Lower quantisation to linalg, with its exact rounding",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
