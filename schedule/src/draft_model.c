#include "draft.h"

typedef struct Writer {
  LunaArena *arena;
  LunaDraftModel *out;
  LunaModel *model;
  const LunaModel *old;
  LunaDraftRoots *roots;
  LunaModelId *slice_of; // by value
  LunaModelId parent;
} Writer;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static LunaModelId add_value(Writer *writer, const LunaValue *value,
                             LunaModelValueKind kind) {
  LunaRootSet set = draft_roots_of(writer->roots, value);
  LunaModelValue whole = value->whole;
  whole.kind = kind;
  whole.step = 0;
  whole.first_use = LUNA_MODEL_NONE;
  whole.first_source = (uint32_t)writer->model->sources.count;
  whole.source_count = set.count;
  whole.has_other = set.has_other && kind != LUNA_MODEL_TOKEN;
  for (uint32_t i = 0; i < set.count; ++i)
    *LUNA_VECTOR_ADD(writer->arena, &writer->model->sources) = set.ids[i];
  *LUNA_VECTOR_ADD(writer->arena, &writer->model->values) = whole;
  return (LunaModelId)writer->model->values.count - 1;
}

static LunaModelId add_slice(Writer *writer, const LunaValue *value,
                             LunaModelId of) {
  LunaModelSlice slice = value->slice;
  slice.value = of;
  slice.is_exact = false;
  slice.first_dim = slice.dim_count = 0;
  *LUNA_VECTOR_ADD(writer->arena, &writer->model->slices) = slice;
  return writer->slice_of[value->id] =
             (LunaModelId)writer->model->slices.count - 1;
}

static LunaModelId slice_of(Writer *writer, const LunaValue *value) {
  if (writer->slice_of[value->id] != LUNA_MODEL_NONE)
    return writer->slice_of[value->id];
  if (value->op && value->op->kind == LUNA_MODEL_SCALAR) {
    LunaModelId base = slice_of(writer, draft_operand(value->op, 0));
    return add_slice(writer, value, writer->model->slices.items[base].value);
  }
  bool is_merged =
      value->whole.kind != LUNA_MODEL_TOKEN && (value->op || value->block);
  return add_slice(writer, value,
                   add_value(writer, value,
                             is_merged && value->whole.is_on_chip
                                 ? LUNA_MODEL_MERGED
                             : is_merged ? LUNA_MODEL_OTHER
                                         : value->whole.kind));
}

static void add_buffers(Writer *writer) {
  for (uint64_t i = 0; i < writer->roots->allocs.count; ++i) {
    LunaOp *op = writer->roots->allocs.items[i];
    add_slice(writer, op->results[0],
              add_value(writer, op->results[0], LUNA_MODEL_BUFFER));
    *LUNA_VECTOR_ADD(writer->arena, &writer->out->allocs) = op;
  }
  writer->model->buffer_count = (uint32_t)writer->roots->allocs.count;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static LunaModelStep *step_at(Writer *writer, LunaModelId step) {
  return &writer->model->steps.items[step];
}

// Begins a step, `step` of the old model, or, if that is LUNA_MODEL_NONE, a new
// one.
static LunaModelId begin(Writer *writer, LunaOp *op, LunaModelStepKind kind,
                         LunaModelId step) {
  LunaModelStep copy = {.kind = kind};
  LunaModelId id = (LunaModelId)writer->model->steps.count;
  if (step != LUNA_MODEL_NONE)
    copy = writer->old->steps.items[step];
  else
    copy.op = kind == LUNA_MODEL_COPY ? "memref.copy" : "memref.alloc";
  copy.condition_loop = copy.token = LUNA_MODEL_NONE;
  copy.parent = writer->parent;
  copy.first_access = (uint32_t)writer->model->accesses.count;
  copy.first_edge = (uint32_t)writer->model->edges.count;
  copy.first_carried = (uint32_t)writer->model->values.count;
  copy.access_count = copy.edge_count = copy.carried_count = 0;
  copy.first_need = copy.need_count = 0;
  *LUNA_VECTOR_ADD(writer->arena, &writer->model->steps) = copy;
  *LUNA_VECTOR_ADD(writer->arena, &writer->out->ops) = op;
  writer->parent = id;
  return id;
}

static void end(Writer *writer, LunaModelId step) {
  LunaModelStep *self = step_at(writer, step);
  self->end = (LunaModelId)writer->model->steps.count;
  writer->parent = self->parent;
}

static void write_leaf(Writer *writer, LunaOp *op) {
  LunaModelId step = begin(writer, op, op->kind, op->step);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    LunaModelAccess access = op->operands[i]->access;
    access.slice = slice_of(writer, draft_operand(op, i));
    *LUNA_VECTOR_ADD(writer->arena, &writer->model->accesses) = access;
  }
  if (op->kind == LUNA_MODEL_ALLOCATE) {
    LunaModelId buffer = writer->roots->number[op->id];
    *LUNA_VECTOR_ADD(writer->arena, &writer->model->accesses) =
        (LunaModelAccess){.kind = LUNA_MODEL_MODIFY, .slice = buffer};
    writer->model->values.items[buffer].step = step;
  }
  step_at(writer, step)->access_count =
      (uint32_t)writer->model->accesses.count -
      step_at(writer, step)->first_access;
  end(writer, step);
}

static void write_ops(Writer *writer, const LunaBlock *block);

static void write_block(Writer *writer, LunaBlock *block) {
  LunaModelId step = begin(writer, NULL, LUNA_MODEL_BODY, block->id);
  write_ops(writer, block);
  end(writer, step);
}

static void write_flow(Writer *writer, LunaOp *op) {
  LunaModelId step = begin(writer, op, op->kind, op->step);
  if (draft_is_loop(op))
    for (uint32_t i = 0; i < op->operand_count; ++i)
      slice_of(writer, op->blocks[0]->arguments[i]);
  step_at(writer, step)->carried_count =
      draft_is_loop(op) ? op->operand_count : 0;
  for (uint32_t i = 0; i < op->block_count; ++i)
    write_block(writer, op->blocks[i]);
  end(writer, step);
}

static void write_ops(Writer *writer, const LunaBlock *block) {
  for (LunaOp *op = block->first; op != block->last; op = op->next) {
    if (op->block_count > 0)
      write_flow(writer, op);
    else if (op->kind != LUNA_MODEL_SELECT && op->kind != LUNA_MODEL_SCALAR)
      write_leaf(writer, op);
  }
}

void draft_model(LunaDraft *draft, LunaArena *arena, LunaDraftModel *out) {
  *out = (LunaDraftModel){0};
  Writer writer = {
      .arena = arena,
      .out = out,
      .model = &out->model,
      .old = draft->model,
      .roots = draft_roots(draft, arena),
      .slice_of = LUNA_ARENA_ARRAY(arena, LunaModelId, draft->values.count),
      .parent = LUNA_MODEL_NONE,
  };
  for (uint64_t i = 0; i < draft->values.count; ++i)
    writer.slice_of[i] = LUNA_MODEL_NONE;
  add_buffers(&writer);
  write_block(&writer, draft->entry);
}

void luna_schedule_model(const LunaModel *model, const LunaSchedule *schedule,
                         LunaArena *arena, LunaModel *decided) {
  LunaDraftModel out;
  LunaDraft *draft = draft_create(model, NULL);
  for (uint64_t i = 0; i < schedule->decisions.count; ++i)
    draft_decide(draft, schedule->decisions.items[i]);
  draft_model(draft, arena, &out);
  *decided = out.model;
  draft_destroy(draft);
}
