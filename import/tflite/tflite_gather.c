#include "tflite_ops.h"
#include "tflite_scalar.h"

// Operators that pick or place slices by index: GATHER, GATHER_ND,
// EMBEDDING_LOOKUP, DYNAMIC_UPDATE_SLICE. A constant index is checked here, one
// that the model computes is kept in range when it runs.

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
    return luna_tflite_fail(node, "indices '%s' are %s, must be int32",
                            tensor->name, luna_tflite_type_name(tensor->type));
  if (!tensor->data)
    return true;
  int64_t count = 0;
  int64_t *values =
      LUNA_ARENA_ARRAY(node->arena, int64_t, tensor->element_count);
  if (!luna_tflite_ints(node, position, values, tensor->element_count, &count))
    return false;
  for (int64_t i = 0; i < count; ++i) {
    int64_t extent = luna_extent(pick->data, pick->axis + i % pick->depth);
    if (values[i] < 0 || values[i] >= extent)
      return luna_tflite_fail(node,
                              "index %lld is outside of a dimension of %lld",
                              (long long)values[i], (long long)extent);
  }
  return true;
}

// Reads an index and keeps it in a dimension.
static MlirValue read_index(LunaBuilder *b, MlirValue indices,
                            const MlirValue *at, int64_t extent) {
  MlirValue index = luna_scalar_to(
      b, "arith.index_cast", luna_scalar_extract(b, indices, at), b->index);
  index = luna_scalar_with(b, "arith.maxsi", index, 0);
  return luna_scalar_with(b, "arith.minsi", index, extent - 1);
}

// One loop per dimension of the result: data[:axis], indices[batch:] (without
// the dimension of `depth`), data[axis + depth:].
static bool pick(LunaTfliteNode *node, const Picking *pick, bool has_depth) {
  LunaBuilder *b = node->builder;
  int64_t rank = luna_rank_of(pick->data);
  int64_t index_rank = luna_rank_of(pick->indices) - (has_depth ? 1 : 0);
  LunaShape loops = {0, {0}};
  for (int64_t d = 0; d < pick->axis; ++d)
    loops.dims[loops.rank++] = luna_extent(pick->data, d);
  for (int64_t d = pick->batch; d < index_rank; ++d)
    loops.dims[loops.rank++] = luna_extent(pick->indices, d);
  int64_t behind = loops.rank;
  for (int64_t d = pick->axis + pick->depth; d < rank; ++d)
    loops.dims[loops.rank++] = luna_extent(pick->data, d);
  if (loops.rank > LUNA_TFLITE_MAX_RANK)
    return luna_tflite_fail(node, "gives more than %d dimensions",
                            LUNA_TFLITE_MAX_RANK);
  LunaGeneric generic = luna_generic(b, &loops);
  luna_generic_result(&generic, luna_element_of(pick->data));
  MlirValue loop[LUNA_TFLITE_MAX_RANK], at[LUNA_TFLITE_MAX_RANK];
  MlirValue from[LUNA_TFLITE_MAX_RANK + 1];
  for (int64_t d = 0; d < loops.rank; ++d)
    loop[d] = luna_generic_index(&generic, d);
  for (int64_t d = 0; d < index_rank; ++d)
    at[d] = loop[d < pick->batch ? d : pick->axis + d - pick->batch];
  for (int64_t d = 0; d < pick->axis; ++d)
    from[d] = loop[d];
  for (int64_t i = 0; i < pick->depth; ++i) {
    if (has_depth)
      at[index_rank] = luna_scalar_index(b, i);
    from[pick->axis + i] = read_index(b, pick->indices, at,
                                      luna_extent(pick->data, pick->axis + i));
  }
  for (int64_t d = pick->axis + pick->depth; d < rank; ++d)
    from[d] = loop[behind + d - pick->axis - pick->depth];
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic, luna_scalar_extract(b, pick->data, from)));
}

