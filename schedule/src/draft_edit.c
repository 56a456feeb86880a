#include "draft.h"

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static LunaOp *op_at(const LunaDraft *draft, LunaModelId step) {
  return draft->ops.items[step];
}

static LunaValue *value_at(const LunaDraft *draft, LunaModelId value) {
  return draft->values.items[value];
}

static void unlink_op(LunaOp *op) {
  LunaBlock *block = op->block;
  *(op->prev ? &op->prev->next : &block->first) = op->next;
  if (op->next)
    op->next->prev = op->prev;
  else
    block->last = op->prev;
  op->block = NULL;
}

void draft_link_before(LunaOp *op, LunaOp *before) {
  op->block = before->block;
  op->next = before;
  op->prev = before->prev;
  *(op->prev ? &op->prev->next : &op->block->first) = op;
  before->prev = op;
  op->block->is_ordered = false;
}

static void unlink_use(LunaUse *use) {
  *(use->prev ? &use->prev->next : &use->value->first_use) = use->next;
  if (use->next)
    use->next->prev = use->prev;
}

static void link_use(LunaUse *use, LunaValue *value) {
  use->value = value;
  use->prev = NULL;
  use->next = value->first_use;
  if (use->next)
    use->next->prev = use;
  value->first_use = use;
}

// Has a use be one of another value.
static void set_use(LunaUse *use, LunaValue *by) {
  unlink_use(use);
  link_use(use, by);
}

static LunaValue *new_value(LunaDraft *draft, const LunaValue *like) {
  LunaValue *value = LUNA_ARENA_ARRAY(&draft->arena, LunaValue, 1);
  *value = (LunaValue){.draft = draft,
                       .id = (LunaModelId)draft->values.count,
                       .slice = like->slice,
                       .whole = like->whole};
  *LUNA_VECTOR_ADD(&draft->arena, &draft->values) = value;
  return value;
}

void draft_add_operand(LunaOp *op, LunaValue *value, LunaModelAccess access) {
  LunaArena *arena = &op->draft->arena;
  LunaUse *use = LUNA_ARENA_ARRAY(arena, LunaUse, 1);
  *use = (LunaUse){.op = op, .number = op->operand_count, .access = access};
  op->operands = luna_arena_grow(arena, op->operands, op->operand_count,
                                 op->operand_count + 1, sizeof(LunaUse *));
  op->operands[op->operand_count++] = use;
  link_use(use, value);
}

void draft_add_value(LunaOp *op, LunaValue *value) {
  op->results =
      luna_arena_grow(&op->draft->arena, op->results, op->result_count,
                      op->result_count + 1, sizeof(LunaValue *));
  value->op = op;
  value->number = op->result_count;
  op->results[op->result_count++] = value;
}

void draft_add_argument(LunaBlock *block, LunaValue *value) {
  block->arguments = luna_arena_grow(
      &block->draft->arena, block->arguments, block->argument_count,
      block->argument_count + 1, sizeof(LunaValue *));
  value->block = block;
  value->number = block->argument_count;
  block->arguments[block->argument_count++] = value;
}

//===----------------------------------------------------------------------===//
// What decisions change
//===----------------------------------------------------------------------===//

// Returns the op that a decision puts something before, or the end of the block
// that it names.
static LunaOp *place_of(const LunaDraft *draft, const LunaDecision *decision) {
  return decision->before != LUNA_MODEL_NONE
             ? op_at(draft, decision->before)
             : draft->blocks.items[decision->body]->last;
}

static LunaOp *add_op(LunaDraft *draft, LunaDecision *decision,
                      LunaModelStepKind kind) {
  LunaOp *op = draft_new_op(draft, kind, LUNA_MODEL_NONE);
  decision->step = op->id;
  draft_link_before(op, place_of(draft, decision));
  return op;
}

static void allocate(LunaDraft *draft, LunaDecision *decision) {
  LunaOp *op = add_op(draft, decision, LUNA_MODEL_ALLOCATE);
  LunaValue *value = new_value(draft, draft->types.items[decision->type]);
  value->whole.kind = LUNA_MODEL_BUFFER;
  value->whole.role = LUNA_MODEL_TENSOR;
  value->whole.is_on_chip = value->slice.is_on_chip;
  value->whole.bytes = value->slice.bytes;
  value->slice.type = decision->type;
  value->slice.is_contiguous |= decision->type == value->slice.dense_type;
  draft_add_value(op, value);
  decision->value = value->id;
}

