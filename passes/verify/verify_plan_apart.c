// Pairs of merged values that never lie at the same bytes: two results of one
// branch, two selects of one condition or two values of one loop, if their
// sources lie apart on every edge; or what a branch merges and a value from
// before it, which the branch may pass on, if all sources lie apart from that.
// What may be is assumed until an edge speaks against it.

#include "luna-c/ops.h"
#include "structure.h"
#include "verify_plan_tags.h"

// What merges: the branch of a result, the block of an argument, or the block
// and the condition of a select.
typedef struct Merger {
  const void *owner, *condition;
} Merger;

// A merged value, and the one before it that the same merges.
typedef struct Merged {
  MlirValue value;
  uint32_t tag, earlier;
} Merged;

#define NONE UINT32_MAX

typedef struct Pair {
  MlirValue a, b;
  LunaMapKey key; // of their tags
  bool is_apart;
} Pair;

typedef struct Pairs {
  LunaVerifyValues *values;
  LUNA_VECTOR(Merged) merged;
  LUNA_VECTOR(Pair);
  LunaMap keys;
} Pairs;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

static MlirOperation select_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  bool is_select =
      !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_ARITH_SELECT);
  return is_select ? op : (MlirOperation){NULL};
}

static Merger merger_of(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return (Merger){mlirBlockArgumentGetOwner(value).ptr, NULL};
  MlirOperation op = select_of(value);
  if (mlirOperationIsNull(op))
    return (Merger){luna_defining_op(value).ptr, NULL};
  return (Merger){mlirOperationGetBlock(op).ptr,
                  luna_verify_condition(mlirOperationGetOperand(op, 0)).ptr};
}

// Returns source `edge` of a merged value: a null value if there is none, or if
// the op is not known to merge.
static MlirValue source_of(MlirValue value, intptr_t edge) {
  static const LunaOpName branches[] = {
      LUNA_OP_SCF_IF, LUNA_OP_SCF_INDEX_SWITCH, LUNA_OP_LUNA_REGION};
  MlirValue none = {NULL};
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation loop = mlirBlockGetParentOperation(block);
    bool is_for = luna_op_is(loop, LUNA_OP_SCF_FOR);
    intptr_t i = mlirBlockArgumentGetArgNumber(value) - (is_for ? 1 : 0);
    if ((!is_for && !luna_op_is(loop, LUNA_OP_SCF_WHILE)) || edge > 1 ||
        !mlirBlockEqual(block, luna_body(loop, 0)))
      return none;
    return edge == 0
               ? mlirOperationGetOperand(loop, i + (is_for ? 3 : 0))
               : mlirOperationGetOperand(
                     luna_verify_forward(loop, is_for ? 0 : 1).terminator, i);
  }
  MlirOperation op = luna_defining_op(value);
  if (!mlirOperationIsNull(select_of(value)))
    return edge > 1 ? none : mlirOperationGetOperand(op, edge + 1);
  if (!luna_op_is_any(op, branches, 3) ||
      edge >= mlirOperationGetNumRegions(op))
    return none;
  LunaVerifyForward forward = luna_verify_forward(op, edge);
  return mlirOperationGetOperand(
      forward.terminator, forward.first + mlirOpResultGetResultNumber(value));
}

