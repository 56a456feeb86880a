#include "sim_access.h"

#include <string.h>

#include "luna/checked.h"
#include "sim_hazard.h"
#include "sim_memory.h"

static LunaSimPlace place_of(const LunaSimAccess *access, int64_t offset) {
  LunaSimPlace place = {
      .op = access->op, .range = access->range, .buffer = access->buffer};
  if (access->range)
    place.offset_bytes =
        (uint64_t)(access->box.low - access->range->base + offset);
  return place;
}

static void check_buffer(LunaSimulator *sim, const LunaSimAccess *access) {
  const LunaSimBuffer *buffer = luna_sim_find_buffer(sim, access->buffer);
  if (!buffer)
    return;
  uintptr_t low = (uintptr_t)access->box.low, base = (uintptr_t)buffer->base;
  uintptr_t end = low + (uintptr_t)access->box.extent_bytes;
  int64_t bytes = luna_align_up((int64_t)buffer->bytes, access->granule_bytes);
  if (low >= base && end <= base + (uintptr_t)bytes)
    return;
  luna_sim_hazard(
      sim, LUNA_HAZARD_OUT_OF_BUFFER, place_of(access, 0),
      "%s covers bytes %lld to %lld of %s, which has %lld", access->role,
      (long long)(low - base), (long long)(end - base),
      luna_sim_buffer_text(sim, access->buffer), (long long)buffer->bytes);
}

static void note_high_water(LunaSimulator *sim, const LunaSimAccess *access) {
  const LunaSimRange *arena = sim->ranges.items;
  while (arena->space != LUNA_SPACE_SHARED)
    if (++arena == sim->ranges.items + sim->ranges.count)
      return;
  if (access->range != arena)
    return;
  uint64_t end = (uint64_t)(access->box.low - arena->base) +
                 (uint64_t)access->box.extent_bytes;
  if (end > sim->result.arena_high_water_bytes)
    sim->result.arena_high_water_bytes = end;
}

void luna_sim_locate(LunaSimulator *sim, LunaSimAccess *access) {
  int64_t extent = access->box.extent_bytes;
  access->range = luna_sim_find_range(sim, access->box.low, extent);
  if (!access->range) {
    luna_sim_hazard(sim, LUNA_HAZARD_OUT_OF_RANGE, place_of(access, 0),
                    "%s of %lld bytes is outside every memory of the program",
                    access->role, (long long)extent);
    return;
  }
  check_buffer(sim, access);
  note_high_water(sim, access);
}

// Returns the transfer whose target, or with `or_source` either end, overlaps a
// run.
static const LunaSimTransfer *transfer_at(const LunaSimulator *sim,
                                          const uint8_t *low, int64_t bytes,
                                          bool or_source) {
  const LunaSimTransfer *transfers = sim->transfers.items;
  for (uint64_t i = 0; i < sim->transfers.count; ++i) {
    const LunaSimTransfer *transfer = &transfers[i];
    uintptr_t at = (uintptr_t)low, end = at + (uintptr_t)bytes;
    uintptr_t target = (uintptr_t)transfer->target;
    uintptr_t source = (uintptr_t)transfer->source;
    uintptr_t length = (uintptr_t)transfer->desc.bytes;
    if ((at < target + length && target < end) ||
        (or_source && at < source + length && source < end))
      return transfer;
  }
  return NULL;
}

// Reports the first transfer that overlaps the access.
static bool check_in_flight(LunaSimulator *sim, const LunaSimAccess *access,
                            bool is_write) {
  const LunaSimBox *box = &access->box;
  if (!transfer_at(sim, box->low, box->extent_bytes, is_write))
    return true;
  int64_t at = 0;
  for (LunaSimRuns runs = luna_sim_runs(box); luna_sim_next_run(&runs, &at);) {
    const LunaSimTransfer *transfer =
        transfer_at(sim, box->low + at, box->run_bytes, is_write);
    if (!transfer)
      continue;
    luna_sim_hazard(
        sim,
        is_write ? LUNA_HAZARD_WRITE_IN_FLIGHT : LUNA_HAZARD_READ_IN_FLIGHT,
        place_of(access, at),
        "%s %s byte %llu of '%s' before the wait for transfer %d of '%s'",
        access->role, is_write ? "is written to" : "is read from",
        (unsigned long long)place_of(access, at).offset_bytes,
        access->range->name, transfer->token,
        luna_simulator_op_name(sim, luna_ids_op(transfer->ids)));
    return false;
  }
  return true;
}

static bool is_other(int32_t found, int32_t expected) {
  return found != LUNA_NO_ID && expected != LUNA_NO_ID && found != expected;
}

// The same constants, in whichever buffer.
static bool is_same(int32_t found, int32_t expected) {
  return found != LUNA_NO_ID && found == expected;
}

// Returns true, and sets `kind`, if bytes of this tag are wrong for the access.
static bool is_wrong(const LunaSimulator *sim, const LunaSimAccess *access,
                     LunaSimTag tag, LunaHazardKind *kind) {
  const LunaSimWriter writer = luna_sim_writer(sim, tag);
  if (tag == LUNA_SIM_TAG_UNDEFINED)
    *kind = LUNA_HAZARD_UNINITIALISED;
  else if (is_other(writer.buffer, access->buffer) &&
           !is_same(writer.content, access->content))
    *kind = LUNA_HAZARD_FOREIGN_VALUE;
  else if (is_other(writer.content, access->content))
    *kind = LUNA_HAZARD_WRONG_CONTENT;
  else
    return false;
  return true;
}

