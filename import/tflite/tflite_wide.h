#ifndef LUNA_TFLITE_WIDE_H
#define LUNA_TFLITE_WIDE_H

#include "tflite_node.h"
#include "tflite_scalar.h"

// What operators on int16 share.

/// Returns the nearest power of two of a positive scale, as TensorFlow Lite
/// computes it, and says whether the scale is one within a thousandth.
int luna_tflite_log2(float scale);
bool luna_tflite_is_power_of_two(float scale);

/// The logistic function or tanh on int16: the input times `factor`, shifted
/// right and rounded, is in steps of 1/(3 * 2^12).
typedef struct LunaTfliteSigmoid16 {
  int32_t factor;
  int shift;
  bool is_tanh;
} LunaTfliteSigmoid16;

/// Adds the table that the function looks its values up in.
MlirValue luna_tflite_sigmoid16_table(LunaBuilder *b);
/// Adds the function of one int16, in a body; the result is an int16 of scale
/// 2^-15.
MlirValue luna_tflite_sigmoid16(LunaBuilder *b, MlirValue table, MlirValue x,
                                LunaTfliteSigmoid16 how);

/// A table of 512 steps over all of int16, with interpolation.
enum { LUNA_TABLE16_ENTRIES = 513 };

/// Fills a table of `function` from `low` to `high`, results of scale 2^-15.
void luna_tflite_fill_table16(float (*function)(float), float low, float high,
                              int16_t table[LUNA_TABLE16_ENTRIES]);
/// Adds the table as a constant, and the lookup of one 32-bit integer in the
/// range of int16, in a body: 32 bits.
MlirValue luna_tflite_table16(LunaBuilder *b,
                              const int16_t table[LUNA_TABLE16_ENTRIES]);
MlirValue luna_tflite_lookup16(LunaBuilder *b, MlirValue table,
                               MlirValue value);

#endif // LUNA_TFLITE_WIDE_H
