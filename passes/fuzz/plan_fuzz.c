// Plans through the checker and, if it accepts them, through the lowering.

#include "passes_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_passes(data, size, "builtin.module(func.func(luna-verify-plan))",
                     "builtin.module(func.func(luna-lower-plan),luna-to-llvm)");
}
