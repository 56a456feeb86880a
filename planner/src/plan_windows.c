// Large neighbourhood search (Shaw, 1998): what is tall, above a capacity just
// below the peak, is placed anew with what lives close to it, under that
// capacity. A window is kept only if all of it fits, so that less is tall after
// each; when nothing is, the plan is smaller and the capacity sinks.

#include "plan_windows.h"

#include <string.h>

#include "plan_attempt.h"
#include "plan_index.h"

enum {
  // The items of a window that are placed anew: twice as many in every other
  // window, up to the larger number; each such search costs as much.
  FEWEST_ITEMS = 192,
  MOST_ITEMS = 768,
  // The most items of a window with those that stay: a problem that is so dense
  // has no windows.
  MOST_IN_WAY = 2048,
  // The searches of a window, each in another order, and the steps of one as a
  // multiple of the items placed anew, which doubles after so many windows that
  // failed, up to a limit.
  SEARCHES = 2,
  FAILURES_TO_DOUBLE = 64,
  MOST_DOUBLINGS = 6,
  // The windows that fail before the capacity is raised.
  PATIENCE = 400,
  // The capacity is below the peak by the gap to what is enough divided by a
  // power of two from this to that.
  WIDEST_PART = 16,
  FINEST_PART = 1024,
  // Noise increases the first keys of orders by up to a fifth (in 1024ths).
  NOISE = 205,
};

typedef struct Windows {
  const LunaPlanItems *items;
  int64_t unit_bytes, capacity;
  int64_t *offsets;
  LunaPlanIndex live;
  // By item: how far it reaches from the point of the window, and whether it is
  // placed anew.
  int64_t *reaches;
  bool *is_free;
  uint32_t *tall, tall_count;
  uint32_t failures;
  LunaPlanContext *context;
  uint64_t end;
  uint64_t random;
} Windows;

static uint32_t random_below(Windows *windows, uint32_t limit) {
  windows->random =
      windows->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(windows->random >> 33) % limit;
}

static bool tries(const Windows *windows, LunaPlanTrick trick) {
  return plan_tries(&windows->context->without, trick);
}

static int64_t top_of(const Windows *windows, uint32_t item) {
  return windows->offsets[item] + windows->items->items[item].size_bytes;
}

// Finds the items that are live somewhere in [first, end).
static void find_live(Windows *windows, uint32_t first, uint32_t end) {
  LunaSteps range = {first, end};
  LunaPlanItem span = {.lifetime = {.ranges = &range, .range_count = 1}};
  luna_plan_index_find(&windows->live, &span);
}

//===- One window ---------------------------------------------------------===//

static bool reaches_less(const void *context, uint32_t a, uint32_t b) {
  const int64_t *reaches = context;
  return reaches[a] < reaches[b];
}

// Returns how far an item reaches from a point; what is tall there comes first.
static int64_t reach_of(const Windows *windows, uint32_t item, uint32_t point) {
  const LunaPlanItem *it = &windows->items->items[item];
  int64_t before = (int64_t)point - plan_item_first(it);
  int64_t behind = (int64_t)plan_item_end(it) - point;
  if (before >= 0 && behind > 0 && top_of(windows, item) > windows->capacity)
    return -1;
  return before > behind ? before : behind;
}

// Returns the up to `wanted` items that reach least from a point, ties at
// random, and writes their number: those that are placed anew.
static uint32_t *choose_items(Windows *windows, uint32_t point, uint32_t wanted,
                              uint32_t *count, LunaArena *arena) {
  LunaPlanIndex *live = &windows->live;
  uint32_t end = windows->items->point_count;
  for (uint32_t width = 1;; width *= 2) {
    uint32_t first = point > width ? point - width : 0;
    find_live(windows, first, point + width);
    if (live->found_count >= wanted || (first == 0 && point + width >= end))
      break;
  }
  uint32_t *chosen = LUNA_ARENA_ARRAY(arena, uint32_t, live->found_count);
  *count = 0;
  for (uint32_t i = 0; i < live->found_count; ++i) {
    uint32_t item = live->found[i];
    if (windows->items->items[item].fixed_offset_bytes >= 0)
      continue;
    windows->reaches[item] =
        reach_of(windows, item, point) * 1024 + random_below(windows, 1024);
    chosen[(*count)++] = item;
  }
  luna_plan_sort(chosen, *count, reaches_less, windows->reaches, arena);
  if (*count > wanted)
    *count = wanted;
  return chosen;
}

