#include "draft.h"

//===----------------------------------------------------------------------===//
// From a model
//===----------------------------------------------------------------------===//

static LunaValue *value_at(const LunaDraft *draft, LunaModelId slice) {
  return draft->values.items[slice];
}

static const LunaModelEdge *edge_at(const LunaDraft *draft,
                                    const LunaModelStep *step, uint32_t i) {
  return &draft->model->edges.items[step->first_edge + i];
}

// Has a value stand for those of a type, if it is the first of this type, or
// the first at all whose dense type it is.
static void add_type(LunaDraft *draft, uint32_t type, LunaValue *value) {
  while (draft->types.count <= type)
    *LUNA_VECTOR_ADD(&draft->arena, &draft->types) = NULL;
  LunaValue **like = &draft->types.items[type];
  if (!*like || ((*like)->slice.type != type && value->slice.type == type))
    *like = value;
}

static void add_values(LunaDraft *draft) {
  const LunaModel *model = draft->model;
  uint64_t count = model->slices.count;
  LunaValue *room = LUNA_ARENA_ARRAY(&draft->arena, LunaValue, count);
  for (LunaModelId id = 0; id < count; ++id) {
    const LunaModelSlice *slice = &model->slices.items[id];
    room[id] = (LunaValue){.draft = draft,
                           .id = id,
                           .slice = *slice,
                           .whole = model->values.items[slice->value]};
    *LUNA_VECTOR_ADD(&draft->arena, &draft->values) = &room[id];
    add_type(draft, slice->type, &room[id]);
    add_type(draft, slice->dense_type, &room[id]);
  }
}

LunaOp *draft_new_op(LunaDraft *draft, LunaModelStepKind kind,
                     LunaModelId step) {
  LunaOp *op = LUNA_ARENA_ARRAY(&draft->arena, LunaOp, 1);
  *op = (LunaOp){.draft = draft, .id = step, .kind = kind, .step = step};
  if (step == LUNA_MODEL_NONE)
    op->id = (LunaModelId)draft->ops.count;
  if (op->id == draft->ops.count)
    *LUNA_VECTOR_ADD(&draft->arena, &draft->ops) = op;
  draft->ops.items[op->id] = op;
  return op;
}

// Adds a step to the end of a block.
static LunaOp *add_op(LunaBlock *block, LunaModelStepKind kind,
                      LunaModelId step) {
  const LunaModelStep *old = &block->draft->model->steps.items[step];
  LunaOp *op = draft_new_op(block->draft, kind, step);
  op->cycles = kind == LUNA_MODEL_LOOP
                   ? (uint64_t)luna_model_trips(old, 1)
                   : (uint64_t)(old->core_cycles + old->unit_cycles);
  draft_link_before(op, block->last);
  return op;
}

static void add_leaf(LunaBlock *block, LunaModelId id) {
  const LunaModel *model = block->draft->model;
  const LunaModelStep *step = &model->steps.items[id];
  const LunaModelAccess *accesses = luna_model_accesses(model, step);
  LunaOp *op = add_op(block, step->kind, id);
  for (uint32_t i = 0; i < step->access_count; ++i) {
    LunaValue *value = value_at(block->draft, accesses[i].slice);
    if (step->kind == LUNA_MODEL_ALLOCATE ||
        (step->kind == LUNA_MODEL_SCALAR && accesses[i].is_destination))
      draft_add_value(op, value);
    else
      draft_add_operand(op, value, accesses[i]);
  }
  if (step->token != LUNA_MODEL_NONE)
    draft_add_value(op, value_at(block->draft, step->token));
}

// Returns the edges behind a body, or NULL.
static const LunaModelStep *pass_of(const LunaModel *model, LunaModelId body) {
  const LunaModelStep *steps = model->steps.items, *last = NULL;
  for (LunaModelId id = body + 1; id < steps[body].end; id = steps[id].end)
    last = &steps[id];
  return last && last->kind == LUNA_MODEL_PASS ? last : NULL;
}

static void fill_block(LunaBlock *block);

