#include <stdio.h>

#include "luna/checked.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"
#include "tflite_valid.h"

// Pooling, reductions and resizing.

enum { HEIGHT = 0, WIDTH = 1 };
enum {
  POOL_PADDING,
  POOL_STRIDE_W,
  POOL_STRIDE_H,
  POOL_FILTER_W,
  POOL_FILTER_H,
  POOL_ACTIVATION,
};

static MlirValue square_root(LunaBuilder *b, MlirValue value) {
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &value, b->f32, &x);
  return luna_generic_end(&generic, luna_scalar_unary(b, "math.sqrt", x));
}

bool luna_tflite_op_pool_2d(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  MlirValue value;
  int64_t pad[6];
  LunaWindow window = {
      .kernel = {luna_tflite_option_i32(node, POOL_FILTER_H, 0),
                 luna_tflite_option_i32(node, POOL_FILTER_W, 0)},
      .stride = {luna_tflite_option_i32(node, POOL_STRIDE_H, 0),
                 luna_tflite_option_i32(node, POOL_STRIDE_W, 0)},
      .dilation = {1, 1},
  };
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_need_rank(node, value, 4) ||
      !luna_tflite_need_same_scale(node, 0) ||
      !luna_tflite_window(node, luna_tflite_padding(node, POOL_PADDING),
                          &window, &value, pad))
    return false;
  bool is_l2 = node->op->code == LUNA_TFLITE_OP_L2_POOL_2D;
  bool is_average = is_l2 || node->op->code == LUNA_TFLITE_OP_AVERAGE_POOL_2D;
  if (is_l2)
    value = luna_build_binary(b, "tosa.mul", value, value);
  // TensorFlow Lite averages the integers as they are and rounds ties away
  // from zero. TOSA does too, if told that the zero point is 0, which is -128
  // here for uint8.
  bool is_unsigned = luna_tflite_input(node, 0)->type == LUNA_TFLITE_U8;
  value = luna_build_pool(b, is_average ? "tosa.avg_pool2d" : "tosa.max_pool2d",
                          value, &window, pad, is_unsigned ? INT8_MIN : 0);
  if (is_l2)
    value = square_root(b, value);
  return luna_tflite_activate(node, luna_tflite_output(node, 0),
                              luna_tflite_option_enum(node, POOL_ACTIVATION),
                              &value) &&
         luna_tflite_set(node, 0, value);
}

//===----------------------------------------------------------------------===//
// MEAN, SUM, REDUCE_MAX, REDUCE_MIN
//===----------------------------------------------------------------------===//

// Reduces over the axes of input 1; gives how many elements went into one.
static bool reduce_axes(LunaTfliteNode *node, const char *name,
                        MlirValue *value, int64_t *count) {
  int64_t axes[LUNA_TFLITE_MAX_RANK], axis_count = 0;
  int64_t rank = luna_rank_of(*value);
  const LunaValidLength *valid = luna_tflite_valid(node, *value);
  int valid_axis = valid ? valid->axis : -1;
  if (!luna_tflite_ints(node, 1, axes, LUNA_TFLITE_MAX_RANK, &axis_count))
    return false;
  *count = 1;
  for (int64_t i = 0; i < axis_count; ++i) {
    int64_t axis = 0;
    if (!luna_tflite_axis(node, axes[i], rank, &axis))
      return false;
    int64_t extent = luna_extent(*value, axis);
    if (extent > 1 || axis == valid_axis)
      *value = luna_build_reduce(node->builder, name, *value, axis);
    *count *= extent;
  }
  return true;
}

// Divides a multiplier by how many elements a mean has, as TensorFlow Lite
// does: shifted left as far as its 31 bits allow, then cut off.
static LunaMultiplier divide(LunaMultiplier by, int64_t count) {
  int shift = 0;
  while (shift < 32 && shift < 31 + by.shift && count >> (shift + 1) > 0)
    ++shift;
  by.multiplier = (int32_t)(((int64_t)by.multiplier << shift) / count);
  by.shift -= shift;
  return by;
}

