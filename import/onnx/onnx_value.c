// Values in their layouts, and the inputs of nodes.

#include "onnx_valid.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_onnx_permute(LunaOnnxImport *c, LunaOnnxValue *value,
                                 const int *perm) {
  MlirValue ir = luna_build_transpose(c->b, luna_onnx_ir(c, value), perm);
  LunaShape shape = luna_shape_of(ir);
  return luna_onnx_from_ir(c, value->type, &shape, ir);
}

LunaOnnxValue *luna_onnx_from_ir(LunaOnnxImport *c, LunaOnnxType type,
                                 const LunaShape *shape, MlirValue ir) {
  LunaOnnxValue *value = luna_onnx_new_value(c, type, shape);
  value->ir = ir;
  return value;
}

LunaOnnxValue *luna_onnx_from_last(LunaOnnxImport *c, LunaOnnxType type,
                                   const LunaShape *shape, MlirValue last) {
  LunaOnnxValue *value = luna_onnx_new_value(c, type, shape);
  value->last = last;
  return value;
}

bool luna_onnx_prefers_last(const LunaOnnxValue *value) {
  return mlirValueIsNull(value->ir) && !mlirValueIsNull(value->last);
}

// (0, 2, 3, …, 1), or its inverse (0, n-1, 1, 2, …).
static void last_permutation(int rank, bool inverse, int *perm) {
  perm[0] = 0;
  for (int i = 1; i < rank; ++i)
    perm[i] =
        inverse ? (i == 1 ? rank - 1 : i - 1) : (i + 1 == rank ? 1 : i + 1);
}

MlirValue luna_onnx_ir(LunaOnnxImport *c, LunaOnnxValue *value) {
  if (value->data)
    return luna_onnx_const(c, value->type, &value->shape, value->data);
  if (!mlirValueIsNull(value->ir))
    return value->ir;
  int perm[LUNA_ONNX_MAX_RANK];
  last_permutation(value->shape.rank, true, perm);
  MlirValue ir = luna_build_transpose(c->b, value->last, perm);
  if (mlirBlockEqual(c->b->block, value->block))
    value->ir = ir;
  if (value->valid)
    luna_valid_set(&c->lengths, ir, value->valid, value->valid->axis);
  return ir;
}

MlirValue luna_onnx_ir_last(LunaOnnxImport *c, LunaOnnxValue *value) {
  if (!mlirValueIsNull(value->last))
    return value->last;
  int perm[LUNA_ONNX_MAX_RANK];
  last_permutation(value->shape.rank, false, perm);
  MlirValue last = luna_build_transpose(c->b, luna_onnx_ir(c, value), perm);
  if (mlirBlockEqual(c->b->block, value->block))
    value->last = last;
  if (value->valid)
    luna_valid_set(&c->lengths, last, value->valid,
                   luna_onnx_axis_last(value->valid->axis, value->shape.rank));
  return last;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// What is quantised or dequantised is constant where its operand is, though
// nothing here computes it.
static MlirValue behind_quantization(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_QUANTIZE, LUNA_OP_LUNA_DEQUANTIZE)) {
    value = mlirOperationGetOperand(op, 0);
    op = luna_defining_op(value);
  }
  return value;
}

bool luna_onnx_is_constant(const LunaOnnxImport *c,
                           const LunaOnnxValue *value) {
  MlirValue ir = mlirValueIsNull(value->ir) ? value->last : value->ir;
  return value->data || luna_fold_is_constant(c->fold, behind_quantization(ir));
}

bool luna_onnx_evaluate(LunaOnnxImport *c, LunaOnnxValue *value) {
  if (value->data || !luna_onnx_is_constant(c, value))
    return value->data != NULL;
  const LunaConstant *constant =
      luna_fold_value(c->fold, luna_onnx_ir(c, value));
  size_t bytes = (size_t)luna_onnx_type_bytes(value->type);
  if (!constant || (size_t)constant->element.bytes != bytes ||
      constant->count != luna_onnx_elems(&value->shape))
    return false;
  value->data = constant->data;
  if (!constant->is_splat)
    return true;
  uint8_t *data = luna_onnx_new_data(c, constant->count, (int)bytes);
  for (int64_t i = 0; i < constant->count; ++i)
    memcpy(data + (size_t)i * bytes, constant->data, bytes);
  value->data = data;
  return true;
}

bool luna_onnx_evaluate_one(LunaOnnxImport *c, LunaOnnxValue *value) {
  return luna_onnx_elems(&value->shape) == 1 && luna_onnx_evaluate(c, value);
}

//===----------------------------------------------------------------------===//
// Inputs of nodes
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_onnx_input(const LunaOnnxNode *n, int index) {
  return index < n->input_count ? n->inputs[index] : NULL;
}

int luna_onnx_input_ints(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                         int64_t *list, int max) {
  LunaOnnxValue *value = luna_onnx_input(n, index);
  if (!value)
    return -1;
  int64_t count = luna_onnx_elems(&value->shape);
  if (value->shape.rank > 1 || count > max || !luna_onnx_is_int(value->type) ||
      !luna_onnx_evaluate(c, value)) {
    luna_onnx_fail(c,
                   "input '%s' must be a constant list of at most %d integers",
                   n->proto->input[index], max);
    return -2;
  }
  for (int64_t i = 0; i < count; ++i)
    list[i] = luna_onnx_int_at(value, i);
  return (int)count;
}

int luna_onnx_ints(LunaOnnxImport *c, const LunaOnnxNode *n, int input,
                   const char *name, int64_t *list, int max) {
  int count = luna_onnx_input_ints(c, n, input, list, max);
  return count == -1 ? luna_onnx_attr_ints(c, n, name, list, max) : count;
}

bool luna_onnx_input_float(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                           double absent, double *number) {
  LunaOnnxValue *value = luna_onnx_input(n, index);
  *number = absent;
  if (!value)
    return true;
  if (!luna_onnx_evaluate_one(c, value))
    return luna_onnx_fail(c, "input '%s' must be one constant number",
                          n->proto->input[index]);
  *number = luna_onnx_float_at(value, 0);
  return true;
}
