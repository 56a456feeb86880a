#include "join_group.h"

#include "draft_uses.h"

static bool is_at(LunaOp *op, LunaBlock *block) { return op->block == block; }

//===----------------------------------------------------------------------===//
// Copies that may exchange
//===----------------------------------------------------------------------===//

bool draft_is_swappable(LunaValue *value) {
  return draft_is_alloc(value->op) && value->whole.is_on_chip &&
         value->whole.role != LUNA_MODEL_STAGING &&
         value->whole.role != LUNA_MODEL_SCRATCH;
}

bool draft_may_exchange(LunaOp *op) {
  if (!draft_is_copy(op))
    return false;
  LunaValue *from = draft_operand(op, 0);
  LunaValue *to = draft_operand(op, 1);
  return from != to && draft_is_swappable(from) && draft_is_swappable(to) &&
         draft_same_type(from, to) && draft_is_dead_behind(from, op);
}

//===----------------------------------------------------------------------===//
// The group of a copy
//===----------------------------------------------------------------------===//

const LunaSwapBuffer *draft_swap_group_buffer(const LunaSwapGroup *group,
                                              LunaValue *value) {
  uint32_t index = luna_map_find(&group->buffer_index, luna_map_pointer(value));
  return index == LUNA_MAP_ABSENT ? NULL : &group->buffers.items[index];
}

static void add_buffer(LunaSwapGroup *group, LunaValue *value) {
  uint64_t known = group->buffers.count;
  if (luna_map_add(&group->buffer_index, &group->arena,
                   luna_map_pointer(value)) == known)
    *LUNA_VECTOR_ADD(&group->arena, &group->buffers) = (LunaSwapBuffer){
        .value = value,
        .is_outer = group->place ? value == group->place
                                 : is_at(value->op, group->home)};
}

// Returns true if `value` is a buffer of the home block, or one of the body
// that the copy stands in.
static bool has_place(const LunaSwapGroup *group, LunaOp *copy,
                      LunaValue *value) {
  LunaOp *alloc = value->op;
  return is_at(alloc, group->home) || is_at(alloc, copy->block);
}

bool draft_swap_group_has(const LunaSwapGroup *group, LunaOp *op) {
  return luna_map_find(&group->ops, luna_map_pointer(op)) != LUNA_MAP_ABSENT;
}

static void add_copy(LunaSwapGroup *group, LunaOp *copy) {
  LunaValue *from = draft_operand(copy, 0);
  LunaValue *to = draft_operand(copy, 1);
  LunaOp *around = draft_ancestor(copy, group->home);
  if (!around || !has_place(group, copy, from) || !has_place(group, copy, to) ||
      draft_swap_group_has(group, copy))
    return;
  *LUNA_VECTOR_ADD(&group->arena, &group->copies) = copy;
  add_buffer(group, from);
  add_buffer(group, to);
  for (LunaOp *op = copy; op != draft_parent(around); op = draft_parent(op))
    luna_map_add(&group->ops, &group->arena, luna_map_pointer(op));
}

// Adds a copy that lies within control flow.
static void add_inner_copy(LunaSwapGroup *group, LunaOp *copy) {
  if (!is_at(copy, group->home))
    add_copy(group, copy);
}

// Collects what is connected with a copy. Returns false unless it lies within
// control flow.
static bool collect(LunaSwapGroup *group, LunaOp *copy) {
  group->home = draft_operand(copy, 1)->op->block;
  add_inner_copy(group, copy);
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    LunaValue *value = group->buffers.items[i].value;
    for (LunaUse *use = value->first_use; use; use = use->next)
      if (draft_may_exchange(use->op))
        add_inner_copy(group, use->op);
  }
  return group->copies.count > 0;
}

//===----------------------------------------------------------------------===//
// Whether pointers can be used
//===----------------------------------------------------------------------===//

// Returns true if no pointer changes between `view` and the op that uses it.
static bool is_unchanged(const LunaSwapGroup *group, LunaOp *view,
                         LunaOp *user) {
  for (LunaOp *at = user; at; at = draft_parent(at)) {
    bool is_home = is_at(at, view->block);
    if (at != user && draft_is_loop(at) && draft_swap_group_has(group, at))
      return false;
    for (LunaOp *op = is_home ? view : at->block->first; op != at;
         op = op->next)
      if (draft_swap_group_has(group, op))
        return false;
    if (is_home)
      return true;
  }
  return false;
}

// Returns true if all that uses `value`, or views of it, may use a pointer. A
// name that control flow gives the place of a chain is of no use behind the
// next copy to it.
static bool may_point(const LunaSwapGroup *group, LunaValue *value) {
  LunaOp *view = value->op;
  bool is_alloc = view->kind == LUNA_MODEL_ALLOCATE, may = true;
  for (LunaUse *use = value->first_use; may && use; use = use->next) {
    LunaOp *op = use->op;
    if (draft_merges_names(op))
      may = is_alloc && (value == group->place || draft_is_unused_name(use));
    else if (op->kind == LUNA_MODEL_TRANSFER)
      may = false; // the engine holds it beyond an exchange
    else
      may = (is_alloc || is_unchanged(group, view, op)) &&
            (!draft_makes_view(op) || may_point(group, op->results[0]));
  }
  return may;
}

