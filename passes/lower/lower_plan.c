// luna-lower-plan: replaces the planned allocations by views of one arena.
//
// In: a function whose allocations in shared memory carry `luna.place`, as
// luna-plan-memory leaves them. Out: a last
// argument, the arena `memref<Nxi8, #luna.memory<shared>>`, N being
// `luna.arena_bytes`; every planned allocation is a luna.buffer of it. A result
// of a branch, region or scf.for whose sources all are one buffer is also
// replaced by one, created before it. The function attribute `luna.buffers`
// is an array of dictionaries id, offset, bytes, kind, name, by ascending id.
// Refuses: allocations without a place, dynamic ones or ones with gaps, one
// id at two offsets. No options. Example:
// lit_tests/passes/luna-lower-plan/doc.mlir

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/checked.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

// A planned buffer: all allocations with the same id.
typedef struct Buffer {
  LunaPlacement place;
  int64_t bytes;
} Buffer;

typedef struct Plan {
  LunaArena arena; // of the pass, not of the program
  MlirOperation *allocs, *deallocs;
  uint64_t alloc_count, dealloc_count, op_capacity;
  Buffer *buffers; // unsorted while they are collected
  uint64_t buffer_count;
  int64_t arena_bytes;
  MlirValue base; // the arena argument
} Plan;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static bool is_shared_alloc(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
         luna_memory_of(mlirValueGetType(mlirOperationGetResult(op, 0))) ==
             LUNA_MEMORY_SHARED;
}

static bool count_op(MlirOperation op, void *data) {
  (void)op;
  ++*(uint64_t *)data;
  return true;
}

static bool collect_op(MlirOperation op, void *data) {
  Plan *plan = data;
  if (is_shared_alloc(op))
    plan->allocs[plan->alloc_count++] = op;
  else if (luna_op_is(op, LUNA_OP_MEMREF_DEALLOC))
    plan->deallocs[plan->dealloc_count++] = op;
  return true;
}

