#include "luna/runtime.h"
#include "luna/simulator.h"

// The functions of the runtime API, by name.

#define SYMBOL(function) {#function, (void (*)(void))(function)}

const LunaRuntimeSymbol *luna_simulator_symbols(uint64_t *count) {
  static const LunaRuntimeSymbol symbols[] = {
      SYMBOL(luna_rt_dma_start),      SYMBOL(luna_rt_dma_wait),
      SYMBOL(luna_rt_copy),           SYMBOL(luna_rt_fill),
      SYMBOL(luna_rt_host_begin),     SYMBOL(luna_rt_host_operand),
      SYMBOL(luna_rt_host_end),       SYMBOL(luna_rt_branch),
      SYMBOL(luna_rt_loop_iteration),
#define LUNA_UNIT_CLASS(CLASS, name, Type) SYMBOL(luna_rt_##name),
#include "luna/units.def"
  };
  *count = sizeof symbols / sizeof symbols[0];
  return symbols;
}