// The accesses of a buffer in the ops of a block.
typedef struct Span {
  LunaBlock *block;
  LunaOp *first, *last;
} Span;

static bool add_access(LunaOp *op, void *data) {
  Span *span = data;
  LunaOp *at = draft_ancestor(op, span->block);
  if (!at)
    return true;
  if (!span->first || draft_is_before(at, span->first))
    span->first = at;
  if (!span->last || draft_is_before(span->last, at))
    span->last = at;
  return true;
}

static Span span_of(const LunaSwapBuffer *buffer) {
  Span span = {.block = buffer->value->op->block};
  draft_visit_accesses(buffer->value, add_access, &span);
  return span;
}

static bool is_outside(LunaOp *op, void *data) {
  const Span *span = data;
  LunaOp *at = draft_ancestor(op, span->block);
  return !at || draft_is_before(at, span->first) ||
         draft_is_before(span->last, at);
}

// Returns true if two buffers of bodies can have one variable: in the span of
// neither, the other is accessed.
static bool may_share(const LunaSwapBuffer *a, const LunaSwapBuffer *b) {
  Span first = span_of(a), second = span_of(b);
  return draft_visit_accesses(b->value, is_outside, &first) &&
         draft_visit_accesses(a->value, is_outside, &second);
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
  group->next = count;
  group->variable_count = count + group->is_kept;
}

// Returns true if a copy of `copies` that is taken has a buffer that cannot be
// a pointer; it is taken no more.
static bool drop_fixed(const LunaSwapGroup *group, LunaOp *const *copies,
                       uint32_t count, bool *takes) {
  bool has_dropped = false;
  for (uint32_t i = 0; i < count; ++i) {
    if (!takes[i] || (may_point(group, draft_operand(copies[i], 0)) &&
                      may_point(group, draft_operand(copies[i], 1))))
      continue;
    takes[i] = false;
    has_dropped = true;
  }
  return has_dropped;
}

// Makes the group those copies that are taken.
static void restrict_to(LunaSwapGroup *group, LunaOp *const *copies,
                        uint32_t count, const bool *takes) {
  group->buffers.count = group->copies.count = 0;
  group->buffer_index = group->ops = (LunaMap){0};
  for (uint32_t i = 0; i < count; ++i)
    if (takes[i])
      add_copy(group, copies[i]);
}

static bool add_in_order(LunaOp *op, void *data) {
  LunaSwapGroup *group = data;
  if (draft_is_copy(op) && draft_swap_group_has(group, op))
    *LUNA_VECTOR_ADD(&group->arena, &group->copies) = op;
  return true;
}

bool draft_swap_group_find(LunaSwapGroup *group, LunaOp *copy) {
  if (!collect(group, copy))
    return false;
  group->copies.count = 0;
  for (LunaOp *op = group->home->first; op; op = op->next)
    draft_walk_in(op, add_in_order, group);
  return true;
}

// Returns false if no copy remains.
static bool take(LunaSwapGroup *group, LunaOp *const *copies, uint32_t count,
                 bool *takes) {
  do
    restrict_to(group, copies, count, takes);
  while (drop_fixed(group, copies, count, takes));
  if (group->copies.count == 0)
    return false;
  number_variables(group);
  return true;
}

bool draft_swap_group_take(LunaSwapGroup *group, const bool *members) {
  uint32_t count = (uint32_t)group->copies.count, branches = 0;
  LunaOp **copies = LUNA_ARENA_ARRAY(&group->arena, LunaOp *, count);
  bool *takes = LUNA_ARENA_ARRAY(&group->arena, bool, count);
  for (uint32_t i = 0; i < count; ++i) {
    copies[i] = group->copies.items[i];
    bool is_in_branch = draft_is_branch(draft_parent(copies[i]));
    takes[i] = (members == NULL || members[i]) &&
               (!is_in_branch || branches < LUNA_SWAP_BRANCHES_MAX);
    branches += takes[i] && is_in_branch;
  }
  return take(group, copies, count, takes);
}

bool draft_swap_group_of_chain(LunaSwapGroup *group, LunaOp *const *copies,
                               uint64_t count) {
  bool *takes = LUNA_ARENA_ARRAY(&group->arena, bool, count);
  for (uint64_t i = 0; i < count; ++i)
    takes[i] = true;
  group->home = group->place->op->block;
  return take(group, copies, (uint32_t)count, takes) &&
         group->copies.count == count;
}
