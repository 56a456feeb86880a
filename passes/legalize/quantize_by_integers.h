#ifndef LUNA_QUANTIZE_BY_INTEGERS_H
#define LUNA_QUANTIZE_BY_INTEGERS_H

#include "luna-c/build_scalar.h"
#include "luna/machine.h"
#include "luna/thresholds.h"

/// Adds the starts of the steps as a constant tensor.
MlirValue luna_thresholds_table(const LunaBuilder *b,
                                const LunaThresholds *thresholds);

/// Adds the quantisation of `x`, f32, to a body; returns an i32.
MlirValue luna_quantize_by_integers(const LunaBuilder *b,
                                    const LunaThresholds *thresholds,
                                    MlirValue table, MlirValue x);

/// Returns the cycles of the core for all bodies of a linalg.generic over
/// `element_count` elements, without its loops. A table that it reads counts as
/// a transfer: the core finds it in PSRAM.
uint64_t luna_quantize_body_cycles(const LunaMachine *machine,
                                   MlirOperation generic,
                                   int64_t element_count);

#endif // LUNA_QUANTIZE_BY_INTEGERS_H
