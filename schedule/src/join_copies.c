#include "draft_uses.h"
#include "join_group.h"
#include "joins.h"

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// A variable that control flow exchanges. It may carry its buffer already, as
// value `index`, which it leaves as result `left`; else both are
// LUNA_DRAFT_NOWHERE.
typedef struct Slot {
  uint32_t variable, index, left;
} Slot;

typedef LUNA_VECTOR(Slot) Slots;

static void point_operands(const LunaSwapGroup *group, LunaOp *op,
                           LunaValue *const *pointers) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    const LunaSwapBuffer *buffer =
        draft_swap_group_buffer(group, draft_operand(op, i));
    if (buffer)
      draft_set_operand(op, i, pointers[buffer->variable]);
  }
}

// Has `op`, and all in it, use the pointers.
static void substitute(const LunaSwapGroup *group, LunaOp *op,
                       LunaValue *const *pointers) {
  point_operands(group, op, pointers);
  for (uint32_t i = 0; i < op->block_count; ++i)
    for (LunaOp *in = op->blocks[i]->first; in; in = in->next)
      substitute(group, in, pointers);
}

// Returns the variable of what a copy reads, or writes.
static uint32_t variable_of(const LunaSwapGroup *group, const LunaOp *copy,
                            uint32_t operand) {
  return draft_swap_group_buffer(group, draft_operand(copy, operand))->variable;
}

static void exchange(const LunaSwapGroup *group, LunaOp *copy,
                     LunaValue **pointers) {
  uint32_t from = variable_of(group, copy, 0), to = variable_of(group, copy, 1);
  LunaValue *kept = pointers[group->is_kept ? group->next : to];
  pointers[to] = pointers[from];
  pointers[from] = kept;
  if (group->is_kept)
    pointers[group->next] = pointers[to];
}

// Returns the buffer of a variable of the home block, or a null value.
static LunaValue *outer_buffer(const LunaSwapGroup *group, uint32_t variable) {
  for (uint64_t i = 0; i < group->buffers.count; ++i)
    if (group->buffers.items[i].is_outer &&
        group->buffers.items[i].variable == variable)
      return group->buffers.items[i].value;
  return NULL;
}

static Slot find_slot(const LunaSwapGroup *group, const LunaOp *op,
                      uint32_t variable) {
  LunaValue *buffer = outer_buffer(group, variable);
  uint32_t left = LUNA_DRAFT_NOWHERE, index = LUNA_DRAFT_NOWHERE;
  if (buffer)
    index = left = draft_find_merged(op->results, op->result_count, buffer);
  if (buffer && draft_is_loop(op))
    index =
        draft_find_merged(op->blocks[0]->arguments, op->operand_count, buffer);
  bool has_both = index != LUNA_DRAFT_NOWHERE && left != LUNA_DRAFT_NOWHERE;
  return (Slot){variable, has_both ? index : LUNA_DRAFT_NOWHERE,
                has_both ? left : LUNA_DRAFT_NOWHERE};
}

// Finds what the copies in `op` exchange.
static Slots find_slots(LunaSwapGroup *group, LunaOp *op) {
  Slots slots = {0};
  bool *changes = LUNA_ARENA_ARRAY(&group->arena, bool, group->variable_count);
  for (uint64_t i = 0; i < group->copies.count; ++i) {
    LunaOp *copy = group->copies.items[i];
    if (draft_ancestor(copy, op->block) == op)
      changes[variable_of(group, copy, 0)] =
          changes[variable_of(group, copy, 1)] = true;
  }
  if (group->is_kept)
    changes[group->next] = true;
  for (uint32_t variable = 0; variable < group->variable_count; ++variable)
    if (changes[variable])
      *LUNA_VECTOR_ADD(&group->arena, &slots) = find_slot(group, op, variable);
  return slots;
}

// Sets the pointers to what stands at the places of `slots`, and to the last of
// `values` for the others.
static void set_pointers(const Slots *slots, LunaValue *const *values,
                         uint32_t count, bool is_left, LunaValue **pointers) {
  for (uint64_t i = slots->count; i-- > 0;) {
    const Slot *slot = &slots->items[i];
    uint32_t at = is_left ? slot->left : slot->index;
    pointers[slot->variable] = values[at == LUNA_DRAFT_NOWHERE ? --count : at];
  }
}

static void swap_ops(LunaSwapGroup *group, LunaOp *first, LunaValue **pointers);

// Rewrites control flow around a copy, which carries the pointers beside those
// that it has.
static void swap_flow(LunaSwapGroup *group, LunaOp *op, LunaValue **pointers) {
  Slots slots = find_slots(group, op);
  LunaValue **inner =
      LUNA_ARENA_ARRAY(&group->arena, LunaValue *, group->variable_count);
  point_operands(group, op, pointers);
  for (uint64_t i = 0; i < slots.count; ++i)
    if (slots.items[i].index == LUNA_DRAFT_NOWHERE)
      draft_carry(op, pointers[slots.items[i].variable]);
  for (uint32_t b = 0; b < op->block_count; ++b) {
    LunaBlock *block = op->blocks[b];
    for (uint32_t i = 0; i < group->variable_count; ++i)
      inner[i] = pointers[i];
    if (draft_is_loop(op))
      set_pointers(&slots, block->arguments, block->argument_count, b > 0,
                   inner);
    swap_ops(group, block->first, inner);
    for (uint64_t i = 0; i < slots.count; ++i)
      if (slots.items[i].index == LUNA_DRAFT_NOWHERE)
        draft_pass(block, inner[slots.items[i].variable]);
  }
  set_pointers(&slots, op->results, op->result_count, true, pointers);
}

