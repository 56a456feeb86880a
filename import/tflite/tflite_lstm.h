#ifndef LUNA_TFLITE_LSTM_H
#define LUNA_TFLITE_LSTM_H

#include "tflite_recurrent.h"

// UNIDIRECTIONAL_SEQUENCE_LSTM. The weights of the four gates lie in one
// matrix, so that the products with the inputs of all steps are one
// convolution, where they are not too large, and those with the hidden state
// one per step.

/// The gates, in the order of their operands.
enum {
  LUNA_LSTM_INPUT_GATE,
  LUNA_LSTM_FORGET_GATE,
  LUNA_LSTM_CELL_GATE,
  LUNA_LSTM_OUTPUT_GATE,
  LUNA_LSTM_GATES,
};

/// The first of each group of operands, one per gate.
enum { LUNA_LSTM_WEIGHTS = 1, LUNA_LSTM_RECURRENT = 5, LUNA_LSTM_BIAS = 12 };

/// An LSTM whose input and states have shapes that go together.
typedef struct LunaTfliteLstm {
  int64_t batch, steps, inputs, units;
  bool is_time_major;
  int64_t activation; ///< of the cell gate
  float cell_clip;
  LunaTfliteVariable *hidden, *cell;
} LunaTfliteLstm;

/// Fails unless the weights and biases of all gates have their shapes and these
/// types, and there are no operands of other kinds of LSTM.
bool luna_tflite_lstm_check_gates(LunaTfliteNode *node,
                                  const LunaTfliteLstm *lstm, int weight_type,
                                  int bias_type);
/// Adds the constants of all gates, operands `first` on, as one of this shape.
bool luna_tflite_lstm_join(LunaTfliteNode *node, int64_t first,
                           const LunaShape *shape, MlirValue *value);
/// The same for weights, as those of luna_tflite_multiply_rows.
bool luna_tflite_lstm_join_weights(LunaTfliteNode *node,
                                   const LunaTfliteLstm *lstm, int64_t first,
                                   MlirValue *value);
/// Adds zeros as the biases of all gates.
MlirValue luna_tflite_lstm_zeros(LunaBuilder *b, const LunaTfliteLstm *lstm,
                                 MlirType element);

/// How a form of the LSTM computes.
typedef struct LunaTfliteLstmForm {
  /// Adds the product of `count` rows of the input and the weights, with the
  /// biases: [count, gates, units].
  MlirValue (*multiply)(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                        const void *data, MlirValue rows, int64_t count);
  /// Adds one step: sets the values of the states after it from those before
  /// it and such a product, [batch, gates, units].
  void (*step)(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
               const void *data, MlirValue row);
  const void *data;
  int64_t product_bytes; ///< of one element of a product
} LunaTfliteLstmForm;

/// Adds all steps, a loop where there are several. Sets the new state; gives
/// the hidden state after each step, in the order of the input.
MlirValue luna_tflite_lstm_run(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                               MlirValue input, const LunaTfliteLstmForm *form);

/// Converts an LSTM of float32, or of int8 or int16.
bool luna_tflite_lstm_f32(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                          MlirValue input, MlirValue *output);
bool luna_tflite_lstm_int(LunaTfliteNode *node, const LunaTfliteLstm *lstm,
                          MlirValue input, MlirValue *output);

#endif // LUNA_TFLITE_LSTM_H
