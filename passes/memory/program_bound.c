#include "program_bound.h"

#include "conditions.h"
#include "luna/checked.h"
#include "program_contents.h"
#include "structure.h"

typedef struct Builder {
  LunaArena *arena;
  LunaProblem *problem;
  LunaProgramContents list;
  int64_t align_bytes;
  bool is_cut;
  LunaBufferId *first_piece; // by buffer of the partition
  LunaConditions conditions;
  uint32_t *condition_uses; // by number of the condition
  MlirOperation op;
  LunaStepId step;
  bool has_step;
} Builder;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static void add_pieces(Builder *builder) {
  const LunaPartition *partition = &builder->list.partition;
  builder->first_piece =
      LUNA_ARENA_ARRAY(builder->arena, LunaBufferId, partition->buffers.count);
  for (uint64_t i = 0; i < partition->buffers.count; ++i) {
    const LunaPieces *pieces = &partition->buffers.items[i];
    builder->first_piece[i] = luna_problem_buffer_count(builder->problem);
    for (uint32_t k = 0; builder->is_cut && k < pieces->piece_count; ++k)
      luna_problem_add_buffer(
          builder->problem,
          &(LunaBuffer){.size_bytes = pieces->piece_bytes[k],
                        .align_bytes = pieces->piece_align[k]});
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// Steps without an effect are left out.
static LunaStepId step_of(Builder *builder) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(builder->op));
  if (!builder->has_step)
    builder->step = luna_problem_step(
        builder->problem,
        luna_arena_strndup(builder->arena, name.data, name.length));
  builder->has_step = true;
  return builder->step;
}

typedef struct Effect {
  Builder *builder;
  LunaContentsKind kind;
  LunaBufferId from, to; // the first pieces
} Effect;

static void affect(void *data, uint32_t piece) {
  const Effect *effect = data;
  Builder *builder = effect->builder;
  LunaProblem *problem = builder->problem;
  LunaBufferId id = effect->to + piece;
  if (effect->kind == LUNA_CONTENTS_READ)
    luna_problem_read(problem, step_of(builder), id);
  else if (effect->kind == LUNA_CONTENTS_MAKE)
    luna_problem_define(problem, step_of(builder), id);
  else if (effect->kind == LUNA_CONTENTS_CHANGE)
    luna_problem_use(problem, step_of(builder), id);
  else
    luna_problem_discard(problem, step_of(builder), id);
}

static void pass_on(void *data, uint32_t from, uint32_t to) {
  const Effect *effect = data;
  luna_problem_move(effect->builder->problem, step_of(effect->builder),
                    effect->from + from, effect->to + to);
}

static void build_effect(Builder *builder, const LunaContentsEvent *event) {
  const LunaPartition *partition = &builder->list.partition;
  const LunaSlice *slices = partition->slices.items;
  Effect effect = {builder, event->kind,
                   builder->first_piece[slices[event->from].buffer],
                   builder->first_piece[slices[event->to].buffer]};
  if (event->kind == LUNA_CONTENTS_MOVE)
    luna_copy_pieces(partition, (LunaSliceCopy){event->from, event->to},
                     pass_on, &effect);
  else
    luna_slice_pieces(partition, event->to, affect, &effect);
}

