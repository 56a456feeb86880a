#include "tflite_node.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tflite_import.h"
#include "tflite_ops.h"

// Graphs called many times copy their constants: a bound on what a small file
// can ask for.
enum { CONSTANT_REUSE = 16, SPARE_CONSTANT_BYTES = 1 << 24 };

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

bool luna_tflite_fail(const LunaTfliteNode *node, const char *format, ...) {
  char text[320], output[96] = "", graph[40] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (node->op->output_count > 0)
    snprintf(output, sizeof output, ", output '%.72s'",
             luna_tflite_output(node, 0)->name);
  if (node->frame->graph_index > 0)
    snprintf(graph, sizeof graph, "subgraph %lld, ",
             (long long)node->frame->graph_index);
  char code[24];
  const char *name = luna_tflite_code_name(node->op->code);
  snprintf(code, sizeof code, "code %lld", (long long)node->op->code);
  return luna_error_set(node->import->error, LUNA_ERROR_INPUT,
                        (uint64_t)node->index, "%soperator %lld (%s%s): %s",
                        graph, (long long)node->index, name ? name : code,
                        output, text);
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

const LunaTfliteTensor *luna_tflite_input(const LunaTfliteNode *node,
                                          int64_t i) {
  if (i >= node->op->input_count || node->op->inputs[i] < 0)
    return NULL;
  return &node->frame->graph->tensors[node->op->inputs[i]];
}

const LunaTfliteTensor *luna_tflite_output(const LunaTfliteNode *node,
                                           int64_t i) {
  return &node->frame->graph->tensors[node->op->outputs[i]];
}

static MlirType element_type(const LunaBuilder *b, int type) {
  switch (type) {
  case LUNA_TFLITE_F32:
    return b->f32;
  case LUNA_TFLITE_BOOL:
    return b->i1;
  case LUNA_TFLITE_I8:
  case LUNA_TFLITE_U8:
    return b->i8;
  case LUNA_TFLITE_I16:
    return b->i16;
  case LUNA_TFLITE_I64:
    return b->i64;
  default:
    return b->i32;
  }
}

LunaShape luna_tflite_shape_of(const LunaTfliteTensor *tensor) {
  LunaShape shape = {.rank = (int)tensor->rank};
  memcpy(shape.dims, tensor->shape, (size_t)tensor->rank * sizeof(int64_t));
  return shape;
}

MlirType luna_tflite_tensor_type(const LunaBuilder *b,
                                 const LunaTfliteTensor *tensor) {
  LunaShape shape = luna_tflite_shape_of(tensor);
  return luna_tensor_type(element_type(b, tensor->type), &shape);
}

static MlirAttribute
bool_elements(MlirType type, const LunaTfliteTensor *tensor, LunaArena *arena) {
  int *values = LUNA_ARENA_ARRAY(arena, int, tensor->element_count);
  for (int64_t i = 0; i < tensor->element_count; ++i)
    values[i] = tensor->data[i] != 0;
  return mlirDenseElementsAttrBoolGet(type, (intptr_t)tensor->element_count,
                                      values);
}

MlirAttribute luna_tflite_elements(const LunaBuilder *b,
                                   const LunaTfliteTensor *tensor,
                                   const LunaShape *shape, LunaArena *arena) {
  MlirType type = luna_tensor_type(element_type(b, tensor->type), shape);
  if (tensor->type == LUNA_TFLITE_BOOL)
    return bool_elements(type, tensor, arena);
  const uint8_t *data = tensor->data;
  if (tensor->type == LUNA_TFLITE_U8) {
    uint8_t *moved = LUNA_ARENA_ARRAY(arena, uint8_t, tensor->data_bytes);
    for (size_t i = 0; i < tensor->data_bytes; ++i)
      moved[i] = data[i] ^ 0x80;
    data = moved;
  }
  return mlirDenseElementsAttrRawBufferGet(type, tensor->data_bytes, data);
}

bool luna_tflite_count_constant(LunaTfliteNode *node, uint64_t bytes) {
  LunaTfliteImport *import = node->import;
  import->constant_bytes += bytes;
  if (import->constant_bytes <=
      SPARE_CONSTANT_BYTES + CONSTANT_REUSE * import->model->flat.size_bytes)
    return true;
  return luna_tflite_fail(node, "the graphs that the model calls use its "
                                "constants too many times over");
}

bool luna_tflite_const(LunaTfliteNode *node, const LunaTfliteTensor *tensor,
                       const LunaShape *shape, MlirValue *value) {
  if (luna_tflite_element_bytes(tensor->type) == 0)
    return luna_tflite_fail(node, "'%s' is %s, which is not supported",
                            tensor->name, luna_tflite_type_name(tensor->type));
  if (!luna_tflite_count_constant(node, tensor->data_bytes))
    return false;
  *value = luna_build_const(
      node->builder,
      luna_tflite_elements(node->builder, tensor, shape, node->arena));
  return true;
}

bool luna_tflite_value(LunaTfliteNode *node, int64_t i, MlirValue *value) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor)
    return luna_tflite_fail(node, "input %lld is absent", (long long)i);
  MlirValue *slot = &node->frame->values[node->op->inputs[i]];
  if (mlirValueIsNull(*slot)) {
    if (!tensor->data)
      return luna_tflite_fail(node,
                              "input %lld, '%s', has no value: no operator "
                              "before this one computes it",
                              (long long)i, tensor->name);
    LunaShape shape = luna_tflite_shape_of(tensor);
    if (!luna_tflite_const(node, tensor, &shape, slot))
      return false;
  }
  *value = *slot;
  return true;
}

