#include "tflite_recurrent.h"

// UNIDIRECTIONAL_SEQUENCE_LSTM: its operands, and the float32 form. Hidden and
// cell state are state of the model.

enum { LSTM_PEEPHOLE = 9, LSTM_PROJECTION = 16, LSTM_HIDDEN = 18 };
enum { LSTM_CELL = 19, LSTM_NORMS = 20, LSTM_INPUTS = 24, MAX_STEPS = 1024 };
enum {
  OPTION_ACTIVATION,
  OPTION_CELL_CLIP,
  OPTION_PROJ_CLIP,
  OPTION_TIME_MAJOR
};
enum { ACTIVATION_TANH = 4 };

bool luna_lstm_check_gates(LunaTfliteNode *node, const LunaLstm *lstm,
                           int weight_type, int bias_type) {
  for (int64_t i = 0; i < LSTM_INPUTS; ++i) {
    bool is_extra = (i >= LSTM_PEEPHOLE && i < LUNA_LSTM_BIAS) ||
                    i == LSTM_PROJECTION || i == LSTM_PROJECTION + 1 ||
                    i >= LSTM_NORMS;
    if (is_extra && luna_node_input(node, i))
      return luna_node_fail(node,
                            "input %lld is given: peepholes, projection "
                            "and layer normalisation are not supported",
                            (long long)i);
  }
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    if (!luna_tfl_need_shape(node, LUNA_LSTM_WEIGHTS + gate, weight_type, 2,
                             lstm->units, lstm->inputs) ||
        !luna_tfl_need_shape(node, LUNA_LSTM_RECURRENT + gate, weight_type, 2,
                             lstm->units, lstm->units) ||
        !luna_tfl_need_shape(node, LUNA_LSTM_BIAS + gate, bias_type, 1,
                             lstm->units, 1))
      return false;
  return true;
}

static bool read_lstm(LunaTfliteNode *node, LunaLstm *lstm) {
  const LunaTfliteTensor *input = luna_node_input(node, 0);
  lstm->is_time_major = luna_node_option_bool(node, OPTION_TIME_MAJOR);
  lstm->cell_clip = luna_node_option_f32(node, OPTION_CELL_CLIP);
  lstm->activation = luna_node_option_enum(node, OPTION_ACTIVATION);
  if (!luna_tfl_find_variable(node, LSTM_HIDDEN, &lstm->hidden) ||
      !luna_tfl_find_variable(node, LSTM_CELL, &lstm->cell))
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
    if (states[i]->rank != 2 || states[i]->shape[0] != lstm->batch ||
        states[i]->shape[1] != lstm->units)
      return luna_node_fail(
          node, "state '%s' has another shape than %lld by %lld",
          states[i]->name, (long long)lstm->batch, (long long)lstm->units);
  if (states[0]->type != input->type)
    return luna_node_fail(node, "state '%s' is %s, the input %s",
                          states[0]->name,
                          luna_tflite_type_name(states[0]->type),
                          luna_tflite_type_name(input->type));
  if (lstm->steps > MAX_STEPS)
    return luna_node_fail(node, "has %lld steps, at most %d are supported",
                          (long long)lstm->steps, MAX_STEPS);
  return true;
}

static bool add_gate(LunaTfliteNode *node, int gate, MlirValue x,
                     MlirValue *value) {
  LunaTosaBuilder *builder = node->builder;
  LunaTfliteVariable *hidden = NULL;
  MlirValue recurrent;
  if (!luna_tfl_find_variable(node, LSTM_HIDDEN, &hidden) ||
      !luna_tfl_multiply_matrix(node, x, LUNA_LSTM_WEIGHTS + gate,
                                LUNA_LSTM_BIAS + gate, 0, builder->f32,
                                value) ||
      !luna_tfl_multiply_matrix(node, hidden->value, LUNA_LSTM_RECURRENT + gate,
                                -1, 0, builder->f32, &recurrent))
    return false;
  *value =
      luna_tosa_binary(builder, "tosa.add", *value, recurrent, builder->f32);
  *value = luna_tosa_unary(
      builder, gate == LUNA_LSTM_CELL_GATE ? "tosa.tanh" : "tosa.sigmoid",
      *value);
  return true;
}

