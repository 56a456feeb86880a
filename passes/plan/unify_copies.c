#include "unify_copies.h"

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/plan_coalesce.h"
#include "memory_problem.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_cost.h"
#include "structure.h"

// The first decision tried mostly is the best.
enum { SEARCH_STEPS = 4096 };

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

static MlirOperation op_of_move(const LunaMemoryProblem *memory,
                                uint64_t move) {
  return memory->program.ops.items[memory->view.moves.items[move].step];
}

static bool is_copy(const LunaMemoryProblem *memory, uint64_t move) {
  LunaModelId step = memory->view.moves.items[move].step;
  return memory->program.model.steps.items[step].kind == LUNA_MODEL_COPY;
}

// Writes the cycles of each move that is a copy; the others take none.
static bool price_moves(const LunaMachine *machine,
                        const LunaMemoryProblem *memory, uint64_t *cycles) {
  bool has_cost = true;
  for (uint64_t i = 0; has_cost && i < memory->view.moves.count; ++i)
    if (is_copy(memory, i))
      has_cost =
          luna_op_add_run_cycles(machine, op_of_move(memory, i), &cycles[i]);
  return has_cost;
}

// Writes the cycles of each step other than a copy that is a move.
static bool price_steps(const LunaMachine *machine,
                        const LunaMemoryProblem *memory, uint64_t *cycles) {
  bool has_cost = true;
  uint64_t move = 0;
  for (uint64_t i = 0; has_cost && i < memory->view.steps.count; ++i) {
    LunaModelProblemStep step = memory->view.steps.items[i];
    bool is_priced = false;
    for (; move < memory->view.moves.count &&
           memory->view.moves.items[move].step == step.step;
         ++move)
      is_priced = is_copy(memory, move);
    if (!is_priced)
      has_cost = luna_op_add_run_cycles(
          machine, memory->program.ops.items[step.step], &cycles[step.first]);
  }
  return has_cost;
}

//===----------------------------------------------------------------------===//
// Classes of roots that become one allocation
//===----------------------------------------------------------------------===//

typedef struct Classes {
  const LunaMemoryProblem *memory;
  uint32_t *parent; // per root
} Classes;

static uint32_t find(const Classes *classes, uint32_t root) {
  while (classes->parent[root] != root)
    root = classes->parent[root];
  return root;
}

static void join(const Classes *classes, uint32_t a, uint32_t b) {
  a = find(classes, a);
  b = find(classes, b);
  classes->parent[a < b ? b : a] = a < b ? a : b;
}

static uint32_t root_of(const LunaMemoryProblem *memory, LunaBufferId buffer) {
  uint32_t root = 0;
  while (memory->view.buffer_of[root] != buffer)
    ++root;
  return root;
}

static Classes make_classes(const LunaMemoryProblem *memory,
                            const LunaCoalescing *coalescing) {
  uint32_t count = memory->program.model.buffer_count;
  Classes classes = {memory,
                     LUNA_ARENA_ARRAY(memory->view.arena, uint32_t, count)};
  for (uint32_t root = 0; root < count; ++root)
    classes.parent[root] = root;
  for (uint32_t i = 0; i < coalescing->pair_count; ++i)
    join(&classes, root_of(memory, coalescing->pairs[i].a),
         root_of(memory, coalescing->pairs[i].b));
  return classes;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Returns the op in the innermost block around both that contains `a`, which
// comes first.
static MlirOperation common_ancestor(MlirOperation a, MlirOperation b) {
  while (
      mlirOperationIsNull(luna_ancestor_in_block(b, mlirOperationGetBlock(a))))
    a = mlirOperationGetParentOperation(a);
  return a;
}

// Returns all of `value` in another contiguous shape of the same elements.
static MlirValue build_reshaped(MlirOperation before, MlirValue value,
                                MlirType type) {
  MlirContext context = mlirOperationGetContext(before);
  int64_t offset = 0, sizes[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
  luna_memref_strides(type, &offset, strides);
  const int32_t segments[] = {1, 0, 0, 0};
  const MlirNamedAttribute attributes[] = {
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 4, segments)),
      luna_named(context, "static_offsets",
                 mlirDenseI64ArrayGet(context, 1, &offset)),
      luna_named(context, "static_sizes",
                 mlirDenseI64ArrayGet(context, rank, sizes)),
      luna_named(context, "static_strides",
                 mlirDenseI64ArrayGet(context, rank, strides)),
  };
  MlirOperation cast = luna_build_before(
      before, &(LunaOpSpec){.name = "memref.reinterpret_cast",
                            .location = mlirOperationGetLocation(before),
                            .operands = &value,
                            .operand_count = 1,
                            .results = &type,
                            .result_count = 1,
                            .attributes = attributes,
                            .attribute_count = 4});
  return mlirOperationGetResult(cast, 0);
}