bool luna_tflite_rows(LunaTfliteNode *node, MlirValue *value) {
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  if (!luna_tflite_value(node, 0, value))
    return false;
  if (input->rank < 1)
    return luna_tflite_fail(node, "needs at least one dimension");
  int64_t length = input->shape[input->rank - 1];
  LunaShape shape = {2, {input->element_count / length, length}};
  *value = luna_build_reshape(node->builder, *value, &shape);
  return true;
}

static bool fail_type(const LunaTfliteNode *node,
                      const LunaTfliteTensor *tensor) {
  return luna_tflite_fail(node,
                          "output '%s' is %s, which this operator does "
                          "not give for its inputs",
                          tensor->name, luna_tflite_type_name(tensor->type));
}

static LunaTfliteTensor *open_output(const LunaTfliteNode *node, int64_t i) {
  LunaTfliteTensor *tensor = &node->frame->graph->tensors[node->op->outputs[i]];
  return node->import->is_resized && tensor->open ? tensor : NULL;
}

static bool fail_size(const LunaTfliteNode *node) {
  return luna_tflite_fail(node, "its output has no or too many elements");
}

bool luna_tflite_follow(const LunaTfliteNode *node, int64_t d, int64_t size) {
  LunaTfliteTensor *tensor = open_output(node, 0);
  if (!tensor || !(tensor->open >> d & 1))
    return true;
  LunaShape shape = luna_tflite_shape_of(tensor);
  shape.dims[d] = size;
  return (size > 0 && luna_tflite_resize(tensor, tensor->rank, shape.dims)) ||
         fail_size(node);
}

static bool is_open_to(const LunaTfliteTensor *tensor, const LunaShape *shape) {
  bool is_open = tensor->rank == shape->rank;
  for (int64_t d = 0; is_open && d < tensor->rank; ++d)
    is_open = tensor->open >> d & 1 || shape->dims[d] == tensor->shape[d];
  return is_open;
}

// Their values have as many elements as the output, in another shape.
static bool is_reshaped(const LunaTfliteNode *node) {
  static const int codes[] = {LUNA_TFLITE_OP_EXPAND_DIMS,
                              LUNA_TFLITE_OP_FULLY_CONNECTED,
                              LUNA_TFLITE_OP_RESHAPE, LUNA_TFLITE_OP_SQUEEZE};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    if (node->op->code == codes[i])
      return true;
  return false;
}

// The shape of an output of which one dimension is open, by its elements.
static bool shape_by_count(const LunaTfliteTensor *tensor, int64_t elements,
                           LunaShape *shape) {
  int open = -1;
  *shape = luna_tflite_shape_of(tensor);
  for (int d = 0; d < shape->rank; ++d) {
    bool is_open = tensor->open >> d & 1;
    if (is_open ? open >= 0 : elements % shape->dims[d] != 0)
      return false;
    if (is_open)
      open = d;
    else
      elements /= shape->dims[d];
  }
  shape->dims[open] = elements;
  return true;
}

// Gives the open dimensions of an output the sizes that its value has.
static bool follow_value(const LunaTfliteNode *node, int64_t i,
                         const LunaShape *value) {
  LunaTfliteTensor *tensor = open_output(node, i);
  LunaShape shape = *value;
  int64_t elements = 1;
  if (!tensor)
    return true;
  for (int d = 0; d < value->rank; ++d)
    elements *= value->dims[d];
  if (!shape_by_count(tensor, elements, &shape)) {
    if (is_reshaped(node) || !is_open_to(tensor, value))
      return luna_tflite_fail(node,
                              "the open dimensions of '%s' do not follow from "
                              "the sizes of the inputs",
                              tensor->name);
    shape = *value;
  }
  return luna_tflite_resize(tensor, tensor->rank, shape.dims) ||
         fail_size(node);
}

