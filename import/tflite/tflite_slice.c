#include "luna-c/build_scalar.h"
#include "tflite_import.h"
#include "tflite_ops.h"

// SLICE and STRIDED_SLICE. Where a slice begins may be computed by the model,
// how much it takes may not: the start is moved so that all of it lies in the
// dimension, as DYNAMIC_UPDATE_SLICE does.

static bool is_computed(const LunaTfliteNode *node, int64_t i) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor || tensor->data)
    return false;
  MlirValue value = node->frame->values[node->op->inputs[i]];
  return !mlirValueIsNull(value) &&
         !luna_fold_is_constant(node->import->fold, value);
}

// Reads a list of at most `rank` integers that the model computes.
static bool read_list(LunaTfliteNode *node, int64_t i, int64_t rank,
                      MlirValue *list) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!luna_tflite_value(node, i, list))
    return false;
  bool is_list =
      (tensor->type == LUNA_TFLITE_I32 || tensor->type == LUNA_TFLITE_I64) &&
      tensor->rank == 1 && tensor->element_count <= rank;
  return is_list ||
         luna_tflite_fail(node,
                          "input %lld, '%s', is not a list of at most %lld "
                          "int32 or int64",
                          (long long)i, tensor->name, (long long)rank);
}

// Returns element `d` of a list, kept where a dimension of this extent and its
// mirror image are: no target's index is too small for that.
static MlirValue element(LunaBuilder *b, MlirValue list, int64_t d,
                         int64_t extent) {
  MlirValue at = luna_scalar_index(b, d);
  return luna_scalar_to(
      b, "arith.index_cast",
      luna_scalar_clamp(b, luna_scalar_extract(b, list, &at), -extent, extent),
      b->index);
}

//===----------------------------------------------------------------------===//
// SLICE
//===----------------------------------------------------------------------===//

static bool slice_known(LunaTfliteNode *node) {
  MlirValue value;
  int64_t start[LUNA_TFLITE_MAX_RANK], size[LUNA_TFLITE_MAX_RANK];
  int64_t starts = 0, sizes = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, start, LUNA_TFLITE_MAX_RANK, &starts) ||
      !luna_tflite_ints(node, 2, size, LUNA_TFLITE_MAX_RANK, &sizes))
    return false;
  int64_t rank = luna_rank_of(value);
  if (starts != rank || sizes != rank)
    return luna_tflite_fail(node,
                            "has %lld starts and %lld sizes for %lld "
                            "dimensions",
                            (long long)starts, (long long)sizes,
                            (long long)rank);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t extent = luna_extent(value, d);
    if (start[d] >= 0 && start[d] < extent && size[d] == -1)
      size[d] = extent - start[d];
    if (start[d] < 0 || size[d] < 1 || start[d] > extent ||
        size[d] > extent - start[d])
      return luna_tflite_fail(node,
                              "takes %lld from %lld on of a dimension of "
                              "%lld",
                              (long long)size[d], (long long)start[d],
                              (long long)extent);
  }
  return luna_tflite_set(node, 0,
                         luna_build_slice(node->builder, value, start, size));
}

static bool slice_computed(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  MlirValue value, list, start[LUNA_TFLITE_MAX_RANK];
  int64_t size[LUNA_TFLITE_MAX_RANK], count = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 2, size, LUNA_TFLITE_MAX_RANK, &count) ||
      !read_list(node, 1, luna_rank_of(value), &list))
    return false;
  int64_t rank = luna_rank_of(value);
  if (luna_extent(list, 0) != rank || count != rank)
    return luna_tflite_fail(node,
                            "has %lld starts and %lld sizes for %lld "
                            "dimensions",
                            (long long)luna_extent(list, 0), (long long)count,
                            (long long)rank);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t extent = luna_extent(value, d);
    if (size[d] < 1 || size[d] > extent)
      return luna_tflite_fail(node,
                              "takes %lld from a computed start of a dimension "
                              "of %lld; 1 to %lld are possible",
                              (long long)size[d], (long long)extent,
                              (long long)extent);
    start[d] =
        luna_scalar_clamp(b, element(b, list, d, extent), 0, extent - size[d]);
  }
  return luna_tflite_set(node, 0,
                         luna_build_slice_from(b, value, start, size, NULL));
}

