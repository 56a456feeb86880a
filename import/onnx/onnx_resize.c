// Resize and Upsample, nearest and linear. The coordinate that each output
// position reads is computed at import, one small table per dimension.

#include "onnx.h"

#include <math.h>
#include <string.h>

typedef struct Axis {
  double scale;
  int64_t in, out;
} Axis;

static double source_coordinate(const Axis *axis, int64_t at,
                                const char *mode) {
  double x = (double)at, in = (double)axis->in;
  // Not rounded to a whole number of elements, as ONNX defines it.
  double out = in * axis->scale;
  if (strcmp(mode, "align_corners") == 0)
    return axis->out == 1 ? 0.0 : x * (in - 1) / (out - 1);
  if (strcmp(mode, "asymmetric") == 0)
    return x / axis->scale;
  if (strcmp(mode, "pytorch_half_pixel") == 0)
    return axis->out > 1 ? (x + 0.5) / axis->scale - 0.5 : 0.0;
  if (strcmp(mode, "tf_half_pixel_for_nn") == 0)
    return (x + 0.5) / axis->scale;
  double half_pixel = (x + 0.5) / axis->scale - 0.5;
  if (strcmp(mode, "half_pixel_symmetric") == 0)
    return half_pixel + in / 2 * (1 - (double)axis->out / out);
  return half_pixel;
}

static const char *const coordinate_modes[] = {
    "half_pixel",         "align_corners",        "asymmetric",
    "pytorch_half_pixel", "tf_half_pixel_for_nn", "half_pixel_symmetric"};

static const char *coordinate_mode(LunaOnnxImport *c, const LunaOnnxNode *n) {
  if (c->opset < 11)
    return "asymmetric";
  for (size_t i = 0; i < sizeof coordinate_modes / sizeof *coordinate_modes;
       ++i)
    if (luna_onnx_attr_is(n, "coordinate_transformation_mode", "half_pixel",
                          coordinate_modes[i]))
      return coordinate_modes[i];
  luna_onnx_fail(c, "coordinate_transformation_mode is not supported");
  return NULL;
}

static int64_t round_nearest(LunaOnnxImport *c, const LunaOnnxNode *n,
                             double x) {
  const char *absent = c->opset < 11 ? "floor" : "round_prefer_floor";
  if (luna_onnx_attr_is(n, "nearest_mode", absent, "floor"))
    return (int64_t)floor(x);
  if (luna_onnx_attr_is(n, "nearest_mode", absent, "ceil"))
    return (int64_t)ceil(x);
  if (luna_onnx_attr_is(n, "nearest_mode", absent, "round_prefer_ceil"))
    return (int64_t)floor(x + 0.5);
  return (int64_t)ceil(x - 0.5);
}

static int64_t clamp(int64_t x, int64_t size) {
  return x < 0 ? 0 : x >= size ? size - 1 : x;
}

// Applies one axis: picks rows, or blends two of them.
static LunaOnnxValue *resize_axis(LunaOnnxImport *c, LunaOnnxNode *n,
                                  LunaOnnxValue *value, int d, const Axis *axis,
                                  const char *mode, bool linear) {
  int64_t *low = luna_onnx_new_data(c, axis->out, 8);
  int64_t *high = luna_onnx_new_data(c, axis->out, 8);
  uint8_t *weight = luna_onnx_new_data(c, axis->out, 4);
  for (int64_t i = 0; i < axis->out; ++i) {
    double x = source_coordinate(axis, i, mode);
    if (linear) {
      double base = floor(x);
      low[i] = clamp((int64_t)base, axis->in);
      high[i] = clamp((int64_t)base + 1, axis->in);
      luna_onnx_set_float(LUNA_ONNX_F32, weight, i, x - base);
    } else {
      low[i] = clamp(round_nearest(c, n, x), axis->in);
    }
  }
  LunaOnnxValue *rows[2] = {value, luna_onnx_new_ints(c, low, (int)axis->out)};
  LunaOnnxValue *first = luna_onnx_take(c, rows[0], rows[1], d);
  if (!linear || !first)
    return first;
  LunaOnnxValue *second =
      luna_onnx_take(c, value, luna_onnx_new_ints(c, high, (int)axis->out), d);
  LunaShape shape = luna_onnx_shape(value->shape.rank, NULL);
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = i == d ? axis->out : 1;
  LunaOnnxValue *blend = luna_onnx_new_const(c, LUNA_ONNX_F32, &shape, weight);
  LunaOnnxValue *change = luna_onnx_apply(
      c, "Mul", luna_onnx_apply(c, "Sub", second, first), blend);
  return luna_onnx_apply(c, "Add", first, change);
}