// True if a sum over what is valid is divided by how much that is, or brought
// to another scale with the zero points of as many: axes of input 1.
static bool sums_valid(LunaTfliteNode *node, const LunaValidLength *valid) {
  int64_t axes[LUNA_TFLITE_MAX_RANK], count = 0, axis = 0;
  bool is_summed = false;
  if (!valid || !luna_tflite_ints(node, 1, axes, LUNA_TFLITE_MAX_RANK, &count))
    return false;
  for (int64_t i = 0; i < count; ++i)
    is_summed |=
        luna_tflite_axis(node, axes[i], luna_rank_of(valid->value), &axis) &&
        axis == valid->axis;
  return is_summed;
}

// 1 / how many elements of `others` for each valid index there are, at least
// one: a mean of none is 0.
static MlirValue valid_part(LunaBuilder *b, const LunaValidLength *valid,
                            int64_t others, int rank) {
  LunaShape one = {.rank = rank, .dims = {1, 1, 1, 1, 1, 1}};
  MlirValue count = luna_scalar_with(b, "arith.maxsi", valid->count, 1);
  count = luna_scalar_with(b, "arith.muli", count, others);
  count = luna_scalar_to(b, "arith.index_cast", count, b->i32);
  count = luna_scalar_to(b, "arith.sitofp", count, b->f32);
  return luna_build_from_scalar(
      b, luna_scalar_div(b, luna_scalar_f32(b, 1), count), &one);
}

bool luna_tflite_op_mean(LunaTfliteNode *node) {
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  LunaBuilder *b = node->builder;
  bool is_mean = node->op->code == LUNA_TFLITE_OP_MEAN;
  MlirValue value;
  int64_t count = 1;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  const LunaValidLength *found = luna_tflite_valid(node, value);
  LunaValidLength valid = found ? *found : (LunaValidLength){.axis = -1};
  bool is_valid = sums_valid(node, found);
  int64_t bound = is_valid ? luna_extent(value, valid.axis) : 1;
  if (input->type == LUNA_TFLITE_F32) {
    if (!reduce_axes(node, "tosa.reduce_sum", &value, &count))
      return false;
    if (is_mean && is_valid)
      value = luna_build_binary(
          b, "tosa.mul", value,
          valid_part(b, &valid, count / bound, luna_rank_of(value)));
    else if (is_mean)
      value = luna_build_binary(
          b, "tosa.mul", value,
          luna_build_const_like(b, value, b->f32,
                                (double)(1.0F / (float)count)));
    return luna_tflite_set(node, 0, value);
  }
  if (is_mean && is_valid)
    return luna_tflite_fail(node,
                            "the size of '%s', here dimension %d, is known "
                            "while running only: a mean along it must be of "
                            "float32",
                            valid.name, valid.axis);
  LunaTfliteScale in, out;
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  value = luna_tflite_widen(b, value, in.zero_point);
  if (!reduce_axes(node, "tosa.reduce_sum", &value, &count))
    return false;
  LunaMultiplier by =
      luna_quantize_multiplier((double)in.scale / (double)out.scale);
  if (is_mean)
    by = divide(by, count);
  if (!luna_tflite_can_rescale(by))
    return luna_tflite_fail(node, "its scales ask for too large a factor");
  value =
      luna_tflite_rescale_by(b, value, by, 0, out.zero_point,
                             input->type == LUNA_TFLITE_I16 ? b->i16 : b->i8);
  return luna_tflite_set(node, 0, value);
}

