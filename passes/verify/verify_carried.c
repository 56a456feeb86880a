#include "verify_carried.h"

#include <stdlib.h>
#include <string.h>

#include "structure.h"
#include "verify_conditions.h"

typedef LunaCarriedName Name;

// The number of what is no carried memref.
static const uint32_t static_number = UINT32_MAX;

static uint32_t number_of(const LunaSide *side, uint32_t memory) {
  return luna_map_find(&side->carried->numbers, luna_map_number(memory));
}

static Name *name_at(const LunaSide *side, uint32_t number) {
  return &side->carried->names.items[number];
}

static bool meet(LunaPiece a, LunaPiece b) {
  return a.begin < b.end && b.begin < a.end;
}

//===----------------------------------------------------------------------===//
// Orbits
//===----------------------------------------------------------------------===//

// The extents of another orbit stand in about the same order: `*hint` is where
// to look first, and becomes the one behind that which was found.
static bool has_extent(const Name *name, const LunaExtent *extent,
                       uint64_t *hint) {
  for (uint64_t n = 0; n < name->orbit.count; ++n) {
    uint64_t i = (*hint + n) % name->orbit.count;
    const LunaExtent *own = &name->orbit.items[i];
    if (own->memory == extent->memory &&
        own->bytes.begin <= extent->bytes.begin &&
        own->bytes.end >= extent->bytes.end) {
      *hint = i + 1;
      return true;
    }
  }
  return false;
}

// An iteration of the program has its own execution of what its body allocates:
// the next one begins another buffer.
static bool is_fresh(const LunaSide *side, const Name *name,
                     const LunaExtent *extent) {
  return !side->is_plan && !mlirOperationIsNull(extent->allocation) &&
         luna_is_within(extent->allocation, name->loop);
}

static bool add_extent(LunaSide *side, Name *name, LunaExtent extent,
                       uint64_t *hint) {
  if (is_fresh(side, name, &extent) || has_extent(name, &extent, hint))
    return false;
  *LUNA_VECTOR_ADD(side->arena, &name->orbit) = extent;
  return true;
}

static bool add_place(LunaSide *side, Name *name, const LunaPlace *place) {
  uint32_t other = number_of(side, place->memory);
  uint64_t hint = 0;
  if (other == static_number)
    return add_extent(
        side, name,
        (LunaExtent){place->memory, luna_place_span(place), place->buffer->op},
        &hint);
  bool has_changed = false;
  for (uint64_t i = 0; i < name_at(side, other)->orbit.count; ++i)
    has_changed |=
        add_extent(side, name, name_at(side, other)->orbit.items[i], &hint);
  return has_changed;
}

static bool add_places(LunaSide *side, Name *name, const LunaPointer *pointer) {
  bool has_changed = false;
  for (uint64_t i = 0; pointer && i < pointer->count; ++i)
    has_changed |= add_place(side, name, pointer->items[i].place);
  return has_changed;
}

static int by_address(const void *a, const void *b) {
  const LunaExtent *x = a, *y = b;
  return x->memory != y->memory
             ? (x->memory > y->memory) - (x->memory < y->memory)
             : (x->bytes.begin > y->bytes.begin) -
                   (x->bytes.begin < y->bytes.begin);
}

// Finds the bytes of the orbit: buffers that a loop rotates often lie side by
// side.
static void find_bytes(LunaSide *side, Name *name) {
  if (name->extent_count == name->orbit.count)
    return;
  uint64_t count = name->extent_count = name->orbit.count;
  LunaExtent *extents = LUNA_ARENA_ARRAY(side->arena, LunaExtent, count);
  memcpy(extents, name->orbit.items, count * sizeof *extents);
  qsort(extents, count, sizeof *extents, by_address);
  name->bytes.count = 0;
  for (uint64_t i = 0; i < count; ++i) {
    LunaExtent *last = i > 0 ? &name->bytes.items[name->bytes.count - 1] : NULL;
    if (!last || last->memory != extents[i].memory ||
        last->bytes.end < extents[i].bytes.begin)
      *LUNA_VECTOR_ADD(side->arena, &name->bytes) = extents[i];
    else if (last->bytes.end < extents[i].bytes.end)
      last->bytes.end = extents[i].bytes.end;
  }
}

