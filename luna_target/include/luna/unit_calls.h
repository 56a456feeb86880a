#ifndef LUNA_UNIT_CALLS_H
#define LUNA_UNIT_CALLS_H

// The calls of the unit's vector library that a machine has: the rows of a
// machine file's section `calls`. All work on dense operands in shared memory.

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a call computes (luna/unit_calls.def).
typedef enum LunaCallName {
#define LUNA_UNIT_CALL(NAME, name, text) LUNA_CALL_##NAME,
#include "luna/unit_calls.def"
  LUNA_CALL_NAME_COUNT
} LunaCallName;

/// A call on elements of one width, of operands that have all the same.
typedef struct LunaUnitCall {
  LunaCallName name;
  uint32_t input_bits;  ///< 8, 16 or 32
  uint32_t output_bits; ///< the sum of 8, 16, 32 and 64, as far as it has them
  /// What n elements of an operand take: fixed + n * cycles / elements, rounded
  /// up, and line_cycles for each row and each column of a matrix, of mat_mul
  /// for each row.
  uint32_t fixed_cycles, cycles, elements, line_cycles;
  uint64_t max_bytes; ///< of an operand; 0 is unlimited
  /// True if the output may start where an input does. Never if it is wider: an
  /// element would be overwritten before it is read.
  bool in_place;
} LunaUnitCall;

enum { LUNA_UNIT_CALLS_MAX = 128 };

/// Returns "scale_add" and the like.
const char *luna_call_name(LunaCallName name);

/// Returns the cycles of the unit for mat_mul of a column of `rows` elements
/// and a row of `columns`: the row is read at two elements of what is written.
uint64_t luna_outer_product_cycles(const LunaUnitCall *call, uint64_t rows,
                                   uint64_t columns);

/// Returns the cycles of the unit for a call on `element_count` elements in
/// `line_count` rows and columns (of a vector, 0), without those of the core.
uint64_t luna_call_cycles(const LunaUnitCall *call, uint64_t element_count,
                          uint64_t line_count);

#ifdef __cplusplus
}
#endif

#endif // LUNA_UNIT_CALLS_H