static LunaBlock *add_block(LunaDraft *draft, LunaOp *op, LunaModelId body) {
  LunaBlock *block = LUNA_ARENA_ARRAY(&draft->arena, LunaBlock, 1);
  *block = (LunaBlock){.draft = draft, .id = body, .op = op};
  block->last = draft_new_op(draft, LUNA_MODEL_PASS, LUNA_MODEL_NONE);
  block->first = block->last;
  block->last->block = block;
  draft->blocks.items[body] = block;
  return block;
}

// Adds the values that edges lead to, as results of `op`, or as arguments of
// `block` if that is not NULL.
static void add_merged(LunaOp *op, LunaBlock *block, const LunaModelStep *pass,
                       uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; ++i) {
    LunaValue *to = value_at(op->draft, edge_at(op->draft, pass, i)->to);
    if (block)
      draft_add_argument(block, to);
    else
      draft_add_value(op, to);
  }
}

// Adds the results of an op, and what its second block begins with.
static void add_results(LunaOp *op) {
  const LunaModel *model = op->draft->model;
  const LunaModelStep *step = &model->steps.items[op->step];
  const LunaModelStep *pass = pass_of(model, op->blocks[0]->id);
  if (draft_is_for(op)) {
    for (uint32_t i = 0; i < step->edge_count; ++i)
      draft_add_value(op, value_at(op->draft, edge_at(op->draft, step, i)->to +
                                                  step->carried_count));
    return;
  }
  uint32_t count = pass ? pass->edge_count : 0;
  uint32_t first = draft_is_loop(op) ? count / 2 : 0;
  if (draft_is_loop(op))
    add_merged(op, op->blocks[1], pass, 0, first);
  add_merged(op, NULL, pass, first, count);
}

static void add_flow(LunaBlock *block, LunaModelId id) {
  LunaDraft *draft = block->draft;
  const LunaModelStep *steps = draft->model->steps.items, *step = &steps[id];
  LunaOp *op = add_op(block, step->kind, id);
  for (LunaModelId body = id + 1; body < step->end; body = steps[body].end)
    ++op->block_count;
  op->blocks = LUNA_ARENA_ARRAY(&draft->arena, LunaBlock *, op->block_count);
  op->block_count = 0;
  for (LunaModelId body = id + 1; body < step->end; body = steps[body].end)
    op->blocks[op->block_count++] = add_block(draft, op, body);
  if (draft_is_loop(op))
    add_merged(op, op->blocks[0], step, 0, step->edge_count);
  if (op->kind != LUNA_MODEL_REGION)
    add_results(op);
  for (uint32_t i = 0; i < step->edge_count; ++i)
    draft_add_operand(op, value_at(draft, edge_at(draft, step, i)->from),
                      (LunaModelAccess){0});
  for (uint32_t i = 0; i < op->block_count; ++i)
    fill_block(op->blocks[i]);
}

// A select of memrefs has them for operands, and no blocks.
static void add_select(LunaBlock *block, LunaModelId id) {
  LunaDraft *draft = block->draft;
  const LunaModelStep *steps = draft->model->steps.items;
  LunaOp *op = add_op(block, LUNA_MODEL_SELECT, id);
  for (LunaModelId body = id + 1; body < steps[id].end;
       body = steps[body].end) {
    const LunaModelStep *pass = pass_of(draft->model, body);
    const LunaModelEdge *edge = edge_at(draft, pass, 0);
    if (op->result_count == 0)
      draft_add_value(op, value_at(draft, edge->to));
    draft_add_operand(op, value_at(draft, edge->from), (LunaModelAccess){0});
  }
}

// What the block before the exit of a loop passes on goes two ways.
static void end_block(LunaBlock *block) {
  const LunaModelStep *pass = pass_of(block->draft->model, block->id);
  uint32_t count = pass ? pass->edge_count : 0;
  bool is_exit = block->op && draft_is_loop(block->op) &&
                 block->op->block_count > 1 && block == block->op->blocks[0];
  for (uint32_t i = 0; i < (is_exit ? count / 2 : count); ++i)
    draft_add_operand(
        block->last,
        value_at(block->draft, edge_at(block->draft, pass, i)->from),
        (LunaModelAccess){0});
}

