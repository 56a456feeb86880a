#include "memory_problem.h"

#include <string.h>

#include "conditions.h"
#include "structure.h"
#include "touches.h"

// What the current op does to a root.
typedef struct RootTouch {
  uint32_t root;
  LunaTouch touch;
} RootTouch;

typedef struct Builder {
  LunaMemoryProblem *memory;
  // While the first op that touches each root is looked for, before anything is
  // built.
  bool is_naming;
  MlirOperation *first_op; // per root
  uint32_t next_root;      // of the allocations, in program order
  uint32_t next_number;    // of the ops, in program order
  MlirOperation op;
  LUNA_VECTOR(RootTouch) touches; // of `op`
  uint32_t *touch_of_root;        // its index in `touches`, if it is in there
  bool *is_carried;               // per root, by the current loop
  LunaConditions conditions;
} Builder;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LunaBufferKind kind_of(LunaAllocationKind kind) {
  switch (kind) {
  case LUNA_ALLOCATION_STAGING:
    return LUNA_BUFFER_STAGING;
  case LUNA_ALLOCATION_SCRATCH:
    return LUNA_BUFFER_SCRATCH;
  case LUNA_ALLOCATION_TENSOR:
  case LUNA_ALLOCATION_INPUT:
  case LUNA_ALLOCATION_OUTPUT:
    break;
  }
  return LUNA_BUFFER_TENSOR;
}

// An output is named like the tensors that are computed.
static const char *prefix_of(LunaAllocationKind kind) {
  return lunaAllocationKindName(
      kind == LUNA_ALLOCATION_OUTPUT ? LUNA_ALLOCATION_TENSOR : kind);
}

// The name that the op's location gives it, or a null string.
static MlirStringRef given_name(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  if (!mlirLocationIsAName(location))
    return (MlirStringRef){NULL, 0};
  return mlirIdentifierStr(mlirLocationNameGetName(location));
}

// Returns "stem" for the output of the layer of that name, "stem.scratch" for
// its tiles, or "tensor7" without a name. Staging buffers serve many layers.
static const char *buffer_name(LunaArena *arena, MlirOperation maker,
                               const char *prefix, uint32_t id) {
  MlirStringRef name = {NULL, 0};
  if (!mlirOperationIsNull(maker))
    name = given_name(maker);
  if (name.data == NULL || strcmp(prefix, "staging") == 0)
    return luna_arena_printf(arena, "%s%u", prefix, id);
  bool is_result = strcmp(prefix, "tensor") == 0;
  return luna_arena_printf(arena, "%.*s%s%s", (int)name.length, name.data,
                           is_result ? "" : ".", is_result ? "" : prefix);
}

// `makers`: per root the op that touches it first, or null.
static bool add_buffers(LunaMemoryProblem *memory, int64_t align_bytes,
                        const MlirOperation *makers) {
  uint32_t count = luna_roots_count(memory->roots);
  for (uint32_t id = 0; id < count; ++id) {
    MlirOperation alloc = luna_roots_alloc(memory->roots, id);
    MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
    memory->place_of_root[id] = id;
    if (luna_memory_of(type) != LUNA_MEMORY_SHARED)
      continue;
    int64_t bytes = luna_shaped_bytes(type);
    if (bytes < 0) {
      luna_emit_error(alloc, "allocation has a dynamic shape, static ones are "
                             "planned");
      return false;
    }
    LunaAllocationKind kind = luna_allocation_kind(alloc);
    memory->buffer_of_root[id] = luna_problem_add_buffer(
        memory->problem,
        &(LunaBuffer){
            .name = buffer_name(memory->arena, makers[id], prefix_of(kind), id),
            .size_bytes = bytes,
            .align_bytes = align_bytes,
            .kind = kind_of(kind),
        });
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Aliasing the values that the branches of one op yield
//===----------------------------------------------------------------------===//

static uint32_t find_place(LunaMemoryProblem *memory, uint32_t root) {
  while (memory->place_of_root[root] != root)
    root = memory->place_of_root[root];
  return root;
}

// Returns true if all roots of a yielded value are aliases and allocated within
// the branching op.
static bool is_one_place_in(LunaMemoryProblem *memory, LunaRootSet set,
                            MlirOperation branch) {
  MlirBlock block = mlirOperationGetBlock(branch);
  for (uint32_t i = 0; i < set.count; ++i) {
    MlirOperation alloc = luna_roots_alloc(memory->roots, set.ids[i]);
    if (find_place(memory, set.ids[i]) != find_place(memory, set.ids[0]) ||
        !mlirOperationEqual(luna_ancestor_in_block(alloc, block), branch) ||
        memory->buffer_of_root[set.ids[i]] == LUNA_NO_BUFFER)
      return false;
  }
  return set.count > 0;
}

static int64_t bytes_of(LunaMemoryProblem *memory, uint32_t root) {
  LunaBufferId buffer = memory->buffer_of_root[root];
  return luna_problem_buffer(memory->problem, buffer)->size_bytes;
}

// Returns the branching op around `a` and `b` that runs only one of them, if
// any.
static bool are_exclusive(MlirOperation a, MlirOperation b) {
  for (MlirOperation outer = mlirOperationGetParentOperation(a);
       !luna_op_is(outer, LUNA_OP_FUNC_FUNC);
       outer = mlirOperationGetParentOperation(outer)) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(outer); ++r) {
      MlirBlock block = luna_body(outer, r);
      if (mlirBlockIsNull(block) ||
          mlirOperationIsNull(luna_ancestor_in_block(b, block)))
        continue;
      return luna_is_branch(outer) &&
             mlirOperationIsNull(luna_ancestor_in_block(a, block));
    }
  }
  return false;
}

