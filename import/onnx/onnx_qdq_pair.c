// Add, Sub and Mul of two quantised values as integers: rescale both, add,
// rescale, which the unit has an operator for.
//
// What is wanted is ONNX's definition in f32, for all 65,536 pairs of int8:
// dequantise both, add, divide by the scale, round half to even, clamp.
// tosa.rescale rounds ties up instead, so that the last step may also be a
// multiplication in f32 that rounds half to even, as behind convolutions. Where
// neither gives all results, the caller makes a loop.

#include "onnx_qdq.h"

#include <math.h>
#include <string.h>

#include "luna/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "luna/pair_search.h"

// Bits that operands of different scales get beyond their own: as many as
// int32 and f32 have room for.
enum { INTEGER_HEADROOM = 20, FLOAT_HEADROOM = 15 };
enum { MAX_RANK = 4 };

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

static bool find_kind(const OnnxQdqNode *q, LunaPairKind *kind) {
  static const struct {
    const char *name;
    LunaPairKind kind;
  } table[] = {
      {"Add", LUNA_PAIR_ADD},
      {"Sub", LUNA_PAIR_SUB},
      {"Mul", LUNA_PAIR_MUL},
      {"Sum", LUNA_PAIR_ADD},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, q->name) == 0) {
      *kind = table[i].kind;
      return true;
    }
  return false;
}

static float apply(LunaPairKind kind, float lhs, float rhs) {
  return kind == LUNA_PAIR_ADD   ? lhs + rhs
         : kind == LUNA_PAIR_SUB ? lhs - rhs
                                 : lhs * rhs;
}

// False where a scale is so large that some result is no number.
static bool fill_results(const OnnxQdqNode *q, LunaPairKind kind,
                         LunaPairResults *results) {
  float numbers[2][LUNA_PAIR_VALUES];
  for (int input = 0; input < 2; ++input) {
    const OnnxQuant *quant = q->node->inputs[input]->quant;
    for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
      numbers[input][i] =
          (float)(i + LUNA_PAIR_LOWEST - quant->zero) * quant->scales[0];
  }
  for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
    for (int k = 0; k < LUNA_PAIR_VALUES; ++k) {
      float number = apply(kind, numbers[0][i], numbers[1][k]);
      if (isnan(number))
        return false;
      results->of[i][k] = (int8_t)onnx_quantize_number(&q->target, number);
    }
  return true;
}

//===----------------------------------------------------------------------===//
// How integers give it
//===----------------------------------------------------------------------===//

// The result in units of `unit` / 2^headroom becomes one of the target.
static void set_output(LunaPairForm *form, const OnnxTarget *target,
                       double unit, int headroom, bool is_float) {
  double factor = ldexp(unit, -headroom) / (double)target->scale;
  form->output = luna_quantize_multiplier(factor);
  form->output_scale = is_float ? (float)factor : 0;
}

// Both operands as they are: they have one scale, or are multiplied.
static LunaPairForm unscaled(const OnnxQdqNode *q, LunaPairForm form,
                             const float scales[2], bool is_float) {
  double unit = (double)scales[0];
  if (form.kind == LUNA_PAIR_MUL)
    unit *= (double)scales[1];
  form.is_unscaled = true;
  form.inputs[0] = form.inputs[1] = LUNA_PAIR_UNSCALED;
  set_output(&form, &q->target, unit, 0, is_float);
  return form;
}

// Both operands in units of half the larger scale, with more bits.
static LunaPairForm scaled(const OnnxQdqNode *q, LunaPairForm form,
                           const float scales[2], bool is_float) {
  double unit = 2 * (double)fmaxf(scales[0], scales[1]);
  int headroom = is_float ? FLOAT_HEADROOM : INTEGER_HEADROOM;
  for (int i = 0; i < 2; ++i) {
    form.inputs[i] = luna_quantize_multiplier((double)scales[i] / unit);
    form.inputs[i].shift += headroom;
  }
  set_output(&form, &q->target, unit, headroom, is_float);
  return form;
}

typedef LunaPairForm (*MakeForm)(const OnnxQdqNode *q, LunaPairForm form,
                                 const float scales[2], bool is_float);

// Integers where they can give it: some machine's unit may take those whole.
static bool fits(OnnxImport *c, const OnnxQdqNode *q, MakeForm make,
                 const LunaPairResults *wanted, LunaPairForm *form) {
  const float scales[2] = {q->node->inputs[0]->quant->scales[0],
                           q->node->inputs[1]->quant->scales[0]};
  const LunaPairForm plain = *form;
  int64_t *work = &c->search_work;
  *form = make(q, plain, scales, false);
  if (luna_pair_suits(form, wanted, work) || luna_pair_seek(form, wanted, work))
    return true;
  *form = make(q, plain, scales, true);
  if (form->output_scale > 0 && !isinf(form->output_scale) &&
      luna_pair_suits(form, wanted, work))
    return true;
  *form = plain;
  return false;
}

