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

static bool are_all_apart(Search *search, const LunaValue *merged,
                          LunaValue *other) {
  bool is_apart = true;
  for (uint32_t i = 0; is_apart && i < draft_edge_count(merged); ++i)
    is_apart = are_apart(search, draft_source(merged, i), other);
  return is_apart;
}

// What is defined later is looked at first: what it comes from, and the other
// value, are visible at one point.
static bool are_sources_apart(Search *search, LunaValue *a, LunaValue *b) {
  uint32_t edges = draft_edge_count(a);
  bool is_one =
      edges > 0 && draft_maker(a) == draft_maker(b) && a->block == b->block;
  if (!is_one && edges > 0 && precedes(b, draft_maker(a)))
    return are_all_apart(search, a, b);
  if (!is_one && draft_edge_count(b) > 0 && precedes(a, draft_maker(b)))
    return are_all_apart(search, b, a);
  bool is_apart = is_one;
  for (uint32_t i = 0; is_apart && i < edges; ++i)
    is_apart = are_apart(search, draft_source(a, i), draft_source(b, i));
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
