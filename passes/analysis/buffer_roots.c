#include "buffer_roots.h"

#include "luna/map.h"
#include "structure.h"

struct LunaRoots {
  LunaArena *arena;
  LUNA_VECTOR(MlirOperation) allocs;
  LunaMap values;
  LUNA_VECTOR(LunaRootSet) sets; // by index in `values`
  bool changed;
};

//===----------------------------------------------------------------------===//
// Value to set
//===----------------------------------------------------------------------===//

static void add_roots(LunaRoots *roots, MlirValue value, LunaRootSet set) {
  if (set.count == 0 && !set.has_other)
    return;
  uint32_t index =
      luna_map_add(&roots->values, roots->arena, luna_map_pointer(value.ptr));
  if (index == roots->sets.count)
    *LUNA_VECTOR_ADD(roots->arena, &roots->sets) = set;
  else if (!luna_root_set_add(&roots->sets.items[index], set, roots->arena))
    return;
  roots->changed = true;
}

LunaRootSet luna_roots_of(const LunaRoots *roots, MlirValue value) {
  uint32_t index = luna_map_find(&roots->values, luna_map_pointer(value.ptr));
  return index == LUNA_MAP_ABSENT ? (LunaRootSet){0} : roots->sets.items[index];
}

//===----------------------------------------------------------------------===//
// Flow of values
//===----------------------------------------------------------------------===//

static bool carries_roots(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) || lunaTypeIsAToken(type);
}

static void flow(LunaRoots *roots, MlirValue from, MlirValue to) {
  LunaRootSet set = luna_roots_of(roots, from);
  set.has_other &= luna_is_memref(mlirValueGetType(to));
  if (carries_roots(to))
    add_roots(roots, to, set);
}

// Operands of `from` beginning at `skip` become the results of `op`.
static void flow_to_results(LunaRoots *roots, MlirOperation from, intptr_t skip,
                            MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    flow(roots, mlirOperationGetOperand(from, skip + i),
         mlirOperationGetResult(op, i));
}

static void flow_to_arguments(LunaRoots *roots, MlirOperation from,
                              intptr_t skip, MlirBlock block,
                              intptr_t first_argument) {
  intptr_t count = mlirBlockGetNumArguments(block) - first_argument;
  for (intptr_t i = 0; i < count; ++i)
    flow(roots, mlirOperationGetOperand(from, skip + i),
         mlirBlockGetArgument(block, first_argument + i));
}

static void flow_for(LunaRoots *roots, MlirOperation op) {
  MlirBlock body = luna_body(op, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  flow_to_arguments(roots, op, 3, body, 1);
  flow_to_arguments(roots, yield, 0, body, 1);
  flow_to_results(roots, op, 3, op);
  flow_to_results(roots, yield, 0, op);
}

static void flow_while(LunaRoots *roots, MlirOperation op) {
  MlirBlock before = luna_body(op, 0), after = luna_body(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before);
  flow_to_arguments(roots, op, 0, before, 0);
  flow_to_arguments(roots, mlirBlockGetTerminator(after), 0, before, 0);
  flow_to_arguments(roots, condition, 1, after, 0);
  flow_to_results(roots, condition, 1, op);
}

static void flow_yields(LunaRoots *roots, MlirOperation op) {
  intptr_t count = mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < count; ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      flow_to_results(roots, mlirBlockGetTerminator(luna_body(op, r)), 0, op);
}

static void add_other(LunaRoots *roots, MlirValue value) {
  if (luna_is_memref(mlirValueGetType(value)))
    add_roots(roots, value, (LunaRootSet){.has_other = true});
}

// A memref that no operand gives is a global, or whatever it may be.
static void flow_through(LunaRoots *roots, MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op);
  intptr_t operands = mlirOperationGetNumOperands(op);
  for (intptr_t r = 0; r < results; ++r) {
    MlirValue result = mlirOperationGetResult(op, r);
    for (intptr_t i = 0; i < operands; ++i)
      flow(roots, mlirOperationGetOperand(op, i), result);
    if (luna_map_find(&roots->values, luna_map_pointer(result.ptr)) ==
        LUNA_MAP_ABSENT)
      add_other(roots, result);
  }
}

