// The alias analysis of luna-verify-plan. Values that control flow merges
// become tags of their own as soon as two different sources reach them; the
// function is swept until no more do (one sweep more than loops nest).

#include "verify_plan_values.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_plan_tags.h"

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

bool luna_verify_is_planned_alloc(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
         luna_memory_of(mlirValueGetType(mlirOperationGetResult(op, 0))) ==
             LUNA_MEMORY_SHARED;
}

// Returns where the place of a key stands; true in `is_new` if it has none yet.
static uint32_t *place_of_key(LunaVerifyValues *values, LunaMapKey key,
                              bool *is_new) {
  uint32_t index = luna_map_add(&values->place_keys, values->arena, key);
  *is_new = index == values->keyed.count;
  return *is_new ? LUNA_VECTOR_ADD(values->arena, &values->keyed)
                 : &values->keyed.items[index];
}

static uint32_t planned_place(LunaVerifyValues *values, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(value));
  LunaPlacement placement;
  luna_read_place(op, &placement);
  bool is_new;
  uint32_t *known =
      place_of_key(values, luna_map_number((uint64_t)placement.id), &is_new);
  if (!is_new) {
    LunaVerifyPlace *place = &values->places.items[*known];
    if (bytes > place->bytes)
      place->bytes = bytes;
    return *known;
  }
  return *known = luna_verify_add_place(
             values,
             (LunaVerifyPlace){
                 .op = op,
                 .value = value,
                 .memory = LUNA_MEMORY_SHARED,
                 .is_planned = true,
                 .is_staging = placement.kind == LUNA_ALLOCATION_STAGING,
                 .id = placement.id,
                 .offset_bytes = placement.offset_bytes,
                 .bytes = bytes,
             });
}

static uint32_t outside_place(LunaVerifyValues *values, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t bytes = luna_shaped_bytes(type);
  return luna_verify_add_place(values,
                               (LunaVerifyPlace){
                                   .op = luna_defining_op(value),
                                   .value = value,
                                   .memory = luna_memory_of(type),
                                   .id = -1,
                                   .bytes = bytes < 0 ? INT64_MAX : bytes,
                               });
}

static uint32_t global_place(LunaVerifyValues *values, MlirOperation op) {
  MlirStringRef symbol = luna_attr_symbol(op, "name");
  bool is_new;
  uint32_t *known =
      place_of_key(values, luna_map_bytes(symbol.data, symbol.length), &is_new);
  if (is_new) {
    *known = outside_place(values, mlirOperationGetResult(op, 0));
    values->places.items[*known].symbol = symbol;
  }
  return *known;
}

static void bind_outside(LunaVerifyValues *values, MlirValue value) {
  if (!luna_is_memref(mlirValueGetType(value)))
    return;
  LunaVerifySource known;
  if (!luna_verify_lookup(values, value, &known))
    luna_verify_bind_root(values, value, outside_place(values, value));
}

//===----------------------------------------------------------------------===//
// Sweeping
//===----------------------------------------------------------------------===//

LunaVerifyForward luna_verify_forward(MlirOperation op, intptr_t region) {
  LunaVerifyForward forward = {{NULL}, 0, 0};
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
  if (mlirBlockIsNull(block))
    return forward;
  forward.terminator = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(forward.terminator))
    return forward;
  forward.count = mlirOperationGetNumOperands(forward.terminator);
  if (luna_op_is(forward.terminator, LUNA_OP_SCF_CONDITION)) {
    forward.first = 1;
    --forward.count;
  }
  return forward;
}

static MlirValue forwarded(MlirOperation op, intptr_t region, intptr_t i) {
  LunaVerifyForward forward = luna_verify_forward(op, region);
  if (i >= forward.count)
    return (MlirValue){NULL};
  return mlirOperationGetOperand(forward.terminator, forward.first + i);
}

MlirValue luna_verify_condition(MlirValue value) {
  for (;;) {
    MlirOperation op = luna_defining_op(value);
    if (mlirOperationIsNull(op) || !luna_op_is(op, LUNA_OP_LUNA_REGION))
      return value;
    value = forwarded(op, 0, mlirOpResultGetResultNumber(value));
  }
}

static MlirBlock first_block(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

// Binds the arguments of the block that region `from` and the operands from
// `first_init` on lead into.
static void bind_loop_args(LunaVerifyValues *values, MlirOperation op,
                           MlirBlock block, intptr_t first_arg,
                           intptr_t first_init, intptr_t from) {
  intptr_t count = mlirBlockGetNumArguments(block) - first_arg;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue sources[] = {mlirOperationGetOperand(op, first_init + i),
                           forwarded(op, from, i)};
    luna_verify_bind_merge(values, mlirBlockGetArgument(block, first_arg + i),
                           sources, 2);
  }
}

static void sweep_region(LunaVerifyValues *values, MlirOperation op,
                         intptr_t region);