static bool orbit_meets(LunaSide *side, Name *name, const LunaPlace *place) {
  LunaPiece span = luna_place_span(place);
  find_bytes(side, name);
  for (uint64_t i = 0; i < name->bytes.count; ++i)
    if (name->bytes.items[i].memory == place->memory &&
        meet(name->bytes.items[i].bytes, span))
      return true;
  return false;
}

bool luna_carried_is_aligned(const LunaSide *side, const LunaPlace *place,
                             int64_t bytes) {
  uint32_t number = number_of(side, place->memory);
  bool is_aligned = place->offset_bytes % bytes == 0;
  if (number == static_number)
    return is_aligned;
  const Name *name = name_at(side, number);
  for (uint64_t i = 0; i < name->orbit.count; ++i)
    is_aligned = is_aligned && name->orbit.items[i].bytes.begin % bytes == 0;
  return is_aligned;
}

//===----------------------------------------------------------------------===//
// Pairs that are apart: the largest set that no edge contradicts
//===----------------------------------------------------------------------===//

static bool may_share(LunaSide *side, const LunaPlace *a, const LunaPlace *b);

static bool may_meet(LunaSide *side, const LunaPointer *a,
                     const LunaPointer *b) {
  for (uint64_t i = 0; i < a->count; ++i)
    for (uint64_t k = 0; k < b->count; ++k)
      if (may_share(side, a->items[i].place, b->items[k].place) &&
          !luna_condition_excludes(side->terms, a->items[i].condition,
                                   b->items[k].condition))
        return true;
  return false;
}

// Returns true if `name` may be in the buffer of memory `memory` on an edge to
// its loop, which does not move that one.
static bool may_become(LunaSide *side, const Name *name,
                       const LunaPointer *from, uint32_t memory) {
  LunaPlace other = {.memory = memory};
  for (uint64_t i = 0; from && i < from->count; ++i)
    if (from->items[i].place->memory != name->memory &&
        may_share(side, from->items[i].place, &other))
      return true;
  return false;
}

// Returns true if `a` is carried in the loop of `b` or behind it: `b` stays
// where it is as long as `a` moves.
static bool moves_within(MlirOperation a, MlirOperation b) {
  if (luna_is_within(a, b))
    return true;
  for (; !mlirOperationIsNull(b) && !luna_is_within(b, a);
       b = mlirOperationGetParentOperation(b)) {
    MlirOperation at = luna_ancestor_in_block(a, mlirOperationGetBlock(b));
    if (!mlirOperationIsNull(at))
      return !mlirOperationEqual(at, b) && mlirOperationIsBeforeInBlock(b, at);
  }
  return false;
}

static bool is_contradicted(LunaSide *side, uint32_t a, uint32_t b) {
  Name p = *name_at(side, a), q = *name_at(side, b);
  if (mlirOperationEqual(p.loop, q.loop))
    return may_meet(side, p.initial, q.initial) ||
           (p.back && q.back && may_meet(side, p.back, q.back));
  if (!moves_within(p.loop, q.loop)) {
    Name swapped = p;
    p = q;
    q = swapped;
  }
  return may_become(side, &p, p.initial, q.memory) ||
         may_become(side, &p, p.back, q.memory);
}

// Removes pairs until no edge contradicts those that are left.
static void remove_contradicted(LunaSide *side) {
  LunaCarriedNames *carried = side->carried;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (uint64_t i = 0; i < carried->pairs.count; ++i) {
      LunaCarriedPair pair = carried->pairs.items[i];
      if (!pair.is_apart || !is_contradicted(side, pair.a, pair.b))
        continue;
      carried->pairs.items[i].is_apart = false;
      ++carried->version;
      has_changed = true;
    }
  }
}

