// The checker of plans. It reads the program tree as data and calls none of the
// planner's functions: for 64 buffers at a time it builds a control-flow graph
// (plan_check_graph.c) and computes liveness by iteration to a fixed point on
// sets of bits. The sweep over the live buffers is in plan_check_overlaps.c.

#include "luna/plan_check.h"

#include <string.h>

#include "plan_check_graph.h"
#include "plan_check_overlaps.h"

typedef struct Spans {
  LunaArena *arena;
  LUNA_VECTOR(LunaCheckSpan) list;
} Spans;

static void add_span(Spans *spans, LunaCheckSpan span) {
  if (span.first >= span.end)
    return;
  *LUNA_VECTOR_ADD(spans->arena, &spans->list) = span;
}

// The sets of 64 buffers at each point of the graph, one bit per buffer.
typedef struct Sets {
  // The accesses of steps, at their entries. A step discards first, then reads
  // what moves away, then defines, then uses.
  uint64_t *discarded, *moved, *defined, *used;
  // Reached: contents reach the point. Wanted: contents at the point are used
  // later.
  uint64_t *reached, *wanted;
} Sets;

// Memory for the sets of one block after another.
typedef struct Words {
  uint64_t *items;
  uint64_t capacity;
} Words;

static uint64_t touched_at(const Sets *sets, uint32_t point) {
  return sets->moved[point] | sets->defined[point] | sets->used[point];
}

// Transfer functions: what reaches the end of an edge from its start, and what
// is wanted at its start of what is wanted at its end. Only entries of steps
// have an effect.
static uint64_t flow_on(const Sets *sets, uint32_t from) {
  return touched_at(sets, from) |
         (sets->reached[from] & ~sets->discarded[from]);
}

static uint64_t flow_back(const Sets *sets, uint32_t from, uint64_t wanted) {
  uint64_t behind = sets->used[from] | wanted;
  return (sets->moved[from] | (behind & ~sets->defined[from])) &
         ~sets->discarded[from];
}

static void iterate(const LunaCheckGraph *graph, Sets *sets) {
  for (size_t i = 0; i < graph->edges.count; ++i) {
    uint32_t from = graph->edges.items[i].from;
    sets->wanted[from] = flow_back(sets, from, 0);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < graph->edges.count; ++i) {
      LunaCheckEdge edge = graph->edges.items[i];
      uint64_t more = flow_on(sets, edge.from) & ~sets->reached[edge.to];
      sets->reached[edge.to] |= more;
      changed |= more != 0;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = graph->edges.count; i-- > 0;) {
      LunaCheckEdge edge = graph->edges.items[i];
      uint64_t more = flow_back(sets, edge.from, sets->wanted[edge.to]) &
                      ~sets->wanted[edge.from];
      sets->wanted[edge.from] |= more;
      changed |= more != 0;
    }
  }
}

// Returns what is live at steps that are alike, of the fixed point.
static uint64_t live_at(const Sets *sets, uint32_t node) {
  uint32_t in = plan_check_entry(node), out = plan_check_exit(node);
  return touched_at(sets, in) | (sets->reached[in] & sets->wanted[in]) |
         (sets->reached[out] & sets->wanted[out]);
}

// Adds the live spans of buffers [first, first + 64).
static void add_derived(const LunaCheckGraph *graph, const Sets *sets,
                        uint32_t first, Spans *spans) {
  uint32_t starts[64] = {0};
  uint64_t before = 0;
  for (size_t i = 0; i <= graph->runs.count; ++i) {
    bool is_end = i == graph->runs.count;
    uint64_t now = is_end ? 0 : live_at(sets, graph->runs.items[i].node);
    uint32_t step = is_end ? (uint32_t)graph->problem->step_nodes.count
                           : graph->runs.items[i].first;
    for (uint32_t bit = 0; now != before && bit < 64; ++bit) {
      uint64_t mask = (uint64_t)1 << bit;
      if ((now & mask) != 0 && (before & mask) == 0)
        starts[bit] = step;
      if ((now & mask) == 0 && (before & mask) != 0)
        add_span(spans, (LunaCheckSpan){first + bit, starts[bit], step});
    }
    before = now;
  }
}

