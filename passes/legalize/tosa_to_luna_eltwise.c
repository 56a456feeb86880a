#include "luna-c/ops.h"
#include "tosa_to_luna.h"

enum { MAX_RANK = 4, CHANNELS_MIN = 2 };

// An operand of an elementwise operator: int8 or int16, scaled to 32 bits.
typedef struct Input {
  MlirValue value;
  int64_t zero_point, multiplier, shift;
  int32_t rounding;
  bool picky;       ///< `rounding` affects the result
  int64_t min, max; ///< range of the scaled values
} Input;

// Computes the range of the scaled values; scaling is monotone.
static void set_range(Input *input) {
  int64_t limit = INT64_C(1) << (luna_tosa_width(input->value) - 1);
  input->min = -limit - input->zero_point;
  input->max = limit - 1 - input->zero_point;
  if (input->multiplier == 0)
    return;
  int32_t multiplier = (int32_t)input->multiplier;
  int32_t shift = (int32_t)input->shift;
  input->min = luna_tosa_apply_scale((int32_t)input->min, multiplier, shift,
                                     input->rounding);
  input->max = luna_tosa_apply_scale((int32_t)input->max, multiplier, shift,
                                     input->rounding);
}

static bool is_narrow(MlirValue value) {
  unsigned width = luna_tosa_width(value);
  return width == 8 || width == 16;
}

static bool use_unscaled(MlirValue value, Input *input) {
  if (!is_narrow(value))
    return false;
  *input = (Input){.value = value};
  set_range(input);
  return true;
}

// Reads an operand: int8 or int16 itself (tosa.mul takes it), cast or rescaled
// from it.
static bool read_input(MlirValue operand, Input *input) {
  MlirOperation op = luna_defining_op(operand);
  if (is_narrow(operand))
    return use_unscaled(operand, input);
  if (mlirOperationIsNull(op) || luna_tosa_width(operand) != 32)
    return false;
  if (luna_op_is(op, LUNA_OP_TOSA_CAST))
    return use_unscaled(mlirOperationGetOperand(op, 0), input);
  LunaTosaRescale rescale;
  if (!luna_tosa_rescale(op, &rescale) || !is_narrow(rescale.input) ||
      rescale.per_channel || rescale.output_zp != 0)
    return false;
  *input = (Input){.value = rescale.input, .zero_point = rescale.input_zp};
  input->multiplier = luna_tosa_const_at(&rescale.multiplier, 0);
  input->shift = luna_tosa_const_at(&rescale.shift, 0);
  input->rounding = rescale.rounding;
  input->picky = input->shift > 31;
  // A multiplier of 0 means "not scaled" in luna, but zero in TOSA.
  if (input->multiplier == 0)
    return false;
  if (rescale.rounding == LUNA_ROUND_SINGLE &&
      input->multiplier == INT64_C(1) << input->shift)
    input->multiplier = input->shift = 0;
  int64_t largest =
      ((INT64_C(1) << rescale.input_width) - 1) * input->multiplier;
  if (input->multiplier != 0 && largest >> input->shift > INT32_MAX / 2)
    return false;
  set_range(input);
  return true;
}

// Returns true if `pad` appends `zero_point` to the last dimension, and nothing
// else. One channel is repeated rather than padded.
static bool pads_channels(MlirOperation pad, int64_t zero_point) {
  MlirValue input = mlirOperationGetOperand(pad, 0);
  int64_t rank = luna_tosa_rank(input), pads[2 * MAX_RANK], value = 0;
  if (rank < 1 || rank > MAX_RANK ||
      luna_tosa_dim(input, rank - 1) < CHANNELS_MIN ||
      !luna_tosa_list(mlirOperationGetOperand(pad, 1), pads, 2 * rank) ||
      !luna_tosa_scalar(mlirOperationGetOperand(pad, 2), &value) ||
      value != zero_point || pads[2 * rank - 1] < 0)
    return false;
  for (int64_t i = 0; i < 2 * rank - 1; ++i)
    if (pads[i] != 0)
      return false;
  return true;
}

