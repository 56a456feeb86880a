#include "draft.h"

LunaRootSet draft_roots_of(const LunaDraftRoots *roots,
                           const LunaValue *value) {
  return roots->sets[value->id];
}

static void flow(LunaDraftRoots *roots, const LunaValue *from,
                 const LunaValue *to) {
  roots->has_changed |= luna_root_set_add(&roots->sets[to->id],
                                          roots->sets[from->id], roots->arena);
}

static void visit_block(LunaDraftRoots *roots, const LunaBlock *block);

// Values that are no merges are views of operands.
static void flow_into(LunaDraftRoots *roots, LunaValue *const *values,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const LunaOp *op = draft_maker(values[i]);
    uint32_t edges = draft_edge_count(values[i]);
    for (uint32_t edge = 0; edge < edges; ++edge)
      flow(roots, draft_source(values[i], edge), values[i]);
    for (uint32_t k = 0; edges == 0 && k < op->operand_count; ++k)
      flow(roots, draft_operand(op, k), values[i]);
  }
}

static void flow_into_blocks(LunaDraftRoots *roots, const LunaOp *loop) {
  for (uint32_t b = 0; b < loop->block_count; ++b)
    flow_into(roots, loop->blocks[b]->arguments,
              loop->blocks[b]->argument_count);
}

static void visit_op(LunaDraftRoots *roots, const LunaOp *op) {
  flow_into_blocks(roots, op);
  for (uint32_t i = 0; i < op->block_count; ++i)
    visit_block(roots, op->blocks[i]);
  flow_into_blocks(roots, op);
  flow_into(roots, op->results, op->result_count);
}

static void visit_block(LunaDraftRoots *roots, const LunaBlock *block) {
  for (const LunaOp *op = block->first; op != block->last; op = op->next)
    visit_op(roots, op);
}

static bool add_alloc(LunaOp *op, void *data) {
  LunaDraftRoots *roots = data;
  if (op->kind != LUNA_MODEL_ALLOCATE)
    return true;
  uint32_t *id = &roots->number[op->id];
  *id = (uint32_t)roots->allocs.count;
  *LUNA_VECTOR_ADD(roots->arena, &roots->allocs) = op;
  roots->sets[op->results[0]->id] = (LunaRootSet){id, 1, false};
  return true;
}

LunaDraftRoots *draft_roots(LunaDraft *draft, LunaArena *arena) {
  LunaDraftRoots *roots = LUNA_ARENA_ARRAY(arena, LunaDraftRoots, 1);
  *roots = (LunaDraftRoots){
      .arena = arena,
      .number = LUNA_ARENA_ARRAY(arena, uint32_t, draft->ops.count),
      .sets = LUNA_ARENA_ARRAY(arena, LunaRootSet, draft->values.count),
      .has_changed = true};
  for (uint64_t i = 0; i < draft->values.count; ++i) {
    const LunaValue *value = draft->values.items[i];
    roots->sets[i].has_other = !value->op && !value->block;
  }
  draft_walk(draft, add_alloc, roots);
  while (roots->has_changed) {
    roots->has_changed = false;
    visit_block(roots, draft->entry);
  }
  return roots;
}
