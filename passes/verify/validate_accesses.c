#include "validate_accesses.h"

#include "luna-c/ops.h"
#include "validate_carried.h"
#include "validate_conditions.h"
#include "validate_flights.h"
#include "validate_report.h"
#include "validate_self.h"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// Returns the condition that an option holds on the current path.
static LunaTerm path_of(LunaSide *side, const LunaOption *option) {
  return luna_condition_and(side->terms, side->path, option->condition);
}

// The bytes of a place, counted from the first of its buffer.
static LunaPiece bytes_of(const LunaPlace *place) {
  LunaPiece span = luna_place_span(place);
  return (LunaPiece){span.begin - place->buffer->begin_bytes,
                     span.end - place->buffer->begin_bytes};
}

static bool check_bounds(LunaSide *side, const LunaPlace *place) {
  LunaPiece bytes = bytes_of(place);
  if (luna_place_bytes(place) == 0 ||
      (bytes.begin >= 0 && bytes.end <= place->buffer->size_bytes))
    return true;
  return luna_side_fail(side, side->op,
                        "accesses bytes [%lld, %lld) of %s, which has %lld",
                        (long long)bytes.begin, (long long)bytes.end,
                        luna_validate_buffer(side, place->buffer),
                        (long long)place->buffer->size_bytes);
}

// Transfers have an alignment of their own.
static bool check_alignment(LunaSide *side, const LunaPlace *place) {
  bool is_transfer = luna_op_is(side->op, LUNA_OP_LUNA_DMA_START);
  int64_t needed =
      is_transfer ? side->limits->granule_bytes : place->element_bytes;
  if (luna_carried_is_aligned(side, place, needed))
    return true;
  return luna_side_fail(side, side->op,
                        "%s byte %lld of %s, needs an address that is a "
                        "multiple of %lld",
                        is_transfer ? "transfers from or to" : "accesses",
                        (long long)bytes_of(place).begin,
                        luna_validate_buffer(side, place->buffer),
                        (long long)needed);
}

// Constants keep their contents: the next call reads them again.
static bool check_target(LunaSide *side, const LunaPlace *place) {
  if (!place->buffer->symbol.data)
    return true;
  LunaPiece bytes = bytes_of(place);
  return luna_side_fail(side, side->op,
                        "writes bytes [%lld, %lld) of %s, which is a constant",
                        (long long)bytes.begin, (long long)bytes.end,
                        luna_validate_buffer(side, place->buffer));
}

static bool check_flights(LunaSide *side, const LunaOption *option,
                          bool writes) {
  bool is_into = false;
  if (!side->state.flights)
    return true;
  LunaTerm path = path_of(side, option);
  const LunaFlight *flight =
      luna_flights_meet(side, option->place, path, writes, &is_into);
  if (!flight)
    return true;
  LunaPiece bytes = bytes_of(option->place);
  luna_side_fail(
      side, side->op,
      "%s bytes [%lld, %lld) of %s while a transfer %s them is in flight%s",
      writes ? "writes" : "reads", (long long)bytes.begin, (long long)bytes.end,
      luna_validate_buffer(side, option->place->buffer),
      is_into ? "into" : "out of",
      luna_validate_path(side,
                         luna_condition_and(side->terms, path, flight->path)));
  return luna_side_note(side, flight->start, "started here");
}

static bool is_right(LunaSide *side, const LunaOperandAccess *access,
                     const LunaOption *option) {
  if (!check_bounds(side, option->place))
    return false;
  return !side->is_plan ||
         (check_alignment(side, option->place) &&
          (!access->writes || check_target(side, option->place)) &&
          check_flights(side, option, access->writes));
}

// What is wrong with a place counts where the pointer points there.
static bool check_place(LunaSide *side, const LunaOperandAccess *access,
                        const LunaOption *option) {
  return is_right(side, access, option) ||
         path_of(side, option) == LUNA_TERM_FALSE;
}

