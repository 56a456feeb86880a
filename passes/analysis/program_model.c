#include "program_model.h"

#include "conditions.h"
#include "in_place.h"
#include "luna-c/ops.h"
#include "model_names.h"
#include "op_desc.h"
#include "structure.h"
#include "touches.h"

typedef struct Builder {
  const LunaMachine *machine;
  LunaArena *arena;
  LunaProgramModel *program;
  LunaModel *model;
  LunaModelNames names;
  LunaMap ops; // index of steps_of_ops
  LUNA_VECTOR(LunaModelId) steps_of_ops;
  LunaConditions conditions;
  LunaModelId parent;
  uint32_t number; // of the next op
  bool failed;
} Builder;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static const char *copied(const Builder *builder, MlirStringRef string) {
  return luna_arena_strndup(builder->arena, string.data, string.length);
}

static LunaModelStep *step_at(const Builder *builder, LunaModelId step) {
  return &builder->model->steps.items[step];
}

// Returns the step of an op, or LUNA_MODEL_NONE.
static LunaModelId find_step(const Builder *builder, MlirOperation op) {
  uint32_t index = luna_map_find(&builder->ops, luna_map_pointer(op.ptr));
  return index == LUNA_MAP_ABSENT ? LUNA_MODEL_NONE
                                  : builder->steps_of_ops.items[index];
}

static bool add_needs(MlirOperation op, void *data) {
  Builder *builder = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation maker = luna_defining_op(mlirOperationGetOperand(op, i));
    LunaModelId step = mlirOperationIsNull(maker) ? LUNA_MODEL_NONE
                                                  : find_step(builder, maker);
    if (step != LUNA_MODEL_NONE)
      *LUNA_VECTOR_ADD(builder->arena, &builder->model->needs) = step;
  }
  return true;
}

// Begins a step: of an op, of a region of one, or of what ends that.
static LunaModelId begin(Builder *builder, LunaModelStepKind kind,
                         MlirOperation op) {
  LunaModel *model = builder->model;
  LunaModelId id = (LunaModelId)model->steps.count;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  *LUNA_VECTOR_ADD(builder->arena, &model->steps) = (LunaModelStep){
      .kind = kind,
      .parent = builder->parent,
      .op = kind == LUNA_MODEL_BODY ? NULL : copied(builder, name),
      .number = builder->number - (kind != LUNA_MODEL_BODY),
      .first_access = (uint32_t)model->accesses.count,
      .first_edge = (uint32_t)model->edges.count,
      .first_need = (uint32_t)model->needs.count,
      .first_carried = (uint32_t)model->values.count,
      .condition_loop = LUNA_MODEL_NONE,
      .token = LUNA_MODEL_NONE,
  };
  *LUNA_VECTOR_ADD(builder->arena, &builder->program->ops) = op;
  builder->parent = id;
  if (kind == LUNA_MODEL_BODY || kind == LUNA_MODEL_PASS)
    return id;
  add_needs(op, builder);
  if (kind < LUNA_MODEL_REGION)
    luna_walk(op, add_needs, builder);
  step_at(builder, id)->need_count =
      (uint32_t)model->needs.count - step_at(builder, id)->first_need;
  luna_map_add(&builder->ops, builder->arena, luna_map_pointer(op.ptr));
  *LUNA_VECTOR_ADD(builder->arena, &builder->steps_of_ops) = id;
  return id;
}

static void end(Builder *builder, LunaModelId step) {
  step_at(builder, step)->end = (LunaModelId)builder->model->steps.count;
  builder->parent = step_at(builder, step)->parent;
}

static void end_leaf(Builder *builder, LunaModelId step) {
  LunaModelStep *self = step_at(builder, step);
  self->access_count =
      (uint32_t)builder->model->accesses.count - self->first_access;
  self->edge_count = (uint32_t)builder->model->edges.count - self->first_edge;
  end(builder, step);
}

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