// Returns true if no allocation of one alias set is live together with one of
// the other.
static bool can_share(LunaMemoryProblem *memory, uint32_t a, uint32_t b) {
  uint32_t count = luna_roots_count(memory->roots);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; find_place(memory, i) == a && j < count; ++j)
      if (find_place(memory, j) == b &&
          !are_exclusive(luna_roots_alloc(memory->roots, i),
                         luna_roots_alloc(memory->roots, j)))
        return false;
  return true;
}

static void share_result(LunaMemoryProblem *memory, MlirOperation branch,
                         intptr_t result) {
  intptr_t regions = mlirOperationGetNumRegions(branch);
  uint32_t first = 0;
  for (intptr_t r = 0; r < regions; ++r) {
    MlirOperation yield = mlirBlockGetTerminator(luna_body(branch, r));
    LunaRootSet set =
        luna_roots_of(memory->roots, mlirOperationGetOperand(yield, result));
    if (!is_one_place_in(memory, set, branch))
      return;
    if (r == 0)
      first = set.ids[0];
    if (bytes_of(memory, set.ids[0]) != bytes_of(memory, first))
      return;
  }
  for (intptr_t r = 1; r < regions; ++r) {
    MlirOperation yield = mlirBlockGetTerminator(luna_body(branch, r));
    LunaRootSet set =
        luna_roots_of(memory->roots, mlirOperationGetOperand(yield, result));
    uint32_t a = find_place(memory, first), b = find_place(memory, set.ids[0]);
    if (a == b || !can_share(memory, a, b))
      continue;
    luna_problem_alias(memory->problem, memory->buffer_of_root[a],
                       memory->buffer_of_root[b]);
    memory->place_of_root[a < b ? b : a] = a < b ? a : b;
  }
}

static void share_results_under(LunaMemoryProblem *memory, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!luna_is_control_flow(op))
      continue;
    intptr_t regions = mlirOperationGetNumRegions(op);
    for (intptr_t r = 0; r < regions; ++r)
      if (!mlirBlockIsNull(luna_body(op, r)))
        share_results_under(memory, luna_body(op, r));
    intptr_t results = luna_is_branch(op) ? mlirOperationGetNumResults(op) : 0;
    for (intptr_t i = 0; i < results; ++i)
      if (luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
        share_result(memory, op, i);
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static LunaStepId add_step(const Builder *builder) {
  LunaMemoryProblem *memory = builder->memory;
  MlirOperation op = builder->op;
  MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(op));
  MlirStringRef name = given_name(op);
  bool is_dma = luna_op_is(op, LUNA_OP_LUNA_DMA_START) ||
                luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT);
  const char *text =
      name.data == NULL
          ? luna_arena_printf(memory->arena, "%.*s#%u", (int)kind.length,
                              kind.data, builder->next_number - 1)
          : luna_arena_printf(memory->arena, "%.*s%s", (int)name.length,
                              name.data, is_dma ? " (DMA)" : "");
  return luna_problem_step(memory->problem, text);
}