// A pair is assumed to be apart when it is asked for first.
static bool are_apart(LunaSide *side, uint32_t a, uint32_t b) {
  LunaCarriedNames *carried = side->carried;
  LunaCarriedPair pair = {a < b ? a : b, a < b ? b : a, true};
  uint32_t index =
      luna_map_add(&carried->pair_keys, side->arena,
                   luna_map_number((uint64_t)pair.a << 32 | pair.b));
  if (index < carried->pairs.count)
    return carried->pairs.items[index].is_apart;
  *LUNA_VECTOR_ADD(side->arena, &carried->pairs) = pair;
  if (is_contradicted(side, pair.a, pair.b)) {
    carried->pairs.items[index].is_apart = false;
    remove_contradicted(side);
  }
  return carried->pairs.items[index].is_apart;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static LunaPiece piece_at(const LunaPieces *pieces, uint32_t i) {
  int64_t begin = pieces->items[i].begin;
  return (LunaPiece){begin, begin + pieces->unit_bytes * pieces->unit_count};
}

static bool pieces_meet(LunaSide *side, const LunaPlace *a,
                        const LunaPlace *b) {
  LunaPieces p = luna_place_pieces(side, a), q = luna_place_pieces(side, b);
  uint32_t i = 0, k = 0;
  while (i < p.count && k < q.count) {
    LunaPiece first = piece_at(&p, i), second = piece_at(&q, k);
    if (meet(first, second))
      return true;
    bool is_first = first.end <= second.begin;
    i += is_first;
    k += !is_first;
  }
  return false;
}

static bool may_share(LunaSide *side, const LunaPlace *a, const LunaPlace *b) {
  uint32_t p = number_of(side, a->memory), q = number_of(side, b->memory);
  if (a->memory == b->memory)
    return p != static_number || meet(luna_place_span(a), luna_place_span(b));
  if (p == static_number && q == static_number)
    return false;
  if (p == static_number || q == static_number)
    return p == static_number ? orbit_meets(side, name_at(side, q), a)
                              : orbit_meets(side, name_at(side, p), b);
  return !are_apart(side, p, q);
}

bool luna_carried_may_share(LunaSide *side, const LunaPlace *a,
                            const LunaPlace *b) {
  if (a->memory != b->memory)
    return may_share(side, a, b);
  return meet(luna_place_span(a), luna_place_span(b)) &&
         (a->window || b->window || pieces_meet(side, a, b));
}

bool luna_carried_expand(LunaSide *side, MlirOperation loop,
                         const LunaPlace *place, LunaPointer *into) {
  uint32_t number = number_of(side, place->memory);
  if (number == static_number ||
      !luna_is_within(name_at(side, number)->loop, loop))
    return false;
  Name *name = name_at(side, number);
  find_bytes(side, name);
  for (uint64_t i = 0; i < name->bytes.count; ++i) {
    LunaExtent extent = name->bytes.items[i];
    LunaPlace *bytes = LUNA_ARENA_ARRAY(side->arena, LunaPlace, 1);
    *bytes = (LunaPlace){.memory = extent.memory,
                         .buffer = place->buffer,
                         .offset_bytes = extent.bytes.begin,
                         .element_bytes = 1,
                         .rank = 1,
                         .shape = {extent.bytes.end - extent.bytes.begin},
                         .strides = {1}};
    *LUNA_VECTOR_ADD(side->arena, into) = (LunaOption){bytes, LUNA_TERM_TRUE};
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What a loop carries
//===----------------------------------------------------------------------===//

const LunaBuffer *luna_carried_name(LunaSide *side, MlirOperation loop,
                                    MlirValue argument,
                                    const LunaPointer *initial,
                                    int64_t size_bytes) {
  LunaCarriedNames *carried = side->carried;
  LunaBuffer buffer = *initial->items[0].place->buffer;
  buffer.memory = luna_side_memory(side, argument.ptr, size_bytes);
  buffer.begin_bytes = 0;
  buffer.freshness = 0;
  buffer.size_bytes = size_bytes;
  uint32_t number = luna_map_add(&carried->numbers, side->arena,
                                 luna_map_number(buffer.memory));
  if (number == carried->names.count)
    *LUNA_VECTOR_ADD(side->arena, &carried->names) =
        (Name){.memory = buffer.memory, .loop = loop};
  name_at(side, number)->initial = initial;
  name_at(side, number)->back = NULL;
  carried->is_settled = false;
  add_places(side, name_at(side, number), initial);
  return luna_side_buffer(side, buffer);
}

void luna_carried_set_back(LunaSide *side, uint32_t memory,
                           const LunaPointer *back) {
  Name *name = name_at(side, number_of(side, memory));
  if (name->back && luna_pointer_equal(name->back, back))
    return;
  name->back = back;
  side->carried->is_settled = false;
}

// Sweeps in both directions: buffers are exchanged in order mostly.
uint64_t luna_carried_settle(LunaSide *side) {
  LunaCarriedNames *carried = side->carried;
  uint32_t count = (uint32_t)carried->names.count;
  if (carried->is_settled)
    return carried->version;
  for (bool has_changed = count > 0; has_changed;) {
    has_changed = false;
    for (uint32_t i = 0; i < 2 * count; ++i) {
      Name *name = name_at(side, i < count ? i : 2 * count - 1 - i);
      has_changed |= add_places(side, name, name->initial);
      has_changed |= add_places(side, name, name->back);
    }
    carried->version += has_changed;
  }
  remove_contradicted(side);
  carried->is_settled = true;
  return carried->version;
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

// A write where a memref may be, and the value that other names of its bytes
// have then.
typedef struct Loss {
  const LunaPlace *place;
  LunaTerm condition; // under which the memref is there
  LunaByte lost;
} Loss;

static void lose(LunaSide *side, const Loss *loss, uint32_t memory,
                 LunaPiece bytes) {
  LunaPieces pieces = luna_pieces_of(side->arena, bytes);
  LunaRuns old = luna_memory_read(side->arena, &side->state, memory, &pieces);
  LunaRuns runs =
      luna_runs_of(side->arena, loss->lost, bytes.end - bytes.begin);
  runs = luna_side_join(side, loss->condition, &runs, &old);
  luna_memory_write(side->arena, &side->state, memory, &pieces, &runs);
}

static void lose_contents(LunaSide *side, const Loss *loss, const Name *name) {
  int64_t byte_count = side->memories.pages.items[name->memory].byte_count;
  lose(side, loss, name->memory, (LunaPiece){0, byte_count});
}

static void lose_others(LunaSide *side, const Loss *loss) {
  LunaCarriedNames *carried = side->carried;
  const LunaPlace *place = loss->place;
  uint32_t own = number_of(side, place->memory);
  for (uint32_t i = 0; i < carried->names.count; ++i)
    if (i != own &&
        (own == static_number ? orbit_meets(side, name_at(side, i), place)
                              : !are_apart(side, i, own)))
      lose_contents(side, loss, name_at(side, i));
  if (own == static_number)
    return;
  Name *name = name_at(side, own);
  find_bytes(side, name);
  for (uint64_t i = 0; i < name->bytes.count; ++i)
    lose(side, loss, name->bytes.items[i].memory, name->bytes.items[i].bytes);
}

// What is lost by writes to one buffer in the body of one loop is one term:
// with a term for each write, a value that each of n branches may have written
// last would be one of n, under conditions of n tests.
static LunaByte lost_through(LunaSide *side, MlirOperation loop,
                             const LunaPlace *place) {
  const uint64_t words[] = {LUNA_TERM_CLOBBER, place->memory,
                            (uint64_t)(uintptr_t)place->buffer->op.ptr,
                            (uint64_t)(uintptr_t)loop.ptr, side->is_plan};
  LunaCarriedNames *carried = side->carried;
  LunaTerm term = luna_term(side->terms, words, 5, LUNA_TERM_VARIES);
  uint32_t index =
      luna_map_add(&carried->lost, side->arena, luna_map_number(term));
  if (index == carried->clobberers.count)
    *LUNA_VECTOR_ADD(side->arena, &carried->clobberers) = side->op;
  return (LunaByte){term, 0};
}

void luna_carried_lose(LunaSide *side, const LunaPointer *pointer) {
  if (side->carried->names.count == 0)
    return;
  MlirOperation loop = luna_loop_around(side->op);
  for (uint64_t i = 0; i < pointer->count; ++i) {
    const LunaOption *option = &pointer->items[i];
    Loss loss = {.place = option->place,
                 .condition =
                     pointer->count > 1 ? option->condition : LUNA_TERM_TRUE,
                 .lost = lost_through(side, loop, option->place)};
    lose_others(side, &loss);
  }
}

MlirOperation luna_carried_clobberer(const LunaSide *side, LunaTerm term) {
  uint32_t index = luna_map_find(&side->carried->lost, luna_map_number(term));
  return index == LUNA_MAP_ABSENT ? (MlirOperation){NULL}
                                  : side->carried->clobberers.items[index];
}