// Rewrites the rest of a block from `first` on, where the variables point to
// `pointers`; these are updated.
static void swap_ops(LunaSwapGroup *group, LunaOp *first,
                     LunaValue **pointers) {
  for (LunaOp *op = first, *next; op; op = next) {
    next = op->next;
    if (!draft_swap_group_has(group, op))
      substitute(group, op, pointers);
    else if (draft_is_copy(op))
      exchange(group, op, pointers);
    else
      swap_flow(group, op, pointers);
  }
}

// Returns the first op of the home block around a copy.
static LunaOp *first_flow(const LunaSwapGroup *group) {
  LunaOp *first = NULL;
  for (uint64_t i = 0; i < group->copies.count; ++i) {
    LunaOp *at = draft_ancestor(group->copies.items[i], group->home);
    if (!first || draft_is_before(at, first))
      first = at;
  }
  return first;
}

// Returns the pointers before the first op around a copy, where the buffers of
// the bodies are allocated.
static LunaValue **build_pointers(LunaSwapGroup *group, LunaOp *first) {
  LunaValue **pointers =
      LUNA_ARENA_ARRAY(&group->arena, LunaValue *, group->variable_count);
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    const LunaSwapBuffer *buffer = &group->buffers.items[i];
    LunaValue **pointer = &pointers[buffer->variable];
    if (buffer->is_outer)
      *pointer = group->place ? group->init : buffer->value;
    else if (!*pointer)
      *pointer = draft_allocate(first, buffer->value);
    if (!group->place && (*pointer)->whole.role != LUNA_MODEL_TENSOR)
      draft_make_tensor((*pointer)->op);
  }
  if (group->is_kept)
    pointers[group->next] = draft_allocate(first, group->place);
  return pointers;
}

static void rewrite(LunaSwapGroup *group) {
  LunaOp *first = first_flow(group);
  swap_ops(group, first, build_pointers(group, first));
  for (uint64_t i = 0; i < group->copies.count; ++i)
    draft_erase(group->copies.items[i]);
  for (uint64_t i = 0; i < group->buffers.count; ++i)
    if (!group->buffers.items[i].is_outer)
      draft_erase(group->buffers.items[i].value->op);
}

bool draft_exchange_chain(LunaValue *place, LunaValue *init, bool is_kept,
                          LunaOp *const *copies, uint64_t count) {
  LunaSwapGroup group = {.place = place, .init = init, .is_kept = is_kept};
  bool can = draft_swap_group_of_chain(&group, copies, count);
  if (can) {
    rewrite(&group);
    if (place != init)
      draft_erase(place->op);
  }
  luna_arena_destroy(&group.arena);
  return can;
}

//===----------------------------------------------------------------------===//
// The groups of a function
//===----------------------------------------------------------------------===//

typedef struct Search {
  uint32_t wanted;     // groups before the one wanted
  const bool *members; // of that, or NULL
  uint32_t count;      // of its copies
  LunaArena arena;
  LunaMap seen; // copies of groups before
  LunaSwapGroup group;
} Search;

// Stops at the first copy of the group that is wanted.
static bool find_group(LunaOp *op, void *data) {
  Search *search = data;
  if (luna_map_find(&search->seen, luna_map_pointer(op)) != LUNA_MAP_ABSENT ||
      !draft_may_exchange(op))
    return true;
  search->group = (LunaSwapGroup){0};
  bool is_group = draft_swap_group_find(&search->group, op);
  search->count = (uint32_t)search->group.copies.count;
  for (uint32_t i = 0; i < search->count; ++i)
    luna_map_add(&search->seen, &search->arena,
                 luna_map_pointer(search->group.copies.items[i]));
  bool is_wanted = search->wanted == 0;
  const bool *members = is_wanted ? search->members : NULL;
  if (is_group && draft_swap_group_take(&search->group, members)) {
    if (is_wanted)
      return false;
    --search->wanted;
  }
  luna_arena_destroy(&search->group.arena);
  return true;
}

static bool is_no_inner_copy(LunaOp *op, void *data) {
  (void)data;
  if (!draft_is_copy(op))
    return true;
  LunaValue *to = draft_operand(op, 1);
  return !draft_is_swappable(draft_operand(op, 0)) || !draft_is_swappable(to) ||
         to->op->block == op->block;
}

bool draft_has_inner_copies(LunaDraft *draft) {
  return !draft_walk(draft, is_no_inner_copy, NULL);
}

uint32_t draft_swap_copies(LunaDraft *draft, uint32_t index,
                           const bool *members) {
  Search search = {.wanted = index, .members = members};
  draft_forward_buffers(draft);
  bool is_found = !draft_walk(draft, find_group, &search);
  if (is_found) {
    rewrite(&search.group);
    luna_arena_destroy(&search.group.arena);
  }
  luna_arena_destroy(&search.arena);
  return is_found ? search.count : 0;
}