static MlirLogicalResult check_alloc(MlirOperation alloc) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  if (luna_shaped_bytes(type) < 0)
    return luna_emit_error(alloc, "allocation has a dynamic shape, static ones "
                                  "can lie in the arena");
  if (!luna_memref_is_dense(type))
    return luna_emit_error(alloc, "allocation has gaps or an offset, dense "
                                  "ones can lie in the arena");
  LunaPlacement place;
  if (!luna_read_place(alloc, &place))
    return luna_emit_error(alloc, "allocation has no luna.place; plan it with "
                                  "luna-plan-memory first");
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult note_buffer(Plan *plan, MlirOperation alloc) {
  Buffer found = {
      .bytes =
          luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(alloc, 0))),
  };
  luna_read_place(alloc, &found.place);
  int64_t end = 0;
  if (!luna_checked_add(found.place.offset_bytes, found.bytes, &end))
    return luna_emit_error(alloc, "offset %lld is too large",
                           (long long)found.place.offset_bytes);
  if (end > plan->arena_bytes)
    plan->arena_bytes = end;
  for (uint64_t i = 0; i < plan->buffer_count; ++i) {
    Buffer *known = &plan->buffers[i];
    if (known->place.id != found.place.id)
      continue;
    if (known->place.offset_bytes != found.place.offset_bytes)
      return luna_emit_error(alloc, "buffer %lld has offsets %lld and %lld",
                             (long long)found.place.id,
                             (long long)known->place.offset_bytes,
                             (long long)found.place.offset_bytes);
    if (found.bytes > known->bytes)
      known->bytes = found.bytes;
    return mlirLogicalResultSuccess();
  }
  plan->buffers[plan->buffer_count++] = found;
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult collect(Plan *plan, MlirOperation func) {
  luna_walk(func, count_op, &plan->op_capacity);
  plan->allocs =
      LUNA_ARENA_ARRAY(&plan->arena, MlirOperation, plan->op_capacity);
  plan->deallocs =
      LUNA_ARENA_ARRAY(&plan->arena, MlirOperation, plan->op_capacity);
  luna_walk(func, collect_op, plan);
  plan->buffers = LUNA_ARENA_ARRAY(&plan->arena, Buffer, plan->alloc_count);
  for (uint64_t i = 0; i < plan->alloc_count; ++i)
    if (mlirLogicalResultIsFailure(check_alloc(plan->allocs[i])) ||
        mlirLogicalResultIsFailure(note_buffer(plan, plan->allocs[i])))
      return mlirLogicalResultFailure();
  int64_t stated = luna_attr_int(func, "luna.arena_bytes", 0);
  if (stated < plan->arena_bytes)
    return luna_emit_error(func,
                           "luna.arena_bytes is %lld, the buffers end at %lld",
                           (long long)stated, (long long)plan->arena_bytes);
  plan->arena_bytes = stated;
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// The arena argument and the table
//===----------------------------------------------------------------------===//

static void add_argument(Plan *plan, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0));
  MlirType type = mlirMemRefTypeGet(
      mlirIntegerTypeGet(context, 8), 1, &plan->arena_bytes,
      mlirAttributeGetNull(), lunaMemoryAttrGet(context, LUNA_MEMORY_SHARED));
  plan->base =
      mlirBlockAddArgument(entry, type, mlirOperationGetLocation(func));

  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirType *inputs = LUNA_ARENA_ARRAY(&plan->arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i)
    inputs[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
  MlirType function_type =
      mlirTypeAttrGetValue(luna_attr(func, "function_type"));
  intptr_t result_count = mlirFunctionTypeGetNumResults(function_type);
  MlirType *results = LUNA_ARENA_ARRAY(&plan->arena, MlirType, result_count);
  for (intptr_t i = 0; i < result_count; ++i)
    results[i] = mlirFunctionTypeGetResult(function_type, i);
  luna_set_attr(func, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(context, count, inputs,
                                                    result_count, results)));

  MlirAttribute old = luna_attr(func, "arg_attrs");
  if (mlirAttributeIsNull(old) || !mlirAttributeIsAArray(old))
    return;
  MlirAttribute *attributes =
      LUNA_ARENA_ARRAY(&plan->arena, MlirAttribute, count);
  for (intptr_t i = 0; i + 1 < count; ++i)
    attributes[i] = mlirArrayAttrGetElement(old, i);
  attributes[count - 1] = mlirDictionaryAttrGet(context, 0, NULL);
  luna_set_attr(func, "arg_attrs",
                mlirArrayAttrGet(context, count, attributes));
}

static int compare_buffers(const void *a, const void *b) {
  const Buffer *x = a, *y = b;
  return (x->place.id > y->place.id) - (x->place.id < y->place.id);
}

static MlirAttribute table_entry(Plan *plan, MlirContext context,
                                 const Buffer *buffer) {
  const LunaPlacement *place = &buffer->place;
  const char *name =
      luna_arena_printf(&plan->arena, "buffer%" PRId64, place->id);
  MlirNamedAttribute fields[] = {
      luna_named(context, "bytes", luna_i64_attr(context, buffer->bytes)),
      luna_named(context, "id", luna_i64_attr(context, place->id)),
      luna_named(
          context, "kind",
          luna_string_attr(context, lunaAllocationKindName(place->kind))),
      luna_named(context, "name",
                 place->name.length > 0
                     ? mlirStringAttrGet(context, place->name)
                     : luna_string_attr(context, name)),
      luna_named(context, "offset",
                 luna_i64_attr(context, place->offset_bytes)),
  };
  return mlirDictionaryAttrGet(context, sizeof fields / sizeof fields[0],
                               fields);
}

