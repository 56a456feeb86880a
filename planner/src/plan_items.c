#include "plan_items.h"

#include <string.h>

#include "luna/checked.h"
#include "plan_sort.h"

int64_t luna_plan_item_length(const LunaPlanItems *items, uint32_t item) {
  const LunaLifetime *lifetime = &items->items[item].lifetime;
  int64_t length = 0;
  for (uint32_t i = 0; i < lifetime->range_count; ++i) {
    LunaSteps range = lifetime->ranges[i];
    length += items->times ? items->times[range.end] - items->times[range.first]
                           : (int64_t)range.end - range.first;
  }
  return length;
}

bool luna_plan_items_conflict(const LunaPlanItem *a, const LunaPlanItem *b) {
  const LunaSteps *x = a->lifetime.ranges, *y = b->lifetime.ranges;
  const LunaSteps *x_end = x + a->lifetime.range_count;
  const LunaSteps *y_end = y + b->lifetime.range_count;
  while (x < x_end && y < y_end) {
    if (x->end <= y->first)
      ++x;
    else if (y->end <= x->first)
      ++y;
    else
      return true;
  }
  return false;
}

static bool starts_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItemRange *ranges = context;
  return ranges[a].steps.first < ranges[b].steps.first;
}

LunaPlanSweep luna_plan_sweep(const LunaPlanItems *items,
                              const uint32_t *members, uint32_t count,
                              LunaArena *arena) {
  LunaPlanSweep sweep = {0};
  uint64_t room = 0;
  for (uint32_t i = 0; i < count; ++i)
    room += items->items[members ? members[i] : i].lifetime.range_count;
  sweep.ranges = LUNA_ARENA_ARRAY(arena, LunaPlanItemRange, room);
  sweep.by_first = LUNA_ARENA_ARRAY(arena, uint32_t, room);
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items->items[members ? members[i] : i];
    if (!members && item->size_bytes == 0)
      continue;
    for (uint32_t k = 0; k < item->lifetime.range_count; ++k) {
      sweep.by_first[sweep.count] = sweep.count;
      sweep.ranges[sweep.count++] =
          (LunaPlanItemRange){i, item->lifetime.ranges[k]};
    }
  }
  luna_plan_sort(sweep.by_first, sweep.count, starts_before, sweep.ranges,
                 arena);
  return sweep;
}

static bool ends_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItemRange *ranges = context;
  return ranges[a].steps.end < ranges[b].steps.end;
}

// Returns the number of overlapping pairs of ranges without listing them: at
// each start, the ranges begun minus those ended.
static uint64_t count_meetings(const LunaPlanSweep *sweep, LunaArena *arena) {
  uint32_t *by_end = LUNA_ARENA_ARRAY(arena, uint32_t, sweep->count);
  memcpy(by_end, sweep->by_first, sizeof(uint32_t) * sweep->count);
  luna_plan_sort(by_end, sweep->count, ends_before, sweep->ranges, arena);
  uint64_t meetings = 0;
  uint32_t ended = 0;
  for (uint32_t i = 0; i < sweep->count; ++i) {
    uint32_t first = sweep->ranges[sweep->by_first[i]].steps.first;
    while (sweep->ranges[by_end[ended]].steps.end <= first)
      ++ended;
    meetings += i - ended;
  }
  return meetings;
}

// Calls visit for every overlapping pair of ranges. Ranges leave the active
// list when a later one starts after their end.
static void for_each_meeting(const LunaPlanSweep *sweep, LunaArena *arena,
                             void (*visit)(void *context, uint32_t a,
                                           uint32_t b),
                             void *context) {
  uint32_t *active = LUNA_ARENA_ARRAY(arena, uint32_t, sweep->count);
  uint32_t active_count = 0;
  for (uint32_t i = 0; i < sweep->count; ++i) {
    const LunaPlanItemRange *range = &sweep->ranges[sweep->by_first[i]];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < active_count; ++k) {
      const LunaPlanItemRange *other = &sweep->ranges[active[k]];
      if (other->steps.end <= range->steps.first)
        continue;
      active[kept++] = active[k];
      visit(context, other->item, range->item);
    }
    active[kept++] = sweep->by_first[i];
    active_count = kept;
  }
}

typedef struct Edges {
  uint64_t *starts;
  uint32_t *ends;
  uint32_t count;
} Edges;

