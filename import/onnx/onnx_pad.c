// Pad: tosa.pad for constants; mirrored, repeated and wrapped edges are read by
// index.

#include "onnx.h"

typedef struct Pad {
  MlirValue source;
  LunaOnnxType type;
  LunaShape from, shape;
  int64_t low[LUNA_ONNX_MAX_RANK], high[LUNA_ONNX_MAX_RANK];
  bool reflect, wrap;
} Pad;

// Index into the input: clamped to its edges, mirrored at them, or wrapped.
static MlirValue padded_index(LunaOnnxImport *c, const Pad *p, int d,
                              MlirValue index) {
  MlirValue zero = luna_scalar_index(c->b, 0);
  MlirValue last = luna_scalar_index(c->b, p->from.dims[d] - 1);
  MlirValue at =
      luna_scalar_sub(c->b, index, luna_scalar_index(c->b, p->low[d]));
  if (p->wrap) {
    MlirValue size = luna_scalar_index(c->b, p->from.dims[d]);
    at = luna_scalar_add(c->b, at,
                         luna_scalar_index(c->b, p->from.dims[d] * 64));
    return luna_scalar(c->b, "arith.remui", at, size);
  }
  if (!p->reflect)
    return luna_scalar_min(c->b, luna_scalar_max(c->b, at, zero), last);
  MlirValue below = luna_scalar_compare(c->b, LUNA_LT, at, zero);
  at = luna_scalar_select(c->b, below, luna_scalar_sub(c->b, zero, at), at);
  MlirValue above = luna_scalar_compare(c->b, LUNA_GT, at, last);
  MlirValue twice = luna_scalar_index(c->b, 2 * (p->from.dims[d] - 1));
  return luna_scalar_select(c->b, above, luna_scalar_sub(c->b, twice, at), at);
}

static MlirValue padded_element(LunaOnnxImport *c, const MlirValue *index,
                                void *data) {
  const Pad *p = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  for (int i = 0; i < p->shape.rank; ++i)
    at[i] = padded_index(c, p, i, index[i]);
  return luna_scalar_extract(c->b, p->source, at);
}

static bool read_pads(LunaOnnxImport *c, LunaOnnxNode *n, Pad *p) {
  int64_t pads[2 * LUNA_ONNX_MAX_RANK], axes[LUNA_ONNX_MAX_RANK];
  int rank = p->from.rank;
  int count = luna_onnx_ints(c, n, 1, "pads", pads, 2 * LUNA_ONNX_MAX_RANK);
  int axis_count = luna_onnx_input_ints(c, n, 3, axes, LUNA_ONNX_MAX_RANK);
  if (axis_count == -2)
    return false;
  int listed = axis_count == -1 ? rank : axis_count;
  if (count != 2 * listed)
    return luna_onnx_fail(c, "has %d pads, needs %d", count, 2 * listed);
  for (int i = 0; i < listed; ++i) {
    int d = i;
    if (axis_count != -1 && !luna_onnx_axis(c, axes[i], rank, &d))
      return false;
    p->low[d] = pads[i];
    p->high[d] = pads[i + listed];
  }
  for (int i = 0; i < rank; ++i) {
    int64_t limit = p->reflect ? p->from.dims[i] - 1
                    : p->wrap  ? 64 * p->from.dims[i]
                               : LUNA_ONNX_MAX_ELEMS;
    if (p->low[i] > limit || p->high[i] > limit || p->low[i] < -limit ||
        p->high[i] < -limit)
      return luna_onnx_fail(c, "pads of dimension %d are too large", i);
    p->shape.dims[i] = p->from.dims[i] + p->low[i] + p->high[i];
  }
  return luna_onnx_check_shape(c, &p->shape);
}

// Negative pads cut: they become a slice before the pad.
static MlirValue cut_negative(LunaOnnxImport *c, Pad *p, MlirValue value) {
  int64_t starts[LUNA_ONNX_MAX_RANK];
  LunaShape sizes = p->from;
  for (int i = 0; i < p->from.rank; ++i) {
    starts[i] = p->low[i] < 0 ? -p->low[i] : 0;
    sizes.dims[i] -= starts[i] + (p->high[i] < 0 ? -p->high[i] : 0);
    p->low[i] = p->low[i] < 0 ? 0 : p->low[i];
    p->high[i] = p->high[i] < 0 ? 0 : p->high[i];
  }
  p->from = sizes;
  return luna_build_slice(c->b, value, starts, sizes.dims);
}

static void put_channels_last(Pad *p) {
  int last = p->from.rank - 1;
  int64_t low = p->low[1], high = p->high[1];
  p->from = luna_onnx_shape_last(&p->from);
  p->shape = luna_onnx_shape_last(&p->shape);
  for (int i = 1; i < last; ++i) {
    p->low[i] = p->low[i + 1];
    p->high[i] = p->high[i + 1];
  }
  p->low[last] = low;
  p->high[last] = high;
}

bool luna_onnx_op_pad(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  Pad p = {.type = value->type,
           .from = value->shape,
           .shape = value->shape,
           .reflect = luna_onnx_attr_is(n, "mode", "constant", "reflect"),
           .wrap = luna_onnx_attr_is(n, "mode", "constant", "wrap")};
  double fill_value = luna_onnx_attr_float(n, "value", 0.0);
  if (!read_pads(c, n, &p) ||
      !luna_onnx_input_float(c, n, 2, fill_value, &fill_value))
    return false;
  if (luna_onnx_attr_is(n, "mode", "constant", "constant")) {
    for (int i = 0; i < p.from.rank; ++i)
      if (p.from.dims[i] + (p.low[i] < 0 ? p.low[i] : 0) +
              (p.high[i] < 0 ? p.high[i] : 0) <=
          0)
        return luna_onnx_fail(c, "pads cut all of dimension %d", i);
    bool last = luna_onnx_prefers_last(value);
    LunaShape shape = p.shape;
    if (last)
      put_channels_last(&p);
    MlirValue cut = cut_negative(
        c, &p, last ? luna_onnx_ir_last(c, value) : luna_onnx_ir(c, value));
    int64_t pads[2 * LUNA_ONNX_MAX_RANK];
    for (int i = 0; i < p.from.rank; ++i) {
      pads[2 * i] = p.low[i];
      pads[2 * i + 1] = p.high[i];
    }
    MlirValue made = luna_onnx_pad(c, cut, pads, fill_value);
    n->outputs[0] = last ? luna_onnx_from_last(c, p.type, &shape, made)
                         : luna_onnx_from_ir(c, p.type, &shape, made);
    return true;
  }
  if (!p.reflect && !p.wrap &&
      !luna_onnx_attr_is(n, "mode", "constant", "edge"))
    return luna_onnx_fail(c, "mode must be constant, reflect, edge or wrap");
  p.source = luna_onnx_ir(c, value);
  n->outputs[0] = luna_onnx_from_ir(
      c, p.type, &p.shape,
      luna_onnx_generate(c, p.type, &p.shape, padded_element, &p));
  return true;
}
