#ifndef LUNA_PAIR_SEARCH_H
#define LUNA_PAIR_SEARCH_H

// Integers for an element-wise operator on two int8 operands.
//
// What a framework defines in its own rounding, the unit computes as rescale,
// rescale, operator, rescale. Whether that computes the framework's results is
// a matter of 65,536 pairs: all are tried, and where a few differ, multipliers
// close by are sought that give every one.

#include <stdbool.h>
#include <stdint.h>

#include "luna/multiplier.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What 8 bits hold, and the least of it.
enum { LUNA_PAIR_VALUES = 256, LUNA_PAIR_LOWEST = -128 };

/// Pairs that may be tried for one model, about a second's work: a file could
/// ask for more than anyone waits for.
#define LUNA_PAIR_MAX_WORK (INT64_C(1) << 29)

typedef enum LunaPairKind {
  LUNA_PAIR_ADD,
  LUNA_PAIR_SUB,
  LUNA_PAIR_MUL,
} LunaPairKind;

/// How the operator is computed. Every rescale is TOSA's.
typedef struct LunaPairForm {
  LunaPairKind kind;
  /// Of the operands less their zero points, to 32 bits.
  LunaMultiplier inputs[2];
  int64_t input_zp[2];
  /// The operands are only centred: `inputs` is LUNA_PAIR_UNSCALED and stays.
  bool is_unscaled;
  /// Of the result in 32 bits.
  LunaMultiplier output;
  /// What the result is multiplied by in binary32 instead, before it is rounded
  /// half to even; 0 for none.
  float output_scale;
  int64_t output_zp, low, high;
  /// DOUBLE_ROUND, not SINGLE_ROUND.
  bool rounds_twice;
} LunaPairForm;

/// A multiplier of one.
#define LUNA_PAIR_UNSCALED ((LunaMultiplier){INT32_C(1) << 30, 1})

/// What each pair has to give, by operand less LUNA_PAIR_LOWEST.
typedef struct LunaPairResults {
  int8_t of[LUNA_PAIR_VALUES][LUNA_PAIR_VALUES];
} LunaPairResults;

/// Returns true if `form` gives `wanted` for all pairs; adds what that took to
/// `work`. False where a rescale is outside of what TOSA defines.
bool luna_pair_suits(const LunaPairForm *form, const LunaPairResults *wanted,
                     int64_t *work);

/// Changes the multipliers of `form`, at first by little, until it gives
/// `wanted` for all pairs; false, and `form` is as it was, if it never does or
/// `work` has reached LUNA_PAIR_MAX_WORK.
bool luna_pair_seek(LunaPairForm *form, const LunaPairResults *wanted,
                    int64_t *work);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PAIR_SEARCH_H