static void count_edge(void *context, uint32_t a, uint32_t b) {
  Edges *edges = context;
  ++edges->starts[a];
  ++edges->starts[b];
}

static void store_edge(void *context, uint32_t a, uint32_t b) {
  Edges *edges = context;
  edges->ends[--edges->starts[a]] = b;
  edges->ends[--edges->starts[b]] = a;
}

// Lists every neighbour once: two items may overlap in several ranges.
// Appending each item, in order, to the lists of its neighbours sorts the
// lists.
static void sort_rows(Edges *edges, uint32_t *rows, uint64_t *row_starts,
                      LunaArena *scratch) {
  uint32_t *last_seen = LUNA_ARENA_ARRAY(scratch, uint32_t, edges->count);
  uint64_t *fill = LUNA_ARENA_ARRAY(scratch, uint64_t, edges->count + 1);
  memset(last_seen, 0xff, sizeof(uint32_t) * edges->count);
  memcpy(fill, edges->starts, sizeof(uint64_t) * edges->count);
  for (uint32_t i = 0; i < edges->count; ++i)
    for (uint64_t k = edges->starts[i]; k < edges->starts[i + 1]; ++k) {
      uint32_t other = edges->ends[k];
      if (last_seen[other] != i)
        rows[fill[other]++] = i;
      last_seen[other] = i;
    }
  uint64_t out = 0;
  for (uint32_t i = 0; i < edges->count; ++i) {
    uint64_t length = fill[i] - edges->starts[i];
    memmove(rows + out, rows + edges->starts[i], sizeof(uint32_t) * length);
    row_starts[i] = out;
    out += length;
  }
  row_starts[edges->count] = out;
}

void luna_plan_items_connect(LunaPlanItems *items, LunaArena *arena) {
  LunaArena scratch = {0};
  LunaPlanSweep sweep = luna_plan_sweep(items, NULL, items->count, &scratch);
  if (items->count > PLAN_LISTED_ITEMS)
    items->conflict_count = count_meetings(&sweep, &scratch);
  if (items->conflict_count > PLAN_LISTED_CONFLICTS) {
    luna_arena_destroy(&scratch);
    return;
  }
  Edges edges = {.count = items->count};
  edges.starts = LUNA_ARENA_ARRAY(&scratch, uint64_t, items->count + 1);
  for_each_meeting(&sweep, &scratch, count_edge, &edges);
  uint64_t total = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    total += edges.starts[i];
    edges.starts[i] = total;
  }
  edges.starts[items->count] = total;
  edges.ends = LUNA_ARENA_ARRAY(&scratch, uint32_t, total);
  for_each_meeting(&sweep, &scratch, store_edge, &edges);
  uint32_t *rows = LUNA_ARENA_ARRAY(arena, uint32_t, total);
  uint64_t *row_starts = LUNA_ARENA_ARRAY(arena, uint64_t, items->count + 1);
  sort_rows(&edges, rows, row_starts, &scratch);
  items->neighbour_starts = row_starts;
  items->neighbours = rows;
  luna_arena_destroy(&scratch);
}

// The distinct alignments, rising, and sums of live sizes rounded up to each.
enum { MAX_ALIGNS = 63 };

// A sum of live sizes rounded up to one alignment, and the slack of each range:
// a tree of maximums whose leaves are the ranges.
typedef struct LiveSum {
  int64_t align;
  uint32_t live_count; // items of this alignment
  int64_t bytes;
  int64_t *slacks;
} LiveSum;

typedef struct LiveSums {
  LiveSum sums[MAX_ALIGNS];
  uint32_t count, leaf_count;
} LiveSums;

// Returns true if rounding up to any alignment changes nothing.
static bool is_plain(const LunaPlanItems *items) {
  int64_t align = 1;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].align_bytes > align)
      align = items->items[i].align_bytes;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].size_bytes % align != 0)
      return false;
  return true;
}

static LiveSums make_sums(const LunaPlanItems *items, uint32_t range_count,
                          LunaArena *arena) {
  LiveSums sums = {.leaf_count = 1};
  int64_t aligns = 0;
  for (uint32_t i = 0; i < items->count; ++i)
    aligns |= items->items[i].align_bytes;
  while (sums.leaf_count < range_count)
    sums.leaf_count *= 2;
  bool plain = is_plain(items);
  for (int bit = 0; bit < MAX_ALIGNS; ++bit) {
    int64_t align = (int64_t)1 << bit;
    if (plain ? bit > 0 : (aligns & align) == 0)
      continue;
    LiveSum *sum = &sums.sums[sums.count++];
    sum->align = align;
    if (!plain)
      sum->slacks =
          LUNA_ARENA_ARRAY(arena, int64_t, 2 * (uint64_t)sums.leaf_count);
  }
  return sums;
}

