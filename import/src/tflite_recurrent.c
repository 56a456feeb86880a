#include <math.h>

#include "luna/checked.h"
#include "tflite_import.h"
#include "tflite_ops.h"

// Operators with memory: SVDF and UNIDIRECTIONAL_SEQUENCE_LSTM. Their variable
// tensors are state of the model.

// Gives the variable behind an input that must be a variable tensor.
static bool find_variable(LunaTfliteNode *node, int64_t i,
                          LunaTfliteVariable **variable) {
  const LunaTfliteTensor *tensor = luna_node_input(node, i);
  if (!tensor || !tensor->is_variable)
    return luna_node_fail(node, "input %lld is not a variable tensor",
                          (long long)i);
  int32_t index = luna_tflite_variable_of(
      node->import, node->frame->graph_index, node->op->inputs[i]);
  *variable = &node->import->variables[index];
  return true;
}

// Fails unless input `i` is a constant of this shape (rank 1 or 2) and type.
static bool need_shape(LunaTfliteNode *node, int64_t i, int type, int64_t rank,
                       int64_t rows, int64_t columns) {
  if (!luna_node_need_const(node, i))
    return false;
  const LunaTfliteTensor *tensor = luna_node_input(node, i);
  if (tensor->type == type && tensor->rank == rank &&
      tensor->shape[0] == rows && (rank < 2 || tensor->shape[1] == columns))
    return true;
  return luna_node_fail(node,
                        "input %lld, '%s', is %s with another shape than "
                        "%lld by %lld",
                        (long long)i, tensor->name,
                        luna_tflite_type_name(tensor->type), (long long)rows,
                        (long long)columns);
}

// Adds rows * weights^T as a 1x1 convolution with an accumulator type; rows are
// a matrix, and so is the result. `bias` is an input, or -1 for zeros.
static bool multiply_matrix(LunaTfliteNode *node, MlirValue rows,
                            int64_t weights, int64_t bias, int64_t input_zp,
                            MlirType accumulator, MlirValue *result) {
  static const int64_t no_pad[4] = {0}, ones[2] = {1, 1};
  LunaTosaBuilder *builder = node->builder;
  const LunaTfliteTensor *tensor = luna_node_input(node, weights);
  int64_t count = luna_tosa_extent(rows, 0), length = tensor->shape[1];
  int64_t units = tensor->shape[0], input[4] = {1, count, 1, length};
  int64_t filter[4] = {units, 1, 1, length}, output[4] = {1, count, 1, units};
  int64_t matrix[2] = {count, units};
  bool is_float = mlirTypeEqual(accumulator, builder->f32);
  MlirAttribute zero =
      is_float ? mlirFloatAttrDoubleGet(builder->context, accumulator, 0)
               : mlirIntegerAttrGet(accumulator, 0);
  MlirValue operands[5] = {luna_tosa_reshape(builder, rows, 4, input)};
  if (!luna_node_const(node, tensor, 4, filter, &operands[1]))
    return false;
  if (bias < 0)
    operands[2] = luna_tosa_const(
        builder, mlirDenseElementsAttrSplatGet(
                     luna_tosa_type(accumulator, 1, &units), zero));
  else if (!luna_node_const(node, luna_node_input(node, bias), 1, &units,
                            &operands[2]))
    return false;
  operands[3] = luna_tosa_const_int(builder, luna_tosa_element(rows), input_zp);
  operands[4] = luna_tosa_const_int(builder, luna_tosa_element(operands[1]), 0);
  MlirNamedAttribute attributes[4] = {
      luna_tosa_named(builder, "pad", luna_tosa_i64s(builder, 4, no_pad)),
      luna_tosa_named(builder, "stride", luna_tosa_i64s(builder, 2, ones)),
      luna_tosa_named(builder, "dilation", luna_tosa_i64s(builder, 2, ones)),
      luna_tosa_named(builder, "acc_type", mlirTypeAttrGet(accumulator)),
  };
  *result = luna_tosa_op(builder, "tosa.conv2d",
                         luna_tosa_type(accumulator, 4, output), 5, operands, 4,
                         attributes);
  *result = luna_tosa_reshape(builder, *result, 2, matrix);
  return true;
}

//===----------------------------------------------------------------------===//
// SVDF
//===----------------------------------------------------------------------===//

enum { SVDF_FEATURE = 1, SVDF_TIME = 2, SVDF_BIAS = 3, SVDF_STATE = 4 };
enum { SVDF_RANK = 0, SVDF_ACTIVATION = 1 };

typedef struct Svdf {
  int64_t batch, filters, memory, rank, units;
  bool is_float;
  double feature_scale, output_scale;
  int64_t input_zp, output_zp;
  LunaTfliteVariable *state;
} Svdf;