static void sweep_for(LunaVerifyValues *values, MlirOperation op) {
  MlirBlock body = first_block(op, 0);
  bind_loop_args(values, op, body, 1, 3, 0);
  sweep_region(values, op, 0);
  bind_loop_args(values, op, body, 1, 3, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i + 1);
    luna_verify_bind_merge(values, mlirOperationGetResult(op, i), &argument, 1);
  }
}

static void sweep_while(LunaVerifyValues *values, MlirOperation op) {
  MlirBlock before = first_block(op, 0), after = first_block(op, 1);
  bind_loop_args(values, op, before, 0, 0, 1);
  sweep_region(values, op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue passed = forwarded(op, 0, i);
    luna_verify_bind_merge(values, mlirBlockGetArgument(after, i), &passed, 1);
    luna_verify_bind_merge(values, mlirOperationGetResult(op, i), &passed, 1);
  }
  sweep_region(values, op, 1);
  bind_loop_args(values, op, before, 0, 0, 1);
}

// scf.if, scf.index_switch, luna.region: a result is what one region yields.
static void sweep_branches(LunaVerifyValues *values, MlirOperation op) {
  intptr_t region_count = mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < region_count; ++r)
    sweep_region(values, op, r);
  MlirValue *sources = LUNA_ARENA_ARRAY(values->arena, MlirValue, region_count);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    for (intptr_t r = 0; r < region_count; ++r)
      sources[r] = forwarded(op, r, i);
    luna_verify_bind_merge(values, mlirOperationGetResult(op, i), sources,
                           region_count);
  }
}

// Any other op with regions: its block arguments are memory of its own.
static void sweep_regions(LunaVerifyValues *values, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = first_block(op, r);
    if (mlirBlockIsNull(block))
      continue;
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
      bind_outside(values, mlirBlockGetArgument(block, i));
    sweep_region(values, op, r);
  }
}

// memref.view moves the base by a byte count.
static void sweep_view(LunaVerifyValues *values, MlirOperation op) {
  LunaVerifySource source;
  if (!luna_verify_lookup(values, mlirOperationGetOperand(op, 0), &source))
    return;
  MlirOperation shift = luna_defining_op(mlirOperationGetOperand(op, 1));
  int64_t by = LUNA_VERIFY_UNKNOWN;
  if (!mlirOperationIsNull(shift) && luna_op_is(shift, LUNA_OP_ARITH_CONSTANT))
    by = luna_attr_int(shift, "value", LUNA_VERIFY_UNKNOWN);
  source.base_bytes = luna_verify_shift(source.base_bytes, by);
  luna_verify_bind_alias(values, mlirOperationGetResult(op, 0), source);
}

// Results of other ops alias their memref operands (views, casts, selects), or
// are memory of their own.
static void sweep_results(LunaVerifyValues *values, MlirOperation op) {
  intptr_t operand_count = mlirOperationGetNumOperands(op);
  MlirValue *sources =
      LUNA_ARENA_ARRAY(values->arena, MlirValue, operand_count);
  intptr_t count = 0;
  for (intptr_t i = 0; i < operand_count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(operand)))
      sources[count++] = operand;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (count > 0)
      luna_verify_bind_merge(values, result, sources, count);
    else
      bind_outside(values, result);
  }
}

static void mark_constants(LunaVerifyValues *values, MlirStringRef symbol) {
  if (symbol.data == NULL)
    return;
  uint32_t index = luna_map_find(&values->place_keys,
                                 luna_map_bytes(symbol.data, symbol.length));
  if (index != LUNA_MAP_ABSENT)
    values->places.items[values->keyed.items[index]].holds_constants = true;
}

static void sweep_op(LunaVerifyValues *values, MlirOperation op) {
  mark_constants(values, luna_attr_symbol(op, "params"));
  bool has_regions = mlirOperationGetNumRegions(op) > 0;
  if (!has_regions && mlirOperationGetNumResults(op) == 0)
    return;
  if (!has_regions &&
      luna_verify_is_root(values, mlirOperationGetResult(op, 0)))
    return;
  if (luna_verify_is_planned_alloc(op))
    luna_verify_bind_root(values, mlirOperationGetResult(op, 0),
                          planned_place(values, op));
  else if (luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL))
    luna_verify_bind_root(values, mlirOperationGetResult(op, 0),
                          global_place(values, op));
  else if (luna_op_is(op, LUNA_OP_MEMREF_VIEW))
    sweep_view(values, op);
  else if (!has_regions)
    sweep_results(values, op);
  else if (luna_op_is(op, LUNA_OP_SCF_FOR))
    sweep_for(values, op);
  else if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    sweep_while(values, op);
  else if (luna_op_is(op, LUNA_OP_SCF_IF) ||
           luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH) ||
           luna_op_is(op, LUNA_OP_LUNA_REGION))
    sweep_branches(values, op);
  else if (!luna_op_in_dialect(op, LUNA_DIALECT_LINALG)) {
    sweep_regions(values, op);
    sweep_results(values, op);
  }
}