// One step: the new cell and hidden state from the input of that step.
static bool step_lstm(LunaTfliteNode *node, const LunaLstm *lstm, MlirValue x) {
  LunaTosaBuilder *builder = node->builder;
  MlirType f32 = builder->f32;
  MlirValue gates[LUNA_LSTM_GATES];
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    if (!add_gate(node, gate, x, &gates[gate]))
      return false;
  MlirValue kept =
      luna_tosa_binary(builder, "tosa.mul", gates[LUNA_LSTM_FORGET_GATE],
                       lstm->cell->value, f32);
  MlirValue added =
      luna_tosa_binary(builder, "tosa.mul", gates[LUNA_LSTM_INPUT_GATE],
                       gates[LUNA_LSTM_CELL_GATE], f32);
  MlirValue cell = luna_tosa_binary(builder, "tosa.add", kept, added, f32);
  if (lstm->cell_clip > 0)
    cell = luna_tosa_clamp_float(builder, cell, -(double)lstm->cell_clip,
                                 (double)lstm->cell_clip);
  lstm->cell->value = cell;
  lstm->hidden->value =
      luna_tosa_binary(builder, "tosa.mul", gates[LUNA_LSTM_OUTPUT_GATE],
                       luna_tosa_unary(builder, "tosa.tanh", cell), f32);
  return true;
}

static bool lstm_f32(LunaTfliteNode *node, const LunaLstm *lstm,
                     MlirValue input, MlirValue *outputs) {
  LunaTosaBuilder *builder = node->builder;
  int time = lstm->is_time_major ? 0 : 1;
  int64_t start[3] = {0}, size[3] = {lstm->batch, lstm->batch, lstm->inputs};
  int64_t row[2] = {lstm->batch, lstm->inputs};
  if (lstm->activation != ACTIVATION_TANH)
    return luna_node_fail(node, "its activation must be tanh");
  if (lstm->cell->tensor->type != LUNA_TFLITE_F32)
    return luna_node_fail(node, "the cell state is %s, must be float32",
                          luna_tflite_type_name(lstm->cell->tensor->type));
  if (!luna_lstm_check_gates(node, lstm, LUNA_TFLITE_F32, LUNA_TFLITE_F32))
    return false;
  size[time] = 1;
  for (int64_t t = 0; t < lstm->steps; ++t) {
    start[time] = t;
    MlirValue x = luna_tosa_slice(builder, input, start, size);
    if (!step_lstm(node, lstm, luna_tosa_reshape(builder, x, 2, row)))
      return false;
    outputs[t] = lstm->hidden->value;
  }
  return true;
}

bool luna_tfl_lstm(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  LunaLstm lstm = {0};
  MlirValue input;
  if (!luna_node_value(node, 0, &input) || !read_lstm(node, &lstm))
    return false;
  MlirValue *outputs = LUNA_ARENA_ARRAY(node->arena, MlirValue, lstm.steps);
  bool is_float = luna_node_input(node, 0)->type == LUNA_TFLITE_F32;
  bool converted = is_float ? lstm_f32(node, &lstm, input, outputs)
                            : luna_tfl_lstm_int(node, &lstm, input, outputs);
  if (!converted)
    return false;
  int time = lstm.is_time_major ? 0 : 1;
  int64_t slot[3] = {lstm.batch, lstm.batch, lstm.units};
  slot[time] = 1;
  for (int64_t t = 0; t < lstm.steps; ++t)
    outputs[t] = luna_tosa_reshape(builder, outputs[t], 3, slot);
  return luna_node_set(
      node, 0, luna_tosa_concat(builder, (intptr_t)lstm.steps, outputs, time));
}
