#include "plan_attempt.h"

#include <string.h>

#include "luna/checked.h"

// Returns a copy of numbers, shifted right so that the largest fits in `bits`
// bits.
static int64_t *scaled(const int64_t *numbers, uint32_t count, int bits,
                       LunaArena *arena) {
  int64_t *small = LUNA_ARENA_ARRAY(arena, int64_t, count);
  int shift = 0;
  for (uint32_t i = 0; i < count; ++i)
    while (numbers[i] >> shift >> bits > 0)
      ++shift;
  for (uint32_t i = 0; i < count; ++i)
    small[i] = numbers[i] >> shift;
  return small;
}

static void measure_items(LunaPlanWork *work, const LunaPlanItems *items,
                          const uint32_t *members, int64_t unit_bytes,
                          LunaArena *arena) {
  uint32_t count = work->count;
  int64_t *lengths = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work->sizes = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work->section_counts = LUNA_ARENA_ARRAY(arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t member = members[i];
    work->sizes[i] = items->items[member].size_bytes / unit_bytes;
    work->section_counts[i] = luna_plan_search_sections(work->search, i);
    lengths[i] = luna_plan_item_length(items, member);
  }
  work->small_sizes = scaled(work->sizes, count, 28, arena);
  work->lengths = scaled(lengths, count, 22, arena);
}

LunaPlanWork luna_plan_work_make(const LunaPlanItems *items,
                                 const uint32_t *members, uint32_t member_count,
                                 const int64_t *start, int64_t unit_bytes,
                                 int64_t bound_bytes, LunaArena *arena) {
  uint32_t count = member_count;
  LunaPlanWork work = {.count = count, .random = 1};
  work.search =
      luna_plan_search_create(items, members, count, unit_bytes, arena);
  measure_items(&work, items, members, unit_bytes, arena);
  work.offsets = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.trial = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.first_keys = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.second_keys = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.noise = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  work.order = (LunaPlanOrder){.total_class = 1,
                               .first_keys = work.first_keys,
                               .second_keys = work.second_keys};
  work.bound = luna_ceil_div(bound_bytes, unit_bytes);
  for (uint32_t i = 0; i < count; ++i) {
    work.offsets[i] = start[members[i]] / unit_bytes;
    if (work.best < work.offsets[i] + work.sizes[i])
      work.best = work.offsets[i] + work.sizes[i];
  }
  return work;
}

uint32_t luna_plan_random_below(LunaPlanWork *work, uint32_t limit) {
  work->random = work->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(work->random >> 33) % limit;
}

void luna_plan_draw_noise(LunaPlanWork *work, uint32_t limit) {
  for (uint32_t i = 0; i < work->count; ++i)
    work->noise[i] = luna_plan_random_below(work, limit);
}

// The kinds as often as they are drawn: PLAN_BY_LENGTH in 13 of 16 cases.
static const uint32_t drawn_kinds[16] = {
    [13] = PLAN_BY_AREA,
    [14] = PLAN_BY_SECTIONS,
    [15] = PLAN_BY_AREA | PLAN_BY_SECTIONS,
};
static const uint32_t drawn_totals[4] = {
    [2] = PLAN_BY_CLOSE_TOTALS,
    [3] = PLAN_BY_COARSE_TOTALS,
};

// Returns the bits of a kind that are left out.
static uint32_t left_out(const LunaPlanWork *work) {
  static const struct {
    LunaPlanTrick trick;
    uint32_t bit;
  } rows[] = {
      {PLAN_TRICK_KIND_AREA, PLAN_BY_AREA},
      {PLAN_TRICK_KIND_SECTIONS, PLAN_BY_SECTIONS},
      {PLAN_TRICK_KIND_CLOSE, PLAN_BY_CLOSE_TOTALS},
      {PLAN_TRICK_KIND_COARSE, PLAN_BY_COARSE_TOTALS},
  };
  uint32_t bits = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!plan_work_tries(work, rows[i].trick))
      bits |= rows[i].bit;
  return bits;
}

uint32_t luna_plan_draw_kind(LunaPlanWork *work) {
  uint32_t kind = drawn_kinds[luna_plan_random_below(work, 16)];
  kind |= drawn_totals[luna_plan_random_below(work, 4)];
  return kind & ~left_out(work);
}

// Returns the width of the classes of totals in orders of a kind.
static int64_t class_of(const LunaPlanWork *work, uint32_t kind) {
  int64_t parts = (kind & PLAN_BY_COARSE_TOTALS) != 0  ? 30
                  : (kind & PLAN_BY_CLOSE_TOTALS) != 0 ? 300
                                                       : 0;
  return parts > 0 && work->bound > parts ? work->bound / parts : 1;
}

void luna_plan_order_by_totals(LunaPlanWork *work, uint32_t kind,
                               bool with_noise) {
  bool by_area = (kind & PLAN_BY_AREA) != 0;
  const int64_t *lengths =
      (kind & PLAN_BY_SECTIONS) != 0 ? work->section_counts : work->lengths;
  for (uint32_t i = 0; i < work->count; ++i) {
    int64_t area = work->small_sizes[i] * lengths[i];
    int64_t factor = with_noise ? 1024 + work->noise[i] : 1024;
    work->first_keys[i] = (by_area ? area : lengths[i]) * factor;
    work->second_keys[i] = by_area ? lengths[i] : area;
  }
  work->order.is_by_total = true;
  work->order.total_class = class_of(work, kind);
}

void luna_plan_order_by_plan(LunaPlanWork *work) {
  for (uint32_t i = 0; i < work->count; ++i) {
    work->first_keys[i] = -work->offsets[i];
    work->second_keys[i] = work->lengths[i];
  }
  work->order.is_by_total = false;
  work->order.total_class = 1;
}

LunaPlanOutcome luna_plan_attempt(LunaPlanWork *work, int64_t capacity,
                                  uint64_t limit) {
  uint64_t left = work->step_budget - work->steps;
  uint64_t before = work->steps;
  LunaPlanOutcome outcome = luna_plan_search_run(
      work->search, capacity, &work->order, limit < left ? limit : left,
      &work->steps, work->trial);
  if (!plan_pulse(work->pulse, work->steps - before))
    work->step_budget = work->steps;
  if (outcome == PLAN_IMPOSSIBLE && capacity >= work->bound)
    work->bound = capacity + 1;
  if (outcome != PLAN_FOUND)
    return outcome;
  int64_t height = 0;
  for (uint32_t i = 0; i < work->count; ++i)
    if (work->trial[i] + work->sizes[i] > height)
      height = work->trial[i] + work->sizes[i];
  if (height < work->best) {
    memcpy(work->offsets, work->trial, sizeof(int64_t) * work->count);
    work->best = height;
  }
  return outcome;
}