bool luna_tflite_op_gather(LunaTfliteNode *node) {
  enum { AXIS = 0, BATCH = 1 };
  bool is_embedding = node->op->code == LUNA_TFLITE_OP_EMBEDDING_LOOKUP;
  int64_t data = is_embedding ? 1 : 0, indices = is_embedding ? 0 : 1;
  Picking picking = {.depth = 1,
                     .index_tensor = luna_tflite_input(node, indices)};
  if (!luna_tflite_value(node, data, &picking.data) ||
      !luna_tflite_value(node, indices, &picking.indices) ||
      !luna_tflite_need_same_scale(node, data))
    return false;
  int64_t rank = luna_rank_of(picking.data);
  int64_t index_rank = luna_rank_of(picking.indices);
  if (!is_embedding) {
    picking.batch = luna_tflite_option_i32(node, BATCH, 0);
    picking.batch += picking.batch < 0 ? index_rank : 0;
  }
  int64_t axis = is_embedding ? 0 : luna_tflite_option_i32(node, AXIS, 0);
  if (!luna_tflite_axis(node, axis, rank, &picking.axis))
    return false;
  bool fits = picking.batch >= 0 && picking.batch <= index_rank &&
              picking.batch <= picking.axis;
  for (int64_t d = 0; fits && d < picking.batch; ++d)
    fits = luna_extent(picking.data, d) == luna_extent(picking.indices, d);
  if (!fits)
    return luna_tflite_fail(node,
                            "its %lld dimensions of batches do not go "
                            "with data and indices",
                            (long long)picking.batch);
  return check_constant_indices(node, &picking, indices) &&
         pick(node, &picking, false);
}

bool luna_tflite_op_gather_nd(LunaTfliteNode *node) {
  Picking picking = {.index_tensor = luna_tflite_input(node, 1)};
  if (!luna_tflite_value(node, 0, &picking.data) ||
      !luna_tflite_value(node, 1, &picking.indices) ||
      !luna_tflite_need_same_scale(node, 0))
    return false;
  int64_t index_rank = luna_rank_of(picking.indices);
  picking.depth =
      index_rank < 1 ? 0 : luna_extent(picking.indices, index_rank - 1);
  if (picking.depth < 1 || picking.depth > luna_rank_of(picking.data))
    return luna_tflite_fail(node,
                            "places of %lld indices do not go with %lld "
                            "dimensions",
                            (long long)picking.depth,
                            (long long)luna_rank_of(picking.data));
  return check_constant_indices(node, &picking, 1) &&
         pick(node, &picking, true);
}

//===----------------------------------------------------------------------===//
// DYNAMIC_UPDATE_SLICE
//===----------------------------------------------------------------------===//

// Every element of the result is one of the update if it lies in it: the start
// is moved so that the whole update fits.
bool luna_tflite_op_update_slice(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  MlirValue data, update, start, is_inside, from[LUNA_TFLITE_MAX_RANK];
  if (!luna_tflite_value(node, 0, &data) ||
      !luna_tflite_value(node, 1, &update) ||
      !luna_tflite_value(node, 2, &start) ||
      !luna_tflite_need_same_scale(node, 0))
    return false;
  LunaShape shape = luna_shape_of(data), size = luna_shape_of(update);
  bool fits = size.rank == shape.rank && shape.rank > 0 &&
              luna_rank_of(start) == 1 && luna_extent(start, 0) == shape.rank &&
              mlirTypeEqual(luna_element_of(start), b->i32) &&
              mlirTypeEqual(luna_element_of(update), luna_element_of(data));
  for (int d = 0; fits && d < shape.rank; ++d)
    fits = size.dims[d] <= shape.dims[d];
  if (!fits)
    return luna_tflite_fail(node, "data, update and start do not go together");
  LunaGeneric generic = luna_generic(b, &shape);
  MlirValue old = luna_generic_input(&generic, data);
  luna_generic_result(&generic, luna_element_of(data));
  for (int d = 0; d < shape.rank; ++d) {
    MlirValue at = luna_scalar_index(b, d);
    MlirValue first =
        read_index(b, start, &at, shape.dims[d] - size.dims[d] + 1);
    MlirValue offset =
        luna_scalar_sub(b, luna_generic_index(&generic, d), first);
    MlirValue inside = luna_scalar(
        b, "arith.andi",
        luna_scalar_compare(b, LUNA_GE, offset, luna_scalar_index(b, 0)),
        luna_scalar_compare(b, LUNA_LT, offset,
                            luna_scalar_index(b, size.dims[d])));
    is_inside =
        d == 0 ? inside : luna_scalar(b, "arith.andi", is_inside, inside);
    offset = luna_scalar_with(b, "arith.maxsi", offset, 0);
    from[d] = luna_scalar_with(b, "arith.minsi", offset, size.dims[d] - 1);
  }
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic,
                       luna_scalar_select(b, is_inside,
                                          luna_scalar_extract(b, update, from),
                                          old)));
}
