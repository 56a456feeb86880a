#include "luna-c/build_scalar.h"
#include "tflite_import.h"
#include "tflite_ops.h"
#include "tflite_valid.h"

// SLICE and STRIDED_SLICE. Where a slice begins may be computed by the model.
// Where the file says how much it takes, the start is moved so that all of it
// lies in the dimension, as DYNAMIC_UPDATE_SLICE does. Else one dimension of
// the result has a valid length.

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

// What is taken: of dimension `axis`, unless that is -1, `count` indices,
// `most` of them at most.
typedef struct Taken {
  MlirValue start[LUNA_TFLITE_MAX_RANK];
  int64_t size[LUNA_TFLITE_MAX_RANK];
  const int64_t *step;
  int axis;
  int64_t most;
  MlirValue count;
} Taken;

// How many indices of dimension `d` there are: of what is valid no more.
static MlirValue extent_of(const LunaTfliteNode *node, MlirValue value,
                           int64_t d) {
  LunaBuilder *b = node->builder;
  const LunaValidLength *valid = luna_tflite_valid(node, value);
  int64_t extent = luna_extent(value, d);
  return valid && valid->axis == d
             ? luna_scalar_min(b, valid->count, luna_scalar_index(b, extent))
             : luna_scalar_index(b, extent);
}

static bool is_valid(const LunaTfliteNode *node, MlirValue value, int64_t d) {
  const LunaValidLength *valid = luna_tflite_valid(node, value);
  return valid && valid->axis == d;
}

// Takes what lies from dimension `d`'s start to `end`, every step-th.
static bool take_valid(const LunaTfliteNode *node, MlirValue value,
                       Taken *taken, int64_t d, MlirValue end) {
  LunaBuilder *b = node->builder;
  const LunaValidLength *valid = luna_tflite_valid(node, value);
  int64_t step = taken->step ? taken->step[d] : 1;
  if (taken->axis >= 0 || (valid && valid->axis != d))
    return luna_tflite_fail(node, "takes parts of two dimensions whose sizes "
                                  "are known while running only");
  taken->axis = (int)d;
  taken->most = (luna_extent(value, d) - 1) / step + 1;
  taken->count =
      luna_scalar(b, "arith.ceildivsi",
                  luna_scalar_max(b, luna_scalar_sub(b, end, taken->start[d]),
                                  luna_scalar_index(b, 0)),
                  luna_scalar_index(b, step));
  return true;
}

// The slice as an operator whose result has an open dimension.
static MlirValue open_slice(const LunaTfliteNode *node, MlirValue value,
                            const Taken *taken) {
  LunaBuilder *b = node->builder;
  int rank = luna_rank_of(value);
  MlirValue operands[2 + LUNA_TFLITE_MAX_RANK] = {value};
  int64_t offsets[LUNA_TFLITE_MAX_RANK], sizes[LUNA_TFLITE_MAX_RANK],
      steps[LUNA_TFLITE_MAX_RANK];
  for (int d = 0; d < rank; ++d) {
    operands[1 + d] = taken->start[d];
    offsets[d] = mlirShapedTypeGetDynamicStrideOrOffset();
    sizes[d] =
        d == taken->axis ? mlirShapedTypeGetDynamicSize() : taken->size[d];
    steps[d] = taken->step ? taken->step[d] : 1;
  }
  operands[1 + rank] = taken->count;
  LunaAttr attributes[] = {
      {"static_offsets", luna_i64s_attr(b->context, rank, offsets)},
      {"static_sizes", luna_i64s_attr(b->context, rank, sizes)},
      {"static_strides", luna_i64s_attr(b->context, rank, steps)},
      {"operandSegmentSizes",
       luna_i32s_attr(b->context, 4, (int32_t[]){1, rank, 1, 0})}};
  MlirType type = mlirRankedTensorTypeGet(rank, sizes, luna_element_of(value),
                                          mlirAttributeGetNull());
  return luna_build_op(b, "tensor.extract_slice", type, 2 + rank, operands, 4,
                       attributes);
}

// Sets the output to what is taken.
static bool set_taken(LunaTfliteNode *node, MlirValue value,
                      const Taken *taken) {
  LunaValidLengths *lengths = &node->import->lengths;
  const char *name = luna_tflite_output(node, 0)->name;
  int64_t bound;
  if (taken->axis < 0)
    return luna_tflite_set(node, 0,
                           luna_build_slice_from(node->builder, value,
                                                 taken->start, taken->size,
                                                 taken->step));
  MlirValue made = open_slice(node, value, taken);
  if (!luna_valid_follow(lengths, luna_defining_op(made)))
    return luna_tflite_fail(node, "cannot take a part of that size");
  made = luna_valid_now(lengths, made);
  LunaValidLength valid = *luna_tflite_valid(node, made);
  if (!luna_tflite_bound(node, name, taken->most, &bound))
    return false;
  made = luna_valid_fit(node->builder, made, valid.axis, bound);
  node->import->is_resized = true;
  return luna_tflite_set_valid(node, made, valid, name, taken->most) &&
         luna_tflite_set(node, 0, made);
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

// All behind the start, and what only the running program knows.
enum { REST = -1, UNKNOWN = -2 };

// How much SLICE takes of dimension `d`: what its list says, or else the file.
static int64_t size_of(const LunaTfliteNode *node, const int64_t *sizes,
                       int64_t d) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (sizes && sizes[d] != REST)
    return sizes[d] < 0 ? 0 : sizes[d];
  if (d < output->rank && !(output->open >> d & 1))
    return output->shape[d];
  return sizes ? REST : UNKNOWN;
}