// Touches sorted into blocks of 64 buffers.
typedef struct TouchBlocks {
  uint32_t *starts;
  uint32_t *touches;
  uint32_t count;
} TouchBlocks;

static TouchBlocks make_touch_blocks(const LunaProblem *problem,
                                     LunaArena *arena) {
  TouchBlocks blocks = {.count = problem->buffers.count / 64 + 1};
  blocks.starts = LUNA_ARENA_ARRAY(arena, uint32_t, blocks.count + 1);
  blocks.touches = LUNA_ARENA_ARRAY(arena, uint32_t, problem->touches.count);
  for (uint32_t i = 0; i < problem->touches.count; ++i)
    ++blocks.starts[problem->touches.items[i].buffer / 64];
  uint32_t total = 0;
  for (uint32_t i = 0; i <= blocks.count; ++i) {
    total += i < blocks.count ? blocks.starts[i] : 0;
    blocks.starts[i] = total;
  }
  for (uint32_t i = 0; i < problem->touches.count; ++i)
    blocks.touches[--blocks.starts[problem->touches.items[i].buffer / 64]] = i;
  return blocks;
}

static void add_access(Sets *sets, uint32_t point, uint64_t mask,
                       unsigned access) {
  if ((access & PLAN_USES) != 0)
    sets->used[point] |= mask;
  if ((access & PLAN_DEFINES) != 0)
    sets->defined[point] |= mask;
  if ((access & PLAN_MOVES_AWAY) != 0)
    sets->moved[point] |= mask;
  if ((access & PLAN_DISCARDS) != 0)
    sets->discarded[point] |= mask;
}

// Returns empty sets for `points` points, in `words` if there is room.
static Sets make_sets(Words *words, uint64_t points, LunaArena *arena) {
  if (words->capacity < 6 * points) {
    words->capacity = 12 * points;
    words->items = LUNA_ARENA_ARRAY(arena, uint64_t, words->capacity);
  }
  uint64_t *at = words->items;
  memset(at, 0, 6 * points * sizeof *at);
  return (Sets){at,
                at + points,
                at + 2 * points,
                at + 3 * points,
                at + 4 * points,
                at + 5 * points};
}

static void derive_spans(const LunaProblem *problem, Spans *spans) {
  LunaArena *arena = spans->arena;
  if (problem->touches.count == 0)
    return;
  LunaCheckGraph graph = luna_plan_check_graph_make(problem, arena);
  TouchBlocks blocks = make_touch_blocks(problem, arena);
  uint32_t *steps = LUNA_ARENA_ARRAY(arena, uint32_t, problem->touches.count);
  for (uint32_t i = 0; i < problem->touches.count; ++i)
    steps[i] = problem->touches.items[blocks.touches[i]].step;
  Words words = {0};
  for (uint32_t block = 0; block < blocks.count; ++block) {
    uint32_t first = blocks.starts[block], end = blocks.starts[block + 1];
    if (first == end)
      continue;
    luna_plan_check_graph_build(&graph, steps + first, end - first);
    Sets sets = make_sets(&words, 2 * (uint64_t)graph.node_count, arena);
    for (uint32_t i = first; i < end; ++i) {
      LunaPlanTouch touch = problem->touches.items[blocks.touches[i]];
      add_access(&sets, luna_plan_check_graph_entry(&graph, touch.step),
                 (uint64_t)1 << touch.buffer % 64, touch.access);
    }
    iterate(&graph, &sets);
    add_derived(&graph, &sets, 64 * block, spans);
  }
}

static void add_pinned(const LunaProblem *problem, Spans *spans) {
  for (uint32_t i = 0; i < problem->pinned.count; ++i) {
    const LunaPlanPinned *pinned = &problem->pinned.items[i];
    add_span(spans, (LunaCheckSpan){pinned->buffer, pinned->steps.first,
                                    pinned->steps.end});
  }
}

