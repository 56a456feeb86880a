#include "tflite_ops.h"

// BATCH_MATMUL: a product of matrices, one per batch, with 32-bit results (48
// for int16) and a rescale. Batches repeat where one side has only one.

enum { ADJOINT_X = 0, ADJOINT_Y = 1 };

// Swaps the last two dimensions.
static MlirValue turn(LunaBuilder *b, MlirValue value) {
  int32_t order[LUNA_TFLITE_MAX_RANK];
  int64_t rank = luna_rank_of(value);
  for (int64_t d = 0; d < rank; ++d)
    order[d] = (int32_t)d;
  order[rank - 2] = (int32_t)(rank - 1);
  order[rank - 1] = (int32_t)(rank - 2);
  return luna_build_transpose(b, value, order);
}

// Repeats matrices so that there is one for each batch, and makes all
// dimensions of batches one.
static MlirValue flatten(LunaBuilder *b, MlirValue value,
                         const LunaShape *batches) {
  int rank = batches->rank + 2;
  int64_t times[LUNA_TFLITE_MAX_RANK], count = 1;
  value = luna_build_raise_rank(b, value, rank);
  for (int d = 0; d < rank; ++d) {
    times[d] = d < rank - 2 ? batches->dims[d] / luna_extent(value, d) : 1;
    count *= d < rank - 2 ? batches->dims[d] : 1;
  }
  LunaShape flat = {
      3, {count, luna_extent(value, rank - 2), luna_extent(value, rank - 1)}};
  return luna_build_reshape(b, luna_build_tile(b, value, times), &flat);
}

// Reads the dimensions of batches.
static bool join_batches(LunaTfliteNode *node, const MlirValue values[2],
                         LunaShape *batches) {
  LunaShape left = luna_shape_of(values[0]);
  *batches = luna_shape_of(values[1]);
  left.rank -= 2;
  batches->rank -= 2;
  if (left.rank < 0 || batches->rank < 0)
    return luna_tflite_fail(node, "inputs must be matrices");
  return luna_tflite_broadcast(node, left, batches);
}

bool luna_tflite_op_batch_matmul(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  MlirValue values[2];
  LunaShape batches;
  int64_t zero_points[2] = {0};
  for (int i = 0; i < 2; ++i)
    if (!luna_tflite_value(node, i, &values[i]))
      return false;
  const LunaTfliteTensor *left = luna_tflite_input(node, 0);
  const LunaTfliteTensor *right = luna_tflite_input(node, 1);
  if (left->type != right->type)
    return luna_tflite_fail(node, "inputs are %s and %s, must have one type",
                            luna_tflite_type_name(left->type),
                            luna_tflite_type_name(right->type));
  if (!join_batches(node, values, &batches))
    return false;
  if (luna_tflite_option_bool(node, ADJOINT_X))
    values[0] = turn(b, values[0]);
  if (luna_tflite_option_bool(node, ADJOINT_Y))
    values[1] = turn(b, values[1]);
  for (int i = 0; i < 2; ++i)
    values[i] = flatten(b, values[i], &batches);
  if (luna_extent(values[0], 2) != luna_extent(values[1], 1))
    return luna_tflite_fail(node,
                            "rows of %lld and columns of %lld do not go "
                            "together",
                            (long long)luna_extent(values[0], 2),
                            (long long)luna_extent(values[1], 1));
  if (left->type == LUNA_TFLITE_F32)
    return luna_tflite_set(node, 0,
                           luna_build_matmul(b, values, zero_points, b->f32));
  LunaTfliteScale x, y, out;
  if (!luna_tflite_scale(node, left, &x) ||
      !luna_tflite_scale(node, right, &y) ||
      !luna_tflite_output_scale(node, &out))
    return false;
  zero_points[0] = x.zero_point;
  zero_points[1] = y.zero_point;
  MlirType element = luna_element_of(values[0]);
  MlirType sum = left->type == LUNA_TFLITE_I16 ? b->i48 : b->i32;
  MlirValue value = luna_build_matmul(b, values, zero_points, sum);
  return luna_tflite_rescale_real(
             node, (double)(x.scale * y.scale) / (double)out.scale, 0,
             out.zero_point, element, &value) &&
         luna_tflite_set(node, 0, value);
}