static void fill_block(LunaBlock *block) {
  const LunaModelStep *steps = block->draft->model->steps.items;
  LunaModelId end = steps[block->id].end;
  for (LunaModelId id = block->id + 1; id < end; id = steps[id].end) {
    LunaModelStepKind kind = steps[id].kind;
    if (kind == LUNA_MODEL_SELECT)
      add_select(block, id);
    else if (kind >= LUNA_MODEL_REGION)
      add_flow(block, id);
    else if (kind != LUNA_MODEL_PASS && steps[id].access_count > 0)
      add_leaf(block, id);
  }
  end_block(block);
}

LunaDraft *draft_create(const LunaModel *model,
                        const LunaScheduleTarget *target) {
  LunaArena arena = {0};
  LunaDraft *draft = LUNA_ARENA_ARRAY(&arena, LunaDraft, 1);
  *draft = (LunaDraft){.arena = arena, .model = model, .target = target};
  for (uint64_t i = 0; i < model->steps.count; ++i) {
    *LUNA_VECTOR_ADD(&draft->arena, &draft->ops) = NULL;
    *LUNA_VECTOR_ADD(&draft->arena, &draft->blocks) = NULL;
  }
  add_values(draft);
  draft->entry = add_block(draft, NULL, 0);
  fill_block(draft->entry);
  return draft;
}

void draft_destroy(LunaDraft *draft) {
  LunaArena arena = draft ? draft->arena : (LunaArena){0};
  luna_arena_destroy(&arena);
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

static bool walk_block(LunaBlock *block, bool (*visit)(LunaOp *op, void *data),
                       void *data) {
  for (LunaOp *op = block->first, *next; op != block->last; op = next) {
    next = op->next;
    if (!visit(op, data))
      return false;
    if (op->block_count > 0 && !draft_walk_in(op, visit, data))
      return false;
    if (op->block_count > 0)
      next = op->next;
  }
  return true;
}

bool draft_walk_in(LunaOp *op, bool (*visit)(LunaOp *op, void *data),
                   void *data) {
  bool goes_on = true;
  for (uint32_t i = 0; goes_on && i < op->block_count; ++i)
    goes_on = walk_block(op->blocks[i], visit, data);
  return goes_on;
}

bool draft_walk(LunaDraft *draft, bool (*visit)(LunaOp *op, void *data),
                void *data) {
  return walk_block(draft->entry, visit, data);
}

bool draft_is_before(LunaOp *op, LunaOp *other) {
  LunaBlock *block = op->block;
  uint32_t order = 0;
  for (LunaOp *at = block->first; !block->is_ordered && at; at = at->next)
    at->order = order++;
  block->is_ordered = true;
  return op->order < other->order;
}

LunaOp *draft_ancestor(const LunaOp *op, const LunaBlock *block) {
  while (op && op->block != block)
    op = draft_parent(op);
  return (LunaOp *)op;
}

LunaBlock *draft_home(const LunaValue *value) {
  return value->op      ? value->op->block
         : value->block ? value->block
                        : value->draft->entry;
}

uint32_t draft_edge_count(const LunaValue *value) {
  const LunaBlock *block = value->block;
  const LunaOp *op = draft_maker(value);
  if (draft_is_loop(op))
    return (block ? block == draft_header(op) : draft_is_for(op)) ? 2 : 1;
  if (!block && draft_is_branch(op))
    return op->block_count;
  return !block && op && op->kind == LUNA_MODEL_SELECT ? 2 : 0;
}

LunaUse *draft_edge(const LunaValue *value, uint32_t edge) {
  const LunaOp *op = draft_maker(value);
  if (op->kind == LUNA_MODEL_SELECT)
    return op->operands[edge];
  if (draft_is_loop(op) && draft_edge_count(value) == 2 && edge == 0)
    return op->operands[value->number];
  const LunaBlock *block = draft_is_branch(op) ? op->blocks[edge]
                           : edge == 0         ? draft_header(op)
                                               : draft_turn(op);
  return block->last->operands[value->number];
}

uint32_t draft_find_merged(LunaValue *const *values, uint32_t count,
                           const LunaValue *buffer) {
  uint32_t i = 0;
  for (bool is_it = false; !is_it && i < count; i += !is_it) {
    uint32_t edges = draft_edge_count(values[i]);
    is_it = edges > 0;
    for (uint32_t edge = 0; is_it && edge < edges; ++edge)
      is_it = draft_source(values[i], edge) == buffer;
  }
  return i < count ? i : LUNA_DRAFT_NOWHERE;
}
