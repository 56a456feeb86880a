#include "tflite_generic.h"
#include "tflite_ops.h"

// Operators that pick or place slices by index: GATHER, GATHER_ND,
// EMBEDDING_LOOKUP, DYNAMIC_UPDATE_SLICE. A constant index is checked here, one
// that the model computes is kept in range when it runs.

enum { CODE_EMBEDDING = 7 };

// Elements of `data` at indices: dimensions before `axis`, of them `batch`
// shared with the indices, those of the indices, and those behind the axis.
typedef struct Picking {
  const LunaTfliteTensor *index_tensor;
  MlirValue data, indices;
  int64_t axis, batch, depth; ///< `depth` indices make one place
} Picking;

static bool check_constant_indices(LunaTfliteNode *node, const Picking *pick,
                                   int64_t position) {
  const LunaTfliteTensor *tensor = pick->index_tensor;
  if (tensor->type != LUNA_TFLITE_I32)
    return luna_node_fail(node, "indices '%s' are %s, must be int32",
                          tensor->name, luna_tflite_type_name(tensor->type));
  if (!tensor->data)
    return true;
  int64_t count = 0;
  int64_t *values =
      LUNA_ARENA_ARRAY(node->arena, int64_t, tensor->element_count);
  if (!luna_node_ints(node, position, values, tensor->element_count, &count))
    return false;
  for (int64_t i = 0; i < count; ++i) {
    int64_t extent = luna_tosa_extent(pick->data, pick->axis + i % pick->depth);
    if (values[i] < 0 || values[i] >= extent)
      return luna_node_fail(node,
                            "index %lld is outside of a dimension of %lld",
                            (long long)values[i], (long long)extent);
  }
  return true;
}

static MlirValue extract(LunaTosaBuilder *builder, MlirValue tensor,
                         const MlirValue *at) {
  MlirValue operands[1 + LUNA_TOSA_MAX_RANK] = {tensor};
  int64_t rank = luna_tosa_rank_of(tensor);
  for (int64_t d = 0; d < rank; ++d)
    operands[1 + d] = at[d];
  return luna_tosa_op(builder, "tensor.extract", luna_tosa_element(tensor),
                      1 + (intptr_t)rank, operands, 0, NULL);
}

static MlirValue index_of(LunaTosaBuilder *builder, int64_t value) {
  return luna_scalar_int(builder, builder->index, value);
}

// Reads an index and keeps it in a dimension.
static MlirValue read_index(LunaTosaBuilder *builder, MlirValue indices,
                            const MlirValue *at, int64_t extent) {
  MlirValue index =
      luna_scalar_to(builder, "arith.index_cast", extract(builder, indices, at),
                     builder->index);
  index = luna_scalar(builder, "arith.maxsi", index, index_of(builder, 0));
  return luna_scalar(builder, "arith.minsi", index,
                     index_of(builder, extent - 1));
}

// One loop per dimension of the result: data[:axis], indices[batch:] (without
// the dimension of `depth`), data[axis + depth:].
static bool pick(LunaTfliteNode *node, const Picking *pick, bool has_depth) {
  LunaTosaBuilder *builder = node->builder;
  int64_t rank = luna_tosa_rank_of(pick->data), loops = 0;
  int64_t index_rank = luna_tosa_rank_of(pick->indices) - (has_depth ? 1 : 0);
  int64_t shape[2 * LUNA_TOSA_MAX_RANK];
  for (int64_t d = 0; d < pick->axis; ++d)
    shape[loops++] = luna_tosa_extent(pick->data, d);
  for (int64_t d = pick->batch; d < index_rank; ++d)
    shape[loops++] = luna_tosa_extent(pick->indices, d);
  int64_t behind = loops;
  for (int64_t d = pick->axis + pick->depth; d < rank; ++d)
    shape[loops++] = luna_tosa_extent(pick->data, d);
  if (loops > LUNA_TOSA_MAX_RANK)
    return luna_node_fail(node, "gives more than %d dimensions",
                          LUNA_TOSA_MAX_RANK);
  LunaGeneric generic = luna_generic(builder, loops, shape);
  luna_generic_result(&generic, luna_tosa_element(pick->data));
  MlirValue loop[LUNA_TOSA_MAX_RANK], at[LUNA_TOSA_MAX_RANK];
  MlirValue from[LUNA_TOSA_MAX_RANK + 1];
  for (int64_t d = 0; d < loops; ++d)
    loop[d] = luna_generic_index(&generic, d);
  for (int64_t d = 0; d < index_rank; ++d)
    at[d] = loop[d < pick->batch ? d : pick->axis + d - pick->batch];
  for (int64_t d = 0; d < pick->axis; ++d)
    from[d] = loop[d];
  for (int64_t i = 0; i < pick->depth; ++i) {
    if (has_depth)
      at[index_rank] = index_of(builder, i);
    from[pick->axis + i] =
        read_index(builder, pick->indices, at,
                   luna_tosa_extent(pick->data, pick->axis + i));
  }
  for (int64_t d = pick->axis + pick->depth; d < rank; ++d)
    from[d] = loop[behind + d - pick->axis - pick->depth];
  return luna_node_set(
      node, 0, luna_generic_end(&generic, extract(builder, pick->data, from)));
}

