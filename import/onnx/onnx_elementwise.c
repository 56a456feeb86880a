// Operators that work element by element, with broadcasting.
//
// Where TOSA has the operator for the type, it becomes that; else one
// linalg.generic with a scalar body (onnx_functions.c). Results keep the layout
// of their inputs.

#include "onnx_functions.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

// Channels last where that is the current layout of some input and the others
// can follow without a transpose at run time.
static bool use_last(const LunaOnnxImport *c, LunaOnnxValue **inputs, int count,
                     int rank) {
  bool any = false;
  for (int i = 0; i < count; ++i) {
    if (luna_onnx_is_constant(c, inputs[i]) ||
        luna_onnx_elems(&inputs[i]->shape) == 1)
      continue;
    if (inputs[i]->shape.rank != rank || mlirValueIsNull(inputs[i]->last))
      return false;
    any = any || luna_onnx_prefers_last(inputs[i]);
  }
  return any;
}

// The value with dimensions of 1 put in front up to `rank`.
static MlirValue raise_rank(LunaOnnxImport *c, LunaOnnxValue *value, int rank,
                            bool last, LunaShape *shape) {
  *shape = luna_onnx_shape(rank, NULL);
  int shift = rank - value->shape.rank;
  for (int i = 0; i < rank; ++i)
    shape->dims[i] = i < shift ? 1 : value->shape.dims[i - shift];
  LunaOnnxValue *raised = luna_onnx_reshape_value(c, value, shape);
  if (!last)
    return luna_onnx_ir(c, raised);
  *shape = luna_onnx_shape_last(shape);
  return luna_onnx_ir_last(c, raised);
}

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

// Up to six operands at one rank and in one layout, so that they broadcast.
typedef struct Operands {
  MlirValue values[6];
  LunaShape shapes[6];
  /// Of the result: as the IR has it, and as the model does.
  LunaShape out, model_out;
  /// Channels are last.
  bool last;
} Operands;

static bool read_operands(LunaOnnxImport *c, LunaOnnxValue **inputs, int count,
                          Operands *o) {
  o->model_out = inputs[0]->shape;
  for (int i = 1; i < count; ++i)
    if (!luna_broadcast(&o->model_out, &inputs[i]->shape, &o->model_out))
      return luna_onnx_fail(c, "shapes of inputs 0 and %d do not broadcast", i);
  if (!luna_onnx_check_shape(c, &o->model_out))
    return false;
  o->last = use_last(c, inputs, count, o->model_out.rank);
  o->out = o->last ? luna_onnx_shape_last(&o->model_out) : o->model_out;
  for (int i = 0; i < count; ++i)
    o->values[i] =
        raise_rank(c, inputs[i], o->model_out.rank, o->last, &o->shapes[i]);
  return true;
}

// The value of the model that `value`, of shape `o->out`, is.
static LunaOnnxValue *operands_result(LunaOnnxImport *c, LunaOnnxType type,
                                      const Operands *o, MlirValue value) {
  return o->last ? luna_onnx_from_last(c, type, &o->model_out, value)
                 : luna_onnx_from_ir(c, type, &o->model_out, value);
}

static MlirValue emit_generic(LunaOnnxImport *c, const void *data, int count,
                              LunaOnnxType in_type, LunaOnnxType out_type,
                              const Operands *o, LunaOnnxScalarFn fn) {
  MlirValue args[6];
  LunaOnnxScalar scalar = {c, c->b, in_type, args, count, data};
  LunaGeneric generic = luna_generic(c->b, &o->out);
  for (int i = 0; i < count; ++i)
    args[i] = luna_generic_input(&generic, o->values[i]);
  luna_generic_result(&generic, luna_onnx_element_type(c, out_type));
  return luna_generic_end(&generic, fn(&scalar));
}

LunaOnnxValue *luna_onnx_map(LunaOnnxImport *c, const void *data,
                             LunaOnnxValue **inputs, int count,
                             LunaOnnxType out_type, LunaOnnxScalarFn fn) {
  Operands o;
  if (!read_operands(c, inputs, count, &o))
    return NULL;
  return operands_result(
      c, out_type, &o,
      emit_generic(c, data, count, inputs[0]->type, out_type, &o, fn));
}

// A TOSA operator on two operands at a time, or on one.
static MlirValue emit_tosa(LunaOnnxImport *c, const char *name, int count,
                           LunaOnnxType out_type, const Operands *o) {
  MlirValue value = o->values[0];
  LunaShape shape = o->shapes[0];
  if (count == 1)
    return luna_build_op(c->b, name, luna_onnx_tensor_type(c, out_type, &shape),
                         1, &value, 0, NULL);
  for (int i = 1; i < count; ++i) {
    MlirValue operands[3] = {value, o->values[i]};
    bool mul = strcmp(name, "tosa.mul") == 0;
    LunaShape one = {1, {1}};
    if (mul)
      operands[2] = luna_onnx_splat(c, LUNA_ONNX_I8, &one, 0);
    luna_broadcast(&shape, &o->shapes[i], &shape);
    value =
        luna_build_op(c->b, name, luna_onnx_tensor_type(c, out_type, &shape),
                      mul ? 3 : 2, operands, 0, NULL);
  }
  return value;
}