bool luna_tflite_op_slice(LunaTfliteNode *node) {
  return is_computed(node, 1) ? slice_computed(node) : slice_known(node);
}

//===----------------------------------------------------------------------===//
// STRIDED_SLICE
//===----------------------------------------------------------------------===//

enum {
  STRIDED_BEGIN_MASK,
  STRIDED_END_MASK,
  STRIDED_ELLIPSIS_MASK,
  STRIDED_NEW_AXIS_MASK,
  STRIDED_SHRINK_MASK,
};

// Where a position counted from either end stands, kept in [low, high].
static int64_t bound(int64_t position, int64_t extent, int64_t low,
                     int64_t high) {
  position += position < 0 ? extent : 0;
  return position < low ? low : position > high ? high : position;
}

// Turns start, end and stride of dimension `d` into start, extent and stride of
// 1 or more.
static bool stride_axis(LunaTfliteNode *node, int64_t d, int64_t *lists[3],
                        MlirValue *value) {
  int64_t begin = lists[0][d], end = lists[1][d], stride = lists[2][d];
  int64_t extent = luna_extent(*value, d);
  bool from_edge = luna_tflite_option_i32(node, STRIDED_BEGIN_MASK, 0) >> d & 1;
  bool to_edge = luna_tflite_option_i32(node, STRIDED_END_MASK, 0) >> d & 1;
  bool drops = luna_tflite_option_i32(node, STRIDED_SHRINK_MASK, 0) >> d & 1;
  if (stride == 0 || stride > INT32_MAX || stride < -INT32_MAX)
    return luna_tflite_fail(node, "has stride %lld", (long long)stride);
  if (stride < 0) {
    // Backwards is forwards through the reversed dimension.
    begin = from_edge ? 0 : extent - 1 - bound(begin, extent, -1, extent - 1);
    end = to_edge ? extent : extent - 1 - bound(end, extent, -1, extent - 1);
    *value = luna_build_reverse(node->builder, *value, d);
    stride = -stride;
  } else {
    begin = from_edge ? 0 : bound(begin, extent, 0, extent);
    end = to_edge ? extent : bound(end, extent, 0, extent);
  }
  int64_t count = drops ? 1 : (end - begin + stride - 1) / stride;
  if (count < 1 || begin >= extent)
    return luna_tflite_fail(node, "takes nothing of dimension %lld",
                            (long long)d);
  lists[0][d] = begin;
  lists[1][d] = count;
  lists[2][d] = count == 1 ? 1 : stride;
  return true;
}

