#include <string.h>

#include "tflite_lstm.h"
#include "tflite_wide.h"

// UNIDIRECTIONAL_SEQUENCE_LSTM on int8 and int16: weights are int8, the cell is
// int16. Beside the products, a step is one linalg.generic.

enum { ACTIVATION_TANH = 4, ACTIVATION_SIGMOID = 6 };

// One side of the gates: what multiplies it, and with what it is scaled.
typedef struct Side {
  MlirValue weights, biases;
  LunaTfliteScale scale;
  LunaMultiplier by[LUNA_LSTM_GATES];
} Side;

typedef struct IntLstm {
  const LunaTfliteLstm *shape;
  bool is_wide;    ///< int16 inputs
  bool is_sigmoid; ///< the cell gate's activation
  Side input, hidden;
  LunaTfliteScale cell;
  LunaMultiplier forget, add, output; ///< of the products after the gates
  LunaTfliteSigmoid16 tanh;           ///< of the cell
  int64_t clip;                       ///< -1: none
  MlirValue table;
} IntLstm;

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

static bool read_side(LunaTfliteNode *node, const LunaTfliteTensor *tensor,
                      int64_t first, Side *side) {
  const double gate_scale = 0.000244140625; // 2^-12
  if (!luna_tflite_scale(node, tensor, &side->scale))
    return false;
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate) {
    LunaTfliteScale weights;
    if (!luna_tflite_scale(node, luna_tflite_input(node, first + gate),
                           &weights))
      return false;
    if (weights.zero_point != 0)
      return luna_tflite_fail(node, "weights must have the zero point 0");
    float scale = side->scale.scale * weights.scale;
    if (!luna_tflite_multiplier(node, (double)scale / gate_scale,
                                &side->by[gate]))
      return false;
  }
  return true;
}

static LunaTfliteSigmoid16 tanh_of_cell(float scale) {
  int shift = 12 + luna_tflite_log2(scale);
  if (shift < 0)
    return (LunaTfliteSigmoid16){.factor = 3, .shift = -shift, .is_tanh = true};
  return (LunaTfliteSigmoid16){.factor = 3 << shift, .is_tanh = true};
}

static int64_t quantize_clip(float clip, float scale) {
  double steps = (double)clip / (double)scale;
  if (!(clip > 0))
    return -1;
  return steps > 32767 ? 32767 : (int64_t)steps;
}

static bool read_scales(LunaTfliteNode *node, IntLstm *lstm) {
  const double one = 0.000030517578125; // 2^-15
  const LunaTfliteLstm *shape = lstm->shape;
  LunaTfliteScale output;
  if (!read_side(node, luna_tflite_input(node, 0), LUNA_LSTM_WEIGHTS,
                 &lstm->input) ||
      !read_side(node, shape->hidden->tensor, LUNA_LSTM_RECURRENT,
                 &lstm->hidden) ||
      !luna_tflite_scale(node, shape->cell->tensor, &lstm->cell) ||
      !luna_tflite_output_scale(node, &output))
    return false;
  LunaTfliteScale hidden = lstm->hidden.scale;
  if (!luna_tflite_same_scale(output, hidden))
    return luna_tflite_fail(node, "output and hidden state must have the same "
                                  "scale and zero point");
  double cell = (double)lstm->cell.scale;
  lstm->forget = luna_quantize_multiplier(one * cell / cell);
  lstm->add = luna_quantize_multiplier(one * one / cell);
  lstm->output = luna_quantize_multiplier(one * one / (double)hidden.scale);
  lstm->tanh = tanh_of_cell(lstm->cell.scale);
  lstm->clip = quantize_clip(shape->cell_clip, lstm->cell.scale);
  // Beyond these, a factor of 3 * 2^15 or products that leave 32 bits.
  int power = luna_tflite_log2(lstm->cell.scale);
  if (power >= -27 && power <= -1 && lstm->output.shift <= 0)
    return true;
  return luna_tflite_fail(node,
                          "scales of cell and hidden state, %g and %g, are "
                          "not supported",
                          cell, (double)hidden.scale);
}

