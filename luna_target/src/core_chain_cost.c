#include "luna/core_cost.h"

#include "core_part.h"
#include "luna/tiles.h"

// What the core executes for operators that are several launches of the unit's
// vector part: the loops of core_chain.c and core_eltwise.c, counted.

//===- Tiles --------------------------------------------------------------===//

// Returns the hundredths of cycles of calls that write runs of a tile or plane.
static uint64_t write_part(const LunaMachine *machine,
                           const LunaChainTile *tile) {
  int32_t run = luna_chain_run(tile), inner = tile->extents[2];
  int32_t rows = run > inner * tile->extents[1] ? 1 : tile->extents[0];
  int32_t columns = run > inner ? 1 : tile->extents[1];
  return luna_core_part(machine, LUNA_HOST_CHAIN_WRITE, 1) +
         luna_core_part(machine, LUNA_HOST_CHAIN_ROW, (uint64_t)rows) +
         luna_core_part(machine, LUNA_HOST_CHAIN_RUN,
                        (uint64_t)rows * (uint64_t)columns);
}

// Returns the hundredths of cycles of one call of a chain on a tile.
static uint64_t call_part(const LunaMachine *machine,
                          const LunaVectorCall *call,
                          const LunaChainTile *tile) {
  bool writes = call->output == LUNA_VECTOR_OUTPUT;
  bool is_plane = call->scope == LUNA_VECTOR_PLANE;
  uint64_t planes = is_plane ? (uint64_t)tile->extents[0] : 1;
  const LunaChainTile written = is_plane ? luna_chain_plane(tile) : *tile;
  return luna_core_part(machine, LUNA_HOST_CHAIN_CALL, 1) +
         luna_core_part(machine, LUNA_HOST_CHAIN_PLANE,
                        is_plane && writes ? planes : 0) +
         (writes ? planes * write_part(machine, &written) : 0);
}

uint64_t luna_core_chain_tile_cycles(const LunaMachine *machine,
                                     const LunaVectorChain *chain,
                                     const int32_t strides[3],
                                     const int32_t extents[3]) {
  const LunaChainTile tile = luna_chain_tile(strides, extents);
  bool has_table = chain->shift_scope != LUNA_VECTOR_TILE;
  uint64_t sum = luna_core_part(machine, LUNA_HOST_CHAIN_TILE, 1) +
                 luna_core_part(machine, LUNA_HOST_CHAIN_TABLE, has_table) +
                 luna_core_part(machine, LUNA_HOST_CHAIN_CHANNEL,
                                chain->has_powers ? (uint64_t)extents[2] : 0);
  for (int32_t i = 0; i < chain->count; ++i)
    sum += call_part(machine, &chain->calls[i], &tile);
  return luna_core_in_cycles(sum);
}

uint64_t luna_core_add_cycles(const LunaMachine *machine, uint64_t channels,
                              uint64_t calls) {
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_CHAIN_CALL, 1) +
      luna_core_part(machine, LUNA_HOST_CHAIN_ROW, channels) +
      luna_core_part(machine, LUNA_HOST_CHAIN_RUN, channels * calls));
}

//===- Elementwise operators ----------------------------------------------===//

uint64_t luna_core_chain_cycles(const LunaMachine *machine,
                                const LunaEltwiseDesc *desc,
                                const LunaEltwiseChain *chain) {
  uint64_t scaled = (desc->lhs_multiplier != 0) + (desc->rhs_multiplier != 0);
  uint64_t pieces = (uint64_t)luna_chain_pieces(chain);
  uint64_t calls = (uint64_t)chain->chain.count;
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_CALL, 1) +
      luna_core_part(machine, LUNA_HOST_CHAIN, 1) +
      luna_core_part(machine, LUNA_HOST_CHAIN_STEP, calls) +
      luna_core_part(machine, LUNA_HOST_CHAIN_SCALE, scaled) +
      luna_core_part(machine, LUNA_HOST_CHAIN_PIECE, pieces) +
      luna_core_part(machine, LUNA_HOST_CHAIN_PIECE_CALL, pieces * calls) +
      luna_core_part(machine, LUNA_HOST_CHAIN_PADDING, chain->padded != 0) +
      luna_core_part(machine, LUNA_HOST_CHAIN_COPY,
                     chain->row > 1 ? pieces : 0));
}

uint64_t luna_core_shifts_cycles(const LunaMachine *machine,
                                 const LunaEltwiseDesc *desc) {
  uint64_t scaled = (desc->lhs_multiplier != 0) + (desc->rhs_multiplier != 0);
  uint64_t launches = (uint64_t)luna_eltwise_launches(desc);
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_SHIFTS, 1) +
      luna_core_part(machine, LUNA_HOST_SHIFTS_OPERAND, scaled) +
      luna_core_part(machine, LUNA_HOST_SHIFTS_PIECE, launches / (scaled + 1)) +
      luna_core_part(machine, LUNA_HOST_SHIFTS_LAUNCH, launches));
}
