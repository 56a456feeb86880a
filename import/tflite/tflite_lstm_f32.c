#include "tflite_lstm.h"

// UNIDIRECTIONAL_SEQUENCE_LSTM on float32.

enum { ACTIVATION_TANH = 4 };

// What multiplies one side of the gates.
typedef struct Side {
  MlirValue weights, biases;
} Side;

typedef struct FloatLstm {
  Side input, hidden;
} FloatLstm;

// Adds rows * weights^T + biases: [rows, gates, units].
static MlirValue multiply(LunaBuilder *b, const LunaTfliteLstm *lstm,
                          const Side *side, MlirValue rows, int64_t count) {
  LunaShape input = {4, {1, count, 1, luna_extent(side->weights, 3)}};
  LunaShape gates = {3, {count, LUNA_LSTM_GATES, lstm->units}};
  rows = luna_build_reshape(b, rows, &input);
  rows = luna_tflite_multiply_rows(b, rows, side->weights, side->biases, 0);
  return luna_build_reshape(b, rows, &gates);
}

static MlirValue multiply_input(LunaTfliteNode *node,
                                const LunaTfliteLstm *lstm, const void *data,
                                MlirValue rows, int64_t count) {
  const FloatLstm *form = data;
  return multiply(node->builder, lstm, &form->input, rows, count);
}

// `sums` are those of all gates, [batch, gates * units].
static MlirValue gate_of(LunaBuilder *b, const LunaTfliteLstm *lstm,
                         MlirValue sums, int gate) {
  int64_t start[2] = {0, gate * lstm->units},
          size[2] = {lstm->batch, lstm->units};
  return luna_build_unary(
      b, gate == LUNA_LSTM_CELL_GATE ? "tosa.tanh" : "tosa.sigmoid",
      luna_build_slice(b, sums, start, size));
}

static void step(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                 const void *data, MlirValue row) {
  LunaBuilder *b = node->builder;
  const FloatLstm *form = data;
  MlirValue back =
      multiply(b, lstm, &form->hidden, lstm->hidden->value, lstm->batch);
  LunaShape all = {2, {lstm->batch, LUNA_LSTM_GATES * lstm->units}};
  MlirValue sums =
      luna_build_binary(b, "tosa.add", luna_build_reshape(b, row, &all),
                        luna_build_reshape(b, back, &all));
  MlirValue gates[LUNA_LSTM_GATES];
  for (int gate = 0; gate < LUNA_LSTM_GATES; ++gate)
    gates[gate] = gate_of(b, lstm, sums, gate);
  MlirValue kept = luna_build_binary(
      b, "tosa.mul", gates[LUNA_LSTM_FORGET_GATE], lstm->cell->value);
  MlirValue added = luna_build_binary(
      b, "tosa.mul", gates[LUNA_LSTM_INPUT_GATE], gates[LUNA_LSTM_CELL_GATE]);
  MlirValue cell = luna_build_binary(b, "tosa.add", kept, added);
  if (lstm->cell_clip > 0)
    cell = luna_build_clamp_float(b, cell, -(double)lstm->cell_clip,
                                  (double)lstm->cell_clip);
  lstm->cell->value = cell;
  lstm->hidden->value =
      luna_build_binary(b, "tosa.mul", gates[LUNA_LSTM_OUTPUT_GATE],
                        luna_build_unary(b, "tosa.tanh", cell));
}

bool luna_tflite_lstm_f32(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                          MlirValue input, MlirValue *output) {
  LunaShape columns = {1, {LUNA_LSTM_GATES * lstm->units}};
  FloatLstm data;
  Side *x = &data.input, *h = &data.hidden;
  if (lstm->activation != ACTIVATION_TANH)
    return luna_tflite_fail(node, "its activation must be tanh");
  if (lstm->cell->tensor->type != LUNA_TFLITE_F32)
    return luna_tflite_fail(node, "the cell state is %s, must be float32",
                            luna_tflite_type_name(lstm->cell->tensor->type));
  if (!luna_tflite_lstm_check_gates(node, lstm, LUNA_TFLITE_F32,
                                    LUNA_TFLITE_F32) ||
      !luna_tflite_lstm_join_weights(node, lstm, LUNA_LSTM_WEIGHTS,
                                     &x->weights) ||
      !luna_tflite_lstm_join_weights(node, lstm, LUNA_LSTM_RECURRENT,
                                     &h->weights) ||
      !luna_tflite_lstm_join(node, LUNA_LSTM_BIAS, &columns, &x->biases))
    return false;
  h->biases = luna_tflite_lstm_zeros(node->builder, lstm, node->builder->f32);
  LunaTfliteLstmForm form = {multiply_input, step, &data, sizeof(float)};
  *output = luna_tflite_lstm_run(node, lstm, input, &form);
  return true;
}
