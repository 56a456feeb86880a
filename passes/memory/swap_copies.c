#include "swap_copies.h"

#include "buffer_roots.h"
#include "forward_buffers.h"
#include "loop_values.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/map.h"
#include "structure.h"

// A pointer to a buffer is a variable: control flow carries it, and a copy
// exchanges two of them. That of an allocation of the home block is its own;
// those of the bodies within share what remains of time in one buffer.

// An allocation that copies of the group connect.
typedef struct Buffer {
  MlirValue value;
  bool is_outer; // in the home block
  uint32_t variable;
} Buffer;

typedef struct Group {
  LunaArena arena;
  MlirBlock home;
  LunaMap buffer_index; // by value
  LUNA_VECTOR(Buffer) buffers;
  LunaMap copy_index; // by op
  LUNA_VECTOR(MlirOperation) copies;
  LunaMap flows; // control flow around a copy
  uint32_t variable_count;
  bool *changes; // per flow and variable
} Group;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static bool is_at(MlirOperation op, MlirBlock block) {
  return mlirBlockEqual(mlirOperationGetBlock(op), block);
}

// Returns true if control flow only names the operand: by a value that nobody
// uses.
static bool is_unused_name(MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t number = mlirOpOperandGetOperandNumber(use);
  if (luna_is_loop(op)) {
    LunaLoopValues loop = luna_loop_values(op);
    return !luna_is_used(
        luna_loop_argument(&loop, number - loop.first_operand));
  }
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (luna_op_is(op, LUNA_OP_SCF_CONDITION))
    return !luna_is_used(
               mlirBlockGetArgument(luna_body(parent, 1), number - 1)) &&
           !luna_is_used(mlirOperationGetResult(parent, number - 1));
  if (!luna_op_is(op, LUNA_OP_SCF_YIELD))
    return false;
  if (luna_is_branch(parent))
    return !luna_is_used(mlirOperationGetResult(parent, number));
  LunaLoopValues loop = luna_loop_values(parent);
  return !luna_is_used(luna_loop_argument(&loop, number)) &&
         (!loop.is_for ||
          !luna_is_used(mlirOperationGetResult(parent, number)));
}

static bool forwards(MlirOperation op) {
  static const LunaOpName names[] = {LUNA_OP_SCF_YIELD, LUNA_OP_SCF_CONDITION,
                                     LUNA_OP_LUNA_YIELD, LUNA_OP_ARITH_SELECT};
  return luna_is_loop(op) ||
         luna_op_is_any(op, names, sizeof names / sizeof names[0]);
}

// Returns true if the result of `op` is a view of its operand.
static bool is_view(MlirOperation op) {
  return luna_only_renames(op) && mlirOperationGetNumResults(op) > 0 &&
         luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

// Calls `visit` for the ops that access `value`, also through views. Returns
// false if one may give it another name, or as soon as `visit` does.
static bool visit_accesses(MlirValue value,
                           bool (*visit)(MlirOperation op, void *data),
                           void *data) {
  bool goes_on = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       goes_on && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (forwards(op))
      goes_on = is_unused_name(use);
    else if (is_view(op))
      goes_on = visit_accesses(mlirOperationGetResult(op, 0), visit, data);
    else
      goes_on = visit(op, data);
  }
  return goes_on;
}

// The accesses of a buffer in the ops of a block.
typedef struct Span {
  MlirBlock block;
  MlirOperation after; // only those behind this op, if it is not null
  MlirOperation first, last;
} Span;

static bool add_access(MlirOperation op, void *data) {
  Span *span = data;
  MlirOperation at = luna_ancestor_in_block(op, span->block);
  if (mlirOperationIsNull(at) ||
      (!mlirOperationIsNull(span->after) &&
       !mlirOperationIsBeforeInBlock(span->after, at)))
    return true;
  if (mlirOperationIsNull(span->first) ||
      mlirOperationIsBeforeInBlock(at, span->first))
    span->first = at;
  if (mlirOperationIsNull(span->last) ||
      mlirOperationIsBeforeInBlock(span->last, at))
    span->last = at;
  return true;
}

