#ifndef LUNA_TFLITE_RECURRENT_H
#define LUNA_TFLITE_RECURRENT_H

#include "tflite_import.h"
#include "tflite_ops.h"

// What SVDF and the forms of the LSTM share.

/// Gives the variable behind an input that must be a variable tensor.
bool luna_tfl_find_variable(LunaTfliteNode *node, int64_t i,
                            LunaTfliteVariable **variable);
/// Fails unless input `i` is a constant of this shape (rank 1 or 2) and type.
bool luna_tfl_need_shape(LunaTfliteNode *node, int64_t i, int type,
                         int64_t rank, int64_t rows, int64_t columns);

/// Adds rows [1, n, 1, k] * weights [m, 1, 1, k]^T + biases [m] as a
/// convolution, whose accumulators have the type of the biases.
MlirValue luna_tfl_multiply_rows(LunaTosaBuilder *builder, MlirValue rows,
                                 MlirValue weights, MlirValue biases,
                                 int64_t input_zp);
/// The same for a matrix of rows and inputs of the operator; `bias` is -1 for
/// zeros. The result is a matrix.
bool luna_tfl_multiply_matrix(LunaTfliteNode *node, MlirValue rows,
                              int64_t weights, int64_t bias, int64_t input_zp,
                              MlirType accumulator, MlirValue *result);

//===----------------------------------------------------------------------===//
// LSTM
//===----------------------------------------------------------------------===//

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
typedef struct LunaLstm {
  int64_t batch, steps, inputs, units;
  bool is_time_major;
  int64_t activation; ///< of the cell gate
  float cell_clip;
  LunaTfliteVariable *hidden, *cell;
} LunaLstm;

/// Fails unless the weights and biases of all gates have their shapes and these
/// types, and there are no operands of other kinds of LSTM.
bool luna_lstm_check_gates(LunaTfliteNode *node, const LunaLstm *lstm,
                           int weight_type, int bias_type);
/// Converts an LSTM of int8 or int16: sets the new state, and the hidden state
/// after each step, [batch, units].
bool luna_tfl_lstm_int(LunaTfliteNode *node, const LunaLstm *lstm,
                       MlirValue input, MlirValue *outputs);

#endif // LUNA_TFLITE_RECURRENT_H
