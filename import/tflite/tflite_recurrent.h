#ifndef LUNA_TFLITE_RECURRENT_H
#define LUNA_TFLITE_RECURRENT_H

#include "tflite_import.h"
#include "tflite_ops.h"

// What SVDF and the LSTM share.

/// Finds the variable behind an input that must be a variable tensor.
bool luna_tflite_find_variable(LunaTfliteNode *node, int64_t i,
                               LunaTfliteVariable **variable);
/// Fails unless input `i` is a constant of this shape (rank 1 or 2) and type.
bool luna_tflite_need_shape(LunaTfliteNode *node, int64_t i, int type,
                            int64_t rank, int64_t rows, int64_t columns);

/// Adds rows [1, n, 1, k] * weights [m, 1, 1, k]^T + biases [m] as a
/// convolution, whose accumulators have the type of the biases.
MlirValue luna_tflite_multiply_rows(LunaBuilder *b, MlirValue rows,
                                    MlirValue weights, MlirValue biases,
                                    int64_t input_zp);

#endif // LUNA_TFLITE_RECURRENT_H
