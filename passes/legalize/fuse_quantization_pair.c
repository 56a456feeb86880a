// Sums, differences and products of two quantised values as integers: rescale
// both, add, rescale, which the unit has an operator for.
//
// What is wanted is what f32 gives for all 65,536 pairs of int8: dequantise
// both, add, divide by the scale, round, clamp. tosa.rescale rounds ties up
// instead, so that the last step may also be a multiplication in f32 that
// rounds half to even, as after convolutions. Where neither gives all results,
// the operator stays a loop.

#include "fuse_quantization.h"

#include <math.h>

#include "luna-c/build_tosa.h"
#include "luna/pair_search.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Bits that operands of different scales get beyond their own: as many as int32
// and f32 have room for.
enum { INTEGER_HEADROOM = 20, FLOAT_HEADROOM = 15 };
enum { MAX_RANK = 4 };

typedef struct Pair {
  MlirOperation op;
  LunaPairKind kind;
  LunaQuant inputs[2];
  LunaQuantTarget target;
} Pair;

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

static bool find_kind(MlirOperation op, LunaPairKind *kind) {
  *kind = luna_op_is(op, LUNA_OP_TOSA_SUB)   ? LUNA_PAIR_SUB
          : luna_op_is(op, LUNA_OP_TOSA_MUL) ? LUNA_PAIR_MUL
                                             : LUNA_PAIR_ADD;
  return *kind != LUNA_PAIR_ADD || luna_op_is(op, LUNA_OP_TOSA_ADD);
}

static float apply(LunaPairKind kind, float lhs, float rhs) {
  return kind == LUNA_PAIR_ADD   ? lhs + rhs
         : kind == LUNA_PAIR_SUB ? lhs - rhs
                                 : lhs * rhs;
}

// False where a scale is so large that some result is no number.
static bool fill_results(const Pair *pair, LunaPairResults *results) {
  float numbers[2][LUNA_PAIR_VALUES];
  for (int input = 0; input < 2; ++input) {
    const LunaQuant *quant = &pair->inputs[input];
    for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
      numbers[input][i] =
          (float)(i + LUNA_PAIR_LOWEST - quant->zero) * quant->scale;
  }
  for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
    for (int k = 0; k < LUNA_PAIR_VALUES; ++k) {
      float number = apply(pair->kind, numbers[0][i], numbers[1][k]);
      if (isnan(number))
        return false;
      results->of[i][k] = (int8_t)luna_quant_number(&pair->target, number);
    }
  return true;
}

//===----------------------------------------------------------------------===//
// How integers give it
//===----------------------------------------------------------------------===//

// The result in units of `unit` / 2^headroom becomes one of the target.
static void set_output(LunaPairForm *form, const LunaQuantTarget *target,
                       double unit, int headroom, bool is_float) {
  double factor = ldexp(unit, -headroom) / (double)target->scale;
  form->output = luna_quantize_multiplier(factor);
  form->output_scale = is_float ? (float)factor : 0;
}

// Both operands as they are: they have one scale, or are multiplied.
static LunaPairForm unscaled(const Pair *pair, LunaPairForm form,
                             bool is_float) {
  double unit = (double)pair->inputs[0].scale;
  if (form.kind == LUNA_PAIR_MUL)
    unit *= (double)pair->inputs[1].scale;
  form.is_unscaled = true;
  form.inputs[0] = form.inputs[1] = LUNA_PAIR_UNSCALED;
  set_output(&form, &pair->target, unit, 0, is_float);
  return form;
}

// Both operands in units of half the larger scale, with more bits.
static LunaPairForm scaled(const Pair *pair, LunaPairForm form, bool is_float) {
  double unit = 2 * (double)fmaxf(pair->inputs[0].scale, pair->inputs[1].scale);
  int headroom = is_float ? FLOAT_HEADROOM : INTEGER_HEADROOM;
  for (int i = 0; i < 2; ++i) {
    form.inputs[i] =
        luna_quantize_multiplier((double)pair->inputs[i].scale / unit);
    form.inputs[i].shift += headroom;
  }
  set_output(&form, &pair->target, unit, headroom, is_float);
  return form;
}

typedef LunaPairForm (*MakeForm)(const Pair *pair, LunaPairForm form,
                                 bool is_float);

// Integers where they can give it: some machine's unit may take those whole.
static bool fits(const Pair *pair, MakeForm make, const LunaPairResults *wanted,
                 LunaPairForm *form, int64_t *work) {
  const LunaPairForm plain = *form;
  *form = make(pair, plain, false);
  if (luna_pair_suits(form, wanted, work) || luna_pair_seek(form, wanted, work))
    return true;
  *form = make(pair, plain, true);
  if (form->output_scale > 0 && !isinf(form->output_scale) &&
      luna_pair_suits(form, wanted, work))
    return true;
  *form = plain;
  return false;
}

