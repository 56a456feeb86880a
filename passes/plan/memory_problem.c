#include "memory_problem.h"

#include <string.h>

#include "branch_places.h"
#include "conditions.h"
#include "in_place.h"
#include "structure.h"
#include "touches.h"

// What the current op does to a root.
typedef struct RootTouch {
  uint32_t root;
  LunaTouch touch;
  uint32_t value_count; // of the operands and captured values that point to it
} RootTouch;

typedef struct Builder {
  LunaMemoryProblem *memory;
  // While the first op that touches each root is looked for, before anything is
  // built.
  bool is_naming;
  const LunaMachine *machine; // of the Extent
  bool has_staging;
  int64_t align_bytes;
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
// Steps
//===----------------------------------------------------------------------===//

// Adds a step of the current op.
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

// Adds the only, or the first, step of the current op.
static LunaStepId add_first_step(const Builder *builder) {
  LunaMemoryProblem *memory = builder->memory;
  LunaStepId step = add_step(builder);
  *LUNA_VECTOR_ADD(memory->arena, &memory->steps) =
      (LunaMemoryStep){builder->op, step};
  return step;
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
                               LunaTouch touch) {
  if (touch != LUNA_TOUCH_OVERWRITE)
    return touch;
  uint32_t root = luna_only_root_of(builder->memory->roots, value);
  if (root == LUNA_NO_ROOT)
    return LUNA_TOUCH_MODIFY;
  MlirOperation alloc = luna_roots_alloc(builder->memory->roots, root);
  bool is_filled = luna_op_is(builder->op, LUNA_OP_LUNA_DMA_START) &&
                   luna_allocation_kind(alloc) == LUNA_ALLOCATION_STAGING;
  bool is_overwritten = is_filled || is_whole(builder->memory, value, root);
  return is_overwritten ? touch : LUNA_TOUCH_MODIFY;
}

static void touch_root(Builder *builder, uint32_t root, LunaTouch touch) {
  uint32_t at = builder->touch_of_root[root];
  if (at < builder->touches.count && builder->touches.items[at].root == root) {
    LunaTouch *both = &builder->touches.items[at].touch;
    *both = *both == LUNA_TOUCH_READ && touch == LUNA_TOUCH_READ
                ? LUNA_TOUCH_READ
                : LUNA_TOUCH_MODIFY;
    ++builder->touches.items[at].value_count;
    return;
  }
  builder->touch_of_root[root] = (uint32_t)builder->touches.count;
  *LUNA_VECTOR_ADD(builder->memory->arena, &builder->touches) =
      (RootTouch){root, touch, 1};
}

static void touch_value(MlirValue value, LunaTouch touch, void *data) {
  Builder *builder = data;
  LunaRootSet set = luna_roots_of(builder->memory->roots, value);
  touch = touch_of_root(builder, value, touch);
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

static void build_touch(const Builder *builder, LunaStepId step,
                        const RootTouch *touch) {
  LunaProblem *problem = builder->memory->problem;
  LunaBufferId buffer = builder->memory->buffer_of_root[touch->root];
  if (buffer == LUNA_NO_BUFFER)
    return;
  switch (touch->touch) {
  case LUNA_TOUCH_READ:
    luna_problem_read(problem, step, buffer);
    return;
  case LUNA_TOUCH_OVERWRITE:
    luna_problem_define(problem, step, buffer);
    return;
  case LUNA_TOUCH_MODIFY:
    luna_problem_use(problem, step, buffer);
    return;
  }
}

static void add_move(const Builder *builder, LunaStepId step, uint32_t from,
                     uint32_t to) {
  LunaMemoryProblem *memory = builder->memory;
  luna_problem_move(memory->problem, step, memory->buffer_of_root[from],
                    memory->buffer_of_root[to]);
  *LUNA_VECTOR_ADD(memory->arena, &memory->moves) =
      (LunaMemoryMove){builder->op, from, to};
}

// Returns the only root of an operand that is all of it, and in shared memory,
// or LUNA_NO_ROOT.
static uint32_t whole_root(const Builder *builder, intptr_t operand) {
  const LunaMemoryProblem *memory = builder->memory;
  MlirValue value = mlirOperationGetOperand(builder->op, operand);
  uint32_t root = luna_only_root_of(memory->roots, value);
  bool is_whole_root = root != LUNA_NO_ROOT && is_whole(memory, value, root) &&
                       memory->buffer_of_root[root] != LUNA_NO_BUFFER;
  return is_whole_root ? root : LUNA_NO_ROOT;
}

// Returns true if two allocations have elements of one type.
static bool have_one_element(const Builder *builder, uint32_t a, uint32_t b) {
  const LunaRoots *roots = builder->memory->roots;
  MlirValue x = mlirOperationGetResult(luna_roots_alloc(roots, a), 0);
  MlirValue y = mlirOperationGetResult(luna_roots_alloc(roots, b), 0);
  return mlirTypeEqual(mlirShapedTypeGetElementType(mlirValueGetType(x)),
                       mlirShapedTypeGetElementType(mlirValueGetType(y)));
}

static bool build_copy(const Builder *builder) {
  if (!luna_op_is(builder->op, LUNA_OP_MEMREF_COPY))
    return false;
  uint32_t from = whole_root(builder, 0), to = whole_root(builder, 1);
  if (from == LUNA_NO_ROOT || to == LUNA_NO_ROOT || from == to ||
      !have_one_element(builder, from, to))
    return false;
  add_move(builder, add_first_step(builder), from, to);
  return true;
}

//===----------------------------------------------------------------------===//
// Operators that may work in place
//===----------------------------------------------------------------------===//

static const RootTouch *touch_by_root(const Builder *builder, uint32_t root) {
  return &builder->touches.items[builder->touch_of_root[root]];
}

// Returns true if the operator may write its output, all of `output`, over
// operand `i`, all of `root`.
static bool may_replace(const Builder *builder, intptr_t i, uint32_t root,
                        uint32_t output) {
  MlirOperation op = builder->op;
  MlirValue value = mlirOperationGetOperand(op, i);
  const RootTouch *touch = touch_by_root(builder, root);
  uint32_t same_count = 0;
  for (intptr_t k = 0; k < i; ++k)
    if (luna_same_value(mlirOperationGetOperand(op, k), value))
      return false; // seen before
  for (intptr_t k = i; k < mlirOperationGetNumOperands(op); ++k)
    same_count += luna_same_value(mlirOperationGetOperand(op, k), value);
  return root != output && have_one_element(builder, root, output) &&
         touch->touch == LUNA_TOUCH_READ && touch->value_count == same_count &&
         luna_may_work_in_place(builder->machine, op, value);
}

// Writes, per touch, whether the output may replace that root. Returns the
// number of them.
static uint32_t find_replaced(const Builder *builder, uint32_t output,
                              bool *is_replaced) {
  uint32_t count = 0;
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(builder->op); ++i) {
    uint32_t root = whole_root(builder, i);
    if (root == LUNA_NO_ROOT || !may_replace(builder, i, root, output))
      continue;
    is_replaced[builder->touch_of_root[root]] = true;
    ++count;
  }
  return count;
}

// Returns the root that the op overwrites as its output, or LUNA_NO_ROOT.
static uint32_t output_root(const Builder *builder) {
  intptr_t count = mlirOperationGetNumOperands(builder->op);
  uint32_t root = count > 1 ? whole_root(builder, count - 1) : LUNA_NO_ROOT;
  bool is_output = root != LUNA_NO_ROOT &&
                   touch_by_root(builder, root)->touch == LUNA_TOUCH_OVERWRITE;
  return is_output ? root : LUNA_NO_ROOT;
}

// Builds, in place of one step, one that reads the operands; a move of an
// operand to the output, of those that it may replace any one; and one that
// overwrites the output, the last. So the output may share the place of an operand that
// is read for the last time. What it may not replace is read to the end.
static bool build_in_place(const Builder *builder, LunaStepId *last) {
  LunaProblem *problem = builder->memory->problem;
  const RootTouch *touches = builder->touches.items;
  uint32_t output = output_root(builder);
  bool *is_replaced =
      LUNA_ARENA_ARRAY(builder->memory->arena, bool, builder->touches.count);
  if (output == LUNA_NO_ROOT ||
      find_replaced(builder, output, is_replaced) == 0)
    return false;
  LunaStepId first = add_first_step(builder);
  for (uint64_t i = 0; i < builder->touches.count; ++i)
    if (touches[i].root != output)
      build_touch(builder, first, &touches[i]);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  for (uint64_t i = 0; i < builder->touches.count; ++i) {
    if (!is_replaced[i])
      continue;
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    add_move(builder, add_step(builder), touches[i].root, output);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
  *last = add_step(builder);
  for (uint64_t i = 0; i < builder->touches.count; ++i)
    if (!is_replaced[i])
      build_touch(builder, *last, &touches[i]);
  return true;
}

// Returns the size of the packed weights that an operand in PSRAM lies in, or
// 0.
static int64_t weight_bytes(MlirValue operand) {
  MlirOperation op = luna_defining_op(operand);
  if (!mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_VIEW))
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL)
             ? luna_shaped_bytes(
                   mlirValueGetType(mlirOperationGetResult(op, 0)))
             : 0;
}

