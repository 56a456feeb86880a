#ifndef LUNA_FOLD_ZERO_POINTS_H
#define LUNA_FOLD_ZERO_POINTS_H

#include "globals.h"

/// Moves the zero points of inputs into the biases; false after an error.
///
/// A luna.conv2d or luna.matmul with constant int8 weights, whose bias is
/// constant or absent, multiplies its inputs as they are then: the bias has
/// taken up what their zero point gives, b - zp * (the sum of the weights that
/// meet the input), and `folded_zp` says which zero point that was. Padding is
/// 0 now: where outputs differ in the taps that meet the input, the bias has a
/// row for each class of them (luna/border.h), and what the others lack is
/// added to their sums. The result is the same bit for bit. Not where a sum
/// might leave 32 bits on the way, there are too many classes, the weights have
/// a zero point, or the convolution is transposed. New constants are added to
/// `globals`. Refuses memrefs of dynamic shape or strides.
bool luna_fold_zero_points(MlirOperation module, LunaGlobals *globals,
                           LunaArena *arena);

#endif // LUNA_FOLD_ZERO_POINTS_H
