// Operators that change shapes, elements untouched.

#include "onnx.h"

LunaOnnxValue *luna_onnx_reshape_value(LunaOnnxImport *c, LunaOnnxValue *value,
                                       const LunaShape *shape) {
  if (luna_onnx_elems(&value->shape) != luna_onnx_elems(shape)) {
    luna_onnx_fail(c, "%lld elements cannot take a shape of %lld",
                   (long long)luna_onnx_elems(&value->shape),
                   (long long)luna_onnx_elems(shape));
    return NULL;
  }
  if (value->data) {
    LunaOnnxValue *made =
        luna_onnx_new_const(c, value->type, shape, value->data);
    return made;
  }
  if (luna_onnx_same_shape(&value->shape, shape))
    return value;
  LunaOnnxValue *made = luna_onnx_from_ir(
      c, value->type, shape,
      luna_build_reshape(c->b, luna_onnx_ir(c, value), shape));
  made->symbol = value->symbol;
  made->symbol_offset = value->symbol_offset;
  // One unknown integer: from here on it has a name.
  if (!made->symbol && luna_onnx_is_int(value->type) &&
      luna_onnx_elems(shape) == 1) {
    value->symbol = made->symbol = value;
    value->symbol_offset = made->symbol_offset = 0;
  }
  return made;
}

bool luna_onnx_op_reshape(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaShape shape;
  int64_t dims[LUNA_ONNX_MAX_RANK];
  const LunaShape *from = &n->inputs[0]->shape;
  int rank = luna_onnx_ints(c, n, 1, "shape", dims, LUNA_ONNX_MAX_RANK);
  if (rank < 0)
    return luna_onnx_fail(c, "has no shape");
  shape = luna_onnx_shape(rank, dims);
  int64_t known = 1;
  int open = -1;
  for (int i = 0; i < rank; ++i) {
    if (dims[i] == 0 && !luna_onnx_attr_int(n, "allowzero", 0)) {
      if (i >= from->rank)
        return luna_onnx_fail(c, "shape takes dimension %d, the input has %d",
                              i, from->rank);
      shape.dims[i] = from->dims[i];
    }
    if (dims[i] == -1 && open >= 0)
      return luna_onnx_fail(c, "shape leaves two dimensions open");
    if (dims[i] == -1) {
      open = i;
      continue;
    }
    if (shape.dims[i] <= 0 || shape.dims[i] > LUNA_ONNX_MAX_ELEMS ||
        (known *= shape.dims[i]) > LUNA_ONNX_MAX_ELEMS)
      return luna_onnx_fail(c, "shape has a dimension of %lld",
                            (long long)shape.dims[i]);
  }
  if (open >= 0)
    shape.dims[open] = luna_onnx_elems(from) / known;
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  n->outputs[0] = luna_onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

bool luna_onnx_op_flatten(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *from = &n->inputs[0]->shape;
  int64_t axis = luna_onnx_attr_int(n, "axis", 1);
  axis = axis < 0 ? axis + from->rank : axis;
  if (axis < 0 || axis > from->rank)
    return luna_onnx_fail(c, "axis is outside of %d dimensions", from->rank);
  LunaShape shape = {2, {1, 1}};
  for (int i = 0; i < from->rank; ++i)
    shape.dims[i < axis ? 0 : 1] *= from->dims[i];
  n->outputs[0] = luna_onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

bool luna_onnx_op_squeeze(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *from = &n->inputs[0]->shape;
  int64_t axes[LUNA_ONNX_MAX_RANK];
  int count = luna_onnx_ints(c, n, 1, "axes", axes, LUNA_ONNX_MAX_RANK);
  bool drop[LUNA_ONNX_MAX_RANK] = {false};
  if (count == -2)
    return false;
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!luna_onnx_axis(c, axes[i], from->rank, &axis))
      return false;
    if (from->dims[axis] != 1)
      return luna_onnx_fail(c,
                            "dimension %d has size %lld, only 1 can be dropped",
                            axis, (long long)from->dims[axis]);
    drop[axis] = true;
  }
  LunaShape shape = {.rank = 0};
  for (int i = 0; i < from->rank; ++i)
    if (count == -1 ? from->dims[i] != 1 : !drop[i])
      shape.dims[shape.rank++] = from->dims[i];
  n->outputs[0] = luna_onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

bool luna_onnx_op_unsqueeze(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *from = &n->inputs[0]->shape;
  int64_t axes[LUNA_ONNX_MAX_RANK];
  int count = luna_onnx_ints(c, n, 1, "axes", axes, LUNA_ONNX_MAX_RANK);
  bool is_new[LUNA_ONNX_MAX_RANK] = {false};
  if (count < 0)
    return luna_onnx_fail(c, "has no axes");
  int rank = from->rank + count, at = 0;
  if (rank > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c,
                          "result has %d dimensions, at most %d are supported",
                          rank, LUNA_ONNX_MAX_RANK);
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!luna_onnx_axis(c, axes[i], rank, &axis))
      return false;
    if (is_new[axis])
      return luna_onnx_fail(c, "axis %d is given twice", axis);
    is_new[axis] = true;
  }
  LunaShape shape = luna_onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = is_new[i] ? 1 : from->dims[at++];
  n->outputs[0] = luna_onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