bool luna_tflite_op_reduce(LunaTfliteNode *node) {
  MlirValue value;
  int64_t count = 1;
  int64_t code = node->op->code;
  const char *name = code == LUNA_TFLITE_OP_REDUCE_MAX   ? "tosa.reduce_max"
                     : code == LUNA_TFLITE_OP_REDUCE_MIN ? "tosa.reduce_min"
                     : code == LUNA_TFLITE_OP_REDUCE_PROD
                         ? "tosa.reduce_product"
                     : code == LUNA_TFLITE_OP_REDUCE_ALL ? "tosa.reduce_all"
                                                         : "tosa.reduce_any";
  return luna_tflite_need_same_scale(node, 0) &&
         luna_tflite_value(node, 0, &value) &&
         reduce_axes(node, name, &value, &count) &&
         luna_tflite_set(node, 0, value);
}

//===----------------------------------------------------------------------===//
// RESIZE_NEAREST_NEIGHBOR, RESIZE_BILINEAR
//===----------------------------------------------------------------------===//

enum { RESIZE_ALIGN_CORNERS = 0, RESIZE_HALF_PIXEL = 1 };
enum { BILINEAR_ALIGN_CORNERS = 2, BILINEAR_HALF_PIXEL = 3 };

// Where output position o reads: (o * step + offset) / scale of the input.
typedef struct Sampling {
  int64_t scale, step, offset, border;
} Sampling;

static Sampling sample_axis(int64_t in, int64_t out, bool align_corners,
                            bool half_pixel, bool is_nearest) {
  int64_t over = align_corners && out > 1 ? out - 1 : out;
  int64_t under = align_corners && out > 1 ? in - 1 : in;
  under = under == 0 ? 1 : under;
  int64_t divisor = luna_gcd(over, under);
  // Twice over, so that halves are whole.
  Sampling sampling = {.scale = 2 * over / divisor,
                       .step = 2 * under / divisor};
  if (half_pixel)
    sampling.offset = (sampling.step - sampling.scale) / 2;
  // TensorFlow Lite takes the pixel that a position lies in, TOSA the nearest:
  // half a pixel apart. With aligned corners both take the nearest.
  if (is_nearest && !align_corners)
    sampling.offset = half_pixel ? sampling.step / 2 - sampling.scale / 2
                                 : -(sampling.scale / 2);
  sampling.border =
      (out - 1) * sampling.step - (in - 1) * sampling.scale + sampling.offset;
  return sampling;
}

// Doubles the first row or column where positions before the first pixel are
// read: upstream's lowering continues the slope there instead of the edge.
static void extend_edge(LunaBuilder *b, int64_t dimension, Sampling *sampling,
                        MlirValue *value) {
  int64_t start[4] = {0};
  if (sampling->offset >= 0)
    return;
  LunaShape size = luna_shape_of(*value);
  size.dims[dimension] = 1;
  MlirValue parts[2] = {luna_build_slice(b, *value, start, size.dims), *value};
  *value = luna_build_concat(b, 2, parts, dimension);
  sampling->offset += sampling->scale;
}

static bool resize(LunaTfliteNode *node, bool is_nearest, bool align_corners,
                   bool half_pixel, MlirType element, Sampling samplings[2],
                   MlirValue *value) {
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (!luna_tflite_need_rank(node, *value, 4) || output->rank != 4)
    return luna_tflite_fail(node,
                            "only images, of 4 dimensions, are supported");
  if (!luna_tflite_follow(node, 0, luna_extent(*value, 0)))
    return false;
  for (int axis = HEIGHT; axis <= WIDTH; ++axis)
    samplings[axis] =
        sample_axis(luna_extent(*value, 1 + axis), output->shape[1 + axis],
                    align_corners, half_pixel, is_nearest);
  for (int axis = HEIGHT; !is_nearest && axis <= WIDTH; ++axis)
    extend_edge(b, 1 + axis, &samplings[axis], value);
  int64_t scale[4] = {samplings[0].scale, samplings[0].step, samplings[1].scale,
                      samplings[1].step};
  int64_t offset[2] = {samplings[0].offset, samplings[1].offset};
  int64_t border[2] = {samplings[0].border, samplings[1].border};
  MlirValue operands[4] = {*value, luna_build_const_shape(b, 4, scale),
                           luna_build_const_shape(b, 2, offset),
                           luna_build_const_shape(b, 2, border)};
  LunaShape shape = luna_tflite_shape_of(output);
  char mode[64];
  snprintf(mode, sizeof mode, "#tosa.resize_mode<%s>",
           is_nearest ? "NEAREST_NEIGHBOR" : "BILINEAR");
  LunaAttr attribute = {"mode", luna_parse_attr(b->context, mode)};
  *value = luna_build_op(b, "tosa.resize", luna_tensor_type(element, &shape), 4,
                         operands, 1, &attribute);
  return true;
}