static void report_wrong(LunaSimulator *sim, const LunaSimAccess *access,
                         LunaHazardKind kind, LunaSimTag tag, int64_t at) {
  const LunaSimWriter writer = luna_sim_writer(sim, tag);
  LunaSimPlace place = place_of(access, at);
  unsigned long long offset = place.offset_bytes;
  const char *name = access->range->name;
  if (kind == LUNA_HAZARD_UNINITIALISED)
    luna_sim_hazard(sim, kind, place,
                    "%s reads byte %llu of '%s', which was never written",
                    access->role, offset, name);
  else if (kind == LUNA_HAZARD_FOREIGN_VALUE)
    luna_sim_hazard(
        sim, kind, place, "%s reads byte %llu of '%s' as %s, but it holds %s",
        access->role, offset, name, luna_sim_buffer_text(sim, access->buffer),
        luna_sim_buffer_text(sim, writer.buffer));
  else
    luna_sim_hazard(sim, kind, place,
                    "%s reads byte %llu of '%s' as content %d of %s, but it "
                    "holds content %d",
                    access->role, offset, name, access->content,
                    luna_sim_buffer_text(sim, access->buffer), writer.content);
}

// Returns the length of the run of equal tags at the start of `tags`.
static int64_t equal_tags(const LunaSimTag *tags, int64_t count) {
  if (memcmp(tags, tags + 1, (size_t)(count - 1) * sizeof *tags) == 0)
    return count;
  int64_t length = 1;
  while (length < count && tags[length] == tags[0])
    ++length;
  return length;
}

// What is wrong with the first bytes of an access that hold no value of it.
typedef struct Wrong {
  LunaHazardKind kind;
  LunaSimTag tag;
  int64_t at; // from box.low
} Wrong;

static bool find_wrong(const LunaSimulator *sim, const LunaSimAccess *access,
                       Wrong *wrong) {
  const LunaSimBox *box = &access->box;
  const LunaSimTag *tags =
      access->range->tags + (box->low - access->range->base);
  // Of the last granule only the first byte must hold a value.
  int64_t checked_bytes = box->run_bytes - (access->granule_bytes - 1);
  int64_t at = 0;
  for (LunaSimRuns runs = luna_sim_runs(box); luna_sim_next_run(&runs, &at);)
    for (int64_t i = 0, length = 0; i < checked_bytes; i += length) {
      length = equal_tags(tags + at + i, checked_bytes - i);
      wrong->tag = tags[at + i];
      wrong->at = at + i;
      if (is_wrong(sim, access, wrong->tag, &wrong->kind))
        return true;
    }
  return false;
}

void luna_sim_check_read(LunaSimulator *sim, const LunaSimAccess *access) {
  Wrong wrong;
  if (!access->range || access->box.extent_bytes == 0 ||
      !check_in_flight(sim, access, false))
    return;
  if (find_wrong(sim, access, &wrong))
    report_wrong(sim, access, wrong.kind, wrong.tag, wrong.at);
}

void luna_sim_check_arrived(LunaSimulator *sim, const LunaSimAccess *access) {
  if (access->range && access->box.extent_bytes > 0)
    check_in_flight(sim, access, false);
}

bool luna_sim_is_defined(const LunaSimulator *sim,
                         const LunaSimAccess *access) {
  Wrong wrong;
  return !access->range || !find_wrong(sim, access, &wrong);
}

void luna_sim_check_write(LunaSimulator *sim, const LunaSimAccess *access) {
  if (!access->range || access->box.extent_bytes == 0)
    return;
  if (access->range->is_read_only)
    luna_sim_hazard(sim, LUNA_HAZARD_READ_ONLY, place_of(access, 0),
                    "%s writes to byte %llu of '%s', which is read-only",
                    access->role,
                    (unsigned long long)place_of(access, 0).offset_bytes,
                    access->range->name);
  check_in_flight(sim, access, true);
}

uint64_t luna_sim_undefined_tail(const LunaSimulator *sim,
                                 const LunaSimAccess *access) {
  const LunaSimBox *box = &access->box;
  uint64_t tail = 0;
  const LunaSimTag *tags =
      access->range->tags + (box->low - access->range->base);
  for (int64_t i = 1; i < access->granule_bytes && i < box->run_bytes; ++i) {
    LunaHazardKind kind;
    if (is_wrong(sim, access, tags[box->run_bytes - i], &kind))
      tail |= (uint64_t)1 << i;
  }
  return tail;
}

void luna_sim_mark_written(LunaSimulator *sim, const LunaSimAccess *access) {
  if (!access->range)
    return;
  LunaSimTag tag = luna_sim_tag(sim, access->buffer, access->content);
  const LunaSimBox *box = &access->box;
  int64_t at = 0;
  for (LunaSimRuns runs = luna_sim_runs(box); luna_sim_next_run(&runs, &at);)
    luna_sim_set_tag(access->range, box->low + at, (uint64_t)box->run_bytes,
                     tag);
}
