// Exact search: all sets of finished operators within a limit, which rises.

#include <string.h>

#include "order_search.h"
#include "plan_sort.h"

bool luna_order_nodes_add(LunaOrderNodes *nodes, const LunaOrderState *state,
                          uint32_t parent) {
  size_t bytes = sizeof(uint64_t) * state->word_count;
  uint32_t index = luna_map_add(&nodes->known, &nodes->arena,
                                luna_map_bytes(state->done, bytes));
  if (index < nodes->count)
    return false;
  uint64_t *done = LUNA_ARENA_ARRAY(&nodes->arena, uint64_t, state->word_count);
  uint32_t *run = LUNA_ARENA_ARRAY(&nodes->arena, uint32_t, state->trail_count);
  memcpy(done, state->done, bytes);
  memcpy(run, state->trail, sizeof(uint32_t) * state->trail_count);
  nodes->known.keys.items[index] = luna_map_bytes(done, bytes);
  *LUNA_VECTOR_ADD(&nodes->arena, nodes) =
      (LunaOrderNode){.done = done,
                      .run = run,
                      .parent = parent,
                      .run_count = state->trail_count,
                      .live_bytes = state->live_bytes,
                      .done_count = state->done_count};
  return true;
}

void luna_order_nodes_trace(const LunaOrderNodes *nodes, uint32_t *operators) {
  uint32_t at = (uint32_t)nodes->count - 1;
  uint32_t end = nodes->items[at].done_count;
  for (; at != LUNA_ORDER_ROOT; at = nodes->items[at].parent) {
    const LunaOrderNode *node = &nodes->items[at];
    end -= node->run_count;
    memcpy(operators + end, node->run, sizeof(uint32_t) * node->run_count);
  }
}

// An operator to run behind a node, and what it needs.
typedef struct Move {
  int64_t need_bytes;
  uint32_t node, op;
} Move;

typedef struct Exact {
  LunaOrderSearch *search;
  LunaOrderNodes nodes;
  // Moves within the limit, the next one last, and those beyond it, as a heap.
  LUNA_VECTOR(Move) open;
  LUNA_VECTOR(Move) blocked;
  int64_t limit_bytes;
} Exact;

// Which of two blocked moves is taken first: the lesser need, the later one.
static bool goes_first(const Move *a, const Move *b) {
  return a->need_bytes != b->need_bytes ? a->need_bytes < b->need_bytes
         : a->node != b->node           ? a->node > b->node
                                        : a->op < b->op;
}

static void block(Exact *self, Move move) {
  *LUNA_VECTOR_ADD(&self->nodes.arena, &self->blocked) = move;
  Move *heap = self->blocked.items;
  uint64_t at = self->blocked.count - 1;
  for (; at > 0 && goes_first(&move, &heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = move;
}

static Move unblock(Exact *self) {
  Move *heap = self->blocked.items;
  Move first = heap[0], moving = heap[--self->blocked.count];
  uint64_t count = self->blocked.count, at = 0;
  for (uint64_t child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && goes_first(&heap[child + 1], &heap[child]))
      ++child;
    if (!goes_first(&heap[child], &moving))
      break;
    heap[at] = heap[child];
    at = child;
  }
  if (count > 0)
    heap[at] = moving;
  return first;
}

// The operator that leaves the most live first, so that the best is last; of
// equal ones, the first.
static bool leaves_more(const void *context, uint32_t a, uint32_t b) {
  const LunaOrderState *state = context;
  int64_t x = luna_order_state_after(state, a);
  int64_t y = luna_order_state_after(state, b);
  return x != y ? x > y : a > b;
}

// Adds the moves of the last node, whose set is loaded.
static void add_moves(Exact *self) {
  LunaOrderState *state = &self->search->state;
  LunaArena scratch = {0};
  uint32_t *ready = LUNA_ARENA_ARRAY(&scratch, uint32_t, state->ready_count);
  memcpy(ready, state->ready, sizeof(uint32_t) * state->ready_count);
  luna_plan_sort(ready, state->ready_count, leaves_more, state, &scratch);
  state->steps += state->ready_count;
  for (uint32_t i = 0; i < state->ready_count; ++i) {
    Move move = {order_state_need(state, ready[i]),
                 (uint32_t)self->nodes.count - 1, ready[i]};
    if (move.need_bytes <= self->limit_bytes)
      *LUNA_VECTOR_ADD(&self->nodes.arena, &self->open) = move;
    else
      block(self, move);
  }
  luna_arena_destroy(&scratch);
}

// Adds the loaded set, closed, as a node. Returns true if that is the end.
static bool visit(Exact *self, uint32_t parent) {
  LunaOrderState *state = &self->search->state;
  luna_order_state_close(state, self->limit_bytes);
  if (!luna_order_nodes_add(&self->nodes, state, parent))
    return false;
  ++self->search->states;
  if (state->done_count == state->index->operator_count)
    return true;
  add_moves(self);
  return false;
}

static bool take(Exact *self, Move move) {
  LunaOrderState *state = &self->search->state;
  luna_order_state_load(state, self->nodes.items[move.node].done);
  luna_order_state_run(state, move.op);
  return visit(self, move.node);
}

// Raises the limit to the least that a blocked move needs. Returns false if
// that is no less than the best order takes.
static bool raise_limit(Exact *self) {
  LunaOrderSearch *search = self->search;
  int64_t need = self->blocked.count > 0 ? self->blocked.items[0].need_bytes
                                         : search->peak_bytes;
  search->bound_bytes = self->limit_bytes =
      need < search->peak_bytes ? need : search->peak_bytes;
  while (self->blocked.count > 0 &&
         self->blocked.items[0].need_bytes <= self->limit_bytes)
    *LUNA_VECTOR_ADD(&self->nodes.arena, &self->open) = unblock(self);
  return self->limit_bytes < search->peak_bytes;
}

void luna_order_search_exact(LunaOrderSearch *search) {
  Exact self = {.search = search, .limit_bytes = search->bound_bytes};
  uint64_t *none =
      LUNA_ARENA_ARRAY(&self.nodes.arena, uint64_t, search->state.word_count);
  luna_order_state_load(&search->state, none);
  bool is_found = visit(&self, LUNA_ORDER_ROOT);
  while (!is_found && search->state.steps < search->end_step) {
    if (self.open.count == 0 && !raise_limit(&self))
      break;
    is_found = take(&self, self.open.items[--self.open.count]);
  }
  if (is_found) {
    luna_order_nodes_trace(&self.nodes, search->operators);
    search->peak_bytes = self.limit_bytes;
  }
  luna_arena_destroy(&self.nodes.arena);
}
