#include "join_price.h"

#include "luna-c/pass.h"
#include "memory_problem.h"
#include "op_cost.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

// Up to so many, paths are counted one by one; beyond, as so many parts of all.
enum { PARTS_MAX = 1 << 20 };

// Of a way through the program.
typedef struct Cycles {
  uint64_t slowest;
  uint64_t all; // times the paths, or parts of them, that take them
} Cycles;

static uint64_t sum_of(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t count, uint64_t cycles) {
  bool fits = cycles == 0 || count <= UINT64_MAX / cycles;
  return fits ? count * cycles : UINT64_MAX;
}

// Returns the number of paths through a block, as if all branches were decided
// on their own.
static double count_paths(MlirBlock block) {
  static const double paths_max = 1e300;
  double paths = 1;
  for (MlirOperation op = mlirBlockIsNull(block)
                              ? (MlirOperation){NULL}
                              : mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool is_branch = luna_is_branch(op);
    double here = is_branch ? 0 : 1;
    if (!luna_is_control_flow(op))
      continue;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      double inner = count_paths(luna_body(op, r));
      here = is_branch ? here + inner : here * inner;
    }
    paths = paths * here < paths_max ? paths * here : paths_max;
  }
  return paths;
}

static bool add_block(const LunaMachine *machine, MlirBlock block,
                      uint64_t part, Cycles *cycles);

// Adds what the bodies of a loop take, all turns together.
static bool add_loop(const LunaMachine *machine, MlirOperation op,
                     uint64_t part, Cycles *cycles) {
  uint64_t turns = (uint64_t)luna_trip_count(op, 1);
  Cycles turn = {0};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!add_block(machine, luna_body(op, r), part, &turn))
      return false;
  cycles->slowest = sum_of(cycles->slowest, times(turns, turn.slowest));
  cycles->all = sum_of(cycles->all, times(turns, turn.all));
  return true;
}

// Adds what the slowest region takes, and what each takes for its part of the
// paths; these make up `part` together.
static bool add_branch(const LunaMachine *machine, MlirOperation op,
                       uint64_t part, Cycles *cycles) {
  intptr_t count = mlirOperationGetNumRegions(op);
  double paths = 0;
  uint64_t slowest = 0, left = part;
  for (intptr_t r = 0; r < count; ++r)
    paths += count_paths(luna_body(op, r));
  for (intptr_t r = 0; r < count; ++r) {
    double here = count_paths(luna_body(op, r));
    uint64_t own =
        r + 1 < count ? (uint64_t)((double)part * here / paths) : left;
    Cycles region = {0};
    own = own < left ? own : left;
    if (!add_block(machine, luna_body(op, r), own, &region))
      return false;
    left -= own;
    slowest = slowest < region.slowest ? region.slowest : slowest;
    cycles->all = sum_of(cycles->all, region.all);
  }
  cycles->slowest = sum_of(cycles->slowest, slowest);
  return true;
}

static bool add_op(const LunaMachine *machine, MlirOperation op, uint64_t part,
                   Cycles *cycles) {
  LunaCost cost;
  if (luna_is_branch(op))
    return add_branch(machine, op, part, cycles);
  if (luna_is_loop(op))
    return add_loop(machine, op, part, cycles);
  if (!luna_op_cost(machine, op, &cost))
    return false;
  uint64_t sum = sum_of(cost.unit_cycles, cost.host_cycles);
  cycles->slowest = sum_of(cycles->slowest, sum);
  cycles->all = sum_of(cycles->all, times(part, sum));
  return true;
}

static bool add_block(const LunaMachine *machine, MlirBlock block,
                      uint64_t part, Cycles *cycles) {
  bool is_ok = true;
  for (MlirOperation op = mlirBlockIsNull(block)
                              ? (MlirOperation){NULL}
                              : mlirBlockGetFirstOperation(block);
       is_ok && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    is_ok = add_op(machine, op, part, cycles);
  return is_ok;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

// Plans in one go. Returns false, after an error, if that is not possible.
static bool plan(const LunaJoinTarget *target, MlirOperation func,
                 LunaMemoryProblem *memory, bool has_staging, LunaArena *arena,
                 int64_t *bytes) {
  LunaSolution solution = {0};
  LunaError error = {0};
  LunaPlanOptions options = {.strategy = "large-first"};
  LunaModelProblemOptions view = {
      .align_bytes = (int64_t)target->machine->alignment_bytes,
      .has_staging = has_staging,
  };
  if (!luna_memory_problem_of(memory, &view, arena))
    return false;
  if (!luna_plan_solve(memory->view.problem, &options, &solution, &error)) {
    luna_emit_error(func, "%s", error.message);
    return false;
  }
  *bytes = solution.total.bytes;
  return true;
}

// Plans without staging, and with the least.
static bool plan_both(const LunaJoinTarget *target, MlirOperation func,
                      int64_t *bytes, int64_t *staged) {
  LunaArena arena = {0};
  LunaMemoryProblem memory;
  bool is_planned =
      luna_program_model_build(func, NULL, &arena, &memory.program) &&
      plan(target, func, &memory, false, &arena, bytes) &&
      plan(target, func, &memory, true, &arena, staged);
  luna_arena_destroy(&arena);
  return is_planned;
}

bool luna_join_price(const LunaJoinTarget *target, MlirOperation func,
                     LunaJoinPrice *price) {
  Cycles cycles = {0};
  int64_t bytes = 0, staged = 0;
  MlirBlock entry = luna_entry_block(func);
  double paths = count_paths(entry);
  uint64_t parts = paths < PARTS_MAX ? (uint64_t)paths : PARTS_MAX;
  if (!plan_both(target, func, &bytes, &staged) ||
      !add_block(target->machine, entry, parts, &cycles))
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
