#include "program_contents.h"

#include "buffer_roots.h"
#include "in_place.h"
#include "luna-c/ops.h"
#include "luna/map.h"
#include "op_desc.h"
#include "structure.h"
#include "touches.h"

// Where the memory of a memref is.
typedef enum Home {
  HOME_SHARED,   ///< counts
  HOME_OUTSIDE,  ///< an argument, in PSRAM
  HOME_CONSTANT, ///< a global, or a staging buffer that gets its bytes
  HOME_SCRATCH,
} Home;

// A memref value.
typedef struct View {
  Home home;
  uint32_t buffer; // of HOME_SHARED: in the partition; else any number
  int64_t base_bytes;
  int64_t constant_bytes; // of HOME_CONSTANT: the whole
  uint32_t slice;         // UINT32_MAX if its layout is not known
} View;

// A buffer: an allocation, or a value that control flow merges.
typedef struct Buffer {
  MlirValue value;
  LunaRootSet roots;
  bool is_allocation;
} Buffer;

typedef struct Lister {
  MlirOperation func;
  const LunaMachine *machine;
  LunaArena *arena;
  LunaRoots *roots;
  LunaProgramContents list;
  LunaMap values; // index of views
  LUNA_VECTOR(View) views;
  LUNA_VECTOR(Buffer) buffers;  // by number in the partition
  LUNA_VECTOR(uint32_t) merged; // those that are no allocations
  // The constants of the operator at hand.
  LUNA_VECTOR(uint32_t) weights;
} Lister;

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static void add_event(Lister *lister, LunaContentsEvent event) {
  *LUNA_VECTOR_ADD(lister->arena, &lister->list.events) = event;
}

static void add_op_event(Lister *lister, LunaContentsKind kind,
                         MlirOperation op) {
  add_event(lister, (LunaContentsEvent){.kind = kind, .op = op});
}

