// Shared objects by minimum-cost flow: each record is a left vertex (its object
// after it) and a right vertex (its object before it). An edge from left j to
// right i passes the object of j to i, at the cost of its growth; an edge from
// the source to right i creates an object.

#include <string.h>

#include "luna/vector.h"
#include "plan_objects.h"

#define NONE UINT32_MAX

// Edges come in pairs: the one at an odd index is the reverse edge.
typedef struct Edge {
  uint32_t target;
  uint32_t capacity;
  int64_t cost;
  uint32_t next_of_source;
} Edge;

typedef struct Flow {
  LunaArena *arena;
  uint32_t vertex_count, source, sink;
  LUNA_VECTOR(Edge) edges;
  uint32_t *first_edge, *last_edge;
  // The shortest path: distances, edges by which vertices are reached.
  int64_t *distances;
  uint32_t *reached_by;
} Flow;

static void add_half(Flow *flow, uint32_t source, Edge edge) {
  uint32_t id = flow->edges.count;
  edge.next_of_source = NONE;
  *LUNA_VECTOR_ADD(flow->arena, &flow->edges) = edge;
  if (flow->last_edge[source] == NONE)
    flow->first_edge[source] = id;
  else
    flow->edges.items[flow->last_edge[source]].next_of_source = id;
  flow->last_edge[source] = id;
}

static void add_edge(Flow *flow, uint32_t source, uint32_t target,
                     int64_t cost) {
  add_half(flow, source, (Edge){.target = target, .capacity = 1, .cost = cost});
  add_half(flow, target, (Edge){.target = source, .cost = -cost});
}

static Flow make_flow(const LunaPlanAssignment *assignment, LunaArena *arena) {
  uint32_t count = assignment->record_count;
  Flow flow = {.arena = arena,
               .vertex_count = 2 * count + 2,
               .source = 2 * count,
               .sink = 2 * count + 1};
  flow.first_edge = LUNA_ARENA_ARRAY(arena, uint32_t, flow.vertex_count);
  flow.last_edge = LUNA_ARENA_ARRAY(arena, uint32_t, flow.vertex_count);
  flow.distances = LUNA_ARENA_ARRAY(arena, int64_t, flow.vertex_count);
  flow.reached_by = LUNA_ARENA_ARRAY(arena, uint32_t, flow.vertex_count);
  memset(flow.first_edge, 0xff, sizeof(uint32_t) * flow.vertex_count);
  memset(flow.last_edge, 0xff, sizeof(uint32_t) * flow.vertex_count);
  return flow;
}

static bool dies_first(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanUsage *records = context;
  return records[a].last < records[b].last;
}

// Adds the edges in the order of the records; those from dead records in the
// order in which they died.
static void add_edges(Flow *flow, const LunaPlanAssignment *assignment) {
  const LunaPlanUsage *records = assignment->records;
  uint32_t count = assignment->record_count;
  uint32_t *by_death = LUNA_ARENA_ARRAY(flow->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    by_death[i] = i;
  luna_plan_sort(by_death, count, dies_first, records, flow->arena);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t right = count + i;
    add_edge(flow, flow->source, i, 0);
    add_edge(flow, right, flow->sink, 0);
    add_edge(flow, flow->source, right, records[i].size);
    for (uint32_t k = 0;
         k < count && records[by_death[k]].last < records[i].first; ++k) {
      int64_t growth = records[i].size - records[by_death[k]].size;
      add_edge(flow, by_death[k], right, growth > 0 ? growth : 0);
    }
  }
}

// The vertices of this pass and of the next.
typedef struct Queues {
  uint32_t *now, *next;
  uint32_t now_count, next_count;
  bool *is_in_next;
} Queues;

static void relax(Flow *flow, Queues *queues, uint32_t vertex) {
  for (uint32_t id = flow->first_edge[vertex]; id != NONE;
       id = flow->edges.items[id].next_of_source) {
    const Edge *edge = &flow->edges.items[id];
    int64_t distance = flow->distances[vertex] + edge->cost;
    if (edge->capacity == 0 || distance >= flow->distances[edge->target])
      continue;
    flow->distances[edge->target] = distance;
    flow->reached_by[edge->target] = id;
    if (!queues->is_in_next[edge->target])
      queues->next[queues->next_count++] = edge->target;
    queues->is_in_next[edge->target] = true;
  }
}

// Finds a cheapest path by passes over the vertices whose distance decreased in
// the previous pass. Returns false if the sink is unreachable.
static bool find_path(Flow *flow, Queues *queues) {
  for (uint32_t i = 0; i < flow->vertex_count; ++i)
    flow->distances[i] = INT64_MAX / 2;
  flow->distances[flow->source] = 0;
  queues->next[0] = flow->source;
  queues->next_count = 1;
  while (queues->next_count > 0) {
    uint32_t *swap = queues->now;
    queues->now = queues->next;
    queues->now_count = queues->next_count;
    queues->next = swap;
    queues->next_count = 0;
    memset(queues->is_in_next, 0, flow->vertex_count);
    for (uint32_t i = 0; i < queues->now_count; ++i)
      relax(flow, queues, queues->now[i]);
  }
  return flow->distances[flow->sink] < INT64_MAX / 2;
}

static void augment(Flow *flow) {
  for (uint32_t vertex = flow->sink; vertex != flow->source;) {
    uint32_t id = flow->reached_by[vertex];
    --flow->edges.items[id].capacity;
    ++flow->edges.items[id ^ 1].capacity;
    vertex = flow->edges.items[id ^ 1].target;
  }
}

// Assigns a new object to a record and those that inherit it.
static void assign_chain(LunaPlanAssignment *assignment, const Flow *flow,
                         uint32_t record) {
  uint32_t count = assignment->record_count;
  uint32_t object = luna_plan_assignment_add(assignment, 0);
  int64_t *size = &assignment->object_sizes[object];
  while (record != NONE) {
    assignment->objects[record] = object;
    if (*size < assignment->records[record].size)
      *size = assignment->records[record].size;
    uint32_t next = NONE;
    for (uint32_t id = flow->first_edge[record]; id != NONE && next == NONE;
         id = flow->edges.items[id].next_of_source) {
      const Edge *edge = &flow->edges.items[id];
      if (id % 2 == 0 && edge->capacity == 0 && edge->target >= count &&
          edge->target < 2 * count)
        next = edge->target - count;
    }
    record = next;
  }
}

void luna_plan_assign_by_flow(LunaPlanAssignment *assignment,
                              LunaArena *arena) {
  uint32_t count = assignment->record_count;
  Flow flow = make_flow(assignment, arena);
  add_edges(&flow, assignment);
  Queues queues = {0};
  queues.now = LUNA_ARENA_ARRAY(arena, uint32_t, flow.vertex_count);
  queues.next = LUNA_ARENA_ARRAY(arena, uint32_t, flow.vertex_count);
  queues.is_in_next = LUNA_ARENA_ARRAY(arena, bool, flow.vertex_count);
  while (find_path(&flow, &queues))
    augment(&flow);
  for (uint32_t id = flow.first_edge[flow.source]; id != NONE;
       id = flow.edges.items[id].next_of_source) {
    const Edge *edge = &flow.edges.items[id];
    if (edge->capacity == 0 && edge->target >= count)
      assign_chain(assignment, &flow, edge->target - count);
  }
}