static bool is_scalar(MlirOperation op) {
  static const LunaDialectName dialects[] = {
      LUNA_DIALECT_ARITH, LUNA_DIALECT_MATH, LUNA_DIALECT_INDEX};
  bool is_number = false;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    is_number |= luna_op_in_dialect(op, dialects[i]);
  return is_number || luna_only_renames(op) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_AFFINE_APPLY, LUNA_OP_MEMREF_GET_GLOBAL,
                        LUNA_OP_LUNA_DMA_NONE);
}

// Returns true if an op does nothing but what its accesses say.
static bool is_known(MlirOperation op, void *data) {
  (void)data;
  return is_scalar(op) || luna_op_is_unit(op) || luna_is_control_flow(op) ||
         luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_COPY, LUNA_OP_MEMREF_LOAD,
                        LUNA_OP_MEMREF_STORE);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static LunaModelAccessKind access_kind(MlirOperation op, LunaTouch touch) {
  if (touch == LUNA_TOUCH_READ)
    return LUNA_MODEL_READ;
  if (touch == LUNA_TOUCH_OVERWRITE)
    return LUNA_MODEL_OVERWRITE;
  return luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ? LUNA_MODEL_UPDATE
                                                     : LUNA_MODEL_MODIFY;
}

static void add_access(MlirValue value, LunaTouch touch, void *data) {
  Builder *builder = data;
  LunaModel *model = builder->model;
  LunaModelId step = (LunaModelId)model->steps.count - 1;
  LunaModelId slice = luna_names_slice(&builder->names, value);
  MlirOperation op = builder->program->ops.items[step];
  *LUNA_VECTOR_ADD(builder->arena, &model->accesses) =
      (LunaModelAccess){.kind = access_kind(op, touch), .slice = slice};
  const LunaModelValue *of =
      &model->values.items[model->slices.items[slice].value];
  for (uint32_t i = 0; i < of->source_count; ++i) {
    LunaModelId *first =
        &model->values.items[model->sources.items[of->first_source + i]]
             .first_use;
    *first = *first == LUNA_MODEL_NONE ? step : *first;
  }
}

// Operands come first among the accesses.
static void mark_operands(const Builder *builder, MlirOperation op,
                          LunaModelAccess *access) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count < 2 ||
      !luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, count - 1))))
    return;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!luna_names_has(operand))
      continue;
    access->is_destination = i == count - 1;
    access->may_be_replaced =
        i < count - 1 && builder->machine &&
        luna_is_memref(mlirValueGetType(operand)) &&
        luna_may_work_in_place(builder->machine, op, operand);
    ++access;
  }
}

static LunaModelStepKind operator_kind(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_COPY)      ? LUNA_MODEL_COPY
         : luna_op_is(op, LUNA_OP_LUNA_DMA_START) ? LUNA_MODEL_TRANSFER
         : luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT)  ? LUNA_MODEL_AWAIT
         : luna_op_is_unit(op)                    ? LUNA_MODEL_UNIT
                                                  : LUNA_MODEL_OPERATOR;
}

// Returns the least scratch that a tiling of the operator takes.
static int64_t least_scratch(Builder *builder, MlirOperation op) {
  LunaUnitDesc desc;
  LunaTiling tiling = {0};
  LunaError error = {0};
  if (!builder->machine || !luna_op_is_tiled(op))
    return 0;
  if (!luna_unit_desc_read(op, &desc)) {
    builder->failed = true;
    return 0;
  }
  luna_unit_class(desc.unit_class)
      ->tiling(builder->machine, &desc.as, 0, &tiling, &error);
  return tiling.scratch_bytes;
}

