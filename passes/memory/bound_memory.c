// luna-bound-memory: computes the least memory that any plan takes.
//
// In: a function with memories assigned and weights packed, before operators
// are tiled, and control flow, transfers and places chosen. Out: the same, with
// `luna.bound`: what the contents that are alive at the heaviest point of all
// paths need (luna_program_bound). luna-plan-memory compares its plan with it.
// Options: machine. Example: lit_tests/passes/luna-bound-memory/doc.mlir

#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "program_bound.h"

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  LunaBoundRecord bound;
  LunaArena arena = {0};
  bool is_ok = luna_program_bound(func, luna_machine_of_option(&options[0]),
                                  &arena, &bound);
  if (is_ok)
    luna_bound_write(func, &bound, &arena);
  luna_arena_destroy(&arena);
  return is_ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[] = {LUNA_MACHINE_OPTION};
static const char *const dialects[] = {"luna", NULL};

const LunaPassDesc luna_pass_bound_memory = {
    .argument = "luna-bound-memory",
    .summary = "Compute the least memory that any plan takes",
    .anchor = "func.func",
    .options = options,
    .option_count = 1,
    .dependent_dialects = dialects,
    .run = run,
};
