#include "memory_problem.h"

#include <string.h>

#include "conditions.h"
#include "structure.h"

typedef struct Builder {
  LunaMemoryProblem *memory;
  // Per root: true until its first touch after the allocation.
  bool *is_not_yet_live;
  // Per root: the numbers, in program order, of the first and the last op that
  // touch it.
  uint32_t *first_touch, *last_touch;
  MlirOperation *first_op; // that op
  uint32_t next_number;
  int loop_depth;
  // While the ops are numbered, before anything is built.
  bool is_numbering;
  MlirOperation op;
  LunaStepId step;
  bool has_step;
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

static LunaStepId add_step(Builder *builder, MlirOperation op) {
  LunaMemoryProblem *memory = builder->memory;
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

static void touch_root(Builder *builder, uint32_t root, bool gets_new_content) {
  LunaMemoryProblem *memory = builder->memory;
  LunaBufferId buffer = memory->buffer_of_root[root];
  if (builder->is_numbering) {
    if (builder->first_touch[root] == UINT32_MAX) {
      builder->first_touch[root] = builder->next_number - 1;
      builder->first_op[root] = builder->op;
    }
    builder->last_touch[root] = builder->next_number - 1;
    return;
  }
  if (buffer == LUNA_NO_BUFFER)
    return;
  if (!builder->has_step)
    builder->step = add_step(builder, builder->op);
  builder->has_step = true;
  if (builder->is_not_yet_live[root] || gets_new_content)
    luna_problem_define(memory->problem, builder->step, buffer);
  builder->is_not_yet_live[root] = false;
  luna_problem_use(memory->problem, builder->step, buffer);
}

// A transfer defines a staging buffer; any other op may write only a part.
static bool replaces_content(MlirOperation op, MlirValue value,
                             const LunaProblem *problem, LunaBufferId buffer) {
  return luna_op_is(op, LUNA_OP_LUNA_DMA_START) && buffer != LUNA_NO_BUFFER &&
         luna_same_value(mlirOperationGetOperand(op, 1), value) &&
         luna_problem_buffer(problem, buffer)->kind == LUNA_BUFFER_STAGING;
}

static void touch_value(MlirValue value, void *data) {
  Builder *builder = data;
  LunaMemoryProblem *memory = builder->memory;
  LunaRootSet set = luna_roots_of(memory->roots, value);
  for (uint32_t i = 0; i < set.count; ++i) {
    LunaBufferId buffer = memory->buffer_of_root[set.ids[i]];
    touch_root(builder, set.ids[i],
               set.count == 1 && replaces_content(builder->op, value,
                                                  memory->problem, buffer));
  }
}

static void visit_block(Builder *builder, MlirBlock block);

// In a loop, the lifetime of a buffer that is first touched under control flow
// begins before it: some way through may not touch it.
static void begin_lifetime_before(Builder *builder, MlirOperation op,
                                  uint32_t end_number) {
  LunaMemoryProblem *memory = builder->memory;
  uint32_t count = luna_roots_count(memory->roots);
  if (builder->loop_depth == 0)
    return;
  builder->has_step = false;
  builder->op = op;
  for (uint32_t root = 0; root < count; ++root)
    if (builder->is_not_yet_live[root] &&
        builder->first_touch[root] >= builder->next_number &&
        builder->first_touch[root] < end_number)
      touch_root(builder, root, true);
}

// A buffer from outside a loop, first touched in it and used behind it, gathers
// its contents over the turns: no touch in the loop begins them.
static void keep_what_turns_gather(Builder *builder, MlirOperation loop,
                                   uint32_t end_number) {
  const LunaMemoryProblem *memory = builder->memory;
  MlirBlock block = mlirOperationGetBlock(loop);
  for (uint32_t root = 0; root < luna_roots_count(memory->roots); ++root)
    if (builder->first_touch[root] < end_number &&
        builder->last_touch[root] >= end_number &&
        !mlirOperationEqual(luna_ancestor_in_block(
                                luna_roots_alloc(memory->roots, root), block),
                            loop))
      builder->is_not_yet_live[root] = false;
}

static uint32_t count_ops(MlirBlock block);

// Labels are not counted: they name ops.
static uint32_t count_ops_in(MlirOperation op) {
  uint32_t count = luna_op_is(op, LUNA_OP_LUNA_LABEL) ? 0 : 1;
  bool is_structured =
      luna_is_control_flow(op) || luna_op_is(op, LUNA_OP_LUNA_REGION);
  for (intptr_t r = 0; is_structured && r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      count += count_ops(luna_body(op, r));
  return count;
}

static uint32_t count_ops(MlirBlock block) {
  uint32_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += count_ops_in(op);
  return count;
}

static const char *name_of(Builder *builder, MlirOperation op) {
  MlirStringRef name = luna_label_of(op);
  return luna_arena_strndup(builder->memory->arena, name.data, name.length);
}

static void visit_branches(Builder *builder, MlirOperation op) {
  LunaProblem *problem = builder->memory->problem;
  bool builds = !builder->is_numbering;
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

static void visit_loop(Builder *builder, MlirOperation op) {
  LunaProblem *problem = builder->memory->problem;
  bool builds = !builder->is_numbering;
  if (builds)
    luna_problem_begin(problem, LUNA_NODE_LOOP, name_of(builder, op));
  ++builder->loop_depth;
  visit_block(builder, luna_body(op, 0));
  if (luna_op_is(op, LUNA_OP_SCF_WHILE)) {
    if (builds)
      luna_problem_loop_exit(problem);
    visit_block(builder, luna_body(op, 1));
  }
  --builder->loop_depth;
  if (builds)
    luna_problem_end(problem);
}

static void visit_op(Builder *builder, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_LABEL))
    return;
  bool is_structured = luna_is_control_flow(op);
  if (is_structured && !builder->is_numbering) {
    uint32_t end_number = builder->next_number + count_ops_in(op);
    begin_lifetime_before(builder, op, end_number);
    if (luna_is_loop(op))
      keep_what_turns_gather(builder, op, end_number);
  }
  builder->op = op;
  builder->has_step = false;
  ++builder->next_number;
  if (!is_structured && !luna_op_is(op, LUNA_OP_LUNA_REGION) &&
      !luna_only_renames(op))
    luna_touched_values(op, touch_value, builder);
  if (luna_is_branch(op))
    visit_branches(builder, op);
  else if (luna_is_loop(op))
    visit_loop(builder, op);
  else if (luna_op_is(op, LUNA_OP_LUNA_REGION))
    visit_block(builder, luna_body(op, 0));
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
      .is_not_yet_live = LUNA_ARENA_ARRAY(arena, bool, count),
      .first_touch = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .last_touch = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .first_op = LUNA_ARENA_ARRAY(arena, MlirOperation, count),
      .is_numbering = true,
  };
  for (uint32_t i = 0; i < count; ++i) {
    builder.is_not_yet_live[i] = true;
    builder.first_touch[i] = UINT32_MAX;
    memory->buffer_of_root[i] = LUNA_NO_BUFFER;
  }
  visit_block(&builder, entry);
  if (!add_buffers(memory, align_bytes, builder.first_op))
    return false;
  share_results_under(memory, entry);
  builder.is_numbering = false;
  builder.next_number = 0;
  visit_block(&builder, entry);
  for (uint32_t i = 0; i < count; ++i)
    memory->place_of_root[i] = find_place(memory, i);
  return true;
}
