#include "draft_uses.h"

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

typedef struct Search {
  LunaArena arena;
  const LunaDraftRoots *roots;
  LunaMap pairs; // assumed to be apart
} Search;

// Returns the value that `value` is a view of.
static LunaValue *base_of(LunaValue *value) {
  while (value->op && draft_makes_view(value->op))
    value = draft_operand(value->op, 0);
  return value;
}

// Returns true if `value` is defined where `op` is not reached yet.
static bool precedes(LunaValue *value, LunaOp *op) {
  LunaOp *definition = value->op;
  LunaBlock *block = draft_home(value);
  LunaOp *at = draft_ancestor(op, block);
  return at && (!definition || draft_is_before(definition, at));
}

// Returns true if the pair was not looked at yet.
static bool add_pair(Search *search, LunaValue *a, LunaValue *b) {
  const void **pair = LUNA_ARENA_ARRAY(&search->arena, const void *, 2);
  pair[0] = a;
  pair[1] = b;
  uint64_t known = search->pairs.keys.count;
  return luna_map_add(&search->pairs, &search->arena,
                      luna_map_bytes(pair, 2 * sizeof *pair)) == known;
}

static bool are_apart(Search *search, LunaValue *a, LunaValue *b);

static bool are_all_apart(Search *search, const LunaDraftMerge *merge,
                          LunaValue *other) {
  bool is_apart = true;
  for (uint32_t edge = 0; is_apart && edge < merge->edge_count; ++edge)
    is_apart = are_apart(search, draft_merge_source(merge, edge), other);
  return is_apart;
}

// What is defined later is looked at first: what it comes from, and the other
// value, are visible at one point.
static bool are_sources_apart(Search *search, LunaValue *a, LunaValue *b) {
  LunaDraftMerge first = draft_merge_of(a), second = draft_merge_of(b);
  bool is_one = first.edge_count > 0 && first.op == second.op &&
                first.block == second.block;
  if (!is_one && first.edge_count > 0 && precedes(b, first.op))
    return are_all_apart(search, &first, b);
  if (!is_one && second.edge_count > 0 && precedes(a, second.op))
    return are_all_apart(search, &second, a);
  bool is_apart = is_one;
  for (uint32_t edge = 0; is_apart && edge < first.edge_count; ++edge)
    is_apart = are_apart(search, draft_merge_source(&first, edge),
                         draft_merge_source(&second, edge));
  return is_apart;
}

static bool are_apart(Search *search, LunaValue *a, LunaValue *b) {
  a = base_of(a);
  b = base_of(b);
  if (a == b)
    return false;
  return !luna_roots_meet(draft_roots_of(search->roots, a),
                          draft_roots_of(search->roots, b)) ||
         !add_pair(search, a, b) || are_sources_apart(search, a, b);
}

bool draft_are_apart(const LunaDraftRoots *roots, LunaValue *a, LunaValue *b) {
  Search search = {.roots = roots};
  bool is_apart = are_apart(&search, a, b);
  luna_arena_destroy(&search.arena);
  return is_apart;
}