//===----------------------------------------------------------------------===//
// Copies that may exchange
//===----------------------------------------------------------------------===//

static bool is_buffer(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op) || !luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
    return false;
  LunaAllocationKind kind = luna_allocation_kind(op);
  return kind != LUNA_ALLOCATION_STAGING && kind != LUNA_ALLOCATION_SCRATCH &&
         luna_memory_of(mlirValueGetType(value)) == LUNA_MEMORY_SHARED;
}

// Returns true if what `copy` reads is read no more: the block goes on by
// overwriting it, or allocates it.
static bool is_last_read(MlirOperation copy) {
  MlirValue from = mlirOperationGetOperand(copy, 0);
  Span span = {.block = mlirOperationGetBlock(copy), .after = copy};
  if (!visit_accesses(from, add_access, &span))
    return false;
  if (mlirOperationIsNull(span.first))
    return is_at(luna_defining_op(from), span.block);
  return luna_op_is(span.first, LUNA_OP_MEMREF_COPY) &&
         luna_same_value(mlirOperationGetOperand(span.first, 1), from) &&
         !luna_same_value(mlirOperationGetOperand(span.first, 0), from);
}

static bool may_exchange(MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_COPY))
    return false;
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirValue to = mlirOperationGetOperand(op, 1);
  return !luna_same_value(from, to) && is_buffer(from) && is_buffer(to) &&
         mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(to)) &&
         is_last_read(op);
}

//===----------------------------------------------------------------------===//
// The group of a copy
//===----------------------------------------------------------------------===//

static Buffer *find_buffer(const Group *group, MlirValue value) {
  uint32_t index =
      luna_map_find(&group->buffer_index, luna_map_pointer(value.ptr));
  return index == LUNA_MAP_ABSENT ? NULL : &group->buffers.items[index];
}

static void add_buffer(Group *group, MlirValue value) {
  uint64_t known = group->buffers.count;
  if (luna_map_add(&group->buffer_index, &group->arena,
                   luna_map_pointer(value.ptr)) == known)
    *LUNA_VECTOR_ADD(&group->arena, &group->buffers) =
        (Buffer){.value = value,
                 .is_outer = is_at(luna_defining_op(value), group->home)};
}

// Returns true if `value` is a buffer of the home block, or one of the body
// that the copy stands in.
static bool has_place(const Group *group, MlirOperation copy, MlirValue value) {
  MlirOperation alloc = luna_defining_op(value);
  return is_at(alloc, group->home) || is_at(alloc, mlirOperationGetBlock(copy));
}

static void add_copy(Group *group, MlirOperation copy) {
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
static bool collect(Group *group, MlirOperation copy) {
  group->home =
      mlirOperationGetBlock(luna_defining_op(mlirOperationGetOperand(copy, 1)));
  add_copy(group, copy);
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    MlirValue value = group->buffers.items[i].value;
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (may_exchange(mlirOpOperandGetOwner(use)))
        add_copy(group, mlirOpOperandGetOwner(use));
  }
  return group->copies.count > 0;
}

static bool is_copy_of(const Group *group, MlirOperation op) {
  return luna_map_find(&group->copy_index, luna_map_pointer(op.ptr)) !=
         LUNA_MAP_ABSENT;
}

static bool is_flow_of(const Group *group, MlirOperation op) {
  return luna_map_find(&group->flows, luna_map_pointer(op.ptr)) !=
         LUNA_MAP_ABSENT;
}

// Returns, per variable, whether control flow around a copy exchanges it.
static bool *changes_of(const Group *group, MlirOperation flow) {
  return group->changes +
         (uint64_t)luna_map_find(&group->flows, luna_map_pointer(flow.ptr)) *
             group->variable_count;
}

//===----------------------------------------------------------------------===//
// Whether pointers can be used
//===----------------------------------------------------------------------===//

