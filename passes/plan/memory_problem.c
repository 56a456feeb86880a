#include "memory_problem.h"

#include <string.h>

#include "branch_places.h"
#include "conditions.h"
#include "memory_op.h"
#include "structure.h"

typedef struct Builder {
  LunaMemoryProblem *memory;
  // While the first op that touches each root is looked for, before anything is
  // built.
  bool is_naming;
  LunaMemoryOp op;
  MlirOperation *first_op; // per root
  uint32_t next_root;      // of the allocations, in program order
  uint32_t next_number;    // of the ops, in program order
  bool *is_carried;        // per root, by the current loop
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

// Returns "stem" for the output of the layer of that name, "stem.scratch" for
// its tiles, or "tensor7" without a name. Staging buffers serve many layers.
static const char *buffer_name(LunaArena *arena, MlirOperation maker,
                               const char *prefix, uint32_t id) {
  MlirStringRef name = {NULL, 0};
  if (!mlirOperationIsNull(maker))
    name = luna_given_name(maker);
  if (name.data == NULL || strcmp(prefix, "staging") == 0)
    return luna_arena_printf(arena, "%s%u", prefix, id);
  bool is_result = strcmp(prefix, "tensor") == 0;
  return luna_arena_printf(arena, "%.*s%s%s", (int)name.length, name.data,
                           is_result ? "" : ".", is_result ? "" : prefix);
}

static bool is_allocated_in(MlirBlock block, MlirOperation alloc) {
  return !mlirOperationIsNull(luna_ancestor_in_block(alloc, block));
}

// Adds the allocations in `block`. `makers`: per root the op that touches it
// first, or null.
static bool add_buffers(LunaMemoryProblem *memory, MlirBlock block,
                        int64_t align_bytes, const MlirOperation *makers) {
  uint32_t count = luna_roots_count(memory->roots);
  for (uint32_t id = 0; id < count; ++id) {
    MlirOperation alloc = luna_roots_alloc(memory->roots, id);
    MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
    memory->place_of_root[id] = id;
    if (luna_memory_of(type) != LUNA_MEMORY_SHARED ||
        !is_allocated_in(block, alloc))
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
// Control flow
//===----------------------------------------------------------------------===//

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

static void name_roots(const Builder *builder) {
  for (uint64_t i = 0; i < builder->op.touches.count; ++i) {
    MlirOperation *first =
        &builder->first_op[builder->op.touches.items[i].root];
    if (mlirOperationIsNull(*first))
      *first = builder->op.op;
  }
}

static void visit_leaf(Builder *builder, MlirOperation op) {
  luna_memory_op_read(&builder->op, op, builder->next_number - 1);
  if (builder->is_naming)
    name_roots(builder);
  else
    luna_memory_op_build(&builder->op);
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

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

// Returns the first root in `block`, of those in program order.
static uint32_t first_root_in(const LunaRoots *roots, MlirBlock block) {
  uint32_t root = 0, count = luna_roots_count(roots);
  while (root < count && !is_allocated_in(block, luna_roots_alloc(roots, root)))
    ++root;
  return root;
}

// Returns true if no allocation in shared memory outside is touched.
static bool stands_apart(const Builder *builder) {
  const LunaMemoryProblem *memory = builder->memory;
  for (uint32_t root = 0; root < luna_roots_count(memory->roots); ++root) {
    MlirOperation alloc = luna_roots_alloc(memory->roots, root);
    MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
    if (luna_memory_of(type) == LUNA_MEMORY_SHARED &&
        memory->buffer_of_root[root] == LUNA_NO_BUFFER &&
        !mlirOperationIsNull(builder->first_op[root]))
      return false;
  }
  return true;
}

typedef struct Extent {
  MlirBlock block; // the entry of the function, or a part of it
  int64_t align_bytes;
  const LunaMachine *machine; // whose operators may work in place, or NULL
  bool has_staging;
  bool is_apart; // what touches no buffer from outside
} Extent;

static bool create(MlirOperation func, Extent *extent, LunaArena *arena,
                   LunaMemoryProblem *memory) {
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
      .op = {.memory = memory,
             .machine = extent->machine,
             .has_staging = extent->has_staging,
             .align_bytes = extent->align_bytes,
             .touch_of_root = LUNA_ARENA_ARRAY(arena, uint32_t, count)},
      .first_op = LUNA_ARENA_ARRAY(arena, MlirOperation, count),
      .is_carried = LUNA_ARENA_ARRAY(arena, bool, count),
  };
  uint32_t first_root = first_root_in(memory->roots, extent->block);
  for (uint32_t i = 0; i < count; ++i)
    memory->buffer_of_root[i] = LUNA_NO_BUFFER;
  builder.next_root = first_root;
  visit_block(&builder, extent->block);
  if (!add_buffers(memory, extent->block, extent->align_bytes,
                   builder.first_op))
    return false;
  extent->is_apart = stands_apart(&builder);
  luna_share_branch_places(memory, extent->block);
  builder.is_naming = false;
  builder.next_number = 0;
  builder.next_root = first_root;
  visit_block(&builder, extent->block);
  return true;
}

bool luna_memory_problem_create(MlirOperation func, int64_t align_bytes,
                                LunaArena *arena, LunaMemoryProblem *memory) {
  Extent extent = {.block = luna_entry_block(func), .align_bytes = align_bytes};
  return create(func, &extent, arena, memory);
}

bool luna_memory_problem_create_part(MlirOperation func, MlirBlock block,
                                     int64_t align_bytes, LunaArena *arena,
                                     LunaMemoryProblem *memory,
                                     bool *is_apart) {
  Extent extent = {.block = block, .align_bytes = align_bytes};
  bool is_created = create(func, &extent, arena, memory);
  *is_apart = extent.is_apart;
  return is_created;
}

bool luna_memory_problem_create_in_place(MlirOperation func,
                                         const LunaMachine *machine,
                                         bool has_staging, LunaArena *arena,
                                         LunaMemoryProblem *memory) {
  Extent extent = {.block = luna_entry_block(func),
                   .align_bytes = (int64_t)machine->alignment_bytes,
                   .machine = machine,
                   .has_staging = has_staging};
  return create(func, &extent, arena, memory);
}

bool luna_memory_problem_create_staged(MlirOperation func, int64_t align_bytes,
                                       LunaArena *arena,
                                       LunaMemoryProblem *memory) {
  Extent extent = {.block = luna_entry_block(func),
                   .align_bytes = align_bytes,
                   .has_staging = true};
  return create(func, &extent, arena, memory);
}
