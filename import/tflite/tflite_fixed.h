#ifndef LUNA_TFLITE_FIXED_H
#define LUNA_TFLITE_FIXED_H

#include <stdint.h>

#include "luna/multiplier.h"

// TensorFlow Lite's integer arithmetic, bit for bit, for what is computed while
// a model is read: the tables of non-linear functions.
// Source: TensorFlow Lite Micro, kernels/internal/quantization_util and the
// fixed-point library that its reference kernels use (gemmlowp).

/// Returns value * multiplier, rounded twice: to the nearest integer after the
/// 32-bit product, ties up, then after the right shift, ties away from zero.
int32_t luna_fixed_multiply(int32_t value, LunaMultiplier by);

/// Returns a * b / 2^31, rounded to nearest, ties up; saturates.
int32_t luna_fixed_high_mul(int32_t a, int32_t b);
/// Returns value / 2^exponent, rounded to nearest, ties away from zero.
int32_t luna_fixed_divide_by_pot(int32_t value, int exponent);
/// Returns the nearest value in the range of an integer of `bits` bits.
int64_t luna_fixed_saturate(int64_t value, int bits);
/// Returns value * 2^exponent, saturated to 32 bits.
int32_t luna_fixed_shift_left(int32_t value, int exponent);

/// Returns exp(a) in Q0.31 for a <= 0 in Q5.26.
int32_t luna_fixed_exp(int32_t a_q26);
/// Returns the logistic function in Q0.31 of an argument in Q4.27.
int32_t luna_fixed_logistic(int32_t a_q27);
/// Returns tanh in Q0.31 of an argument in Q4.27.
int32_t luna_fixed_tanh(int32_t a_q27);

/// Returns 1 / (1 + a) in Q0.31 for a from 0 to 1 in Q0.31.
int32_t luna_fixed_reciprocal(int32_t a_q31);
/// Returns 1 / sqrt(input) for an integer; 0 counts as 1.
LunaMultiplier luna_fixed_inverse_sqrt(int32_t input);

/// Returns how large an integer may be before the scaled argument of such a
/// function leaves its `integer_bits`.
int32_t luna_fixed_input_radius(int integer_bits, int left_shift);

#endif // LUNA_TFLITE_FIXED_H