// What an operator needs while it runs, beside its operands.
static void build_need(Builder *builder, const LunaContentsEvent *event) {
  bool is_scratch = event->kind == LUNA_CONTENTS_SCRATCH;
  LunaBufferId id = luna_problem_add_buffer(
      builder->problem,
      &(LunaBuffer){.name = is_scratch ? "scratch" : "weights",
                    .size_bytes = event->bytes,
                    .align_bytes = builder->align_bytes,
                    .kind = is_scratch ? LUNA_BUFFER_SCRATCH
                                       : LUNA_BUFFER_STAGING});
  luna_problem_define(builder->problem, step_of(builder), id);
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

static void count_conditions(Builder *builder) {
  uint64_t count = builder->list.events.count;
  builder->condition_uses = LUNA_ARENA_ARRAY(builder->arena, uint32_t, count);
  for (uint64_t i = 0; i < count; ++i)
    if (builder->list.events.items[i].kind == LUNA_CONTENTS_BRANCHES)
      ++builder
            ->condition_uses[luna_condition_of(&builder->conditions,
                                               builder->list.events.items[i].op,
                                               builder->arena)
                                 .number];
}

static MlirOperation loop_around(MlirOperation op) {
  op = mlirOperationGetParentOperation(op);
  while (!luna_is_loop(op) && !luna_op_is(op, LUNA_OP_FUNC_FUNC))
    op = mlirOperationGetParentOperation(op);
  return op;
}

// Branches whose condition no other goes by, and which each turn computes anew,
// are free.
static void begin_branches(Builder *builder, MlirOperation op) {
  LunaCondition condition =
      luna_condition_of(&builder->conditions, op, builder->arena);
  MlirOperation loop = loop_around(op);
  bool is_new_per_turn =
      !luna_is_loop(loop) || (!mlirOperationIsNull(condition.loop) &&
                              mlirOperationEqual(condition.loop, loop));
  luna_problem_begin(builder->problem, LUNA_NODE_ALTERNATIVES, NULL);
  if (builder->condition_uses[condition.number] > 1 || !is_new_per_turn)
    luna_problem_set_condition(builder->problem, condition.number,
                               condition.is_negated);
}

static void build_event(Builder *builder, const LunaContentsEvent *event) {
  switch (event->kind) {
  case LUNA_CONTENTS_BRANCHES:
    begin_branches(builder, event->op);
    break;
  case LUNA_CONTENTS_BRANCH:
    luna_problem_begin(builder->problem, LUNA_NODE_BRANCH, NULL);
    break;
  case LUNA_CONTENTS_LOOP:
    luna_problem_begin(builder->problem, LUNA_NODE_LOOP, NULL);
    break;
  case LUNA_CONTENTS_EXIT:
    luna_problem_loop_exit(builder->problem);
    break;
  case LUNA_CONTENTS_END:
    luna_problem_end(builder->problem);
    break;
  case LUNA_CONTENTS_STEP:
    builder->op = event->op;
    builder->has_step = false;
    break;
  case LUNA_CONTENTS_READ:
  case LUNA_CONTENTS_MAKE:
  case LUNA_CONTENTS_CHANGE:
  case LUNA_CONTENTS_MOVE:
  case LUNA_CONTENTS_FORGET:
    if (builder->is_cut)
      build_effect(builder, event);
    break;
  case LUNA_CONTENTS_WEIGHTS:
  case LUNA_CONTENTS_SCRATCH:
    build_need(builder, event);
    break;
  }
}

bool luna_program_bound(MlirOperation func, const LunaMachine *machine,
                        LunaArena *arena, LunaBoundRecord *bound) {
  Builder builder = {
      .arena = arena,
      .problem = luna_problem_create(arena),
      .align_bytes = (int64_t)machine->alignment_bytes,
  };
  LunaError error = {0};
  builder.list = luna_program_contents(func, machine, arena);
  builder.is_cut =
      luna_partition_cut(&builder.list.partition, builder.align_bytes);
  add_pieces(&builder);
  count_conditions(&builder);
  for (uint64_t i = 0; i < builder.list.events.count; ++i)
    build_event(&builder, &builder.list.events.items[i]);
  LunaProgramBound found;
  if (!luna_problem_bound(builder.problem, &found, &error)) {
    luna_emit_error(func, "%s", error.message);
    return false;
  }
  *bound = (LunaBoundRecord){
      .total_bytes = found.total_bytes,
      .tensor_bytes = found.tensor_bytes,
      .activation_bytes = found.activation_bytes,
      .path = found.witness.path,
      .step = found.total_bytes > 0
                  ? luna_problem_step_name(builder.problem, found.witness.step)
                  : "none",
  };
  return true;
}
