#include "early_outputs.h"

#include "buffer_roots.h"
#include "luna/arena.h"
#include "sink_outputs.h"
#include "structure.h"

typedef struct Mover {
  LunaArena arena;
  MlirOperation func;
  LunaRoots *roots;
} Mover;

//===----------------------------------------------------------------------===//
// Accesses of an op to a buffer or an argument
//===----------------------------------------------------------------------===//

typedef struct Search {
  const Mover *mover;
  LunaRootSet set;    // of the buffer
  MlirValue argument; // or this value itself; null if there is none
  bool is_found;
} Search;

static void look_at(MlirValue value, void *data) {
  Search *search = data;
  LunaRootSet own = luna_roots_of(search->mover->roots, value);
  search->is_found |= !mlirValueIsNull(search->argument) &&
                      luna_same_value(value, search->argument);
  for (uint32_t i = 0; i < own.count; ++i)
    for (uint32_t k = 0; k < search->set.count; ++k)
      search->is_found |= own.ids[i] == search->set.ids[k];
}

static bool touches(const Mover *mover, MlirOperation op, LunaRootSet set,
                    MlirValue argument) {
  Search search = {.mover = mover, .set = set, .argument = argument};
  luna_touched_values(op, look_at, &search);
  return search.is_found;
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

// Returns the last op before `copy` that it must follow, or a null op.
static MlirOperation last_before(const Mover *mover, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0);
  MlirValue old =
      luna_other_state_argument(mover->func, mlirOperationGetOperand(copy, 1));
  LunaRootSet set = luna_roots_of(mover->roots, source);
  MlirOperation definition = luna_ancestor_in_block(
      luna_defining_op(source), mlirOperationGetBlock(copy));
  MlirOperation at = lunaOperationGetPrevInBlock(copy);
  while (!mlirOperationIsNull(at) && !mlirOperationEqual(at, definition) &&
         !touches(mover, at, set, old))
    at = lunaOperationGetPrevInBlock(at);
  return at;
}

// Returns the copy that fills `buffer` if that is an allocation whose only uses
// are this copy and the one from it; else a null op.
static MlirOperation only_fill_of(MlirValue buffer, MlirOperation away) {
  MlirOperation alloc = luna_defining_op(buffer), fill = {NULL};
  if (!luna_op_is(alloc, LUNA_OP_MEMREF_ALLOC))
    return fill;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, away))
      continue;
    if (!luna_op_is(user, LUNA_OP_MEMREF_COPY) || !mlirOperationIsNull(fill) ||
        mlirOpOperandGetOperandNumber(use) != 1)
      return (MlirOperation){NULL};
    fill = user;
  }
  return fill;
}

// Forwards a copy of a copy: the output is copied from the original buffer.
static void skip_detour(const Mover *mover, MlirOperation copy) {
  MlirValue buffer = mlirOperationGetOperand(copy, 0);
  MlirOperation fill = only_fill_of(buffer, copy);
  if (mlirOperationIsNull(fill) ||
      !mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(copy)))
    return;
  MlirValue source = mlirOperationGetOperand(fill, 0);
  LunaRootSet set = luna_roots_of(mover->roots, source);
  if (set.count == 0 || set.has_other ||
      !luna_memref_is_contiguous(mlirValueGetType(source)))
    return;
  for (MlirOperation op = mlirOperationGetNextInBlock(fill);
       !mlirOperationEqual(op, copy); op = mlirOperationGetNextInBlock(op))
    if (touches(mover, op, set, (MlirValue){NULL}))
      return;
  mlirOperationSetOperand(copy, 0, source);
  mlirOperationDestroy(fill);
  mlirOperationDestroy(luna_defining_op(buffer));
}

static void move_in_block(Mover *mover, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0;
         luna_is_branch(op) && r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(luna_body(op, r)))
        move_in_block(mover, luna_body(op, r));
    if (luna_is_output_copy(op)) {
      skip_detour(mover, op);
      MlirOperation last = last_before(mover, op);
      if (!mlirOperationIsNull(last))
        mlirOperationMoveAfter(op, last);
      luna_keep_view_at(op);
    }
    op = next;
  }
}

void luna_store_outputs_early(MlirOperation func) {
  luna_sink_outputs(func);
  Mover mover = {.func = func};
  mover.roots = luna_roots_compute(func, &mover.arena);
  move_in_block(&mover, luna_entry_block(func));
  luna_arena_destroy(&mover.arena);
}
