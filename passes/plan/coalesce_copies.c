// luna-coalesce-copies: one buffer for two that hold the same contents.
//
// In: a bufferised function, before luna-form-regions. Out: copies of one
// buffer to another are gone where the two can be one: neither is overwritten
// while the other's contents are still read. These are the inits of loops, the
// values that an iteration hands to the next, what bufferisation copied.
// Elementwise operators write over an operand that they read for the last time.
// Which copies go, if not all can, is what takes the fewest cycles on the
// slowest path, then in all, then the fewest bytes, in the machine's memory; an
// operator works in place where that makes the plan smaller. Options: machine.
// Example: lit_tests/passes/luna-coalesce-copies/doc.mlir

#include "luna-c/pass.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "structure.h"
#include "unify_copies.h"

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  if (mlirBlockIsNull(luna_entry_block(func)))
    return mlirLogicalResultSuccess();
  return luna_unify_copies(func, luna_machine_of_option(&options[0]));
}

static const LunaOptionDesc options[] = {LUNA_MACHINE_OPTION};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_coalesce_copies = {
    .argument = "luna-coalesce-copies",
    .summary = "Coalesce buffers that copies connect, and work in place",
    .anchor = "func.func",
    .options = options,
    .option_count = 1,
    .dependent_dialects = dialects,
    .run = run,
};
