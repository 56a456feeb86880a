#ifndef LUNA_CORE_COST_H
#define LUNA_CORE_COST_H

// The cycles of what the chip's core executes in device_runtime/ (luna/core.h),
// by the costs of a machine file's section `host`.

#include "luna/eltwise_chain.h"
#include "luna/launch_record.h"
#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the cycles of `count` executions, rounded to the nearest.
static inline uint64_t luna_core_cycles(const LunaMachine *machine,
                                        LunaHostCost cost, uint64_t count) {
  return (machine->host[cost] * count + 50) / 100;
}

/// Returns the cycles of entering a program that gets so many inputs and
/// outputs, and of returning from it.
uint64_t luna_core_entry_cycles(const LunaMachine *machine, uint64_t pointers);

/// Returns the cycles of an operator of the unit that is one launch for the
/// core (LUNA_HOST_COPY, LUNA_HOST_POOL or LUNA_HOST_VECTOR), call included.
uint64_t luna_core_call_cycles(const LunaMachine *machine, LunaHostCost cost);

/// Returns the cycles of a convolution or matrix product beside its launches
/// and tiles, call included.
uint64_t luna_core_product_cycles(const LunaMachine *machine,
                                  LunaFinish finish);

/// Returns the cycles of starting and awaiting one of its launches.
static inline uint64_t luna_core_launch_cycles(const LunaMachine *machine) {
  return luna_core_cycles(machine, LUNA_HOST_START, 1) +
         luna_core_cycles(machine, LUNA_HOST_AWAIT, 1);
}

/// How the core requantises the tiles of a product.
typedef struct LunaCoreTile {
  LunaHostCost element;
  bool has_planes;     ///< channel by channel
  bool has_table;      ///< of scales of each channel
  bool has_rows;       ///< all columns are in one loop
  bool is_per_channel; ///< columns are never joined
  int32_t strides[3];  ///< of the output: y, x, channel
} LunaCoreTile;

/// Returns how the core requantises by `requant`, to an output whose elements
/// of a tile lie so many elements apart along y, x and channels.
LunaCoreTile luna_core_tile(const LunaRequantDesc *requant,
                            const int32_t strides[3]);

/// Returns the cycles of requantising a tile of `rows` * `columns` *
/// `channels` sums; a tile of a matrix product has one column.
uint64_t luna_core_tile_cycles(const LunaMachine *machine,
                               const LunaCoreTile *tile, uint64_t rows,
                               uint64_t columns, uint64_t channels);

/// What the core adds at the borders of a tile: in a plane, the loops over
/// lines (luna/border_lines.h) and their sums.
typedef struct LunaCoreBorders {
  uint64_t borders;
  uint64_t places; ///< sums without a loop
  uint64_t loops;  ///< over a row, a column, or the first and the last column
  uint64_t row, column, sides; ///< sums in these
} LunaCoreBorders;

/// Returns what the core adds at `count` borders in the tile of a launch.
LunaCoreBorders luna_core_borders(const LunaBorderRecord *borders,
                                  int32_t count, const LunaOriginRecord *origin,
                                  const LunaLaunchRecord *launch,
                                  bool has_planes);

/// Returns the cycles of adding constants to the sums of a tile's borders, of
/// so many channels.
uint64_t luna_core_border_cycles(const LunaMachine *machine,
                                 const LunaCoreTile *tile,
                                 const LunaCoreBorders *borders,
                                 uint64_t channels);

/// Returns the cycles of walking the calls of a chain (luna/vector_chain.h) on
/// a tile of `extents` (y, x, channel), whose results have these strides: of
/// starting and awaiting each vector call, too.
uint64_t luna_core_chain_tile_cycles(const LunaMachine *machine,
                                     const LunaVectorChain *chain,
                                     const int32_t strides[3],
                                     const int32_t extents[3]);

/// Returns the cycles of walking the calls that add partial sums to those of a
/// tile, so many in each of `channels`: of starting and awaiting them, too.
uint64_t luna_core_add_cycles(const LunaMachine *machine, uint64_t channels,
                              uint64_t calls);

/// Returns the cycles of an elementwise operator that the core computes, call
/// included.
uint64_t luna_core_eltwise_cycles(const LunaMachine *machine,
                                  const LunaEltwiseDesc *desc);

/// Returns the cycles of walking the launches of an elementwise operator whose
/// inputs the unit shifts (luna/eltwise_launches.h), without those of starting
/// each.
uint64_t luna_core_shifts_cycles(const LunaMachine *machine,
                                 const LunaEltwiseDesc *desc);

/// Returns the cycles of deriving the chain by which the unit computes an
/// elementwise operator (luna/eltwise_chain.h) and of walking its pieces, call
/// and vector calls included, without those of its copies and fill.
uint64_t luna_core_chain_cycles(const LunaMachine *machine,
                                const LunaEltwiseDesc *desc,
                                const LunaEltwiseChain *chain);

/// luna_core_<name>_cycles returns the cycles of an operator of a class of
/// LUNA_UNIT_LAUNCH that the core computes, call included:
/// luna_core_table_cycles.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  uint64_t luna_core_##name##_cycles(const LunaMachine *machine,               \
                                     const Luna##Type##Desc *desc);
#include "luna/units.def"

/// Returns the cycles of averages that the core computes, call included.
uint64_t luna_core_average_cycles(const LunaMachine *machine,
                                  const LunaPoolDesc *desc);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CORE_COST_H