static bool strided_known(LunaTfliteNode *node) {
  MlirValue value;
  // Starts, ends (then extents) and strides; dimensions left out stay whole.
  int64_t start[LUNA_TFLITE_MAX_RANK] = {0}, size[LUNA_TFLITE_MAX_RANK];
  int64_t step[LUNA_TFLITE_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  int64_t *lists[3] = {start, size, step};
  if (!luna_tflite_value(node, 0, &value))
    return false;
  int64_t rank = luna_rank_of(value), count = 0;
  for (int i = 0; i < 3; ++i) {
    if (!luna_tflite_ints(node, 1 + i, lists[i], LUNA_TFLITE_MAX_RANK, &count))
      return false;
    if (count > rank || count != luna_tflite_input(node, 1)->element_count)
      return luna_tflite_fail(node, "has lists of %lld for %lld dimensions",
                              (long long)count, (long long)rank);
  }
  for (int64_t d = 0; d < count; ++d)
    if (!stride_axis(node, d, lists, &value))
      return false;
  for (int64_t d = count; d < rank; ++d)
    size[d] = luna_extent(value, d);
  return luna_tflite_set(
      node, 0,
      luna_build_strided_slice(node->builder, value, start, size, step));
}

// A slice whose start or end the model computes.
typedef struct Computed {
  LunaTfliteNode *node;
  MlirValue value, starts;
  int64_t count; // dimensions that the lists are for
  int64_t step[LUNA_TFLITE_MAX_RANK], size[LUNA_TFLITE_MAX_RANK];
  MlirValue start[LUNA_TFLITE_MAX_RANK];
  int64_t kept; // dimensions of the output so far
} Computed;

static bool has_bit(const Computed *c, unsigned mask, int64_t d) {
  return d < c->count && luna_tflite_option_i32(c->node, mask, 0) >> d & 1;
}

// How much of dimension `d` is taken: one, all of it, or what the file says.
static bool find_size(Computed *c, int64_t d) {
  const LunaTfliteTensor *output = luna_tflite_output(c->node, 0);
  int64_t extent = luna_extent(c->value, d);
  int64_t step = c->step[d] < 0 ? -c->step[d] : c->step[d];
  bool is_whole = d >= c->count || (has_bit(c, STRIDED_BEGIN_MASK, d) &&
                                    has_bit(c, STRIDED_END_MASK, d));
  if (has_bit(c, STRIDED_SHRINK_MASK, d)) {
    c->size[d] = 1;
    return true;
  }
  if (is_whole)
    c->size[d] = (extent - 1) / step + 1;
  else if (c->kept >= output->rank || output->open >> c->kept & 1)
    return luna_tflite_fail(c->node,
                            "takes a part of dimension %lld whose size is "
                            "known while running only",
                            (long long)d);
  else
    c->size[d] = output->shape[c->kept];
  ++c->kept;
  return c->size[d] - 1 <= (extent - 1) / step ||
         luna_tflite_fail(
             c->node, "takes %lld, each %lld apart, of a dimension of %lld",
             (long long)c->size[d], (long long)step, (long long)extent);
}

// Builds where dimension `d` starts; backwards is forwards through the reversed
// dimension.
static void build_start(Computed *c, int64_t d) {
  LunaBuilder *b = c->node->builder;
  int64_t extent = luna_extent(c->value, d);
  bool is_backwards = c->step[d] < 0;
  if (is_backwards) {
    c->value = luna_build_reverse(b, c->value, d);
    c->step[d] = -c->step[d];
  }
  c->start[d] = luna_scalar_index(b, 0);
  if (d >= c->count || has_bit(c, STRIDED_BEGIN_MASK, d))
    return;
  MlirValue start = element(b, c->starts, d, extent);
  MlirValue is_from_end =
      luna_scalar_compare(b, LUNA_LT, start, luna_scalar_index(b, 0));
  start = luna_scalar_select(
      b, is_from_end, luna_scalar_with(b, "arith.addi", start, extent), start);
  if (is_backwards)
    start = luna_scalar_sub(b, luna_scalar_index(b, extent - 1),
                            luna_scalar_clamp(b, start, -1, extent - 1));
  c->start[d] = luna_scalar_clamp(b, start, 0,
                                  extent - 1 - (c->size[d] - 1) * c->step[d]);
}

static bool strided_computed(LunaTfliteNode *node) {
  Computed c = {.node = node, .step = {1, 1, 1, 1, 1, 1}};
  MlirValue ends;
  if (!luna_tflite_value(node, 0, &c.value) ||
      !luna_tflite_ints(node, 3, c.step, LUNA_TFLITE_MAX_RANK, &c.count) ||
      !read_list(node, 1, luna_rank_of(c.value), &c.starts) ||
      !read_list(node, 2, luna_rank_of(c.value), &ends))
    return false;
  if (c.count != luna_extent(c.starts, 0) || c.count != luna_extent(ends, 0))
    return luna_tflite_fail(node, "has lists of %lld, %lld and %lld integers",
                            (long long)luna_extent(c.starts, 0),
                            (long long)luna_extent(ends, 0),
                            (long long)c.count);
  for (int64_t d = 0; d < luna_rank_of(c.value); ++d) {
    if (c.step[d] == 0 || c.step[d] > INT32_MAX || c.step[d] < -INT32_MAX)
      return luna_tflite_fail(node, "has stride %lld", (long long)c.step[d]);
    if (!find_size(&c, d))
      return false;
    build_start(&c, d);
  }
  return luna_tflite_set(
      node, 0,
      luna_build_slice_from(node->builder, c.value, c.start, c.size, c.step));
}

bool luna_tflite_op_strided_slice(LunaTfliteNode *node) {
  if (luna_tflite_option_i32(node, STRIDED_ELLIPSIS_MASK, 0) != 0 ||
      luna_tflite_option_i32(node, STRIDED_NEW_AXIS_MASK, 0) != 0)
    return luna_tflite_fail(node, "ellipsis and new axes are not supported");
  return is_computed(node, 1) || is_computed(node, 2) ? strided_computed(node)
                                                      : strided_known(node);
}