static void add_operator(Builder *builder, MlirOperation op) {
  LunaModel *model = builder->model;
  uint64_t first = model->accesses.count;
  LunaModelId step = begin(builder, operator_kind(op), op);
  step_at(builder, step)->is_opaque =
      !is_known(op, NULL) || !luna_walk(op, is_known, NULL);
  luna_touches(op, add_access, builder);
  if (model->accesses.count > first) {
    MlirStringRef name = luna_given_name(op);
    if (name.data)
      step_at(builder, step)->name = copied(builder, name);
    step_at(builder, step)->scratch_bytes = least_scratch(builder, op);
    if (luna_op_is(op, LUNA_OP_LUNA_DMA_START))
      step_at(builder, step)->token =
          luna_names_slice(&builder->names, mlirOperationGetResult(op, 0));
    mark_operands(builder, op, &model->accesses.items[first]);
  }
  end_leaf(builder, step);
}

static void add_allocation(Builder *builder, MlirOperation op) {
  LunaModelId step = begin(builder, LUNA_MODEL_ALLOCATE, op);
  LunaModelId slice =
      luna_names_slice(&builder->names, mlirOperationGetResult(op, 0));
  *LUNA_VECTOR_ADD(builder->arena, &builder->model->accesses) =
      (LunaModelAccess){.kind = LUNA_MODEL_MODIFY, .slice = slice};
  builder->model->values.items[builder->model->slices.items[slice].value].step =
      step;
  end_leaf(builder, step);
}

// Returns the memref that `op` gives a view of, or a null value.
static MlirValue viewed_by(MlirOperation op) {
  if (luna_only_renames(op) && mlirOperationGetNumResults(op) > 0 &&
      mlirOperationGetNumOperands(op) > 0 &&
      luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
      luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return mlirOperationGetOperand(op, 0);
  return (MlirValue){NULL};
}

static void add_name(Builder *builder, MlirValue value, bool is_new) {
  if (luna_is_memref(mlirValueGetType(value)))
    *LUNA_VECTOR_ADD(builder->arena, &builder->model->accesses) =
        (LunaModelAccess){.slice = luna_names_slice(&builder->names, value),
                          .is_destination = is_new};
}

static void add_scalar(Builder *builder, MlirOperation op) {
  LunaModelId step = begin(builder, LUNA_MODEL_SCALAR, op);
  MlirValue source = viewed_by(op);
  if (luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL))
    luna_names_add_global(&builder->names, op);
  else if (luna_op_is(op, LUNA_OP_LUNA_DMA_NONE))
    luna_names_add_no_token(&builder->names, mlirOperationGetResult(op, 0));
  else if (!mlirValueIsNull(source))
    luna_names_add_view(&builder->names, op, source);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    add_name(builder, mlirOperationGetOperand(op, i), false);
  if (mlirOperationGetNumOperands(op) > 0 && mlirOperationGetNumResults(op) > 0)
    add_name(builder, mlirOperationGetResult(op, 0), true);
  end_leaf(builder, step);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void add_block(Builder *builder, MlirBlock block);

static void add_edge(Builder *builder, MlirValue from, MlirValue to) {
  if (!luna_is_memref(mlirValueGetType(to)))
    return;
  LunaModelEdge edge = {luna_names_slice(&builder->names, from),
                        luna_names_slice(&builder->names, to)};
  *LUNA_VECTOR_ADD(builder->arena, &builder->model->edges) = edge;
}

// Values [first, …) of `op` become the arguments of a block, from `argument`
// on.
static void pass_to_block(Builder *builder, MlirOperation op, intptr_t first,
                          MlirBlock block, intptr_t argument) {
  for (; argument < mlirBlockGetNumArguments(block); ++argument, ++first)
    add_edge(builder, mlirOperationGetOperand(op, first),
             mlirBlockGetArgument(block, argument));
}

// Values [first, …) of `op` become the results of `outer`.
static void pass_to_results(Builder *builder, MlirOperation op, intptr_t first,
                            MlirOperation outer) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(outer); ++i)
    add_edge(builder, mlirOperationGetOperand(op, first + i),
             mlirOperationGetResult(outer, i));
}

