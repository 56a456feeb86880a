#include "luna/chain_cost.h"

bool luna_machine_has_chain(const LunaMachine *machine,
                            const LunaVectorChain *chain) {
  for (int32_t i = 0; i < chain->count; ++i) {
    const LunaVectorCall *call = &chain->calls[i];
    const LunaUnitCall *found = luna_machine_call(
        machine, (LunaCallName)call->name, call->input_bits, call->output_bits);
    bool is_in_place =
        call->output == call->input || call->output == call->other;
    if (!found || (is_in_place && !found->in_place))
      return false;
  }
  return true;
}

// Returns the most places of a tile that the machine's mat_mul takes.
static int64_t most_places(const LunaMachine *machine) {
  const LunaUnitCall *found =
      luna_machine_call(machine, LUNA_CALL_MAT_MUL, 32, 32);
  return !found || found->max_bytes == 0 ? INT64_MAX
                                         : (int64_t)(found->max_bytes / 4);
}

bool luna_chain_fits(const LunaMachine *machine, const LunaVectorChain *chain,
                     int64_t places, LunaError *error) {
  int64_t most = chain->has_ones ? most_places(machine) : INT64_MAX;
  return places <= most ||
         luna_error_set(error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                        "a tile of %lld places, mat_mul of machine '%s' takes "
                        "%lld",
                        (long long)places, machine->name, (long long)most);
}

LunaFinish luna_finish_of(int32_t finish, const LunaRequantDesc *requant,
                          int32_t output_type, LunaVectorChain *chain) {
  if (luna_finish_has_calls(finish) &&
      luna_chain_of_product(chain, finish, requant, output_type))
    return (LunaFinish)finish;
  *chain = luna_chain_empty();
  return finish == LUNA_FINISH_FUSED ? LUNA_FINISH_FUSED : LUNA_FINISH_CORE;
}

// A matrix product's columns are its channels.
int64_t luna_chain_launch_bytes(const LunaVectorChain *chain,
                                const LunaLaunch *launch) {
  int64_t elements = (int64_t)launch->y.tile.count * launch->x.tile.count *
                     launch->out_c.count;
  int64_t bytes = luna_chain_scratch_bytes(chain, elements,
                                           launch->kind == LUNA_LAUNCH_MATMUL
                                               ? launch->x.tile.count
                                               : launch->out_c.count);
  bool has_own_sums = launch->y.strips > 0 && !launch->is_first;
  return has_own_sums && bytes < 8 * elements ? 8 * elements : bytes;
}

bool luna_eltwise_is_chain(const LunaMachine *machine,
                           const LunaEltwiseDesc *desc,
                           LunaEltwiseChain *chain) {
  return luna_eltwise_has_chain(desc, chain) &&
         luna_machine_has_chain(machine, &chain->chain);
}
