// Faults in where buffers lie: every offset, every pair of buffers.

#include "mlir-c/BuiltinAttributes.h"
#include "mutation_search.h"

enum { NEIGHBOURS_MAX = 3, PAIRS_MAX = 1024 };

typedef LunaMutationSearch Search;

static bool is_placed(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_ALLOC) && luna_mutation_id(op) >= 0;
}

static int64_t arena_bytes(const Search *search) {
  return luna_attr_int(search->func, "luna.arena_bytes", 0);
}

static int64_t offset_of(MlirOperation alloc) {
  return luna_mutation_place(alloc).offset_bytes;
}

// Branches may each allocate a buffer: true at the first of its allocations.
static bool is_first(const Search *search, MlirOperation alloc) {
  for (uint32_t i = 0; is_placed(alloc) && i < search->ops.count; ++i)
    if (is_placed(search->ops.items[i]) &&
        luna_mutation_id(search->ops.items[i]) == luna_mutation_id(alloc))
      return mlirOperationEqual(search->ops.items[i], alloc);
  return false;
}

static bool fits(const Search *search, MlirOperation alloc, int64_t offset) {
  return offset >= 0 && offset != offset_of(alloc) &&
         offset + luna_mutation_bytes(alloc) <= arena_bytes(search);
}

// Offers the buffer at another offset, under its own id.
static bool offer(Search *search, MlirOperation alloc, int64_t offset) {
  if (!fits(search, alloc, offset) || !luna_mutation_take(search, alloc))
    return false;
  int64_t id = luna_mutation_id(alloc);
  luna_mutation_move(search, id, id, offset);
  return true;
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

static void sweep_offset(Search *search, MlirOperation op) {
  if (!is_first(search, op))
    return;
  for (int64_t offset = 0; offset < arena_bytes(search);
       offset += LUNA_MUTATION_ALIGN_BYTES)
    if (offer(search, op, offset))
      return;
}

static void step_offset(Search *search, MlirOperation op) {
  if (is_first(search, op) &&
      !offer(search, op, offset_of(op) + LUNA_MUTATION_ALIGN_BYTES))
    offer(search, op, offset_of(op) - LUNA_MUTATION_ALIGN_BYTES);
}

static void misalign(Search *search, MlirOperation op) {
  if (!is_first(search, op))
    return;
  for (int64_t step = 1; step < LUNA_MUTATION_ALIGN_BYTES; step *= 2)
    if (offer(search, op, offset_of(op) + step) ||
        offer(search, op, offset_of(op) - step))
      return;
}

static void leave_arena(Search *search, MlirOperation op) {
  if (!is_first(search, op))
    return;
  int64_t end = arena_bytes(search), id = luna_mutation_id(op);
  const int64_t offsets[] = {end - luna_mutation_bytes(op) +
                                 LUNA_MUTATION_ALIGN_BYTES,
                             end, INT64_MAX - 15};
  for (int i = 0; i < 3; ++i)
    if (luna_mutation_take(search, op)) {
      luna_mutation_move(search, id, id, offsets[i]);
      return;
    }
}

static void shrink_arena(Search *search, MlirOperation op) {
  if (!mlirOperationEqual(op, search->ops.items[0]))
    return;
  const int64_t bytes[] = {arena_bytes(search) - LUNA_MUTATION_ALIGN_BYTES,
                           arena_bytes(search) / 2, 0};
  for (int i = 0; i < 3; ++i)
    if (luna_mutation_take(search, op)) {
      luna_set_int(search->func, "luna.arena_bytes", bytes[i]);
      return;
    }
}

// One allocation of a buffer that has several moves alone.
static void move_alone(Search *search, MlirOperation op) {
  if (!is_placed(op) || is_first(search, op))
    return;
  for (uint32_t i = 0, found = 0;
       i < search->ops.count && found < NEIGHBOURS_MAX; ++i) {
    MlirOperation other = search->ops.items[i];
    if (!is_placed(other) || !fits(search, op, offset_of(other)))
      continue;
    ++found;
    if (!luna_mutation_take(search, op))
      continue;
    LunaPlacement place = luna_mutation_place(op);
    place.offset_bytes = offset_of(other);
    luna_set_place(op, &place);
    return;
  }
}

// Out of the innermost loop: its iterations share the memory.
static void hoist_allocation(Search *search, MlirOperation op) {
  MlirOperation parent = op;
  while (is_placed(op) && !mlirOperationIsNull(parent) && !luna_is_loop(parent))
    parent = mlirOperationGetParentOperation(parent);
  if (is_placed(op) && !mlirOperationIsNull(parent) &&
      luna_mutation_take(search, op))
    mlirOperationMoveBefore(op, parent);
}

//===----------------------------------------------------------------------===//
// Two buffers
//===----------------------------------------------------------------------===//

static void exchange_offsets(Search *search, MlirOperation op) {
  if (!is_first(search, op))
    return;
  int64_t id = luna_mutation_id(op), offset = offset_of(op);
  for (uint32_t i = 0, found = 0;
       i < search->ops.count && found < NEIGHBOURS_MAX; ++i) {
    MlirOperation other = search->ops.items[i];
    if (!is_first(search, other) || luna_mutation_id(other) <= id ||
        !fits(search, op, offset_of(other)) || !fits(search, other, offset))
      continue;
    ++found;
    if (!luna_mutation_take(search, op))
      continue;
    int64_t other_id = luna_mutation_id(other);
    luna_mutation_move(search, id, id, offset_of(other));
    luna_mutation_move(search, other_id, other_id, offset);
    return;
  }
}

// The ordered pairs of buffers of one region, branch or loop.
typedef struct Pairs {
  struct {
    int64_t id, other_id;
  } seen[PAIRS_MAX];
  uint32_t count;
  bool keeps_id, is_done;
} Pairs;

static bool is_new(Pairs *pairs, int64_t id, int64_t other_id) {
  for (uint32_t i = 0; i < pairs->count; ++i)
    if (pairs->seen[i].id == id && pairs->seen[i].other_id == other_id)
      return false;
  if (id == other_id || pairs->count == PAIRS_MAX)
    return false;
  pairs->seen[pairs->count].id = id;
  pairs->seen[pairs->count++].other_id = other_id;
  return true;
}

static void offer_pair(Search *search, MlirOperation op, Pairs *pairs,
                       const MlirOperation allocs[2]) {
  int64_t id = luna_mutation_id(allocs[0]);
  int64_t other_id = luna_mutation_id(allocs[1]);
  int64_t offset = offset_of(allocs[1]);
  if (pairs->is_done || !fits(search, allocs[0], offset) ||
      !is_new(pairs, id, other_id) || !luna_mutation_take(search, op))
    return;
  luna_mutation_move(search, id, pairs->keeps_id ? id : other_id, offset);
  pairs->is_done = true;
}

// Operands [first, …) of `user`: what `op` yields, or carries at first.
static void offer_pairs(Search *search, MlirOperation op, Pairs *pairs,
                        MlirOperation user) {
  MlirOperation a[LUNA_MUTATION_ROOTS_MAX], b[LUNA_MUTATION_ROOTS_MAX];
  intptr_t count = mlirOperationGetNumOperands(user);
  for (intptr_t i = 0; i < count; ++i) {
    uint32_t a_count = luna_mutation_roots(mlirOperationGetOperand(user, i), a);
    for (intptr_t j = 0; j < count; ++j) {
      uint32_t b_count =
          i == j ? 0 : luna_mutation_roots(mlirOperationGetOperand(user, j), b);
      for (uint32_t k = 0; k < a_count * b_count; ++k)
        offer_pair(search, op, pairs,
                   (MlirOperation[]){a[k / b_count], b[k % b_count]});
    }
  }
}

static void join_pairs(Search *search, MlirOperation op, bool keeps_id) {
  if (!luna_mutation_is_structured(op))
    return;
  Pairs *pairs = LUNA_ARENA_ARRAY(search->arena, Pairs, 1);
  pairs->keeps_id = keeps_id;
  offer_pairs(search, op, pairs, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      offer_pairs(search, op, pairs, mlirBlockGetTerminator(luna_body(op, r)));
}

static void join_offsets(Search *search, MlirOperation op) {
  join_pairs(search, op, true);
}

static void join_buffers(Search *search, MlirOperation op) {
  join_pairs(search, op, false);
}

static const LunaMutation rows[] = {
    {.name = "offset-swept", .visit = sweep_offset},
    {.name = "offset-stepped", .visit = step_offset},
    {.name = "offset-misaligned", .visit = misalign},
    {.name = "offset-outside", .visit = leave_arena, .is_wrong = true},
    {.name = "arena-shrunk", .visit = shrink_arena},
    {.name = "allocation-moved-alone", .visit = move_alone},
    {.name = "allocation-hoisted", .visit = hoist_allocation},
    {.name = "offsets-exchanged", .visit = exchange_offsets},
    {.name = "pair-at-one-offset", .visit = join_offsets},
    {.name = "pair-is-one-buffer", .visit = join_buffers},
    {.name = "bare-offset-swept", .visit = sweep_offset, .is_bare = true},
    {.name = "bare-offset-outside",
     .visit = leave_arena,
     .is_wrong = true,
     .is_bare = true},
    {.name = "bare-pair-at-one-offset", .visit = join_offsets, .is_bare = true},
};

const LunaMutationTable luna_mutations_of_places = {rows, sizeof rows /
                                                              sizeof rows[0]};
