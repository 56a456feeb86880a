#include "along_axis.h"
#include "tflite_import.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"
#include "tflite_valid.h"
#include "time_loop.h"

// Operators about where elements are: TOPK_V2, ONE_HOT, WHERE, SCATTER_ND,
// RANGE.

static MlirValue index_to(LunaBuilder *b, MlirValue index, MlirType type) {
  return luna_scalar_to(b, "arith.index_cast", index, type);
}

bool luna_tflite_op_top_k(LunaTfliteNode *node) {
  const LunaTfliteTensor *places = luna_tflite_output(node, 1);
  MlirValue value;
  int64_t k = 0, count = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, &k, 1, &count) ||
      !luna_tflite_need_same_scale(node, 0))
    return false;
  int axis = luna_rank_of(value) - 1;
  if (axis < 0 || k < 1 || k > luna_extent(value, axis))
    return luna_tflite_fail(
        node,
        "takes %lld elements of a last dimension "
        "that has %lld",
        (long long)k, axis < 0 ? 0LL : (long long)luna_extent(value, axis));
  if (places->type != LUNA_TFLITE_I32)
    return luna_tflite_fail(node, "indices '%s' are %s, must be int32",
                            places->name, luna_tflite_type_name(places->type));
  MlirValue at = luna_first_places(node->builder, value, axis, k, LUNA_GT);
  return luna_tflite_set(node, 0,
                         luna_take_places(node->builder, value, axis, at)) &&
         luna_tflite_set(node, 1, at);
}

// Input 1, the number of classes, is a constant; 2 and 3 are what is where an
// index says, and elsewhere.
bool luna_tflite_op_one_hot(LunaTfliteNode *node) {
  enum { AXIS = 0 };
  LunaBuilder *b = node->builder;
  MlirValue indices, on, off;
  int64_t depth = 0, count = 0, axis = 0;
  int given = (int)luna_tflite_option_i32(node, AXIS, 0), from[LUNA_RANK_MAX];
  if (!luna_tflite_value(node, 0, &indices) ||
      !luna_tflite_ints(node, 1, &depth, 1, &count) ||
      !luna_tflite_value(node, 2, &on) || !luna_tflite_value(node, 3, &off))
    return false;
  LunaShape loops = luna_shape_of(indices);
  if (!luna_tflite_axis(node, given, loops.rank + 1, &axis))
    return false;
  if (depth < 1 || depth > INT32_MAX ||
      luna_tflite_input(node, 2)->element_count != 1 ||
      luna_tflite_input(node, 3)->element_count != 1)
    return luna_tflite_fail(node, "needs a depth of 1 or more and two values");
  for (int d = 0; d < loops.rank; ++d)
    from[d] = d < axis ? d : d + 1;
  for (int64_t d = loops.rank++; d > axis; --d)
    loops.dims[d] = loops.dims[d - 1];
  loops.dims[axis] = depth;
  on = luna_scalar_only(b, on);
  off = luna_scalar_only(b, off);
  LunaGeneric generic = luna_generic(b, &loops);
  MlirValue index = luna_generic_input_at(&generic, indices, from);
  luna_generic_result(&generic, mlirValueGetType(on));
  MlirValue is_on = luna_scalar_compare(
      b, LUNA_EQ, index,
      index_to(b, luna_generic_index(&generic, axis), mlirValueGetType(index)));
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic, luna_scalar_select(b, is_on, on, off)));
}

bool luna_tflite_op_where(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  const char *name = luna_tflite_output(node, 0)->name;
  MlirValue value, places, found;
  int64_t bound = 0;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  int64_t known = luna_tflite_input(node, 0)->element_count;
  if (luna_rank_of(value) == 0)
    return luna_tflite_fail(node, "a scalar has no places");
  if (luna_tflite_output(node, 0)->type != LUNA_TFLITE_I64)
    return luna_tflite_fail(node, "places are int64");
  if (!luna_tflite_bound(node, name, known, &bound))
    return false;
  places = luna_find_places(b, value, bound, false, &found);
  node->import->is_resized = true;
  LunaValidLength valid = {.count = found, .axis = 0, .is_zero_behind = true};
  return luna_tflite_set_valid(node, places, valid, name, known) &&
         luna_tflite_set(node, 0, places);
}