// Returns true if `value` is all of the allocation.
static bool is_whole(const LunaMemoryProblem *memory, MlirValue value,
                     uint32_t root) {
  MlirOperation alloc = luna_roots_alloc(memory->roots, root);
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) && luna_memref_is_contiguous(type) &&
         luna_shaped_bytes(type) == luna_shaped_bytes(mlirValueGetType(
                                        mlirOperationGetResult(alloc, 0)));
}

// A transfer fills a staging buffer from its start; what lies behind, nobody
// reads. Anything else overwrites an allocation only as a whole.
static LunaTouch touch_of_root(const Builder *builder, MlirValue value,
                               LunaRootSet set, LunaTouch touch) {
  if (touch != LUNA_TOUCH_OVERWRITE || set.count == 0)
    return touch;
  MlirOperation alloc = luna_roots_alloc(builder->memory->roots, set.ids[0]);
  bool is_filled = luna_op_is(builder->op, LUNA_OP_LUNA_DMA_START) &&
                   luna_allocation_kind(alloc) == LUNA_ALLOCATION_STAGING;
  bool is_overwritten =
      set.count == 1 &&
      (is_filled || is_whole(builder->memory, value, set.ids[0]));
  return is_overwritten ? touch : LUNA_TOUCH_MODIFY;
}

static void touch_root(Builder *builder, uint32_t root, LunaTouch touch) {
  uint32_t at = builder->touch_of_root[root];
  if (at < builder->touches.count && builder->touches.items[at].root == root) {
    LunaTouch *both = &builder->touches.items[at].touch;
    *both = *both == LUNA_TOUCH_READ && touch == LUNA_TOUCH_READ
                ? LUNA_TOUCH_READ
                : LUNA_TOUCH_MODIFY;
    return;
  }
  builder->touch_of_root[root] = (uint32_t)builder->touches.count;
  *LUNA_VECTOR_ADD(builder->memory->arena, &builder->touches) =
      (RootTouch){root, touch};
}

static void touch_value(MlirValue value, LunaTouch touch, void *data) {
  Builder *builder = data;
  LunaRootSet set = luna_roots_of(builder->memory->roots, value);
  touch = touch_of_root(builder, value, set, touch);
  for (uint32_t i = 0; i < set.count; ++i)
    touch_root(builder, set.ids[i], touch);
}

static void name_roots(const Builder *builder) {
  for (uint64_t i = 0; i < builder->touches.count; ++i) {
    MlirOperation *first = &builder->first_op[builder->touches.items[i].root];
    if (mlirOperationIsNull(*first))
      *first = builder->op;
  }
}

static void build_step(const Builder *builder) {
  LunaProblem *problem = builder->memory->problem;
  LunaStepId step = 0;
  bool has_step = false;
  for (uint64_t i = 0; i < builder->touches.count; ++i) {
    RootTouch touch = builder->touches.items[i];
    LunaBufferId buffer = builder->memory->buffer_of_root[touch.root];
    if (buffer == LUNA_NO_BUFFER)
      continue;
    if (!has_step)
      step = add_step(builder);
    has_step = true;
    switch (touch.touch) {
    case LUNA_TOUCH_READ:
      luna_problem_read(problem, step, buffer);
      break;
    case LUNA_TOUCH_OVERWRITE:
      luna_problem_define(problem, step, buffer);
      break;
    case LUNA_TOUCH_MODIFY:
      luna_problem_use(problem, step, buffer);
      break;
    }
  }
}

static void visit_block(Builder *builder, MlirBlock block);

static const char *name_of(Builder *builder, MlirOperation op) {
  MlirStringRef name = luna_label_of(op);
  return luna_arena_strndup(builder->memory->arena, name.data, name.length);
}

static void visit_branches(Builder *builder, MlirOperation op) {
  LunaProblem *problem = builder->memory->problem;
  bool builds = !builder->is_naming;
  if (builds) {
    LunaCondition condition =
        luna_condition_of(&builder->conditions, op, builder->memory->arena);
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, name_of(builder, op));
    luna_problem_set_condition(problem, condition.number, condition.is_negated);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    char name[32];
    luna_branch_name(op, r, name);
    if (builds)
      luna_problem_begin(problem, LUNA_NODE_BRANCH, name);
    if (!mlirBlockIsNull(luna_body(op, r)))
      visit_block(builder, luna_body(op, r));
    if (builds)
      luna_problem_end(problem);
  }
  if (builds)
    luna_problem_end(problem);
}

