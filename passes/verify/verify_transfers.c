#include "verify_transfers.h"

#include <string.h>

#include "luna-c/dialect.h"
#include "verify_carried.h"
#include "verify_conditions.h"
#include "verify_report.h"

typedef LunaFlight Flight;
typedef LunaFlights Flights;

static uint32_t count_of(const Flights *flights) {
  return flights ? flights->count : 0;
}

static Flights *new_flights(LunaSide *side, uint32_t room) {
  Flights *flights =
      luna_arena_alloc(side->arena, 1, sizeof *flights + room * sizeof(Flight));
  flights->count = 0;
  return flights;
}

// A copy with room for `more`.
static Flights *copy_of(LunaSide *side, const Flights *from, uint32_t more) {
  Flights *copy = new_flights(side, count_of(from) + more);
  copy->count = count_of(from);
  if (copy->count > 0)
    memcpy(copy->items, from->items, copy->count * sizeof *copy->items);
  return copy;
}

// The same transfer, on whatever path.
static bool is_same(const Flight *a, const Flight *b) {
  return luna_same_value(a->owner, b->owner) &&
         mlirOperationEqual(a->start, b->start) &&
         luna_pointer_equal(a->reads, b->reads) &&
         luna_pointer_equal(a->writes, b->writes);
}

static const Flight *find(const Flights *flights, const Flight *flight) {
  for (uint32_t i = 0; i < count_of(flights); ++i)
    if (is_same(&flights->items[i], flight))
      return &flights->items[i];
  return NULL;
}