// The sum of the updates at each place; a place that is outside is moved in.
bool luna_tflite_op_scatter_nd(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  MlirValue indices, updates, at[LUNA_RANK_MAX], from[LUNA_RANK_MAX];
  LunaShape shape = luna_tflite_shape_of(luna_tflite_output(node, 0));
  if (!luna_tflite_value(node, 0, &indices) ||
      !luna_tflite_value(node, 1, &updates) || !luna_tflite_need_const(node, 2))
    return false;
  LunaShape list = luna_shape_of(indices), loops = luna_shape_of(updates);
  int64_t depth = list.rank > 0 ? list.dims[list.rank - 1] : 0, steps = 1;
  bool fits = depth > 0 && depth <= shape.rank &&
              loops.rank == list.rank - 1 + shape.rank - depth &&
              mlirTypeEqual(luna_element_of(indices), b->i32);
  for (int d = 0; fits && d < loops.rank; ++d)
    fits = loops.dims[d] == (d < list.rank - 1
                                 ? list.dims[d]
                                 : shape.dims[depth + d - (list.rank - 1)]);
  if (!fits)
    return luna_tflite_fail(node, "indices, updates and shape do not go "
                                  "together");
  for (int d = 0; d < loops.rank; ++d)
    steps *= loops.dims[d];
  MlirType type = luna_tensor_type(luna_element_of(updates), &shape);
  LunaTimeLoop loop = luna_time_loop(
      b, &(LunaTimeSpec){.steps = steps,
                         .count = 1,
                         .first = {luna_build_splat(b, type, 0)}});
  luna_unflatten(b, loop.at, &loops, from);
  MlirValue update = luna_scalar_extract(b, updates, from);
  for (int64_t i = 0; i < depth; ++i) {
    from[list.rank - 1] = luna_scalar_index(b, i);
    MlirValue index =
        index_to(b, luna_scalar_extract(b, indices, from), b->index);
    at[i] = luna_scalar_clamp(b, index, 0, shape.dims[i] - 1);
  }
  luna_unflatten(b, loop.at, &loops, from);
  for (int64_t d = depth; d < shape.rank; ++d)
    at[d] = from[list.rank - 1 + d - depth];
  MlirValue sum =
      luna_scalar_add(b, luna_scalar_extract(b, loop.carried[0], at), update);
  luna_time_end(&loop,
                (MlirValue[]){luna_scalar_insert(b, sum, loop.carried[0], at)});
  return luna_tflite_set(node, 0, luna_time_last(&loop, 0));
}

// Start, limit and step are constant integers.
bool luna_tflite_op_range(LunaTfliteNode *node) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  LunaBuilder *b = node->builder;
  int64_t given[3], count = 0;
  for (int i = 0; i < 3; ++i)
    if (!luna_tflite_ints(node, i, &given[i], 1, &count))
      return false;
  int64_t first = given[0], step = given[2];
  int64_t length =
      step == 0 ? 0 : (given[1] - first + step - (step > 0 ? 1 : -1)) / step;
  if (length < 1 || length > INT32_MAX)
    return luna_tflite_fail(node, "has no or too many steps");
  if (!luna_tflite_follow(node, 0, length) ||
      !luna_tflite_count_constant(node, (uint64_t)length * sizeof(int32_t)))
    return false;
  LunaShape shape = {1, {length}};
  MlirType element =
      mlirShapedTypeGetElementType(luna_tflite_tensor_type(b, output));
  LunaGeneric generic = luna_generic(b, &shape);
  luna_generic_result(&generic, element);
  MlirValue at = index_to(b, luna_generic_index(&generic, 0), element);
  at = luna_scalar_with(b, "arith.muli", at, step);
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic, luna_scalar_with(b, "arith.addi", at, first)));
}
