#include "luna/model_bound.h"

#include "model_pieces.h"
#include "model_tree.h"

typedef struct Builder {
  LunaArena *arena;
  LunaProblem *problem;
  const LunaModel *model;
  LunaPartition partition;
  int64_t align_bytes;
  bool is_cut;
  LunaModelId *whole;        // by value: the slice that is all of it
  LunaBufferId *first_piece; // by value
  LUNA_VECTOR(LunaModelId) merged;
  uint32_t *condition_uses;  // by number of the condition
  LunaModelId id;            // the step at hand
  const LunaModelStep *step; // the same
  LunaStepId current;        // its step of the problem, if it has one
  bool has_current;
} Builder;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

// Returns true if the contents of a value count.
static bool counts(const LunaModelValue *value) {
  return value->is_on_chip && value->role != LUNA_MODEL_STAGING &&
         value->role != LUNA_MODEL_SCRATCH;
}

// Returns true for a global, or a staging buffer that gets its bytes.
static bool is_constant(const LunaModelValue *value) {
  return value->kind == LUNA_MODEL_CONSTANT ||
         (value->is_on_chip && value->role == LUNA_MODEL_STAGING);
}

static LunaModelId value_of(const Builder *builder, LunaModelId slice) {
  return builder->model->slices.items[slice].value;
}

static bool is_counted(const Builder *builder, LunaModelId slice) {
  return counts(&builder->model->values.items[value_of(builder, slice)]);
}

