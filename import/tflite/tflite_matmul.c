#include "tflite_ops.h"

// BATCH_MATMUL: a product of matrices, one per batch, with 32-bit results (48
// for int16) and a rescale. Batches repeat where one side has only one.

enum { ADJOINT_X = 0, ADJOINT_Y = 1 };

// Swaps the last two dimensions.
static MlirValue turn(LunaTosaBuilder *builder, MlirValue value) {
  int32_t order[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_rank_of(value);
  for (int64_t d = 0; d < rank; ++d)
    order[d] = (int32_t)d;
  order[rank - 2] = (int32_t)(rank - 1);
  order[rank - 1] = (int32_t)(rank - 2);
  return luna_tosa_transpose(builder, value, order);
}

// Repeats matrices so that there is one for each batch, and makes all
// dimensions of batches one.
static MlirValue flatten(LunaTosaBuilder *builder, MlirValue value,
                         const int64_t *batches, int64_t rank) {
  int64_t times[LUNA_TOSA_MAX_RANK], shape[LUNA_TOSA_MAX_RANK];
  int64_t count = 1;
  bool repeats = false;
  value = luna_tosa_raise_rank(builder, value, rank);
  luna_tosa_shape_of(value, shape);
  for (int64_t d = 0; d < rank; ++d) {
    times[d] = d < rank - 2 ? batches[d] / shape[d] : 1;
    repeats = repeats || times[d] != 1;
    count *= d < rank - 2 ? batches[d] : 1;
    shape[d] *= times[d];
  }
  if (repeats) {
    MlirValue operands[2] = {value,
                             luna_tosa_const_shape(builder, rank, times)};
    value = luna_tosa_op(builder, "tosa.tile",
                         luna_tosa_type(luna_tosa_element(value), rank, shape),
                         2, operands, 0, NULL);
  }
  int64_t flat[3] = {count, shape[rank - 2], shape[rank - 1]};
  return luna_tosa_reshape(builder, value, 3, flat);
}

// Gives the dimensions of batches, and how many dimensions there are.
static bool join_batches(LunaTfliteNode *node, const MlirValue values[2],
                         int64_t *batches, int64_t *rank) {
  int64_t left = luna_tosa_rank_of(values[0]);
  int64_t right = luna_tosa_rank_of(values[1]);
  *rank = left > right ? left : right;
  if (left < 2 || right < 2)
    return luna_node_fail(node, "inputs must be matrices");
  for (int64_t d = 0; d < *rank - 2; ++d) {
    int64_t l = d - (*rank - left), r = d - (*rank - right);
    int64_t a = l < 0 ? 1 : luna_tosa_extent(values[0], l);
    int64_t b = r < 0 ? 1 : luna_tosa_extent(values[1], r);
    if (a != b && a != 1 && b != 1)
      return luna_node_fail(node, "batches of %lld and %lld do not go together",
                            (long long)a, (long long)b);
    batches[d] = a == 1 ? b : a;
  }
  return true;
}

static MlirValue multiply(LunaTosaBuilder *builder, const MlirValue values[2],
                          const int64_t zero_points[2]) {
  MlirType element = luna_tosa_element(values[0]);
  int64_t shape[3] = {luna_tosa_extent(values[0], 0),
                      luna_tosa_extent(values[0], 1),
                      luna_tosa_extent(values[1], 2)};
  MlirType sum = mlirTypeEqual(element, builder->i8)    ? builder->i32
                 : mlirTypeEqual(element, builder->i16) ? builder->i48
                                                        : builder->f32;
  MlirValue operands[4] = {
      values[0], values[1],
      luna_tosa_const_int(builder, element, zero_points[0]),
      luna_tosa_const_int(builder, element, zero_points[1])};
  return luna_tosa_op(builder, "tosa.matmul", luna_tosa_type(sum, 3, shape), 4,
                      operands, 0, NULL);
}

bool luna_tfl_batch_matmul(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  MlirValue values[2];
  int64_t batches[LUNA_TOSA_MAX_RANK], rank = 0, zero_points[2] = {0};
  for (int i = 0; i < 2; ++i)
    if (!luna_node_value(node, i, &values[i]))
      return false;
  const LunaTfliteTensor *left = luna_node_input(node, 0);
  const LunaTfliteTensor *right = luna_node_input(node, 1);
  if (left->type != right->type)
    return luna_node_fail(node, "inputs are %s and %s, must have one type",
                          luna_tflite_type_name(left->type),
                          luna_tflite_type_name(right->type));
  if (!join_batches(node, values, batches, &rank))
    return false;
  if (luna_node_option_bool(node, ADJOINT_X))
    values[0] = turn(builder, values[0]);
  if (luna_node_option_bool(node, ADJOINT_Y))
    values[1] = turn(builder, values[1]);
  for (int i = 0; i < 2; ++i)
    values[i] = flatten(builder, values[i], batches, rank);
  if (luna_tosa_extent(values[0], 2) != luna_tosa_extent(values[1], 1))
    return luna_node_fail(node,
                          "rows of %lld and columns of %lld do not go "
                          "together",
                          (long long)luna_tosa_extent(values[0], 2),
                          (long long)luna_tosa_extent(values[1], 1));
  if (left->type == LUNA_TFLITE_F32)
    return luna_node_set(node, 0, multiply(builder, values, zero_points));
  LunaTfliteScale a, b, out;
  if (!luna_node_scale(node, left, &a) || !luna_node_scale(node, right, &b) ||
      !luna_node_scale(node, luna_node_output(node, 0), &out))
    return false;
  zero_points[0] = a.zero_point;
  zero_points[1] = b.zero_point;
  MlirType element = luna_tosa_element(values[0]);
  MlirValue value = multiply(builder, values, zero_points);
  return luna_node_rescale(node,
                           (double)(a.scale * b.scale) / (double)out.scale, 0,
                           out.zero_point, element, &value) &&
         luna_node_set(node, 0, value);
}
