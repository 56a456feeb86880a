// Operators that make constants, and those that repeat elements.

#include "onnx.h"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool luna_onnx_op_identity(LunaOnnxImport *c, LunaOnnxNode *n) {
  (void)c;
  n->outputs[0] = n->inputs[0];
  return true;
}

bool luna_onnx_op_dropout(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *training = luna_onnx_input(n, 2);
  if (training && (!luna_onnx_evaluate_one(c, training) ||
                   luna_onnx_int_at(training, 0) != 0))
    return luna_onnx_fail(c, "training mode is not supported");
  n->outputs[0] = n->inputs[0];
  if (n->output_count > 1) {
    MlirValue ones =
        luna_onnx_splat(c, LUNA_ONNX_BOOL, &n->inputs[0]->shape, 1);
    n->outputs[1] =
        luna_onnx_from_ir(c, LUNA_ONNX_BOOL, &n->inputs[0]->shape, ones);
  }
  return true;
}

static LunaOnnxValue *constant_list(LunaOnnxImport *c, const LunaOnnxNode *n) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, "value_ints");
  if (attr && attr->n_ints <= LUNA_ONNX_MAX_LIST)
    return luna_onnx_new_ints(c, attr->ints, (int)attr->n_ints);
  attr = luna_onnx_attr(n, "value_floats");
  if (!attr || attr->n_floats > LUNA_ONNX_MAX_LIST)
    return NULL;
  int64_t count = (int64_t)attr->n_floats;
  LunaShape shape = luna_onnx_shape(1, &count);
  return luna_onnx_new_const(c, LUNA_ONNX_F32, &shape, attr->floats);
}

bool luna_onnx_op_constant(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaShape scalar = {.rank = 0};
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, "value");
  if (attr && attr->t) {
    n->outputs[0] = luna_onnx_read_tensor(c, attr->t);
  } else if ((attr = luna_onnx_attr(n, "value_int")) && attr->has_i) {
    n->outputs[0] = luna_onnx_new_const(c, LUNA_ONNX_I64, &scalar, &attr->i);
  } else if ((attr = luna_onnx_attr(n, "value_float")) && attr->has_f) {
    n->outputs[0] = luna_onnx_new_const(c, LUNA_ONNX_F32, &scalar, &attr->f);
  } else {
    n->outputs[0] = constant_list(c, n);
  }
  return n->outputs[0] != NULL ||
         luna_onnx_fail(c, "has no value of a known kind");
}

// Reads a list of dimensions from input `index`.
static bool read_shape(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                       LunaShape *shape) {
  int64_t dims[LUNA_ONNX_MAX_RANK];
  int rank = luna_onnx_input_ints(c, n, index, dims, LUNA_ONNX_MAX_RANK);
  if (rank < 0)
    return luna_onnx_fail(c, "has no shape");
  *shape = luna_onnx_shape(rank, dims);
  return true;
}

bool luna_onnx_op_constant_of_shape(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaShape shape;
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, "value");
  LunaOnnxType type = LUNA_ONNX_F32;
  double value = 0.0;
  if (attr && attr->t) {
    LunaOnnxValue *given = luna_onnx_read_tensor(c, attr->t);
    if (!given)
      return false;
    if (luna_onnx_elems(&given->shape) != 1)
      return luna_onnx_fail(c, "value has more than one element");
    type = given->type;
    value = luna_onnx_float_at(given, 0);
  }
  if (!read_shape(c, n, 0, &shape))
    return false;
  n->outputs[0] = luna_onnx_no_elements(c, type, &shape);
  if (n->outputs[0])
    return true;
  n->outputs[0] =
      luna_onnx_check_shape(c, &shape)
          ? luna_onnx_from_ir(c, type, &shape,
                              luna_onnx_splat(c, type, &shape, value))
          : NULL;
  return n->outputs[0] != NULL;
}

// So many elements for each index that is valid.
static MlirValue count_times(LunaOnnxImport *c, const LunaValidLength *valid,
                             int64_t others) {
  return luna_onnx_index_to(
      c, luna_scalar_with(c->b, "arith.muli", valid->count, others),
      LUNA_ONNX_I64);
}

// A shape of which entry `at` is a valid length.
static LunaOnnxValue *valid_shape(LunaOnnxImport *c, const LunaOnnxValue *known,
                                  const LunaValidLength *valid, int at) {
  MlirValue sizes[LUNA_ONNX_MAX_RANK];
  int count = (int)known->shape.dims[0];
  for (int i = 0; i < count; ++i)
    sizes[i] = i == at ? count_times(c, valid, 1)
                       : luna_onnx_lit(c, LUNA_ONNX_I64,
                                       (double)luna_onnx_int_at(known, i));
  return luna_onnx_from_ir(
      c, LUNA_ONNX_I64, &known->shape,
      luna_build_op(c->b, "tensor.from_elements",
                    luna_onnx_tensor_type(c, LUNA_ONNX_I64, &known->shape),
                    count, sizes, 0, NULL));
}