static void build_staging(const Builder *builder, LunaStepId step) {
  LunaProblem *problem = builder->memory->problem;
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(builder->op); ++i) {
    int64_t size = weight_bytes(mlirOperationGetOperand(builder->op, i));
    bytes = size > bytes ? size : bytes;
  }
  if (bytes > 0 && luna_op_is_unit(builder->op))
    luna_problem_define(problem, step,
                        luna_problem_add_buffer(
                            problem, &(LunaBuffer){
                                         .name = "staging",
                                         .size_bytes = bytes,
                                         .align_bytes = builder->align_bytes,
                                         .kind = LUNA_BUFFER_STAGING,
                                     }));
}

static bool touches_buffer(const Builder *builder) {
  for (uint64_t i = 0; i < builder->touches.count; ++i)
    if (builder->memory->buffer_of_root[builder->touches.items[i].root] !=
        LUNA_NO_BUFFER)
      return true;
  return false;
}

static LunaStepId build_step(const Builder *builder) {
  LunaStepId step = add_first_step(builder);
  for (uint64_t i = 0; i < builder->touches.count; ++i)
    build_touch(builder, step, &builder->touches.items[i]);
  return step;
}

static void build_op(const Builder *builder) {
  LunaStepId step;
  if (!touches_buffer(builder) || build_copy(builder))
    return;
  if (!builder->machine || !build_in_place(builder, &step))
    step = build_step(builder);
  if (builder->has_staging)
    build_staging(builder, step);
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
    build_op(builder);
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
      .machine = extent->machine,
      .has_staging = extent->has_staging,
      .align_bytes = extent->align_bytes,
      .first_op = LUNA_ARENA_ARRAY(arena, MlirOperation, count),
      .touch_of_root = LUNA_ARENA_ARRAY(arena, uint32_t, count),
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