// Returns true if two slices are known, and have as many elements.
static bool are_alike(const Builder *builder, LunaModelId a, LunaModelId b) {
  const LunaModelSlice *slices = builder->model->slices.items;
  return builder->partition.is_cut[a] && builder->partition.is_cut[b] &&
         slices[a].element_bytes == slices[b].element_bytes &&
         slices[a].bytes == slices[b].bytes;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

static void add_copy(Builder *builder, LunaModelId from, LunaModelId to) {
  if (are_alike(builder, from, to))
    *LUNA_VECTOR_ADD(builder->arena, &builder->partition.copies) =
        (LunaSliceCopy){from, to};
}

static void find_copies(Builder *builder) {
  const LunaModel *model = builder->model;
  for (uint64_t i = 0; i < model->edges.count; ++i)
    add_copy(builder, model->edges.items[i].from, model->edges.items[i].to);
  for (uint64_t i = 0; i < model->steps.count; ++i) {
    const LunaModelStep *step = &model->steps.items[i];
    const LunaModelAccess *accesses = luna_model_accesses(model, step);
    if (step->kind == LUNA_MODEL_COPY || step->kind == LUNA_MODEL_TRANSFER)
      add_copy(builder, accesses[0].slice, accesses[1].slice);
  }
}

static void add_pieces(Builder *builder) {
  const LunaModel *model = builder->model;
  for (uint64_t i = 0; i < model->values.count; ++i) {
    const LunaPieces *pieces = &builder->partition.buffers[i];
    builder->first_piece[i] = luna_problem_buffer_count(builder->problem);
    uint32_t count = counts(&model->values.items[i]) ? pieces->piece_count : 0;
    for (uint32_t k = 0; k < count; ++k)
      luna_problem_add_buffer(
          builder->problem,
          &(LunaBuffer){.size_bytes = pieces->piece_bytes[k],
                        .align_bytes = pieces->piece_align[k]});
  }
}

static void cut(Builder *builder) {
  const LunaModel *model = builder->model;
  uint64_t count = model->values.count;
  builder->whole = LUNA_ARENA_ARRAY(builder->arena, LunaModelId, count);
  builder->first_piece = LUNA_ARENA_ARRAY(builder->arena, LunaBufferId, count);
  builder->partition = (LunaPartition){
      .arena = builder->arena,
      .model = model,
      .is_cut = LUNA_ARENA_ARRAY(builder->arena, bool, model->slices.count),
      .buffers = LUNA_ARENA_ARRAY(builder->arena, LunaPieces, count),
  };
  for (LunaModelId i = 0; i < count; ++i) {
    builder->whole[i] = LUNA_MODEL_NONE;
    if (model->values.items[i].kind == LUNA_MODEL_MERGED)
      *LUNA_VECTOR_ADD(builder->arena, &builder->merged) = i;
  }
  for (LunaModelId i = 0; i < model->slices.count; ++i) {
    LunaModelId *whole = &builder->whole[value_of(builder, i)];
    *whole = *whole == LUNA_MODEL_NONE ? i : *whole;
    builder->partition.is_cut[i] =
        model->slices.items[i].is_exact && is_counted(builder, i);
  }
  find_copies(builder);
  builder->is_cut =
      luna_partition_cut(&builder->partition, builder->align_bytes);
  if (builder->is_cut)
    add_pieces(builder);
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

// A step begins, or a second one while it runs. Those without an effect are
// left out.
static void begin_step(Builder *builder) { builder->has_current = false; }

static LunaStepId current(Builder *builder) {
  if (!builder->has_current)
    builder->current = luna_problem_step(builder->problem, builder->step->op);
  builder->has_current = true;
  return builder->current;
}

typedef void (*AddEffect)(LunaProblem *problem, LunaStepId step,
                          LunaBufferId buffer);

typedef struct Effect {
  Builder *builder;
  AddEffect add;
  LunaBufferId from, to; // the first pieces
} Effect;

static void add_to_piece(void *data, uint32_t from, uint32_t to) {
  (void)from;
  const Effect *effect = data;
  effect->add(effect->builder->problem, current(effect->builder),
              effect->to + to);
}

static void add_effect(Builder *builder, AddEffect add, LunaModelId slice) {
  Effect effect = {.builder = builder, .add = add};
  if (slice == LUNA_MODEL_NONE || !builder->is_cut ||
      !builder->partition.is_cut[slice])
    return;
  effect.to = builder->first_piece[value_of(builder, slice)];
  luna_copy_pieces(&builder->partition, (LunaSliceCopy){slice, slice},
                   add_to_piece, &effect);
}

static void pass_piece(void *data, uint32_t from, uint32_t to) {
  const Effect *effect = data;
  luna_problem_move(effect->builder->problem, current(effect->builder),
                    effect->from + from, effect->to + to);
}

// `to` gets what `from` holds; nothing that counts, if that is not known.
static void pass_on(Builder *builder, LunaModelId from, LunaModelId to) {
  if (!are_alike(builder, from, to)) {
    add_effect(builder, luna_problem_discard, to);
    return;
  }
  Effect effect = {.builder = builder,
                   .from = builder->first_piece[value_of(builder, from)],
                   .to = builder->first_piece[value_of(builder, to)]};
  if (builder->is_cut)
    luna_copy_pieces(&builder->partition, (LunaSliceCopy){from, to}, pass_piece,
                     &effect);
}

static void pass_edges(void *data, LunaModelId id) {
  Builder *builder = data;
  builder->id = id;
  builder->step = &builder->model->steps.items[id];
  begin_step(builder);
  for (uint32_t i = 0; i < builder->step->edge_count; ++i) {
    LunaModelEdge edge =
        builder->model->edges.items[builder->step->first_edge + i];
    pass_on(builder, edge.from, edge.to);
  }
}

// What an operator needs while it runs, beside its operands.
static void add_need(Builder *builder, const char *name, LunaBufferKind kind,
                     int64_t bytes) {
  LunaBufferId id = luna_problem_add_buffer(
      builder->problem, &(LunaBuffer){.name = name,
                                      .size_bytes = bytes,
                                      .align_bytes = builder->align_bytes,
                                      .kind = kind});
  luna_problem_define(builder->problem, current(builder), id);
}

//===----------------------------------------------------------------------===//
// Pointers to one buffer
//===----------------------------------------------------------------------===//

static bool holds(const LunaModel *model, LunaModelId value,
                  LunaModelId buffer) {
  const LunaModelValue *self = &model->values.items[value];
  for (uint32_t i = 0; i < self->source_count; ++i)
    if (model->sources.items[self->first_source + i] == buffer)
      return true;
  return false;
}

// Returns true if a merged value may refer to what the allocation `buffer` last
// gave, rather than to that of an earlier turn.
static bool may_refer_to(const LunaModel *model, LunaModelId merged,
                         LunaModelId buffer) {
  LunaModelId alloc = model->values.items[buffer].step;
  LunaModelId step = model->values.items[merged].step;
  return alloc > 0 && holds(model, merged, buffer) && alloc < step &&
         luna_model_is_within(model, step, model->steps.items[alloc].parent);
}

static bool may_be_one(const LunaModel *model, LunaModelId merged,
                       LunaModelId other) {
  const LunaModelValue *self = &model->values.items[merged];
  if (other < model->buffer_count)
    return may_refer_to(model, merged, other);
  for (uint32_t i = 0; i < self->source_count; ++i)
    if (holds(model, other, model->sources.items[self->first_source + i]))
      return true;
  return false;
}

static void forget(Builder *builder, LunaModelId value) {
  begin_step(builder);
  add_effect(builder, luna_problem_discard, builder->whole[value]);
}

// Other values that may refer to the buffer that the step writes hold other
// contents now; they count nothing until they are merged anew.
static void forget_others(Builder *builder, LunaModelId written) {
  const LunaModel *model = builder->model;
  for (uint64_t i = 0; i < builder->merged.count; ++i) {
    LunaModelId other = builder->merged.items[i];
    if (other != written && model->values.items[other].step < builder->id &&
        may_be_one(model, other, written))
      forget(builder, other);
  }
  for (LunaModelId i = 0;
       written >= model->buffer_count && i < model->buffer_count; ++i)
    if (counts(&model->values.items[i]) && may_be_one(model, written, i))
      forget(builder, i);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// The unit reads constants from shared memory, each once; the core where they
// are.
static void need_constant(Builder *builder, const LunaModelAccess *accesses,
                          uint32_t index) {
  LunaModelId id = value_of(builder, accesses[index].slice);
  const LunaModelValue *value = &builder->model->values.items[id];
  bool is_first = builder->step->kind == LUNA_MODEL_UNIT && is_constant(value);
  for (uint32_t i = 0; is_first && i < index; ++i)
    is_first = value_of(builder, accesses[i].slice) != id;
  if (is_first)
    add_need(builder, "weights", LUNA_BUFFER_STAGING, value->bytes);
}

// Of what is changed in part nothing is known.
static void write(Builder *builder, const LunaModelAccess *access) {
  if (access->kind == LUNA_MODEL_OVERWRITE)
    add_effect(builder, luna_problem_define, access->slice);
  else if (access->kind == LUNA_MODEL_UPDATE)
    add_effect(builder, luna_problem_use, access->slice);
}

// An operator that may work in place makes its results behind its operands.
static void build_operator(Builder *builder) {
  const LunaModelAccess *accesses =
      luna_model_accesses(builder->model, builder->step);
  uint32_t count = builder->step->access_count;
  bool works_in_place = false;
  begin_step(builder);
  if (builder->step->scratch_bytes > 0)
    add_need(builder, "scratch", LUNA_BUFFER_SCRATCH,
             builder->step->scratch_bytes);
  for (uint32_t i = 0; i < count; ++i) {
    need_constant(builder, accesses, i);
    if (accesses[i].kind == LUNA_MODEL_READ)
      add_effect(builder, luna_problem_read, accesses[i].slice);
    works_in_place |= accesses[i].may_be_replaced;
  }
  if (works_in_place)
    begin_step(builder);
  for (uint32_t i = 0; i < count; ++i)
    write(builder, &accesses[i]);
  for (uint32_t i = 0; i < count; ++i)
    if (accesses[i].kind != LUNA_MODEL_READ &&
        is_counted(builder, accesses[i].slice))
      forget_others(builder, value_of(builder, accesses[i].slice));
}

// A copy or transfer: of shared memory, a move; into it, a load, unless of
// constants; out of it, nothing.
static void build_copy(Builder *builder) {
  const LunaModel *model = builder->model;
  const LunaModelAccess *accesses = luna_model_accesses(model, builder->step);
  LunaModelId from = accesses[0].slice, to = accesses[1].slice;
  const LunaModelValue *source = &model->values.items[value_of(builder, from)];
  if (!is_counted(builder, to))
    return;
  begin_step(builder);
  if (!source->is_on_chip && !is_constant(source))
    add_effect(builder, luna_problem_define, to);
  else
    pass_on(builder, from, to);
  forget_others(builder, value_of(builder, to));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void count_conditions(Builder *builder) {
  const LunaModel *model = builder->model;
  builder->condition_uses =
      LUNA_ARENA_ARRAY(builder->arena, uint32_t, model->steps.count);
  for (uint64_t i = 0; i < model->steps.count; ++i)
    if (model->steps.items[i].kind == LUNA_MODEL_BRANCHES ||
        model->steps.items[i].kind == LUNA_MODEL_SELECT)
      ++builder->condition_uses[model->steps.items[i].condition];
}

static LunaModelId loop_around(const LunaModel *model, LunaModelId id) {
  do
    id = model->steps.items[id].parent;
  while (id != LUNA_MODEL_NONE &&
         model->steps.items[id].kind != LUNA_MODEL_LOOP);
  return id;
}

// Branches whose condition no other goes by, and which each turn computes anew,
// are free.
static void begin_branches(void *data, LunaModelId id) {
  const Builder *builder = data;
  const LunaModelStep *step = &builder->model->steps.items[id];
  LunaModelId loop = loop_around(builder->model, id);
  if (builder->condition_uses[step->condition] > 1 ||
      (loop != LUNA_MODEL_NONE && step->condition_loop != loop))
    luna_problem_set_condition(builder->problem, step->condition,
                               step->is_negated);
}

static void begin_contents(Builder *builder) {
  begin_step(builder);
  add_effect(builder, luna_problem_discard,
             luna_model_accesses(builder->model, builder->step)->slice);
}

static void build_leaf(void *data, LunaModelId id) {
  Builder *builder = data;
  LunaModelStepKind kind = builder->model->steps.items[id].kind;
  builder->id = id;
  builder->step = &builder->model->steps.items[id];
  if (kind == LUNA_MODEL_OPERATOR || kind == LUNA_MODEL_UNIT)
    build_operator(builder);
  else if (kind == LUNA_MODEL_COPY || kind == LUNA_MODEL_TRANSFER)
    build_copy(builder);
  else if (kind == LUNA_MODEL_ALLOCATE)
    begin_contents(builder);
  else if (kind == LUNA_MODEL_PASS)
    pass_edges(builder, id);
}

LunaProblem *luna_model_bound_problem(const LunaModel *model,
                                      int64_t align_bytes, LunaArena *arena) {
  Builder builder = {
      .arena = arena,
      .problem = luna_problem_create(arena),
      .model = model,
      .align_bytes = align_bytes,
  };
  cut(&builder);
  count_conditions(&builder);
  luna_model_tree_build(&(LunaModelTree){.model = model,
                                         .problem = builder.problem,
                                         .is_for_bound = true,
                                         .data = &builder,
                                         .leaf = build_leaf,
                                         .begin_branches = begin_branches,
                                         .before_loop = pass_edges},
                        0);
  return builder.problem;
}
