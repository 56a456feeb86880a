// luna-coalesce-loop-buffers: one buffer for each loop-carried memref.
//
// In: a bufferised function with scf.for and scf.while.
// Out: loops whose init, iteration argument and yielded value are one buffer;
// a copy where the body allocates a new one. No copy of an init that is an
// allocation without a write. Loops that only pass outer buffers on, as
// pointers, stay. Before luna-form-regions, the copies become part of regions.
// Refuses: nothing. No options. Example:
// lit_tests/passes/luna-coalesce-loop-buffers/doc.mlir

#include "loop_buffers.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "undefined_buffers.h"

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  luna_coalesce_loop_buffers(func);
  luna_drop_undefined_copies(func);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"memref", NULL};

const LunaPassDesc luna_pass_coalesce_loop_buffers = {
    .argument = "luna-coalesce-loop-buffers",
    .summary = "Coalesce the buffers of each loop-carried memref",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