static bool find_form(OnnxImport *c, const OnnxQdqNode *q, LunaPairKind kind,
                      LunaPairForm *form) {
  const OnnxQuant *lhs = q->node->inputs[0]->quant;
  const OnnxQuant *rhs = q->node->inputs[1]->quant;
  LunaArena arena = {0};
  if (c->search_work >= LUNA_PAIR_MAX_WORK)
    return false;
  c->search_work += LUNA_PAIR_VALUES * LUNA_PAIR_VALUES;
  LunaPairResults *wanted = LUNA_ARENA_ARRAY(&arena, LunaPairResults, 1);
  *form = (LunaPairForm){
      .kind = kind,
      .input_zp = {lhs->zero, rhs->zero},
      .output_zp = q->target.zero,
      .low = q->target.low,
      .high = q->target.high,
  };
  bool is_mul = kind == LUNA_PAIR_MUL;
  bool may_stay = is_mul || lhs->scales[0] == rhs->scales[0];
  bool is_found = fill_results(q, kind, wanted) &&
                  ((may_stay && fits(c, q, unscaled, wanted, form)) ||
                   (!is_mul && fits(c, q, scaled, wanted, form)));
  luna_arena_destroy(&arena);
  return is_found;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static MlirValue rescale(OnnxImport *c, MlirValue value, OnnxType from,
                         OnnxType to, const LunaShape *shape, LunaMultiplier by,
                         int64_t from_zero, int64_t to_zero) {
  LunaShape one = {1, {1}};
  MlirValue operands[5] = {
      value,
      onnx_splat(c, ONNX_I32, &one, (double)by.multiplier),
      onnx_splat(c, ONNX_I8, &one, (double)(31 - by.shift)),
      onnx_splat(c, from, &one, (double)from_zero),
      onnx_splat(c, to, &one, (double)to_zero),
  };
  MlirAttribute no = mlirBoolAttrGet(c->b->context, false);
  LunaAttr attrs[5] = {
      {"scale32", mlirBoolAttrGet(c->b->context, true)},
      {"rounding_mode",
       luna_parse_attr(c->b->context, "#tosa.rounding_mode<SINGLE_ROUND>")},
      {"per_channel", no},
      {"input_unsigned", no},
      {"output_unsigned", no},
  };
  return luna_build_op(c->b, "tosa.rescale", onnx_tensor_type(c, to, shape), 5,
                       operands, 5, attrs);
}

static MlirValue combine(OnnxImport *c, const LunaPairForm *form,
                         const OnnxOperands *o) {
  static const char *const names[] = {[LUNA_PAIR_ADD] = "tosa.add",
                                      [LUNA_PAIR_SUB] = "tosa.sub",
                                      [LUNA_PAIR_MUL] = "tosa.mul"};
  bool is_mul = form->kind == LUNA_PAIR_MUL;
  LunaShape one = {1, {1}};
  MlirValue operands[3];
  for (int i = 0; i < 2; ++i)
    operands[i] = rescale(c, o->values[i], ONNX_I8, ONNX_I32, &o->shapes[i],
                          form->inputs[i], form->input_zp[i], 0);
  if (is_mul)
    operands[2] = onnx_splat(c, ONNX_I8, &one, 0);
  return luna_build_op(c->b, names[form->kind],
                       onnx_tensor_type(c, ONNX_I32, &o->out), is_mul ? 3 : 2,
                       operands, 0, NULL);
}

static MlirValue clamp(OnnxImport *c, MlirValue value,
                       const OnnxTarget *target) {
  if (target->low <= INT8_MIN && target->high >= INT8_MAX)
    return value;
  MlirType i8 = c->b->i8;
  LunaAttr attrs[2] = {{"min_val", mlirIntegerAttrGet(i8, target->low)},
                       {"max_val", mlirIntegerAttrGet(i8, target->high)}};
  return luna_build_op(c->b, "tosa.clamp", mlirValueGetType(value), 1, &value,
                       2, attrs);
}

static MlirValue finish(OnnxImport *c, MlirValue result,
                        const LunaPairForm *form, const OnnxOperands *o,
                        const OnnxTarget *target) {
  if (form->output_scale > 0)
    return onnx_qdq_finish(c, result, &o->out, form->output_scale, target);
  return clamp(c,
               rescale(c, result, ONNX_I32, ONNX_I8, &o->out, form->output, 0,
                       form->output_zp),
               target);
}

// The unit takes up to four dimensions.
static bool is_pair(const OnnxNode *n) {
  if (n->input_count != 2)
    return false;
  int ranks[2];
  for (int i = 0; i < 2; ++i) {
    if (!onnx_qdq_is_int8(n->inputs[i]))
      return false;
    ranks[i] = n->inputs[i]->shape.rank;
  }
  int rank = ranks[0] > ranks[1] ? ranks[0] : ranks[1];
  return rank > 0 && rank <= MAX_RANK;
}

bool onnx_qdq_pair(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  LunaPairKind kind;
  LunaPairForm form;
  OnnxOperands o;
  if (!is_pair(n) || !find_kind(q, &kind) || !find_form(c, q, kind, &form))
    return true;
  OnnxValue *inputs[2] = {n->inputs[0]->quant->ints, n->inputs[1]->quant->ints};
  if (!onnx_read_operands(c, inputs, 2, &o))
    return false;
  MlirValue made = finish(c, combine(c, &form, &o), &form, &o, &q->target);
  n->outputs[0] = onnx_qdq_settled(
      c, onnx_operands_result(c, ONNX_I8, &o, made), &q->target);
  *done = true;
  return true;
}
