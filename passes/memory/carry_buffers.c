// luna-carry-buffers: one buffer for every memref that a loop carries.
//
// In: a bufferised function with scf.for and scf.while.
// Out: loops that carry the same buffer around the back edge, copies where the
// body made a new one. Where a loop starts with contents that nobody reads, an
// allocation that nothing wrote, nothing is copied. luna-plan-memory does the
// same to what is left; run before luna-form-regions, this pass lets the copies
// stand in regions. Example: lit_tests/passes/luna-carry-buffers/doc.mlir

#include "carry.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "undefined_buffers.h"

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  luna_carry_buffers(func);
  luna_drop_undefined_copies(func);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"memref", NULL};

const LunaPassDesc luna_pass_carry_buffers = {
    .argument = "luna-carry-buffers",
    .summary = "Give every loop-carried memref one buffer",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