// Keeps track of integers that are an unknown plus a constant.
static void track_symbol(LunaOnnxImport *c, const LunaOnnxNode *n,
                         LunaOnnxValue *out) {
  bool add = strcmp(n->proto->op_type, "Add") == 0;
  if ((!add && strcmp(n->proto->op_type, "Sub") != 0) || n->input_count != 2 ||
      !luna_onnx_is_int(out->type) || luna_onnx_elems(&out->shape) != 1)
    return;
  LunaOnnxValue *a = n->inputs[0], *b = n->inputs[1];
  if (add && luna_onnx_is_constant(c, a)) {
    a = n->inputs[1];
    b = n->inputs[0];
  }
  if (luna_onnx_is_constant(c, a) || !luna_onnx_evaluate_one(c, b))
    return;
  // One unknown integer: from here on it has a name.
  if (!a->symbol) {
    a->symbol = a;
    a->symbol_offset = 0;
  }
  int64_t offset = luna_onnx_int_at(b, 0);
  if (offset < -LUNA_ONNX_MAX_ELEMS || offset > LUNA_ONNX_MAX_ELEMS)
    return;
  out->symbol = a->symbol;
  out->symbol_offset = a->symbol_offset + (add ? offset : -offset);
}

static bool check_types(LunaOnnxImport *c, const LunaOnnxNode *n,
                        const LunaOnnxElementwise *e) {
  LunaOnnxType type = n->inputs[0]->type;
  for (int i = 0; i < n->input_count; ++i)
    if (!n->inputs[i])
      return luna_onnx_fail(c, "input %d is left out", i);
  for (int i = 1; i < n->input_count; ++i)
    if (n->inputs[i]->type != type && strcmp(e->name, "Pow") != 0)
      return luna_onnx_fail(c, "inputs are of types %s and %s",
                            luna_onnx_type_name(type),
                            luna_onnx_type_name(n->inputs[i]->type));
  bool fits = e->accepts == LUNA_ONNX_ACCEPTS_FLOATS ? luna_onnx_is_float(type)
              : e->accepts == LUNA_ONNX_ACCEPTS_INTS ? luna_onnx_is_int(type)
              : e->accepts == LUNA_ONNX_ACCEPTS_BOOLS
                  ? type == LUNA_ONNX_BOOL
                  : type != LUNA_ONNX_BOOL || e->gives_bool;
  // A slope has a scale of its own, which small integers do not say.
  if (strcmp(e->name, "PRelu") == 0 && luna_onnx_type_bytes(type) < 4)
    fits = false;
  return fits || luna_onnx_fail(c, "inputs of type %s are not supported",
                                luna_onnx_type_name(type));
}

static LunaOnnxValue *apply(LunaOnnxImport *c, const LunaOnnxNode *n,
                            const LunaOnnxElementwise *e,
                            LunaOnnxValue **inputs, int count) {
  Operands o;
  if (!read_operands(c, inputs, count, &o))
    return NULL;
  LunaOnnxType type = inputs[0]->type;
  LunaOnnxType out_type = e->gives_bool ? LUNA_ONNX_BOOL : type;
  bool tosa =
      e->tosa &&
      (type == LUNA_ONNX_F32 || e->accepts == LUNA_ONNX_ACCEPTS_BOOLS) &&
      o.out.rank <= 6;
  // Operators over any number of inputs leave a single one as it is.
  if (count == 1 && e->arity == 0)
    return inputs[0];
  MlirValue value = tosa ? emit_tosa(c, e->tosa, count, out_type, &o)
                         : emit_generic(c, n, count, type, out_type, &o, e->fn);
  return operands_result(c, out_type, &o, value);
}

LunaOnnxValue *luna_onnx_apply(LunaOnnxImport *c, const char *name,
                               LunaOnnxValue *a, LunaOnnxValue *b) {
  const LunaOnnxElementwise *e = luna_onnx_find_elementwise(name);
  LunaOnnxValue *inputs[2] = {a, b};
  return a && (b || e->arity == 1) ? apply(c, NULL, e, inputs, b ? 2 : 1)
                                   : NULL;
}

bool luna_onnx_op_elementwise(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaOnnxElementwise *e = luna_onnx_find_elementwise(n->proto->op_type);
  if (!e || !check_types(c, n, e))
    return false;
  if (n->input_count > 6)
    return luna_onnx_fail(c, "has %d inputs, at most 6 are supported",
                          n->input_count);
  n->outputs[0] = apply(c, n, e, n->inputs, n->input_count);
  if (!n->outputs[0])
    return false;
  track_symbol(c, n, n->outputs[0]);
  return true;
}
