#include "plan_order.h"

#include "luna/vector.h"
#include "plan_sort.h"

typedef struct Reduction {
  const LunaPlanItems *items;
  // The items from the lowest offset on, and the place of each among them.
  uint32_t *by_offset, *positions;
  // The pairs kept: below the item at position p lie, by position,
  // below[starts[p] .. starts[p + 1]).
  uint32_t *starts;
  LUNA_VECTOR(uint32_t) below;
  // The last position for which each position was seen to lie below.
  uint32_t *seen_for;
  uint32_t *stack;
  LunaArena *arena;
} Reduction;

static bool lies_lower(const void *context, uint32_t a, uint32_t b) {
  const int64_t *offsets = context;
  return offsets[a] < offsets[b];
}

static bool is_higher(const void *context, uint32_t a, uint32_t b) {
  (void)context;
  return a > b;
}

// Marks what lies below `from`, down to position `lowest`, as seen for `top`.
static void mark_below(Reduction *self, uint32_t from, uint32_t lowest,
                       uint32_t top) {
  uint32_t count = 0;
  self->stack[count++] = from;
  self->seen_for[from] = top;
  while (count > 0) {
    uint32_t at = self->stack[--count];
    for (uint32_t i = self->starts[at]; i < self->starts[at + 1]; ++i) {
      uint32_t next = self->below.items[i];
      if (next < lowest || self->seen_for[next] == top)
        continue;
      self->seen_for[next] = top;
      self->stack[count++] = next;
    }
  }
}

// Keeps the pairs of the item at position `top` that follow from no others.
static void reduce(Reduction *self, uint32_t top) {
  LunaArena scratch = {0};
  const LunaPlanItems *items = self->items;
  uint32_t item = self->by_offset[top], count = 0;
  uint64_t first = items->neighbour_starts[item];
  uint64_t end = items->neighbour_starts[item + 1];
  uint32_t *below = LUNA_ARENA_ARRAY(&scratch, uint32_t, end - first);
  for (uint64_t i = first; i < end; ++i)
    if (self->positions[items->neighbours[i]] < top)
      below[count++] = self->positions[items->neighbours[i]];
  luna_plan_sort(below, count, is_higher, NULL, &scratch);
  for (uint32_t i = 0; i < count; ++i) {
    if (self->seen_for[below[i]] == top)
      continue;
    *LUNA_VECTOR_ADD(self->arena, &self->below) = below[i];
    mark_below(self, below[i], below[count - 1], top);
  }
  self->starts[top + 1] = (uint32_t)self->below.count;
  luna_arena_destroy(&scratch);
}

LunaPlanOrder luna_plan_order_make(const LunaPlanItems *items,
                                   const int64_t *offsets, LunaArena *arena) {
  LunaArena scratch = {0};
  uint32_t count = items->count;
  Reduction self = {.items = items, .arena = arena};
  self.by_offset = LUNA_ARENA_ARRAY(&scratch, uint32_t, count);
  self.positions = LUNA_ARENA_ARRAY(&scratch, uint32_t, count);
  self.starts = LUNA_ARENA_ARRAY(arena, uint32_t, count + 1);
  self.seen_for = LUNA_ARENA_ARRAY(&scratch, uint32_t, count);
  self.stack = LUNA_ARENA_ARRAY(&scratch, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    self.by_offset[i] = i;
  luna_plan_sort(self.by_offset, count, lies_lower, offsets, &scratch);
  for (uint32_t p = 0; p < count; ++p)
    self.positions[self.by_offset[p]] = p;
  // Position 0 is seen for none: nothing lies below it.
  for (uint32_t p = 0; p < count; ++p)
    reduce(&self, p);
  uint32_t *buffers = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t p = 0; p < count; ++p)
    buffers[p] = items->items[self.by_offset[p]].id;
  for (uint32_t i = 0; i < self.below.count; ++i)
    self.below.items[i] = buffers[self.below.items[i]];
  luna_arena_destroy(&scratch);
  return (LunaPlanOrder){
      .buffers = buffers, .starts = self.starts, .below = self.below.items};
}

// Returns the buffer with the highest end of `count`, the first of these.
static uint32_t highest_of(const uint32_t *buffers, uint32_t count,
                           const int64_t *ends) {
  uint32_t best = buffers[0];
  for (uint32_t i = 1; i < count; ++i)
    if (ends[buffers[i]] > ends[best])
      best = buffers[i];
  return best;
}

uint32_t luna_plan_order_chain(const LunaPlanOrder *order, uint32_t place_count,
                               const int64_t *ends, uint32_t *chain) {
  uint32_t length = 0;
  for (uint32_t p = place_count, next = 0; p-- > 0;) {
    if (length == 0)
      next = highest_of(order->buffers, place_count, ends);
    if (order->buffers[p] != next)
      continue;
    chain[length++] = next;
    uint32_t first = order->starts[p], count = order->starts[p + 1] - first;
    if (count == 0)
      break;
    next = highest_of(order->below + first, count, ends);
  }
  return length;
}
