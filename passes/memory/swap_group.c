#include "swap_group.h"

#include "buffer_liveness.h"
#include "luna-c/ops.h"
#include "structure.h"

static bool is_at(MlirOperation op, MlirBlock block) {
  return mlirBlockEqual(mlirOperationGetBlock(op), block);
}

//===----------------------------------------------------------------------===//
// Copies that may exchange
//===----------------------------------------------------------------------===//

bool luna_is_swappable(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op) || !luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
    return false;
  LunaAllocationKind kind = luna_allocation_kind(op);
  return kind != LUNA_ALLOCATION_STAGING && kind != LUNA_ALLOCATION_SCRATCH &&
         luna_memory_of(mlirValueGetType(value)) == LUNA_MEMORY_SHARED;
}

bool luna_may_exchange(MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_COPY))
    return false;
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirValue to = mlirOperationGetOperand(op, 1);
  return !luna_same_value(from, to) && luna_is_swappable(from) &&
         luna_is_swappable(to) &&
         mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(to)) &&
         luna_is_dead_behind(from, op);
}

//===----------------------------------------------------------------------===//
// The group of a copy
//===----------------------------------------------------------------------===//

const LunaSwapBuffer *luna_swap_group_buffer(const LunaSwapGroup *group,
                                             MlirValue value) {
  uint32_t index =
      luna_map_find(&group->buffer_index, luna_map_pointer(value.ptr));
  return index == LUNA_MAP_ABSENT ? NULL : &group->buffers.items[index];
}

static void add_buffer(LunaSwapGroup *group, MlirValue value) {
  uint64_t known = group->buffers.count;
  if (luna_map_add(&group->buffer_index, &group->arena,
                   luna_map_pointer(value.ptr)) == known)
    *LUNA_VECTOR_ADD(&group->arena, &group->buffers) = (LunaSwapBuffer){
        .value = value,
        .is_outer = is_at(luna_defining_op(value), group->home)};
}

// Returns true if `value` is a buffer of the home block, or one of the body
// that the copy stands in.
static bool has_place(const LunaSwapGroup *group, MlirOperation copy,
                      MlirValue value) {
  MlirOperation alloc = luna_defining_op(value);
  return is_at(alloc, group->home) || is_at(alloc, mlirOperationGetBlock(copy));
}

static void add_copy(LunaSwapGroup *group, MlirOperation copy) {
  MlirValue from = mlirOperationGetOperand(copy, 0);
  MlirValue to = mlirOperationGetOperand(copy, 1);
  MlirOperation around = luna_ancestor_in_block(copy, group->home);
  uint64_t known = group->copies.count;
  if (mlirOperationIsNull(around) || mlirOperationEqual(around, copy) ||
      !has_place(group, copy, from) || !has_place(group, copy, to) ||
      luna_map_add(&group->copy_index, &group->arena,
                   luna_map_pointer(copy.ptr)) < known)
    return;
  *LUNA_VECTOR_ADD(&group->arena, &group->copies) = copy;
  add_buffer(group, from);
  add_buffer(group, to);
  for (MlirOperation flow = copy; !mlirOperationEqual(flow, around);) {
    flow = mlirOperationGetParentOperation(flow);
    luna_map_add(&group->flows, &group->arena, luna_map_pointer(flow.ptr));
  }
}

// Collects what is connected with a copy. Returns false unless it lies within
// control flow.
static bool collect(LunaSwapGroup *group, MlirOperation copy) {
  group->home =
      mlirOperationGetBlock(luna_defining_op(mlirOperationGetOperand(copy, 1)));
  add_copy(group, copy);
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    MlirValue value = group->buffers.items[i].value;
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (luna_may_exchange(mlirOpOperandGetOwner(use)))
        add_copy(group, mlirOpOperandGetOwner(use));
  }
  return group->copies.count > 0;
}

bool luna_swap_group_has_copy(const LunaSwapGroup *group, MlirOperation op) {
  return luna_map_find(&group->copy_index, luna_map_pointer(op.ptr)) !=
         LUNA_MAP_ABSENT;
}

