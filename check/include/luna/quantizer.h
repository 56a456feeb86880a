#ifndef LUNA_QUANTIZER_H
#define LUNA_QUANTIZER_H

// What a luna.quantize of a model gives, judged in binary64: the integers that
// the compiled program's passes gave, against the numbers that the model has.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/record_reader.h"
#include "luna/text.h"
#include "luna/ties.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LUNA_QUANTIZER_RANK_MAX = 16 };

/// A luna.quantize or luna.dequantize of a static shape.
typedef struct LunaQuantizer {
  const char *name; ///< of the operator of the model that it comes from
  int64_t rank, dims[LUNA_QUANTIZER_RANK_MAX];
  /// How far to go in the scales and zero points from one element to the next.
  int64_t scale_strides[LUNA_QUANTIZER_RANK_MAX];
  int64_t zero_strides[LUNA_QUANTIZER_RANK_MAX];
  int64_t element_bytes; ///< of the integers: 1, 2 or 4
  bool is_unsigned;
  LunaTies ties;
  int64_t low, high; ///< bounds of the result
  double bias_slack; ///< by how much a rounded bias moves the numbers
} LunaQuantizer;

/// Values compared with the exact ones.
typedef struct LunaQuantizerTally {
  uint64_t values, wrong;
  uint64_t ties;   ///< right on either side of a tie
  uint64_t single; ///< right as binary32 computes, alone
  uint64_t biases; ///< right with a bias rounded, alone
  /// The first that is wrong: where, the integer, and the number for it before
  /// rounding, the zero point included.
  int64_t first, found;
  double expected;
} LunaQuantizerTally;

/// Returns the number of elements.
int64_t luna_quantizer_count(const LunaQuantizer *quantizer);

/// Compares `found[0..count)` with what the numbers `x` become. An integer is
/// right if it is the rounded number; or that of a number not further away
/// than 2^-20 of the larger of the number and a step, which crosses a tie: the
/// rounding of one binary32 moves numbers by less; or that in `single`, unless
/// it is NULL: what the model gives in binary32, whose sums may lose more; or
/// if it is that of a number within the quantizer's `bias_slack`. NaN becomes
/// anything. `zeros` is NULL where there are none. Adds to `*tally`.
void luna_quantizer_judge(const LunaQuantizer *quantizer, const double *x,
                          const double *scales, const void *zeros,
                          const void *single, const void *found,
                          LunaQuantizerTally *tally);

/// Writes what the numbers `x` become, which like scales are binary64 with
/// `is_double`, else binary32.
void luna_quantizer_apply(const LunaQuantizer *quantizer, const void *x,
                          const void *scales, const void *zeros, bool is_double,
                          void *result);

/// Writes the numbers of the integers of a luna.dequantize, in the same way.
void luna_quantizer_dequantize(const LunaQuantizer *quantizer,
                               const void *integers, const void *scales,
                               const void *zeros, bool is_double, void *result);

/// Appends it to a record, reads it.
void luna_quantizer_save(const LunaQuantizer *quantizer, LunaText *record);
bool luna_quantizer_restore(LunaRecordReader *reader, LunaArena *arena,
                            LunaQuantizer *quantizer);

#ifdef __cplusplus
}
#endif

#endif // LUNA_QUANTIZER_H