// Returns what a view is one of.
static MlirValue viewed_by(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  bool is_view =
      !mlirOperationIsNull(op) && mlirOperationGetNumOperands(op) > 0;
  return is_view ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

// Returns the value that `value` is on every edge, as long as control flow
// passes it on, or that it is a view of.
static MlirValue passed_on(const LunaVerifyValues *values, MlirValue value) {
  for (;;) {
    const LunaVerifyEntry *entry = luna_verify_entry(values, value);
    if (entry == NULL || entry->is_merge || entry->is_root)
      return value;
    MlirValue source = source_of(value, 0);
    if (mlirValueIsNull(source))
      source = viewed_by(value);
    LunaVerifySource other;
    if (mlirValueIsNull(source) || luna_verify_is_root(values, source) ||
        !luna_verify_lookup(values, source, &other) || other.tag != entry->tag)
      return value;
    value = source;
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static bool share_bytes(const LunaVerifyValues *values, const LunaVerifyHome *a,
                        const LunaVerifyHome *b) {
  const LunaVerifyPlace *p = &values->places.items[a->place];
  const LunaVerifyPlace *q = &values->places.items[b->place];
  if (a->place == b->place)
    return true;
  return p->is_planned && q->is_planned &&
         p->offset_bytes < q->offset_bytes + q->bytes &&
         q->offset_bytes < p->offset_bytes + p->bytes;
}

static bool may_meet(const LunaVerifyValues *values, uint32_t a, uint32_t b) {
  const LunaVerifyTag *p = &values->tags.items[a], *q = &values->tags.items[b];
  for (uint32_t i = 0; i < p->homes.count; ++i)
    for (uint32_t j = 0; j < q->homes.count; ++j)
      if (share_bytes(values, &p->homes.items[i], &q->homes.items[j]))
        return true;
  return false;
}

static LunaMapKey key_of(uint32_t a, uint32_t b) {
  return luna_map_number((uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a));
}

//===----------------------------------------------------------------------===//
// The largest set of pairs that no edge speaks against
//===----------------------------------------------------------------------===//

// Returns true if `value` is merged behind `other`, which stays as it is.
static bool is_behind(MlirValue value, MlirValue other) {
  if (mlirValueIsABlockArgument(value) || mlirValueIsNull(source_of(value, 0)))
    return false;
  MlirOperation op = luna_defining_op(value), maker = luna_defining_op(other);
  if (mlirOperationIsNull(maker))
    return !mlirOperationIsNull(
        luna_ancestor_in_block(op, mlirBlockArgumentGetOwner(other)));
  MlirOperation at = luna_ancestor_in_block(op, mlirOperationGetBlock(maker));
  return !mlirOperationIsNull(at) && !mlirOperationEqual(at, maker) &&
         mlirOperationIsBeforeInBlock(maker, at);
}

static bool have_one_merger(MlirValue a, MlirValue b) {
  Merger p = merger_of(a), q = merger_of(b);
  return p.owner == q.owner && p.condition == q.condition;
}

// Returns the index of a pair that may meet, assumed to be apart if it is new;
// NONE if nothing is known of it.
static uint32_t find_pair(Pairs *pairs, MlirValue a, MlirValue b,
                          LunaMapKey key) {
  uint32_t index = luna_map_find(&pairs->keys, key);
  if (index != LUNA_MAP_ABSENT)
    return index;
  a = passed_on(pairs->values, a);
  b = passed_on(pairs->values, b);
  if (!is_behind(a, b) && !is_behind(b, a))
    return NONE;
  LunaArena *arena = pairs->values->arena;
  *LUNA_VECTOR_ADD(arena, pairs) = (Pair){a, b, key, true};
  return luna_map_add(&pairs->keys, arena, key);
}

static bool are_apart(Pairs *pairs, MlirValue a, MlirValue b) {
  LunaVerifySource p, q;
  if (!luna_verify_lookup(pairs->values, a, &p) ||
      !luna_verify_lookup(pairs->values, b, &q) || p.tag == q.tag)
    return false;
  if (!may_meet(pairs->values, p.tag, q.tag))
    return true;
  uint32_t index = find_pair(pairs, a, b, key_of(p.tag, q.tag));
  return index != NONE && pairs->items[index].is_apart;
}

static bool are_apart_on_edges(Pairs *pairs, Pair pair) {
  bool is_one = have_one_merger(pair.a, pair.b);
  bool keeps_a = !is_one && is_behind(pair.b, pair.a);
  bool keeps_b = !is_one && !keeps_a;
  for (intptr_t edge = 0;; ++edge) {
    MlirValue a = keeps_a ? pair.a : source_of(pair.a, edge);
    MlirValue b = keeps_b ? pair.b : source_of(pair.b, edge);
    if (mlirValueIsNull(a) || mlirValueIsNull(b))
      return edge > 0;
    if (!are_apart(pairs, a, b))
      return false;
  }
}

static void add_pairs(Pairs *pairs, const Merged *a) {
  LunaArena *arena = pairs->values->arena;
  for (uint32_t i = a->earlier; i != NONE; i = pairs->merged.items[i].earlier) {
    const Merged *b = &pairs->merged.items[i];
    LunaMapKey key = key_of(a->tag, b->tag);
    bool is_known = have_one_merger(a->value, b->value) ||
                    is_behind(a->value, b->value) ||
                    is_behind(b->value, a->value);
    if (is_known && a->tag != b->tag &&
        may_meet(pairs->values, a->tag, b->tag) &&
        luna_map_add(&pairs->keys, arena, key) == pairs->count)
      *LUNA_VECTOR_ADD(arena, pairs) = (Pair){a->value, b->value, key, true};
  }
}

static void collect(Pairs *pairs) {
  LunaVerifyValues *values = pairs->values;
  LunaMap mergers = {0};
  LUNA_VECTOR(uint32_t) last = {0}; // by merger
  for (uint64_t i = 0; i < values->entries.count; ++i) {
    MlirValue value = values->entries.items[i].value;
    LunaVerifySource source;
    if (mlirValueIsNull(source_of(value, 0)) ||
        !luna_verify_lookup(values, value, &source))
      continue;
    Merger *merger = LUNA_ARENA_ARRAY(values->arena, Merger, 1);
    *merger = merger_of(value);
    uint32_t index = luna_map_add(&mergers, values->arena,
                                  luna_map_bytes(merger, sizeof *merger));
    if (index == last.count)
      *LUNA_VECTOR_ADD(values->arena, &last) = NONE;
    Merged merged = {passed_on(values, value), source.tag, last.items[index]};
    last.items[index] = (uint32_t)pairs->merged.count;
    *LUNA_VECTOR_ADD(values->arena, &pairs->merged) = merged;
    add_pairs(pairs, &merged);
  }
}

// Adds the pairs of what one op accesses.
static bool visit_op(MlirOperation op, void *data) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t k = 0; k < i; ++k)
      are_apart(data, mlirOperationGetOperand(op, i),
                mlirOperationGetOperand(op, k));
  return true;
}

void luna_verify_values_set_apart(LunaVerifyValues *values,
                                  MlirOperation func) {
  Pairs pairs = {.values = values};
  collect(&pairs);
  luna_walk(func, visit_op, &pairs);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (uint64_t i = 0; i < pairs.count; ++i) {
      if (!pairs.items[i].is_apart ||
          are_apart_on_edges(&pairs, pairs.items[i]))
        continue;
      pairs.items[i].is_apart = false;
      has_changed = true;
    }
  }
  for (uint64_t i = 0; i < pairs.count; ++i)
    if (pairs.items[i].is_apart)
      luna_map_add(&values->apart, values->arena, pairs.items[i].key);
}

bool luna_verify_values_apart(const LunaVerifyValues *values, uint32_t a,
                              uint32_t b) {
  return luna_map_find(&values->apart, key_of(a, b)) != LUNA_MAP_ABSENT;
}