static void sweep_region(LunaVerifyValues *values, MlirOperation op,
                         intptr_t region) {
  MlirBlock block = first_block(op, region);
  if (mlirBlockIsNull(block))
    return;
  for (MlirOperation child = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(child); child = mlirOperationGetNextInBlock(child))
    sweep_op(values, child);
}

static void number_slots(LunaVerifyValues *values) {
  for (uint32_t t = 0; t < values->tags.count; ++t) {
    values->tags.items[t].first_slot = values->slot_count;
    values->slot_count += values->tags.items[t].homes.count;
  }
  values->slot_tag =
      LUNA_ARENA_ARRAY(values->arena, uint32_t, values->slot_count);
  values->slot_place =
      LUNA_ARENA_ARRAY(values->arena, uint32_t, values->slot_count);
  for (uint32_t t = 0; t < values->tags.count; ++t)
    for (uint32_t h = 0; h < values->tags.items[t].homes.count; ++h) {
      uint32_t slot = values->tags.items[t].first_slot + h;
      values->slot_tag[slot] = t;
      values->slot_place[slot] = values->tags.items[t].homes.items[h].place;
    }
}

// The hull of the elements of a memref, in bytes from its base.
static void measure(MlirType type, LunaVerifyRef *ref) {
  int64_t strides[LUNA_RANK_MAX], offset = 0, element_bytes;
  if (!luna_is_memref(type) || luna_shaped_bytes(type) < 0 ||
      !luna_memref_layout(type, &offset, strides))
    return;
  element_bytes = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  int64_t last = 0;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    if (strides[i] < 0)
      return;
    last += (mlirShapedTypeGetDimSize(type, i) - 1) * strides[i];
  }
  bool is_empty = luna_shaped_bytes(type) == 0;
  ref->lo_bytes = luna_verify_shift(ref->base_bytes, offset * element_bytes);
  ref->span_bytes = is_empty ? 0 : (last + 1) * element_bytes;
  ref->is_exact = ref->base_bytes != LUNA_VERIFY_UNKNOWN;
  ref->is_dense = ref->span_bytes == luna_shaped_bytes(type);
}

// Measures every value once.
static void measure_all(LunaVerifyValues *values) {
  for (uint64_t i = 0; i < values->entries.count; ++i) {
    LunaVerifyEntry *entry = &values->entries.items[i];
    entry->ref =
        (LunaVerifyRef){.tag = entry->tag, .base_bytes = entry->base_bytes};
    measure(mlirValueGetType(entry->value), &entry->ref);
  }
}

void luna_verify_values_build(LunaVerifyValues *values, MlirOperation func) {
  MlirBlock body = first_block(func, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    bind_outside(values, mlirBlockGetArgument(body, i));
  do {
    values->has_changed = false;
    ++values->sweep;
    sweep_region(values, func, 0);
  } while (values->has_changed);
  number_slots(values);
  luna_verify_values_set_apart(values, func);
  measure_all(values);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool luna_verify_values_ref(const LunaVerifyValues *values, MlirValue value,
                            LunaVerifyRef *ref) {
  LunaVerifySource source;
  if (!luna_is_memref(mlirValueGetType(value)) ||
      !luna_verify_lookup(values, value, &source))
    return false;
  *ref = luna_verify_entry(values, value)->ref;
  return true;
}

LunaVerifyExtent luna_verify_values_extent(const LunaVerifyValues *values,
                                           const LunaVerifyRef *ref,
                                           uint32_t index) {
  const LunaVerifyTag *tag = &values->tags.items[ref->tag];
  const LunaVerifyHome *home = &tag->homes.items[index];
  LunaVerifyExtent extent = {
      .place = home->place,
      .slot = tag->first_slot + index,
      .hi = home->bytes,
      .bytes = home->bytes,
  };
  if (!ref->is_exact || home->base_bytes == LUNA_VERIFY_UNKNOWN)
    return extent;
  extent.lo = home->base_bytes + ref->lo_bytes;
  extent.hi = extent.lo + ref->span_bytes;
  extent.is_exact = true;
  extent.is_dense = ref->is_dense;
  return extent;
}

bool luna_verify_values_overlap(const LunaVerifyValues *values,
                                const LunaVerifyExtent *a,
                                const LunaVerifyExtent *b) {
  const LunaVerifyPlace *p = &values->places.items[a->place];
  const LunaVerifyPlace *q = &values->places.items[b->place];
  if (a->place != b->place && !(p->is_planned && q->is_planned))
    return false;
  return p->offset_bytes + a->lo < q->offset_bytes + b->hi &&
         q->offset_bytes + b->lo < p->offset_bytes + a->hi;
}