// Returns true if no pointer changes between `view` and the op that uses it.
static bool is_unchanged(const Group *group, MlirOperation view,
                         MlirOperation user) {
  MlirOperation at = luna_ancestor_in_block(user, mlirOperationGetBlock(view));
  bool is_nested = !mlirOperationEqual(at, user);
  if (mlirOperationIsNull(at) || (is_nested && is_flow_of(group, at)))
    return false;
  for (MlirOperation op = view; !mlirOperationEqual(op, at);
       op = mlirOperationGetNextInBlock(op))
    if (is_copy_of(group, op) || is_flow_of(group, op))
      return false;
  return true;
}

// Returns true if all that uses `value`, or views of it, may use a pointer.
static bool may_point(const Group *group, MlirValue value) {
  MlirOperation view = luna_defining_op(value);
  bool is_alloc = luna_op_is(view, LUNA_OP_MEMREF_ALLOC), may = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       may && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (forwards(op))
      may = is_alloc && is_unused_name(use);
    else if (luna_op_is(op, LUNA_OP_LUNA_DMA_START))
      may = false; // the engine holds it beyond an exchange
    else
      may = (is_alloc || is_unchanged(group, view, op)) &&
            (!is_view(op) || may_point(group, mlirOperationGetResult(op, 0)));
  }
  return may;
}

static Span span_of(const Buffer *buffer) {
  Span span = {.block = mlirOperationGetBlock(luna_defining_op(buffer->value))};
  visit_accesses(buffer->value, add_access, &span);
  return span;
}

// Returns true if a copy from or to `other` stands within the span.
static bool changes_within(const Group *group, const Span *span,
                           const Buffer *other) {
  for (uint64_t i = 0; i < group->copies.count; ++i) {
    MlirOperation copy = group->copies.items[i];
    MlirOperation at = luna_ancestor_in_block(copy, span->block);
    bool is_other =
        luna_same_value(mlirOperationGetOperand(copy, 0), other->value) ||
        luna_same_value(mlirOperationGetOperand(copy, 1), other->value);
    if (is_other && !mlirOperationIsNull(at) &&
        !mlirOperationIsBeforeInBlock(at, span->first) &&
        !mlirOperationIsBeforeInBlock(span->last, at))
      return true;
  }
  return false;
}

// Returns true if two buffers of bodies can have one variable: in the span of
// neither, the other is exchanged.
static bool may_share(const Group *group, const Buffer *a, const Buffer *b) {
  Span first = span_of(a), second = span_of(b);
  return !changes_within(group, &first, b) &&
         !changes_within(group, &second, a);
}

static bool is_free(const Group *group, const Buffer *buffer,
                    uint32_t variable) {
  for (const Buffer *other = group->buffers.items; other < buffer; ++other)
    if (!other->is_outer && other->variable == variable &&
        !may_share(group, buffer, other))
      return false;
  return true;
}

