// The alias analysis of luna-verify-plan. Values that control flow merges
// become tags of their own as soon as two different sources reach them; the
// function is swept until no more do (one sweep more than loops nest).

#include "verify_plan_values.h"

#include <string.h>

#include "luna-c/ir_util.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_RANK = 16 };
#define NO_TAG UINT32_MAX

// A value's tag; valid if found in this sweep, or for ever when it merges.
typedef struct LunaVerifyEntry {
  const void *key;
  uint32_t tag, sweep;
  int64_t base_bytes;
  bool is_merge, is_root;
  LunaVerifyRef ref; ///< once all is bound
} Entry;

typedef struct Source {
  uint32_t tag;
  int64_t base_bytes;
} Source;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static uint32_t hash_of(const void *key, uint32_t size) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  return (uint32_t)((bits * 0x9E3779B97F4A7C15u) >> 32) & (size - 1);
}

static Entry *find_entry(const LunaVerifyValues *values, MlirValue value) {
  if (values->table_size == 0)
    return NULL;
  for (uint32_t i = hash_of(value.ptr, values->table_size);;
       i = (i + 1) & (values->table_size - 1))
    if (values->table[i].key == value.ptr || values->table[i].key == NULL)
      return &values->table[i];
}

static void grow_table(LunaVerifyValues *values) {
  LunaVerifyValues grown = *values;
  grown.table_size = values->table_size == 0 ? 256 : 2 * values->table_size;
  grown.table = LUNA_ARENA_ARRAY(values->arena, Entry, grown.table_size);
  for (uint32_t i = 0; i < values->table_size; ++i)
    if (values->table[i].key != NULL)
      *find_entry(&grown, (MlirValue){values->table[i].key}) = values->table[i];
  *values = grown;
}

static Entry *entry_of(LunaVerifyValues *values, MlirValue value) {
  if (2 * (values->entry_count + 1) > values->table_size)
    grow_table(values);
  Entry *entry = find_entry(values, value);
  if (entry->key == NULL) {
    *entry = (Entry){.key = value.ptr, .tag = NO_TAG};
    ++values->entry_count;
  }
  return entry;
}

static bool lookup(const LunaVerifyValues *values, MlirValue value,
                   Source *source) {
  const Entry *entry = find_entry(values, value);
  if (entry == NULL || entry->key == NULL || entry->tag == NO_TAG)
    return false;
  if (!entry->is_merge && !entry->is_root && entry->sweep != values->sweep)
    return false;
  *source = (Source){entry->tag, entry->base_bytes};
  return true;
}

//===----------------------------------------------------------------------===//
// Places and tags
//===----------------------------------------------------------------------===//

static uint32_t add_place(LunaVerifyValues *values, LunaVerifyPlace place) {
  if (values->place_count == values->place_capacity) {
    uint32_t capacity = values->place_count == 0 ? 64 : 2 * values->place_count;
    values->places =
        luna_arena_grow(values->arena, values->places, values->place_count,
                        capacity, sizeof *values->places);
    values->place_capacity = capacity;
  }
  values->places[values->place_count] = place;
  return values->place_count++;
}

static uint32_t add_tag(LunaVerifyValues *values) {
  if (values->tag_count == values->tag_capacity) {
    uint32_t capacity = values->tag_count == 0 ? 64 : 2 * values->tag_count;
    values->tags =
        luna_arena_grow(values->arena, values->tags, values->tag_count,
                        capacity, sizeof *values->tags);
    values->tag_capacity = capacity;
  }
  values->tags[values->tag_count] = (LunaVerifyTag){0};
  return values->tag_count++;
}

static int64_t shifted(int64_t base, int64_t by) {
  return base == LUNA_VERIFY_UNKNOWN || by == LUNA_VERIFY_UNKNOWN
             ? LUNA_VERIFY_UNKNOWN
             : base + by;
}