static void add_alloc(LunaRoots *roots, MlirOperation op) {
  uint32_t *id = LUNA_ARENA_ARRAY(roots->arena, uint32_t, 1);
  *id = (uint32_t)roots->allocs.count;
  *LUNA_VECTOR_ADD(roots->arena, &roots->allocs) = op;
  add_roots(roots, mlirOperationGetResult(op, 0), (LunaRootSet){id, 1, false});
}

static void visit_block(LunaRoots *roots, MlirBlock block, bool first_round);

static void visit_op(LunaRoots *roots, MlirOperation op, bool first_round) {
  bool is_structured =
      luna_is_control_flow(op) || luna_op_is(op, LUNA_OP_LUNA_REGION);
  if (luna_op_is(op, LUNA_OP_MEMREF_ALLOC)) {
    if (first_round)
      add_alloc(roots, op);
    return;
  }
  if (!is_structured) {
    flow_through(roots, op);
    return;
  }
  // Loop arguments get their roots from the operands before the body is seen.
  if (luna_op_is(op, LUNA_OP_SCF_FOR))
    flow_for(roots, op);
  else if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    flow_while(roots, op);
  intptr_t regions = mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < regions; ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      visit_block(roots, luna_body(op, r), first_round);
  if (luna_op_is(op, LUNA_OP_SCF_FOR))
    flow_for(roots, op);
  else if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    flow_while(roots, op);
  else
    flow_yields(roots, op);
}

static void visit_block(LunaRoots *roots, MlirBlock block, bool first_round) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit_op(roots, op, first_round);
}

LunaRoots *luna_roots_compute(MlirOperation func, LunaArena *arena) {
  LunaRoots *roots = LUNA_ARENA_ARRAY(arena, LunaRoots, 1);
  roots->arena = arena;
  MlirBlock entry = luna_entry_block(func);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    add_other(roots, mlirBlockGetArgument(entry, i));
  for (bool first = true; first || roots->changed; first = false) {
    roots->changed = false;
    visit_block(roots, entry, first);
  }
  return roots;
}

uint32_t luna_roots_count(const LunaRoots *roots) {
  return (uint32_t)roots->allocs.count;
}

MlirOperation luna_roots_alloc(const LunaRoots *roots, uint32_t id) {
  return roots->allocs.items[id];
}

//===----------------------------------------------------------------------===//
// What an op touches
//===----------------------------------------------------------------------===//

typedef struct TouchVisitor {
  void (*visit)(MlirValue value, void *data);
  void *data;
} TouchVisitor;

static bool visit_operands(MlirOperation op, void *data) {
  const TouchVisitor *visitor = data;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (carries_roots(mlirOperationGetOperand(op, i)))
      visitor->visit(mlirOperationGetOperand(op, i), visitor->data);
  return true;
}

void luna_touched_values(MlirOperation op,
                         void (*visit)(MlirValue value, void *data),
                         void *data) {
  TouchVisitor visitor = {visit, data};
  visit_operands(op, &visitor);
  luna_walk(op, visit_operands, &visitor);
}

bool luna_only_renames(MlirOperation op) {
  return LUNA_OP_IS_ANY(
      op, LUNA_OP_MEMREF_ALLOC, LUNA_OP_MEMREF_SUBVIEW, LUNA_OP_MEMREF_VIEW,
      LUNA_OP_MEMREF_CAST, LUNA_OP_MEMREF_REINTERPRET_CAST,
      LUNA_OP_MEMREF_EXPAND_SHAPE, LUNA_OP_MEMREF_COLLAPSE_SHAPE,
      LUNA_OP_MEMREF_TRANSPOSE, LUNA_OP_MEMREF_MEMORY_SPACE_CAST,
      LUNA_OP_MEMREF_EXTRACT_STRIDED_METADATA,
      LUNA_OP_MEMREF_EXTRACT_ALIGNED_POINTER_AS_INDEX, LUNA_OP_MEMREF_DIM,
      LUNA_OP_MEMREF_RESHAPE, LUNA_OP_MEMREF_DEALLOC, LUNA_OP_ARITH_SELECT,
      LUNA_OP_SCF_YIELD, LUNA_OP_SCF_CONDITION, LUNA_OP_LUNA_YIELD,
      LUNA_OP_FUNC_RETURN);
}
