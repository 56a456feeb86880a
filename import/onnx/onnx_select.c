// Cast, Clip and Where: elementwise operators with operands of their own kinds.

#include "half.h"
#include "onnx.h"

static MlirValue s_cast(const LunaOnnxScalar *s) {
  const LunaOnnxType *to = s->data;
  return luna_onnx_cast(s->c, s->args[0], s->type, *to);
}

LunaOnnxValue *luna_onnx_cast_value(LunaOnnxImport *c, LunaOnnxValue *value,
                                    LunaOnnxType to) {
  return luna_onnx_map(c, &to, &value, 1, to, s_cast);
}

bool luna_onnx_op_cast(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  const LunaOnnxValue *like = luna_onnx_input(n, 1);
  LunaOnnxType stored = like ? (like->stored ? like->stored : like->type)
                             : (LunaOnnxType)luna_onnx_attr_int(n, "to", 0);
  LunaOnnxType to = luna_onnx_computed(stored);
  if (luna_onnx_type_bytes(to) == 0)
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(to));
  if (stored == (value->stored ? value->stored : value->type)) {
    n->outputs[0] = value;
    return true;
  }
  n->outputs[0] = to == value->type ? luna_onnx_from_ir(c, to, &value->shape,
                                                        luna_onnx_ir(c, value))
                                    : luna_onnx_cast_value(c, value, to);
  if (n->outputs[0] && to != stored) {
    n->outputs[0]->ir =
        luna_build_round_half(c->b, luna_onnx_ir(c, n->outputs[0]),
                              luna_onnx_element_type(c, stored));
    n->outputs[0]->stored = stored;
  }
  if (n->outputs[0] && luna_onnx_is_int(to)) {
    n->outputs[0]->symbol = value->symbol;
    n->outputs[0]->symbol_offset = value->symbol_offset;
  }
  return n->outputs[0] != NULL;
}

static MlirValue s_clip_low(const LunaOnnxScalar *s) {
  return s->count > 1 ? luna_onnx_max(s->c, s->type, s->args[0], s->args[1])
                      : s->args[0];
}
static MlirValue s_clip_high(const LunaOnnxScalar *s) {
  return s->count > 1 ? luna_onnx_min(s->c, s->type, s->args[0], s->args[1])
                      : s->args[0];
}

// A bound of Clip: an input, or before opset 11 an attribute.
static LunaOnnxValue *clip_bound(LunaOnnxImport *c, const LunaOnnxNode *n,
                                 int input, const char *name) {
  LunaOnnxValue *value = luna_onnx_input(n, input);
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, name);
  if (value || !attr || !attr->has_f)
    return value;
  LunaShape scalar = {.rank = 0};
  uint8_t *data = luna_arena_alloc(c->arena, 1, 8);
  luna_onnx_set_float(n->inputs[0]->type, data, 0, (double)attr->f);
  return luna_onnx_new_const(c, n->inputs[0]->type, &scalar, data);
}

bool luna_onnx_op_clip(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *bounds[2] = {clip_bound(c, n, 1, "min"),
                              clip_bound(c, n, 2, "max")};
  LunaOnnxValue *value = n->inputs[0];
  for (int i = 0; i < 2; ++i) {
    if (!bounds[i])
      continue;
    if (bounds[i]->type != value->type ||
        luna_onnx_elems(&bounds[i]->shape) != 1)
      return luna_onnx_fail(c, "bounds must be single numbers of type %s",
                            luna_onnx_type_name(value->type));
    LunaOnnxValue *pair[2] = {value, bounds[i]};
    value = luna_onnx_map(c, n, pair, 2, value->type,
                          i == 0 ? s_clip_low : s_clip_high);
    if (!value)
      return false;
  }
  n->outputs[0] = value;
  return true;
}

static MlirValue s_where(const LunaOnnxScalar *s) {
  return luna_scalar_select(s->b, s->args[0], s->args[1], s->args[2]);
}

LunaOnnxValue *luna_onnx_where(LunaOnnxImport *c, LunaOnnxValue *condition,
                               LunaOnnxValue *x, LunaOnnxValue *y) {
  LunaOnnxValue *inputs[3] = {condition, x, y};
  return luna_onnx_map(c, NULL, inputs, 3, x->type, s_where);
}

bool luna_onnx_op_where(LunaOnnxImport *c, LunaOnnxNode *n) {
  if (n->inputs[0]->type != LUNA_ONNX_BOOL ||
      n->inputs[1]->type != n->inputs[2]->type)
    return luna_onnx_fail(c,
                          "needs a bool condition and two inputs of one type");
  n->outputs[0] = luna_onnx_where(c, n->inputs[0], n->inputs[1], n->inputs[2]);
  return n->outputs[0] != NULL;
}
