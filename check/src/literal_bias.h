#ifndef LUNA_LITERAL_BIAS_H
#define LUNA_LITERAL_BIAS_H

#include "mlir-c/IR.h"

/// Returns by how much numbers may be off because a bias is rounded: a product
/// of quantised values is summed up in integers, and a bias in float, or of
/// another scale, becomes a multiple of x_scale * w_scale (docs/import.md).
/// That is the largest distance from one among the products that make `value`
/// from what is dequantised: half a unit for integers of another scale, 0 where
/// all biases are multiples.
double luna_literal_bias_slack(MlirValue value);

#endif // LUNA_LITERAL_BIAS_H