static void copy(LunaDraft *draft, LunaDecision *decision) {
  LunaOp *op = add_op(draft, decision, LUNA_MODEL_COPY);
  LunaValue *from = value_at(draft, decision->value);
  LunaValue *to = value_at(draft, decision->by);
  draft_add_operand(op, from, (LunaModelAccess){.kind = LUNA_MODEL_READ});
  draft_add_operand(
      op, to,
      (LunaModelAccess){.kind = LUNA_MODEL_OVERWRITE, .is_destination = true});
  if (draft->target)
    op->cycles = draft->target->copy_cycles(from->slice.type, to->slice.type,
                                            draft->target->data);
}

static void view(LunaDraft *draft, LunaDecision *decision) {
  LunaOp *op = add_op(draft, decision, LUNA_MODEL_SCALAR);
  LunaValue *value = new_value(draft, draft->types.items[decision->type]);
  draft_add_operand(op, value_at(draft, decision->by), (LunaModelAccess){0});
  draft_add_value(op, value);
  decision->value = value->id;
}

static void erase(LunaDraft *draft, LunaDecision *decision) {
  LunaOp *op = op_at(draft, decision->step);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    unlink_use(op->operands[i]);
  for (uint32_t i = 0; i < op->result_count; ++i)
    op->results[i]->op = NULL;
  unlink_op(op);
}

static void move(LunaDraft *draft, LunaDecision *decision) {
  LunaOp *op = op_at(draft, decision->step);
  unlink_op(op);
  draft_link_before(op, place_of(draft, decision));
}

static void make_tensor(LunaDraft *draft, LunaDecision *decision) {
  op_at(draft, decision->step)->results[0]->whole.role = LUNA_MODEL_TENSOR;
}

static void replace(LunaDraft *draft, LunaDecision *decision) {
  LunaValue *value = value_at(draft, decision->value);
  LunaValue *by = value_at(draft, decision->by);
  while (value->first_use && value != by)
    set_use(value->first_use, by);
}

static void set_operand(LunaDraft *draft, LunaDecision *decision) {
  LunaOp *op = decision->step != LUNA_MODEL_NONE ? op_at(draft, decision->step)
                                                 : place_of(draft, decision);
  set_use(op->operands[decision->number], value_at(draft, decision->by));
}

static void carry(LunaDraft *draft, LunaDecision *decision) {
  LunaOp *op = op_at(draft, decision->step);
  LunaValue *init = value_at(draft, decision->by);
  decision->value = (LunaModelId)draft->values.count;
  if (draft_is_loop(op))
    draft_add_operand(op, init, (LunaModelAccess){0});
  for (uint32_t i = 0; draft_is_loop(op) && i < op->block_count; ++i)
    draft_add_argument(op->blocks[i], new_value(draft, init));
  draft_add_value(op, new_value(draft, init));
}

static void pass_on(LunaDraft *draft, LunaDecision *decision) {
  draft_add_operand(place_of(draft, decision), value_at(draft, decision->by),
                    (LunaModelAccess){0});
}

static void (*const rules[])(LunaDraft *draft, LunaDecision *decision) = {
    [LUNA_DECIDE_ALLOCATE] = allocate, [LUNA_DECIDE_COPY] = copy,
    [LUNA_DECIDE_VIEW] = view,         [LUNA_DECIDE_ERASE] = erase,
    [LUNA_DECIDE_MOVE] = move,         [LUNA_DECIDE_TENSOR] = make_tensor,
    [LUNA_DECIDE_REPLACE] = replace,   [LUNA_DECIDE_OPERAND] = set_operand,
    [LUNA_DECIDE_CARRY] = carry,       [LUNA_DECIDE_PASS] = pass_on,
};

LunaDecision draft_decide(LunaDraft *draft, LunaDecision decision) {
  rules[decision.kind](draft, &decision);
  return *LUNA_VECTOR_ADD(&draft->arena, &draft->schedule.decisions) = decision;
}