// Takes a pad of the channels, which only this operator reads, into it. What
// scales it is `operand`, or the pad itself.
static void absorb_pad(MlirValue operand, Input *input) {
  MlirOperation pad = luna_defining_op(input->value);
  if (luna_op_is(pad, LUNA_OP_TOSA_PAD) && luna_is_used_once(operand) &&
      luna_is_used_once(input->value) && pads_channels(pad, input->zero_point))
    input->value = mlirOperationGetOperand(pad, 0);
}

static const char *unit_name(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_TOSA_ADD))
    return "luna.add";
  if (luna_op_is(op, LUNA_OP_TOSA_SUB))
    return "luna.sub";
  return luna_op_is(op, LUNA_OP_TOSA_MUL) ? "luna.mul" : NULL;
}

static bool fits(int64_t value) {
  return value >= INT32_MIN && value <= INT32_MAX;
}

// Returns true if no result leaves 32 bits, where the two lowerings could
// differ.
static bool result_fits(MlirOperation op, const Input *lhs, const Input *rhs) {
  if (luna_op_is(op, LUNA_OP_TOSA_ADD))
    return fits(lhs->min + rhs->min) && fits(lhs->max + rhs->max);
  if (luna_op_is(op, LUNA_OP_TOSA_SUB))
    return fits(lhs->min - rhs->max) && fits(lhs->max - rhs->min);
  return fits(lhs->min * rhs->min) && fits(lhs->min * rhs->max) &&
         fits(lhs->max * rhs->min) && fits(lhs->max * rhs->max);
}

static bool has_no_shift(MlirOperation op) {
  int64_t shift = 0;
  return !luna_op_is(op, LUNA_OP_TOSA_MUL) ||
         (luna_tosa_scalar(mlirOperationGetOperand(op, 2), &shift) &&
          shift == 0);
}

static void add_input(LunaTosaUnit *spec, MlirContext context,
                      const Input *input, const char *const names[3]) {
  spec->inputs[spec->input_count++] = input->value;
  luna_tosa_add_int(&spec->attributes, context, names[0], input->zero_point, 0);
  luna_tosa_add_int(&spec->attributes, context, names[1], input->multiplier, 0);
  luna_tosa_add_int(&spec->attributes, context, names[2], input->shift, 0);
}

bool luna_tosa_rewrite_eltwise(const LunaTosaChain *chain) {
  static const char *const lhs_names[3] = {"lhs_zp", "lhs_multiplier",
                                           "lhs_shift"};
  static const char *const rhs_names[3] = {"rhs_zp", "rhs_multiplier",
                                           "rhs_shift"};
  MlirOperation op = chain->producer;
  if (mlirOperationIsNull(op))
    return false;
  LunaTosaUnit spec = {.name = unit_name(op),
                       .builder = luna_builder_before(chain->root, op)};
  Input lhs, rhs;
  if (!spec.name || !has_no_shift(op) ||
      chain->requant.mode == LUNA_REQUANT_NONE || chain->requant.per_channel ||
      !is_narrow(mlirOperationGetResult(chain->root, 0)) ||
      luna_tosa_rank(mlirOperationGetResult(op, 0)) > MAX_RANK ||
      !read_input(mlirOperationGetOperand(op, 0), &lhs) ||
      !read_input(mlirOperationGetOperand(op, 1), &rhs) ||
      !result_fits(op, &lhs, &rhs))
    return false;
  if (lhs.picky && rhs.picky && lhs.rounding != rhs.rounding)
    return false;
  absorb_pad(mlirOperationGetOperand(op, 0), &lhs);
  absorb_pad(mlirOperationGetOperand(op, 1), &rhs);
  MlirContext context = mlirOperationGetContext(op);
  add_input(&spec, context, &lhs, lhs_names);
  add_input(&spec, context, &rhs, rhs_names);
  luna_tosa_add_int(&spec.attributes, context, "input_rounding",
                    lhs.rounding | rhs.rounding, 0);
  luna_tosa_add_attr(&spec.attributes, context, "requant",
                     lunaRequantAttrGet(context, chain->requant));
  luna_tosa_replace(chain->root, &spec);
  return true;
}