static bool read_svdf_scales(LunaTfliteNode *node, Svdf *svdf) {
  LunaTfliteScale input, feature, time, state, output;
  if (!luna_node_scale(node, luna_node_input(node, 0), &input) ||
      !luna_node_scale(node, luna_node_input(node, SVDF_FEATURE), &feature) ||
      !luna_node_scale(node, luna_node_input(node, SVDF_TIME), &time) ||
      !luna_node_scale(node, luna_node_input(node, SVDF_STATE), &state) ||
      !luna_node_scale(node, luna_node_output(node, 0), &output))
    return false;
  if (feature.zero_point || time.zero_point || state.zero_point)
    return luna_node_fail(node, "weights and state must have the zero point 0");
  // In single precision, as TensorFlow Lite computes them.
  svdf->feature_scale = (double)(input.scale * feature.scale / state.scale);
  svdf->output_scale = (double)(state.scale * time.scale / output.scale);
  svdf->input_zp = input.zero_point;
  svdf->output_zp = output.zero_point;
  return true;
}

static bool read_svdf(LunaTfliteNode *node, Svdf *svdf) {
  const LunaTfliteTensor *input = luna_node_input(node, 0);
  const LunaTfliteTensor *feature = luna_node_input(node, SVDF_FEATURE);
  const LunaTfliteTensor *time = luna_node_input(node, SVDF_TIME);
  const LunaTfliteTensor *state = luna_node_input(node, SVDF_STATE);
  svdf->is_float = input->type == LUNA_TFLITE_F32;
  svdf->rank = luna_node_option_i32(node, SVDF_RANK, 0);
  if (!find_variable(node, SVDF_STATE, &svdf->state))
    return false;
  int64_t cells = 0;
  if (!feature || !time || input->rank != 2 || feature->rank != 2 ||
      time->rank != 2 || svdf->rank < 1 ||
      feature->shape[0] % svdf->rank != 0 ||
      !luna_checked_mul(input->shape[0], feature->shape[0], &cells) ||
      !luna_checked_mul(cells, time->shape[1], &cells) ||
      state->element_count != cells)
    return luna_node_fail(node,
                          "shapes of input, weights and state do not go "
                          "with each other and rank %lld",
                          (long long)svdf->rank);
  svdf->batch = input->shape[0];
  svdf->filters = feature->shape[0];
  svdf->memory = time->shape[1];
  svdf->units = svdf->filters / svdf->rank;
  int weight = svdf->is_float ? LUNA_TFLITE_F32 : LUNA_TFLITE_I8;
  int bias = svdf->is_float ? LUNA_TFLITE_F32 : LUNA_TFLITE_I32;
  if (time->type != state->type)
    return luna_node_fail(node, "state and time weights must have one type");
  return need_shape(node, SVDF_FEATURE, weight, 2, svdf->filters,
                    input->shape[1]) &&
         need_shape(node, SVDF_TIME, time->type, 2, svdf->filters,
                    svdf->memory) &&
         (!luna_node_input(node, SVDF_BIAS) ||
          need_shape(node, SVDF_BIAS, bias, 1, svdf->units, 1)) &&
         (svdf->is_float || read_svdf_scales(node, svdf));
}

// Gives the state with its oldest column gone and a new one at the end.
static bool push_features(LunaTfliteNode *node, const Svdf *svdf,
                          MlirValue *state) {
  LunaTosaBuilder *builder = node->builder;
  MlirValue input, old = svdf->state->value, parts[2];
  MlirType element = luna_tosa_element(old);
  if (!luna_node_value(node, 0, &input) ||
      !multiply_matrix(node, input, SVDF_FEATURE, -1, svdf->input_zp,
                       svdf->is_float ? builder->f32 : builder->i32,
                       &parts[1]) ||
      (!svdf->is_float &&
       !luna_node_rescale(node, svdf->feature_scale, 0, 0, element, &parts[1])))
    return false;
  int64_t column[3] = {svdf->batch, svdf->filters, 1};
  int64_t whole[3] = {svdf->batch, svdf->filters, svdf->memory};
  int64_t start[3] = {0, 0, 1};
  int64_t rest[3] = {svdf->batch, svdf->filters, svdf->memory - 1};
  parts[1] = luna_tosa_reshape(builder, parts[1], 3, column);
  *state = parts[1];
  if (svdf->memory == 1)
    return true;
  parts[0] = luna_tosa_slice(builder, luna_tosa_reshape(builder, old, 3, whole),
                             start, rest);
  *state = luna_tosa_concat(builder, 2, parts, 2);
  return true;
}

