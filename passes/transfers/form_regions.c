// luna-form-regions: forms straight-line regions between control flow.
//
// In: a bufferised function with scf control flow. Out: every run of ops
// between control flow, in every block, is in a luna.region whose results are
// the values used after it; regions are numbered in program order. Constants
// come first in the function, outside; globals that operators share are read by
// each of them. Control flow is named (luna.label "if0",
// loop0, …). The five rules of "Memory optimization method for control flow
// computation graph" (J. NUDT 47(6), 2025), section 1.3, applied recursively.
// No options. Example: lit_tests/passes/luna-form-regions/doc.mlir

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "luna/vector.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"

typedef struct Former {
  LunaArena arena;
  int32_t next_id;
} Former;

//===----------------------------------------------------------------------===//
// Constants first
//===----------------------------------------------------------------------===//

typedef struct Hoist {
  MlirBlock entry;
  MlirOperation last; // the last constant hoisted, null before the first
} Hoist;

static bool hoist_constant(MlirOperation op, void *data) {
  Hoist *hoist = data;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool in_program = luna_op_is(parent, LUNA_OP_FUNC_FUNC) ||
                    luna_op_is(parent, LUNA_OP_LUNA_REGION) ||
                    luna_is_control_flow(parent);
  if (!lunaOperationIsConstantLike(op) || !in_program)
    return true;
  MlirOperation first = mlirBlockGetFirstOperation(hoist->entry);
  if (!mlirOperationIsNull(hoist->last))
    mlirOperationMoveAfter(op, hoist->last);
  else if (!mlirOperationEqual(op, first))
    mlirOperationMoveBefore(op, first);
  hoist->last = op;
  return true;
}

//===----------------------------------------------------------------------===//
// Constants of an operator of its own
//===----------------------------------------------------------------------===//
// luna-pack-weights gives each operator a memref.get_global and views of it;
// upstream's CSE has operators share them, across regions too.

// Returns true if nothing but `op` reads `value`, itself or through views.
static bool serves_only(MlirValue value, MlirOperation op) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    bool is_own = luna_op_is(owner, LUNA_OP_MEMREF_VIEW)
                      ? serves_only(mlirOperationGetResult(owner, 0), op)
                      : mlirOperationEqual(owner, op);
    if (!is_own)
      return false;
  }
  return true;
}

static void destroy_if_unused(MlirOperation op) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
    mlirOperationDestroy(op);
}

// Has operand `i` of `op` read a copy of `get`, or a copy of its view of it.
static void read_copy(MlirOperation op, intptr_t i, MlirOperation get,
                      MlirOperation copy) {
  MlirOperation reader = luna_defining_op(mlirOperationGetOperand(op, i));
  MlirValue read = mlirOperationGetResult(copy, 0);
  if (!mlirOperationEqual(reader, get)) {
    MlirOperation view = mlirOperationClone(reader);
    mlirOperationSetOperand(view, 0, read);
    luna_insert_before(op, view);
    read = mlirOperationGetResult(view, 0);
  }
  mlirOperationSetOperand(op, i, read);
  if (!mlirOperationEqual(reader, get))
    destroy_if_unused(reader);
}

// Returns the memref.get_global that an operand is, or is a view of.
static MlirOperation global_of(MlirOperation op, intptr_t i) {
  MlirOperation get = luna_defining_op(mlirOperationGetOperand(op, i));
  if (!mlirOperationIsNull(get) && luna_op_is(get, LUNA_OP_MEMREF_VIEW))
    get = luna_defining_op(mlirOperationGetOperand(get, 0));
  bool is_get =
      !mlirOperationIsNull(get) && luna_op_is(get, LUNA_OP_MEMREF_GET_GLOBAL);
  return is_get ? get : (MlirOperation){NULL};
}

static void copy_constants(MlirOperation op) {
  MlirOperation last = {NULL}, copy = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation get = global_of(op, i);
    if (mlirOperationIsNull(get))
      continue;
    if (!mlirOperationEqual(get, last)) {
      copy = mlirOperationClone(get);
      luna_insert_before(op, copy);
    }
    last = get;
    read_copy(op, i, get, copy);
  }
  if (!mlirOperationIsNull(last))
    destroy_if_unused(last);
}

typedef struct Sharers {
  LunaArena arena;
  LUNA_VECTOR(MlirOperation) ops;
} Sharers;

static bool find_sharer(MlirOperation op, void *data) {
  Sharers *sharers = data;
  intptr_t count = luna_op_is_unit(op) ? mlirOperationGetNumOperands(op) : 0;
  bool shares = false;
  for (intptr_t i = 0; i < count && !shares; ++i) {
    MlirOperation get = global_of(op, i);
    shares = !mlirOperationIsNull(get) &&
             !serves_only(mlirOperationGetResult(get, 0), op);
  }
  if (shares)
    *LUNA_VECTOR_ADD(&sharers->arena, &sharers->ops) = op;
  return true;
}

