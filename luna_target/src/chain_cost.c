#include "luna/chain_cost.h"

#include "luna/core_cost.h"

static const LunaUnitCall *call_of(const LunaMachine *machine,
                                   const LunaVectorCall *call) {
  return luna_machine_call(machine, (LunaCallName)call->name, call->input_bits,
                           call->output_bits);
}

// Adds `count` calls on `elements` each.
static void add_call(const LunaMachine *machine, const LunaVectorCall *call,
                     uint64_t elements, uint64_t count, LunaCost *cost) {
  const LunaUnitCall *found = call_of(machine, call);
  if (found)
    cost->unit_cycles += count * luna_call_cycles(found, elements, 0);
  cost->host_cycles +=
      count * luna_core_cycles(machine, LUNA_HOST_VECTOR_CALL, 1);
  cost->launches += count;
}

LunaCost luna_chain_tile_cost(const LunaMachine *machine,
                              const LunaVectorChain *chain,
                              const int32_t strides[3],
                              const int32_t extents[3]) {
  uint64_t elements =
      (uint64_t)extents[0] * (uint64_t)extents[1] * (uint64_t)extents[2];
  uint64_t run = (uint64_t)luna_chain_run(strides, extents);
  LunaCost cost = {.host_cycles = luna_core_chain_tile_cycles(
                       machine, chain->has_powers ? (uint64_t)extents[2] : 0)};
  for (int32_t i = 0; i < chain->count; ++i) {
    const LunaVectorCall *call = &chain->calls[i];
    uint64_t count = call->output == LUNA_VECTOR_OUTPUT ? elements / run : 1;
    add_call(machine, call, elements / count, count, &cost);
  }
  return cost;
}

LunaCost luna_chain_calls_cost(const LunaMachine *machine,
                               const LunaVectorChain *chain,
                               uint64_t elements) {
  LunaCost cost = {0};
  for (int32_t i = 0; i < chain->count; ++i)
    add_call(machine, &chain->calls[i], elements, 1, &cost);
  return cost;
}