bool luna_swap_group_has_flow(const LunaSwapGroup *group, MlirOperation op) {
  return luna_map_find(&group->flows, luna_map_pointer(op.ptr)) !=
         LUNA_MAP_ABSENT;
}

bool *luna_swap_group_changes(const LunaSwapGroup *group, MlirOperation flow) {
  return group->changes +
         (uint64_t)luna_map_find(&group->flows, luna_map_pointer(flow.ptr)) *
             group->variable_count;
}

//===----------------------------------------------------------------------===//
// Whether pointers can be used
//===----------------------------------------------------------------------===//

// Returns true if no pointer changes between `view` and the op that uses it.
static bool is_unchanged(const LunaSwapGroup *group, MlirOperation view,
                         MlirOperation user) {
  MlirOperation at = luna_ancestor_in_block(user, mlirOperationGetBlock(view));
  bool is_nested = !mlirOperationEqual(at, user);
  if (mlirOperationIsNull(at) ||
      (is_nested && luna_swap_group_has_flow(group, at)))
    return false;
  for (MlirOperation op = view; !mlirOperationEqual(op, at);
       op = mlirOperationGetNextInBlock(op))
    if (luna_swap_group_has_copy(group, op) ||
        luna_swap_group_has_flow(group, op))
      return false;
  return true;
}

// Returns true if all that uses `value`, or views of it, may use a pointer.
static bool may_point(const LunaSwapGroup *group, MlirValue value) {
  MlirOperation view = luna_defining_op(value);
  bool is_alloc = luna_op_is(view, LUNA_OP_MEMREF_ALLOC), may = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       may && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (luna_merges_names(op))
      may = is_alloc && luna_is_unused_name(use);
    else if (luna_op_is(op, LUNA_OP_LUNA_DMA_START))
      may = false; // the engine holds it beyond an exchange
    else
      may = (is_alloc || is_unchanged(group, view, op)) &&
            (!luna_makes_view(op) ||
             may_point(group, mlirOperationGetResult(op, 0)));
  }
  return may;
}

// The accesses of a buffer in the ops of a block.
typedef struct Span {
  MlirBlock block;
  MlirOperation first, last;
} Span;

static bool add_access(MlirOperation op, void *data) {
  Span *span = data;
  MlirOperation at = luna_ancestor_in_block(op, span->block);
  if (mlirOperationIsNull(at))
    return true;
  if (mlirOperationIsNull(span->first) ||
      mlirOperationIsBeforeInBlock(at, span->first))
    span->first = at;
  if (mlirOperationIsNull(span->last) ||
      mlirOperationIsBeforeInBlock(span->last, at))
    span->last = at;
  return true;
}

static Span span_of(const LunaSwapBuffer *buffer) {
  Span span = {.block = mlirOperationGetBlock(luna_defining_op(buffer->value))};
  luna_visit_accesses(buffer->value, add_access, &span);
  return span;
}

static bool is_outside(MlirOperation op, void *data) {
  const Span *span = data;
  MlirOperation at = luna_ancestor_in_block(op, span->block);
  return mlirOperationIsNull(at) ||
         mlirOperationIsBeforeInBlock(at, span->first) ||
         mlirOperationIsBeforeInBlock(span->last, at);
}

// Returns true if two buffers of bodies can have one variable: in the span of
// neither, the other is accessed.
static bool may_share(const LunaSwapBuffer *a, const LunaSwapBuffer *b) {
  Span first = span_of(a), second = span_of(b);
  return luna_visit_accesses(b->value, is_outside, &first) &&
         luna_visit_accesses(a->value, is_outside, &second);
}

static bool is_free(const LunaSwapGroup *group, const LunaSwapBuffer *buffer,
                    uint32_t variable) {
  for (const LunaSwapBuffer *other = group->buffers.items; other < buffer;
       ++other)
    if (!other->is_outer && other->variable == variable &&
        !may_share(buffer, other))
      return false;
  return true;
}

