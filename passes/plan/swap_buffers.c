// luna-swap-buffers: buffers that branches and loops exchange.
//
// In: a bufferised function with control flow, before luna-form-regions. Out:
// where a branch yields an outer buffer or a new one of the same type, each
// such value kept one more buffer alive behind the branch. Now the branch
// yields two buffers, that of the value and the free one, and the regions that
// recompute the value write to the free one and yield the two exchanged: base
// pointers change, nothing is copied. Where a turn of a loop copies what it
// computed to the carried buffer (luna-coalesce-copies could not have it
// written there, since the old value is read until late), the loop carries both
// buffers, and they take turns: the body writes the free one and yields the two
// exchanged. So do values that branches of the loop pass through or recompute,
// and several that are shifted. Where a branch passes a value through, the
// others may also copy to one buffer. Each is kept if the plan, with the least
// staging, exceeds the memory by less; or the copies of all turns take fewer
// cycles; or the tensors take fewer bytes. Options: machine, capacity-bytes.
// Example: lit_tests/passes/luna-swap-buffers/doc.mlir

#include "carried_branches.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/checked.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "memory_problem.h"
#include "op_cost.h"
#include "structure.h"
#include "swap_chains.h"
#include "swap_copies.h"
#include "unify_copies.h"

// Rewritings of one kind that are tried one by one.
enum { TRIES_MAX = 64 };

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

typedef struct Decider {
  const LunaMachine *machine;
  int64_t capacity_bytes;
} Decider;

// What a function takes: bytes beyond the capacity with the least staging,
// cycles of copies in all turns, bytes of the tensors.
typedef struct Figures {
  int64_t excess_bytes;
  int64_t copy_cycles;
  int64_t bytes;
} Figures;

typedef bool (*CreateProblem)(MlirOperation func, int64_t align_bytes,
                              LunaArena *arena, LunaMemoryProblem *memory);

// Plans in one go. Returns false, after an error, if that is not possible.
static bool plan(const Decider *decider, MlirOperation func,
                 CreateProblem create, int64_t *bytes) {
  LunaArena arena = {0};
  LunaMemoryProblem memory;
  LunaSolution solution = {0};
  LunaError error = {0};
  LunaPlanOptions options = {.strategy = "large-first"};
  bool is_planned =
      create(func, (int64_t)decider->machine->alignment_bytes, &arena,
             &memory) &&
      luna_plan_solve(memory.problem, &options, &solution, &error);
  *bytes = solution.total.bytes;
  luna_arena_destroy(&arena);
  return is_planned;
}

typedef struct CopyCost {
  const LunaMachine *machine;
  int64_t cycles;
} CopyCost;

static bool add_copy_cost(MlirOperation op, void *data) {
  CopyCost *all = data;
  LunaCost cost;
  int64_t cycles = 0;
  if (!luna_op_is(op, LUNA_OP_MEMREF_COPY))
    return true;
  if (!luna_op_cost(all->machine, op, &cost))
    return false;
  bool fits = luna_checked_mul((int64_t)(cost.unit_cycles + cost.host_cycles),
                               luna_run_count(op), &cycles) &&
              luna_checked_add(all->cycles, cycles, &all->cycles);
  if (!fits)
    all->cycles = INT64_MAX;
  return true;
}

static bool measure(const Decider *decider, MlirOperation func,
                    Figures *figures) {
  CopyCost copies = {.machine = decider->machine};
  int64_t staged = 0;
  if (!plan(decider, func, luna_memory_problem_create, &figures->bytes) ||
      !plan(decider, func, luna_memory_problem_create_staged, &staged) ||
      !luna_walk(func, add_copy_cost, &copies))
    return false;
  figures->excess_bytes =
      staged > decider->capacity_bytes ? staged - decider->capacity_bytes : 0;
  figures->copy_cycles = copies.cycles;
  return true;
}

static bool is_better(const Figures *a, const Figures *b) {
  if (a->excess_bytes != b->excess_bytes)
    return a->excess_bytes < b->excess_bytes;
  if (a->copy_cycles != b->copy_cycles)
    return a->copy_cycles < b->copy_cycles;
  return a->bytes < b->bytes;
}

//===----------------------------------------------------------------------===//
// One rewriting
//===----------------------------------------------------------------------===//

// A function, or a copy of it that was rewritten.
typedef struct Attempt {
  MlirOperation func; // null if there is none
  Figures figures;
} Attempt;

// Keeps the better one in `best`; the other is destroyed.
static void keep_better(Attempt attempt, Attempt *best) {
  Attempt worse = attempt;
  if (is_better(&attempt.figures, &best->figures)) {
    worse = *best;
    *best = attempt;
  }
  if (!mlirOperationIsNull(worse.func))
    mlirOperationDestroy(worse.func);
}

