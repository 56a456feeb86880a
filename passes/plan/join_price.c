#include "join_price.h"

#include "luna-c/pass.h"
#include "memory_problem.h"
#include "op_cost.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

typedef struct Cycles {
  uint64_t slowest, all;
} Cycles;

static uint64_t sum_of(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t count, uint64_t cycles) {
  bool fits = cycles == 0 || count <= UINT64_MAX / cycles;
  return fits ? count * cycles : UINT64_MAX;
}

static bool add_block(const LunaMachine *machine, MlirBlock block,
                      Cycles *cycles);

// Adds what the regions of `op` take: of a branch, the slowest one.
static bool add_regions(const LunaMachine *machine, MlirOperation op,
                        Cycles *cycles) {
  bool is_loop = luna_is_loop(op), is_ok = true;
  uint64_t turns = is_loop ? (uint64_t)luna_trip_count(op, 1) : 1;
  Cycles sum = {0};
  for (intptr_t r = 0; is_ok && r < mlirOperationGetNumRegions(op); ++r) {
    Cycles region = {0};
    is_ok = mlirBlockIsNull(luna_body(op, r)) ||
            add_block(machine, luna_body(op, r), &region);
    sum.all = sum_of(sum.all, region.all);
    if (is_loop)
      sum.slowest = sum_of(sum.slowest, region.slowest);
    else if (sum.slowest < region.slowest)
      sum.slowest = region.slowest;
  }
  cycles->slowest = sum_of(cycles->slowest, times(turns, sum.slowest));
  cycles->all = sum_of(cycles->all, times(turns, sum.all));
  return is_ok;
}

static bool add_op(const LunaMachine *machine, MlirOperation op,
                   Cycles *cycles) {
  LunaCost cost;
  if (luna_is_control_flow(op))
    return add_regions(machine, op, cycles);
  if (!luna_op_cost(machine, op, &cost))
    return false;
  uint64_t sum = sum_of(cost.unit_cycles, cost.host_cycles);
  cycles->slowest = sum_of(cycles->slowest, sum);
  cycles->all = sum_of(cycles->all, sum);
  return true;
}

static bool add_block(const LunaMachine *machine, MlirBlock block,
                      Cycles *cycles) {
  bool is_ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       is_ok && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    is_ok = add_op(machine, op, cycles);
  return is_ok;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

typedef bool (*CreateProblem)(MlirOperation func, int64_t align_bytes,
                              LunaArena *arena, LunaMemoryProblem *memory);

// Plans in one go. Returns false, after an error, if that is not possible.
static bool plan(const LunaJoinTarget *target, MlirOperation func,
                 CreateProblem create, int64_t *bytes) {
  LunaArena arena = {0};
  LunaMemoryProblem memory;
  LunaSolution solution = {0};
  LunaError error = {0};
  LunaPlanOptions options = {.strategy = "large-first"};
  bool is_planned =
      create(func, (int64_t)target->machine->alignment_bytes, &arena, &memory);
  if (is_planned &&
      !luna_plan_solve(memory.problem, &options, &solution, &error)) {
    luna_emit_error(func, "%s", error.message);
    is_planned = false;
  }
  *bytes = solution.total.bytes;
  luna_arena_destroy(&arena);
  return is_planned;
}

bool luna_join_price(const LunaJoinTarget *target, MlirOperation func,
                     LunaJoinPrice *price) {
  Cycles cycles = {0};
  int64_t bytes = 0, staged = 0;
  if (!plan(target, func, luna_memory_problem_create, &bytes) ||
      !plan(target, func, luna_memory_problem_create_staged, &staged) ||
      !add_block(target->machine, luna_entry_block(func), &cycles))
    return false;
  int64_t excess = staged - target->capacity_bytes;
  *price = (LunaJoinPrice){.excess_bytes = excess > 0 ? excess : 0,
                           .slowest_cycles = cycles.slowest,
                           .all_cycles = cycles.all,
                           .bytes = bytes};
  return true;
}

bool luna_join_price_is_less(const LunaJoinPrice *a, const LunaJoinPrice *b) {
  if (a->excess_bytes != b->excess_bytes)
    return a->excess_bytes < b->excess_bytes;
  if (a->slowest_cycles != b->slowest_cycles)
    return a->slowest_cycles < b->slowest_cycles;
  if (a->all_cycles != b->all_cycles)
    return a->all_cycles < b->all_cycles;
  return a->bytes < b->bytes;
}
