#include "luna-c/ops.h"
#include "luna/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tosa_to_luna.h"

// Returns true if all values are zero.
static bool is_zero(const LunaTosaConst *ints) {
  for (int64_t i = 0; i < ints->count; ++i)
    if (luna_tosa_const_at(ints, i) != 0)
      return false;
  return true;
}

// Creates a bias of `channels` 32-bit values from a constant of that many
// values or of one.
static MlirValue spread_bias(const LunaBuilder *b, const LunaTosaConst *ints,
                             int64_t channels) {
  LunaArena arena = {0};
  int32_t *values = LUNA_ARENA_ARRAY(&arena, int32_t, channels);
  for (int64_t c = 0; c < channels; ++c)
    values[c] = (int32_t)luna_tosa_const_at(ints, ints->count == 1 ? 0 : c);
  MlirValue bias = luna_build_data(b, luna_list_type(b->i32, channels), values);
  luna_arena_destroy(&arena);
  return bias;
}

// Appends the bias, with one 32-bit value per channel, unless it is zero.
// Returns false if it cannot have that form.
static bool add_bias(LunaTosaUnit *spec, MlirValue bias, int64_t channels) {
  LunaTosaConst ints;
  bool constant = luna_tosa_const(bias, &ints);
  if (constant && is_zero(&ints))
    return true;
  bool fits = luna_tosa_dim(bias, 0) == channels && luna_tosa_width(bias) == 32;
  if (!fits && !constant)
    return false;
  spec->inputs[spec->input_count++] =
      fits ? bias : spread_bias(&spec->builder, &ints, channels);
  return true;
}

// Appends bias, table and the operand segments. A null bias is absent.
static bool add_channel_operands(LunaTosaUnit *spec, const LunaTosaChain *chain,
                                 MlirValue bias, int64_t channels) {
  MlirContext context = mlirOperationGetContext(chain->root);
  int32_t segments[] = {
      [LUNA_ROLE_INPUT] = 1, [LUNA_ROLE_WEIGHT] = 1, [LUNA_ROLE_OUTPUT] = 1};
  intptr_t before = spec->input_count;
  if (!mlirValueIsNull(bias) && !add_bias(spec, bias, channels))
    return false;
  segments[LUNA_ROLE_BIAS] = (int32_t)(spec->input_count - before);
  if (!mlirAttributeIsNull(chain->table)) {
    spec->inputs[spec->input_count++] =
        luna_build_const(&spec->builder, chain->table);
    segments[LUNA_ROLE_TABLE] = 1;
  }
  luna_tosa_add_segments(&spec->attributes, context, segments,
                         LUNA_UNIT_OPERANDS_MAX);
  luna_tosa_add_attr(&spec->attributes, context, "requant",
                     lunaRequantAttrGet(context, chain->requant));
  return true;
}

//===----------------------------------------------------------------------===//
// Fully connected layers
//===----------------------------------------------------------------------===//

// The weight [OC, 1, 1, IC] as [1, OC, IC]: a constant is made anew.
static bool reshape_weight(const LunaTosaConv *conv, const LunaBuilder *b,
                           MlirValue *weight) {
  LunaTosaConst ints;
  if (!luna_tosa_const(conv->weight, &ints))
    return false;
  LunaShape shape = {
      3, {1, luna_tosa_dim(conv->weight, 0), luna_tosa_dim(conv->weight, 3)}};
  *weight = luna_build_const(
      b, mlirDenseElementsAttrReshapeGet(
             ints.attribute,
             luna_tensor_type(luna_element_of(conv->weight), &shape)));
  return true;
}