// Numbers the variables: first those of the buffers of the home block.
static void number_variables(LunaSwapGroup *group) {
  uint32_t outer = 0, count = 0;
  for (uint64_t i = 0; i < group->buffers.count; ++i)
    if (group->buffers.items[i].is_outer)
      group->buffers.items[i].variable = outer++;
  count = outer;
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    LunaSwapBuffer *buffer = &group->buffers.items[i];
    if (buffer->is_outer)
      continue;
    uint32_t variable = outer;
    while (variable < count && !is_free(group, buffer, variable))
      ++variable;
    buffer->variable = variable;
    count += variable == count;
  }
  group->variable_count = count;
}

// Marks, for the control flow around each copy, what it exchanges.
static void mark_changes(LunaSwapGroup *group) {
  group->changes = LUNA_ARENA_ARRAY(
      &group->arena, bool, group->flows.keys.count * group->variable_count);
  for (uint64_t i = 0; i < group->copies.count; ++i) {
    MlirOperation copy = group->copies.items[i];
    const LunaSwapBuffer *from =
        luna_swap_group_buffer(group, mlirOperationGetOperand(copy, 0));
    const LunaSwapBuffer *to =
        luna_swap_group_buffer(group, mlirOperationGetOperand(copy, 1));
    for (MlirOperation flow = mlirOperationGetParentOperation(copy);
         luna_swap_group_has_flow(group, flow);
         flow = mlirOperationGetParentOperation(flow)) {
      bool *changes = luna_swap_group_changes(group, flow);
      changes[from->variable] = changes[to->variable] = true;
    }
  }
}

// Returns true if a copy of `copies` that is taken has a buffer that cannot be
// a pointer; it is taken no more.
static bool drop_fixed(const LunaSwapGroup *group, const MlirOperation *copies,
                       uint32_t count, bool *takes) {
  bool has_dropped = false;
  for (uint32_t i = 0; i < count; ++i) {
    if (!takes[i] || (may_point(group, mlirOperationGetOperand(copies[i], 0)) &&
                      may_point(group, mlirOperationGetOperand(copies[i], 1))))
      continue;
    takes[i] = false;
    has_dropped = true;
  }
  return has_dropped;
}

// Makes the group those copies that are taken, but not of too many branches.
static void restrict_to(LunaSwapGroup *group, const MlirOperation *copies,
                        uint32_t count, bool *takes) {
  uint32_t branches = 0;
  group->buffers.count = group->copies.count = 0;
  group->buffer_index = group->copy_index = group->flows = (LunaMap){0};
  for (uint32_t i = 0; i < count; ++i) {
    bool is_in_branch =
        luna_is_branch(mlirOperationGetParentOperation(copies[i]));
    takes[i] = takes[i] && (!is_in_branch || branches < LUNA_SWAP_BRANCHES_MAX);
    branches += takes[i] && is_in_branch;
    if (takes[i])
      add_copy(group, copies[i]);
  }
}

typedef struct Order {
  LunaSwapGroup *group;
  LUNA_VECTOR(MlirOperation);
} Order;

static bool add_in_order(MlirOperation op, void *data) {
  Order *order = data;
  if (luna_swap_group_has_copy(order->group, op))
    *LUNA_VECTOR_ADD(&order->group->arena, order) = op;
  return true;
}

bool luna_swap_group_find(LunaSwapGroup *group, MlirOperation copy) {
  Order order = {.group = group};
  if (!collect(group, copy))
    return false;
  luna_walk(mlirBlockGetParentOperation(group->home), add_in_order, &order);
  for (uint64_t i = 0; i < order.count; ++i)
    group->copies.items[i] = order.items[i];
  return true;
}

bool luna_swap_group_take(LunaSwapGroup *group, const bool *members) {
  uint32_t count = (uint32_t)group->copies.count;
  MlirOperation *copies = LUNA_ARENA_ARRAY(&group->arena, MlirOperation, count);
  bool *takes = LUNA_ARENA_ARRAY(&group->arena, bool, count);
  for (uint32_t i = 0; i < count; ++i) {
    copies[i] = group->copies.items[i];
    takes[i] = members == NULL || members[i];
  }
  do
    restrict_to(group, copies, count, takes);
  while (drop_fixed(group, copies, count, takes));
  if (group->copies.count == 0)
    return false;
  number_variables(group);
  mark_changes(group);
  return true;
}
