#include "luna-c/ops.h"
#include "luna/tiles.h"
#include "luna/units.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_desc.h"
#include "verify_carried.h"
#include "verify_conditions.h"
#include "verify_flow.h"
#include "verify_report.h"
#include "verify_rules.h"
#include "verify_transfers.h"

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
  if (luna_place_is_inside(place))
    return true;
  LunaPiece bytes = bytes_of(place);
  return luna_side_fail(side, side->op,
                        "accesses bytes [%lld, %lld) of %s, which has %lld",
                        (long long)bytes.begin, (long long)bytes.end,
                        luna_side_buffer_name(side, place->buffer),
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
                        luna_side_buffer_name(side, place->buffer),
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
                        luna_side_buffer_name(side, place->buffer));
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
      luna_side_buffer_name(side, option->place->buffer),
      is_into ? "into" : "out of",
      luna_side_path_name(side,
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
// Operators that may write over what they read
//===----------------------------------------------------------------------===//

// The checker's own rule: each element is read and written at one place in
// one iteration, by operators of the core and by those of the unit where the
// machine's unit works in place.

// The indexing map of operand `i`, or null.
static MlirAttribute map_of(MlirOperation op, intptr_t i) {
  MlirAttribute maps = luna_attr(op, "indexing_maps");
  bool has_maps = !mlirAttributeIsNull(maps) && mlirAttributeIsAArray(maps) &&
                  i < mlirArrayAttrGetNumElements(maps);
  return has_maps ? mlirArrayAttrGetElement(maps, i) : mlirAttributeGetNull();
}

// True if `map` names a place that no other iteration names.
static bool is_of_one_iteration(MlirAttribute map) {
  return !mlirAttributeIsNull(map) &&
         mlirAffineMapIsPermutation(mlirAffineMapAttrGetValue(map));
}

// True if all operands that are one of both values have one map.
static bool are_indexed_alike(MlirOperation op, MlirValue a, MlirValue b) {
  MlirAttribute first = mlirAttributeGetNull();
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!luna_same_value(operand, a) && !luna_same_value(operand, b))
      continue;
    MlirAttribute map = map_of(op, i);
    if (!is_of_one_iteration(map) ||
        (!mlirAttributeIsNull(first) && !mlirAttributeEqual(first, map)))
      return false;
    first = map;
  }
  return !mlirAttributeIsNull(first);
}

static bool is_output(MlirOperation op, MlirValue value) {
  return luna_same_value(luna_unit_output(op), value);
}

static bool is_aside(MlirOperation op, MlirValue value) {
  return luna_same_value(luna_unit_operand(op, LUNA_ROLE_TABLE), value) ||
         luna_same_value(luna_unit_operand(op, LUNA_ROLE_SCRATCH), value);
}

// Elementwise calls and tables, where the unit works in place or the core does
// the work.
static bool unit_works_in_place(const LunaMachine *machine, MlirOperation op) {
  LunaUnitDesc desc;
  if (!luna_unit_desc_read(op, &desc))
    return false;
  return luna_unit_class_in_place(desc.unit_class, machine) ||
         (desc.unit_class == LUNA_UNIT_ELTWISE &&
          !luna_eltwise_is_native(machine, &desc.as.eltwise));
}

static bool may_be_one_buffer(const LunaSide *side, const LunaOperandAccess *a,
                              const LunaOperandAccess *b) {
  MlirOperation op = side->op;
  if (luna_op_is_unit(op))
    return (is_output(op, a->value) || is_output(op, b->value)) &&
           !is_aside(op, a->value) && !is_aside(op, b->value) &&
           unit_works_in_place(side->limits->machine, op);
  if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return !a->is_captured && !b->is_captured &&
           (luna_op_is(op, LUNA_OP_LINALG_MAP) ||
            are_indexed_alike(op, a->value, b->value));
  return luna_op_is(op, LUNA_OP_MEMREF_COPY);
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
  return luna_place_equal(p, q) && may_be_one_buffer(side, pair->a, pair->b);
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
                        luna_side_buffer_name(side, p->place->buffer),
                        luna_side_buffer_name(side, q->place->buffer),
                        luna_side_path_name(side, both));
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
  const LunaPlace *place =
      luna_side_place_where(side, access->pointer, missing);
  LunaPiece bytes = bytes_of(place);
  luna_side_fail(side, side->op,
                 "reads bytes [%lld, %lld) of %s, which nothing has written%s",
                 (long long)bytes.begin, (long long)bytes.end,
                 luna_side_buffer_name(side, place->buffer),
                 luna_side_path_name(side, missing));
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