static bool rewrite_fully_connected(const LunaTosaChain *chain,
                                    const LunaTosaConv *conv) {
  MlirOperation root = chain->root;
  MlirContext context = mlirOperationGetContext(root);
  MlirValue result = mlirOperationGetResult(root, 0);
  int64_t batch = luna_tosa_dim(result, 0), out = luna_tosa_dim(result, 3);
  LunaShape lhs_shape = {3, {1, batch, luna_tosa_dim(conv->input, 3)}};
  LunaShape product_shape = {3, {1, batch, out}};
  LunaShape result_shape = {4, {batch, 1, 1, out}};
  LunaTosaUnit spec = {
      .name = "luna.matmul",
      .builder = luna_builder_before(chain->root, conv->op),
      .input_count = 2,
  };
  if (!reshape_weight(conv, &spec.builder, &spec.inputs[1]) ||
      !add_channel_operands(&spec, chain, conv->bias, out))
    return false;
  spec.inputs[0] = luna_build_reshape(&spec.builder, conv->input, &lhs_shape);
  luna_tosa_add_attr(&spec.attributes, context, "rhs_transposed",
                     mlirUnitAttrGet(context));
  luna_tosa_add_int(&spec.attributes, context, "lhs_zp", conv->input_zp, 0);
  luna_tosa_add_int(&spec.attributes, context, "rhs_zp", conv->weight_zp, 0);
  MlirType type = luna_tensor_type(luna_element_of(result), &product_shape);
  if (!luna_tosa_fits_calls(chain, &spec, type))
    return false;
  MlirValue product = luna_tosa_make_unit(&spec, type);
  mlirValueReplaceAllUsesOfWith(
      result, luna_build_reshape(&spec.builder, product, &result_shape));
  return true;
}

//===----------------------------------------------------------------------===//
// Convolutions and matrix products
//===----------------------------------------------------------------------===//

bool luna_tosa_rewrite_conv2d(const LunaTosaChain *chain) {
  LunaTosaConv conv;
  if (mlirOperationIsNull(chain->producer) ||
      !luna_tosa_conv(chain->producer, &conv))
    return false;
  if (conv.is_fully_connected && rewrite_fully_connected(chain, &conv))
    return true;
  if (!luna_tosa_has_images(conv.input))
    return false;
  luna_tosa_fold_pads(&conv);
  MlirContext context = mlirOperationGetContext(chain->root);
  LunaTosaUnit spec = {
      .name = "luna.conv2d",
      .builder = luna_builder_before(chain->root, conv.op),
      .inputs = {conv.input, conv.weight},
      .input_count = 2,
  };
  MlirValue result = mlirOperationGetResult(chain->root, 0);
  if (!add_channel_operands(&spec, chain, conv.bias, luna_tosa_dim(result, 3)))
    return false;
  LunaTosaAttrs *attributes = &spec.attributes;
  luna_tosa_add_int(attributes, context, "kind", conv.kind, 0);
  luna_tosa_add_ints(attributes, context, "stride", conv.stride, 2, 1);
  luna_tosa_add_ints(attributes, context, "dilation", conv.dilation, 2, 1);
  luna_tosa_add_ints(attributes, context, "pad", conv.pad, 4, 0);
  luna_tosa_add_int(attributes, context, "input_zp", conv.input_zp, 0);
  luna_tosa_add_int(attributes, context, "weight_zp", conv.weight_zp, 0);
  if (!luna_tosa_fits_calls(chain, &spec, mlirValueGetType(result)))
    return false;
  luna_tosa_replace_images(chain->root, &spec);
  return true;
}

bool luna_tosa_rewrite_matmul(const LunaTosaChain *chain) {
  MlirOperation op = chain->producer;
  if (!luna_op_is(op, LUNA_OP_TOSA_MATMUL))
    return false;
  MlirValue lhs = mlirOperationGetOperand(op, 0);
  MlirValue rhs = mlirOperationGetOperand(op, 1);
  MlirValue product = mlirOperationGetResult(op, 0);
  int64_t lhs_zp = 0, rhs_zp = 0;
  if (luna_tosa_width(lhs) != 8 || luna_tosa_width(rhs) != 8 ||
      luna_tosa_width(product) != 32 ||
      !luna_tosa_scalar(mlirOperationGetOperand(op, 2), &lhs_zp) ||
      !luna_tosa_scalar(mlirOperationGetOperand(op, 3), &rhs_zp))
    return false;
  MlirContext context = mlirOperationGetContext(op);
  LunaTosaUnit spec = {
      .name = "luna.matmul",
      .builder = luna_builder_before(chain->root, op),
      .inputs = {lhs, rhs},
      .input_count = 2,
  };
  MlirValue no_bias = {NULL};
  if (!add_channel_operands(&spec, chain, no_bias, luna_tosa_dim(product, 2)))
    return false;
  luna_tosa_add_int(&spec.attributes, context, "lhs_zp", lhs_zp, 0);
  luna_tosa_add_int(&spec.attributes, context, "rhs_zp", rhs_zp, 0);
  if (!luna_tosa_fits_calls(
          chain, &spec,
          mlirValueGetType(mlirOperationGetResult(chain->root, 0))))
    return false;
  luna_tosa_replace(chain->root, &spec);
  return true;
}