static void separate_constants(MlirOperation func) {
  Sharers sharers = {.ops = {0}};
  luna_walk(func, find_sharer, &sharers);
  for (uint64_t i = 0; i < sharers.ops.count; ++i)
    copy_constants(sharers.ops.items[i]);
  luna_arena_destroy(&sharers.arena);
}

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

// Ops [first, end) of one block.
typedef struct Run {
  MlirOperation first, end;
  intptr_t op_count;
} Run;

// Moves the ops of a run to a block of their own.
static MlirBlock take_run(const Run *run) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (MlirOperation op = run->first; !mlirOperationEqual(op, run->end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(block, op);
    op = next;
  }
  return block;
}

static bool stands_in(MlirBlock block, MlirOperation op) {
  return !mlirOperationIsNull(luna_ancestor_in_block(op, block));
}

static bool is_used_outside(MlirBlock block, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!stands_in(block, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

// The values of a block that are used outside.
typedef struct Escapes {
  LUNA_VECTOR(MlirValue) values;
  LUNA_VECTOR(MlirType) types;
} Escapes;

static Escapes find_escapes(Former *former, MlirBlock block) {
  Escapes escapes = {.values = {0}};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue value = mlirOperationGetResult(op, i);
      if (!is_used_outside(block, value))
        continue;
      *LUNA_VECTOR_ADD(&former->arena, &escapes.values) = value;
      *LUNA_VECTOR_ADD(&former->arena, &escapes.types) =
          mlirValueGetType(value);
    }
  return escapes;
}

static void use_result_outside(MlirBlock block, MlirValue value,
                               MlirValue result) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (!stands_in(block, owner))
      mlirOperationSetOperand(owner, mlirOpOperandGetOperandNumber(use),
                              result);
    use = next;
  }
}

static void wrap_run(Former *former, const Run *run) {
  MlirContext context = mlirOperationGetContext(run->first);
  MlirLocation location = mlirOperationGetLocation(run->first);
  MlirBlock block = take_run(run);
  Escapes escapes = find_escapes(former, block);
  intptr_t count = (intptr_t)escapes.values.count;
  MlirRegion body = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(body, block);
  MlirNamedAttribute id =
      luna_named(context, "id", luna_i32_attr(context, former->next_id++));
  MlirOperation region =
      luna_build_before(run->end, &(LunaOpSpec){
                                      .name = "luna.region",
                                      .location = location,
                                      .results = escapes.types.items,
                                      .result_count = count,
                                      .attributes = &id,
                                      .attribute_count = 1,
                                      .owned_regions = &body,
                                      .region_count = 1,
                                  });
  for (intptr_t i = 0; i < count; ++i)
    use_result_outside(block, escapes.values.items[i],
                       mlirOperationGetResult(region, i));
  mlirBlockAppendOwnedOperation(
      block, luna_build(&(LunaOpSpec){.name = "luna.yield",
                                      .location = location,
                                      .operands = escapes.values.items,
                                      .operand_count = count}));
}

//===----------------------------------------------------------------------===//
// Blocks, outermost first
//===----------------------------------------------------------------------===//

static bool ends_run(MlirOperation op) {
  return luna_is_control_flow(op) || luna_op_is(op, LUNA_OP_LUNA_REGION) ||
         mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

static void form_block(Former *former, MlirBlock block);

static void form_nested(Former *former, MlirOperation op) {
  for (intptr_t r = 0;
       luna_is_control_flow(op) && r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    if (!mlirBlockIsNull(block))
      form_block(former, block);
  }
}

static void form_block(Former *former, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && (lunaOperationIsConstantLike(op) ||
                                      luna_op_is(op, LUNA_OP_LUNA_LABEL)))
    op = mlirOperationGetNextInBlock(op);
  Run run = {.first = op};
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (ends_run(op)) {
      run.end = op;
      if (run.op_count > 0)
        wrap_run(former, &run);
      form_nested(former, op);
      run = (Run){.first = next};
    } else {
      ++run.op_count;
    }
    op = next;
  }
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  MlirBlock entry = luna_entry_block(func);
  if (mlirBlockIsNull(entry))
    return mlirLogicalResultSuccess();
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(entry)))
    return luna_emit_error(func, "unstructured control flow; lift it with "
                                 "lift-cf-to-scf first");
  Former former = {0};
  luna_name_control_flow(func);
  separate_constants(func);
  Hoist hoist = {.entry = entry};
  luna_walk(func, hoist_constant, &hoist);
  form_block(&former, entry);
  luna_arena_destroy(&former.arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"luna", NULL};

const LunaPassDesc luna_pass_form_regions = {
    .argument = "luna-form-regions",
    .summary = "Cut the program into straight-line regions",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