// Marks the roots that the next iteration may get from the last: in memrefs, or
// in transfers in flight.
static void mark_carried(const Builder *builder, MlirBlock header,
                         bool is_marked) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(header); ++i) {
    LunaRootSet set =
        luna_roots_of(builder->memory->roots, mlirBlockGetArgument(header, i));
    for (uint32_t k = 0; k < set.count; ++k)
      builder->is_carried[set.ids[k]] = is_marked;
  }
}

// The allocations of the body begin anew in each iteration.
static void discard_roots(const Builder *builder, MlirOperation loop,
                          LunaStepId header, uint32_t first_root) {
  mark_carried(builder, luna_body(loop, 0), true);
  for (uint32_t root = first_root; root < builder->next_root; ++root) {
    LunaBufferId buffer = builder->memory->buffer_of_root[root];
    if (buffer != LUNA_NO_BUFFER && !builder->is_carried[root])
      luna_problem_discard(builder->memory->problem, header, buffer);
  }
  mark_carried(builder, luna_body(loop, 0), false);
}

static void visit_loop(Builder *builder, MlirOperation op) {
  LunaProblem *problem = builder->memory->problem;
  bool builds = !builder->is_naming;
  LunaStepId header = 0;
  uint32_t first_root = builder->next_root;
  if (builds)
    header = luna_problem_begin(problem, LUNA_NODE_LOOP, name_of(builder, op));
  visit_block(builder, luna_body(op, 0));
  if (luna_op_is(op, LUNA_OP_SCF_WHILE)) {
    if (builds)
      luna_problem_loop_exit(problem);
    visit_block(builder, luna_body(op, 1));
  }
  if (!builds)
    return;
  discard_roots(builder, op, header, first_root);
  luna_problem_end(problem);
}

static void visit_leaf(Builder *builder, MlirOperation op) {
  builder->op = op;
  builder->touches.count = 0;
  if (!luna_only_renames(op))
    luna_touches(op, touch_value, builder);
  if (builder->is_naming)
    name_roots(builder);
  else
    build_step(builder);
}

static void visit_op(Builder *builder, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_LABEL))
    return;
  ++builder->next_number;
  builder->next_root += luna_op_is(op, LUNA_OP_MEMREF_ALLOC);
  if (luna_is_branch(op))
    visit_branches(builder, op);
  else if (luna_is_loop(op))
    visit_loop(builder, op);
  else if (luna_op_is(op, LUNA_OP_LUNA_REGION))
    visit_block(builder, luna_body(op, 0));
  else
    visit_leaf(builder, op);
}

static void visit_block(Builder *builder, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit_op(builder, op);
}

bool luna_memory_problem_create(MlirOperation func, int64_t align_bytes,
                                LunaArena *arena, LunaMemoryProblem *memory) {
  MlirBlock entry = luna_entry_block(func);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(entry))) {
    luna_emit_error(func, "unstructured control flow; lift it with "
                          "lift-cf-to-scf first");
    return false;
  }
  *memory = (LunaMemoryProblem){.arena = arena};
  memory->problem = luna_problem_create(arena);
  memory->roots = luna_roots_compute(func, arena);
  uint32_t count = luna_roots_count(memory->roots);
  memory->buffer_of_root = LUNA_ARENA_ARRAY(arena, LunaBufferId, count);
  memory->place_of_root = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  Builder builder = {
      .memory = memory,
      .is_naming = true,
      .first_op = LUNA_ARENA_ARRAY(arena, MlirOperation, count),
      .touch_of_root = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .is_carried = LUNA_ARENA_ARRAY(arena, bool, count),
  };
  for (uint32_t i = 0; i < count; ++i)
    memory->buffer_of_root[i] = LUNA_NO_BUFFER;
  visit_block(&builder, entry);
  if (!add_buffers(memory, align_bytes, builder.first_op))
    return false;
  share_results_under(memory, entry);
  builder.is_naming = false;
  builder.next_number = builder.next_root = 0;
  visit_block(&builder, entry);
  for (uint32_t i = 0; i < count; ++i)
    memory->place_of_root[i] = find_place(memory, i);
  return true;
}