static bool slice_axis(LunaTfliteNode *node, MlirValue value, MlirValue starts,
                       MlirValue list, const int64_t *sizes, int64_t d,
                       Taken *taken) {
  LunaBuilder *b = node->builder;
  int64_t extent = luna_extent(value, d), size = size_of(node, sizes, d);
  MlirValue first = element(b, starts, d, extent);
  const LunaConstant *known = luna_fold_value(node->import->fold, starts);
  if ((size == REST || size == extent) && known &&
      luna_constant_int(known, d) == 0) {
    taken->start[d] = luna_scalar_index(b, 0);
    taken->size[d] = extent;
    return true;
  }
  if (size > extent || size == 0)
    return luna_tflite_fail(node,
                            "takes %lld from a computed start of a dimension "
                            "of %lld; 1 to %lld are possible",
                            (long long)size, (long long)extent,
                            (long long)extent);
  if (size > 0 && !is_valid(node, value, d)) {
    taken->size[d] = size;
    taken->start[d] = luna_scalar_clamp(b, first, 0, extent - size);
    return true;
  }
  MlirValue end = extent_of(node, value, d);
  taken->start[d] = luna_scalar_min(
      b, luna_scalar_max(b, first, luna_scalar_index(b, 0)), end);
  if (size != REST) {
    // A computed one may be all behind the start, too.
    MlirValue count =
        size > 0 ? luna_scalar_index(b, size) : element(b, list, d, extent);
    MlirValue is_all =
        luna_scalar_compare(b, LUNA_LT, count, luna_scalar_index(b, 0));
    MlirValue to =
        luna_scalar_min(b, luna_scalar_add(b, taken->start[d], count), end);
    end = luna_scalar_select(b, is_all, end, to);
  }
  return take_valid(node, value, taken, d, end);
}

static bool slice_computed(LunaTfliteNode *node) {
  MlirValue value, starts, list;
  int64_t sizes[LUNA_TFLITE_MAX_RANK], count = 0;
  Taken taken = {.axis = -1};
  bool is_known = !is_computed(node, 2);
  if (!luna_tflite_value(node, 0, &value) ||
      !read_list(node, 1, luna_rank_of(value), &starts) ||
      !read_list(node, 2, luna_rank_of(value), &list) ||
      (is_known &&
       !luna_tflite_ints(node, 2, sizes, LUNA_TFLITE_MAX_RANK, &count)))
    return false;
  int64_t rank = luna_rank_of(value);
  if (luna_extent(starts, 0) != rank || luna_extent(list, 0) != rank)
    return luna_tflite_fail(node,
                            "has %lld starts and %lld sizes for %lld "
                            "dimensions",
                            (long long)luna_extent(starts, 0),
                            (long long)luna_extent(list, 0), (long long)rank);
  for (int64_t d = 0; d < rank; ++d)
    if (!slice_axis(node, value, starts, list, is_known ? sizes : NULL, d,
                    &taken))
      return false;
  return set_taken(node, value, &taken);
}

// Returns true if input 0 has a valid length.
static bool takes_valid(const LunaTfliteNode *node) {
  int32_t tensor = node->op->inputs[0];
  return tensor >= 0 &&
         luna_tflite_valid(node, node->frame->values[tensor]) != NULL;
}

bool luna_tflite_op_slice(LunaTfliteNode *node) {
  return is_computed(node, 1) || is_computed(node, 2) || takes_valid(node)
             ? slice_computed(node)
             : slice_known(node);
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
  MlirValue value, starts, ends;
  int64_t count; // dimensions that the lists are for
  int64_t step[LUNA_TFLITE_MAX_RANK];
  Taken taken;
  int64_t kept; // dimensions of the output so far
} Computed;

static bool has_bit(const Computed *c, unsigned mask, int64_t d) {
  return d < c->count && luna_tflite_option_i32(c->node, mask, 0) >> d & 1;
}

// How much of dimension `d` is taken: one, all of it, or what the file says; -1
// where only the running program knows.
static bool find_size(Computed *c, int64_t d, int64_t *size) {
  const LunaTfliteTensor *output = luna_tflite_output(c->node, 0);
  int64_t extent = luna_extent(c->value, d);
  int64_t step = c->step[d] < 0 ? -c->step[d] : c->step[d];
  bool is_own = is_valid(c->node, c->value, d);
  bool is_whole = d >= c->count || (has_bit(c, STRIDED_BEGIN_MASK, d) &&
                                    has_bit(c, STRIDED_END_MASK, d));
  *size = 1;
  if (has_bit(c, STRIDED_SHRINK_MASK, d))
    return !is_own || luna_tflite_fail(c->node,
                                       "an index into dimension %lld, whose "
                                       "size is known while running only, "
                                       "cannot be checked",
                                       (long long)d);
  if (is_whole && (!is_own || step == 1))
    *size = (extent - 1) / step + 1;
  else if (is_own || c->kept >= output->rank || output->open >> c->kept & 1)
    *size = -1;
  else
    *size = output->shape[c->kept];
  ++c->kept;
  return *size - 1 <= (extent - 1) / step ||
         luna_tflite_fail(c->node,
                          "takes %lld, each %lld apart, of a dimension of %lld",
                          (long long)*size, (long long)step, (long long)extent);
}