// Numbers the variables: first those of the buffers of the home block.
static void number_variables(Group *group) {
  uint32_t outer = 0, count = 0;
  for (uint64_t i = 0; i < group->buffers.count; ++i)
    if (group->buffers.items[i].is_outer)
      group->buffers.items[i].variable = outer++;
  count = outer;
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    Buffer *buffer = &group->buffers.items[i];
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
static void mark_changes(Group *group) {
  group->changes = LUNA_ARENA_ARRAY(
      &group->arena, bool, group->flows.keys.count * group->variable_count);
  for (uint64_t i = 0; i < group->copies.count; ++i) {
    MlirOperation copy = group->copies.items[i];
    const Buffer *from = find_buffer(group, mlirOperationGetOperand(copy, 0));
    const Buffer *to = find_buffer(group, mlirOperationGetOperand(copy, 1));
    for (MlirOperation flow = mlirOperationGetParentOperation(copy);
         is_flow_of(group, flow);
         flow = mlirOperationGetParentOperation(flow)) {
      bool *changes = changes_of(group, flow);
      changes[from->variable] = changes[to->variable] = true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// The variables that an op exchanges. It may carry their buffers already, as
// value `index`, which it leaves as result `left`; else both are -1.
typedef struct Carried {
  uint32_t *variables;
  intptr_t *index, *left;
  uint32_t count;
  MlirValue *added; // room for the values of those that it does not carry
} Carried;

static void substitute(const Group *group, MlirOperation op,
                       const MlirValue *pointers) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const Buffer *buffer = find_buffer(group, mlirOperationGetOperand(op, i));
    if (buffer)
      mlirOperationSetOperand(op, i, pointers[buffer->variable]);
  }
}

typedef struct Substitution {
  const Group *group;
  const MlirValue *pointers;
} Substitution;

static bool substitute_nested(MlirOperation op, void *data) {
  const Substitution *substitution = data;
  substitute(substitution->group, op, substitution->pointers);
  return true;
}

static void exchange(const Group *group, MlirOperation copy,
                     MlirValue *pointers) {
  uint32_t from =
      find_buffer(group, mlirOperationGetOperand(copy, 0))->variable;
  uint32_t to = find_buffer(group, mlirOperationGetOperand(copy, 1))->variable;
  MlirValue kept = pointers[to];
  pointers[to] = pointers[from];
  pointers[from] = kept;
}

// Returns the buffer of a variable of the home block, or a null value.
static MlirValue outer_buffer(const Group *group, uint32_t variable) {
  for (uint64_t i = 0; i < group->buffers.count; ++i)
    if (group->buffers.items[i].is_outer &&
        group->buffers.items[i].variable == variable)
      return group->buffers.items[i].value;
  return (MlirValue){NULL};
}

// Returns the result for which all regions of a branch yield `buffer`, or -1.
static intptr_t find_in_branch(MlirOperation branch, MlirValue buffer) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i) {
    bool is_it = true;
    for (intptr_t r = 0; is_it && r < mlirOperationGetNumRegions(branch); ++r)
      is_it =
          luna_same_value(mlirOperationGetOperand(
                              mlirBlockGetTerminator(luna_body(branch, r)), i),
                          buffer);
    if (is_it)
      return i;
  }
  return -1;
}

static intptr_t find_in_loop(const LunaLoopValues *loop, MlirValue buffer) {
  for (intptr_t i = 0; i < loop->count; ++i)
    if (luna_same_value(luna_loop_init(loop, i), buffer) &&
        luna_same_value(luna_loop_next(loop, i), buffer))
      return i;
  return -1;
}

static intptr_t find_left(const LunaLoopValues *loop, MlirValue buffer) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop->op); ++i)
    if (luna_same_value(luna_loop_left(loop, i), buffer))
      return i;
  return -1;
}

// Finds the places of a variable in `op`, both or none.
static void find_place(const Group *group, MlirOperation op, uint32_t variable,
                       intptr_t *index, intptr_t *left) {
  MlirValue buffer = outer_buffer(group, variable);
  *index = *left = -1;
  if (mlirValueIsNull(buffer))
    return;
  if (luna_is_branch(op)) {
    *index = *left = find_in_branch(op, buffer);
    return;
  }
  LunaLoopValues loop = luna_loop_values(op);
  *index = find_in_loop(&loop, buffer);
  *left = loop.is_for ? *index : find_left(&loop, buffer);
  if (*index == -1 || *left == -1)
    *index = *left = -1;
}

static Carried find_carried(Group *group, MlirOperation op) {
  const bool *changes = changes_of(group, op);
  LunaArena *arena = &group->arena;
  uint32_t count = group->variable_count;
  Carried carried = {
      .variables = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .index = LUNA_ARENA_ARRAY(arena, intptr_t, count),
      .left = LUNA_ARENA_ARRAY(arena, intptr_t, count),
      .added = LUNA_ARENA_ARRAY(arena, MlirValue, count),
  };
  for (uint32_t variable = 0; variable < count; ++variable) {
    if (!changes[variable])
      continue;
    uint32_t i = carried.count++;
    carried.variables[i] = variable;
    find_place(group, op, variable, &carried.index[i], &carried.left[i]);
  }
  return carried;
}

