#include "swap_copies.h"

#include "forward_buffers.h"
#include "loop_values.h"
#include "luna-c/ops.h"
#include "structure.h"
#include "swap_group.h"

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

static void substitute(const LunaSwapGroup *group, MlirOperation op,
                       const MlirValue *pointers) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaSwapBuffer *buffer =
        luna_swap_group_buffer(group, mlirOperationGetOperand(op, i));
    if (buffer)
      mlirOperationSetOperand(op, i, pointers[buffer->variable]);
  }
}

typedef struct Substitution {
  const LunaSwapGroup *group;
  const MlirValue *pointers;
} Substitution;

static bool substitute_nested(MlirOperation op, void *data) {
  const Substitution *substitution = data;
  substitute(substitution->group, op, substitution->pointers);
  return true;
}

static void exchange(const LunaSwapGroup *group, MlirOperation copy,
                     MlirValue *pointers) {
  uint32_t from =
      luna_swap_group_buffer(group, mlirOperationGetOperand(copy, 0))->variable;
  uint32_t to =
      luna_swap_group_buffer(group, mlirOperationGetOperand(copy, 1))->variable;
  MlirValue kept = pointers[to];
  pointers[to] = pointers[from];
  pointers[from] = kept;
}

// Returns the buffer of a variable of the home block, or a null value.
static MlirValue outer_buffer(const LunaSwapGroup *group, uint32_t variable) {
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
static void find_place(const LunaSwapGroup *group, MlirOperation op,
                       uint32_t variable, intptr_t *index, intptr_t *left) {
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

static Carried find_carried(LunaSwapGroup *group, MlirOperation op) {
  const bool *changes = luna_swap_group_changes(group, op);
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

static void swap_ops(LunaSwapGroup *group, MlirOperation first,
                     MlirValue *pointers);

// Rewrites a block, which ends with the pointers that it does not carry yet.
static void swap_body(LunaSwapGroup *group, const Carried *carried,
                      MlirBlock block, MlirValue *pointers) {
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

static void swap_branch(LunaSwapGroup *group, MlirOperation op,
                        MlirValue *pointers) {
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

static void swap_loop(LunaSwapGroup *group, MlirOperation op,
                      MlirValue *pointers) {
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
static void swap_ops(LunaSwapGroup *group, MlirOperation first,
                     MlirValue *pointers) {
  Substitution substitution = {group, pointers};
  for (MlirOperation op = first, next; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (luna_swap_group_has_copy(group, op)) {
      exchange(group, op, pointers);
    } else if (!luna_swap_group_has_flow(group, op)) {
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
static MlirOperation first_flow(const LunaSwapGroup *group) {
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
static MlirValue *build_pointers(LunaSwapGroup *group, MlirOperation first) {
  MlirValue *pointers =
      LUNA_ARENA_ARRAY(&group->arena, MlirValue, group->variable_count);
  for (uint64_t i = 0; i < group->buffers.count; ++i) {
    const LunaSwapBuffer *buffer = &group->buffers.items[i];
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

static void rewrite(LunaSwapGroup *group) {
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
  uint32_t wanted;     // groups before the one wanted
  const bool *members; // of that, or NULL
  uint32_t count;      // of its copies
  LunaArena arena;
  LunaMap seen; // copies of groups before
  LunaSwapGroup group;
} Search;

// Stops at the first copy of the group that is wanted.
static bool find_group(MlirOperation op, void *data) {
  Search *search = data;
  if (luna_map_find(&search->seen, luna_map_pointer(op.ptr)) !=
          LUNA_MAP_ABSENT ||
      !luna_may_exchange(op))
    return true;
  search->group = (LunaSwapGroup){0};
  bool is_group = luna_swap_group_find(&search->group, op);
  search->count = (uint32_t)search->group.copies.count;
  for (uint32_t i = 0; i < search->count; ++i)
    luna_map_add(&search->seen, &search->arena,
                 luna_map_pointer(search->group.copies.items[i].ptr));
  bool is_wanted = search->wanted == 0;
  const bool *members = is_wanted ? search->members : NULL;
  if (is_group && luna_swap_group_take(&search->group, members)) {
    if (is_wanted)
      return false;
    --search->wanted;
  }
  luna_arena_destroy(&search->group.arena);
  return true;
}

static bool is_no_inner_copy(MlirOperation op, void *data) {
  (void)data;
  if (!luna_op_is(op, LUNA_OP_MEMREF_COPY))
    return true;
  MlirValue to = mlirOperationGetOperand(op, 1);
  return !luna_is_swappable(mlirOperationGetOperand(op, 0)) ||
         !luna_is_swappable(to) ||
         mlirBlockEqual(mlirOperationGetBlock(luna_defining_op(to)),
                        mlirOperationGetBlock(op));
}

bool luna_has_inner_copies(MlirOperation func) {
  return !luna_walk(func, is_no_inner_copy, NULL);
}

uint32_t luna_swap_copies(MlirOperation func, uint32_t index,
                          const bool *members) {
  Search search = {.wanted = index, .members = members};
  luna_forward_buffers(func);
  bool is_found = !luna_walk(func, find_group, &search);
  if (is_found) {
    rewrite(&search.group);
    luna_arena_destroy(&search.group.arena);
  }
  luna_arena_destroy(&search.arena);
  return is_found ? search.count : 0;
}
