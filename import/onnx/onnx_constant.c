// Operators that make constants, and those that repeat elements.

#include "onnx.h"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

ONNX_HANDLER(identity) {
  (void)c;
  n->outputs[0] = n->inputs[0];
  return true;
}

ONNX_HANDLER(dropout) {
  OnnxValue *training = onnx_input(n, 2);
  if (training &&
      (!onnx_evaluate_one(c, training) || onnx_int_at(training, 0) != 0))
    return onnx_fail(c, "training mode is not supported");
  n->outputs[0] = n->inputs[0];
  if (n->output_count > 1) {
    MlirValue ones = onnx_splat(c, ONNX_BOOL, &n->inputs[0]->shape, 1);
    n->outputs[1] = onnx_from_ir(c, ONNX_BOOL, &n->inputs[0]->shape, ones);
  }
  return true;
}

static OnnxValue *constant_list(OnnxImport *c, const OnnxNode *n) {
  const Onnx__AttributeProto *attr = onnx_attr(n, "value_ints");
  if (attr && attr->n_ints <= ONNX_MAX_LIST)
    return onnx_new_ints(c, attr->ints, (int)attr->n_ints);
  attr = onnx_attr(n, "value_floats");
  if (!attr || attr->n_floats > ONNX_MAX_LIST)
    return NULL;
  int64_t count = (int64_t)attr->n_floats;
  LunaShape shape = onnx_shape(1, &count);
  return onnx_new_const(c, ONNX_F32, &shape, attr->floats);
}

ONNX_HANDLER(constant) {
  LunaShape scalar = {.rank = 0};
  const Onnx__AttributeProto *attr = onnx_attr(n, "value");
  if (attr && attr->t) {
    n->outputs[0] = onnx_read_tensor(c, attr->t);
  } else if ((attr = onnx_attr(n, "value_int")) && attr->has_i) {
    n->outputs[0] = onnx_new_const(c, ONNX_I64, &scalar, &attr->i);
  } else if ((attr = onnx_attr(n, "value_float")) && attr->has_f) {
    n->outputs[0] = onnx_new_const(c, ONNX_F32, &scalar, &attr->f);
  } else {
    n->outputs[0] = constant_list(c, n);
  }
  return n->outputs[0] != NULL || onnx_fail(c, "has no value of a known kind");
}

// Reads a list of dimensions from input `index`.
static bool read_shape(OnnxImport *c, const OnnxNode *n, int index,
                       LunaShape *shape) {
  int64_t dims[ONNX_MAX_RANK];
  int rank = onnx_input_ints(c, n, index, dims, ONNX_MAX_RANK);
  if (rank < 0)
    return onnx_fail(c, "has no shape");
  *shape = onnx_shape(rank, dims);
  return true;
}

ONNX_HANDLER(constant_of_shape) {
  LunaShape shape;
  const Onnx__AttributeProto *attr = onnx_attr(n, "value");
  OnnxType type = ONNX_F32;
  double value = 0.0;
  if (attr && attr->t) {
    OnnxValue *given = onnx_read_tensor(c, attr->t);
    if (!given)
      return false;
    if (onnx_elems(&given->shape) != 1)
      return onnx_fail(c, "value has more than one element");
    type = given->type;
    value = onnx_float_at(given, 0);
  }
  if (!read_shape(c, n, 0, &shape))
    return false;
  n->outputs[0] = onnx_no_elements(c, type, &shape);
  if (n->outputs[0])
    return true;
  n->outputs[0] =
      onnx_check_shape(c, &shape)
          ? onnx_from_ir(c, type, &shape, onnx_splat(c, type, &shape, value))
          : NULL;
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(shape) {
  const LunaShape *shape = &n->inputs[0]->shape;
  int64_t start = onnx_attr_int(n, "start", 0);
  int64_t end = onnx_attr_int(n, "end", shape->rank);
  start = start < 0 ? start + shape->rank : start;
  end = end < 0 ? end + shape->rank : end;
  start = start < 0 ? 0 : start > shape->rank ? shape->rank : start;
  end = end > shape->rank ? shape->rank : end < start ? start : end;
  n->outputs[0] = onnx_new_ints(c, shape->dims + start, (int)(end - start));
  return true;
}

ONNX_HANDLER(size) {
  int64_t count = onnx_elems(&n->inputs[0]->shape);
  OnnxValue *value = onnx_new_ints(c, &count, 1);
  value->shape.rank = 0;
  n->outputs[0] = value;
  return true;
}

ONNX_HANDLER(range) {
  double start, limit, delta;
  OnnxType type = n->inputs[0]->type;
  if (!onnx_input_float(c, n, 0, 0, &start) ||
      !onnx_input_float(c, n, 1, 0, &limit) ||
      !onnx_input_float(c, n, 2, 1, &delta))
    return false;
  double steps = delta == 0 ? -1 : (limit - start) / delta;
  if (!(steps > 0) || steps > ONNX_MAX_LIST)
    return onnx_fail(c, "has no or too many steps");
  int64_t count = (int64_t)steps;
  count += (double)count < steps;
  uint8_t *data = onnx_new_data(c, count, onnx_type_bytes(type));
  for (int64_t i = 0; i < count; ++i)
    onnx_set_float(type, data, i, start + (double)i * delta);
  LunaShape shape = onnx_shape(1, &count);
  n->outputs[0] = onnx_new_const(c, type, &shape, data);
  return true;
}

//===----------------------------------------------------------------------===//
// Repeating
//===----------------------------------------------------------------------===//

static OnnxValue *broadcast_to(OnnxImport *c, OnnxValue *value,
                               const LunaShape *shape) {
  MlirValue source = onnx_ir(c, value);
  LunaGeneric generic = luna_generic(c->b, shape);
  MlirValue element = luna_generic_input(&generic, source);
  luna_generic_result(&generic, mlirValueGetType(element));
  return onnx_from_ir(c, value->type, shape,
                      luna_generic_end(&generic, element));
}

ONNX_HANDLER(expand) {
  LunaShape shape;
  OnnxValue *value = n->inputs[0];
  if (!read_shape(c, n, 1, &shape))
    return false;
  if (!luna_broadcast(&value->shape, &shape, &shape))
    return onnx_fail(c, "input does not broadcast to the shape");
  if (!onnx_check_shape(c, &shape))
    return false;
  if (onnx_same_shape(&shape, &value->shape))
    n->outputs[0] = value;
  else
    n->outputs[0] = broadcast_to(c, value, &shape);
  return true;
}

ONNX_HANDLER(tile) {
  OnnxValue *value = n->inputs[0];
  LunaShape shape = value->shape;
  int64_t repeats[ONNX_MAX_RANK];
  int count = onnx_input_ints(c, n, 1, repeats, ONNX_MAX_RANK);
  if (count < 0 || count != shape.rank)
    return onnx_fail(c, "needs one number of repeats per dimension");
  for (int i = 0; i < count; ++i) {
    if (repeats[i] <= 0 || repeats[i] > ONNX_MAX_ELEMS)
      return onnx_fail(c, "repeats a dimension %lld times",
                       (long long)repeats[i]);
    shape.dims[i] *= repeats[i];
  }
  if (!onnx_check_shape(c, &shape))
    return false;
  MlirValue operands[2] = {onnx_ir(c, value),
                           luna_build_const_shape(c->b, count, repeats)};
  MlirValue made =
      luna_build_op(c->b, "tosa.tile", onnx_tensor_type(c, value->type, &shape),
                    2, operands, 0, NULL);
  n->outputs[0] = onnx_from_ir(c, value->type, &shape, made);
  return true;
}