static void add_slice_event(Lister *lister, LunaContentsKind kind,
                            MlirOperation op, uint32_t slice) {
  if (slice != UINT32_MAX)
    add_event(lister, (LunaContentsEvent){.kind = kind, .op = op, .to = slice});
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static bool read_layout(MlirType type, int64_t base_bytes, LunaSlice *slice) {
  int64_t strides[LUNA_RANK_MAX], offset = 0;
  slice->rank = mlirShapedTypeGetRank(type);
  slice->element_bytes =
      luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  if (luna_shaped_bytes(type) <= 0 ||
      !luna_memref_layout(type, &offset, strides))
    return false;
  slice->offset_bytes = base_bytes + offset * slice->element_bytes;
  for (intptr_t i = 0; i < slice->rank; ++i) {
    slice->extents[i] = mlirShapedTypeGetDimSize(type, i);
    slice->strides_bytes[i] = strides[i] * slice->element_bytes;
    if (strides[i] < 0)
      return false;
  }
  return slice->offset_bytes >= 0;
}

static int64_t end_of(const LunaSlice *slice) {
  int64_t end = slice->offset_bytes + slice->element_bytes;
  for (intptr_t i = 0; i < slice->rank; ++i)
    end += (slice->extents[i] - 1) * slice->strides_bytes[i];
  return end;
}

static uint32_t add_slice(Lister *lister, MlirType type, uint32_t buffer,
                          int64_t base_bytes) {
  LunaPartition *partition = &lister->list.partition;
  LunaSlice slice = {.buffer = buffer};
  if (!read_layout(type, base_bytes, &slice) ||
      end_of(&slice) > partition->buffers.items[buffer].bytes)
    return UINT32_MAX;
  *LUNA_VECTOR_ADD(lister->arena, &partition->slices) = slice;
  return (uint32_t)partition->slices.count - 1;
}

static void set_view(Lister *lister, MlirValue value, View view) {
  uint32_t index =
      luna_map_add(&lister->values, lister->arena, luna_map_pointer(value.ptr));
  if (index == lister->views.count)
    *LUNA_VECTOR_ADD(lister->arena, &lister->views) = view;
  else
    lister->views.items[index] = view;
}

static View view_of(const Lister *lister, MlirValue value) {
  uint32_t index = luna_map_find(&lister->values, luna_map_pointer(value.ptr));
  return index == LUNA_MAP_ABSENT
             ? (View){.home = HOME_OUTSIDE, .slice = UINT32_MAX}
             : lister->views.items[index];
}

static void add_buffer(Lister *lister, MlirValue value, bool is_allocation) {
  MlirType type = mlirValueGetType(value);
  LunaSlice slice = {0};
  int64_t byte_count = read_layout(type, 0, &slice) ? end_of(&slice) : 0;
  uint32_t buffer = luna_partition_add(&lister->list.partition, byte_count);
  *LUNA_VECTOR_ADD(lister->arena, &lister->buffers) =
      (Buffer){value, luna_roots_of(lister->roots, value), is_allocation};
  if (!is_allocation)
    *LUNA_VECTOR_ADD(lister->arena, &lister->merged) = buffer;
  set_view(
      lister, value,
      (View){.buffer = buffer, .slice = add_slice(lister, type, buffer, 0)});
}

static void add_constant(Lister *lister, MlirValue value, uint32_t number) {
  int64_t byte_count = luna_shaped_bytes(mlirValueGetType(value));
  set_view(lister, value,
           (View){.home = HOME_CONSTANT,
                  .buffer = number,
                  .constant_bytes = byte_count > 0 ? byte_count : 0,
                  .slice = UINT32_MAX});
}

// Globals have the number of their first mention, staging buffers their own.
static void add_global(Lister *lister, MlirOperation op) {
  MlirAttribute name = luna_attr(op, "name");
  uint32_t number =
      luna_map_add(&lister->values, lister->arena, luna_map_pointer(name.ptr));
  if (number == lister->views.count)
    *LUNA_VECTOR_ADD(lister->arena, &lister->views) = (View){0};
  add_constant(lister, mlirOperationGetResult(op, 0), number);
}

static void add_allocation(Lister *lister, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  LunaAllocationKind kind = luna_allocation_kind(op);
  if (luna_memory_of(mlirValueGetType(value)) != LUNA_MEMORY_SHARED)
    return;
  if (kind == LUNA_ALLOCATION_STAGING) {
    add_constant(lister, value, (uint32_t)lister->views.count);
    return;
  }
  if (kind == LUNA_ALLOCATION_SCRATCH) {
    set_view(lister, value, (View){.home = HOME_SCRATCH, .slice = UINT32_MAX});
    return;
  }
  add_buffer(lister, value, true);
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  add_slice_event(lister, LUNA_CONTENTS_FORGET, op,
                  view_of(lister, value).slice);
}

// The offset of a memref.view moves the base; other views keep it.
static void add_view(Lister *lister, MlirOperation op, MlirValue source) {
  MlirValue value = mlirOperationGetResult(op, 0);
  View view = view_of(lister, source);
  int64_t shift = 0;
  bool is_known = !luna_op_is(op, LUNA_OP_MEMREF_VIEW) ||
                  luna_constant_number(mlirOperationGetOperand(op, 1), &shift);
  view.base_bytes += shift;
  if (view.home == HOME_SHARED)
    view.slice = is_known ? add_slice(lister, mlirValueGetType(value),
                                      view.buffer, view.base_bytes)
                          : UINT32_MAX;
  set_view(lister, value, view);
}

//===----------------------------------------------------------------------===//
// Merged values
//===----------------------------------------------------------------------===//

static bool is_on_chip(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) && luna_memory_of(type) == LUNA_MEMORY_SHARED;
}

static bool is_same_slice(const LunaPartition *partition, uint32_t a,
                          uint32_t b) {
  const LunaSlice *slices = partition->slices.items;
  int64_t elements[2] = {1, 1};
  for (intptr_t i = 0; i < slices[a].rank; ++i)
    elements[0] *= slices[a].extents[i];
  for (intptr_t i = 0; i < slices[b].rank; ++i)
    elements[1] *= slices[b].extents[i];
  return elements[0] == elements[1] &&
         slices[a].element_bytes == slices[b].element_bytes;
}

// `to` gets what `from` holds; nothing that counts, if that is not known.
static void add_move(Lister *lister, MlirOperation op, View from, View to) {
  LunaPartition *partition = &lister->list.partition;
  if (to.home != HOME_SHARED || to.slice == UINT32_MAX)
    return;
  if (from.home != HOME_SHARED || from.slice == UINT32_MAX ||
      !is_same_slice(partition, from.slice, to.slice)) {
    add_slice_event(lister, LUNA_CONTENTS_FORGET, op, to.slice);
    return;
  }
  *LUNA_VECTOR_ADD(lister->arena, &partition->copies) =
      (LunaSliceCopy){from.slice, to.slice};
  add_event(lister, (LunaContentsEvent){.kind = LUNA_CONTENTS_MOVE,
                                        .op = op,
                                        .from = from.slice,
                                        .to = to.slice});
}