bool luna_onnx_op_transpose(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int rank = value->shape.rank, perm[LUNA_ONNX_MAX_RANK];
  int64_t list[LUNA_ONNX_MAX_RANK];
  int count = luna_onnx_attr_ints(c, n, "perm", list, LUNA_ONNX_MAX_RANK);
  unsigned seen = 0;
  if (count != -1 && count != rank)
    return luna_onnx_fail(c, "perm has %d entries, the input %d dimensions",
                          count, rank);
  for (int i = 0; i < rank; ++i) {
    int64_t at = count == -1 ? rank - 1 - i : list[i];
    if (at < 0 || at >= rank || (seen >> at & 1))
      return luna_onnx_fail(c, "perm is not a permutation");
    seen |= 1u << at;
    perm[i] = (int)at;
  }
  // A transpose to or from channels last only changes the point of view.
  bool to_last = rank >= 3 && perm[0] == 0 && perm[rank - 1] == 1;
  bool from_last = rank >= 3 && perm[0] == 0 && perm[1] == rank - 1;
  for (int i = 1; i < rank; ++i) {
    to_last = to_last && (i + 1 == rank || perm[i] == i + 1);
    from_last = from_last && (i == 1 || perm[i] == i - 1);
  }
  LunaShape shape = luna_onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = value->shape.dims[perm[i]];
  if (to_last && !mlirValueIsNull(value->last)) {
    n->outputs[0] = luna_onnx_from_ir(c, value->type, &shape, value->last);
  } else if (from_last && !mlirValueIsNull(value->ir)) {
    n->outputs[0] = luna_onnx_from_last(c, value->type, &shape, value->ir);
  } else {
    MlirValue ir = luna_build_transpose(c->b, luna_onnx_ir(c, value), perm);
    n->outputs[0] = luna_onnx_from_ir(c, value->type, &shape, ir);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// DepthToSpace, SpaceToDepth
//===----------------------------------------------------------------------===//

static bool read_block(LunaOnnxImport *c, const LunaOnnxNode *n,
                       int64_t *block) {
  *block = luna_onnx_attr_int(n, "blocksize", 0);
  return (n->inputs[0]->shape.rank == 4 && *block >= 1 && *block <= 1024) ||
         luna_onnx_fail(c, "needs 4 dimensions and a block size of 1 to 1024");
}

static bool shuffle(LunaOnnxImport *c, LunaOnnxNode *n, const LunaShape *split,
                    const int *perm, const LunaShape *out) {
  LunaOnnxValue *value = luna_onnx_reshape_value(c, n->inputs[0], split);
  if (!value || !luna_onnx_check_shape(c, out))
    return false;
  n->outputs[0] =
      luna_onnx_reshape_value(c, luna_onnx_permute(c, value, perm), out);
  return n->outputs[0] != NULL;
}

bool luna_onnx_op_depth_to_space(LunaOnnxImport *c, LunaOnnxNode *n) {
  static const int dcr[6] = {0, 3, 4, 1, 5, 2}, crd[6] = {0, 1, 4, 2, 5, 3};
  int64_t b;
  const int64_t *d = n->inputs[0]->shape.dims;
  if (!read_block(c, n, &b))
    return false;
  bool first = luna_onnx_attr_is(n, "mode", "DCR", "DCR");
  int64_t depth = d[1] / (b * b);
  LunaShape split = first ? (LunaShape){6, {d[0], b, b, depth, d[2], d[3]}}
                          : (LunaShape){6, {d[0], depth, b, b, d[2], d[3]}};
  LunaShape out = {4, {d[0], depth, d[2] * b, d[3] * b}};
  return shuffle(c, n, &split, first ? dcr : crd, &out);
}

bool luna_onnx_op_space_to_depth(LunaOnnxImport *c, LunaOnnxNode *n) {
  static const int perm[6] = {0, 3, 5, 1, 2, 4};
  int64_t b;
  const int64_t *d = n->inputs[0]->shape.dims;
  if (!read_block(c, n, &b))
    return false;
  LunaShape split = (LunaShape){6, {d[0], d[1], d[2] / b, b, d[3] / b, b}};
  LunaShape out = (LunaShape){4, {d[0], d[1] * b * b, d[2] / b, d[3] / b}};
  return shuffle(c, n, &split, perm, &out);
}
