#include "tflite_ops.h"

// Operators that lay elements out anew: blocks of space as channels or batches,
// reversal, repetition, padding with a mirror image.

//===----------------------------------------------------------------------===//
// DEPTH_TO_SPACE, SPACE_TO_DEPTH
//===----------------------------------------------------------------------===//

bool luna_tflite_op_depth_space(LunaTfliteNode *node) {
  static const int32_t order[6] = {0, 1, 3, 2, 4, 5};
  LunaBuilder *b = node->builder;
  int64_t block = luna_tflite_option_i32(node, 0, 0);
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_need_rank(node, value, 4))
    return false;
  LunaShape from = luna_shape_of(value);
  const int64_t *shape = from.dims;
  bool to_depth = node->op->code == LUNA_TFLITE_OP_SPACE_TO_DEPTH;
  if (block < 1 || block > INT16_MAX ||
      (to_depth ? shape[1] % block || shape[2] % block
                : shape[3] % (block * block)))
    return luna_tflite_fail(
        node, "its input does not consist of blocks of %lld", (long long)block);
  int64_t depth = shape[3] / (block * block);
  LunaShape in_depth = {6, {shape[0], shape[1], shape[2], block, block, depth}};
  LunaShape in_space = {
      6,
      {shape[0], shape[1] / block, block, shape[2] / block, block, shape[3]}};
  value = luna_build_reshape(b, value, to_depth ? &in_space : &in_depth);
  // Both ways the same: row and column of a block change places with the
  // columns of blocks.
  return luna_tflite_set(node, 0, luna_build_transpose(b, value, order));
}

//===----------------------------------------------------------------------===//
// SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND
//===----------------------------------------------------------------------===//

typedef struct Blocks {
  int64_t sizes[2], edges[4]; ///< of height and width: before, after
} Blocks;

// Reads blocks and paddings (or crops); three dimensions become four.
static bool read_blocks(LunaTfliteNode *node, MlirValue *value,
                        Blocks *blocks) {
  int64_t rank = luna_rank_of(*value), count = 0, edges = 0;
  if (rank != 3 && rank != 4)
    return luna_tflite_fail(node, "input has %lld dimensions, needs 3 or 4",
                            (long long)rank);
  *blocks = (Blocks){.sizes = {1, 1}};
  if (!luna_tflite_ints(node, 1, blocks->sizes, rank - 2, &count) ||
      !luna_tflite_ints(node, 2, blocks->edges, 2 * (rank - 2), &edges))
    return false;
  if (count != rank - 2 || edges != 2 * count)
    return luna_tflite_fail(node,
                            "has %lld blocks for %lld dimensions of space",
                            (long long)count, (long long)(rank - 2));
  if (rank == 3) {
    LunaShape shape = luna_shape_of(*value);
    LunaShape wide = {4, {shape.dims[0], shape.dims[1], 1, shape.dims[2]}};
    *value = luna_build_reshape(node->builder, *value, &wide);
    blocks->sizes[1] = 1;
    blocks->edges[2] = blocks->edges[3] = 0;
  }
  for (int i = 0; i < 2; ++i)
    if (blocks->sizes[i] < 1 || blocks->sizes[i] > INT16_MAX ||
        blocks->edges[2 * i] < 0 || blocks->edges[2 * i + 1] < 0 ||
        blocks->edges[2 * i] > INT16_MAX ||
        blocks->edges[2 * i + 1] > INT16_MAX)
      return luna_tflite_fail(
          node, "has a block of %lld with edges %lld and %lld",
          (long long)blocks->sizes[i], (long long)blocks->edges[2 * i],
          (long long)blocks->edges[2 * i + 1]);
  return true;
}