static bool need_same_scale(LunaTfliteNode *node, int64_t data) {
  const LunaTfliteTensor *input = luna_node_input(node, data);
  LunaTfliteScale in, out;
  if (!luna_tfl_is_quantized(input))
    return true;
  if (!luna_node_scale(node, input, &in) ||
      !luna_node_scale(node, luna_node_output(node, 0), &out))
    return false;
  if (in.scale == out.scale && in.zero_point == out.zero_point)
    return true;
  return luna_node_fail(node, "input and output must have the same scale and "
                              "zero point");
}

bool luna_tfl_gather(LunaTfliteNode *node) {
  enum { AXIS = 0, BATCH = 1 };
  bool is_embedding = node->op->code == CODE_EMBEDDING;
  int64_t data = is_embedding ? 1 : 0, indices = is_embedding ? 0 : 1;
  Picking picking = {.depth = 1,
                     .index_tensor = luna_node_input(node, indices)};
  if (!luna_node_value(node, data, &picking.data) ||
      !luna_node_value(node, indices, &picking.indices) ||
      !need_same_scale(node, data))
    return false;
  int64_t rank = luna_tosa_rank_of(picking.data);
  int64_t index_rank = luna_tosa_rank_of(picking.indices);
  if (!is_embedding) {
    picking.batch = luna_node_option_i32(node, BATCH, 0);
    picking.batch += picking.batch < 0 ? index_rank : 0;
  }
  int64_t axis = is_embedding ? 0 : luna_node_option_i32(node, AXIS, 0);
  if (!luna_node_axis(node, axis, rank, &picking.axis))
    return false;
  bool fits = picking.batch >= 0 && picking.batch <= index_rank &&
              picking.batch <= picking.axis;
  for (int64_t d = 0; fits && d < picking.batch; ++d)
    fits = luna_tosa_extent(picking.data, d) ==
           luna_tosa_extent(picking.indices, d);
  if (!fits)
    return luna_node_fail(node,
                          "its %lld dimensions of batches do not go "
                          "with data and indices",
                          (long long)picking.batch);
  return check_constant_indices(node, &picking, indices) &&
         pick(node, &picking, false);
}

bool luna_tfl_gather_nd(LunaTfliteNode *node) {
  Picking picking = {.index_tensor = luna_node_input(node, 1)};
  if (!luna_node_value(node, 0, &picking.data) ||
      !luna_node_value(node, 1, &picking.indices) || !need_same_scale(node, 0))
    return false;
  int64_t index_rank = luna_tosa_rank_of(picking.indices);
  picking.depth =
      index_rank < 1 ? 0 : luna_tosa_extent(picking.indices, index_rank - 1);
  if (picking.depth < 1 || picking.depth > luna_tosa_rank_of(picking.data))
    return luna_node_fail(node,
                          "places of %lld indices do not go with %lld "
                          "dimensions",
                          (long long)picking.depth,
                          (long long)luna_tosa_rank_of(picking.data));
  return check_constant_indices(node, &picking, 1) &&
         pick(node, &picking, true);
}

//===----------------------------------------------------------------------===//
// DYNAMIC_UPDATE_SLICE
//===----------------------------------------------------------------------===//

// Every element of the result is one of the update if it lies in it: the start
// is moved so that the whole update fits.
bool luna_tfl_update_slice(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  MlirValue data, update, start, is_inside, from[LUNA_TOSA_MAX_RANK];
  int64_t shape[LUNA_TOSA_MAX_RANK], size[LUNA_TOSA_MAX_RANK];
  if (!luna_node_value(node, 0, &data) || !luna_node_value(node, 1, &update) ||
      !luna_node_value(node, 2, &start) || !need_same_scale(node, 0))
    return false;
  int64_t rank = luna_tosa_shape_of(data, shape);
  bool fits = luna_tosa_shape_of(update, size) == rank && rank > 0 &&
              luna_tosa_rank_of(start) == 1 &&
              luna_tosa_extent(start, 0) == rank &&
              mlirTypeEqual(luna_tosa_element(start), builder->i32) &&
              mlirTypeEqual(luna_tosa_element(update), luna_tosa_element(data));
  for (int64_t d = 0; fits && d < rank; ++d)
    fits = size[d] <= shape[d];
  if (!fits)
    return luna_node_fail(node, "data, update and start do not go together");
  LunaGeneric generic = luna_generic(builder, rank, shape);
  MlirValue old = luna_generic_input(&generic, data);
  luna_generic_result(&generic, luna_tosa_element(data));
  for (int64_t d = 0; d < rank; ++d) {
    MlirValue at = index_of(builder, d);
    MlirValue first = read_index(builder, start, &at, shape[d] - size[d] + 1);
    MlirValue offset = luna_scalar(builder, "arith.subi",
                                   luna_generic_index(&generic, d), first);
    MlirValue inside = luna_scalar(
        builder, "arith.andi",
        luna_scalar_compare(builder, LUNA_GE, offset, index_of(builder, 0)),
        luna_scalar_compare(builder, LUNA_LT, offset,
                            index_of(builder, size[d])));
    is_inside =
        d == 0 ? inside : luna_scalar(builder, "arith.andi", is_inside, inside);
    offset = luna_scalar(builder, "arith.maxsi", offset, index_of(builder, 0));
    from[d] = luna_scalar(builder, "arith.minsi", offset,
                          index_of(builder, size[d] - 1));
  }
  return luna_node_set(
      node, 0,
      luna_generic_end(
          &generic, luna_scalar_select(builder, is_inside,
                                       extract(builder, update, from), old)));
}
