#include "joins.h"

// Has the users of `value` use `buffer`, if that is an allocation which
// dominates `op`.
static bool forward(LunaOp *op, LunaValue *value, LunaValue *buffer) {
  if (!draft_is_alloc(buffer->op) || value == buffer || !value->first_use ||
      draft_ancestor(buffer->op, op->block) == op)
    return false;
  draft_replace(value, buffer);
  return true;
}

static bool forward_branch(LunaOp *op) {
  bool has_changed = false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    LunaValue *buffer = draft_passed(op->blocks[0], i);
    bool is_one = true;
    for (uint32_t r = 1; is_one && r < op->block_count; ++r)
      is_one = draft_passed(op->blocks[r], i) == buffer;
    has_changed |= is_one && forward(op, op->results[i], buffer);
  }
  return has_changed;
}

static bool forward_loop(LunaOp *op) {
  bool has_changed = false, is_for = draft_is_for(op);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    LunaValue *init = draft_operand(op, i);
    LunaValue *argument = draft_header(op)->arguments[i];
    LunaValue *next = draft_passed(draft_turn(op), i);
    if (next == init || next == argument)
      has_changed |= forward(op, argument, init);
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    LunaValue *left = draft_passed(draft_header(op), i);
    if (is_for && left != draft_operand(op, i))
      continue;
    has_changed |= forward(op, op->results[i], left);
    has_changed |= !is_for && forward(op, draft_turn(op)->arguments[i], left);
  }
  return has_changed;
}

static bool forward_op(LunaOp *op, void *data) {
  bool *has_changed = data;
  *has_changed |= draft_is_branch(op) ? forward_branch(op)
                  : draft_is_loop(op) ? forward_loop(op)
                                      : false;
  return true;
}

void draft_forward_buffers(LunaDraft *draft) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    draft_walk(draft, forward_op, &has_changed);
  }
}