// Writes the pointers to be carried beside those that are. Returns their
// number.
static intptr_t find_added(const Carried *carried, const MlirValue *pointers) {
  intptr_t count = 0;
  for (uint32_t i = 0; i < carried->count; ++i)
    if (carried->index[i] == -1)
      carried->added[count++] = pointers[carried->variables[i]];
  return count;
}

// Sets the pointers to arguments of `block` or, if that is null, to results of
// `op`: those at `places`, and the last ones for the others.
static void set_pointers(const Carried *carried, MlirOperation op,
                         MlirBlock block, intptr_t first,
                         const intptr_t *places, MlirValue *pointers) {
  intptr_t added = 0;
  for (uint32_t i = 0; i < carried->count; ++i)
    added += places[i] == -1;
  intptr_t count = mlirBlockIsNull(block) ? mlirOperationGetNumResults(op)
                                          : mlirBlockGetNumArguments(block);
  for (uint32_t i = 0; i < carried->count; ++i) {
    intptr_t at = places[i] == -1 ? count - added-- : first + places[i];
    pointers[carried->variables[i]] = mlirBlockIsNull(block)
                                          ? mlirOperationGetResult(op, at)
                                          : mlirBlockGetArgument(block, at);
  }
}

static void swap_ops(Group *group, MlirOperation first, MlirValue *pointers);

// Rewrites a block, which ends with the pointers that it does not carry yet.
static void swap_body(Group *group, const Carried *carried, MlirBlock block,
                      MlirValue *pointers) {
  swap_ops(group, mlirBlockGetFirstOperation(block), pointers);
  luna_add_yields(&group->arena, block, carried->added,
                  find_added(carried, pointers));
}

// Returns the block of a region, which may be new.
static MlirBlock block_of(MlirOperation branch, intptr_t region) {
  if (!mlirBlockIsNull(luna_body(branch, region)))
    return luna_body(branch, region);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(branch, region), block);
  mlirBlockAppendOwnedOperation(
      block,
      luna_build(&(LunaOpSpec){.name = "scf.yield",
                               .location = mlirOperationGetLocation(branch)}));
  return block;
}

static void swap_branch(Group *group, MlirOperation op, MlirValue *pointers) {
  Carried carried = find_carried(group, op);
  MlirValue *inner =
      LUNA_ARENA_ARRAY(&group->arena, MlirValue, group->variable_count);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    for (uint32_t i = 0; i < group->variable_count; ++i)
      inner[i] = pointers[i];
    swap_body(group, &carried, block_of(op, r), inner);
  }
  MlirOperation larger = luna_add_results(&group->arena, op, carried.added,
                                          find_added(&carried, pointers));
  set_pointers(&carried, larger, (MlirBlock){NULL}, 0, carried.left, pointers);
}

static void swap_loop(Group *group, MlirOperation op, MlirValue *pointers) {
  Carried carried = find_carried(group, op);
  substitute(group, op, pointers);
  LunaLoopValues loop = luna_loop_values(luna_add_carried(
      &group->arena, op, carried.added, find_added(&carried, pointers)));
  set_pointers(&carried, loop.op, loop.header, loop.first_argument,
               carried.index, pointers);
  swap_body(group, &carried, loop.header, pointers);
  if (!loop.is_for) {
    set_pointers(&carried, loop.op, loop.body, 0, carried.left, pointers);
    swap_body(group, &carried, loop.body, pointers);
  }
  set_pointers(&carried, loop.op, (MlirBlock){NULL}, 0, carried.left, pointers);
}

// Rewrites the rest of a block from `first` on, where the variables point to
// `pointers`; these are updated.
static void swap_ops(Group *group, MlirOperation first, MlirValue *pointers) {
  Substitution substitution = {group, pointers};
  for (MlirOperation op = first, next; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (is_copy_of(group, op)) {
      exchange(group, op, pointers);
    } else if (!is_flow_of(group, op)) {
      substitute(group, op, pointers);
      luna_walk(op, substitute_nested, &substitution);
    } else if (luna_is_branch(op)) {
      swap_branch(group, op, pointers);
    } else {
      swap_loop(group, op, pointers);
    }
  }
}

