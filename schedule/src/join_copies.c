#include "draft_uses.h"
#include "join_group.h"
#include "joins.h"

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// The variables that an op exchanges. It may carry their buffers already, as
// value `index`, which it leaves as result `left`; else both are
// LUNA_DRAFT_NOWHERE.
typedef struct Carried {
  uint32_t *variables;
  uint32_t *index, *left;
  uint32_t count;
  LunaValue **added; // room for the values of those that it does not carry
} Carried;

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

static void exchange(const LunaSwapGroup *group, LunaOp *copy,
                     LunaValue **pointers) {
  uint32_t from =
      draft_swap_group_buffer(group, draft_operand(copy, 0))->variable;
  uint32_t to =
      draft_swap_group_buffer(group, draft_operand(copy, 1))->variable;
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

// Finds the places of a variable in `op`, both or none.
static void find_place(const LunaSwapGroup *group, LunaOp *op,
                       uint32_t variable, uint32_t *index, uint32_t *left) {
  LunaValue *buffer = outer_buffer(group, variable);
  *index = *left = LUNA_DRAFT_NOWHERE;
  if (!buffer)
    return;
  *left = draft_find_merged(op->results, op->result_count, buffer);
  *index = draft_is_branch(op) ? *left
                               : draft_find_merged(op->blocks[0]->arguments,
                                                   op->operand_count, buffer);
  if (*index == LUNA_DRAFT_NOWHERE || *left == LUNA_DRAFT_NOWHERE)
    *index = *left = LUNA_DRAFT_NOWHERE;
}

static Carried find_carried(LunaSwapGroup *group, LunaOp *op) {
  const bool *changes = draft_swap_group_changes(group, op);
  LunaArena *arena = &group->arena;
  uint32_t count = group->variable_count;
  Carried carried = {
      .variables = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .index = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .left = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .added = LUNA_ARENA_ARRAY(arena, LunaValue *, count),
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
static uint32_t find_added(const Carried *carried, LunaValue *const *pointers) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < carried->count; ++i)
    if (carried->index[i] == LUNA_DRAFT_NOWHERE)
      carried->added[count++] = pointers[carried->variables[i]];
  return count;
}

// Sets the pointers to arguments of `block` or, if that is null, to results of
// `op`: those at `places`, and the last ones for the others.
static void set_pointers(const Carried *carried, LunaOp *op, LunaBlock *block,
                         const uint32_t *places, LunaValue **pointers) {
  uint32_t added = 0;
  for (uint32_t i = 0; i < carried->count; ++i)
    added += places[i] == LUNA_DRAFT_NOWHERE;
  uint32_t count = !block ? op->result_count : block->argument_count;
  for (uint32_t i = 0; i < carried->count; ++i) {
    uint32_t at = places[i] == LUNA_DRAFT_NOWHERE ? count - added-- : places[i];
    pointers[carried->variables[i]] =
        !block ? op->results[at] : block->arguments[at];
  }
}

static void swap_ops(LunaSwapGroup *group, LunaOp *first, LunaValue **pointers);

// Rewrites a block, which ends with the pointers that it does not carry yet.
static void swap_body(LunaSwapGroup *group, const Carried *carried,
                      LunaBlock *block, LunaValue **pointers) {
  swap_ops(group, block->first, pointers);
  uint32_t added = find_added(carried, pointers);
  for (uint32_t i = 0; i < added; ++i)
    draft_pass(block, carried->added[i]);
}

static void swap_branch(LunaSwapGroup *group, LunaOp *op,
                        LunaValue **pointers) {
  Carried carried = find_carried(group, op);
  LunaValue **inner =
      LUNA_ARENA_ARRAY(&group->arena, LunaValue *, group->variable_count);
  for (uint32_t r = 0; r < op->block_count; ++r) {
    for (uint32_t i = 0; i < group->variable_count; ++i)
      inner[i] = pointers[i];
    swap_body(group, &carried, op->blocks[r], inner);
  }
  uint32_t added = find_added(&carried, pointers);
  for (uint32_t i = 0; i < added; ++i)
    draft_add_result(op, carried.added[i]);
  set_pointers(&carried, op, NULL, carried.left, pointers);
}

static void swap_loop(LunaSwapGroup *group, LunaOp *op, LunaValue **pointers) {
  Carried carried = find_carried(group, op);
  point_operands(group, op, pointers);
  uint32_t added = find_added(&carried, pointers);
  for (uint32_t i = 0; i < added; ++i)
    draft_carry(op, carried.added[i]);
  set_pointers(&carried, op, op->blocks[0], carried.index, pointers);
  swap_body(group, &carried, op->blocks[0], pointers);
  if (!draft_is_for(op)) {
    set_pointers(&carried, op, op->blocks[1], carried.left, pointers);
    swap_body(group, &carried, op->blocks[1], pointers);
  }
  set_pointers(&carried, op, NULL, carried.left, pointers);
}

// Rewrites the rest of a block from `first` on, where the variables point to
// `pointers`; these are updated.
static void swap_ops(LunaSwapGroup *group, LunaOp *first,
                     LunaValue **pointers) {
  for (LunaOp *op = first, *next; op; op = next) {
    next = op->next;
    if (draft_swap_group_has_copy(group, op)) {
      exchange(group, op, pointers);
    } else if (!draft_swap_group_has_flow(group, op)) {
      substitute(group, op, pointers);
    } else if (draft_is_branch(op)) {
      swap_branch(group, op, pointers);
    } else {
      swap_loop(group, op, pointers);
    }
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