// Has `other` become `alloc`, which stands before it or is moved there.
static void unify(MlirOperation alloc, MlirOperation other) {
  MlirOperation before = common_ancestor(alloc, other);
  if (!mlirOperationEqual(before, alloc))
    mlirOperationMoveBefore(alloc, before);
  if (luna_allocation_kind(alloc) != luna_allocation_kind(other))
    mlirOperationRemoveAttributeByName(alloc, luna_str("luna.kind"));
  MlirValue value = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(other, 0));
  if (!mlirTypeEqual(mlirValueGetType(value), type))
    value = build_reshaped(other, value, type);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(other, 0), value);
  mlirOperationDestroy(other);
}

static void apply(const LunaMemoryProblem *memory, const Classes *classes) {
  uint32_t count = memory->program.model.buffer_count;
  MlirOperation *allocs =
      LUNA_ARENA_ARRAY(memory->view.arena, MlirOperation, count);
  for (uint32_t root = 0; root < count; ++root)
    allocs[root] = luna_roots_alloc(memory->program.roots, root);
  for (uint64_t i = 0; i < memory->view.moves.count; ++i) {
    LunaModelProblemMove move = memory->view.moves.items[i];
    if (is_copy(memory, i) &&
        find(classes, move.from) == find(classes, move.to))
      mlirOperationDestroy(op_of_move(memory, i));
  }
  for (uint32_t root = 0; root < count; ++root)
    if (find(classes, root) != root)
      unify(allocs[find(classes, root)], allocs[root]);
}

static MlirLogicalResult
coalesce(MlirOperation func, const LunaJoinTarget *target, LunaArena *arena) {
  const LunaMachine *machine = target->machine;
  LunaMemoryProblem memory;
  LunaCoalescing coalescing;
  LunaError error = {0};
  if (!luna_memory_problem_create(
          func, machine,
          &(LunaModelProblemOptions){.align_bytes =
                                         (int64_t)machine->alignment_bytes,
                                     .works_in_place = true,
                                     .has_staging = target->counts_staging},
          arena, &memory))
    return mlirLogicalResultFailure();
  if (memory.view.moves.count == 0)
    return mlirLogicalResultSuccess();
  uint64_t *move_cycles =
      LUNA_ARENA_ARRAY(arena, uint64_t, memory.view.moves.count);
  uint64_t *step_cycles = LUNA_ARENA_ARRAY(
      arena, uint64_t, luna_problem_step_count(memory.view.problem));
  if (!price_moves(machine, &memory, move_cycles) ||
      !price_steps(machine, &memory, step_cycles))
    return mlirLogicalResultFailure();
  LunaCoalesceOptions options = {
      .move_cycles = move_cycles,
      .step_cycles = step_cycles,
      .capacity_bytes = target->capacity_bytes,
      .step_budget = SEARCH_STEPS,
  };
  if (!luna_plan_coalesce(memory.view.problem, &options, &coalescing, &error))
    return luna_emit_error(func, "%s", error.message);
  Classes classes = make_classes(&memory, &coalescing);
  apply(&memory, &classes);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult luna_unify_copies(MlirOperation func,
                                    const LunaJoinTarget *target) {
  LunaArena arena = {0};
  MlirLogicalResult result = coalesce(func, target, &arena);
  luna_arena_destroy(&arena);
  return result;
}