// Adds a home to a tag; two positions in one place make it unknown.
static void add_home(LunaVerifyValues *values, uint32_t tag_index,
                     LunaVerifyHome home) {
  LunaVerifyTag *tag = &values->tags[tag_index];
  for (uint32_t i = 0; i < tag->home_count; ++i) {
    LunaVerifyHome *old = &tag->homes[i];
    if (old->place != home.place)
      continue;
    if (old->base_bytes != home.base_bytes &&
        old->base_bytes != LUNA_VERIFY_UNKNOWN) {
      old->base_bytes = LUNA_VERIFY_UNKNOWN;
      values->has_changed = true;
    }
    if (home.bytes < old->bytes)
      old->bytes = home.bytes;
    return;
  }
  if (tag->home_count == tag->home_capacity) {
    uint32_t capacity = tag->home_count == 0 ? 2 : 2 * tag->home_count;
    tag->homes = luna_arena_grow(values->arena, tag->homes, tag->home_count,
                                 capacity, sizeof *tag->homes);
    tag->home_capacity = capacity;
  }
  tag->homes[tag->home_count++] = home;
  values->has_changed = true;
}

static void add_homes_of(LunaVerifyValues *values, uint32_t tag,
                         Source source) {
  if (source.tag == tag)
    return;
  for (uint32_t i = 0; i < values->tags[source.tag].home_count; ++i) {
    LunaVerifyHome home = values->tags[source.tag].homes[i];
    home.base_bytes = shifted(home.base_bytes, source.base_bytes);
    add_home(values, tag, home);
  }
}

static bool is_root(const LunaVerifyValues *values, MlirValue value) {
  const Entry *entry = find_entry(values, value);
  return entry != NULL && entry->key != NULL && entry->is_root;
}

// Makes `value` the root of a new tag in `place`.
static void bind_root(LunaVerifyValues *values, MlirValue value,
                      uint32_t place) {
  Entry *entry = entry_of(values, value);
  uint32_t tag = add_tag(values);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(value));
  if (bytes < 0)
    bytes = values->places[place].bytes;
  add_home(values, tag, (LunaVerifyHome){place, 0, bytes});
  entry->tag = tag;
  entry->base_bytes = 0;
  entry->is_root = true;
}

static void bind_alias(LunaVerifyValues *values, MlirValue value,
                       Source source) {
  Entry *entry = entry_of(values, value);
  if (entry->is_merge || entry->is_root)
    return;
  entry->tag = source.tag;
  entry->base_bytes = source.base_bytes;
  entry->sweep = values->sweep;
}

// Binds `value` to what all sources known so far agree on, or makes it a tag
// of its own.
static void bind_merge(LunaVerifyValues *values, MlirValue value,
                       const MlirValue *sources, intptr_t count) {
  if (!luna_is_memref(mlirValueGetType(value)))
    return;
  bool has_first = false, differ = false;
  Source first = {0}, source;
  for (intptr_t i = 0; i < count; ++i) {
    if (!lookup(values, sources[i], &source))
      continue;
    if (has_first &&
        (source.tag != first.tag || source.base_bytes != first.base_bytes))
      differ = true;
    first = has_first ? first : source;
    has_first = true;
  }
  Entry *entry = entry_of(values, value);
  if (!entry->is_merge && !differ) {
    if (has_first)
      bind_alias(values, value, first);
    return;
  }
  if (!entry->is_merge) {
    uint32_t tag = add_tag(values);
    *entry = (Entry){.key = value.ptr, .tag = tag, .is_merge = true};
    values->has_changed = true;
  }
  uint32_t tag = entry->tag;
  for (intptr_t i = 0; i < count; ++i)
    if (lookup(values, sources[i], &source))
      add_homes_of(values, tag, source);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

bool luna_verify_is_planned_alloc(MlirOperation op) {
  return luna_op_is(op, "memref.alloc") &&
         luna_memory_of(mlirValueGetType(mlirOperationGetResult(op, 0))) ==
             LUNA_MEMORY_SHARED;
}

static uint32_t planned_place(LunaVerifyValues *values, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  int64_t id = luna_attr_int(op, "luna.buffer", -1);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(value));
  bool is_staging = mlirStringRefEqual(luna_attr_string(op, "luna.kind"),
                                       luna_str("staging"));
  for (uint32_t i = 0; i < values->place_count; ++i) {
    LunaVerifyPlace *place = &values->places[i];
    if (!place->is_planned || place->id != id)
      continue;
    if (bytes > place->bytes)
      place->bytes = bytes;
    return i;
  }
  return add_place(values,
                   (LunaVerifyPlace){
                       .op = op,
                       .value = value,
                       .memory = LUNA_MEMORY_SHARED,
                       .is_planned = true,
                       .is_staging = is_staging,
                       .id = id,
                       .offset_bytes = luna_attr_int(op, "luna.offset", 0),
                       .bytes = bytes,
                   });
}