static bool space_to_batch(LunaTfliteNode *node, const Blocks *blocks,
                           MlirValue value) {
  static const int32_t order[6] = {2, 4, 0, 1, 3, 5};
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *tensor = luna_tflite_input(node, 0);
  const int64_t *edges = blocks->edges, *sizes = blocks->sizes;
  int64_t pads[8] = {0, 0, edges[0], edges[1], edges[2], edges[3], 0, 0};
  int64_t zero = 0;
  // The reference kernel fills with the output's zero point.
  if (luna_tflite_is_quantized(tensor) &&
      !luna_tflite_zero_point(node, luna_tflite_output(node, 0), &zero))
    return false;
  value = luna_build_pad(b, value, pads,
                         luna_build_const_one(b, luna_element_of(value), zero));
  LunaShape padded = luna_shape_of(value);
  const int64_t *shape = padded.dims;
  if (shape[1] % sizes[0] || shape[2] % sizes[1])
    return luna_tflite_fail(node,
                            "its padded input of %lld by %lld does not "
                            "consist of blocks",
                            (long long)shape[1], (long long)shape[2]);
  LunaShape split = {6,
                     {shape[0], shape[1] / sizes[0], sizes[0],
                      shape[2] / sizes[1], sizes[1], shape[3]}};
  value = luna_build_reshape(b, value, &split);
  return luna_tflite_set(node, 0, luna_build_transpose(b, value, order));
}

static bool batch_to_space(LunaTfliteNode *node, const Blocks *blocks,
                           MlirValue value) {
  static const int32_t order[6] = {2, 3, 0, 4, 1, 5};
  LunaBuilder *b = node->builder;
  const int64_t *edges = blocks->edges, *sizes = blocks->sizes;
  LunaShape from = luna_shape_of(value);
  const int64_t *shape = from.dims;
  if (shape[0] % (sizes[0] * sizes[1]))
    return luna_tflite_fail(node, "%lld batches are no blocks of %lld by %lld",
                            (long long)shape[0], (long long)sizes[0],
                            (long long)sizes[1]);
  int64_t batch = shape[0] / (sizes[0] * sizes[1]);
  LunaShape split = {6,
                     {sizes[0], sizes[1], batch, shape[1], shape[2], shape[3]}};
  LunaShape whole = {
      4, {batch, shape[1] * sizes[0], shape[2] * sizes[1], shape[3]}};
  int64_t start[4] = {0, edges[0], edges[2], 0};
  int64_t size[4] = {batch, whole.dims[1] - edges[0] - edges[1],
                     whole.dims[2] - edges[2] - edges[3], shape[3]};
  if (size[1] < 1 || size[2] < 1)
    return luna_tflite_fail(node, "crops leave nothing");
  value = luna_build_reshape(b, value, &split);
  value = luna_build_transpose(b, value, order);
  value = luna_build_reshape(b, value, &whole);
  return luna_tflite_set(node, 0, luna_build_slice(b, value, start, size));
}

bool luna_tflite_op_batch_space(LunaTfliteNode *node) {
  MlirValue value;
  Blocks blocks;
  if (!luna_tflite_value(node, 0, &value) ||
      !read_blocks(node, &value, &blocks))
    return false;
  return node->op->code == LUNA_TFLITE_OP_SPACE_TO_BATCH_ND
             ? space_to_batch(node, &blocks, value)
             : batch_to_space(node, &blocks, value);
}

//===----------------------------------------------------------------------===//
// REVERSE_V2, TILE, BROADCAST_TO
//===----------------------------------------------------------------------===//

bool luna_tflite_op_reverse(LunaTfliteNode *node) {
  MlirValue value;
  int64_t axes[LUNA_TFLITE_MAX_RANK], count = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, axes, LUNA_TFLITE_MAX_RANK, &count))
    return false;
  for (int64_t i = 0; i < count; ++i) {
    int64_t axis = 0;
    if (!luna_tflite_axis(node, axes[i], luna_rank_of(value), &axis))
      return false;
    value = luna_build_reverse(node->builder, value, axis);
  }
  return luna_tflite_set(node, 0, value);
}