// Returns the first op of the home block around a copy.
static MlirOperation first_flow(const Group *group) {
  MlirOperation first = {NULL};
  for (uint64_t i = 0; i < group->copies.count; ++i) {
    MlirOperation at =
        luna_ancestor_in_block(group->copies.items[i], group->home);
    if (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(at, first))
      first = at;
  }
  return first;
}

// Returns the pointers before the first op around a copy, where the buffers of
// the bodies are allocated.
static MlirValue *build_pointers(Group *group, MlirOperation first) {
  MlirValue *pointers =
      LUNA_ARENA_ARRAY(&group->arena, MlirValue, group->variable_count);
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    const Buffer *buffer = &group->buffers.items[i];
    MlirValue *pointer = &pointers[buffer->variable];
    if (buffer->is_outer)
      *pointer = buffer->value;
    else if (mlirValueIsNull(*pointer))
      *pointer = luna_build_alloc(first, mlirValueGetType(buffer->value), NULL);
    mlirOperationRemoveAttributeByName(luna_defining_op(*pointer),
                                       luna_str("luna.kind"));
  }
  return pointers;
}

static void rewrite(Group *group) {
  MlirOperation first = first_flow(group);
  swap_ops(group, first, build_pointers(group, first));
  for (uint64_t i = 0; i < group->copies.count; ++i)
    mlirOperationDestroy(group->copies.items[i]);
  for (uint64_t i = 0; i < group->buffers.count; ++i)
    if (!group->buffers.items[i].is_outer)
      mlirOperationDestroy(luna_defining_op(group->buffers.items[i].value));
}

//===----------------------------------------------------------------------===//
// The groups of a function
//===----------------------------------------------------------------------===//

typedef struct Search {
  uint32_t wanted; // groups before the one wanted
  LunaArena arena;
  LunaMap seen; // copies of groups before
  Group group;
} Search;

static bool is_group(Group *group, MlirOperation copy) {
  bool is_valid = collect(group, copy);
  for (uint64_t i = 0; is_valid && i < group->buffers.count; ++i)
    is_valid = may_point(group, group->buffers.items[i].value);
  return is_valid;
}

// Stops at the first copy of the group that is wanted.
static bool find_group(MlirOperation op, void *data) {
  Search *search = data;
  if (luna_map_find(&search->seen, luna_map_pointer(op.ptr)) !=
          LUNA_MAP_ABSENT ||
      !may_exchange(op))
    return true;
  search->group = (Group){0};
  if (is_group(&search->group, op) && search->wanted-- == 0)
    return false;
  for (uint64_t i = 0; i < search->group.copies.count; ++i)
    luna_map_add(&search->seen, &search->arena,
                 luna_map_pointer(search->group.copies.items[i].ptr));
  luna_arena_destroy(&search->group.arena);
  return true;
}

static bool is_no_inner_copy(MlirOperation op, void *data) {
  (void)data;
  if (!luna_op_is(op, LUNA_OP_MEMREF_COPY))
    return true;
  MlirValue to = mlirOperationGetOperand(op, 1);
  return !is_buffer(mlirOperationGetOperand(op, 0)) || !is_buffer(to) ||
         is_at(luna_defining_op(to), mlirOperationGetBlock(op));
}

bool luna_has_inner_copies(MlirOperation func) {
  return !luna_walk(func, is_no_inner_copy, NULL);
}

bool luna_swap_copies(MlirOperation func, uint32_t index) {
  Search search = {.wanted = index};
  luna_forward_buffers(func);
  bool is_found = !luna_walk(func, find_group, &search);
  if (is_found) {
    number_variables(&search.group);
    mark_changes(&search.group);
    rewrite(&search.group);
    luna_arena_destroy(&search.group.arena);
  }
  luna_arena_destroy(&search.arena);
  return is_found;
}
