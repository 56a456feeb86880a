#include "luna/model_problem.h"

#include "model_tree.h"

// What a step does to a buffer.
typedef struct Touch {
  LunaModelId buffer;
  LunaModelAccessKind kind;
  uint32_t access_count;
  bool is_replaced; // by what the step writes
} Touch;

typedef struct Builder {
  LunaModelProblem *view;
  const LunaModel *model;
  const LunaModelProblemOptions *options;
  LunaModelId id;            // the step at hand
  const LunaModelStep *step; // the same
  LUNA_VECTOR(Touch) touches;
  uint32_t *touch_of; // by buffer: its index in `touches`, if it is there
  bool *is_carried;   // by buffer, by the loop at hand
} Builder;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LunaBufferKind kind_of(LunaModelRole role) {
  return role == LUNA_MODEL_STAGING   ? LUNA_BUFFER_STAGING
         : role == LUNA_MODEL_SCRATCH ? LUNA_BUFFER_SCRATCH
                                      : LUNA_BUFFER_TENSOR;
}

// An output is named like the tensors that are computed.
static const char *const prefixes[] = {"tensor", "input", "tensor", "staging",
                                       "scratch"};

// Returns "stem" for the output of the layer of that name, "stem.scratch" for
// its tiles, or "tensor7" without a name. Staging buffers serve many layers.
static const char *buffer_name(const Builder *builder, LunaModelId id) {
  const LunaModelValue *value = &builder->model->values.items[id];
  const char *prefix = prefixes[value->role], *name = NULL;
  if (value->first_use != LUNA_MODEL_NONE)
    name = builder->model->steps.items[value->first_use].name;
  if (name == NULL || value->role == LUNA_MODEL_STAGING)
    return luna_arena_printf(builder->view->arena, "%s%u", prefix, id);
  bool is_result = kind_of(value->role) == LUNA_BUFFER_TENSOR &&
                   value->role != LUNA_MODEL_INPUT;
  return luna_arena_printf(builder->view->arena, "%s%s%s", name,
                           is_result ? "" : ".", is_result ? "" : prefix);
}

