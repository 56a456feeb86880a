#include "verify_carried.h"
#include "verify_conditions.h"
#include "verify_report.h"
#include "verify_rules.h"

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

// Bytes of an operand that differ, on the paths where `where` holds.
typedef struct Difference {
  int64_t begin, end;
  LunaTerm where;
  LunaByte plan;
} Difference;

static bool find_difference(LunaSide *side, const LunaRuns *program,
                            const LunaRuns *plan, Difference *at) {
  bool is_found = false;
  for (LunaZip zip = luna_runs_zip(program, plan); luna_zip_next(&zip);) {
    LunaTerm where = luna_condition_and(
        side->terms, side->path,
        luna_condition_differs(side->terms, zip.values[0], zip.values[1],
                               zip.end - zip.begin));
    if (where == LUNA_TERM_FALSE && is_found)
      break;
    if (where != LUNA_TERM_FALSE && !is_found)
      *at = (Difference){zip.begin, zip.end, where, zip.values[1]};
    is_found = is_found || where != LUNA_TERM_FALSE;
    at->end = is_found ? zip.end : 0;
  }
  return is_found;
}

// The bytes of a place from position `begin` to `end` of its elements, in its
// memory.
static LunaPiece bytes_at(const LunaPlace *place, int64_t begin, int64_t end) {
  if (place->window)
    return luna_place_span(place);
  return (LunaPiece){luna_place_address(place, begin),
                     luna_place_address(place, end - 1) + 1};
}

// True for a write to a memref that a loop carries, by its own name.
static bool writes_carried(const LunaSide *side, LunaByte clobbered) {
  uint64_t memory = luna_term_words(side->terms, clobbered.term, NULL)[1];
  return luna_map_find(&side->carried->numbers, luna_map_number(memory)) !=
         LUNA_MAP_ABSENT;
}

// The operator that wrote one of `bytes` of a place last, on some path where
// `where` holds, by the name of another buffer if there is such a write; a null
// operator for none.
static MlirOperation find_writer(LunaSide *side, const LunaPlace *place,
                                 LunaPiece bytes, LunaTerm where) {
  MlirOperation own = {NULL};
  for (uint64_t i = side->writes.count; i-- > 0;) {
    const LunaWrite *write = &side->writes.items[i];
    LunaPiece span = luna_place_span(write->place);
    if (write->place->memory != place->memory || span.begin >= bytes.end ||
        span.end <= bytes.begin ||
        luna_condition_and(side->terms, where, write->path) == LUNA_TERM_FALSE)
      continue;
    if (write->place->buffer->begin_bytes != place->buffer->begin_bytes)
      return write->op;
    own = mlirOperationIsNull(own) ? write->op : own;
  }
  return own;
}

// What a loop carries and overwrites by a name from outside or of its body is
// wrong there; everything else, where it is read.
static bool fail(LunaSide *side, const LunaOperandAccess *access,
                 const Difference *at) {
  const LunaPlace *place =
      luna_side_place_where(side, access->pointer, at->where);
  LunaPiece bytes = bytes_at(place, at->begin, at->end);
  MlirOperation other = luna_carried_clobberer(side, at->plan.term);
  bool is_by_other_name =
      !mlirOperationIsNull(other) && !writes_carried(side, at->plan);
  if (mlirOperationIsNull(other))
    other = find_writer(side, place, bytes, at->where);
  bool has_other = !mlirOperationIsNull(other);
  int64_t base = place->buffer->begin_bytes;
  luna_side_fail(side, is_by_other_name ? other : side->op,
                 "%s bytes [%lld, %lld) of %s, which %s%s",
                 is_by_other_name ? "overwrites" : "reads",
                 (long long)(bytes.begin - base), (long long)(bytes.end - base),
                 luna_side_buffer_name(side, place->buffer),
                 is_by_other_name ? "are read by another name"
                 : has_other ? "another buffer has overwritten"
                             : "hold something else in a memory of their own",
                 luna_side_path_name(side, at->where));
  if (is_by_other_name)
    return luna_side_note(side, side->op, "read here");
  return has_other ? luna_side_note(side, other, "overwritten here") : false;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

static bool log_reads(LunaSide *side, const LunaOperandAccesses *accesses) {
  LunaReadLog *log = side->reads;
  uint32_t index =
      luna_map_add(&log->keys, side->arena, luna_map_pointer(side->op.ptr));
  if (index == log->reads.count)
    LUNA_VECTOR_ADD(side->arena, &log->reads);
  LunaRuns *reads = LUNA_ARENA_ARRAY(side->arena, LunaRuns, accesses->count);
  for (uint64_t i = 0; i < accesses->count; ++i)
    if (accesses->items[i].reads)
      reads[i] = luna_side_read(side, accesses->items[i].pointer);
  log->reads.items[index] = reads;
  return luna_accesses_are_written(side, accesses);
}

bool luna_self_check(LunaSide *side, const LunaOperandAccesses *accesses) {
  if (!side->is_plan)
    return log_reads(side, accesses);
  uint32_t index =
      luna_map_find(&side->reads->keys, luna_map_pointer(side->op.ptr));
  for (uint64_t i = 0; index != LUNA_MAP_ABSENT && i < accesses->count; ++i) {
    const LunaOperandAccess *access = &accesses->items[i];
    Difference at = {0};
    if (!access->reads)
      continue;
    LunaRuns plan = luna_side_read(side, access->pointer);
    if (find_difference(side, &side->reads->reads.items[index][i], &plan, &at))
      return fail(side, access, &at);
  }
  return true;
}