static bool check_access(LunaSide *side, const LunaOperandAccess *access) {
  for (uint64_t i = 0; i < access->pointer->count; ++i)
    if (!check_place(side, access, &access->pointer->items[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

// Parts of one buffer that are known only while running may alternate.
static bool are_open_parts(const LunaPlace *a, const LunaPlace *b) {
  return (a->window || b->window) && a->memory == b->memory &&
         a->buffer->begin_bytes == b->buffer->begin_bytes &&
         a->buffer->size_bytes == b->buffer->size_bytes;
}

// Two operands of which one is written.
typedef struct Pair {
  const LunaOperandAccess *a, *b;
} Pair;

static bool may_be_one(LunaSide *side, const Pair *pair, const LunaPlace *p,
                       const LunaPlace *q) {
  return luna_place_equal(p, q) &&
         luna_accesses_may_be_one(side, pair->a, pair->b);
}

static bool check_places(LunaSide *side, const Pair *pair, const LunaOption *p,
                         const LunaOption *q) {
  // Conditions last: those of buffers that many branches exchange are large.
  if (!luna_carried_may_share(side, p->place, q->place) ||
      may_be_one(side, pair, p->place, q->place) ||
      are_open_parts(p->place, q->place) ||
      luna_condition_excludes(side->terms, p->condition, q->condition))
    return true;
  LunaTerm both = luna_condition_and(
      side->terms, side->path,
      luna_condition_and(side->terms, p->condition, q->condition));
  if (both == LUNA_TERM_FALSE)
    return true;
  return luna_side_fail(side, side->op,
                        "uses %s and %s at once, which overlap%s",
                        luna_validate_buffer(side, p->place->buffer),
                        luna_validate_buffer(side, q->place->buffer),
                        luna_validate_path(side, both));
}

// A write would change the other operand while the operator runs.
static bool check_pair(LunaSide *side, Pair pair) {
  if (!pair.a->writes && !pair.b->writes)
    return true;
  const LunaPointer *p = pair.a->pointer, *q = pair.b->pointer;
  for (uint64_t i = 0; i < p->count; ++i)
    for (uint64_t k = 0; k < q->count; ++k)
      if (!check_places(side, &pair, &p->items[i], &q->items[k]))
        return false;
  return true;
}

static bool check_pairs(LunaSide *side, const LunaOperandAccesses *accesses) {
  for (uint64_t i = 0; i < accesses->count; ++i)
    for (uint64_t k = 0; k < i; ++k)
      if (!check_pair(side, (Pair){&accesses->items[k], &accesses->items[i]}))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Bytes that nothing wrote
//===----------------------------------------------------------------------===//

// Returns the condition that one of the bytes that are read is defined.
static LunaTerm defined_where(LunaSide *side, const LunaRuns *runs) {
  LunaTerm defined = LUNA_TERM_FALSE;
  for (uint32_t i = 0; i < runs->count && defined != LUNA_TERM_TRUE; ++i)
    defined = luna_condition_or(
        side->terms, defined,
        luna_term_defined(side->terms, runs->items[i].value.term));
  return defined;
}

static bool is_written(LunaSide *side, const LunaOperandAccess *access) {
  LunaRuns runs = luna_side_read(side, access->pointer);
  LunaTerm missing = luna_condition_and(
      side->terms, side->path,
      luna_condition_not(side->terms, defined_where(side, &runs)));
  if (runs.count == 0 || missing == LUNA_TERM_FALSE)
    return true;
  const LunaPlace *place = luna_validate_place(side, access->pointer, missing);
  LunaPiece bytes = bytes_of(place);
  luna_side_fail(side, side->op,
                 "reads bytes [%lld, %lld) of %s, which nothing has written%s",
                 (long long)bytes.begin, (long long)bytes.end,
                 luna_validate_buffer(side, place->buffer),
                 luna_validate_path(side, missing));
  return luna_side_note(side, place->buffer->op, "allocated here");
}

bool luna_accesses_are_written(LunaSide *side,
                               const LunaOperandAccesses *accesses) {
  for (uint64_t i = 0; i < accesses->count; ++i)
    if (accesses->items[i].reads && !is_written(side, &accesses->items[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool luna_accesses_check(LunaSide *side, const LunaOperandAccesses *accesses) {
  for (uint64_t i = 0; i < accesses->count; ++i)
    if (!check_access(side, &accesses->items[i]))
      return false;
  return (!side->is_plan || check_pairs(side, accesses)) &&
         (!side->is_self || luna_self_check(side, accesses));
}
