#include "joins.h"

// Has the users of a merged value use the allocation that it is on all edges,
// if that dominates the op that merges it. Returns true if so.
static bool forward(LunaValue *value) {
  LunaValue *buffer = NULL;
  for (uint32_t edge = 0; edge < draft_edge_count(value); ++edge) {
    LunaValue *source = draft_source(value, edge);
    if (source != value && buffer && source != buffer)
      return false;
    buffer = source != value ? source : buffer;
  }
  const LunaOp *op = draft_maker(value);
  if (!buffer || !draft_is_alloc(buffer->op) || !value->first_use ||
      draft_ancestor(buffer->op, op->block) == op)
    return false;
  draft_replace(value, buffer);
  return true;
}

void draft_forward_buffers(LunaDraft *draft) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (uint64_t i = 0; i < draft->values.count; ++i)
      has_changed |= forward(draft->values.items[i]);
  }
}
