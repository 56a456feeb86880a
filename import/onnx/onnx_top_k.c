// TopK: every element is ranked among its row by comparing it with all others,
// and those ranked first are put in place.

#include "onnx.h"

// The rank of each element among its row (ties to the lower index); elements
// of rank below k are then put in place.
static OnnxValue *ranks(OnnxImport *c, OnnxValue *value, bool largest) {
  // Loops over the row (axis 0), an element and the others: value is [R, S].
  OnnxShape shape = value->shape;
  MlirValue data = onnx_ir(c, value);
  OnnxLoop loop = {
      .loop_count = 3,
      .reduces = {false, false, true},
      .input_count = 2,
      .result_count = 1,
      .inputs = {data, data},
      .maps = {onnx_select_map(c, 3, (int[]){0, 1}, 2),
               onnx_select_map(c, 3, (int[]){0, 2}, 2)},
      .inits = {onnx_splat(c, ONNX_I64, &shape, 0)},
      .init_maps = {onnx_select_map(c, 3, (int[]){0, 1}, 2)},
  };
  onnx_loop_begin(c, &loop);
  MlirValue index[2];
  for (int i = 0; i < 2; ++i) {
    OnnxAttr dim = {"dim", onnx_i64_attr(c, i + 1)};
    index[i] =
        onnx_emit(c, "linalg.index", onnx_index_type(c), NULL, 0, &dim, 1);
  }
  MlirValue better = onnx_compare(c, value->type, largest ? ONNX_GT : ONNX_LT,
                                  loop.args[1], loop.args[0]);
  MlirValue equal =
      onnx_compare(c, value->type, ONNX_EQ, loop.args[1], loop.args[0]);
  MlirValue earlier = onnx_compare_index(c, ONNX_LT, index[1], index[0]);
  MlirValue ahead =
      onnx_s2(c, "arith.ori", better, onnx_s2(c, "arith.andi", equal, earlier));
  MlirValue sum = onnx_add(c, ONNX_I64, loop.args[2],
                           onnx_cast(c, ahead, ONNX_BOOL, ONNX_I64));
  MlirOperation op = onnx_loop_end(c, &loop, &sum);
  return onnx_from_ir(c, ONNX_I64, &shape, mlirOperationGetResult(op, 0));
}

// out[r, k] = the element (or its index) whose rank is k: a sum with one term.
static OnnxValue *pick_ranked(OnnxImport *c, OnnxValue *value, OnnxValue *rank,
                              int64_t k, bool indices) {
  OnnxType type = indices ? ONNX_I64 : value->type;
  OnnxShape out = onnx_shape(2, (int64_t[]){value->shape.dims[0], k});
  MlirAffineMap row = onnx_select_map(c, 3, (int[]){0, 2}, 2);
  OnnxLoop loop = {
      .loop_count = 3,
      .reduces = {false, false, true},
      .input_count = 2,
      .result_count = 1,
      .inputs = {onnx_ir(c, value), onnx_ir(c, rank)},
      .maps = {row, row},
      .inits = {onnx_splat(c, type, &out, 0)},
      .init_maps = {onnx_select_map(c, 3, (int[]){0, 1}, 2)},
  };
  onnx_loop_begin(c, &loop);
  OnnxAttr dim = {"dim", onnx_i64_attr(c, 1)},
           at = {"dim", onnx_i64_attr(c, 2)};
  MlirValue wanted =
      onnx_emit(c, "linalg.index", onnx_index_type(c), NULL, 0, &dim, 1);
  MlirValue position =
      onnx_emit(c, "linalg.index", onnx_index_type(c), NULL, 0, &at, 1);
  MlirValue hit = onnx_compare(c, ONNX_I64, ONNX_EQ, loop.args[1],
                               onnx_index_to(c, wanted, ONNX_I64));
  MlirValue found =
      indices ? onnx_index_to(c, position, ONNX_I64) : loop.args[0];
  MlirValue made = onnx_select(c, hit, found, loop.args[2]);
  MlirOperation op = onnx_loop_end(c, &loop, &made);
  return onnx_from_ir(c, type, &out, mlirOperationGetResult(op, 0));
}

ONNX_HANDLER(top_k) {
  OnnxValue *value = n->inputs[0];
  int64_t k = onnx_attr_int(n, "k", 0);
  int axis, rank = value->shape.rank, perm[ONNX_MAX_RANK];
  if (n->input_count > 1 && onnx_input_ints(c, n, 1, &k, 1) != 1)
    return onnx_fail(c, "k must be one constant number");
  if (!onnx_axis(c, onnx_attr_int(n, "axis", -1), rank, &axis))
    return false;
  if (k < 1 || k > value->shape.dims[axis] || value->type == ONNX_BOOL)
    return onnx_fail(c, "k is %lld, 1 to %lld are possible", (long long)k,
                     (long long)value->shape.dims[axis]);
  for (int i = 0; i < rank; ++i)
    perm[i] = i;
  perm[axis] = rank - 1;
  perm[rank - 1] = axis;
  OnnxValue *moved = onnx_permute(c, value, perm);
  OnnxShape last = moved->shape, out = last;
  int64_t size = last.dims[rank - 1];
  OnnxShape flat = onnx_shape(2, (int64_t[]){onnx_elems(&last) / size, size});
  moved = onnx_reshape_value(c, moved, &flat);
  out.dims[rank - 1] = k;
  OnnxValue *order = ranks(c, moved, onnx_attr_int(n, "largest", 1) != 0);
  for (int i = 0; i < n->output_count && i < 2; ++i) {
    OnnxValue *made = pick_ranked(c, moved, order, k, i == 1);
    n->outputs[i] = onnx_permute(c, onnx_reshape_value(c, made, &out), perm);
  }
  return true;
}