// Adds what stays of the items that were found. What is above the capacity is
// in nobody's way.
static void add_fixed(const Windows *windows, LunaPlanItems *window) {
  for (uint32_t i = 0; i < windows->live.found_count; ++i) {
    uint32_t item = windows->live.found[i];
    int64_t offset = windows->offsets[item];
    if (windows->is_free[item] || offset >= windows->capacity)
      continue;
    LunaPlanItem *fixed = &window->items[window->count++];
    *fixed = windows->items->items[item];
    fixed->fixed_offset_bytes = offset;
    if (top_of(windows, item) > windows->capacity)
      fixed->size_bytes = windows->capacity - offset;
  }
}

// Returns the problem of a window: first the items that are placed anew, then
// those that stay.
static LunaPlanItems make_window(Windows *windows, const uint32_t *chosen,
                                 uint32_t count, LunaArena *arena) {
  const LunaPlanItem *items = windows->items->items;
  uint32_t first = UINT32_MAX, end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items[chosen[i]];
    first = plan_item_first(item) < first ? plan_item_first(item) : first;
    end = plan_item_end(item) > end ? plan_item_end(item) : end;
  }
  find_live(windows, first, end);
  LunaPlanItems window = {
      .items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, windows->live.found_count),
      .point_count = windows->items->point_count,
      .times = windows->items->times,
  };
  for (uint32_t i = 0; i < count; ++i) {
    window.items[window.count++] = items[chosen[i]];
    windows->is_free[chosen[i]] = true;
  }
  add_fixed(windows, &window);
  for (uint32_t i = 0; i < count; ++i)
    windows->is_free[chosen[i]] = false;
  return window;
}

// Searches for a plan of a window below the capacity, `limit` steps in each
// order. Returns the offsets in units, or NULL.
static const int64_t *search_window(Windows *windows, LunaPlanItems *window,
                                    uint64_t limit, LunaArena *arena) {
  uint32_t count = window->count;
  uint32_t *members = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  int64_t *nowhere = LUNA_ARENA_ARRAY(arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i)
    members[i] = i;
  luna_plan_items_connect(window, arena);
  LunaPlanWork work = luna_plan_work_make(window, members, count, nowhere,
                                          windows->unit_bytes, 0, arena);
  LunaPlanOutcome outcome = PLAN_UNDECIDED;
  work.best = INT64_MAX;
  work.random = windows->random;
  work.pulse = windows->context->pulse;
  work.order.without = windows->context->without;
  work.step_budget = windows->end - windows->context->steps;
  int searches =
      plan_work_tries(&work, PLAN_TRICK_WINDOWS_ORDERS) ? SEARCHES : 1;
  for (int i = 0; i < searches && outcome == PLAN_UNDECIDED; ++i) {
    luna_plan_draw_noise(&work, NOISE);
    luna_plan_order_by_totals(&work, luna_plan_draw_kind(&work), true);
    outcome = luna_plan_attempt(&work, windows->capacity / windows->unit_bytes,
                                limit);
  }
  windows->random = work.random;
  windows->context->steps += work.steps;
  return outcome == PLAN_FOUND ? work.offsets : NULL;
}

// Takes steps for looking at `count` items; false if there are not so many.
static bool take_steps(Windows *windows, uint64_t count) {
  LunaPlanContext *context = windows->context;
  bool are_left = windows->end - context->steps > count;
  context->steps = are_left ? context->steps + count : windows->end;
  return are_left;
}