// At the end of a region of `op`, values go to the next turn, or leave it.
static void pass_on(Builder *builder, MlirOperation op, intptr_t region) {
  MlirOperation end_of_body = mlirBlockGetTerminator(luna_body(op, region));
  bool is_for = luna_op_is(op, LUNA_OP_SCF_FOR);
  bool is_while = luna_op_is(op, LUNA_OP_SCF_WHILE);
  bool leaves = luna_is_branch(op) || (is_while && region == 0);
  if (mlirOperationGetNumOperands(end_of_body) == 0)
    return;
  LunaModelId pass = begin(builder, LUNA_MODEL_PASS, op);
  add_needs(end_of_body, builder);
  step_at(builder, pass)->need_count = (uint32_t)builder->model->needs.count -
                                       step_at(builder, pass)->first_need;
  if (is_for || is_while)
    pass_to_block(builder, end_of_body, is_while && leaves,
                  luna_body(op, is_while ? 1 - region : 0), is_for);
  if (leaves)
    pass_to_results(builder, end_of_body, is_while, op);
  end_leaf(builder, pass);
}

static void add_body(Builder *builder, MlirOperation op, intptr_t region,
                     const char *name) {
  LunaModelId step = begin(builder, LUNA_MODEL_BODY, op);
  step_at(builder, step)->name = name;
  if (!mlirBlockIsNull(luna_body(op, region))) {
    add_block(builder, luna_body(op, region));
    pass_on(builder, op, region);
  }
  end(builder, step);
}

static void add_arguments(Builder *builder, MlirBlock block, intptr_t first,
                          LunaModelId step) {
  for (; first < mlirBlockGetNumArguments(block); ++first)
    luna_names_add_merged(&builder->names, mlirBlockGetArgument(block, first),
                          step);
}

static void add_results(Builder *builder, MlirOperation op, LunaModelId step) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    luna_names_add_merged(&builder->names, mlirOperationGetResult(op, i), step);
}

// Begins branches, and the values that they merge.
static LunaModelId begin_branches(Builder *builder, LunaModelStepKind kind,
                                  MlirOperation op) {
  LunaModelId step = begin(builder, kind, op);
  LunaCondition condition =
      luna_condition_of(&builder->conditions, op, builder->arena);
  LunaModelStep *self = step_at(builder, step);
  self->condition = condition.number;
  self->is_negated = condition.is_negated;
  if (!mlirOperationIsNull(condition.loop))
    self->condition_loop = find_step(builder, condition.loop);
  add_results(builder, op, step);
  return step;
}

static void add_branches(Builder *builder, MlirOperation op) {
  LunaModelId step = begin_branches(builder, LUNA_MODEL_BRANCHES, op);
  step_at(builder, step)->name = copied(builder, luna_label_of(op));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    char name[32];
    luna_branch_name(op, r, name);
    add_body(builder, op, r, copied(builder, luna_str(name)));
  }
  end(builder, step);
}

// What a select of memrefs gives is merged by the branches of its condition.
static void add_select(Builder *builder, MlirOperation op) {
  if (!luna_is_on_chip(mlirOperationGetResult(op, 0))) {
    add_scalar(builder, op);
    return;
  }
  LunaModelId step = begin_branches(builder, LUNA_MODEL_SELECT, op);
  for (intptr_t i = 1; i <= 2; ++i) {
    LunaModelId body = begin(builder, LUNA_MODEL_BODY, op);
    LunaModelId pass = begin(builder, LUNA_MODEL_PASS, op);
    add_edge(builder, mlirOperationGetOperand(op, i),
             mlirOperationGetResult(op, 0));
    end_leaf(builder, pass);
    end(builder, body);
  }
  end(builder, step);
}