static bool find_form(const Pair *pair, LunaPairForm *form, int64_t *work) {
  const LunaQuant *lhs = &pair->inputs[0], *rhs = &pair->inputs[1];
  LunaArena arena = {0};
  if (*work >= LUNA_PAIR_MAX_WORK)
    return false;
  *work += LUNA_PAIR_VALUES * LUNA_PAIR_VALUES;
  LunaPairResults *wanted = LUNA_ARENA_ARRAY(&arena, LunaPairResults, 1);
  *form = (LunaPairForm){
      .kind = pair->kind,
      .input_zp = {lhs->zero, rhs->zero},
      .output_zp = pair->target.zero,
      .low = pair->target.low,
      .high = pair->target.high,
  };
  bool is_mul = pair->kind == LUNA_PAIR_MUL;
  bool may_stay = is_mul || lhs->scale == rhs->scale;
  bool is_found = fill_results(pair, wanted) &&
                  ((may_stay && fits(pair, unscaled, wanted, form, work)) ||
                   (!is_mul && fits(pair, scaled, wanted, form, work)));
  luna_arena_destroy(&arena);
  return is_found;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static MlirValue rescale(const LunaBuilder *b, MlirValue value, MlirType to,
                         LunaMultiplier by, int64_t from_zero,
                         int64_t to_zero) {
  MlirValue operands[5] = {value};
  operands[1] = luna_build_const_one(b, b->i32, (double)by.multiplier);
  operands[2] = luna_build_const_one(b, b->i8, (double)(31 - by.shift));
  operands[3] =
      luna_build_const_one(b, luna_element_of(value), (double)from_zero);
  operands[4] = luna_build_const_one(b, to, (double)to_zero);
  MlirAttribute no = mlirBoolAttrGet(b->context, false);
  LunaAttr attributes[5] = {
      {"scale32", mlirBoolAttrGet(b->context, true)},
      {"rounding_mode",
       luna_parse_attr(b->context, "#tosa.rounding_mode<SINGLE_ROUND>")},
      {"per_channel", no},
      {"input_unsigned", no},
      {"output_unsigned", no},
  };
  return luna_build_op(b, "tosa.rescale",
                       luna_with_element(mlirValueGetType(value), to), 5,
                       operands, 5, attributes);
}

// The operator on 32 bits.
static MlirValue combine(const LunaBuilder *b, const Pair *pair,
                         const LunaPairForm *form) {
  static const char *const names[] = {[LUNA_PAIR_ADD] = "tosa.add",
                                      [LUNA_PAIR_SUB] = "tosa.sub",
                                      [LUNA_PAIR_MUL] = "tosa.mul"};
  MlirValue operands[2];
  for (int i = 0; i < 2; ++i)
    operands[i] = rescale(b, luna_quant_ints(&pair->inputs[i]), b->i32,
                          form->inputs[i], form->input_zp[i], 0);
  return luna_build_binary(b, names[form->kind], operands[0], operands[1]);
}

static MlirValue finish(LunaBuilder *b, const Pair *pair,
                        const LunaPairForm *form, MlirValue result) {
  const LunaQuantTarget *target = &pair->target;
  if (form->output_scale > 0)
    return luna_quant_finish(b, result, &form->output_scale, 1, target);
  result = rescale(b, result, b->i8, form->output, 0, form->output_zp);
  return luna_build_clamp_int(b, result, target->low, target->high);
}

// The unit takes up to four dimensions.
static bool read_pair(MlirOperation quantize, Pair *pair) {
  if (!luna_quant_target(quantize, &pair->target))
    return false;
  MlirValue value = mlirOperationGetOperand(quantize, 0);
  pair->op = luna_defining_op(value);
  if (mlirOperationIsNull(pair->op) || !find_kind(pair->op, &pair->kind))
    return false;
  for (int i = 0; i < 2; ++i)
    if (!luna_quant_source(mlirOperationGetOperand(pair->op, i),
                           &pair->inputs[i]) ||
        !luna_quant_is_int8(&pair->inputs[i]))
      return false;
  return mlirShapedTypeGetRank(mlirValueGetType(value)) <= MAX_RANK;
}

bool luna_fuse_pair(MlirOperation quantize, int64_t *work) {
  Pair pair;
  LunaPairForm form;
  if (!read_pair(quantize, &pair) || !find_form(&pair, &form, work))
    return false;
  LunaBuilder b = luna_builder_before(quantize, quantize);
  MlirValue result = combine(&b, &pair, &form);
  luna_quant_replace(quantize, finish(&b, &pair, &form, result));
  return true;
}