// Sums the state over time and over the filters of a unit.
static bool weigh_time(LunaTfliteNode *node, const Svdf *svdf, MlirValue state,
                       MlirValue *value) {
  LunaTosaBuilder *builder = node->builder;
  MlirType wide = svdf->is_float ? builder->f32 : builder->i32;
  const LunaTfliteTensor *time = luna_node_input(node, SVDF_TIME);
  int64_t shape[3] = {1, svdf->filters, svdf->memory};
  int64_t grouped[3] = {svdf->batch, svdf->units, svdf->rank};
  int64_t matrix[2] = {svdf->batch, svdf->units};
  MlirValue weights, bias;
  if (!luna_node_const(node, time, 3, shape, &weights))
    return false;
  *value = luna_tosa_binary(builder, "tosa.mul",
                            luna_tosa_cast(builder, state, wide),
                            luna_tosa_cast(builder, weights, wide), wide);
  *value = luna_tosa_reduce(builder, "tosa.reduce_sum", *value, 2);
  *value = luna_tosa_reshape(builder, *value, 3, grouped);
  *value = luna_tosa_reduce(builder, "tosa.reduce_sum", *value, 2);
  *value = luna_tosa_reshape(builder, *value, 2, matrix);
  if (!luna_node_input(node, SVDF_BIAS))
    return true;
  if (!luna_node_value(node, SVDF_BIAS, &bias))
    return false;
  *value = luna_tosa_binary(builder, "tosa.add", *value, bias, wide);
  return true;
}

bool luna_tfl_svdf(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  Svdf svdf = {0};
  MlirValue state, value;
  if (!read_svdf(node, &svdf) || !push_features(node, &svdf, &state) ||
      !weigh_time(node, &svdf, state, &value) ||
      (!svdf.is_float &&
       !luna_node_rescale(node, svdf.output_scale, 0, svdf.output_zp,
                          builder->i8, &value)))
    return false;
  const LunaTfliteTensor *tensor = svdf.state->tensor;
  svdf.state->value =
      luna_tosa_reshape(builder, state, tensor->rank, tensor->shape);
  return luna_node_activate(node, luna_node_output(node, 0),
                            luna_node_option_enum(node, SVDF_ACTIVATION),
                            &value) &&
         luna_node_set(node, 0, value);
}

//===----------------------------------------------------------------------===//
// UNIDIRECTIONAL_SEQUENCE_LSTM, float32
//===----------------------------------------------------------------------===//

enum { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };
enum { LSTM_WEIGHTS = 1, LSTM_RECURRENT = 5, LSTM_PEEPHOLE = 9 };
enum { LSTM_BIAS = 12, LSTM_PROJECTION = 16, LSTM_HIDDEN = 18, LSTM_CELL = 19 };
enum { LSTM_NORMS = 20, LSTM_INPUTS = 24, MAX_STEPS = 1024 };
enum {
  OPTION_ACTIVATION,
  OPTION_CELL_CLIP,
  OPTION_PROJ_CLIP,
  OPTION_TIME_MAJOR
};
enum { ACTIVATION_TANH = 4 };

typedef struct Lstm {
  int64_t batch, steps, inputs, units;
  bool is_time_major;
  float cell_clip;
  LunaTfliteVariable *hidden, *cell;
} Lstm;

static bool check_gates(LunaTfliteNode *node, const Lstm *lstm) {
  for (int64_t i = 0; i < LSTM_INPUTS; ++i) {
    bool is_extra = (i >= LSTM_PEEPHOLE && i < LSTM_BIAS) ||
                    i == LSTM_PROJECTION || i == LSTM_PROJECTION + 1 ||
                    i >= LSTM_NORMS;
    if (is_extra && luna_node_input(node, i))
      return luna_node_fail(node,
                            "input %lld is given: peepholes, projection "
                            "and layer normalisation are not supported",
                            (long long)i);
  }
  for (int gate = 0; gate < GATES; ++gate)
    if (!need_shape(node, LSTM_WEIGHTS + gate, LUNA_TFLITE_F32, 2, lstm->units,
                    lstm->inputs) ||
        !need_shape(node, LSTM_RECURRENT + gate, LUNA_TFLITE_F32, 2,
                    lstm->units, lstm->units) ||
        !need_shape(node, LSTM_BIAS + gate, LUNA_TFLITE_F32, 1, lstm->units, 1))
      return false;
  return true;
}

