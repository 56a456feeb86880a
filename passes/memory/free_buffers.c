#include "free_buffers.h"

#include "apart.h"
#include "luna-c/ops.h"
#include "structure.h"
#include "swap_group.h"
#include "touches.h"

typedef struct Search {
  LunaArena arena;
  const LunaRoots *roots;
  MlirOperation func;
  uint32_t wanted; // pairs before the one wanted
  MlirValue buffer, free;
  MlirOperation maker; // of `free`
  bool is_free;
} Search;

//===----------------------------------------------------------------------===//
// Whether the allocation is one of what follows
//===----------------------------------------------------------------------===//

// Returns true if `at`, which is or contains `op`, is a loop around it.
static bool is_in_loop(MlirOperation op, MlirOperation at) {
  bool is_in = false;
  while (!is_in && !mlirOperationEqual(op, at)) {
    op = mlirOperationGetParentOperation(op);
    is_in = luna_is_loop(op);
  }
  return is_in;
}

// Returns true if all uses of the allocation, which begins there, are behind
// the maker in its block, and not in loops, where luna-verify-plan would have
// to know which buffer is written in each turn.
static bool is_behind(const Search *search) {
  MlirBlock block = mlirOperationGetBlock(search->maker);
  bool is_behind = !mlirOperationIsNull(
      luna_ancestor_in_block(luna_defining_op(search->buffer), block));
  for (MlirOpOperand use = mlirValueGetFirstUse(search->buffer);
       is_behind && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at =
        luna_ancestor_in_block(mlirOpOperandGetOwner(use), block);
    is_behind = !mlirOperationIsNull(at) &&
                mlirOperationIsBeforeInBlock(search->maker, at) &&
                !is_in_loop(mlirOpOperandGetOwner(use), at);
  }
  return is_behind;
}

// Returns true if the block of the maker passes the allocation on.
static bool is_passed_on(const Search *search) {
  MlirOperation end =
      mlirBlockGetTerminator(mlirOperationGetBlock(search->maker));
  LunaRootSet own = luna_roots_of(search->roots, search->buffer);
  bool is_passed = false;
  for (intptr_t i = 0; !is_passed && i < mlirOperationGetNumOperands(end); ++i)
    is_passed = luna_roots_meet(
        own, luna_roots_of(search->roots, mlirOperationGetOperand(end, i)));
  return is_passed;
}

//===----------------------------------------------------------------------===//
// Whether the buffer is free
//===----------------------------------------------------------------------===//

static void look_at(MlirValue value, LunaTouch touch, void *data) {
  (void)touch;
  Search *search = data;
  search->is_free =
      search->is_free && luna_are_apart(search->roots, value, search->free);
}

static bool look_at_op(MlirOperation op, void *data) {
  Search *search = data;
  if (!luna_is_control_flow(op) && !luna_only_renames(op))
    luna_touches(op, look_at, search);
  return search->is_free;
}

// Looks at what follows `op` in its block.
static bool is_free_behind(Search *search, MlirOperation op) {
  search->is_free = true;
  for (op = mlirOperationGetNextInBlock(op);
       search->is_free && !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    look_at_op(op, search);
    luna_walk(op, look_at_op, search);
  }
  return search->is_free;
}

// Returns true if each turn of the loop begins with new buffers in place of
// those that `free` may be.
static bool begins_anew(const Search *search, MlirOperation loop) {
  LunaRootSet set = luna_roots_of(search->roots, search->free);
  bool begins = true;
  for (uint32_t i = 0; begins && i < set.count; ++i) {
    MlirOperation alloc = luna_roots_alloc(search->roots, set.ids[i]);
    begins =
        !mlirOperationIsNull(luna_ancestor_in_block(alloc, luna_body(loop, 0)));
  }
  MlirBlock header = luna_body(loop, 0);
  for (intptr_t i = 0; begins && i < mlirBlockGetNumArguments(header); ++i)
    begins = !luna_roots_meet(
        set, luna_roots_of(search->roots, mlirBlockGetArgument(header, i)));
  return begins;
}

static bool is_free(Search *search) {
  MlirOperation op = search->maker;
  bool is_free = is_free_behind(search, op);
  for (op = mlirOperationGetParentOperation(op); is_free && luna_is_branch(op);
       op = mlirOperationGetParentOperation(op))
    is_free = is_free_behind(search, op);
  return is_free && (!luna_is_loop(op) || begins_anew(search, op));
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static bool can_take(Search *search) {
  return mlirTypeEqual(mlirValueGetType(search->buffer),
                       mlirValueGetType(search->free)) &&
         is_behind(search) && !is_passed_on(search) &&
         !luna_roots_meet(luna_roots_of(search->roots, search->buffer),
                          luna_roots_of(search->roots, search->free)) &&
         is_free(search);
}

// Stops at the pair that is wanted.
static bool visit_maker(MlirOperation op, void *data) {
  Search *search = data;
  search->maker = op;
  intptr_t count =
      luna_is_control_flow(op) ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    search->free = mlirOperationGetResult(op, i);
    if (!luna_is_used(search->free) && can_take(search) &&
        search->wanted-- == 0)
      return false;
  }
  return true;
}

static bool find_pair(Search *search) {
  uint32_t count = luna_roots_count(search->roots);
  for (uint32_t root = 0; root < count; ++root) {
    MlirOperation alloc = luna_roots_alloc(search->roots, root);
    search->buffer = mlirOperationGetResult(alloc, 0);
    if (luna_is_swappable(search->buffer) &&
        luna_allocation_kind(alloc) == LUNA_ALLOCATION_TENSOR &&
        !luna_walk(search->func, visit_maker, search))
      return true;
  }
  return false;
}

static bool is_no_maker(MlirOperation op, void *data) {
  (void)data;
  bool is_maker = false;
  intptr_t count =
      luna_is_control_flow(op) ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; !is_maker && i < count; ++i)
    is_maker =
        luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))) &&
        !luna_is_used(mlirOperationGetResult(op, i));
  return !is_maker;
}

static bool visit_pair(MlirOperation func, uint32_t index, bool takes) {
  if (luna_walk(func, is_no_maker, NULL))
    return false;
  Search search = {.func = func, .wanted = index};
  search.roots = luna_roots_compute(func, &search.arena);
  bool is_found = find_pair(&search);
  luna_arena_destroy(&search.arena);
  if (is_found && takes) {
    mlirValueReplaceAllUsesOfWith(search.buffer, search.free);
    mlirOperationDestroy(luna_defining_op(search.buffer));
  }
  return is_found;
}

bool luna_has_free_buffer(MlirOperation func, uint32_t index) {
  return visit_pair(func, index, false);
}

bool luna_take_free_buffer(MlirOperation func, uint32_t index) {
  return visit_pair(func, index, true);
}
