#include "draft.h"

// A model after decisions: they are made again on a draft.

static LunaOp *op_at(const LunaDraft *draft, LunaModelId step) {
  return draft->ops.items[step];
}

static LunaValue *value_at(const LunaDraft *draft, LunaModelId value) {
  return draft->values.items[value];
}

static LunaBlock *block_at(const LunaDraft *draft, LunaModelId body) {
  return draft->blocks.items[body];
}

// Returns the op that a decision puts something before.
static LunaOp *place_of(const LunaDraft *draft, const LunaDecision *decision) {
  return decision->before != LUNA_MODEL_NONE
             ? op_at(draft, decision->before)
             : block_at(draft, decision->body)->last;
}

// Returns a value of a type, or one that has it without gaps, or NULL.
static LunaValue *find_type(const LunaDraft *draft, uint32_t type,
                            bool is_dense) {
  for (uint64_t i = 0; i < draft->values.count; ++i) {
    const LunaModelSlice *slice = &draft->values.items[i]->slice;
    if ((is_dense ? slice->dense_type : slice->type) == type)
      return draft->values.items[i];
  }
  return NULL;
}

static void allocate(LunaDraft *draft, const LunaDecision *decision) {
  LunaOp *before = place_of(draft, decision);
  LunaValue *like = find_type(draft, decision->type, false);
  if (like)
    draft_allocate(before, like);
  else
    draft_allocate_dense(before, find_type(draft, decision->type, true));
}

static void set_operand(LunaDraft *draft, const LunaDecision *decision) {
  LunaOp *op = decision->step != LUNA_MODEL_NONE
                   ? op_at(draft, decision->step)
                   : block_at(draft, decision->body)->last;
  draft_set_operand(op, decision->number, value_at(draft, decision->by));
}

static void decide(LunaDraft *draft, const LunaDecision *decision) {
  switch (decision->kind) {
  case LUNA_DECIDE_ALLOCATE:
    allocate(draft, decision);
    break;
  case LUNA_DECIDE_COPY:
    draft_copy(place_of(draft, decision), value_at(draft, decision->value),
               value_at(draft, decision->by));
    break;
  case LUNA_DECIDE_VIEW:
    draft_view(place_of(draft, decision), value_at(draft, decision->by),
               find_type(draft, decision->type, false));
    break;
  case LUNA_DECIDE_ERASE:
    draft_erase(op_at(draft, decision->step));
    break;
  case LUNA_DECIDE_MOVE:
    draft_move(op_at(draft, decision->step), place_of(draft, decision));
    break;
  case LUNA_DECIDE_TENSOR:
    draft_make_tensor(op_at(draft, decision->step));
    break;
  case LUNA_DECIDE_REPLACE:
    draft_replace(value_at(draft, decision->value),
                  value_at(draft, decision->by));
    break;
  case LUNA_DECIDE_OPERAND:
    set_operand(draft, decision);
    break;
  case LUNA_DECIDE_RESULT:
    draft_add_result(op_at(draft, decision->step),
                     value_at(draft, decision->by));
    break;
  case LUNA_DECIDE_CARRY:
    draft_carry(op_at(draft, decision->step), value_at(draft, decision->by));
    break;
  case LUNA_DECIDE_PASS:
    draft_pass(block_at(draft, decision->body), value_at(draft, decision->by));
    break;
  }
}

void luna_schedule_model(const LunaModel *model, const LunaSchedule *schedule,
                         LunaArena *arena, LunaModel *decided) {
  LunaDraftModel out;
  LunaDraft *draft = draft_create(model, NULL);
  for (uint64_t i = 0; i < schedule->decisions.count; ++i)
    decide(draft, &schedule->decisions.items[i]);
  draft_model(draft, arena, &out);
  *decided = out.model;
  draft_destroy(draft);
}