// Values [first, …) of `op` become the arguments of a block, from `argument`
// on.
static void pass_to_block(Lister *lister, MlirOperation op, intptr_t first,
                          MlirBlock block, intptr_t argument) {
  for (; argument < mlirBlockGetNumArguments(block); ++argument, ++first) {
    MlirValue to = mlirBlockGetArgument(block, argument);
    if (is_on_chip(to))
      add_move(lister, op, view_of(lister, mlirOperationGetOperand(op, first)),
               view_of(lister, to));
  }
}

// Values [first, …) of `op` become the results of `outer`.
static void pass_to_results(Lister *lister, MlirOperation op, intptr_t first,
                            MlirOperation outer) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(outer); ++i) {
    MlirValue to = mlirOperationGetResult(outer, i);
    if (is_on_chip(to))
      add_move(lister, op,
               view_of(lister, mlirOperationGetOperand(op, first + i)),
               view_of(lister, to));
  }
}

static void add_arguments(Lister *lister, MlirBlock block, intptr_t first) {
  for (intptr_t i = first; i < mlirBlockGetNumArguments(block); ++i)
    if (is_on_chip(mlirBlockGetArgument(block, i)))
      add_buffer(lister, mlirBlockGetArgument(block, i), false);
}

static void add_results(Lister *lister, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_on_chip(mlirOperationGetResult(op, i)))
      add_buffer(lister, mlirOperationGetResult(op, i), false);
}

//===----------------------------------------------------------------------===//
// Pointers to one buffer
//===----------------------------------------------------------------------===//

static bool holds(LunaRootSet set, uint32_t root) {
  for (uint32_t i = 0; i < set.count; ++i)
    if (set.ids[i] == root)
      return true;
  return false;
}

// The op that a value comes from: for an argument of a loop, the loop.
static MlirOperation origin_of(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
             : mlirOpResultGetOwner(value);
}

// Returns true if a merged value may refer to what the allocation `root` last
// gave, rather than to that of an earlier turn.
static bool may_refer_to(const Lister *lister, const Buffer *merged,
                         uint32_t root) {
  MlirOperation alloc = luna_roots_alloc(lister->roots, root);
  MlirOperation user = luna_ancestor_in_block(origin_of(merged->value),
                                              mlirOperationGetBlock(alloc));
  return holds(merged->roots, root) && !mlirOperationIsNull(user) &&
         mlirOperationIsBeforeInBlock(alloc, user);
}

static bool may_be_one(const Lister *lister, const Buffer *merged,
                       const Buffer *other) {
  if (other->is_allocation)
    return may_refer_to(lister, merged, other->roots.ids[0]);
  for (uint32_t i = 0; i < merged->roots.count; ++i)
    if (holds(other->roots, merged->roots.ids[i]))
      return true;
  return false;
}

static void forget(Lister *lister, MlirOperation op, uint32_t buffer) {
  MlirValue value = lister->buffers.items[buffer].value;
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  add_slice_event(lister, LUNA_CONTENTS_FORGET, op,
                  view_of(lister, value).slice);
}

