#include "branch_places.h"

#include "structure.h"

static uint32_t find_place(const LunaMemoryProblem *memory, uint32_t root) {
  while (memory->place_of_root[root] != root)
    root = memory->place_of_root[root];
  return root;
}

// Returns true if all roots of a yielded value are aliases and allocated within
// the branching op.
static bool is_one_place_in(LunaMemoryProblem *memory, LunaRootSet set,
                            MlirOperation branch) {
  MlirBlock block = mlirOperationGetBlock(branch);
  for (uint32_t i = 0; i < set.count; ++i) {
    MlirOperation alloc = luna_roots_alloc(memory->roots, set.ids[i]);
    if (find_place(memory, set.ids[i]) != find_place(memory, set.ids[0]) ||
        !mlirOperationEqual(luna_ancestor_in_block(alloc, block), branch) ||
        memory->buffer_of_root[set.ids[i]] == LUNA_NO_BUFFER)
      return false;
  }
  return set.count > 0;
}

static int64_t bytes_of(LunaMemoryProblem *memory, uint32_t root) {
  LunaBufferId buffer = memory->buffer_of_root[root];
  return luna_problem_buffer(memory->problem, buffer)->size_bytes;
}

// Returns the branching op around `a` and `b` that runs only one of them, if
// any.
static bool are_exclusive(MlirOperation a, MlirOperation b) {
  for (MlirOperation outer = mlirOperationGetParentOperation(a);
       !luna_op_is(outer, LUNA_OP_FUNC_FUNC);
       outer = mlirOperationGetParentOperation(outer)) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(outer); ++r) {
      MlirBlock block = luna_body(outer, r);
      if (mlirBlockIsNull(block) ||
          mlirOperationIsNull(luna_ancestor_in_block(b, block)))
        continue;
      return luna_is_branch(outer) &&
             mlirOperationIsNull(luna_ancestor_in_block(a, block));
    }
  }
  return false;
}

// Returns true if no allocation of one alias set is live together with one of
// the other.
static bool can_share(LunaMemoryProblem *memory, uint32_t a, uint32_t b) {
  uint32_t count = luna_roots_count(memory->roots);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; find_place(memory, i) == a && j < count; ++j)
      if (find_place(memory, j) == b &&
          !are_exclusive(luna_roots_alloc(memory->roots, i),
                         luna_roots_alloc(memory->roots, j)))
        return false;
  return true;
}

static void share_result(LunaMemoryProblem *memory, MlirOperation branch,
                         intptr_t result) {
  intptr_t regions = mlirOperationGetNumRegions(branch);
  uint32_t first = 0;
  for (intptr_t r = 0; r < regions; ++r) {
    MlirOperation yield = mlirBlockGetTerminator(luna_body(branch, r));
    LunaRootSet set =
        luna_roots_of(memory->roots, mlirOperationGetOperand(yield, result));
    if (!is_one_place_in(memory, set, branch))
      return;
    if (r == 0)
      first = set.ids[0];
    if (bytes_of(memory, set.ids[0]) != bytes_of(memory, first))
      return;
  }
  for (intptr_t r = 1; r < regions; ++r) {
    MlirOperation yield = mlirBlockGetTerminator(luna_body(branch, r));
    LunaRootSet set =
        luna_roots_of(memory->roots, mlirOperationGetOperand(yield, result));
    uint32_t a = find_place(memory, first), b = find_place(memory, set.ids[0]);
    if (a == b || !can_share(memory, a, b))
      continue;
    luna_problem_alias(memory->problem, memory->buffer_of_root[a],
                       memory->buffer_of_root[b]);
    memory->place_of_root[a < b ? b : a] = a < b ? a : b;
  }
}

static void share_results_under(LunaMemoryProblem *memory, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!luna_is_control_flow(op))
      continue;
    intptr_t regions = mlirOperationGetNumRegions(op);
    for (intptr_t r = 0; r < regions; ++r)
      if (!mlirBlockIsNull(luna_body(op, r)))
        share_results_under(memory, luna_body(op, r));
    intptr_t results = luna_is_branch(op) ? mlirOperationGetNumResults(op) : 0;
    for (intptr_t i = 0; i < results; ++i)
      if (luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
        share_result(memory, op, i);
  }
}

void luna_share_branch_places(LunaMemoryProblem *memory, MlirBlock entry) {
  uint32_t count = luna_roots_count(memory->roots);
  share_results_under(memory, entry);
  for (uint32_t i = 0; i < count; ++i)
    memory->place_of_root[i] = find_place(memory, i);
}
