// luna-swap-branch-buffers: two buffers for a chain of values that branches
// pass through or recompute.
//
// In: a bufferised function with scf.if and scf.index_switch, before
// luna-form-regions. Out: where a branch yields an outer buffer or a new one of
// the same type, each such value kept one more buffer alive behind the branch.
// Now the branch yields two buffers, that of the value and the free one, and
// the regions that recompute the value write to the free one and yield the two
// exchanged: base pointers change, nothing is copied. Kept where the plan of
// the tensors gets smaller. What can be coalesced is
// (luna-coalesce-branch-buffers). Options: machine. Example:
// lit_tests/passes/luna-swap-branch-buffers/doc.mlir

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "memory_problem.h"
#include "swap_buffers.h"

// Chains that are tried one by one.
enum { TRIES_MAX = 64 };

// The size of a plan made in one go; INT64_MAX if there is none.
static int64_t planned_bytes(MlirOperation func, int64_t alignment_bytes) {
  LunaArena arena = {0};
  LunaMemoryProblem memory;
  LunaSolution solution = {0};
  LunaError error = {0};
  LunaPlanOptions options = {.strategy = "large-first"};
  int64_t bytes = INT64_MAX;
  if (luna_memory_problem_create(func, alignment_bytes, &arena, &memory) &&
      luna_plan_solve(memory.problem, &options, &solution, &error))
    bytes = solution.total.bytes;
  luna_arena_destroy(&arena);
  return bytes;
}

// The smallest rewriting of one chain.
typedef struct Attempt {
  MlirOperation func; // null if none is smaller
  int64_t bytes;
} Attempt;

static void attempt(MlirOperation func, uint32_t index, int64_t alignment_bytes,
                    Attempt *best) {
  uint32_t replaced = 1;
  for (int reach = 0; reach < LUNA_SWAP_REACH_COUNT; ++reach) {
    MlirOperation copy = mlirOperationClone(func);
    uint32_t now = luna_swap_buffers(copy, index, (LunaSwapReach)reach);
    int64_t bytes =
        now > replaced ? planned_bytes(copy, alignment_bytes) : INT64_MAX;
    replaced = now;
    if (bytes < best->bytes) {
      MlirOperation larger = best->func;
      *best = (Attempt){copy, bytes};
      copy = larger;
    }
    if (!mlirOperationIsNull(copy))
      mlirOperationDestroy(copy);
  }
}

static void adopt(MlirOperation func, MlirOperation copy) {
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0),
                     mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  int64_t alignment_bytes =
      (int64_t)luna_machine_of_option(&options[0])->alignment_bytes;
  Attempt best = {{NULL}, INT64_MAX};
  for (uint32_t index = 0;
       index < TRIES_MAX && luna_has_swap_chain(func, index);) {
    if (best.bytes == INT64_MAX)
      best.bytes = planned_bytes(func, alignment_bytes);
    best.func = (MlirOperation){NULL};
    attempt(func, index, alignment_bytes, &best);
    if (mlirOperationIsNull(best.func))
      ++index;
    else
      adopt(func, best.func);
  }
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[] = {LUNA_MACHINE_OPTION};
static const char *const dialects[] = {"memref", NULL};

const LunaPassDesc luna_pass_swap_branch_buffers = {
    .argument = "luna-swap-branch-buffers",
    .summary = "Let values that branches recompute swap two buffers",
    .anchor = "func.func",
    .options = options,
    .option_count = 1,
    .dependent_dialects = dialects,
    .run = run,
};