// Begins a loop, the values that it merges, and what these are at first. The
// results of a `for` are the arguments of its body, when it leaves.
static LunaModelId begin_loop(Builder *builder, MlirOperation op, bool is_for) {
  LunaModelId step = begin(builder, LUNA_MODEL_LOOP, op);
  LunaModelStep *self = step_at(builder, step);
  const LunaModel *model = builder->model;
  self->name = copied(builder, luna_label_of(op));
  self->trips = luna_trip_count(op, LUNA_MODEL_TRIPS_UNKNOWN);
  add_arguments(builder, luna_body(op, 0), is_for, step);
  self->carried_count = (uint32_t)model->values.count - self->first_carried;
  for (intptr_t i = 0; is_for && i < mlirOperationGetNumResults(op); ++i)
    luna_names_add_same(&builder->names, mlirOperationGetResult(op, i),
                        mlirBlockGetArgument(luna_body(op, 0), i + 1));
  if (!is_for) {
    add_arguments(builder, luna_body(op, 1), 0, step);
    add_results(builder, op, step);
  }
  pass_to_block(builder, op, is_for ? 3 : 0, luna_body(op, 0), is_for);
  self->edge_count = (uint32_t)model->edges.count - self->first_edge;
  return step;
}

static void add_loop(Builder *builder, MlirOperation op) {
  LunaModelId step = begin_loop(builder, op, luna_op_is(op, LUNA_OP_SCF_FOR));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    add_body(builder, op, r, NULL);
  end(builder, step);
}

// Its results are what it yields.
static void add_region(Builder *builder, MlirOperation op) {
  LunaModelId step = begin(builder, LUNA_MODEL_REGION, op);
  add_body(builder, op, 0, NULL);
  MlirOperation yield = mlirBlockGetTerminator(luna_body(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    luna_names_add_alias(&builder->names, mlirOperationGetResult(op, i),
                         mlirOperationGetOperand(yield, i));
  end(builder, step);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

typedef struct Row {
  LunaOpName name;
  void (*add)(Builder *builder, MlirOperation op);
} Row;

static const Row rows[] = {
    {LUNA_OP_MEMREF_ALLOC, add_allocation},
    {LUNA_OP_ARITH_SELECT, add_select},
    {LUNA_OP_SCF_IF, add_branches},
    {LUNA_OP_SCF_INDEX_SWITCH, add_branches},
    {LUNA_OP_SCF_FOR, add_loop},
    {LUNA_OP_SCF_WHILE, add_loop},
    {LUNA_OP_LUNA_REGION, add_region},
};

static void add_op(Builder *builder, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_LABEL))
    return;
  ++builder->number;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (luna_op_is(op, rows[i].name)) {
      rows[i].add(builder, op);
      return;
    }
  if (is_scalar(op))
    add_scalar(builder, op);
  else
    add_operator(builder, op);
}

static void add_block(Builder *builder, MlirBlock block) {
  MlirOperation last = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op))
    add_op(builder, op);
  ++builder->number;
}

bool luna_program_model_build(MlirOperation func, const LunaMachine *machine,
                              LunaArena *arena, LunaProgramModel *program) {
  MlirBlock entry = luna_entry_block(func);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(entry))) {
    luna_emit_error(func, "unstructured control flow; lift it with "
                          "lift-cf-to-scf first");
    return false;
  }
  *program = (LunaProgramModel){.roots = luna_roots_compute(func, arena)};
  Builder builder = {
      .machine = machine,
      .arena = arena,
      .program = program,
      .model = &program->model,
      .names = {.arena = arena,
                .roots = program->roots,
                .model = &program->model},
      .parent = LUNA_MODEL_NONE,
  };
  luna_names_add_buffers(&builder.names);
  luna_names_add_arguments(&builder.names, func);
  add_body(&builder, func, 0, NULL);
  program->values.items = builder.names.values.items;
  program->values.count = builder.names.values.count;
  program->types.items = builder.names.type_list.items;
  program->types.count = builder.names.type_list.count;
  return !builder.failed;
}