static uint32_t outside_place(LunaVerifyValues *values, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t bytes = luna_shaped_bytes(type);
  return add_place(values, (LunaVerifyPlace){
                               .op = luna_defining_op(value),
                               .value = value,
                               .memory = luna_memory_of(type),
                               .id = -1,
                               .bytes = bytes < 0 ? INT64_MAX : bytes,
                           });
}

static uint32_t global_place(LunaVerifyValues *values, MlirOperation op) {
  MlirStringRef symbol = luna_attr_symbol(op, "name");
  for (uint32_t i = 0; i < values->place_count; ++i)
    if (values->places[i].symbol.data != NULL &&
        mlirStringRefEqual(values->places[i].symbol, symbol))
      return i;
  uint32_t place = outside_place(values, mlirOperationGetResult(op, 0));
  values->places[place].symbol = symbol;
  return place;
}

static void bind_outside(LunaVerifyValues *values, MlirValue value) {
  if (!luna_is_memref(mlirValueGetType(value)))
    return;
  Source known;
  if (!lookup(values, value, &known))
    bind_root(values, value, outside_place(values, value));
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
  if (luna_op_is(forward.terminator, "scf.condition")) {
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
    if (mlirOperationIsNull(op) || !luna_op_is(op, "luna.region"))
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
    bind_merge(values, mlirBlockGetArgument(block, first_arg + i), sources, 2);
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
    bind_merge(values, mlirOperationGetResult(op, i), &argument, 1);
  }
}

static void sweep_while(LunaVerifyValues *values, MlirOperation op) {
  MlirBlock before = first_block(op, 0), after = first_block(op, 1);
  bind_loop_args(values, op, before, 0, 0, 1);
  sweep_region(values, op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue passed = forwarded(op, 0, i);
    bind_merge(values, mlirBlockGetArgument(after, i), &passed, 1);
    bind_merge(values, mlirOperationGetResult(op, i), &passed, 1);
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
    bind_merge(values, mlirOperationGetResult(op, i), sources, region_count);
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
  Source source;
  if (!lookup(values, mlirOperationGetOperand(op, 0), &source))
    return;
  MlirOperation shift = luna_defining_op(mlirOperationGetOperand(op, 1));
  int64_t by = LUNA_VERIFY_UNKNOWN;
  if (!mlirOperationIsNull(shift) && luna_op_is(shift, "arith.constant"))
    by = luna_attr_int(shift, "value", LUNA_VERIFY_UNKNOWN);
  source.base_bytes = shifted(source.base_bytes, by);
  bind_alias(values, mlirOperationGetResult(op, 0), source);
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
      bind_merge(values, result, sources, count);
    else
      bind_outside(values, result);
  }
}

static void mark_constants(LunaVerifyValues *values, MlirStringRef symbol) {
  for (uint32_t i = 0; symbol.data != NULL && i < values->place_count; ++i)
    if (values->places[i].symbol.data != NULL &&
        mlirStringRefEqual(values->places[i].symbol, symbol))
      values->places[i].holds_constants = true;
}