static bool read_lstm(LunaTfliteNode *node, Lstm *lstm) {
  const LunaTfliteTensor *input = luna_node_input(node, 0);
  lstm->is_time_major = luna_node_option_bool(node, OPTION_TIME_MAJOR);
  lstm->cell_clip = luna_node_option_f32(node, OPTION_CELL_CLIP);
  if (luna_node_option_enum(node, OPTION_ACTIVATION) != ACTIVATION_TANH)
    return luna_node_fail(node, "its activation must be tanh");
  if (!find_variable(node, LSTM_HIDDEN, &lstm->hidden) ||
      !find_variable(node, LSTM_CELL, &lstm->cell))
    return false;
  const LunaTfliteTensor *cell = lstm->cell->tensor;
  if (input->rank != 3 || cell->rank != 2)
    return luna_node_fail(node,
                          "input and state have %lld and %lld "
                          "dimensions, need 3 and 2",
                          (long long)input->rank, (long long)cell->rank);
  lstm->batch = input->shape[lstm->is_time_major];
  lstm->steps = input->shape[!lstm->is_time_major];
  lstm->inputs = input->shape[2];
  lstm->units = cell->shape[1];
  const LunaTfliteTensor *states[2] = {lstm->hidden->tensor, cell};
  for (int i = 0; i < 2; ++i)
    if (states[i]->type != LUNA_TFLITE_F32 || states[i]->rank != 2 ||
        states[i]->shape[0] != lstm->batch ||
        states[i]->shape[1] != lstm->units)
      return luna_node_fail(node,
                            "state '%s' has another type or shape than "
                            "%lld by %lld float32",
                            states[i]->name, (long long)lstm->batch,
                            (long long)lstm->units);
  if (lstm->steps > MAX_STEPS)
    return luna_node_fail(node, "has %lld steps, at most %d are supported",
                          (long long)lstm->steps, MAX_STEPS);
  return check_gates(node, lstm);
}

static bool add_gate(LunaTfliteNode *node, int gate, MlirValue x,
                     MlirValue *value) {
  LunaTosaBuilder *builder = node->builder;
  LunaTfliteVariable *hidden = NULL;
  MlirValue recurrent;
  if (!find_variable(node, LSTM_HIDDEN, &hidden) ||
      !multiply_matrix(node, x, LSTM_WEIGHTS + gate, LSTM_BIAS + gate, 0,
                       builder->f32, value) ||
      !multiply_matrix(node, hidden->value, LSTM_RECURRENT + gate, -1, 0,
                       builder->f32, &recurrent))
    return false;
  *value =
      luna_tosa_binary(builder, "tosa.add", *value, recurrent, builder->f32);
  *value = luna_tosa_unary(
      builder, gate == GATE_CELL ? "tosa.tanh" : "tosa.sigmoid", *value);
  return true;
}

// One step: the new cell and hidden state from the input of that step.
static bool step_lstm(LunaTfliteNode *node, const Lstm *lstm, MlirValue x) {
  LunaTosaBuilder *builder = node->builder;
  MlirType f32 = builder->f32;
  MlirValue gates[GATES];
  for (int gate = 0; gate < GATES; ++gate)
    if (!add_gate(node, gate, x, &gates[gate]))
      return false;
  MlirValue kept = luna_tosa_binary(builder, "tosa.mul", gates[GATE_FORGET],
                                    lstm->cell->value, f32);
  MlirValue added = luna_tosa_binary(builder, "tosa.mul", gates[GATE_INPUT],
                                     gates[GATE_CELL], f32);
  MlirValue cell = luna_tosa_binary(builder, "tosa.add", kept, added, f32);
  if (lstm->cell_clip > 0)
    cell = luna_tosa_clamp_float(builder, cell, -(double)lstm->cell_clip,
                                 (double)lstm->cell_clip);
  lstm->cell->value = cell;
  lstm->hidden->value =
      luna_tosa_binary(builder, "tosa.mul", gates[GATE_OUTPUT],
                       luna_tosa_unary(builder, "tosa.tanh", cell), f32);
  return true;
}

bool luna_tfl_lstm(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  Lstm lstm = {0};
  MlirValue input;
  if (!luna_node_value(node, 0, &input) || !read_lstm(node, &lstm))
    return false;
  MlirValue *outputs = LUNA_ARENA_ARRAY(node->arena, MlirValue, lstm.steps);
  int time = lstm.is_time_major ? 0 : 1;
  int64_t start[3] = {0}, size[3] = {lstm.batch, lstm.batch, lstm.inputs};
  int64_t row[2] = {lstm.batch, lstm.inputs};
  int64_t slot[3] = {lstm.batch, lstm.batch, lstm.units};
  size[time] = slot[time] = 1;
  for (int64_t t = 0; t < lstm.steps; ++t) {
    start[time] = t;
    MlirValue x = luna_tosa_slice(builder, input, start, size);
    if (!step_lstm(node, &lstm, luna_tosa_reshape(builder, x, 2, row)))
      return false;
    outputs[t] = luna_tosa_reshape(builder, lstm.hidden->value, 3, slot);
  }
  return luna_node_set(
      node, 0, luna_tosa_concat(builder, (intptr_t)lstm.steps, outputs, time));
}
