// luna-quantize-to-linalg: lowers luna.quantize and luna.dequantize.
//
// In: func.func on tensors of static shape. Out: each luna.quantize and
// luna.dequantize is one linalg.generic of arith and math operators that round
// and saturate exactly as the operator is defined. Scales and zero points that
// are one constant are in its body, others are inputs. With `integers`, floats
// become 8 bits by integers alone where the core of `machine` does that in
// fewer cycles: the same results for all numbers (luna/thresholds.h); a NaN
// counts as infinite. Refuses: dynamic shapes. Options: machine, integers.
// Example: lit_tests/passes/luna-quantize-to-linalg/doc.mlir

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "quantize_by_integers.h"

enum { INPUT, SCALE, ZERO_POINT };

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

static LunaTies ties_of(const Lowering *l) {
  return (LunaTies)luna_attr_int(l->op, "rounding", LUNA_TIES_EVEN);
}

// Rounds to even or up, adds the zero point, clamps, converts.
static MlirValue round_whole(Lowering *l, MlirValue x) {
  double low, high;
  read_range(l, &low, &high);
  if (ties_of(l) == LUNA_TIES_UP)
    x = luna_scalar_unary(
        &l->b, "math.floor",
        luna_scalar_add(&l->b, x, luna_scalar_f32(&l->b, 0.5)));
  else
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
  return ties_of(l) == LUNA_TIES_AWAY ? round_away(l, x) : round_whole(l, x);
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

// Returns the loops of an op as it is defined.
static MlirValue by_floats(Lowering *l, bool is_quantize) {
  MlirValue result = mlirOperationGetResult(l->op, 0);
  l->loops = luna_generic_over(&l->b, result);
  MlirValue x =
      luna_generic_input(&l->loops, mlirOperationGetOperand(l->op, INPUT));
  l->scale = read_parameter(l, SCALE);
  l->zero = read_parameter(l, ZERO_POINT);
  luna_generic_result(&l->loops, luna_element_of(result));
  return luna_generic_end(&l->loops,
                          is_quantize ? quantize(l, x) : dequantize(l, x));
}

// Returns the loops of a luna.quantize by integers, null if it has none.
static MlirValue by_integers(Lowering *l) {
  LunaThresholds thresholds;
  double low, high;
  if (mlirIntegerTypeGetWidth(l->ints) != 8 || !l->scale.is_constant ||
      !l->zero.is_constant)
    return (MlirValue){NULL};
  read_range(l, &low, &high);
  LunaQuantizer quantizer = {
      .scale = (float)l->scale.number,
      .zero = (float)l->zero.number,
      .low = (float)low,
      .high = (float)high,
      .ties = ties_of(l),
  };
  if (!luna_thresholds_find(&quantizer, &thresholds))
    return (MlirValue){NULL};
  MlirValue table = luna_thresholds_table(&l->b, &thresholds);
  MlirValue result = mlirOperationGetResult(l->op, 0);
  l->loops = luna_generic_over(&l->b, result);
  MlirValue x =
      luna_generic_input(&l->loops, mlirOperationGetOperand(l->op, INPUT));
  luna_generic_result(&l->loops, luna_element_of(result));
  x = luna_quantize_by_integers(&l->b, &thresholds, table, x);
  return luna_generic_end(&l->loops,
                          luna_scalar_to(&l->b, "arith.trunci", x, l->ints));
}

// Returns the cheaper one of two loops, the first if they are equal, and
// destroys the other.
static MlirValue cheaper(const LunaMachine *machine, MlirValue first,
                         MlirValue second) {
  int64_t count = luna_shaped_bytes(mlirValueGetType(first)); // of int8
  MlirOperation a = luna_defining_op(first), b = luna_defining_op(second);
  bool is_second = luna_quantize_body_cycles(machine, b, count) <
                   luna_quantize_body_cycles(machine, a, count);
  mlirOperationDestroy(is_second ? a : b);
  return is_second ? second : first;
}

// `machine` is NULL where floats are not to become integers.
static void lower(MlirOperation op, const LunaMachine *machine) {
  bool is_quantize = luna_op_is(op, LUNA_OP_LUNA_QUANTIZE);
  MlirValue result = mlirOperationGetResult(op, 0);
  Lowering l = {
      .op = op,
      .b = luna_builder_before(op, op),
      .ints = luna_element_of(is_quantize ? result
                                          : mlirOperationGetOperand(op, INPUT)),
      .is_unsigned = !mlirAttributeIsNull(luna_attr(op, "is_unsigned")),
  };
  MlirValue loops = by_floats(&l, is_quantize);
  MlirValue others = (MlirValue){NULL};
  if (machine && is_quantize)
    others = by_integers(&l);
  if (!mlirValueIsNull(others))
    loops = cheaper(machine, loops, others);
  mlirValueReplaceAllUsesOfWith(result, loops);
  mlirOperationDestroy(op);
}

typedef struct Run {
  const LunaMachine *machine;
  bool is_done;
} Run;

static bool visit(MlirOperation op, void *data) {
  Run *run = data;
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_QUANTIZE, LUNA_OP_LUNA_DEQUANTIZE))
    return true;
  if (!mlirShapedTypeHasStaticShape(
          mlirValueGetType(mlirOperationGetResult(op, 0)))) {
    luna_emit_error(op, "has a dynamic shape, needs a static one");
    return run->is_done = false;
  }
  lower(op, run->machine);
  return true;
}

enum { OPT_MACHINE, OPT_INTEGERS, OPT_COUNT };

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_INTEGERS] = {.name = "integers",
                      .help = "quantise by integers where that is faster",
                      .kind = LUNA_OPTION_BOOL},
};

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *values) {
  Run run = {.is_done = true};
  if (values[OPT_INTEGERS].integer)
    run.machine = luna_machine_of_option(&values[OPT_MACHINE]);
  luna_walk(func, visit, &run);
  return run.is_done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const char *const dialects[] = {"arith",  "linalg", "math",
                                       "tensor", "tosa",   NULL};

const LunaPassDesc luna_pass_quantize_to_linalg = {
    .argument = "luna-quantize-to-linalg",
    .summary = "Lower quantisation to linalg, with its exact rounding",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .options = options,
    .option_count = OPT_COUNT,
    .run = run,
};
