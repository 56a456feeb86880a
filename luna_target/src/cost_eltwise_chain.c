#include "luna/chain_cost.h"
#include "luna/core_cost.h"

// Elementwise operators by their chains.

static void add_cost(LunaCost *cost, LunaCost more, uint64_t count) {
  cost->unit_cycles += count * more.unit_cycles;
  cost->host_cycles += count * more.host_cycles;
  cost->launches += count * more.launches;
}

// Adds `count` pieces of so many elements.
static void add_pieces(const LunaMachine *machine, const LunaEltwiseDesc *desc,
                       const LunaEltwiseChain *chain, int32_t elements,
                       uint64_t count, LunaCost *cost) {
  LunaCost piece =
      luna_chain_calls_cost(machine, &chain->chain, (uint64_t)elements);
  if (chain->row > 1) {
    const LunaCopyDesc copy = luna_chain_copy(desc, chain, elements);
    add_cost(&piece, luna_cost_copy(machine, &copy), 1);
  }
  add_cost(cost, piece, count);
}

// Adds the pieces of so many elements side by side.
static void add_part(const LunaMachine *machine, const LunaEltwiseDesc *desc,
                     const LunaEltwiseChain *chain, int32_t elements,
                     LunaCost *cost) {
  int32_t rest = elements % chain->piece;
  add_pieces(machine, desc, chain, chain->piece,
             (uint64_t)(elements / chain->piece), cost);
  if (rest != 0)
    add_pieces(machine, desc, chain, rest, 1, cost);
}

LunaCost luna_eltwise_chain_cost(const LunaMachine *machine,
                                 const LunaEltwiseDesc *desc,
                                 const LunaEltwiseChain *chain) {
  LunaCost cost = {.host_cycles = luna_core_chain_cycles(machine, desc, chain)};
  if (chain->padded) {
    const LunaFillDesc fill = luna_chain_fill(desc, chain);
    add_cost(&cost, luna_cost_fill(machine, &fill), 1);
  }
  add_part(machine, desc, chain, chain->covered, &cost);
  add_part(machine, desc, chain, chain->elements - chain->covered, &cost);
  return cost;
}
