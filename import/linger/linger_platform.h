#ifndef LUNA_LINGER_PLATFORM_H
#define LUNA_LINGER_PLATFORM_H

// How the runtimes of LUNA's platforms compute in fixed point. A model is
// quantised for one of them and says for which; what it means does not depend
// on the machine that it is compiled for.

#include "linger_curve.h"
#include "onnx.h"

/// What the operators of a platform differ in.
typedef struct LunaArithmetic {
  LunaCurveForm curves; ///< of sigmoid and tanh
  bool exp_rounds_once; ///< after the last term, not after each
  /// Softmax: the sum's inverse is found by Newton's method, not by division;
  /// how far its product with an exponential is shifted.
  bool inverts_by_newton;
  int share_shift;
  /// The logarithm of softmax is a difference, not taken of softmax's result.
  bool log_softmax_of_sums;
  /// Recurrent operators: types of a gate before and behind its curve and of
  /// the cell state, fraction bits of gates, of their products and of the cell.
  LunaOnnxType sum_type, gate_type, cell_type;
  int gate_bits, mix_bits, cell_bits;
  bool has_gru; ///< as it is known here
} LunaArithmetic;

/// Reads the arithmetic that the node names in `platform` or `platform_quant`,
/// the first of the table by default; false after an error.
bool luna_linger_arithmetic(LunaOnnxImport *c, const LunaOnnxNode *n,
                            const LunaArithmetic **arithmetic);

#endif // LUNA_LINGER_PLATFORM_H
