#include "luna/unit_calls.h"

#include <assert.h>

#include "luna/machine.h"
#include "luna/units.h"

static const char *const names[LUNA_CALL_NAME_COUNT] = {
#define LUNA_UNIT_CALL(NAME, name, text) [LUNA_CALL_##NAME] = #name,
#include "luna/unit_calls.def"
};

const char *luna_call_name(LunaCallName name) {
  assert(name < LUNA_CALL_NAME_COUNT);
  return names[name];
}

uint64_t luna_call_cycles(const LunaUnitCall *call, uint64_t element_count,
                          uint64_t line_count) {
  uint64_t cycles = element_count * call->cycles;
  return call->fixed_cycles + line_count * call->line_cycles +
         (cycles + call->elements - 1) / call->elements;
}

uint64_t luna_outer_product_cycles(const LunaUnitCall *call, uint64_t rows,
                                   uint64_t columns) {
  return luna_call_cycles(call, (rows + 2) * columns, rows);
}

const LunaUnitCall *luna_machine_call(const LunaMachine *machine,
                                      LunaCallName name, uint32_t input_bits,
                                      uint32_t output_bits) {
  for (uint32_t i = 0; i < machine->call_count; ++i) {
    const LunaUnitCall *call = &machine->calls[i];
    if (call->name == name && call->input_bits == input_bits &&
        (call->output_bits & output_bits) != 0)
      return call;
  }
  return NULL;
}

const LunaUnitCall *luna_unit_class_call(LunaUnitClass unit_class,
                                         const LunaMachine *machine) {
  switch (unit_class) {
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  case LUNA_UNIT_##CLASS:                                                      \
    return luna_machine_call(machine, LUNA_CALL_##CALL, 8, 8);
#include "luna/units.def"
  default: // a class without the row
    return NULL;
  }
}