static bool read_int_lstm(LunaTfliteNode *node, IntLstm *lstm) {
  const LunaTfliteLstm *shape = lstm->shape;
  lstm->is_wide = luna_tflite_input(node, 0)->type == LUNA_TFLITE_I16;
  if (shape->activation != ACTIVATION_TANH &&
      shape->activation != ACTIVATION_SIGMOID)
    return luna_tflite_fail(node, "its activation must be tanh or the logistic "
                                  "function");
  lstm->is_sigmoid = shape->activation == ACTIVATION_SIGMOID;
  if (shape->cell->tensor->type != LUNA_TFLITE_I16)
    return luna_tflite_fail(node, "the cell state is %s, must be int16",
                            luna_tflite_type_name(shape->cell->tensor->type));
  return luna_tflite_lstm_check_gates(node, shape, LUNA_TFLITE_I8,
                                      lstm->is_wide ? LUNA_TFLITE_I64
                                                    : LUNA_TFLITE_I32) &&
         read_scales(node, lstm);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Adds the biases of all gates, of 64 bits, as the low 48.
static MlirValue join_wide_biases(LunaTfliteNode *node,
                                  const LunaTfliteLstm *lstm) {
  enum { WIDE = 8, NARROW = 6 };
  int64_t count = LUNA_LSTM_GATES * lstm->units;
  uint8_t *bytes = LUNA_ARENA_ARRAY(node->arena, uint8_t, count *NARROW);
  for (int64_t i = 0; i < count; ++i) {
    int64_t gate = i / lstm->units, unit = i % lstm->units;
    memcpy(bytes + i * NARROW,
           luna_tflite_input(node, LUNA_LSTM_BIAS + gate)->data + unit * WIDE,
           NARROW);
  }
  return luna_build_const(node->builder,
                          mlirDenseElementsAttrRawBufferGet(
                              luna_list_type(node->builder->i48, count),
                              (size_t)(count * NARROW), bytes));
}

static bool join_gates(LunaTfliteNode *node, IntLstm *lstm) {
  const LunaTfliteLstm *shape = lstm->shape;
  LunaBuilder *b = node->builder;
  LunaShape count = {1, {LUNA_LSTM_GATES * shape->units}};
  if (!luna_tflite_lstm_join_weights(node, shape, LUNA_LSTM_WEIGHTS,
                                     &lstm->input.weights) ||
      !luna_tflite_lstm_join_weights(node, shape, LUNA_LSTM_RECURRENT,
                                     &lstm->hidden.weights))
    return false;
  lstm->hidden.biases =
      luna_tflite_lstm_zeros(b, shape, lstm->is_wide ? b->i48 : b->i32);
  if (!lstm->is_wide)
    return luna_tflite_lstm_join(node, LUNA_LSTM_BIAS, &count,
                                 &lstm->input.biases);
  lstm->input.biases = join_wide_biases(node, shape);
  return true;
}

// Adds rows * weights^T + biases, scaled to int16: [rows, gates, units].
static MlirValue multiply(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                          const Side *side, MlirValue rows, int64_t count) {
  LunaBuilder *b = node->builder;
  int64_t units = lstm->units, outputs = LUNA_LSTM_GATES * units;
  LunaMultiplier *by = LUNA_ARENA_ARRAY(node->arena, LunaMultiplier, outputs);
  for (int64_t i = 0; i < outputs; ++i)
    by[i] = side->by[i / units];
  LunaShape input = {4, {1, count, 1, luna_extent(side->weights, 3)}};
  rows = luna_build_reshape(b, rows, &input);
  MlirValue product = luna_tflite_multiply_rows(
      b, rows, side->weights, side->biases, side->scale.zero_point);
  LunaTfliteRescale rescale = {
      .multipliers = by, .count = outputs, .element = b->i16};
  LunaShape gates = {3, {count, LUNA_LSTM_GATES, units}};
  return luna_build_reshape(b, luna_tflite_rescale(b, product, &rescale),
                            &gates);
}

static MlirValue multiply_input(LunaTfliteNode *node,
                                const LunaTfliteLstm *shape, const void *data,
                                MlirValue rows, int64_t count) {
  const IntLstm *lstm = data;
  return multiply(node, shape, &lstm->input, rows, count);
}

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

static MlirValue add16(LunaBuilder *b, MlirValue x, MlirValue y) {
  x = luna_scalar_resize(b, x, b->i32);
  y = luna_scalar_resize(b, y, b->i32);
  return luna_tflite_saturate(b, luna_scalar_add(b, x, y), b->i16);
}

// x * y, scaled.
static MlirValue mul16(LunaBuilder *b, MlirValue x, MlirValue y,
                       LunaMultiplier by, int64_t zero_point,
                       MlirType element) {
  x = luna_scalar_resize(b, x, b->i32);
  y = luna_scalar_resize(b, y, b->i32);
  return luna_tflite_requantize(b, luna_scalar_mul(b, x, y), by, zero_point,
                                element);
}

// The elements of new cell and hidden state from those of the gates.
static void step_body(LunaBuilder *b, const IntLstm *lstm,
                      MlirValue gates[LUNA_LSTM_GATES], MlirValue cell,
                      MlirType hidden, MlirValue results[2]) {
  LunaTfliteSigmoid16 sigmoid = {.factor = 3},
                      tanh = {.factor = 3, .is_tanh = true};
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    gates[gate] = luna_tflite_sigmoid16(
        b, lstm->table, gates[gate],
        gate == LUNA_LSTM_CELL_GATE && !lstm->is_sigmoid ? tanh : sigmoid);
  MlirValue kept =
      mul16(b, gates[LUNA_LSTM_FORGET_GATE], cell, lstm->forget, 0, b->i16);
  MlirValue added = mul16(b, gates[LUNA_LSTM_INPUT_GATE],
                          gates[LUNA_LSTM_CELL_GATE], lstm->add, 0, b->i16);
  cell = add16(b, kept, added);
  if (lstm->clip >= 0)
    cell = luna_scalar_clamp(b, cell, -lstm->clip, lstm->clip);
  MlirValue shown = luna_tflite_sigmoid16(b, lstm->table, cell, lstm->tanh);
  results[0] = cell;
  results[1] = mul16(b, shown, gates[LUNA_LSTM_OUTPUT_GATE], lstm->output,
                     lstm->hidden.scale.zero_point, hidden);
}

// Adds the cell state, the old one and a result: in a loop the same place, or
// it would be copied back after each step.
static MlirValue add_cell(LunaGeneric *generic, const LunaTfliteLstm *shape) {
  if (shape->steps > 1)
    return luna_generic_update(generic, shape->cell->value);
  MlirValue cell = luna_generic_input(generic, shape->cell->value);
  luna_generic_result(generic, luna_element_of(shape->cell->value));
  return cell;
}

static void step(LunaTfliteNode *node, const LunaTfliteLstm *shape,
                 const void *data, MlirValue row) {
  LunaBuilder *b = node->builder;
  const IntLstm *lstm = data;
  LunaShape loops = {2, {shape->batch, shape->units}};
  MlirValue back =
      multiply(node, shape, &lstm->hidden, shape->hidden->value, shape->batch);
  MlirType hidden = luna_element_of(shape->hidden->value);
  LunaGeneric generic = luna_generic(b, &loops);
  MlirValue parts[2][LUNA_LSTM_GATES], gates[LUNA_LSTM_GATES], results[2];
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate) {
    int at[3] = {0, -1 - gate, 1};
    parts[0][gate] = luna_generic_input_at(&generic, row, at);
    parts[1][gate] = luna_generic_input_at(&generic, back, at);
  }
  MlirValue cell = add_cell(&generic, shape);
  luna_generic_result(&generic, hidden);
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    gates[gate] = add16(b, parts[0][gate], parts[1][gate]);
  step_body(b, lstm, gates, cell, hidden, results);
  MlirOperation op = luna_generic_close(&generic, results);
  shape->cell->value = mlirOperationGetResult(op, 0);
  shape->hidden->value = mlirOperationGetResult(op, 1);
}

bool luna_tflite_lstm_int(LunaTfliteNode *node, const LunaTfliteLstm *shape,
                          MlirValue input, MlirValue *output) {
  IntLstm lstm = {.shape = shape};
  if (!read_int_lstm(node, &lstm) || !join_gates(node, &lstm))
    return false;
  lstm.table = luna_tflite_sigmoid16_table(node->builder);
  LunaTfliteLstmForm form = {multiply_input, step, &lstm, sizeof(int16_t)};
  *output = luna_tflite_lstm_run(node, shape, input, &form);
  return true;
}
