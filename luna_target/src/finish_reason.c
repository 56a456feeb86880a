#include "luna/finish.h"

#include <stdio.h>

#include "luna/chain_cost.h"
#include "luna/tiling.h"

static const char by_cost[] = "calls of the unit take more cycles";
static const char by_option[] = "place is core";

// Returns the first call of a chain that the machine lacks.
static const LunaVectorCall *missing_call(const LunaMachine *machine,
                                          const LunaVectorChain *chain) {
  for (int32_t i = 0; i < chain->count; ++i) {
    const LunaVectorCall *call = &chain->calls[i];
    if (!luna_machine_call(machine, (LunaCallName)call->name, call->input_bits,
                           call->output_bits))
      return call;
  }
  return NULL;
}

static bool lacks_call(const LunaMachine *machine, const LunaVectorChain *chain,
                       LunaFinishReason *reason) {
  const LunaVectorCall *call = missing_call(machine, chain);
  if (call)
    snprintf(reason->text, sizeof reason->text,
             "the machine has no '%s' from i%d to i%d",
             luna_call_name((LunaCallName)call->name), call->input_bits,
             call->output_bits);
  return call != NULL;
}

static void set_text(LunaFinishReason *reason, const char *text) {
  snprintf(reason->text, sizeof reason->text, "%s", text);
}

static const char *requant_text(const LunaRequantDesc *requant) {
  return requant->mode == LUNA_REQUANT_FLOAT
             ? "its scale is in binary32"
             : "no calls of the unit requantise so exactly";
}

// Returns true if a chain of some form may finish the sums.
static bool has_legal_form(const LunaMachine *machine,
                           const LunaUnitDesc *desc) {
  for (LunaFinish finish = LUNA_FINISH_UNIT; finish <= LUNA_FINISH_STRIPS;
       ++finish)
    if (luna_finish_is_legal(machine, desc->unit_class, &desc->as, finish))
      return true;
  return false;
}

static bool explain_product(const LunaMachine *machine,
                            const LunaUnitDesc *desc, LunaPlace place,
                            bool fits_unit, LunaFinishReason *reason) {
  bool is_matmul = desc->unit_class == LUNA_UNIT_MATMUL;
  const LunaTiling *tiling =
      is_matmul ? &desc->as.matmul.tiling : &desc->as.conv2d.tiling;
  const LunaRequantDesc *requant =
      is_matmul ? &desc->as.matmul.requant : &desc->as.conv2d.requant;
  int32_t type =
      is_matmul ? desc->as.matmul.output.type : desc->as.conv2d.output.type;
  const LunaTensorDesc *bias =
      is_matmul ? &desc->as.matmul.bias : &desc->as.conv2d.bias;
  LunaVectorChain chain;
  if (tiling->finish != LUNA_FINISH_CORE ||
      luna_is_fused(machine, requant, bias, type))
    return false;
  if (place == LUNA_PLACE_CORE)
    set_text(reason, by_option);
  else if (has_legal_form(machine, desc))
    set_text(reason, fits_unit ? by_cost
                               : "a channel's multiplier or shift is unknown "
                                 "or beyond what the calls take");
  else if (!luna_chain_of_product(&chain, LUNA_FINISH_UNIT, requant, type))
    set_text(reason, requant_text(requant));
  else if (!lacks_call(machine, &chain, reason))
    set_text(reason, "the channels of a launch do not lie side by side");
  return true;
}

static bool explain_eltwise(const LunaMachine *machine,
                            const LunaEltwiseDesc *desc, LunaPlace place,
                            LunaFinishReason *reason) {
  LunaEltwiseChain chain;
  if (luna_eltwise_is_native(machine, desc))
    return false;
  if (place == LUNA_PLACE_CORE)
    set_text(reason, by_option);
  else if (desc->on_core)
    set_text(reason, "the library has no call for how its operands lie");
  else if (desc->requant.mode == LUNA_REQUANT_FLOAT)
    set_text(reason, requant_text(&desc->requant));
  else if (!luna_eltwise_chain(desc, &chain))
    set_text(reason, "no calls of the unit compute so exactly, or its operands "
                     "do not lie alike");
  else if (!lacks_call(machine, &chain.chain, reason))
    set_text(reason, by_cost);
  return true;
}

static bool explain_pool(const LunaMachine *machine, const LunaPoolDesc *desc,
                         LunaFinishReason *reason) {
  LunaConv2dDesc conv;
  LunaError error = {0};
  if (!luna_tiling_pool(machine, desc, &conv, &error) ||
      conv.tiling.finish != LUNA_FINISH_CORE)
    return false;
  set_text(reason, "the unit divides by powers of two alone");
  return true;
}

static bool explain_call(const LunaMachine *machine, LunaUnitClass unit_class,
                         LunaFinishReason *reason) {
  if (luna_unit_class_call(unit_class, machine))
    return false;
  set_text(reason, "the machine has no call for it");
  return true;
}

static bool explain(const LunaMachine *machine, const LunaUnitDesc *desc,
                    LunaPlace place, bool fits_unit, LunaFinishReason *reason) {
  if (desc->unit_class == LUNA_UNIT_ELTWISE)
    return explain_eltwise(machine, &desc->as.eltwise, place, reason);
  if (desc->unit_class == LUNA_UNIT_POOL)
    return explain_pool(machine, &desc->as.pool, reason);
  return luna_unit_class(desc->unit_class)->tiling
             ? explain_product(machine, desc, place, fits_unit, reason)
             : explain_call(machine, desc->unit_class, reason);
}

bool luna_finish_explain(const LunaMachine *machine, const LunaUnitDesc *desc,
                         LunaPlace place, bool fits_unit,
                         LunaFinishReason *reason) {
  if (!explain(machine, desc, place, fits_unit, reason))
    return false;
  reason->core_cycles =
      luna_unit_class(desc->unit_class)->cost(machine, &desc->as).host_cycles;
  return true;
}
