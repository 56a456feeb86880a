#include "tflite_recurrent.h"
#include "tflite_wide.h"

// UNIDIRECTIONAL_SEQUENCE_LSTM on int8 and int16: weights are int8, the cell is
// int16. The weights of the four gates lie in one matrix, so that the products
// with the inputs of all steps are one convolution, and those with the hidden
// state one per step; the rest of a step is one linalg.generic.

enum { ACTIVATION_TANH = 4, ACTIVATION_SIGMOID = 6 };

typedef struct IntLstm {
  const LunaLstm *shape;
  bool is_wide;    ///< int16 inputs
  bool is_sigmoid; ///< the cell gate's activation
  LunaTfliteScale input, hidden, cell;
  LunaMultiplier input_by[LUNA_LSTM_GATES], hidden_by[LUNA_LSTM_GATES];
  LunaMultiplier forget, add, output; ///< of the products after the gates
  LunaSigmoid16 tanh;                 ///< of the cell
  int64_t clip;                       ///< -1: none
  MlirValue table;
} IntLstm;

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

static bool gate_multipliers(LunaTfliteNode *node, int64_t first, float scale,
                             LunaMultiplier by[LUNA_LSTM_GATES]) {
  const double gate_scale = 0.000244140625; // 2^-12
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate) {
    LunaTfliteScale weights;
    if (!luna_node_scale(node, luna_node_input(node, first + gate), &weights))
      return false;
    if (weights.zero_point != 0)
      return luna_node_fail(node, "weights must have the zero point 0");
    if (!luna_node_multiplier(
            node, (double)(scale * weights.scale) / gate_scale, &by[gate]))
      return false;
  }
  return true;
}

static LunaSigmoid16 tanh_of_cell(float scale) {
  int shift = 12 + luna_tfl_log2(scale);
  if (shift < 0)
    return (LunaSigmoid16){.factor = 3, .shift = -shift, .is_tanh = true};
  return (LunaSigmoid16){.factor = 3 << shift, .is_tanh = true};
}

static int64_t quantize_clip(float clip, float scale) {
  double steps = (double)clip / (double)scale;
  if (!(clip > 0))
    return -1;
  return steps > 32767 ? 32767 : (int64_t)steps;
}

static bool read_scales(LunaTfliteNode *node, IntLstm *lstm) {
  const double one = 0.000030517578125; // 2^-15
  const LunaLstm *shape = lstm->shape;
  LunaTfliteScale output;
  if (!luna_node_scale(node, luna_node_input(node, 0), &lstm->input) ||
      !luna_node_scale(node, shape->hidden->tensor, &lstm->hidden) ||
      !luna_node_scale(node, shape->cell->tensor, &lstm->cell) ||
      !luna_node_scale(node, luna_node_output(node, 0), &output) ||
      !gate_multipliers(node, LUNA_LSTM_WEIGHTS, lstm->input.scale,
                        lstm->input_by) ||
      !gate_multipliers(node, LUNA_LSTM_RECURRENT, lstm->hidden.scale,
                        lstm->hidden_by))
    return false;
  if (output.scale != lstm->hidden.scale ||
      output.zero_point != lstm->hidden.zero_point)
    return luna_node_fail(node, "output and hidden state must have the same "
                                "scale and zero point");
  double cell = (double)lstm->cell.scale;
  lstm->forget = luna_quantize_multiplier(one * cell / cell);
  lstm->add = luna_quantize_multiplier(one * one / cell);
  lstm->output =
      luna_quantize_multiplier(one * one / (double)lstm->hidden.scale);
  lstm->tanh = tanh_of_cell(lstm->cell.scale);
  lstm->clip = quantize_clip(shape->cell_clip, lstm->cell.scale);
  // Beyond these, a factor of 3 * 2^15 or products that leave 32 bits.
  int power = luna_tfl_log2(lstm->cell.scale);
  if (power >= -27 && power <= -1 && lstm->output.shift <= 0)
    return true;
  return luna_node_fail(node,
                        "scales of cell and hidden state, %g and %g, are "
                        "not supported",
                        cell, (double)lstm->hidden.scale);
}