bool luna_tflite_set(LunaTfliteNode *node, int64_t i, MlirValue value) {
  const LunaTfliteTensor *tensor = luna_tflite_output(node, i);
  LunaShape computed = luna_shape_of(value);
  if (!follow_value(node, i, &computed))
    return false;
  MlirType type = luna_tflite_tensor_type(node->builder, tensor);
  LunaShape output = luna_tflite_shape_of(tensor);
  int64_t elements = 1;
  for (int d = 0; d < computed.rank; ++d)
    elements *= computed.dims[d];
  if (elements != tensor->element_count)
    return luna_tflite_fail(
        node, "computes %lld elements, output '%s' has %lld",
        (long long)elements, tensor->name, (long long)tensor->element_count);
  if (!mlirTypeEqual(luna_element_of(value),
                     mlirShapedTypeGetElementType(type)))
    return fail_type(node, tensor);
  node->frame->values[node->op->outputs[i]] =
      luna_build_reshape(node->builder, value, &output);
  return true;
}

static bool fail_computed(const LunaTfliteNode *node, int64_t i) {
  return luna_tflite_fail(node,
                          "input %lld, '%s', is computed by the model; "
                          "only a constant is supported here",
                          (long long)i, luna_tflite_input(node, i)->name);
}

bool luna_tflite_need_const(const LunaTfliteNode *node, int64_t i) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor)
    return luna_tflite_fail(node, "input %lld is absent", (long long)i);
  return tensor->data || fail_computed(node, i);
}

// Reads integers of the file.
static void read_ints(const LunaTfliteNode *node,
                      const LunaTfliteTensor *tensor, int64_t *values) {
  const LunaFlat *flat = &node->import->model->flat;
  LunaFlatVector data = {.offset = (size_t)(tensor->data - flat->data)};
  for (int64_t k = 0; k < tensor->element_count; ++k)
    values[k] = tensor->type == LUNA_TFLITE_I32
                    ? luna_flat_i32_at(flat, data, (uint32_t)k)
                    : luna_flat_i64_at(flat, data, (uint32_t)k);
}

// Evaluates integers that operators compute from constants.
static bool evaluate_ints(LunaTfliteNode *node, int64_t i, int64_t *values) {
  MlirValue value;
  if (!luna_tflite_value(node, i, &value))
    return false;
  const LunaConstant *constant = luna_fold_value(node->import->fold, value);
  if (!constant)
    return fail_computed(node, i);
  for (int64_t k = 0; k < constant->count; ++k)
    values[k] = luna_constant_int(constant, k);
  return true;
}

bool luna_tflite_ints(LunaTfliteNode *node, int64_t i, int64_t *values,
                      int64_t limit, int64_t *count) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor)
    return luna_tflite_fail(node, "input %lld is absent", (long long)i);
  if ((tensor->type != LUNA_TFLITE_I32 && tensor->type != LUNA_TFLITE_I64) ||
      tensor->element_count > limit)
    return luna_tflite_fail(
        node,
        "input %lld, '%s', has %lld elements of %s; at most "
        "%lld of int32 or int64 are allowed",
        (long long)i, tensor->name, (long long)tensor->element_count,
        luna_tflite_type_name(tensor->type), (long long)limit);
  *count = tensor->element_count;
  if (!tensor->data)
    return evaluate_ints(node, i, values);
  read_ints(node, tensor, values);
  return true;
}

bool luna_tflite_need_rank(const LunaTfliteNode *node, MlirValue value,
                           int64_t rank) {
  if (luna_rank_of(value) == rank)
    return true;
  return luna_tflite_fail(node, "an input has %lld dimensions, needs %lld",
                          (long long)luna_rank_of(value), (long long)rank);
}

bool luna_tflite_broadcast(const LunaTfliteNode *node, LunaShape other,
                           LunaShape *shape) {
  for (int d = 1; d <= other.rank && d <= shape->rank; ++d) {
    int64_t x = other.dims[other.rank - d], y = shape->dims[shape->rank - d];
    if (x != y && x != 1 && y != 1)
      return luna_tflite_fail(node,
                              "dimensions of %lld and %lld do not go together",
                              (long long)x, (long long)y);
  }
  return luna_broadcast(&other, shape, shape);
}