static void set_slack(LiveSums *sums, LiveSum *sum, uint32_t range,
                      int64_t slack) {
  uint32_t at = sums->leaf_count + range;
  sum->slacks[at] = slack;
  for (at /= 2; at > 0; at /= 2) {
    int64_t left = sum->slacks[2 * at], right = sum->slacks[2 * at + 1];
    int64_t larger = left > right ? left : right;
    if (sum->slacks[at] == larger)
      return;
    sum->slacks[at] = larger;
  }
}

// Adds a range that becomes live to all sums, or takes one away.
static void count_range(LiveSums *sums, const LunaPlanItem *item,
                        uint32_t range, bool is_live) {
  for (uint32_t i = 0; i < sums->count; ++i) {
    LiveSum *sum = &sums->sums[i];
    int64_t rounded = luna_align_up(item->size_bytes, sum->align);
    sum->bytes += is_live ? rounded : -rounded;
    if (item->align_bytes == sum->align || !sum->slacks)
      sum->live_count += is_live ? 1 : UINT32_MAX;
    if (sum->slacks)
      set_slack(sums, sum, range, is_live ? rounded - item->size_bytes : 0);
  }
}

// Returns the bound of the live ranges: by the smallest alignment among them.
static int64_t bound_of_live(const LiveSums *sums) {
  for (uint32_t i = 0; i < sums->count; ++i) {
    const LiveSum *sum = &sums->sums[i];
    if (sum->live_count > 0)
      return sum->bytes - (sum->slacks ? sum->slacks[1] : 0);
  }
  return 0;
}

// Returns the heaviest point by live sizes, with alignment.
static LunaPlanBound heaviest_point(const LunaPlanItems *items,
                                    const LunaPlanSweep *sweep,
                                    LunaArena *arena) {
  uint32_t *by_end = LUNA_ARENA_ARRAY(arena, uint32_t, sweep->count);
  memcpy(by_end, sweep->by_first, sizeof(uint32_t) * sweep->count);
  luna_plan_sort(by_end, sweep->count, ends_before, sweep->ranges, arena);
  LiveSums sums = make_sums(items, sweep->count, arena);
  LunaPlanBound bound = {0};
  for (uint32_t i = 0, ended = 0; i < sweep->count;) {
    uint32_t point = sweep->ranges[sweep->by_first[i]].steps.first;
    for (; sweep->ranges[by_end[ended]].steps.end <= point; ++ended)
      count_range(&sums, &items->items[sweep->ranges[by_end[ended]].item],
                  by_end[ended], false);
    for (; i < sweep->count &&
           sweep->ranges[sweep->by_first[i]].steps.first == point;
         ++i)
      count_range(&sums, &items->items[sweep->ranges[sweep->by_first[i]].item],
                  sweep->by_first[i], true);
    int64_t bytes = bound_of_live(&sums);
    if (bytes > bound.bytes)
      bound = (LunaPlanBound){.bytes = bytes, .point = point};
  }
  return bound;
}

LunaPlanBound luna_plan_items_bound(const LunaPlanItems *items) {
  LunaArena scratch = {0};
  LunaPlanSweep sweep = luna_plan_sweep(items, NULL, items->count, &scratch);
  LunaPlanBound bound = heaviest_point(items, &sweep, &scratch);
  for (uint32_t i = 0; i < items->count; ++i) {
    int64_t lowest = items->items[i].fixed_offset_bytes;
    int64_t end = items->items[i].size_bytes + (lowest > 0 ? lowest : 0);
    if (items->items[i].size_bytes > 0 && end > bound.bytes)
      bound = (LunaPlanBound){.bytes = end,
                              .point = plan_item_first(&items->items[i])};
  }
  luna_arena_destroy(&scratch);
  return bound;
}

int64_t luna_plan_items_peak(const LunaPlanItems *items,
                             const int64_t *offsets) {
  int64_t peak = 0;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].size_bytes > 0 &&
        offsets[i] + items->items[i].size_bytes > peak)
      peak = offsets[i] + items->items[i].size_bytes;
  return peak;
}