bool luna_flights_contain(const Flights *a, const Flights *b) {
  for (uint32_t i = 0; i < count_of(b); ++i)
    if (!find(a, &b->items[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Starting and awaiting
//===----------------------------------------------------------------------===//

// The condition that the token of transfer `i` owns one that is in flight;
// false if an earlier transfer has the same token.
static LunaTerm owner_path(LunaSide *side, const Flights *flights, uint32_t i) {
  LunaTerm path = LUNA_TERM_FALSE;
  for (uint32_t k = 0; k < flights->count; ++k) {
    const Flight *flight = &flights->items[k];
    if (!luna_same_value(flights->items[i].owner, flight->owner))
      continue;
    if (k < i)
      return LUNA_TERM_FALSE;
    path = luna_condition_or(side->terms, path, flight->path);
  }
  return luna_condition_and(side->terms, side->path, path);
}

// Returns the conditions that at least n tokens own a transfer, by n.
static LunaTerm *find_counts(LunaSide *side, const Flights *flights) {
  uint32_t most = flights->count;
  LunaTerm *counts = LUNA_ARENA_ARRAY(side->arena, LunaTerm, most + 1);
  for (uint32_t n = 0; n <= most; ++n)
    counts[n] = n == 0 ? LUNA_TERM_TRUE : LUNA_TERM_FALSE;
  for (uint32_t i = 0; i < most; ++i) {
    LunaTerm owns = owner_path(side, flights, i);
    for (uint32_t n = i + 1; n > 0; --n)
      counts[n] = luna_term_either(side->terms, owns, counts[n - 1], counts[n]);
  }
  return counts;
}

static bool check_count(LunaSide *side, const Flights *flights) {
  uint32_t allowed = side->limits->outstanding, most = flights->count;
  if (most <= allowed)
    return true;
  const LunaTerm *counts = find_counts(side, flights);
  while (counts[most] == LUNA_TERM_FALSE)
    --most;
  if (most <= allowed)
    return true;
  luna_side_fail(side, side->op,
                 "makes %u transfers in flight, machine '%s' allows %u%s",
                 (unsigned)most, side->limits->machine->name, (unsigned)allowed,
                 luna_side_path_name(side, counts[allowed + 1]));
  return luna_side_note(side, flights->items[0].start,
                        "still in flight from here");
}

bool luna_flights_start(LunaSide *side, MlirOperation start) {
  Flights *flights = copy_of(side, side->state.flights, 1);
  flights->items[flights->count++] = (Flight){
      .owner = mlirOperationGetResult(start, 0),
      .start = start,
      .path = side->path,
      .reads = luna_side_pointer(side, start, 0),
      .writes = luna_side_pointer(side, start, 1),
  };
  side->state.flights = flights;
  return check_count(side, flights);
}

void luna_flights_await(LunaSide *side, MlirValue token) {
  const Flights *before = side->state.flights;
  Flights *left = new_flights(side, count_of(before));
  for (uint32_t i = 0; i < count_of(before); ++i)
    if (!luna_same_value(before->items[i].owner, token))
      left->items[left->count++] = before->items[i];
  side->state.flights = left->count > 0 ? left : NULL;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void luna_flights_forward_all(LunaSide *side, const MlirValue *from,
                              const MlirValue *to, intptr_t count) {
  if (!side->state.flights)
    return;
  Flights *flights = copy_of(side, side->state.flights, 0);
  for (uint32_t i = 0; i < flights->count; ++i)
    for (intptr_t k = 0; k < count; ++k)
      if (luna_same_value(side->state.flights->items[i].owner, from[k]))
        flights->items[i].owner = to[k];
  side->state.flights = flights;
}

void luna_flights_forward(LunaSide *side, MlirValue from, MlirValue to) {
  luna_flights_forward_all(side, &from, &to, 1);
}

static void add_where(LunaSide *side, Flights *into, const Flights *from,
                      LunaTerm path) {
  for (uint32_t i = 0; i < count_of(from); ++i) {
    Flight flight = from->items[i];
    flight.path = luna_condition_and(side->terms, flight.path, path);
    Flight *known = (Flight *)find(into, &flight);
    if (known)
      known->path = luna_condition_or(side->terms, known->path, flight.path);
    else
      into->items[into->count++] = flight;
  }
}

const Flights *luna_flights_join(LunaSide *side, const Flights *a,
                                 LunaTerm a_path, const Flights *b,
                                 LunaTerm b_path) {
  if (!a && !b)
    return NULL;
  Flights *joined = new_flights(side, count_of(a) + count_of(b));
  add_where(side, joined, a, a_path);
  add_where(side, joined, b, b_path);
  return joined;
}

static bool is_within(LunaPiece inner, LunaPiece outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

// What holds behind an edge: a value of the iteration that ends says nothing of
// the next one.
static LunaTerm behind(const LunaSide *side, const LunaEdge *edge,
                       LunaTerm condition, LunaTerm otherwise) {
  bool varies = !mlirOperationIsNull(edge->leaves) &&
                luna_term_loops(side->terms, condition) != 0;
  return varies ? otherwise : condition;
}

// Adds what a place is called behind the edge.
static void add_renamed(LunaSide *side, const LunaOption *option,
                        const LunaEdge *edge, LunaPointer *into) {
  const LunaPlace *place = option->place;
  LunaTerm condition = behind(side, edge, option->condition, LUNA_TERM_TRUE);
  for (intptr_t i = 0; i < edge->count; ++i) {
    const LunaPlace *from = edge->renamings[i].from;
    const LunaPlace *to = edge->renamings[i].to;
    if (from->memory != place->memory ||
        !is_within(luna_place_span(place), luna_place_span(from)))
      continue;
    LunaPlace *copy = LUNA_ARENA_ARRAY(side->arena, LunaPlace, 1);
    *copy = *place;
    copy->memory = to->memory;
    copy->buffer = to->buffer;
    copy->offset_bytes += to->offset_bytes - from->offset_bytes;
    *LUNA_VECTOR_ADD(side->arena, into) = (LunaOption){copy, condition};
    return;
  }
  if (!luna_carried_expand(side, edge->leaves, place, into))
    *LUNA_VECTOR_ADD(side->arena, into) = (LunaOption){place, condition};
}

static const LunaPointer *renamed(LunaSide *side, const LunaPointer *pointer,
                                  const LunaEdge *edge) {
  LunaPointer *result = luna_pointer_to(side, NULL);
  for (uint64_t i = 0; i < pointer->count; ++i)
    add_renamed(side, &pointer->items[i], edge, result);
  return result;
}

void luna_flights_rename(LunaSide *side, const LunaEdge *edge) {
  if (!side->state.flights)
    return;
  Flights *flights = copy_of(side, side->state.flights, 0);
  for (uint32_t i = 0; i < flights->count; ++i) {
    Flight *flight = &flights->items[i];
    flight->reads = renamed(side, flight->reads, edge);
    flight->writes = renamed(side, flight->writes, edge);
    flight->path = behind(side, edge, flight->path, edge->path);
  }
  side->state.flights = flights;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool meets(LunaSide *side, const LunaPointer *options,
                  const LunaPlace *place, LunaTerm path) {
  for (uint64_t i = 0; i < options->count; ++i)
    if (luna_carried_may_share(side, options->items[i].place, place) &&
        luna_condition_and(side->terms, path, options->items[i].condition) !=
            LUNA_TERM_FALSE)
      return true;
  return false;
}

const Flight *luna_flights_meet(LunaSide *side, const LunaPlace *place,
                                LunaTerm path, bool writes, bool *is_into) {
  const Flights *flights = side->state.flights;
  for (uint32_t i = 0; i < count_of(flights); ++i) {
    const Flight *flight = &flights->items[i];
    LunaTerm both = luna_condition_and(side->terms, path, flight->path);
    *is_into = meets(side, flight->writes, place, both);
    if (*is_into || (writes && meets(side, flight->reads, place, both)))
      return flight;
  }
  return NULL;
}