// Reads scales or sizes, one per dimension (or per entry of `axes`).
static bool read_axes(LunaOnnxImport *c, LunaOnnxNode *n, Axis *axes) {
  const LunaShape *shape = &n->inputs[0]->shape;
  bool upsample = strcmp(n->proto->op_type, "Upsample") == 0;
  int scales_at = upsample || c->opset < 11 ? 1 : 2, rank = shape->rank;
  LunaOnnxValue *scales = luna_onnx_input(n, scales_at),
                *sizes = luna_onnx_input(n, 3);
  int64_t listed[LUNA_ONNX_MAX_RANK], list[LUNA_ONNX_MAX_RANK];
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, "scales");
  int axis_count =
      luna_onnx_attr_ints(c, n, "axes", listed, LUNA_ONNX_MAX_RANK);
  if (axis_count == -2)
    return false;
  int count = axis_count == -1 ? rank : axis_count;
  for (int i = 0; i < rank; ++i)
    axes[i] = (Axis){1.0, shape->dims[i], shape->dims[i]};
  bool by_scale = scales && luna_onnx_elems(&scales->shape) > 0;
  if (by_scale && (luna_onnx_elems(&scales->shape) != count ||
                   !luna_onnx_evaluate(c, scales)))
    return luna_onnx_fail(c, "scales must be constant, one per dimension");
  if (!by_scale && attr && attr->n_floats != (size_t)count)
    return luna_onnx_fail(c, "scales must be one per dimension");
  if (!by_scale && !attr &&
      (!sizes ||
       luna_onnx_input_ints(c, n, 3, list, LUNA_ONNX_MAX_RANK) != count))
    return luna_onnx_fail(c, "has neither scales nor sizes");
  for (int i = 0; i < count; ++i) {
    int d = i;
    if (axis_count != -1 && !luna_onnx_axis(c, listed[i], rank, &d))
      return false;
    Axis *axis = &axes[d];
    if (by_scale || attr) {
      axis->scale =
          by_scale ? luna_onnx_float_at(scales, i) : (double)attr->floats[i];
      // In single precision, which makes 14 of 10 times 1.4.
      double out = floorf((float)axis->in * (float)axis->scale);
      if (!(axis->scale > 0) || !(out >= 1) || out > LUNA_ONNX_MAX_LIST)
        return luna_onnx_fail(c, "scale %g is not possible", axis->scale);
      axis->out = (int64_t)out;
    } else {
      axis->out = list[i];
      if (axis->out < 1 || axis->out > LUNA_ONNX_MAX_LIST)
        return luna_onnx_fail(c, "size %lld is not possible",
                              (long long)list[i]);
      axis->scale = (double)axis->out / (double)axis->in;
    }
  }
  return true;
}

bool luna_onnx_op_resize(LunaOnnxImport *c, LunaOnnxNode *n) {
  Axis axes[LUNA_ONNX_MAX_RANK];
  LunaOnnxValue *value = n->inputs[0];
  bool linear = luna_onnx_attr_is(n, "mode", "nearest", "linear") ||
                luna_onnx_attr_is(n, "mode", "nearest", "bilinear");
  if ((!linear && !luna_onnx_attr_is(n, "mode", "nearest", "nearest")) ||
      luna_onnx_attr_int(n, "antialias", 0) ||
      !luna_onnx_attr_is(n, "keep_aspect_ratio_policy", "stretch", "stretch"))
    return luna_onnx_fail(c,
                          "mode must be nearest or linear, without antialias");
  if (linear && value->type != LUNA_ONNX_F32)
    return luna_onnx_fail(c, "linear mode needs float");
  const char *mode = coordinate_mode(c, n);
  if (!mode || !luna_onnx_check_shape(c, &value->shape) ||
      !read_axes(c, n, axes))
    return false;
  LunaShape shape = value->shape;
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] = axes[d].out;
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  for (int d = 0; value && d < shape.rank; ++d)
    if (axes[d].out != axes[d].in || axes[d].scale != 1.0)
      value = resize_axis(c, n, value, d, &axes[d], mode, linear);
  n->outputs[0] = value;
  return value != NULL;
}
