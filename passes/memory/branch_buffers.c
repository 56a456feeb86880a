#include "branch_buffers.h"

#include "buffer_uses.h"
#include "in_place.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "structure.h"

// A region that computes `from`, and is to write it to `to`.
typedef struct Landing {
  const LunaMachine *machine;
  MlirValue from, to;
  LunaJoinEdge edge;
} Landing;

//===----------------------------------------------------------------------===//
// Whether a region may write to the outer buffer
//===----------------------------------------------------------------------===//

// How often an op stands among accesses.
static uint64_t count_in(const LunaAccesses *accesses, MlirOperation op) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < accesses->count; ++i)
    count += mlirOperationEqual(accesses->items[i], op);
  return count;
}

// True if `op`, which accesses both buffers, may have them be one. Not if its
// body loads from them.
static bool works_in_place(MlirOperation op, const Landing *landing,
                           const LunaAccesses *from, const LunaAccesses *to) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  uint64_t reads = 0;
  for (intptr_t i = 0; i < last; ++i)
    reads += luna_same_value(mlirOperationGetOperand(op, i), landing->to);
  return count_in(from, op) == 1 && reads > 0 && count_in(to, op) == reads &&
         luna_same_value(mlirOperationGetOperand(op, last), landing->from) &&
         luna_may_work_in_place(landing->machine, op, landing->to);
}

// True if all accesses to the outer buffer precede those to the inner.
static bool is_free_in_time(const Landing *landing, LunaArena *arena) {
  LunaAccesses from = luna_accesses_of(landing->from, &landing->edge, arena);
  LunaAccesses to = luna_accesses_of(landing->to, &landing->edge, arena);
  MlirBlock block = luna_join_block(&landing->edge);
  for (uint64_t i = 0; i < to.count; ++i) {
    MlirOperation old = luna_ancestor_in_block(to.items[i], block);
    for (uint64_t j = 0; !mlirOperationIsNull(old) && j < from.count; ++j) {
      MlirOperation new = luna_ancestor_in_block(from.items[j], block);
      bool is_free = mlirOperationEqual(old, new)
                         ? mlirOperationEqual(old, to.items[i]) &&
                               mlirOperationEqual(new, from.items[j]) &&
                               works_in_place(new, landing, &from, &to)
                         : mlirOperationIsBeforeInBlock(old, new);
      if (!is_free)
        return false;
    }
  }
  return true;
}

static bool can_land(const Landing *landing, LunaArena *arena) {
  MlirOperation op = luna_defining_op(landing->from);
  return luna_same_value(landing->from, landing->to) ||
         (!mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
          mlirBlockEqual(mlirOperationGetBlock(op),
                         luna_join_block(&landing->edge)) &&
          luna_dies_at_join(landing->from, &landing->edge, arena) &&
          is_free_in_time(landing, arena));
}

//===----------------------------------------------------------------------===//
// One result
//===----------------------------------------------------------------------===//

typedef struct Coalescing {
  const LunaMachine *machine;
  LunaArena arena;
  LunaOnlyNames only_names;
} Coalescing;

// Returns true if `buffer` may hold the result, whichever region runs.
static bool may_hold(MlirValue buffer, MlirOperation branch, intptr_t result,
                     Coalescing *pass) {
  LunaJoinEdge edge = {.branch = branch, .result = result};
  if (!luna_is_only_name(buffer, &pass->only_names, &pass->arena))
    return false;
  for (; edge.region < mlirOperationGetNumRegions(branch); ++edge.region) {
    Landing landing = {pass->machine, luna_join_source(&edge), buffer, edge};
    if (!luna_dies_at_join(buffer, &edge, &pass->arena) ||
        !can_land(&landing, &pass->arena))
      return false;
  }
  return true;
}

static void coalesce(MlirValue buffer, MlirOperation branch, intptr_t result) {
  LunaJoinEdge edge = {.branch = branch, .result = result};
  for (; edge.region < mlirOperationGetNumRegions(branch); ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    if (luna_same_value(source, buffer))
      continue;
    mlirValueReplaceAllUsesOfWith(source, buffer);
    mlirOperationDestroy(luna_defining_op(source));
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, result), buffer);
}

static bool coalesce_results(MlirOperation branch, void *data) {
  intptr_t count =
      luna_is_branch(branch) ? mlirOperationGetNumResults(branch) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(branch, i));
    MlirValue buffer = {NULL};
    if (luna_is_memref(type))
      buffer = luna_passed_through(branch, i);
    if (!mlirValueIsNull(buffer) && may_hold(buffer, branch, i, data))
      coalesce(buffer, branch, i);
  }
  return true;
}

void luna_coalesce_branch_buffers(MlirOperation func,
                                  const LunaMachine *machine) {
  Coalescing pass = {.machine = machine};
  luna_walk(func, coalesce_results, &pass);
  luna_arena_destroy(&pass.arena);
}