static bool read_int_lstm(LunaTfliteNode *node, IntLstm *lstm) {
  const LunaLstm *shape = lstm->shape;
  lstm->is_wide = luna_node_input(node, 0)->type == LUNA_TFLITE_I16;
  if (shape->activation != ACTIVATION_TANH &&
      shape->activation != ACTIVATION_SIGMOID)
    return luna_node_fail(node, "its activation must be tanh or the logistic "
                                "function");
  lstm->is_sigmoid = shape->activation == ACTIVATION_SIGMOID;
  if (shape->cell->tensor->type != LUNA_TFLITE_I16)
    return luna_node_fail(node, "the cell state is %s, must be int16",
                          luna_tflite_type_name(shape->cell->tensor->type));
  return luna_lstm_check_gates(node, shape, LUNA_TFLITE_I8,
                               lstm->is_wide ? LUNA_TFLITE_I64
                                             : LUNA_TFLITE_I32) &&
         read_scales(node, lstm);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Gives the weights of all gates as one matrix.
static bool join_weights(LunaTfliteNode *node, int64_t first, int64_t units,
                         int64_t length, MlirValue *value) {
  int64_t shape[4] = {LUNA_LSTM_GATES * units, 1, 1, length};
  uint64_t part = (uint64_t)(units * length);
  uint8_t *bytes =
      LUNA_ARENA_ARRAY(node->arena, uint8_t, LUNA_LSTM_GATES *part);
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    for (uint64_t i = 0; i < part; ++i)
      bytes[(uint64_t)gate * part + i] =
          luna_node_input(node, first + gate)->data[i];
  if (!luna_node_count_constant(node, LUNA_LSTM_GATES * part))
    return false;
  *value = luna_tosa_const(node->builder,
                           mlirDenseElementsAttrRawBufferGet(
                               luna_tosa_type(node->builder->i8, 4, shape),
                               (size_t)(LUNA_LSTM_GATES * part), bytes));
  return true;
}

// Gives the biases of all gates as one vector: 32 bits, or the low 48 of 64.
static MlirValue join_biases(LunaTfliteNode *node, const IntLstm *lstm) {
  int64_t units = lstm->shape->units, count = LUNA_LSTM_GATES * units;
  int wide = lstm->is_wide ? 8 : 4, narrow = lstm->is_wide ? 6 : 4;
  uint8_t *bytes = LUNA_ARENA_ARRAY(node->arena, uint8_t, count *narrow);
  for (int64_t i = 0; i < count; ++i) {
    int64_t gate = i / units, unit = i % units;
    const uint8_t *data = luna_node_input(node, LUNA_LSTM_BIAS + gate)->data;
    for (int b = 0; b < narrow; ++b)
      bytes[i * narrow + b] = data[unit * wide + b];
  }
  MlirType element = lstm->is_wide ? node->builder->i48 : node->builder->i32;
  return luna_tosa_const(node->builder, mlirDenseElementsAttrRawBufferGet(
                                            luna_tosa_type(element, 1, &count),
                                            (size_t)(count * narrow), bytes));
}

static MlirValue zero_biases(LunaTfliteNode *node, const IntLstm *lstm) {
  int64_t count = LUNA_LSTM_GATES * lstm->shape->units;
  MlirType element = lstm->is_wide ? node->builder->i48 : node->builder->i32;
  return luna_tosa_const(node->builder, mlirDenseElementsAttrSplatGet(
                                            luna_tosa_type(element, 1, &count),
                                            mlirIntegerAttrGet(element, 0)));
}

// One side of the gates: what multiplies it, and with what it is scaled.
typedef struct Side {
  MlirValue weights, biases;
  const LunaMultiplier *by;
  int64_t zero_point, length;
} Side;

// Adds rows * weights^T + biases, scaled to int16: [rows, gates, units].
static MlirValue multiply(LunaTfliteNode *node, const IntLstm *lstm,
                          const Side *side, MlirValue rows, int64_t count) {
  LunaTosaBuilder *builder = node->builder;
  int64_t units = lstm->shape->units, outputs = LUNA_LSTM_GATES * units;
  LunaMultiplier *by = LUNA_ARENA_ARRAY(node->arena, LunaMultiplier, outputs);
  for (int64_t i = 0; i < outputs; ++i)
    by[i] = side->by[i / units];
  int64_t input[4] = {1, count, 1, side->length};
  rows = luna_tosa_reshape(builder, rows, 4, input);
  MlirValue product = luna_tfl_multiply_rows(builder, rows, side->weights,
                                             side->biases, side->zero_point);
  LunaRescale rescale = {
      .multipliers = by, .count = outputs, .element = builder->i16};
  int64_t gates[3] = {count, LUNA_LSTM_GATES, units};
  return luna_tosa_reshape(
      builder, luna_tosa_rescale_by(builder, product, &rescale), 3, gates);
}

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

static MlirValue add16(LunaTosaBuilder *builder, MlirValue a, MlirValue b) {
  a = luna_scalar_resize(builder, a, builder->i32);
  b = luna_scalar_resize(builder, b, builder->i32);
  return luna_scalar_saturate(builder, luna_scalar(builder, "arith.addi", a, b),
                              builder->i16);
}

// a * b, scaled.
static MlirValue mul16(LunaTosaBuilder *builder, MlirValue a, MlirValue b,
                       LunaMultiplier by, int64_t zero_point,
                       MlirType element) {
  a = luna_scalar_resize(builder, a, builder->i32);
  b = luna_scalar_resize(builder, b, builder->i32);
  return luna_scalar_requantize(builder,
                                luna_scalar(builder, "arith.muli", a, b), by,
                                zero_point, element);
}

// The elements of new cell and hidden state from those of the gates.
static void step_body(LunaTosaBuilder *builder, const IntLstm *lstm,
                      MlirValue gates[LUNA_LSTM_GATES], MlirValue cell,
                      MlirType hidden, MlirValue results[2]) {
  LunaSigmoid16 sigmoid = {.factor = 3}, tanh = {.factor = 3, .is_tanh = true};
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    gates[gate] = luna_tfl_sigmoid16(
        builder, lstm->table, gates[gate],
        gate == LUNA_LSTM_CELL_GATE && !lstm->is_sigmoid ? tanh : sigmoid);
  MlirValue kept = mul16(builder, gates[LUNA_LSTM_FORGET_GATE], cell,
                         lstm->forget, 0, builder->i16);
  MlirValue added =
      mul16(builder, gates[LUNA_LSTM_INPUT_GATE], gates[LUNA_LSTM_CELL_GATE],
            lstm->add, 0, builder->i16);
  cell = add16(builder, kept, added);
  if (lstm->clip >= 0)
    cell = luna_scalar_clamp(builder, cell, -lstm->clip, lstm->clip);
  MlirValue shown = luna_tfl_sigmoid16(builder, lstm->table, cell, lstm->tanh);
  results[0] = cell;
  results[1] = mul16(builder, shown, gates[LUNA_LSTM_OUTPUT_GATE], lstm->output,
                     lstm->hidden.zero_point, hidden);
}

// Makes new state from the products with the input and the hidden state.
static void step(LunaTfliteNode *node, const IntLstm *lstm, MlirValue x,
                 MlirValue h) {
  LunaTosaBuilder *builder = node->builder;
  const LunaLstm *shape = lstm->shape;
  int64_t loops[2] = {shape->batch, shape->units};
  MlirType hidden = luna_tosa_element(shape->hidden->value);
  LunaGeneric generic = luna_generic(builder, 2, loops);
  MlirValue parts[2][LUNA_LSTM_GATES], gates[LUNA_LSTM_GATES], results[2];
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate) {
    int at[3] = {0, -1 - gate, 1};
    parts[0][gate] = luna_generic_input_at(&generic, x, at);
    parts[1][gate] = luna_generic_input_at(&generic, h, at);
  }
  MlirValue cell = luna_generic_input(&generic, shape->cell->value);
  luna_generic_result(&generic, builder->i16);
  luna_generic_result(&generic, hidden);
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    gates[gate] = add16(builder, parts[0][gate], parts[1][gate]);
  step_body(builder, lstm, gates, cell, hidden, results);
  MlirOperation op = luna_generic_close(&generic, results);
  shape->cell->value = mlirOperationGetResult(op, 0);
  shape->hidden->value = mlirOperationGetResult(op, 1);
}