static bool add_buffers(const Builder *builder, LunaError *error) {
  LunaModelProblem *view = builder->view;
  for (LunaModelId id = 0; id < builder->model->buffer_count; ++id) {
    const LunaModelValue *value = &builder->model->values.items[id];
    view->buffer_of[id] = LUNA_NO_BUFFER;
    if (!value->is_on_chip || !luna_model_is_within(builder->model, value->step,
                                                    builder->options->body))
      continue;
    if (value->bytes < 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, id,
                            "allocation has a dynamic shape, static ones are "
                            "planned");
    view->buffer_of[id] = luna_problem_add_buffer(
        view->problem,
        &(LunaBuffer){.name = buffer_name(builder, id),
                      .size_bytes = value->bytes,
                      .align_bytes = builder->options->align_bytes,
                      .kind = kind_of(value->role)});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Touches
//===----------------------------------------------------------------------===//

static const LunaModelValue *value_of(const Builder *builder,
                                      LunaModelId slice) {
  const LunaModel *model = builder->model;
  return &model->values.items[model->slices.items[slice].value];
}

static const LunaModelAccess *accesses_of(const Builder *builder) {
  return luna_model_accesses(builder->model, builder->step);
}

static bool is_whole(const Builder *builder, LunaModelId slice,
                     LunaModelId buffer) {
  const LunaModelSlice *self = &builder->model->slices.items[slice];
  return self->is_contiguous &&
         self->bytes == builder->model->values.items[buffer].bytes;
}

// A transfer fills a staging buffer from its start; what lies behind, nobody
// reads. Anything else overwrites a buffer only as a whole.
static LunaModelAccessKind kind_for_buffer(const Builder *builder,
                                           const LunaModelAccess *access) {
  if (access->kind != LUNA_MODEL_OVERWRITE)
    return access->kind;
  LunaModelId buffer = luna_model_only_source(builder->model, access->slice);
  if (buffer == LUNA_MODEL_NONE)
    return LUNA_MODEL_MODIFY;
  bool is_filled =
      builder->step->kind == LUNA_MODEL_TRANSFER &&
      builder->model->values.items[buffer].role == LUNA_MODEL_STAGING;
  return is_filled || is_whole(builder, access->slice, buffer)
             ? LUNA_MODEL_OVERWRITE
             : LUNA_MODEL_MODIFY;
}

static void touch_buffer(Builder *builder, LunaModelId buffer,
                         LunaModelAccessKind kind) {
  uint32_t at = builder->touch_of[buffer];
  if (at < builder->touches.count &&
      builder->touches.items[at].buffer == buffer) {
    Touch *touch = &builder->touches.items[at];
    touch->kind = touch->kind == LUNA_MODEL_READ && kind == LUNA_MODEL_READ
                      ? LUNA_MODEL_READ
                      : LUNA_MODEL_MODIFY;
    ++touch->access_count;
    return;
  }
  builder->touch_of[buffer] = (uint32_t)builder->touches.count;
  *LUNA_VECTOR_ADD(builder->view->arena, &builder->touches) =
      (Touch){.buffer = buffer, .kind = kind, .access_count = 1};
}

// Returns true if the step touches buffers of the problem.
static bool find_touches(Builder *builder) {
  const LunaModel *model = builder->model;
  bool has_buffer = false;
  builder->touches.count = 0;
  for (uint32_t i = 0; i < builder->step->access_count; ++i) {
    const LunaModelAccess *access = &accesses_of(builder)[i];
    const LunaModelValue *value = value_of(builder, access->slice);
    LunaModelAccessKind kind = kind_for_buffer(builder, access);
    for (uint32_t k = 0; k < value->source_count; ++k) {
      LunaModelId buffer = model->sources.items[value->first_source + k];
      bool is_here = builder->view->buffer_of[buffer] != LUNA_NO_BUFFER;
      touch_buffer(builder, buffer, kind);
      has_buffer |= is_here;
      builder->view->is_apart &=
          is_here || !model->values.items[buffer].is_on_chip;
    }
  }
  return has_buffer;
}

static void build_touch(const Builder *builder, LunaStepId step,
                        const Touch *touch) {
  LunaProblem *problem = builder->view->problem;
  LunaBufferId buffer = builder->view->buffer_of[touch->buffer];
  if (buffer == LUNA_NO_BUFFER)
    return;
  if (touch->kind == LUNA_MODEL_READ)
    luna_problem_read(problem, step, buffer);
  else if (touch->kind == LUNA_MODEL_OVERWRITE)
    luna_problem_define(problem, step, buffer);
  else
    luna_problem_use(problem, step, buffer);
}

//===----------------------------------------------------------------------===//
// Steps and moves
//===----------------------------------------------------------------------===//

static LunaStepId add_step(const Builder *builder) {
  const LunaModelStep *step = builder->step;
  bool is_dma =
      step->kind == LUNA_MODEL_TRANSFER || step->kind == LUNA_MODEL_AWAIT;
  uint32_t first = builder->model->steps.items[builder->options->body].number;
  return luna_problem_step(
      builder->view->problem,
      step->name == NULL
          ? luna_arena_printf(builder->view->arena, "%s#%u", step->op,
                              step->number - first)
          : luna_arena_printf(builder->view->arena, "%s%s", step->name,
                              is_dma ? " (DMA)" : ""));
}

static LunaStepId add_first_step(const Builder *builder) {
  LunaStepId first = add_step(builder);
  *LUNA_VECTOR_ADD(builder->view->arena, &builder->view->steps) =
      (LunaModelProblemStep){builder->id, first};
  return first;
}

static void add_move(const Builder *builder, LunaStepId step, LunaModelId from,
                     LunaModelId to) {
  LunaModelProblem *view = builder->view;
  luna_problem_move(view->problem, step, view->buffer_of[from],
                    view->buffer_of[to]);
  *LUNA_VECTOR_ADD(view->arena, &view->moves) =
      (LunaModelProblemMove){builder->id, from, to};
}

// Returns the buffer of the problem that a slice is all of, or LUNA_MODEL_NONE.
static LunaModelId whole_buffer(const Builder *builder, LunaModelId slice) {
  LunaModelId buffer = luna_model_only_source(builder->model, slice);
  bool is_one = buffer != LUNA_MODEL_NONE && is_whole(builder, slice, buffer) &&
                builder->view->buffer_of[buffer] != LUNA_NO_BUFFER;
  return is_one ? buffer : LUNA_MODEL_NONE;
}

static bool are_alike(const Builder *builder, LunaModelId a, LunaModelId b) {
  const LunaModelValue *values = builder->model->values.items;
  return values[a].element == values[b].element &&
         values[a].bytes == values[b].bytes;
}

static bool build_copy(const Builder *builder) {
  const LunaModelAccess *accesses = accesses_of(builder);
  if (builder->step->kind != LUNA_MODEL_COPY)
    return false;
  const LunaModelSlice *slices = builder->model->slices.items;
  LunaModelId from = whole_buffer(builder, accesses[0].slice);
  LunaModelId to = whole_buffer(builder, accesses[1].slice);
  if (from == LUNA_MODEL_NONE || to == LUNA_MODEL_NONE || from == to ||
      !are_alike(builder, from, to) ||
      slices[accesses[0].slice].dense_type !=
          slices[accesses[1].slice].dense_type)
    return false;
  add_move(builder, add_first_step(builder), from, to);
  return true;
}

static LunaStepId build_step(const Builder *builder) {
  LunaStepId step = add_first_step(builder);
  for (uint64_t i = 0; i < builder->touches.count; ++i)
    build_touch(builder, step, &builder->touches.items[i]);
  return step;
}

//===----------------------------------------------------------------------===//
// Operators that may work in place
//===----------------------------------------------------------------------===//

// Returns the buffer that the step overwrites as its destination, or
// LUNA_MODEL_NONE.
static LunaModelId output_of(const Builder *builder) {
  for (uint32_t i = 0; i < builder->step->access_count; ++i) {
    const LunaModelAccess *access = &accesses_of(builder)[i];
    LunaModelId buffer = access->is_destination
                             ? whole_buffer(builder, access->slice)
                             : LUNA_MODEL_NONE;
    if (buffer != LUNA_MODEL_NONE &&
        builder->touches.items[builder->touch_of[buffer]].kind ==
            LUNA_MODEL_OVERWRITE)
      return buffer;
  }
  return LUNA_MODEL_NONE;
}

// Returns how many of the operands that may be replaced are this slice.
static uint32_t count_replaceable(const Builder *builder, LunaModelId slice) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < builder->step->access_count; ++i) {
    const LunaModelAccess *access = &accesses_of(builder)[i];
    count += access->may_be_replaced && access->slice == slice;
  }
  return count;
}

