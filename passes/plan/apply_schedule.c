#include "apply_schedule.h"

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

// What the numbers of a model, and of decisions, stand for.
typedef struct Applier {
  LunaArena arena;
  const LunaProgramModel *program;
  LUNA_VECTOR(MlirOperation) ops;
  LUNA_VECTOR(MlirValue) values;
  LUNA_VECTOR(MlirOperation) erased; // destroyed last: values may be of them
} Applier;

static MlirOperation op_at(const Applier *applier, LunaModelId step) {
  return applier->ops.items[step];
}

static MlirValue value_at(const Applier *applier, LunaModelId value) {
  return applier->values.items[value];
}

static void set_op(Applier *applier, LunaModelId step, MlirOperation op) {
  while (applier->ops.count <= step)
    *LUNA_VECTOR_ADD(&applier->arena, &applier->ops) = (MlirOperation){NULL};
  applier->ops.items[step] = op;
}

static void set_value(Applier *applier, LunaModelId id, MlirValue value) {
  while (applier->values.count <= id)
    *LUNA_VECTOR_ADD(&applier->arena, &applier->values) = (MlirValue){NULL};
  applier->values.items[id] = value;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

// Returns the block of a body, which is made if the region is empty.
static MlirBlock block_of(const Applier *applier, LunaModelId body) {
  const LunaModelStep *steps = applier->program->model.steps.items;
  LunaModelId parent = steps[body].parent;
  MlirOperation op = op_at(applier, body == 0 ? 0 : parent);
  intptr_t region = 0;
  for (LunaModelId at = parent + 1; body > 0 && at < body; at = steps[at].end)
    ++region;
  MlirBlock block = luna_body(op, region);
  if (!mlirBlockIsNull(block))
    return block;
  block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(op, region), block);
  mlirBlockAppendOwnedOperation(
      block,
      luna_build(&(LunaOpSpec){.name = "scf.yield",
                               .location = mlirOperationGetLocation(op)}));
  return block;
}

static MlirOperation end_of(const Applier *applier, LunaModelId body) {
  return mlirBlockGetTerminator(block_of(applier, body));
}