// Other values that may refer to the buffer that `op` writes hold other
// contents now; they count nothing until they are merged anew.
static void forget_others(Lister *lister, MlirOperation op, uint32_t buffer) {
  const Buffer *written = &lister->buffers.items[buffer];
  for (uint64_t i = 0; i < lister->merged.count; ++i) {
    uint32_t other = lister->merged.items[i];
    if (other != buffer &&
        may_be_one(lister, &lister->buffers.items[other], written))
      forget(lister, op, other);
  }
  for (uint32_t i = 0; !written->is_allocation && i < lister->buffers.count;
       ++i)
    if (lister->buffers.items[i].is_allocation &&
        may_be_one(lister, written, &lister->buffers.items[i]))
      forget(lister, op, i);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

typedef struct Operator {
  Lister *lister;
  MlirOperation op;
  bool is_writing; // the writes are listed, not the reads
} Operator;

static void add_weights(Lister *lister, uint32_t number) {
  for (uint64_t i = 0; i < lister->weights.count; ++i)
    if (lister->weights.items[i] == number)
      return;
  *LUNA_VECTOR_ADD(lister->arena, &lister->weights) = number;
}

// The unit reads constants from shared memory, the core where they are.
static void list_constant(const Operator *operator, View view) {
  Lister *lister = operator->lister;
  uint64_t count = lister->weights.count;
  if (!luna_op_is_unit(operator->op))
    return;
  add_weights(lister, view.buffer);
  if (lister->weights.count > count)
    add_event(lister, (LunaContentsEvent){.kind = LUNA_CONTENTS_WEIGHTS,
                                          .op = operator->op,
                                          .bytes = view.constant_bytes});
}

// Of what is changed in part only linalg is known to change all of the slice.
static void list_touch(MlirValue value, LunaTouch touch, void *data) {
  const Operator *operator = data;
  Lister *lister = operator->lister;
  if (!luna_is_memref(mlirValueGetType(value)))
    return;
  View view = view_of(lister, value);
  if (view.home == HOME_CONSTANT && !operator->is_writing)
    list_constant(operator, view);
  if (view.home != HOME_SHARED ||
      operator->is_writing == (touch == LUNA_TOUCH_READ))
    return;
  if (touch == LUNA_TOUCH_READ)
    add_slice_event(lister, LUNA_CONTENTS_READ, operator->op, view.slice);
  else if (touch == LUNA_TOUCH_OVERWRITE)
    add_slice_event(lister, LUNA_CONTENTS_MAKE, operator->op, view.slice);
  else if (luna_op_in_dialect(operator->op, LUNA_DIALECT_LINALG))
    add_slice_event(lister, LUNA_CONTENTS_CHANGE, operator->op, view.slice);
}

// Returns the least scratch that a tiling of the operator takes.
static int64_t least_scratch(const Lister *lister, MlirOperation op) {
  LunaUnitDesc desc;
  LunaTiling tiling = {0};
  LunaError error = {0};
  if (!luna_op_is_tiled(op) ||
      luna_unit_operand_index(op, LUNA_ROLE_SCRATCH) < 0 ||
      !luna_unit_desc_read(op, &desc))
    return 0;
  luna_unit_class(desc.unit_class)
      ->tiling(lister->machine, &desc.as, 0, &tiling, &error);
  return tiling.scratch_bytes;
}

static bool may_work_in_place(const LunaMachine *machine, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) - 1; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(operand)) &&
        luna_may_work_in_place(machine, op, operand))
      return true;
  }
  return false;
}

static void forget_touched(MlirValue value, LunaTouch touch, void *data) {
  const Operator *operator = data;
  View view = view_of(operator->lister, value);
  if (touch != LUNA_TOUCH_READ && luna_is_memref(mlirValueGetType(value)) &&
      view.home == HOME_SHARED)
    forget_others(operator->lister, operator->op, view.buffer);
}

// An operator that may work in place makes its results behind its operands.
static void list_operator(Lister *lister, MlirOperation op) {
  Operator reading = {lister, op, false}, writing = {lister, op, true};
  lister->weights.count = 0;
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  int64_t scratch = least_scratch(lister, op);
  if (scratch > 0)
    add_event(lister, (LunaContentsEvent){.kind = LUNA_CONTENTS_SCRATCH,
                                          .op = op,
                                          .bytes = scratch});
  luna_touches(op, list_touch, &reading);
  if (may_work_in_place(lister->machine, op))
    add_op_event(lister, LUNA_CONTENTS_STEP, op);
  luna_touches(op, list_touch, &writing);
  luna_touches(op, forget_touched, &writing);
}

