#ifndef LUNA_LINGER_CURVE_H
#define LUNA_LINGER_CURVE_H

// The functions of LUNA's operators in fixed point, in each form that they have
// (linger_curve.c): sigmoid and tanh are sixteen straight pieces, the
// exponential of softmax a polynomial, the root of a norm a table.

#include <stdbool.h>
#include <stdint.h>

/// How the pieces of sigmoid and tanh are stored.
typedef enum LunaCurveForm {
  LUNA_CURVE_16,    ///< 16 bits; 11 fraction bits in, 15 out
  LUNA_CURVE_32,    ///< 32 bits; 27 in, 31 out
  LUNA_CURVE_WHOLE, ///< the same, products keep their 58 fraction bits
} LunaCurveForm;

enum {
  LUNA_CURVE_PIECES = 16,
  /// Fraction bits of what the exponential takes, of softmax's result.
  LUNA_EXP_BITS = 25,
  LUNA_SOFTMAX_BITS = 15,
  LUNA_ROOT_ENTRIES = 768,
  LUNA_INVERSE_BITS = 46,
  LUNA_LOG_PIECES = 128,
  LUNA_LOG_BITS = 9,
};

/// A function of one number: piece k, which starts above bands[k - 1] in size,
/// is (slopes[k] * x >> shifts[k]) + biases[k], for x < 0 negatives[k].
typedef struct LunaCurve {
  /// Fraction bits of x and of the result.
  int x_bits, y_bits;
  /// x is clamped to [-limit, limit] first.
  int64_t limit;
  int64_t bands[LUNA_CURVE_PIECES - 1];
  int64_t slopes[LUNA_CURVE_PIECES], shifts[LUNA_CURVE_PIECES];
  int64_t biases[LUNA_CURVE_PIECES], negatives[LUNA_CURVE_PIECES];
} LunaCurve;

void luna_curve_sigmoid(LunaCurveForm form, LunaCurve *curve);
void luna_curve_tanh(LunaCurveForm form, LunaCurve *curve);
int64_t luna_curve_at(const LunaCurve *curve, int64_t x);

/// Returns floor(x * 2^-shift + 0.5); a negative shift multiplies.
int64_t luna_round_shift(int64_t x, int shift);
int64_t luna_clamp(int64_t x, int64_t low, int64_t high);

/// Returns e^x with 23 fraction bits, x <= 0 with LUNA_EXP_BITS; its polynomial
/// is rounded after each term or once.
int32_t luna_exp(int64_t x, bool rounds_once);
/// Returns a root of a norm: 2^14 / sqrt((256 + index) / 1024), truncated, at
/// most 32767.
int32_t luna_root(int index);

/// Returns 1 / y with LUNA_INVERSE_BITS, by steps of Newton's method; y is not
/// 0 and has 8 bits. LUNA's division takes the product with it.
int64_t luna_inverse(int y);

/// Writes a straight piece of the logarithm to base two of 0.5 to 1: its value
/// in the middle of the piece with 31 fraction bits, its slope there with 29.
void luna_log_piece(int index, int64_t *middle, int64_t *slope);
/// Returns ln(1 + index / 2^LUNA_LOG_BITS) with 16 fraction bits.
int32_t luna_log_entry(int index);

#endif // LUNA_LINGER_CURVE_H