bool luna_onnx_op_shape(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *shape = &n->inputs[0]->shape;
  int64_t start = luna_onnx_attr_int(n, "start", 0);
  int64_t end = luna_onnx_attr_int(n, "end", shape->rank);
  start = start < 0 ? start + shape->rank : start;
  end = end < 0 ? end + shape->rank : end;
  start = start < 0 ? 0 : start > shape->rank ? shape->rank : start;
  end = end > shape->rank ? shape->rank : end < start ? start : end;
  n->outputs[0] =
      luna_onnx_new_ints(c, shape->dims + start, (int)(end - start));
  const LunaValidLength *valid = n->inputs[0]->valid;
  if (valid && valid->axis >= start && valid->axis < end)
    n->outputs[0] =
        valid_shape(c, n->outputs[0], valid, valid->axis - (int)start);
  return true;
}

bool luna_onnx_op_size(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *from = &n->inputs[0]->shape;
  const LunaValidLength *valid = n->inputs[0]->valid;
  int64_t count = luna_onnx_elems(from);
  if (valid) {
    LunaShape scalar = {.rank = 0};
    MlirValue size = count_times(c, valid, count / from->dims[valid->axis]);
    n->outputs[0] = luna_onnx_from_ir(
        c, LUNA_ONNX_I64, &scalar, luna_build_from_scalar(c->b, size, &scalar));
    return true;
  }
  LunaOnnxValue *value = luna_onnx_new_ints(c, &count, 1);
  value->shape.rank = 0;
  n->outputs[0] = value;
  return true;
}

bool luna_onnx_op_range(LunaOnnxImport *c, LunaOnnxNode *n) {
  double start, limit, delta;
  LunaOnnxType type = n->inputs[0]->type;
  if (!luna_onnx_input_float(c, n, 0, 0, &start) ||
      !luna_onnx_input_float(c, n, 1, 0, &limit) ||
      !luna_onnx_input_float(c, n, 2, 1, &delta))
    return false;
  double steps = delta == 0 ? -1 : (limit - start) / delta;
  if (!(steps > 0) || steps > LUNA_ONNX_MAX_LIST)
    return luna_onnx_fail(c, "has no or too many steps");
  int64_t count = (int64_t)steps;
  count += (double)count < steps;
  uint8_t *data = luna_onnx_new_data(c, count, luna_onnx_type_bytes(type));
  for (int64_t i = 0; i < count; ++i)
    luna_onnx_set_float(type, data, i, start + (double)i * delta);
  LunaShape shape = luna_onnx_shape(1, &count);
  n->outputs[0] = luna_onnx_new_const(c, type, &shape, data);
  return true;
}

//===----------------------------------------------------------------------===//
// Repeating
//===----------------------------------------------------------------------===//

static LunaOnnxValue *broadcast_to(LunaOnnxImport *c, LunaOnnxValue *value,
                                   const LunaShape *shape) {
  MlirValue source = luna_onnx_ir(c, value);
  LunaGeneric generic = luna_generic(c->b, shape);
  MlirValue element = luna_generic_input(&generic, source);
  luna_generic_result(&generic, mlirValueGetType(element));
  return luna_onnx_from_ir(c, value->type, shape,
                           luna_generic_end(&generic, element));
}

bool luna_onnx_op_expand(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaShape shape;
  LunaOnnxValue *value = n->inputs[0];
  if (!read_shape(c, n, 1, &shape))
    return false;
  if (!luna_broadcast(&value->shape, &shape, &shape))
    return luna_onnx_fail(c, "input does not broadcast to the shape");
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  if (luna_onnx_same_shape(&shape, &value->shape))
    n->outputs[0] = value;
  else
    n->outputs[0] = broadcast_to(c, value, &shape);
  return true;
}

bool luna_onnx_op_tile(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  LunaShape shape = value->shape;
  int64_t repeats[LUNA_ONNX_MAX_RANK];
  int count = luna_onnx_input_ints(c, n, 1, repeats, LUNA_ONNX_MAX_RANK);
  if (count < 0 || count != shape.rank)
    return luna_onnx_fail(c, "needs one number of repeats per dimension");
  for (int i = 0; i < count; ++i) {
    if (repeats[i] <= 0 || repeats[i] > LUNA_ONNX_MAX_ELEMS)
      return luna_onnx_fail(c, "repeats a dimension %lld times",
                            (long long)repeats[i]);
    shape.dims[i] *= repeats[i];
  }
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  n->outputs[0] =
      luna_onnx_from_ir(c, value->type, &shape,
                        luna_build_tile(c->b, luna_onnx_ir(c, value), repeats));
  return true;
}
