#ifndef LUNA_UNIT_PORT_H
#define LUNA_UNIT_PORT_H

// What lies below the core: the unit and the engine of transfers. The simulator
// implements it, or a firmware over the vendor's driver. Nothing else is needed
// to run a compiled model: device_runtime/runtime has the runtime API above it.

#include "luna/launch_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The operands of a convolution or matrix product; those that it does not have
/// are NULL.
typedef struct LunaProductOperands {
  const void *input, *weight, *bias, *table;
  void *scratch, *output;
} LunaProductOperands;

/// Starts one launch of `record` and returns: with several slots of scratch,
/// the core works on the tile before until it awaits. A port whose driver
/// returns when the launch has ended is correct, but nothing overlaps. Where
/// the core requantises or vector calls do (LunaFinish), the unit leaves 32-bit
/// sums, bias included, in the scratch; else it writes the output once the tile
/// is complete. One launch is in flight at a time.
void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands);

/// The operands of a vector call, dense in shared memory; the output may be
/// the input.
typedef struct LunaVectorOperands {
  const void *input; ///< not of memset
  const void *other; ///< of calls of two vectors
  void *output;
  int32_t count;   ///< elements of the output
  int32_t columns; ///< of multi_vec_mul and mat_mul: elements of `other`
} LunaVectorOperands;

/// Starts a call of the unit's vector library (luna/unit_calls.def): the
/// element widths, the scalar and the shift are the call's, the places are not
/// looked at. cmp_vs means "below the scalar".
void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands);

/// luna_unit_start_<name> starts an operator that is one launch for the core:
/// what the unit computes of it, tile by tile where it has a tiling. One for
/// each class of luna/units.def without launches of its own:
/// luna_unit_start_pool, luna_unit_start_table, …
#define LUNA_UNIT_START(CLASS, name, Type, parameters, arguments)              \
  void luna_unit_start_##name(const Luna##Type##Desc *desc,                    \
                              LUNA_UNIT_LIST parameters);
#include "luna/units.def"

/// Start a copy and a fill on chip.
void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target);
void luna_unit_start_fill(const LunaFillDesc *desc, void *target);

/// Awaits the launch that was started.
void luna_unit_await(void);

/// Starts a transfer and returns its token (> 0). Neither end is accessed until
/// it is awaited. As many are outstanding as the machine file says: the engine
/// makes them one by one, in the order in which they are started.
int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source);

/// Awaits a transfer: its bytes are at its target.
void luna_unit_await_transfer(int32_t token);

#ifdef __cplusplus
}
#endif

#endif // LUNA_UNIT_PORT_H