// A copy or transfer: of shared memory, a move; into it, a load, unless of
// constants; out of it, nothing.
static void list_copy(Lister *lister, MlirOperation op) {
  View from = view_of(lister, mlirOperationGetOperand(op, 0));
  View to = view_of(lister, mlirOperationGetOperand(op, 1));
  if (to.home != HOME_SHARED)
    return;
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  if (from.home == HOME_OUTSIDE)
    add_slice_event(lister, LUNA_CONTENTS_MAKE, op, to.slice);
  else
    add_move(lister, op, from, to);
  forget_others(lister, op, to.buffer);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void list_block(Lister *lister, MlirBlock block);

static void list_branches(Lister *lister, MlirOperation op) {
  add_results(lister, op);
  add_op_event(lister, LUNA_CONTENTS_BRANCHES, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock body = luna_body(op, r);
    add_op_event(lister, LUNA_CONTENTS_BRANCH, op);
    if (!mlirBlockIsNull(body)) {
      list_block(lister, body);
      add_op_event(lister, LUNA_CONTENTS_STEP, op);
      pass_to_results(lister, mlirBlockGetTerminator(body), 0, op);
    }
    add_op_event(lister, LUNA_CONTENTS_END, op);
  }
  add_op_event(lister, LUNA_CONTENTS_END, op);
}

// A loop that runs at least once ends behind its body.
static void list_for(Lister *lister, MlirOperation op) {
  MlirBlock body = luna_body(op, 0);
  add_arguments(lister, body, 1);
  add_results(lister, op);
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  pass_to_block(lister, op, 3, body, 1);
  add_op_event(lister, LUNA_CONTENTS_LOOP, op);
  list_block(lister, body);
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  pass_to_block(lister, mlirBlockGetTerminator(body), 0, body, 1);
  if (luna_trip_count(op, 0) > 0)
    add_op_event(lister, LUNA_CONTENTS_EXIT, op);
  add_op_event(lister, LUNA_CONTENTS_END, op);
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_move(lister, op, view_of(lister, mlirBlockGetArgument(body, i + 1)),
             view_of(lister, mlirOperationGetResult(op, i)));
}

static void list_while(Lister *lister, MlirOperation op) {
  MlirBlock before = luna_body(op, 0), after = luna_body(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before);
  add_arguments(lister, before, 0);
  add_arguments(lister, after, 0);
  add_results(lister, op);
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  pass_to_block(lister, op, 0, before, 0);
  add_op_event(lister, LUNA_CONTENTS_LOOP, op);
  list_block(lister, before);
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  pass_to_block(lister, condition, 1, after, 0);
  pass_to_results(lister, condition, 1, op);
  add_op_event(lister, LUNA_CONTENTS_EXIT, op);
  list_block(lister, after);
  add_op_event(lister, LUNA_CONTENTS_STEP, op);
  pass_to_block(lister, mlirBlockGetTerminator(after), 0, before, 0);
  add_op_event(lister, LUNA_CONTENTS_END, op);
}

static void list_region(Lister *lister, MlirOperation op) {
  MlirBlock body = luna_body(op, 0);
  list_block(lister, body);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
      set_view(lister, mlirOperationGetResult(op, i),
               view_of(lister, mlirOperationGetOperand(yield, i)));
}

// What a select of memrefs gives is merged by the branches of its condition.
static void list_select(Lister *lister, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!is_on_chip(result))
    return;
  add_buffer(lister, result, false);
  add_op_event(lister, LUNA_CONTENTS_BRANCHES, op);
  for (intptr_t i = 1; i <= 2; ++i) {
    add_op_event(lister, LUNA_CONTENTS_BRANCH, op);
    add_op_event(lister, LUNA_CONTENTS_STEP, op);
    add_move(lister, op, view_of(lister, mlirOperationGetOperand(op, i)),
             view_of(lister, result));
    add_op_event(lister, LUNA_CONTENTS_END, op);
  }
  add_op_event(lister, LUNA_CONTENTS_END, op);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

// Returns the memref that `op` gives a view of, or a null value.
static MlirValue viewed_by(MlirOperation op) {
  if (luna_only_renames(op) && mlirOperationGetNumResults(op) > 0 &&
      mlirOperationGetNumOperands(op) > 0 &&
      luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
      luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return mlirOperationGetOperand(op, 0);
  return (MlirValue){NULL};
}

static void list_op(Lister *lister, MlirOperation op) {
  MlirValue source = viewed_by(op);
  if (luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
    add_allocation(lister, op);
  else if (luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL))
    add_global(lister, op);
  else if (!mlirValueIsNull(source))
    add_view(lister, op, source);
  else if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    list_select(lister, op);
  else if (luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
           luna_op_is(op, LUNA_OP_LUNA_DMA_START))
    list_copy(lister, op);
  else if (luna_is_branch(op))
    list_branches(lister, op);
  else if (luna_op_is(op, LUNA_OP_SCF_FOR))
    list_for(lister, op);
  else if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    list_while(lister, op);
  else if (luna_op_is(op, LUNA_OP_LUNA_REGION))
    list_region(lister, op);
  else if (!luna_only_renames(op) && !luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT))
    list_operator(lister, op);
}

static void list_block(Lister *lister, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    list_op(lister, op);
}

LunaProgramContents luna_program_contents(MlirOperation func,
                                          const LunaMachine *machine,
                                          LunaArena *arena) {
  Lister lister = {
      .func = func,
      .machine = machine,
      .arena = arena,
      .roots = luna_roots_compute(func, arena),
      .list.partition.arena = arena,
  };
  list_block(&lister, luna_entry_block(func));
  return lister.list;
}
