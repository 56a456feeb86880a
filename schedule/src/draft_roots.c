#include "draft.h"

LunaDraftRootSet draft_roots_of(const LunaDraftRoots *roots,
                                const LunaValue *value) {
  return roots->sets[value->id];
}

bool draft_roots_meet(LunaDraftRootSet a, LunaDraftRootSet b) {
  uint32_t i = 0, k = 0;
  while (i < a.count && k < b.count && a.ids[i] != b.ids[k])
    if (a.ids[i] < b.ids[k])
      ++i;
    else
      ++k;
  return (i < a.count && k < b.count) || (a.has_other && b.has_other);
}

// Returns `a`, if it has all of `b`, or a new set.
static LunaDraftRootSet unite(LunaArena *arena, LunaDraftRootSet a,
                              LunaDraftRootSet b) {
  uint32_t *ids =
      LUNA_ARENA_ARRAY(arena, uint32_t, (uint64_t)a.count + b.count);
  uint32_t count = 0, i = 0, k = 0;
  while (i < a.count || k < b.count) {
    bool takes_a = k == b.count || (i < a.count && a.ids[i] <= b.ids[k]);
    uint32_t id = takes_a ? a.ids[i++] : b.ids[k++];
    if (count == 0 || ids[count - 1] != id)
      ids[count++] = id;
  }
  return (LunaDraftRootSet){ids, count, a.has_other || b.has_other};
}

static void flow(LunaDraftRoots *roots, const LunaValue *from,
                 const LunaValue *to) {
  LunaDraftRootSet *set = &roots->sets[to->id];
  LunaDraftRootSet more = roots->sets[from->id];
  bool is_first = set->count == 0 && !set->has_other;
  LunaDraftRootSet all = is_first ? more : unite(roots->arena, *set, more);
  if (all.count == set->count && all.has_other == set->has_other)
    return;
  *set = all;
  roots->has_changed = true;
}

static void visit_block(LunaDraftRoots *roots, const LunaBlock *block);

// Values that are no merges are views of operands.
static void flow_into(LunaDraftRoots *roots, LunaValue *const *values,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    LunaDraftMerge merge = draft_merge_of(values[i]);
    for (uint32_t edge = 0; edge < merge.edge_count; ++edge)
      flow(roots, draft_merge_source(&merge, edge), values[i]);
    for (uint32_t k = 0; merge.edge_count == 0 && k < merge.op->operand_count;
         ++k)
      flow(roots, draft_operand(merge.op, k), values[i]);
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
  roots->sets[op->results[0]->id] = (LunaDraftRootSet){id, 1, false};
  return true;
}

LunaDraftRoots *draft_roots(LunaDraft *draft, LunaArena *arena) {
  LunaDraftRoots *roots = LUNA_ARENA_ARRAY(arena, LunaDraftRoots, 1);
  *roots = (LunaDraftRoots){
      .arena = arena,
      .number = LUNA_ARENA_ARRAY(arena, uint32_t, draft->ops.count),
      .sets = LUNA_ARENA_ARRAY(arena, LunaDraftRootSet, draft->values.count),
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