bool luna_tflite_axis(const LunaTfliteNode *node, int64_t given, int64_t rank,
                      int64_t *axis) {
  *axis = given < 0 ? given + rank : given;
  if (*axis >= 0 && *axis < rank)
    return true;
  return luna_tflite_fail(node, "axis %lld is outside of %lld dimensions",
                          (long long)given, (long long)rank);
}

bool luna_tflite_follow_ints(LunaTfliteNode *node, int64_t i) {
  int64_t sizes[LUNA_TFLITE_MAX_RANK], count = 0;
  if (!open_output(node, 0))
    return true;
  bool is_right =
      luna_tflite_ints(node, i, sizes, LUNA_TFLITE_MAX_RANK, &count);
  for (int64_t d = 0; is_right && d < count; ++d)
    is_right = luna_tflite_follow(node, d, sizes[d]);
  return is_right;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static LunaFlat *flat_of(const LunaTfliteNode *node) {
  // Reading notes faults; the model is the importer's own.
  return (LunaFlat *)&node->import->model->flat;
}

int64_t luna_tflite_option_i32(const LunaTfliteNode *node, unsigned field,
                               int64_t absent) {
  return luna_flat_i32(flat_of(node), node->op->options, field, absent);
}

int64_t luna_tflite_option_enum(const LunaTfliteNode *node, unsigned field) {
  return luna_flat_i8(flat_of(node), node->op->options, field, 0);
}

bool luna_tflite_option_bool(const LunaTfliteNode *node, unsigned field) {
  return luna_flat_bool(flat_of(node), node->op->options, field, false);
}

float luna_tflite_option_f32(const LunaTfliteNode *node, unsigned field) {
  return luna_flat_f32(flat_of(node), node->op->options, field, 0);
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

bool luna_tflite_is_quantized(const LunaTfliteTensor *tensor) {
  return tensor->type == LUNA_TFLITE_I8 || tensor->type == LUNA_TFLITE_U8 ||
         tensor->type == LUNA_TFLITE_I16;
}

bool luna_tflite_channel_scale(const LunaTfliteNode *node,
                               const LunaTfliteTensor *tensor, int64_t i,
                               float *scale) {
  const LunaTfliteQuant *quant = &tensor->quant;
  if (quant->scales.count == 0)
    return luna_tflite_fail(node, "'%s' is %s without a scale", tensor->name,
                            luna_tflite_type_name(tensor->type));
  uint32_t k = quant->scales.count == 1 ? 0 : (uint32_t)i;
  if (k >= quant->scales.count)
    return luna_tflite_fail(node, "'%s' has %u scales, needs one per channel",
                            tensor->name, quant->scales.count);
  *scale = luna_flat_f32_at(&node->import->model->flat, quant->scales, k);
  if (!(*scale > 0) || isinf(*scale))
    return luna_tflite_fail(node,
                            "'%s' has the scale %g, which is not a "
                            "positive number",
                            tensor->name, (double)*scale);
  return true;
}

bool luna_tflite_same_scale(LunaTfliteScale a, LunaTfliteScale b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

bool luna_tflite_output_scale(const LunaTfliteNode *node,
                              LunaTfliteScale *out) {
  return luna_tflite_scale(node, luna_tflite_output(node, 0), out);
}

bool luna_tflite_scales(const LunaTfliteNode *node, LunaTfliteScale *in,
                        LunaTfliteScale *out) {
  return luna_tflite_scale(node, luna_tflite_input(node, 0), in) &&
         luna_tflite_output_scale(node, out);
}

bool luna_tflite_need_same_scale(const LunaTfliteNode *node, int64_t i) {
  const LunaTfliteTensor *input = luna_tflite_input(node, i);
  LunaTfliteScale in, out;
  if (!luna_tflite_is_quantized(input))
    return true;
  if (!luna_tflite_scale(node, input, &in) ||
      !luna_tflite_output_scale(node, &out))
    return false;
  if (luna_tflite_same_scale(in, out))
    return true;
  return luna_tflite_fail(node, "input and output must have the same scale and "
                                "zero point");
}

bool luna_tflite_zero_point(const LunaTfliteNode *node,
                            const LunaTfliteTensor *tensor,
                            int64_t *zero_point) {
  const LunaTfliteQuant *quant = &tensor->quant;
  const LunaFlat *flat = &node->import->model->flat;
  bool is_unsigned = tensor->type == LUNA_TFLITE_U8;
  *zero_point = quant->zero_points.count > 0
                    ? luna_flat_i64_at(flat, quant->zero_points, 0)
                    : 0;
  for (uint32_t i = 1; i < quant->zero_points.count; ++i)
    if (luna_flat_i64_at(flat, quant->zero_points, i) != *zero_point)
      return luna_tflite_fail(node,
                              "'%s' has several zero points, only one is "
                              "supported",
                              tensor->name);
  int64_t lowest = tensor->type == LUNA_TFLITE_I8 ? -128 : 0;
  int64_t highest = is_unsigned                      ? 255
                    : tensor->type == LUNA_TFLITE_I8 ? 127
                                                     : 0;
  if (*zero_point < lowest || *zero_point > highest)
    return luna_tflite_fail(
        node, "'%s' is %s with zero point %lld, allowed are %lld to %lld",
        tensor->name, luna_tflite_type_name(tensor->type),
        (long long)*zero_point, (long long)lowest, (long long)highest);
  *zero_point -= is_unsigned ? 128 : 0;
  return true;
}

bool luna_tflite_scale(const LunaTfliteNode *node,
                       const LunaTfliteTensor *tensor, LunaTfliteScale *scale) {
  if (tensor->quant.scales.count > 1)
    return luna_tflite_fail(node,
                            "'%s' has %u scales, only one is supported "
                            "here",
                            tensor->name, tensor->quant.scales.count);
  return luna_tflite_channel_scale(node, tensor, 0, &scale->scale) &&
         luna_tflite_zero_point(node, tensor, &scale->zero_point);
}

bool luna_tflite_multiplier(const LunaTfliteNode *node, double real,
                            LunaMultiplier *multiplier) {
  *multiplier = luna_quantize_multiplier(real);
  if (luna_tflite_can_rescale(*multiplier))
    return true;
  return luna_tflite_fail(node,
                          "its scales ask for a factor of %g, at most 2^29 "
                          "is supported",
                          real);
}

bool luna_tflite_rescale_real(LunaTfliteNode *node, double real,
                              int64_t input_zp, int64_t output_zp,
                              MlirType element, MlirValue *value) {
  LunaMultiplier multiplier;
  if (!luna_tflite_multiplier(node, real, &multiplier))
    return false;
  *value = luna_tflite_rescale_by(node->builder, *value, multiplier, input_zp,
                                  output_zp, element);
  return true;
}

// The bounds of an activation as real numbers; false for one without.
static bool activation_bounds(int64_t activation, double *min, double *max) {
  *min = activation == LUNA_TFLITE_ACTIVATION_RELU_N1_TO_1 ? -1 : 0;
  *max = activation == LUNA_TFLITE_ACTIVATION_RELU6          ? 6
         : activation == LUNA_TFLITE_ACTIVATION_RELU_N1_TO_1 ? 1
                                                             : INFINITY;
  return activation >= LUNA_TFLITE_ACTIVATION_RELU &&
         activation <= LUNA_TFLITE_ACTIVATION_RELU6;
}

// Quantises a bound as TensorFlow Lite does, in single precision.
static int64_t quantize_bound(double bound, LunaTfliteScale scale,
                              int64_t limit) {
  double steps = round((double)((float)bound / scale.scale));
  double value = steps + (double)scale.zero_point;
  if (value > (double)limit - 1)
    return limit - 1;
  return value < (double)-limit ? -limit : (int64_t)value;
}

bool luna_tflite_activate(LunaTfliteNode *node, const LunaTfliteTensor *tensor,
                          int64_t activation, MlirValue *value) {
  double min = 0, max = 0;
  if (activation == LUNA_TFLITE_ACTIVATION_NONE)
    return true;
  if (!mlirTypeEqual(luna_element_of(*value),
                     element_type(node->builder, tensor->type)))
    return fail_type(node, tensor);
  if (!activation_bounds(activation, &min, &max))
    return luna_tflite_fail(node, "fused activation %lld is not supported",
                            (long long)activation);
  if (tensor->type == LUNA_TFLITE_F32) {
    *value = luna_build_clamp_float(node->builder, *value, min, max);
    return true;
  }
  if (!luna_tflite_is_quantized(tensor)) {
    int64_t high = isinf(max) ? INT32_MAX : (int64_t)max;
    *value = luna_build_clamp_int(node->builder, *value, (int64_t)min, high);
    return true;
  }
  LunaTfliteScale scale;
  if (!luna_tflite_scale(node, tensor, &scale))
    return false;
  int64_t limit = tensor->type == LUNA_TFLITE_I16 ? 32768 : 128;
  *value = luna_build_clamp_int(
      node->builder, *value, quantize_bound(min, scale, limit),
      isinf(max) ? limit - 1 : quantize_bound(max, scale, limit));
  return true;
}
