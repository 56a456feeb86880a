// Slices that start where the model says while it runs. How much they take is
// known: both ends are one unknown plus constants, or the model declares it.
// The start is moved so that all of it lies in the dimension.

#include "onnx_slice.h"

typedef struct Cut {
  LunaOnnxValue *value, *start, *end;
  LunaShape shape;    // of the result
  LunaShape declared; // the same, as the model has it; no rank if it has none
  MlirValue at[LUNA_ONNX_MAX_RANK];
  int64_t steps[LUNA_ONNX_MAX_RANK];
} Cut;

// Builds entry `i` of a list as a place in a dimension: negative ones count
// from the end. It is clamped in its own type, as an index may be smaller.
static MlirValue build_place(LunaOnnxImport *c, LunaOnnxValue *list, int i,
                             int64_t size) {
  MlirValue at = luna_scalar_index(c->b, i), zero = luna_scalar_index(c->b, 0);
  MlirValue entry = luna_scalar_extract(c->b, luna_onnx_ir(c, list), &at);
  entry = luna_onnx_cast_index(c, luna_scalar_clamp(c->b, entry, -size, size),
                               list->type);
  return luna_scalar_select(
      c->b, luna_scalar_compare(c->b, LUNA_LT, entry, zero),
      luna_scalar_with(c->b, "arith.addi", entry, size), entry);
}

// How many elements are taken of dimension `d`; false after an error.
static bool find_count(LunaOnnxImport *c, const Cut *cut, int d,
                       int64_t *count) {
  if (cut->start->symbol && cut->start->symbol == cut->end->symbol)
    *count = (cut->end->symbol_offset - cut->start->symbol_offset +
              cut->steps[d] - 1) /
             cut->steps[d];
  else if (cut->declared.rank == cut->shape.rank)
    *count = cut->declared.dims[d];
  else
    return luna_onnx_fail(c, "starts and ends must be constant, or differ by a "
                             "constant, or give a declared shape");
  return true;
}

static bool cut_axis(LunaOnnxImport *c, Cut *cut, int i, int64_t axis,
                     int64_t step) {
  int d;
  int64_t count = 0;
  if (!luna_onnx_axis(c, axis, cut->shape.rank, &d))
    return false;
  int64_t size = cut->value->shape.dims[d];
  if (step < 1)
    return luna_onnx_fail(c, "step %lld from a computed start is not positive",
                          (long long)step);
  cut->steps[d] = step > size ? size : step;
  if (!find_count(c, cut, d, &count))
    return false;
  if (count < 1 || (count - 1) * cut->steps[d] >= size)
    return luna_onnx_fail(c, "takes %lld elements of a dimension of %lld",
                          (long long)count, (long long)size);
  cut->shape.dims[d] = count;
  cut->at[d] = luna_scalar_clamp(c->b, build_place(c, cut->start, i, size), 0,
                                 size - 1 - (count - 1) * cut->steps[d]);
  return true;
}

static bool is_list(const LunaOnnxValue *value, int64_t most) {
  return value &&
         (value->type == LUNA_ONNX_I32 || value->type == LUNA_ONNX_I64) &&
         value->shape.rank == 1 && value->shape.dims[0] > 0 &&
         value->shape.dims[0] <= most;
}

bool luna_onnx_slice_at(LunaOnnxImport *c, LunaOnnxNode *n) {
  Cut cut = {.value = n->inputs[0],
             .start = luna_onnx_input(n, 1),
             .end = luna_onnx_input(n, 2),
             .shape = n->inputs[0]->shape};
  int64_t axes[LUNA_ONNX_MAX_RANK], steps[LUNA_ONNX_MAX_RANK];
  int rank = cut.shape.rank;
  bool known = false;
  if (!is_list(cut.start, rank) || !is_list(cut.end, rank) ||
      !luna_onnx_check_shape(c, &cut.shape))
    return luna_onnx_fail(c,
                          "starts and ends must be lists of at most %d "
                          "int32 or int64",
                          rank);
  int count = (int)cut.start->shape.dims[0];
  int axis_count = luna_onnx_input_ints(c, n, 3, axes, LUNA_ONNX_MAX_RANK);
  int step_count = luna_onnx_input_ints(c, n, 4, steps, LUNA_ONNX_MAX_RANK);
  if (cut.end->shape.dims[0] != count ||
      (axis_count != -1 && axis_count != count) ||
      (step_count != -1 && step_count != count))
    return luna_onnx_fail(c, "starts, ends, axes and steps do not agree");
  if (!luna_onnx_declared_shape(c, n->proto->output[0], &cut.declared, &known))
    return false;
  cut.declared.rank = known ? cut.declared.rank : -1;
  for (int d = 0; d < rank; ++d) {
    cut.steps[d] = 1;
    cut.at[d] = luna_scalar_index(c->b, 0);
  }
  for (int i = 0; i < count; ++i)
    if (!cut_axis(c, &cut, i, axis_count == -1 ? i : axes[i],
                  step_count == -1 ? 1 : steps[i]))
      return false;
  MlirValue made = luna_build_slice_from(c->b, luna_onnx_ir(c, cut.value),
                                         cut.at, cut.shape.dims, cut.steps);
  n->outputs[0] = luna_onnx_from_ir(c, cut.value->type, &cut.shape, made);
  return true;
}
