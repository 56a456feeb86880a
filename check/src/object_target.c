#include <string.h>

#include "luna/object.h"

// The chips' cores: ARCS and VenusA drive the unit from a RISC-V core with
// single-precision floats, VENUS from an Xtensa core, of whose instructions
// these are what every tool knows. A machine file may say others.

const LunaObjectTarget *luna_object_targets(int *count) {
  static const LunaObjectTarget targets[] = {
      {.name = "host"},
      {.name = "riscv32",
       .triple = "riscv32-unknown-elf",
       .cpu = "generic-rv32",
       .features = "+m,+a,+f,+c",
       .abi = "ilp32f"},
      {.name = "xtensa",
       .triple = "xtensa-none-elf",
       .cpu = "generic",
       .features = "+density,+mul16,+mul32,+nsa,+exception",
       .abi = "",
       .is_assembled = true},
  };
  *count = sizeof targets / sizeof targets[0];
  return targets;
}

const LunaObjectTarget *luna_object_target(const char *name) {
  int count = 0;
  const LunaObjectTarget *targets = luna_object_targets(&count);
  for (int i = 0; i < count; ++i)
    if (strcmp(targets[i].name, name) == 0)
      return &targets[i];
  return NULL;
}