// Returns the lowest alias of every buffer: parents have lower indices.
static const uint32_t *find_roots(const LunaProblem *problem,
                                  LunaArena *arena) {
  uint32_t *roots = LUNA_ARENA_ARRAY(arena, uint32_t, problem->buffers.count);
  for (uint32_t id = 0; id < problem->buffers.count; ++id) {
    uint32_t parent = problem->places.items[id];
    roots[id] = parent == id ? id : roots[parent];
  }
  return roots;
}

static bool check_place(const LunaProblem *problem, const int64_t *offsets,
                        uint32_t id, uint32_t root, int64_t capacity_bytes,
                        LunaError *error) {
  const LunaBuffer *buffer = &problem->buffers.items[id];
  int64_t offset = offsets[id];
  if (offset < 0 || offset > INT64_MAX - buffer->size_bytes ||
      (capacity_bytes > 0 && buffer->size_bytes > 0 &&
       offset + buffer->size_bytes > capacity_bytes))
    return luna_error_set(error, LUNA_ERROR_CHECK, id,
                          "buffer '%s' of %lld bytes is at %lld, outside the "
                          "memory of %lld bytes",
                          buffer->name, (long long)buffer->size_bytes,
                          (long long)offset, (long long)capacity_bytes);
  if (offset % buffer->align_bytes != 0)
    return luna_error_set(error, LUNA_ERROR_CHECK, id,
                          "buffer '%s' is at %lld, not a multiple of its "
                          "alignment %lld",
                          buffer->name, (long long)offset,
                          (long long)buffer->align_bytes);
  if (buffer->is_fixed && offset != buffer->fixed_offset_bytes)
    return luna_error_set(error, LUNA_ERROR_CHECK, id,
                          "buffer '%s' is at %lld, but is fixed at %lld",
                          buffer->name, (long long)offset,
                          (long long)buffer->fixed_offset_bytes);
  if (offset != offsets[root])
    return luna_error_set(error, LUNA_ERROR_CHECK, id,
                          "buffer '%s' is at %lld, but shares the place of "
                          "'%s', which is at %lld",
                          buffer->name, (long long)offset,
                          problem->buffers.items[root].name,
                          (long long)offsets[root]);
  return true;
}

static bool check_built(const LunaProblem *problem, LunaError *error) {
  if (problem->mistake.code != LUNA_ERROR_NONE) {
    if (error)
      *error = problem->mistake;
    return false;
  }
  for (uint32_t i = 0; i < problem->buffers.count; ++i)
    if (problem->buffers.items[i].size_bytes < 0 ||
        problem->buffers.items[i].align_bytes <= 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "buffer '%s' has an invalid size or alignment",
                            problem->buffers.items[i].name);
  return true;
}

static bool check(const LunaProblem *problem, const int64_t *offset_bytes,
                  int64_t capacity_bytes, LunaArena *arena, LunaError *error) {
  if (!check_built(problem, error))
    return false;
  const uint32_t *roots = find_roots(problem, arena);
  for (uint32_t id = 0; id < problem->buffers.count; ++id)
    if (!check_place(problem, offset_bytes, id, roots[id], capacity_bytes,
                     error))
      return false;
  Spans spans = {.arena = arena};
  derive_spans(problem, &spans);
  add_pinned(problem, &spans);
  return luna_plan_check_overlaps(problem, offset_bytes, roots,
                                  spans.list.items, (uint32_t)spans.list.count,
                                  arena, error);
}

typedef struct Call {
  const LunaProblem *problem;
  const int64_t *offset_bytes;
  int64_t capacity_bytes;
  LunaArena *arena;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  return check(self->problem, self->offset_bytes, self->capacity_bytes,
               self->arena, error);
}

bool luna_plan_check(const LunaProblem *problem, const int64_t *offset_bytes,
                     int64_t capacity_bytes, LunaArena *arena,
                     LunaError *error) {
  Call self = {problem, offset_bytes, capacity_bytes, arena};
  return luna_arena_guard(arena, problem->arena, "a plan was checked", call,
                          &self, error);
}
