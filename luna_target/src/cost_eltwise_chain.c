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
  if (chain->padded) {
    const LunaCopyDesc copy = luna_chain_copy(desc, chain, elements);
    add_cost(&piece, luna_cost_copy(machine, &copy), 1);
  }
  add_cost(cost, piece, count);
}

LunaCost luna_eltwise_chain_cost(const LunaMachine *machine,
                                 const LunaEltwiseDesc *desc,
                                 const LunaEltwiseChain *chain) {
  int32_t pieces = chain->elements / chain->piece;
  int32_t rest = chain->elements % chain->piece;
  LunaCost cost = {.host_cycles = luna_core_chain_cycles(
                       machine, (uint64_t)pieces + (rest != 0))};
  if (chain->padded) {
    const LunaFillDesc fill = luna_chain_fill(desc, chain);
    add_cost(&cost, luna_cost_fill(machine, &fill), 1);
  }
  add_pieces(machine, desc, chain, chain->piece, (uint64_t)pieces, &cost);
  if (rest != 0)
    add_pieces(machine, desc, chain, rest, 1, &cost);
  return cost;
}
