#include "luna/chain_cost.h"

#include "luna/core_cost.h"

static const LunaUnitCall *call_of(const LunaMachine *machine,
                                   const LunaVectorCall *call) {
  return luna_machine_call(machine, (LunaCallName)call->name, call->input_bits,
                           call->output_bits);
}

// Adds `count` calls that take so many cycles of the unit.
static void add_calls(uint64_t cycles, uint64_t count, LunaCost *cost) {
  cost->unit_cycles += count * cycles;
  cost->launches += count;
}

static uint64_t cycles_on(const LunaMachine *machine,
                          const LunaVectorCall *call, uint64_t elements) {
  const LunaUnitCall *found = call_of(machine, call);
  return found ? luna_call_cycles(found, elements, 0) : 0;
}

// Returns the elements of a call on a tile, or on each plane of one.
static uint64_t elements_of(const LunaVectorCall *call,
                            const LunaChainTile *tile) {
  uint64_t places = (uint64_t)tile->extents[1] * (uint64_t)tile->extents[2];
  bool is_plane =
      call->scope == LUNA_VECTOR_PLANE || call->output == LUNA_VECTOR_ONES;
  return is_plane ? places : places * (uint64_t)tile->extents[0];
}

static void add_tile_call(const LunaMachine *machine,
                          const LunaVectorCall *call, const LunaChainTile *tile,
                          LunaCost *cost) {
  uint64_t channels = (uint64_t)tile->extents[0];
  uint64_t elements = elements_of(call, tile), pieces = 1;
  if (call->name == LUNA_CALL_MAT_MUL) {
    const LunaUnitCall *found = call_of(machine, call);
    uint64_t cycles =
        found ? luna_outer_product_cycles(found, channels, elements / channels)
              : 0;
    add_calls(cycles, 1, cost);
    return;
  }
  bool is_plane = call->scope == LUNA_VECTOR_PLANE;
  if (call->output == LUNA_VECTOR_OUTPUT) {
    const LunaChainTile part = is_plane ? luna_chain_plane(tile) : *tile;
    pieces = elements / (uint64_t)luna_chain_run(&part);
  }
  add_calls(cycles_on(machine, call, elements / pieces),
            pieces * (is_plane ? channels : 1), cost);
}

LunaCost luna_chain_tile_cost(const LunaMachine *machine,
                              const LunaVectorChain *chain,
                              const int32_t strides[3],
                              const int32_t extents[3]) {
  const LunaChainTile tile = luna_chain_tile(strides, extents);
  LunaCost cost = {.host_cycles = luna_core_chain_tile_cycles(
                       machine, chain, strides, extents)};
  for (int32_t i = 0; i < chain->count; ++i)
    add_tile_call(machine, &chain->calls[i], &tile, &cost);
  return cost;
}

LunaCost luna_partial_sums_cost(const LunaMachine *machine,
                                const LunaLaunch *launch) {
  const LunaUnitCall *add = luna_machine_call(machine, LUNA_CALL_ADD, 32, 32);
  uint64_t channels = (uint64_t)launch->out_c.count;
  uint64_t rows = (uint64_t)launch->y.out.count;
  uint64_t elements = (uint64_t)launch->x.out.count;
  if (launch->covers_tile) {
    elements *= rows * channels;
    channels = rows = 1;
  } else if (launch->x.out.count == launch->x.tile.count) {
    elements *= rows;
    rows = 1;
  }
  LunaCost cost = {.host_cycles =
                       luna_core_add_cycles(machine, channels, rows)};
  add_calls(add ? luna_call_cycles(add, elements, 0) : 0, channels * rows,
            &cost);
  return cost;
}

LunaCost luna_chain_calls_cost(const LunaMachine *machine,
                               const LunaVectorChain *chain,
                               uint64_t elements) {
  LunaCost cost = {0};
  for (int32_t i = 0; i < chain->count; ++i) {
    const LunaVectorCall *call = &chain->calls[i];
    bool is_plane = call->output == LUNA_VECTOR_ONES;
    add_calls(cycles_on(machine, call, is_plane ? 0 : elements), 1, &cost);
  }
  return cost;
}