bool luna_tfl_lstm_int(LunaTfliteNode *node, const LunaLstm *shape,
                       MlirValue input, MlirValue *outputs) {
  LunaTosaBuilder *builder = node->builder;
  IntLstm lstm = {.shape = shape};
  Side x = {.by = lstm.input_by, .length = shape->inputs};
  Side h = {.by = lstm.hidden_by, .length = shape->units};
  if (!read_int_lstm(node, &lstm) ||
      !join_weights(node, LUNA_LSTM_WEIGHTS, shape->units, shape->inputs,
                    &x.weights) ||
      !join_weights(node, LUNA_LSTM_RECURRENT, shape->units, shape->units,
                    &h.weights))
    return false;
  x.zero_point = lstm.input.zero_point;
  h.zero_point = lstm.hidden.zero_point;
  x.biases = join_biases(node, &lstm);
  h.biases = zero_biases(node, &lstm);
  lstm.table = luna_tfl_sigmoid16_table(builder);
  int64_t rows = shape->batch * shape->steps,
          time = shape->is_time_major ? 0 : 1;
  MlirValue all = multiply(node, &lstm, &x, input, rows);
  int64_t whole[4] = {shape->batch, shape->batch, LUNA_LSTM_GATES,
                      shape->units};
  int64_t start[4] = {0},
          size[4] = {shape->batch, shape->batch, LUNA_LSTM_GATES, shape->units};
  int64_t gates[3] = {shape->batch, LUNA_LSTM_GATES, shape->units};
  whole[time] = shape->steps;
  size[time] = 1;
  all = luna_tosa_reshape(builder, all, 4, whole);
  for (int64_t t = 0; t < shape->steps; ++t) {
    start[time] = t;
    MlirValue now = luna_tosa_reshape(
        builder, luna_tosa_slice(builder, all, start, size), 3, gates);
    step(node, &lstm, now,
         multiply(node, &lstm, &h, shape->hidden->value, shape->batch));
    outputs[t] = shape->hidden->value;
  }
  return true;
}