static void sweep_op(LunaVerifyValues *values, MlirOperation op) {
  mark_constants(values, luna_attr_symbol(op, "luna.params"));
  bool has_regions = mlirOperationGetNumRegions(op) > 0;
  if (!has_regions && mlirOperationGetNumResults(op) == 0)
    return;
  if (!has_regions && is_root(values, mlirOperationGetResult(op, 0)))
    return;
  if (luna_verify_is_planned_alloc(op))
    bind_root(values, mlirOperationGetResult(op, 0), planned_place(values, op));
  else if (luna_op_is(op, "memref.get_global"))
    bind_root(values, mlirOperationGetResult(op, 0), global_place(values, op));
  else if (luna_op_is(op, "memref.view"))
    sweep_view(values, op);
  else if (!has_regions)
    sweep_results(values, op);
  else if (luna_op_is(op, "scf.for"))
    sweep_for(values, op);
  else if (luna_op_is(op, "scf.while"))
    sweep_while(values, op);
  else if (luna_op_is(op, "scf.if") || luna_op_is(op, "scf.index_switch") ||
           luna_op_is(op, "luna.region"))
    sweep_branches(values, op);
  else if (!luna_op_has_prefix(op, "linalg.")) {
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
  for (uint32_t t = 0; t < values->tag_count; ++t) {
    values->tags[t].first_slot = values->slot_count;
    values->slot_count += values->tags[t].home_count;
  }
  values->slot_tag =
      LUNA_ARENA_ARRAY(values->arena, uint32_t, values->slot_count);
  values->slot_place =
      LUNA_ARENA_ARRAY(values->arena, uint32_t, values->slot_count);
  for (uint32_t t = 0; t < values->tag_count; ++t)
    for (uint32_t h = 0; h < values->tags[t].home_count; ++h) {
      uint32_t slot = values->tags[t].first_slot + h;
      values->slot_tag[slot] = t;
      values->slot_place[slot] = values->tags[t].homes[h].place;
    }
}

// The hull of the elements of a memref, in bytes from its base.
static void measure(MlirType type, LunaVerifyRef *ref) {
  int64_t strides[MAX_RANK], offset = 0, element_bytes;
  if (!luna_is_memref(type) || luna_shaped_bytes(type) < 0 ||
      mlirShapedTypeGetRank(type) > MAX_RANK ||
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
  ref->lo_bytes = shifted(ref->base_bytes, offset * element_bytes);
  ref->span_bytes = is_empty ? 0 : (last + 1) * element_bytes;
  ref->is_exact = ref->base_bytes != LUNA_VERIFY_UNKNOWN;
  ref->is_dense = ref->span_bytes == luna_shaped_bytes(type);
}

// Measures every value once.
static void measure_all(LunaVerifyValues *values) {
  for (uint32_t i = 0; i < values->table_size; ++i) {
    Entry *entry = &values->table[i];
    if (entry->key == NULL)
      continue;
    entry->ref =
        (LunaVerifyRef){.tag = entry->tag, .base_bytes = entry->base_bytes};
    measure(mlirValueGetType((MlirValue){entry->key}), &entry->ref);
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
  measure_all(values);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool luna_verify_values_ref(const LunaVerifyValues *values, MlirValue value,
                            LunaVerifyRef *ref) {
  Source source;
  if (!luna_is_memref(mlirValueGetType(value)) ||
      !lookup(values, value, &source))
    return false;
  *ref = find_entry(values, value)->ref;
  return true;
}

LunaVerifyExtent luna_verify_values_extent(const LunaVerifyValues *values,
                                           const LunaVerifyRef *ref,
                                           uint32_t index) {
  const LunaVerifyTag *tag = &values->tags[ref->tag];
  const LunaVerifyHome *home = &tag->homes[index];
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
  const LunaVerifyPlace *p = &values->places[a->place];
  const LunaVerifyPlace *q = &values->places[b->place];
  if (a->place != b->place && !(p->is_planned && q->is_planned))
    return false;
  return p->offset_bytes + a->lo < q->offset_bytes + b->hi &&
         q->offset_bytes + b->lo < p->offset_bytes + a->hi;
}