// Returns the op that a decision puts something before.
static MlirOperation place_of(const Applier *applier,
                              const LunaDecision *decision) {
  return decision->before != LUNA_MODEL_NONE ? op_at(applier, decision->before)
                                             : end_of(applier, decision->body);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void allocate(Applier *applier, const LunaDecision *decision) {
  MlirType type = applier->program->types.items[decision->type];
  MlirValue value = luna_build_alloc(place_of(applier, decision), type, NULL);
  set_value(applier, decision->value, value);
  set_op(applier, decision->step, luna_defining_op(value));
}

static void copy(Applier *applier, const LunaDecision *decision) {
  set_op(applier, decision->step,
         luna_build_copy(place_of(applier, decision),
                         value_at(applier, decision->value),
                         value_at(applier, decision->by)));
}

// True if a cast leads from one type to the other: one shape, and strides that
// are equal wherever both are static. Those of dimensions of one element may be
// anything: the bytes are the same, but that is no cast.
static bool is_cast(MlirType a, MlirType b) {
  int64_t offset = 0, from[LUNA_RANK_MAX], to[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(a);
  bool is_static = luna_memref_layout(a, &offset, from) &&
                   luna_memref_layout(b, &offset, to);
  bool is_cast = rank == mlirShapedTypeGetRank(b);
  for (intptr_t i = 0; is_cast && i < rank; ++i)
    is_cast =
        mlirShapedTypeGetDimSize(a, i) == mlirShapedTypeGetDimSize(b, i) &&
        (!is_static || from[i] == to[i]);
  return is_cast;
}

static void view(Applier *applier, const LunaDecision *decision) {
  MlirOperation before = place_of(applier, decision);
  MlirValue value = value_at(applier, decision->by);
  MlirType type = applier->program->types.items[decision->type];
  MlirValue view =
      is_cast(mlirValueGetType(value), type)
          ? luna_build_value(before, "memref.cast", type, 1, &value)
          : luna_build_reinterpret(before, value, type);
  set_op(applier, decision->step, mlirOpResultGetOwner(view));
  set_value(applier, decision->value, view);
}

static bool is_result_of(MlirValue value, MlirOperation op) {
  return !mlirValueIsNull(value) && mlirValueIsAOpResult(value) &&
         mlirOperationEqual(mlirOpResultGetOwner(value), op);
}

static void erase(Applier *applier, const LunaDecision *decision) {
  MlirOperation op = op_at(applier, decision->step);
  mlirOperationRemoveFromParent(op);
  *LUNA_VECTOR_ADD(&applier->arena, &applier->erased) = op;
}

static void move(Applier *applier, const LunaDecision *decision) {
  mlirOperationMoveBefore(op_at(applier, decision->step),
                          place_of(applier, decision));
}

static void make_tensor(Applier *applier, const LunaDecision *decision) {
  mlirOperationRemoveAttributeByName(op_at(applier, decision->step),
                                     luna_str("luna.kind"));
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static void replace(Applier *applier, const LunaDecision *decision) {
  mlirValueReplaceAllUsesOfWith(value_at(applier, decision->value),
                                value_at(applier, decision->by));
}

typedef struct Operand {
  uint32_t wanted; // of those before it
  MlirValue by;
} Operand;

// Stops where the operand was set.
static bool set_operand(MlirOperation op, void *data) {
  Operand *operand = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if ((luna_is_memref(type) || lunaTypeIsAToken(type)) &&
        operand->wanted-- == 0) {
      mlirOperationSetOperand(op, i, operand->by);
      return false;
    }
  }
  return true;
}

static void set_one_operand(Applier *applier, const LunaDecision *decision) {
  MlirOperation op = decision->step != LUNA_MODEL_NONE
                         ? op_at(applier, decision->step)
                         : end_of(applier, decision->body);
  Operand operand = {decision->number, value_at(applier, decision->by)};
  if (set_operand(op, &operand))
    luna_walk(op, set_operand, &operand);
}

//===----------------------------------------------------------------------===//
// What control flow passes on
//===----------------------------------------------------------------------===//

// The larger op is made before the smaller one is gone.
static MlirOperation replace_op(Applier *applier,
                                const LunaDecision *decision) {
  MlirOperation op = op_at(applier, decision->step);
  MlirValue by = value_at(applier, decision->by);
  LUNA_VECTOR(uint64_t) results = {0};
  LUNA_VECTOR(intptr_t) numbers = {0};
  for (uint64_t i = 0; i < applier->values.count; ++i) {
    MlirValue value = applier->values.items[i];
    if (!is_result_of(value, op))
      continue;
    *LUNA_VECTOR_ADD(&applier->arena, &results) = i;
    *LUNA_VECTOR_ADD(&applier->arena, &numbers) =
        mlirOpResultGetResultNumber(value);
  }
  MlirOperation larger = luna_is_loop(op)
                             ? luna_add_carried(&applier->arena, op, &by, 1)
                             : luna_add_results(&applier->arena, op, &by, 1);
  for (uint64_t i = 0; i < results.count; ++i)
    applier->values.items[results.items[i]] =
        mlirOperationGetResult(larger, numbers.items[i]);
  set_op(applier, decision->step, larger);
  return larger;
}

static void carry(Applier *applier, const LunaDecision *decision) {
  MlirOperation op = replace_op(applier, decision);
  intptr_t regions = luna_is_loop(op) ? mlirOperationGetNumRegions(op) : 0;
  LunaModelId id = decision->value;
  for (intptr_t r = 0; r < regions; ++r) {
    MlirBlock block = luna_body(op, r);
    set_value(applier, id++,
              mlirBlockGetArgument(block, mlirBlockGetNumArguments(block) - 1));
  }
  set_value(applier, id,
            mlirOperationGetResult(op, mlirOperationGetNumResults(op) - 1));
}

static void pass_on(Applier *applier, const LunaDecision *decision) {
  MlirValue value = value_at(applier, decision->by);
  luna_add_yields(&applier->arena, block_of(applier, decision->body), &value,
                  1);
}

//===----------------------------------------------------------------------===//
// All decisions
//===----------------------------------------------------------------------===//

static void (*const rules[])(Applier *applier, const LunaDecision *decision) = {
    [LUNA_DECIDE_ALLOCATE] = allocate, [LUNA_DECIDE_COPY] = copy,
    [LUNA_DECIDE_VIEW] = view,         [LUNA_DECIDE_ERASE] = erase,
    [LUNA_DECIDE_MOVE] = move,         [LUNA_DECIDE_TENSOR] = make_tensor,
    [LUNA_DECIDE_REPLACE] = replace,   [LUNA_DECIDE_OPERAND] = set_one_operand,
    [LUNA_DECIDE_CARRY] = carry,       [LUNA_DECIDE_PASS] = pass_on,
};

void luna_apply_schedule(const LunaProgramModel *program,
                         const LunaSchedule *schedule) {
  Applier applier = {.program = program};
  for (uint64_t i = 0; i < program->ops.count; ++i)
    *LUNA_VECTOR_ADD(&applier.arena, &applier.ops) = program->ops.items[i];
  for (uint64_t i = 0; i < program->values.count; ++i)
    *LUNA_VECTOR_ADD(&applier.arena, &applier.values) =
        program->values.items[i];
  for (uint64_t i = 0; i < schedule->decisions.count; ++i)
    rules[schedule->decisions.items[i].kind](&applier,
                                             &schedule->decisions.items[i]);
  for (uint64_t i = 0; i < applier.erased.count; ++i)
    mlirOperationDestroy(applier.erased.items[i]);
  luna_arena_destroy(&applier.arena);
}