// An entry of a list, where a negative one counts from `extent`.
static MlirValue place(const Computed *c, MlirValue list, int64_t d,
                       MlirValue extent) {
  LunaBuilder *b = c->node->builder;
  MlirValue at = element(b, list, d, luna_extent(c->value, d));
  MlirValue is_from_end =
      luna_scalar_compare(b, LUNA_LT, at, luna_scalar_index(b, 0));
  return luna_scalar_select(b, is_from_end, luna_scalar_add(b, at, extent), at);
}

// Builds where dimension `d` starts; backwards is forwards through the reversed
// dimension.
static void build_start(Computed *c, int64_t d, int64_t size) {
  LunaBuilder *b = c->node->builder;
  int64_t extent = luna_extent(c->value, d);
  bool is_backwards = c->step[d] < 0;
  if (is_backwards) {
    c->value = luna_build_reverse(b, c->value, d);
    c->step[d] = -c->step[d];
  }
  c->taken.size[d] = size;
  c->taken.start[d] = luna_scalar_index(b, 0);
  if (d >= c->count || has_bit(c, STRIDED_BEGIN_MASK, d))
    return;
  MlirValue start = place(c, c->starts, d, luna_scalar_index(b, extent));
  if (is_backwards)
    start = luna_scalar_sub(b, luna_scalar_index(b, extent - 1),
                            luna_scalar_clamp(b, start, -1, extent - 1));
  c->taken.start[d] =
      luna_scalar_clamp(b, start, 0, extent - 1 - (size - 1) * c->step[d]);
}

// Takes a part of dimension `d` whose size only the running program knows.
static bool build_part(Computed *c, int64_t d) {
  LunaBuilder *b = c->node->builder;
  MlirValue zero = luna_scalar_index(b, 0);
  MlirValue extent = extent_of(c->node, c->value, d), end = extent;
  if (c->step[d] < 0)
    return luna_tflite_fail(c->node,
                            "takes a part of dimension %lld backwards whose "
                            "size is known while running only",
                            (long long)d);
  c->taken.start[d] = zero;
  if (d < c->count && !has_bit(c, STRIDED_BEGIN_MASK, d))
    c->taken.start[d] = luna_scalar_min(
        b, luna_scalar_max(b, place(c, c->starts, d, extent), zero), extent);
  if (d < c->count && !has_bit(c, STRIDED_END_MASK, d))
    end = luna_scalar_min(b, place(c, c->ends, d, extent), extent);
  return take_valid(c->node, c->value, &c->taken, d, end);
}

static bool strided_computed(LunaTfliteNode *node) {
  Computed c = {
      .node = node, .step = {1, 1, 1, 1, 1, 1}, .taken = {.axis = -1}};
  c.taken.step = c.step;
  if (!luna_tflite_value(node, 0, &c.value) ||
      !luna_tflite_ints(node, 3, c.step, LUNA_TFLITE_MAX_RANK, &c.count) ||
      !read_list(node, 1, luna_rank_of(c.value), &c.starts) ||
      !read_list(node, 2, luna_rank_of(c.value), &c.ends))
    return false;
  if (c.count != luna_extent(c.starts, 0) || c.count != luna_extent(c.ends, 0))
    return luna_tflite_fail(node, "has lists of %lld, %lld and %lld integers",
                            (long long)luna_extent(c.starts, 0),
                            (long long)luna_extent(c.ends, 0),
                            (long long)c.count);
  for (int64_t d = 0; d < luna_rank_of(c.value); ++d) {
    int64_t size;
    if (c.step[d] == 0 || c.step[d] > INT32_MAX || c.step[d] < -INT32_MAX)
      return luna_tflite_fail(node, "has stride %lld", (long long)c.step[d]);
    if (!find_size(&c, d, &size))
      return false;
    if (size < 0 && !build_part(&c, d))
      return false;
    if (size >= 0)
      build_start(&c, d, size);
  }
  return set_taken(node, c.value, &c.taken);
}

bool luna_tflite_op_strided_slice(LunaTfliteNode *node) {
  if (luna_tflite_option_i32(node, STRIDED_ELLIPSIS_MASK, 0) != 0 ||
      luna_tflite_option_i32(node, STRIDED_NEW_AXIS_MASK, 0) != 0)
    return luna_tflite_fail(node, "ellipsis and new axes are not supported");
  return is_computed(node, 1) || is_computed(node, 2) || takes_valid(node)
             ? strided_computed(node)
             : strided_known(node);
}
