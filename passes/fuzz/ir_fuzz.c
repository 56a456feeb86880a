// Bufferised functions through all passes that plan, and the checker.

#include "passes_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_passes(
      data, size,
      "builtin.module(luna-record-program,luna-assign-memory,"
      "luna-pack-weights,"
      "func.func(luna-order{steps=0},luna-tile-operators,luna-schedule,"
      "luna-form-regions,luna-choose-transfers,luna-estimate-cost))",
      "builtin.module(func.func(luna-verify-plan{record=required}))");
}