bool luna_tflite_op_resize_nearest(LunaTfliteNode *node) {
  MlirValue value;
  Sampling samplings[2];
  return luna_tflite_value(node, 0, &value) &&
         luna_tflite_need_same_scale(node, 0) &&
         resize(node, true, luna_tflite_option_bool(node, RESIZE_ALIGN_CORNERS),
                luna_tflite_option_bool(node, RESIZE_HALF_PIXEL),
                luna_element_of(value), samplings, &value) &&
         luna_tflite_set(node, 0, value);
}

static MlirValue add_number(LunaBuilder *b, MlirValue value, double number) {
  return luna_build_binary(b, "tosa.add", value,
                           luna_build_const_like(b, value, b->f32, number));
}

// Of uint8 TensorFlow Lite computes floats, adds a half and cuts off.
static bool resize_uint8(LunaTfliteNode *node, bool align_corners,
                         bool half_pixel, MlirValue value) {
  LunaBuilder *b = node->builder;
  MlirType element = luna_element_of(value);
  Sampling samplings[2];
  value = add_number(b, luna_build_cast(b, value, b->f32), -INT8_MIN);
  if (!resize(node, false, align_corners, half_pixel, b->f32, samplings,
              &value))
    return false;
  value = luna_build_unary(b, "tosa.floor", add_number(b, value, 0.5));
  value = luna_build_cast(b, add_number(b, value, INT8_MIN), element);
  return luna_tflite_set(node, 0, value);
}

bool luna_tflite_op_resize_bilinear(LunaTfliteNode *node) {
  enum { MAX_EXTENT = 1 << 16 };
  MlirValue value;
  Sampling samplings[2];
  bool align_corners = luna_tflite_option_bool(node, BILINEAR_ALIGN_CORNERS);
  bool half_pixel = luna_tflite_option_bool(node, BILINEAR_HALF_PIXEL);
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_need_same_scale(node, 0))
    return false;
  if (luna_tflite_input(node, 0)->type == LUNA_TFLITE_F32)
    return resize(node, false, align_corners, half_pixel,
                  luna_element_of(value), samplings, &value) &&
           luna_tflite_set(node, 0, value);
  if (luna_tflite_input(node, 0)->type == LUNA_TFLITE_U8)
    return resize_uint8(node, align_corners, half_pixel, value);
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (!luna_tflite_need_rank(node, value, 4) || output->rank != 4)
    return luna_tflite_fail(node,
                            "only images, of 4 dimensions, are supported");
  if (!luna_tflite_follow(node, 0, luna_extent(value, 0)))
    return false;
  if (output->shape[1] > MAX_EXTENT || output->shape[2] > MAX_EXTENT ||
      luna_extent(value, 1) > MAX_EXTENT || luna_extent(value, 2) > MAX_EXTENT)
    return luna_tflite_fail(node,
                            "images of more than %d rows or columns are "
                            "not supported",
                            MAX_EXTENT);
  if (output->shape[0] != luna_extent(value, 0) ||
      output->shape[3] != luna_extent(value, 3))
    return luna_tflite_fail(node, "output has other batches or channels than "
                                  "the input");
  return luna_tflite_set(
      node, 0,
      luna_tflite_bilinear_int8(node, value, align_corners, half_pixel));
}