// Places up to `wanted` items about a point below the capacity, if they are
// found to fit. Returns true if so.
static bool place_anew(Windows *windows, uint32_t point, uint32_t wanted,
                       LunaArena *arena) {
  uint32_t count = 0;
  const uint32_t *chosen = choose_items(windows, point, wanted, &count, arena);
  LunaPlanItems window = make_window(windows, chosen, count, arena);
  if (!take_steps(windows, window.count) || window.count > MOST_IN_WAY)
    return false;
  uint32_t doublings = 0;
  if (tries(windows, PLAN_TRICK_WINDOWS_LONGER))
    doublings = windows->failures / FAILURES_TO_DOUBLE;
  uint64_t limit = (uint64_t)count
                   << (doublings < MOST_DOUBLINGS ? doublings : MOST_DOUBLINGS);
  const int64_t *found = search_window(windows, &window, limit, arena);
  for (uint32_t i = 0; found && i < count; ++i)
    windows->offsets[chosen[i]] = found[i] * windows->unit_bytes;
  return found != NULL;
}

//===- The plan -----------------------------------------------------------===//

static void list_tall(Windows *windows) {
  windows->tall_count = 0;
  for (uint32_t i = 0; i < windows->items->count; ++i)
    if (windows->items->items[i].size_bytes > 0 &&
        top_of(windows, i) > windows->capacity)
      windows->tall[windows->tall_count++] = i;
}

// Opens a window at a point where something tall is live.
static void try_window(Windows *windows) {
  LunaArena scratch = {0};
  uint32_t item = windows->tall[random_below(windows, windows->tall_count)];
  LunaLifetime lifetime = windows->items->items[item].lifetime;
  LunaSteps range =
      lifetime.ranges[random_below(windows, lifetime.range_count)];
  uint32_t point = range.first + random_below(windows, range.end - range.first);
  uint32_t wanted = FEWEST_ITEMS;
  while (tries(windows, PLAN_TRICK_WINDOWS_SIZES) && wanted < MOST_ITEMS &&
         random_below(windows, 2) == 0)
    wanted *= 2;
  if (place_anew(windows, point, wanted, &scratch))
    list_tall(windows);
  else
    ++windows->failures;
  luna_arena_destroy(&scratch);
}

static bool has_steps(const Windows *windows) {
  const LunaPlanContext *context = windows->context;
  return context->steps < windows->end &&
         !(context->pulse && context->pulse->is_stopped);
}

// Opens windows until nothing is above the capacity. Returns false if that was
// given up.
static bool lower(Windows *windows, bool is_last_try) {
  windows->failures = 0;
  list_tall(windows);
  while (windows->tall_count > 0 && has_steps(windows)) {
    if (windows->failures >= PATIENCE && !is_last_try)
      return false;
    try_window(windows);
  }
  return windows->tall_count == 0;
}

void luna_plan_lower_in_windows(const LunaPlanItems *items, int64_t unit_bytes,
                                int64_t enough_bytes, uint64_t end,
                                LunaPlanContext *context, int64_t *offsets,
                                LunaArena *arena) {
  Windows windows = {.items = items,
                     .unit_bytes = unit_bytes,
                     .offsets = offsets,
                     .live = luna_plan_index_make(items, arena),
                     .context = context,
                     .end = end,
                     .random = 1};
  windows.reaches = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  windows.is_free = LUNA_ARENA_ARRAY(arena, bool, items->count);
  windows.tall = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].size_bytes > 0)
      luna_plan_index_add(&windows.live, i);
  int64_t best = luna_plan_items_peak(items, offsets);
  for (int64_t part = WIDEST_PART;
       best - enough_bytes >= unit_bytes && has_steps(&windows);) {
    int64_t less = (best - enough_bytes) / part / unit_bytes * unit_bytes;
    windows.capacity = best - (less > 0 ? less : unit_bytes);
    bool was_lowered = lower(&windows, less <= unit_bytes);
    if (!tries(&windows, PLAN_TRICK_WINDOWS_PARTS) && was_lowered)
      part = WIDEST_PART;
    if (was_lowered && part > WIDEST_PART)
      part /= 2;
    if (!was_lowered && part < FINEST_PART)
      part *= 2;
    best = luna_plan_items_peak(items, offsets);
  }
}
