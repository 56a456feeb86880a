// Beam search: of the sets that are as far, a few with the least live.

#include <string.h>

#include "order_search.h"
#include "plan_sort.h"

typedef struct Beam {
  LunaOrderSearch *search;
  LunaOrderNodes nodes;
  int64_t limit_bytes;
  // The nodes to go on from, and those found from them.
  LUNA_VECTOR(uint32_t) front;
  LUNA_VECTOR(uint32_t) found;
} Beam;

// The less live, the better; then the more done.
static bool is_better(const void *context, uint32_t a, uint32_t b) {
  const LunaOrderNodes *nodes = context;
  const LunaOrderNode *x = &nodes->items[a], *y = &nodes->items[b];
  return x->live_bytes != y->live_bytes ? x->live_bytes < y->live_bytes
                                        : x->done_count > y->done_count;
}

// Adds the loaded set, closed. Returns true if that is the end.
static bool visit(Beam *self, uint32_t parent) {
  LunaOrderState *state = &self->search->state;
  luna_order_state_close(state, self->limit_bytes);
  if (!luna_order_nodes_add(&self->nodes, state, parent))
    return false;
  *LUNA_VECTOR_ADD(&self->nodes.arena, &self->found) =
      (uint32_t)self->nodes.count - 1;
  return state->done_count == state->index->operator_count;
}

// Runs each operator that is ready behind a node. Returns true at the end.
static bool expand(Beam *self, uint32_t node) {
  LunaOrderState *state = &self->search->state;
  LunaArena scratch = {0};
  luna_order_state_load(state, self->nodes.items[node].done);
  uint32_t count = state->ready_count;
  uint32_t *ready = LUNA_ARENA_ARRAY(&scratch, uint32_t, count);
  memcpy(ready, state->ready, sizeof(uint32_t) * count);
  bool is_end = false;
  for (uint32_t i = 0; i < count && !is_end; ++i) {
    luna_order_state_load(state, self->nodes.items[node].done);
    if (order_state_need(state, ready[i]) > self->limit_bytes)
      continue;
    luna_order_state_run(state, ready[i]);
    is_end = visit(self, node);
  }
  luna_arena_destroy(&scratch);
  return is_end;
}

// Makes the best `width` of those found the front.
static void advance(Beam *self, uint32_t width) {
  LunaArena scratch = {0};
  luna_plan_sort(self->found.items, (uint32_t)self->found.count, is_better,
                 &self->nodes, &scratch);
  luna_arena_destroy(&scratch);
  self->front.count = 0;
  for (uint32_t i = 0; i < self->found.count && i < width; ++i)
    *LUNA_VECTOR_ADD(&self->nodes.arena, &self->front) = self->found.items[i];
  self->found.count = 0;
}

// Looks for an order that takes no more than `limit_bytes`.
static bool try_width(LunaOrderSearch *search, uint32_t width,
                      int64_t limit_bytes) {
  Beam self = {.search = search, .limit_bytes = limit_bytes};
  uint64_t *none =
      LUNA_ARENA_ARRAY(&self.nodes.arena, uint64_t, search->state.word_count);
  luna_order_state_load(&search->state, none);
  bool is_found = visit(&self, LUNA_ORDER_ROOT);
  while (!is_found && self.found.count > 0 &&
         search->state.steps < search->end_step) {
    advance(&self, width);
    for (uint32_t i = 0; i < self.front.count && !is_found; ++i)
      is_found = expand(&self, self.front.items[i]);
  }
  if (is_found)
    luna_order_nodes_trace(&self.nodes, search->operators);
  luna_arena_destroy(&self.nodes.arena);
  return is_found;
}

void luna_order_search_beam(LunaOrderSearch *search) {
  for (uint32_t width = 4; width <= 256; width *= 4)
    while (search->peak_bytes > search->bound_bytes &&
           search->state.steps < search->end_step &&
           try_width(search, width, search->peak_bytes - 1))
      luna_order_index_peak(search->state.index, search->operators,
                            &search->peak_bytes);
}
