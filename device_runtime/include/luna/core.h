#ifndef LUNA_CORE_H
#define LUNA_CORE_H

// What the chip's own core executes of the runtime: it requantises sums,
// computes the elementwise operators, poolings and activations that the unit
// cannot, and launches the unit for everything else.
//
// Plain C11 for cores of 32 bits: no allocation, no library but memcpy, and no
// state. Every target shares it; what is below it, luna/unit_port.h, is the
// simulator's or a vendor's driver. Integer results equal TOSA's modulo 2^32
// bit for bit.

#include <stdint.h>

#include "luna/unit_port.h"

#ifdef __cplusplus
extern "C" {
#endif

//===- Requantising -------------------------------------------------------===//

/// A LunaRequantDesc as the core computes it: shifts to the right and
/// multipliers clamp before the zero point is added, so that 32 bits are
/// enough. Shifts to the left and LUNA_REQUANT_FLOAT clamp after.
typedef struct LunaCoreRequant {
  int32_t mode;     ///< LunaRequantMode
  int32_t rounding; ///< LunaRounding
  int32_t per_channel;
  int32_t multiplier; ///< or the bits of the scale
  int32_t shift;      ///< in [-31, 62], LUNA_REQUANT_MULTIPLIER in [0, 62]
  int32_t zero_point;
  int32_t clamp_min, clamp_max;
} LunaCoreRequant;

/// Returns `desc` as the core computes it; clamp_min <= clamp_max.
LunaCoreRequant luna_core_requant_of(const LunaRequantDesc *desc);

/// Parameters of the channels of a row: those of channel i at [i * step].
/// All 0 for a requantisation per tensor.
typedef struct LunaCoreChannels {
  const int32_t *multipliers; ///< or the bits of the scales
  const int32_t *shifts;
  int32_t step;
  /// 1 if all shifts are above 32: a row needs the upper halves of products.
  int32_t is_high;
} LunaCoreChannels;

/// Returns the parameters of `count` channels; of scales, `shifts` is anything
/// that can be read.
LunaCoreChannels luna_core_channels(const int32_t *multipliers,
                                    const int32_t *shifts, int32_t step,
                                    int32_t count);

/// Rows of sums, one behind the other, and where their results are.
typedef struct LunaCoreRows {
  int32_t rows, columns;
  int32_t stride;     ///< of results of a row, in elements
  int32_t row_stride; ///< of the rows' first results
} LunaCoreRows;

/// Requantises rows of sums to elements of `type` (int8, int16, int32; int64
/// with LUNA_REQUANT_NONE); channel i is column i of each row.
void luna_core_requant_rows(const LunaCoreRequant *requant,
                            const LunaCoreChannels *channels,
                            const int32_t *sums, const LunaCoreRows *rows,
                            void *to, int32_t type);

/// Requantises `count` adjacent sums to elements of `type` (int8, int16,
/// int32; int64 with LUNA_REQUANT_NONE), `stride` elements apart.
void luna_core_requant_row(const LunaCoreRequant *requant,
                           const LunaCoreChannels *channels,
                           const int32_t *sums, int32_t count, void *to,
                           int32_t type, int32_t stride);

/// Scales `count` numbers in place by apply_scale_32 of TOSA 1.0; `shift` is
/// in [0, 62].
void luna_core_scale_row(int32_t *values, int32_t count, int32_t multiplier,
                         int32_t shift, int32_t rounding);

//===- Operators ----------------------------------------------------------===//
// Each starts and awaits what the unit does of the operator, and computes the
// rest. A port's runtime API (luna/runtime.h) calls nothing else.

/// Computes a convolution or matrix product: starts and awaits each launch, and
/// adds constants to, and requantises, what the unit leaves as sums; during the
/// next launch where the scratch has slots for both tiles (luna/slots.h).
void luna_core_product(const LunaProductRecord *record,
                       const LunaProductOperands *operands);

/// luna_core_<name> computes an operator of a class of luna/units.def without
/// launches of its own: luna_core_pool, luna_core_table, … luna_core_eltwise
/// requantises per tensor; its output may be an operand, and `scratch` NULL if
/// the descriptor has none.
#define LUNA_UNIT_CALL(CLASS, name, Type, parameters, arguments)               \
  void luna_core_##name(const Luna##Type##Desc *desc,                          \
                        LUNA_UNIT_LIST parameters);
#include "luna/units.def"

/// luna_core_<name>_loop computes an operator of a class of LUNA_UNIT_LAUNCH
/// without the unit: luna_core_table_loop. Its output may be its input.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  void luna_core_##name##_loop(const Luna##Type##Desc *desc,                   \
                               LUNA_UNIT_LIST parameters);
#include "luna/units.def"

/// Starts a transfer; returns its token. Awaits it; token 0 is none.
int32_t luna_core_dma_start(const LunaDmaDesc *desc, void *target,
                            const void *source);
void luna_core_dma_wait(int32_t token);

/// Computes a copy and a fill on chip.
void luna_core_copy(const LunaCopyDesc *desc, const void *source, void *target);
void luna_core_fill(const LunaFillDesc *desc, void *target);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CORE_H