// Marks the buffers that the output may replace: those that are read as one
// slice alone. Returns true if there are any.
static bool find_replaced(const Builder *builder, LunaModelId output) {
  bool has_some = false;
  for (uint32_t i = 0; i < builder->step->access_count; ++i) {
    const LunaModelAccess *access = &accesses_of(builder)[i];
    LunaModelId buffer = access->may_be_replaced
                             ? whole_buffer(builder, access->slice)
                             : LUNA_MODEL_NONE;
    if (buffer == LUNA_MODEL_NONE || buffer == output ||
        !are_alike(builder, buffer, output))
      continue;
    Touch *touch = &builder->touches.items[builder->touch_of[buffer]];
    touch->is_replaced =
        touch->kind == LUNA_MODEL_READ &&
        touch->access_count == count_replaceable(builder, access->slice);
    has_some |= touch->is_replaced;
  }
  return has_some;
}

// Builds, in place of one step, one that reads the operands; a move of an
// operand to the output, of those that it may replace any one; and one that
// overwrites the output, the last. So the output may share the place of an
// operand that is read for the last time. What it may not replace is read to
// the end.
static bool build_in_place(const Builder *builder, LunaStepId *last) {
  LunaProblem *problem = builder->view->problem;
  const Touch *touches = builder->touches.items;
  LunaModelId output = output_of(builder);
  if (output == LUNA_MODEL_NONE || !find_replaced(builder, output))
    return false;
  LunaStepId first = add_first_step(builder);
  for (uint64_t i = 0; i < builder->touches.count; ++i)
    if (touches[i].buffer != output)
      build_touch(builder, first, &touches[i]);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  for (uint64_t i = 0; i < builder->touches.count; ++i) {
    if (!touches[i].is_replaced)
      continue;
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    add_move(builder, add_step(builder), touches[i].buffer, output);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
  *last = add_step(builder);
  for (uint64_t i = 0; i < builder->touches.count; ++i)
    if (!touches[i].is_replaced)
      build_touch(builder, *last, &touches[i]);
  return true;
}

static void build_staging(const Builder *builder, LunaStepId step) {
  LunaProblem *problem = builder->view->problem;
  int64_t bytes = 0;
  for (uint32_t i = 0; i < builder->step->access_count; ++i) {
    const LunaModelValue *value =
        value_of(builder, accesses_of(builder)[i].slice);
    if (value->kind == LUNA_MODEL_CONSTANT && value->bytes > bytes)
      bytes = value->bytes;
  }
  if (bytes > 0)
    luna_problem_define(
        problem, step,
        luna_problem_add_buffer(
            problem, &(LunaBuffer){.name = "staging",
                                   .size_bytes = bytes,
                                   .align_bytes = builder->options->align_bytes,
                                   .kind = LUNA_BUFFER_STAGING}));
}

static void build_operator(Builder *builder) {
  LunaStepId step = 0;
  if (!find_touches(builder) || build_copy(builder))
    return;
  if (!builder->options->works_in_place || !build_in_place(builder, &step))
    step = build_step(builder);
  if (builder->options->has_staging && builder->step->kind == LUNA_MODEL_UNIT)
    build_staging(builder, step);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void begin_branches(void *data, LunaModelId id) {
  const Builder *builder = data;
  const LunaModelStep *step = &builder->model->steps.items[id];
  luna_problem_set_condition(builder->view->problem, step->condition,
                             step->is_negated);
}

// Marks the buffers that the next turn may get from the last.
static void mark_carried(const Builder *builder, const LunaModelStep *loop,
                         bool is_marked) {
  const LunaModel *model = builder->model;
  for (uint32_t i = 0; i < loop->carried_count; ++i) {
    const LunaModelValue *value = &model->values.items[loop->first_carried + i];
    for (uint32_t k = 0; k < value->source_count; ++k)
      builder->is_carried[model->sources.items[value->first_source + k]] =
          is_marked;
  }
}

// The allocations of the body begin anew in each turn.
static void discard_buffers(void *data, LunaModelId loop, LunaStepId header) {
  const Builder *builder = data;
  const LunaModel *model = builder->model;
  mark_carried(builder, &model->steps.items[loop], true);
  for (LunaModelId id = 0; id < model->buffer_count; ++id) {
    LunaBufferId buffer = builder->view->buffer_of[id];
    if (buffer != LUNA_NO_BUFFER && !builder->is_carried[id] &&
        luna_model_is_within(model, model->values.items[id].step, loop))
      luna_problem_discard(builder->view->problem, header, buffer);
  }
  mark_carried(builder, &model->steps.items[loop], false);
}

static void build_leaf(void *data, LunaModelId id) {
  Builder *builder = data;
  LunaModelStepKind kind = builder->model->steps.items[id].kind;
  builder->id = id;
  builder->step = &builder->model->steps.items[id];
  if (kind != LUNA_MODEL_ALLOCATE && kind != LUNA_MODEL_PASS)
    build_operator(builder);
}

bool luna_model_problem(const LunaModel *model,
                        const LunaModelProblemOptions *options,
                        LunaArena *arena, LunaModelProblem *view,
                        LunaError *error) {
  uint32_t count = model->buffer_count;
  *view = (LunaModelProblem){
      .arena = arena,
      .model = model,
      .problem = luna_problem_create(arena),
      .buffer_of = LUNA_ARENA_ARRAY(arena, LunaBufferId, count),
      .is_apart = true,
  };
  Builder builder = {
      .view = view,
      .model = model,
      .options = options,
      .touch_of = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .is_carried = LUNA_ARENA_ARRAY(arena, bool, count),
  };
  if (!add_buffers(&builder, error))
    return false;
  luna_model_tree_build(&(LunaModelTree){.model = model,
                                         .problem = view->problem,
                                         .data = &builder,
                                         .leaf = build_leaf,
                                         .begin_branches = begin_branches,
                                         .end_loop = discard_buffers},
                        options->body);
  return true;
}
