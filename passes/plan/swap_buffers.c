// luna-swap-buffers: buffers that branches and loops exchange.
//
// In: a bufferised function with control flow, before luna-form-regions. Out:
// where a branch yields an outer buffer or a new one of the same type, each
// such value kept one more buffer alive behind the branch. Now the branch
// yields two buffers, that of the value and the free one, and the regions that
// recompute the value write to the free one and yield the two exchanged: base
// pointers change, nothing is copied. Kept where the plan of the tensors gets
// smaller. Where a turn of a loop copies what it computed to the carried buffer
// (luna-coalesce-copies could not have it written there, since the old value is
// read until late), the loop carries both buffers, and they take turns: the
// body writes the free one and yields the two exchanged. So do several values
// that are shifted. Kept where the plan of the tensors fits or gets no larger.
// What can be coalesced is (luna-coalesce-branch-buffers). As long as the
// tensors do not fit, the regions that pass a value through copy it to one
// buffer with the others, if that makes the plan smaller. Options: machine,
// capacity-bytes. Example: lit_tests/passes/luna-swap-buffers/doc.mlir

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "memory_problem.h"
#include "swap_chains.h"
#include "swap_copies.h"

// Chains that are tried one by one.
enum { TRIES_MAX = 64 };

// The size of a plan made in one go; INT64_MAX, after an error, if there is
// none.
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
    uint32_t now = luna_swap_chain(copy, index, (LunaSwapReach)reach);
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

// Exchanges buffers in every chain whose plan gets smaller.
static void swap_all(MlirOperation func, int64_t alignment_bytes,
                     Attempt *best) {
  for (uint32_t index = 0;
       index < TRIES_MAX && luna_has_swap_chain(func, index);) {
    best->func = (MlirOperation){NULL};
    attempt(func, index, alignment_bytes, best);
    if (mlirOperationIsNull(best->func))
      ++index;
    else
      adopt(func, best->func);
  }
}

// Exchanges buffers instead of copying, where the plan fits, or gets no larger.
static void swap_copies(MlirOperation func, int64_t alignment_bytes,
                        int64_t capacity_bytes, Attempt *best) {
  for (uint32_t index = 0; index < TRIES_MAX;) {
    MlirOperation copy = mlirOperationClone(func);
    bool is_group = luna_swap_copies(copy, index);
    int64_t bytes = is_group ? planned_bytes(copy, alignment_bytes) : INT64_MAX;
    if (is_group && (bytes <= best->bytes || bytes <= capacity_bytes)) {
      best->bytes = bytes;
      adopt(func, copy);
      continue;
    }
    mlirOperationDestroy(copy);
    if (!is_group)
      return;
    ++index;
  }
}

// Copies at branches, as long as the plan does not fit and gets smaller.
static void copy_until_fits(MlirOperation func, int64_t alignment_bytes,
                            int64_t capacity_bytes, int64_t bytes) {
  for (uint32_t index = 0; index < TRIES_MAX && bytes > capacity_bytes &&
                           luna_has_swap_chain(func, index);) {
    MlirOperation copy = mlirOperationClone(func);
    int64_t copied = luna_copy_at_join(copy, index)
                         ? planned_bytes(copy, alignment_bytes)
                         : INT64_MAX;
    if (copied < bytes) {
      bytes = copied;
      adopt(func, copy);
    } else {
      ++index;
      mlirOperationDestroy(copy);
    }
  }
}

enum { OPT_MACHINE, OPT_CAPACITY_BYTES, OPT_COUNT };

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  int64_t alignment_bytes = (int64_t)machine->alignment_bytes;
  int64_t capacity_bytes = options[OPT_CAPACITY_BYTES].integer > 0
                               ? options[OPT_CAPACITY_BYTES].integer
                               : (int64_t)machine->shared.bytes;
  bool has_copies = luna_has_inner_copies(func);
  if (!has_copies && !luna_has_swap_chain(func, 0))
    return mlirLogicalResultSuccess();
  Attempt best = {{NULL}, planned_bytes(func, alignment_bytes)};
  if (best.bytes == INT64_MAX)
    return mlirLogicalResultFailure();
  swap_all(func, alignment_bytes, &best);
  if (has_copies)
    swap_copies(func, alignment_bytes, capacity_bytes, &best);
  copy_until_fits(func, alignment_bytes, capacity_bytes, best.bytes);
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_CAPACITY_BYTES] = {.name = "capacity-bytes",
                            .help =
                                "size of the shared memory; 0 is that of the "
                                "machine's",
                            .kind = LUNA_OPTION_INT64},
};
static const char *const dialects[] = {"memref", NULL};

const LunaPassDesc luna_pass_swap_buffers = {
    .argument = "luna-swap-buffers",
    .summary = "Let branches and loops exchange buffers instead of copying",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
