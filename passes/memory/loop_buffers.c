#include "loop_buffers.h"

#include "buffer_roots.h"
#include "loop_values.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "structure.h"

// Returns true if every carried buffer is coalesced already.
static bool is_coalesced(const LunaLoopValues *loop) {
  for (intptr_t i = 0; i < loop->count; ++i) {
    MlirValue initial = luna_loop_init(loop, i);
    MlirValue argument = luna_loop_argument(loop, i);
    MlirValue yielded = luna_loop_next(loop, i);
    if (luna_is_memref(mlirValueGetType(initial)) &&
        (!luna_same_value(initial, yielded) ||
         !mlirOpOperandIsNull(mlirValueGetFirstUse(argument))))
      return false;
  }
  return true;
}

// Returns true if `value` points to allocations, all of them outside the loop.
static bool is_outer_buffer(const LunaLoopValues *loop, const LunaRoots *roots,
                            MlirValue value) {
  LunaRootSet set = luna_roots_of(roots, value);
  MlirBlock block = mlirOperationGetBlock(loop->op);
  bool is_outer = set.count > 0;
  for (uint32_t i = 0; is_outer && i < set.count; ++i)
    is_outer = !mlirOperationEqual(
        luna_ancestor_in_block(luna_roots_alloc(roots, set.ids[i]), block),
        loop->op);
  return is_outer;
}

// Returns true if the turns only pass buffers on: as pointers.
static bool carries_pointers(const LunaLoopValues *loop,
                             const LunaRoots *roots) {
  for (intptr_t i = 0; i < loop->count; ++i) {
    MlirValue next = luna_loop_next(loop, i);
    if (luna_is_memref(mlirValueGetType(next)) &&
        !is_outer_buffer(loop, roots, next))
      return false;
  }
  return true;
}

static bool is_straight_or_coalesced(MlirOperation op, void *data) {
  (void)data;
  if (!luna_is_loop(op))
    return true;
  LunaLoopValues loop = luna_loop_values(op);
  return is_coalesced(&loop);
}

// A loop that is not coalesced stops the walk.
static bool is_ready(MlirOperation op, void *data) {
  const LunaRoots *roots = data;
  LunaLoopValues loop;
  if (luna_is_loop(op))
    loop = luna_loop_values(op);
  if (!luna_is_loop(op) || is_coalesced(&loop) ||
      carries_pointers(&loop, roots))
    return true;
  luna_emit_error(op, "carries a buffer that its body allocates; run "
                      "luna-schedule first");
  return false;
}

bool luna_check_loop_buffers(MlirOperation func) {
  LunaArena arena = {0};
  bool is_ok =
      luna_walk(func, is_straight_or_coalesced, NULL) ||
      luna_walk(func, is_ready, (void *)luna_roots_compute(func, &arena));
  luna_arena_destroy(&arena);
  return is_ok;
}