static void set_table(Plan *plan, MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  if (plan->buffer_count > 0)
    qsort(plan->buffers, plan->buffer_count, sizeof *plan->buffers,
          compare_buffers);
  MlirAttribute *entries =
      LUNA_ARENA_ARRAY(&plan->arena, MlirAttribute, plan->buffer_count);
  for (uint64_t i = 0; i < plan->buffer_count; ++i)
    entries[i] = table_entry(plan, context, &plan->buffers[i]);
  luna_set_attr(
      func, "luna.buffers",
      mlirArrayAttrGet(context, (intptr_t)plan->buffer_count, entries));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static void replace_alloc(Plan *plan, MlirOperation alloc) {
  MlirContext context = mlirOperationGetContext(alloc);
  MlirValue old = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(old);
  LunaPlacement place;
  luna_read_place(alloc, &place);
  MlirNamedAttribute attributes[] = {
      luna_named(context, "id", luna_i64_attr(context, place.id)),
      luna_named(context, "offset", luna_i64_attr(context, place.offset_bytes)),
  };
  MlirValue buffer = luna_build_value_with(alloc, "luna.buffer", type, 1,
                                           &plan->base, 2, attributes);
  mlirValueReplaceAllUsesOfWith(old, buffer);
  mlirOperationDestroy(alloc);
}

// Returns the luna.buffer that `value` is, or a null op.
static MlirOperation buffer_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  bool is_buffer = luna_op_is(op, LUNA_OP_LUNA_BUFFER);
  return is_buffer ? op : (MlirOperation){NULL};
}

static bool is_same_buffer(MlirOperation a, MlirOperation b) {
  return !mlirOperationIsNull(a) && !mlirOperationIsNull(b) &&
         mlirAttributeEqual(luna_attr(a, "id"), luna_attr(b, "id")) &&
         mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, 0)),
                       mlirValueGetType(mlirOperationGetResult(b, 0)));
}

// Returns the buffer that every source of result `index` of `op` is, or null.
// It is no scf.while.
static MlirOperation common_buffer(MlirOperation op, intptr_t index) {
  MlirOperation common = {NULL};
  if (luna_is_loop(op))
    common = buffer_of(mlirOperationGetOperand(op, 3 + index));
  intptr_t region_count = mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < region_count; ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    MlirOperation yield = mlirBlockGetTerminator(block);
    MlirOperation buffer = buffer_of(mlirOperationGetOperand(yield, index));
    if (mlirOperationIsNull(common) && r == 0)
      common = buffer;
    if (!is_same_buffer(common, buffer))
      return (MlirOperation){NULL};
  }
  return common;
}

static void hoist_results(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!luna_is_memref(mlirValueGetType(result)))
      continue;
    MlirOperation common = common_buffer(op, i);
    if (mlirOperationIsNull(common))
      continue;
    MlirOperation clone = mlirOperationClone(common);
    luna_insert_before(op, clone);
    MlirValue hoisted = mlirOperationGetResult(clone, 0);
    mlirValueReplaceAllUsesOfWith(result, hoisted);
    if (luna_is_loop(op)) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 1 + i), hoisted);
    }
  }
}

// Innermost first, so that offsets found inside are known outside.
static void hoist_under(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (mlirBlockIsNull(block))
      continue;
    for (MlirOperation child = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(child);
         child = mlirOperationGetNextInBlock(child)) {
      if (mlirOperationGetNumRegions(child) == 0)
        continue;
      hoist_under(child);
      bool may_hoist =
          luna_is_control_flow(child) && !luna_op_is(child, LUNA_OP_SCF_WHILE);
      if (may_hoist || luna_op_is(child, LUNA_OP_LUNA_REGION))
        hoist_results(child);
    }
  }
}

static void erase_deallocs(Plan *plan) {
  for (uint64_t i = 0; i < plan->dealloc_count; ++i)
    if (luna_memory_of(mlirValueGetType(mlirOperationGetOperand(
            plan->deallocs[i], 0))) == LUNA_MEMORY_SHARED)
      mlirOperationDestroy(plan->deallocs[i]);
}

static MlirLogicalResult lower(Plan *plan, MlirOperation func) {
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0))))
    return mlirLogicalResultSuccess();
  if (mlirLogicalResultIsFailure(collect(plan, func)))
    return mlirLogicalResultFailure();
  add_argument(plan, func);
  set_table(plan, func);
  erase_deallocs(plan);
  for (uint64_t i = 0; i < plan->alloc_count; ++i)
    replace_alloc(plan, plan->allocs[i]);
  hoist_under(func);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  Plan plan = {0};
  MlirLogicalResult result = lower(&plan, func);
  luna_arena_destroy(&plan.arena);
  return result;
}

static const char *const dialects[] = {"arith", "memref", "luna", NULL};

const LunaPassDesc luna_pass_lower_plan = {
    .argument = "luna-lower-plan",
    .summary = "make planned allocations buffers of one arena",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