bool luna_tflite_op_tile(LunaTfliteNode *node) {
  MlirValue value;
  int64_t times[LUNA_TFLITE_MAX_RANK], count = 0;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, times, LUNA_TFLITE_MAX_RANK, &count))
    return false;
  int64_t rank = luna_rank_of(value);
  bool fits = count == rank && output->rank == rank;
  for (int64_t d = 0; fits && d < rank; ++d)
    fits = times[d] >= 1 && times[d] <= INT32_MAX &&
           luna_tflite_follow(node, d, luna_extent(value, d) * times[d]) &&
           luna_extent(value, d) * times[d] == output->shape[d];
  if (!fits)
    return luna_tflite_fail(node, "its repetitions do not give the output's "
                                  "shape");
  return luna_tflite_set(node, 0, luna_build_tile(node->builder, value, times));
}

// The output's shape says it all.
bool luna_tflite_op_broadcast_to(LunaTfliteNode *node) {
  MlirValue value;
  int64_t times[LUNA_TFLITE_MAX_RANK];
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (!luna_tflite_value(node, 0, &value) || !luna_tflite_follow_ints(node, 1))
    return false;
  if (luna_rank_of(value) > output->rank)
    return luna_tflite_fail(node, "gives fewer dimensions than it takes");
  value = luna_build_raise_rank(node->builder, value, (int)output->rank);
  for (int64_t d = 0; d < output->rank; ++d) {
    int64_t extent = luna_extent(value, d);
    if (extent != 1 && extent != output->shape[d])
      return luna_tflite_fail(node, "does not widen %lld to %lld",
                              (long long)extent, (long long)output->shape[d]);
    times[d] = output->shape[d] / extent;
  }
  return luna_tflite_set(node, 0, luna_build_tile(node->builder, value, times));
}

//===----------------------------------------------------------------------===//
// MIRROR_PAD
//===----------------------------------------------------------------------===//

// Joins a mirror image of `count` elements from `from` on before or behind.
static void join_mirror(LunaBuilder *b, MlirValue *value, MlirValue source,
                        int64_t axis, int64_t from, int64_t count,
                        bool is_before) {
  int64_t start[LUNA_TFLITE_MAX_RANK] = {0};
  if (count == 0)
    return;
  LunaShape size = luna_shape_of(source);
  start[axis] = from;
  size.dims[axis] = count;
  MlirValue image = luna_build_reverse(
      b, luna_build_slice(b, source, start, size.dims), axis);
  MlirValue parts[2] = {is_before ? image : *value, is_before ? *value : image};
  *value = luna_build_concat(b, 2, parts, axis);
}

bool luna_tflite_op_mirror_pad(LunaTfliteNode *node) {
  enum { REFLECT = 0 };
  MlirValue value;
  int64_t pads[2 * LUNA_TFLITE_MAX_RANK], count = 0;
  // REFLECT leaves the edge itself out of the image.
  int64_t offset = luna_tflite_option_enum(node, 0) == REFLECT ? 1 : 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, pads, 2 * LUNA_TFLITE_MAX_RANK, &count))
    return false;
  int64_t rank = luna_rank_of(value);
  if (count != 2 * rank)
    return luna_tflite_fail(node, "has %lld paddings for %lld dimensions",
                            (long long)count, (long long)rank);
  for (int64_t d = 0; d < rank; ++d) {
    MlirValue source = value;
    int64_t extent = luna_extent(value, d);
    int64_t before = pads[2 * d], after = pads[2 * d + 1];
    if (before < 0 || after < 0 || before > extent - offset ||
        after > extent - offset)
      return luna_tflite_fail(node,
                              "mirrors %lld and %lld elements of a dimension "
                              "of %lld",
                              (long long)before, (long long)after,
                              (long long)extent);
    join_mirror(node->builder, &value, source, d, offset, before, true);
    join_mirror(node->builder, &value, source, d, extent - offset - after,
                after, false);
  }
  return luna_tflite_set(node, 0, value);
}
