// TopK: every element is ranked among its row by comparing it with all others,
// and those ranked first are put in place.

#include "onnx.h"

// The rank of each element among its row (ties to the lower index); elements
// of rank below k are then put in place.
static LunaOnnxValue *ranks(LunaOnnxImport *c, LunaOnnxValue *value,
                            bool largest) {
  // Loops over the row (axis 0), an element and the others: value is [R, S].
  MlirValue data = luna_onnx_ir(c, value);
  MlirValue start = luna_onnx_splat(c, LUNA_ONNX_I64, &value->shape, 0);
  LunaGeneric generic = luna_generic(c->b, &(LunaShape){.rank = 3});
  MlirValue element = luna_generic_input_at(&generic, data, (int[]){0, 1});
  MlirValue other = luna_generic_input_at(&generic, data, (int[]){0, 2});
  MlirValue rank = luna_generic_update(&generic, start);
  MlirValue index = luna_generic_index(&generic, 1);
  MlirValue other_index = luna_generic_index(&generic, 2);
  MlirValue better = luna_onnx_compare(
      c, value->type, largest ? LUNA_GT : LUNA_LT, other, element);
  MlirValue equal = luna_scalar_compare(c->b, LUNA_EQ, other, element);
  MlirValue earlier = luna_scalar_compare(c->b, LUNA_LT, other_index, index);
  MlirValue ahead =
      luna_scalar(c->b, "arith.ori", better,
                  luna_scalar(c->b, "arith.andi", equal, earlier));
  rank = luna_scalar_add(
      c->b, rank, luna_onnx_cast(c, ahead, LUNA_ONNX_BOOL, LUNA_ONNX_I64));
  return luna_onnx_from_ir(c, LUNA_ONNX_I64, &value->shape,
                           luna_generic_end(&generic, rank));
}

// out[r, k] = the element (or its index) whose rank is k: a sum with one term.
static LunaOnnxValue *pick_ranked(LunaOnnxImport *c, LunaOnnxValue *value,
                                  LunaOnnxValue *rank, int64_t k,
                                  bool indices) {
  LunaOnnxType type = indices ? LUNA_ONNX_I64 : value->type;
  LunaShape out = {2, {value->shape.dims[0], k}};
  MlirValue data = luna_onnx_ir(c, value), ranks_of = luna_onnx_ir(c, rank);
  MlirValue start = luna_onnx_splat(c, type, &out, 0);
  LunaGeneric generic = luna_generic(c->b, &(LunaShape){.rank = 3});
  MlirValue element = luna_generic_input_at(&generic, data, (int[]){0, 2});
  MlirValue its_rank = luna_generic_input_at(&generic, ranks_of, (int[]){0, 2});
  MlirValue old = luna_generic_update(&generic, start);
  MlirValue wanted = luna_generic_index(&generic, 1);
  MlirValue position = luna_generic_index(&generic, 2);
  MlirValue hit = luna_scalar_compare(
      c->b, LUNA_EQ, its_rank, luna_onnx_index_to(c, wanted, LUNA_ONNX_I64));
  MlirValue found =
      indices ? luna_onnx_index_to(c, position, LUNA_ONNX_I64) : element;
  MlirValue made = luna_scalar_select(c->b, hit, found, old);
  return luna_onnx_from_ir(c, type, &out, luna_generic_end(&generic, made));
}

bool luna_onnx_op_top_k(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int64_t k = luna_onnx_attr_int(n, "k", 0);
  int axis, rank = value->shape.rank, perm[LUNA_ONNX_MAX_RANK];
  if (n->input_count > 1 && luna_onnx_input_ints(c, n, 1, &k, 1) != 1)
    return luna_onnx_fail(c, "k must be one constant number");
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", -1), rank, &axis))
    return false;
  if (k < 1 || k > value->shape.dims[axis] || value->type == LUNA_ONNX_BOOL)
    return luna_onnx_fail(c, "k is %lld, 1 to %lld are possible", (long long)k,
                          (long long)value->shape.dims[axis]);
  for (int i = 0; i < rank; ++i)
    perm[i] = i;
  perm[axis] = rank - 1;
  perm[rank - 1] = axis;
  LunaOnnxValue *moved = luna_onnx_permute(c, value, perm);
  LunaShape last = moved->shape, out = last;
  int64_t size = last.dims[rank - 1];
  LunaShape flat = {2, {luna_onnx_elems(&last) / size, size}};
  moved = luna_onnx_reshape_value(c, moved, &flat);
  out.dims[rank - 1] = k;
  LunaOnnxValue *order =
      ranks(c, moved, luna_onnx_attr_int(n, "largest", 1) != 0);
  for (int i = 0; i < n->output_count && i < 2; ++i) {
    LunaOnnxValue *made = pick_ranked(c, moved, order, k, i == 1);
    n->outputs[i] =
        luna_onnx_permute(c, luna_onnx_reshape_value(c, made, &out), perm);
  }
  return true;
}