LunaDraft *draft_clone(const LunaDraft *from) {
  LunaDraft *to = draft_create(from->model, NULL);
  for (uint64_t i = 0; i < from->schedule.decisions.count; ++i)
    draft_decide(to, from->schedule.decisions.items[i]);
  for (uint64_t i = 0; i < to->ops.count; ++i)
    if (to->ops.items[i])
      to->ops.items[i]->cycles = from->ops.items[i]->cycles;
  to->target = from->target;
  to->effort = from->effort;
  to->counts_staging = from->counts_staging;
  if (to->effort)
    ++to->effort->drafts;
  return to;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

// Returns a decision about these, each of which may be NULL.
static LunaDecision about(LunaDecisionKind kind, const LunaOp *op,
                          const LunaValue *value, const LunaValue *by) {
  bool is_end = op && op->kind == LUNA_MODEL_PASS;
  return (LunaDecision){
      .kind = kind,
      .step = op && !is_end ? op->id : LUNA_MODEL_NONE,
      .value = value ? value->id : LUNA_MODEL_NONE,
      .by = by ? by->id : LUNA_MODEL_NONE,
      .before = LUNA_MODEL_NONE,
      .body = is_end ? op->block->id : LUNA_MODEL_NONE,
      .number = LUNA_MODEL_NONE,
      .type = LUNA_MODEL_NONE,
  };
}

// As `about`; what is new or moved stands before an op, and may have a type.
static LunaDecision decide_before(LunaOp *before, LunaDecision made,
                                  uint32_t type) {
  LunaDecision place = about(made.kind, before, NULL, NULL);
  made.before = place.step;
  made.body = place.body;
  made.type = type;
  return draft_decide(before->draft, made);
}

static LunaValue *allocate_type(LunaOp *before, uint32_t type) {
  LunaDecision made = about(LUNA_DECIDE_ALLOCATE, NULL, NULL, NULL);
  return value_at(before->draft, decide_before(before, made, type).value);
}

LunaValue *draft_allocate(LunaOp *before, LunaValue *like) {
  return allocate_type(before, like->slice.type);
}

LunaValue *draft_allocate_dense(LunaOp *before, LunaValue *like) {
  return allocate_type(before, like->slice.dense_type);
}

LunaOp *draft_copy(LunaOp *before, LunaValue *from, LunaValue *to) {
  LunaDecision made = about(LUNA_DECIDE_COPY, NULL, from, to);
  return op_at(before->draft,
               decide_before(before, made, LUNA_MODEL_NONE).step);
}

LunaValue *draft_view(LunaOp *before, LunaValue *value, LunaValue *like) {
  LunaDecision made = about(LUNA_DECIDE_VIEW, NULL, NULL, value);
  return draft_same_type(value, like)
             ? value
             : value_at(before->draft,
                        decide_before(before, made, like->slice.type).value);
}

void draft_erase(LunaOp *op) {
  draft_decide(op->draft, about(LUNA_DECIDE_ERASE, op, NULL, NULL));
}

void draft_move(LunaOp *op, LunaOp *before) {
  decide_before(before, about(LUNA_DECIDE_MOVE, op, NULL, NULL),
                LUNA_MODEL_NONE);
}

void draft_make_tensor(LunaOp *alloc) {
  draft_decide(alloc->draft, about(LUNA_DECIDE_TENSOR, alloc, NULL, NULL));
}

void draft_replace(LunaValue *value, LunaValue *by) {
  draft_decide(value->draft, about(LUNA_DECIDE_REPLACE, NULL, value, by));
}

void draft_set_operand(LunaOp *op, uint32_t number, LunaValue *by) {
  LunaDecision made = about(LUNA_DECIDE_OPERAND, op, NULL, by);
  made.number = number;
  if (draft_operand(op, number) != by)
    draft_decide(op->draft, made);
}

void draft_carry(LunaOp *flow, LunaValue *init) {
  draft_decide(flow->draft, about(LUNA_DECIDE_CARRY, flow, NULL, init));
}

void draft_pass(LunaBlock *block, LunaValue *value) {
  draft_decide(block->draft, about(LUNA_DECIDE_PASS, block->last, NULL, value));
}
