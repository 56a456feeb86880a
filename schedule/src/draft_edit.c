#include "draft.h"

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

// Returns a decision that says nothing yet.
static LunaDecision decision(LunaDecisionKind kind) {
  return (LunaDecision){kind,
                        LUNA_MODEL_NONE,
                        LUNA_MODEL_NONE,
                        LUNA_MODEL_NONE,
                        LUNA_MODEL_NONE,
                        LUNA_MODEL_NONE,
                        LUNA_MODEL_NONE,
                        LUNA_MODEL_NONE};
}

static void decide(LunaDraft *draft, LunaDecision made) {
  *LUNA_VECTOR_ADD(&draft->arena, &draft->schedule.decisions) = made;
}

// Says where a step stands; the end of a block has no name of its own.
static void say_place(LunaDecision *made, const LunaOp *before) {
  if (before->kind == LUNA_MODEL_PASS)
    made->body = before->block->id;
  else
    made->before = before->id;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static void unlink_op(LunaOp *op) {
  LunaBlock *block = op->block;
  *(op->prev ? &op->prev->next : &block->first) = op->next;
  if (op->next)
    op->next->prev = op->prev;
  else
    block->last = op->prev;
  op->block = NULL;
}

static void link_before(LunaOp *op, LunaOp *before) {
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

static LunaOp *new_op(LunaOp *before, LunaModelStepKind kind) {
  LunaDraft *draft = before->draft;
  LunaOp *op = LUNA_ARENA_ARRAY(&draft->arena, LunaOp, 1);
  *op = (LunaOp){.draft = draft,
                 .id = (LunaModelId)draft->ops.count,
                 .kind = kind,
                 .step = LUNA_MODEL_NONE};
  *LUNA_VECTOR_ADD(&draft->arena, &draft->ops) = op;
  link_before(op, before);
  return op;
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
// Steps
//===----------------------------------------------------------------------===//

static LunaValue *allocate(LunaOp *before, LunaValue *like, uint32_t type) {
  LunaOp *op = new_op(before, LUNA_MODEL_ALLOCATE);
  LunaValue *value = new_value(before->draft, like);
  value->whole.kind = LUNA_MODEL_BUFFER;
  value->whole.role = LUNA_MODEL_TENSOR;
  value->whole.is_on_chip = value->slice.is_on_chip;
  value->whole.bytes = value->slice.bytes;
  value->slice.type = type;
  value->slice.is_contiguous |= type == value->slice.dense_type;
  draft_add_value(op, value);
  LunaDecision made = decision(LUNA_DECIDE_ALLOCATE);
  made.step = op->id;
  made.value = value->id;
  made.type = type;
  say_place(&made, before);
  decide(before->draft, made);
  return value;
}

LunaValue *draft_allocate(LunaOp *before, LunaValue *like) {
  return allocate(before, like, like->slice.type);
}

LunaValue *draft_allocate_dense(LunaOp *before, LunaValue *like) {
  return allocate(before, like, like->slice.dense_type);
}

LunaOp *draft_copy(LunaOp *before, LunaValue *from, LunaValue *to) {
  LunaDraft *draft = before->draft;
  LunaOp *op = new_op(before, LUNA_MODEL_COPY);
  draft_add_operand(op, from, (LunaModelAccess){.kind = LUNA_MODEL_READ});
  draft_add_operand(
      op, to,
      (LunaModelAccess){.kind = LUNA_MODEL_OVERWRITE, .is_destination = true});
  if (draft->target)
    op->cycles = draft->target->copy_cycles(from->slice.type, to->slice.type,
                                            draft->target->data);
  LunaDecision made = decision(LUNA_DECIDE_COPY);
  made.step = op->id;
  made.value = from->id;
  made.by = to->id;
  say_place(&made, before);
  decide(draft, made);
  return op;
}

LunaValue *draft_view(LunaOp *before, LunaValue *value, LunaValue *like) {
  if (draft_same_type(value, like))
    return value;
  LunaOp *op = new_op(before, LUNA_MODEL_SCALAR);
  LunaValue *view = new_value(before->draft, like);
  draft_add_operand(op, value, (LunaModelAccess){0});
  draft_add_value(op, view);
  LunaDecision made = decision(LUNA_DECIDE_VIEW);
  made.step = op->id;
  made.value = view->id;
  made.by = value->id;
  made.type = view->slice.type;
  say_place(&made, before);
  decide(before->draft, made);
  return view;
}

void draft_erase(LunaOp *op) {
  LunaDecision made = decision(LUNA_DECIDE_ERASE);
  made.step = op->id;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    unlink_use(op->operands[i]);
  for (uint32_t i = 0; i < op->result_count; ++i)
    op->results[i]->op = NULL;
  unlink_op(op);
  decide(op->draft, made);
}

void draft_move(LunaOp *op, LunaOp *before) {
  LunaDecision made = decision(LUNA_DECIDE_MOVE);
  made.step = op->id;
  say_place(&made, before);
  unlink_op(op);
  link_before(op, before);
  decide(op->draft, made);
}

void draft_make_tensor(LunaOp *alloc) {
  LunaDecision made = decision(LUNA_DECIDE_TENSOR);
  made.step = alloc->id;
  alloc->results[0]->whole.role = LUNA_MODEL_TENSOR;
  decide(alloc->draft, made);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

void draft_replace(LunaValue *value, LunaValue *by) {
  LunaDecision made = decision(LUNA_DECIDE_REPLACE);
  made.value = value->id;
  made.by = by->id;
  while (value->first_use && value != by) {
    LunaUse *use = value->first_use;
    unlink_use(use);
    link_use(use, by);
  }
  decide(value->draft, made);
}

void draft_set_operand(LunaOp *op, uint32_t number, LunaValue *by) {
  LunaUse *use = op->operands[number];
  LunaDecision made = decision(LUNA_DECIDE_OPERAND);
  if (use->value == by)
    return;
  if (op->kind == LUNA_MODEL_PASS)
    made.body = op->block->id;
  else
    made.step = op->id;
  made.number = number;
  made.by = by->id;
  unlink_use(use);
  link_use(use, by);
  decide(op->draft, made);
}

//===----------------------------------------------------------------------===//
// What control flow passes on
//===----------------------------------------------------------------------===//

LunaValue *draft_add_result(LunaOp *branch, LunaValue *like) {
  LunaValue *result = new_value(branch->draft, like);
  draft_add_value(branch, result);
  LunaDecision made = decision(LUNA_DECIDE_RESULT);
  made.step = branch->id;
  made.value = result->id;
  made.by = like->id;
  decide(branch->draft, made);
  return result;
}

LunaValue *draft_carry(LunaOp *loop, LunaValue *init) {
  LunaValue *first = new_value(loop->draft, init);
  draft_add_argument(loop->blocks[0], first);
  draft_add_operand(loop, init, (LunaModelAccess){0});
  for (uint32_t i = 1; i < loop->block_count; ++i)
    draft_add_argument(loop->blocks[i], new_value(loop->draft, init));
  draft_add_value(loop, new_value(loop->draft, init));
  LunaDecision made = decision(LUNA_DECIDE_CARRY);
  made.step = loop->id;
  made.value = first->id;
  made.by = init->id;
  decide(loop->draft, made);
  return first;
}

void draft_pass(LunaBlock *block, LunaValue *value) {
  LunaDecision made = decision(LUNA_DECIDE_PASS);
  made.body = block->id;
  made.by = value->id;
  draft_add_operand(block->last, value, (LunaModelAccess){0});
  decide(block->draft, made);
}