// The same for a copy that is not measured yet.
static void measure_copy(const Decider *decider, MlirOperation copy,
                         Attempt *best) {
  Attempt attempt = {.func = copy};
  if (measure(decider, copy, &attempt.figures))
    keep_better(attempt, best);
  else
    mlirOperationDestroy(copy);
}

static void adopt(MlirOperation func, MlirOperation copy) {
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0),
                     mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
}

// Tries the rewriting `index` of a kind. Returns false if there is none.
typedef bool (*Try)(const Decider *decider, MlirOperation func, uint32_t index,
                    Attempt *best);

static bool try_chain(const Decider *decider, MlirOperation func,
                      uint32_t index, Attempt *best) {
  uint32_t replaced = 1;
  if (!luna_has_swap_chain(func, index))
    return false;
  for (int reach = 0; reach < LUNA_SWAP_REACH_COUNT; ++reach) {
    MlirOperation copy = mlirOperationClone(func);
    uint32_t now = luna_swap_chain(copy, index, (LunaSwapReach)reach);
    if (now > replaced)
      measure_copy(decider, copy, best);
    else
      mlirOperationDestroy(copy);
    replaced = now;
  }
  return true;
}

static bool try_copies(const Decider *decider, MlirOperation func,
                       uint32_t index, Attempt *best) {
  if (!luna_has_inner_copies(func))
    return false;
  MlirOperation copy = mlirOperationClone(func);
  if (!luna_swap_copies(copy, index)) {
    mlirOperationDestroy(copy);
    return false;
  }
  measure_copy(decider, copy, best);
  return true;
}

static bool try_join(const Decider *decider, MlirOperation func, uint32_t index,
                     Attempt *best) {
  if (best->figures.excess_bytes == 0 || !luna_has_swap_chain(func, index))
    return false;
  MlirOperation copy = mlirOperationClone(func);
  if (luna_copy_at_join(copy, index))
    measure_copy(decider, copy, best);
  else
    mlirOperationDestroy(copy);
  return true;
}

// Applies what makes the figures better.
static void improve(const Decider *decider, MlirOperation func, Try attempt,
                    Figures *figures) {
  for (uint32_t index = 0; index < TRIES_MAX;) {
    Attempt best = {.figures = *figures};
    if (!attempt(decider, func, index, &best))
      return;
    *figures = best.figures;
    if (mlirOperationIsNull(best.func))
      ++index;
    else
      adopt(func, best.func);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool has_no_loop(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_loop(op);
}

// Exchanges instead of copying: with the results of branches as they are, or
// copied to the carried buffers, and what operators compute, too.
static void improve_loops(const Decider *decider, MlirOperation func,
                          Figures *figures) {
  Attempt best = {.figures = *figures};
  bool has_loop = !luna_walk(func, has_no_loop, NULL);
  for (int reach = 0; has_loop && reach < LUNA_SWAP_REACH_COUNT; ++reach) {
    MlirOperation copy = mlirOperationClone(func);
    Figures now = *figures;
    if (luna_coalesce_carried_branches(copy, reach == LUNA_SWAP_OPERATORS) &&
        mlirLogicalResultIsSuccess(luna_unify_copies(copy, decider->machine)) &&
        measure(decider, copy, &now)) {
      improve(decider, copy, try_copies, &now);
      keep_better((Attempt){copy, now}, &best);
    } else {
      mlirOperationDestroy(copy);
    }
  }
  improve(decider, func, try_copies, figures);
  if (mlirOperationIsNull(best.func))
    return;
  if (is_better(&best.figures, figures)) {
    *figures = best.figures;
    adopt(func, best.func);
  } else {
    mlirOperationDestroy(best.func);
  }
}

enum { OPT_MACHINE, OPT_CAPACITY_BYTES, OPT_COUNT };

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  Decider decider = {machine, options[OPT_CAPACITY_BYTES].integer};
  if (decider.capacity_bytes <= 0)
    decider.capacity_bytes = (int64_t)machine->shared.bytes;
  Figures figures;
  if (!luna_has_inner_copies(func) && !luna_has_swap_chain(func, 0) &&
      luna_walk(func, has_no_loop, NULL))
    return mlirLogicalResultSuccess();
  if (!measure(&decider, func, &figures))
    return mlirLogicalResultFailure();
  improve_loops(&decider, func, &figures);
  improve(&decider, func, try_chain, &figures);
  improve(&decider, func, try_join, &figures);
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
