#include "luna/model_order.h"

#include "luna/order.h"

// What has accessed a buffer or an argument so far. Operators are numbers plus
// one; 0 is none.
typedef struct Place {
  uint32_t writer;
  LUNA_VECTOR(uint32_t) readers;
  // Of a buffer whose home is the body: its value, plus one, and the operator
  // that it begins with.
  uint32_t value, maker;
} Place;

typedef struct Orderer {
  const LunaModel *model;
  const LunaModelStep *steps;
  LunaArena *arena;
  uint64_t step_budget;
  LunaModelOrders *orders;
  // By buffer: the innermost body with all steps that access it, the first of
  // its steps that does, and if another one does.
  LunaModelId *home, *user;
  bool *is_shared;
} Orderer;

// The graph of a body under construction: operator i is children.items[i].
typedef struct Graph {
  const Orderer *orderer;
  LunaArena *arena;
  LunaModelId body;
  LunaOrderGraph *graph;
  LUNA_VECTOR(LunaModelId) children;
  uint32_t *operator_of; // by step that lies in the body
  Place *places;         // by value
  uint32_t current;      // the last one
  // The last fence and the last control flow, or LUNA_MODEL_NONE.
  uint32_t fence, control_flow;
  int64_t own_bytes;
  bool is_known;
} Graph;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

typedef void (*Visit)(void *data, LunaModelId step, LunaModelId slice,
                      bool is_write);

// Calls `visit` for each slice that a step accesses, but not what lies in it.
// What is passed on is read: whoever merges it may have to copy.
static void visit_step(const LunaModel *model, LunaModelId id, Visit visit,
                       void *data) {
  const LunaModelStep *step = &model->steps.items[id];
  bool is_name =
      step->kind == LUNA_MODEL_ALLOCATE || step->kind == LUNA_MODEL_SCALAR;
  uint32_t count = is_name ? 0 : step->access_count;
  for (uint32_t i = 0; i < count; ++i) {
    const LunaModelAccess *access = &luna_model_accesses(model, step)[i];
    visit(data, id, access->slice, access->kind != LUNA_MODEL_READ);
  }
  for (uint32_t i = 0; i < step->edge_count; ++i)
    visit(data, id, model->edges.items[step->first_edge + i].from, false);
}

static void visit_steps(const LunaModel *model, LunaModelId first,
                        LunaModelId end, Visit visit, void *data) {
  for (LunaModelId id = first; id < end; ++id)
    visit_step(model, id, visit, data);
}

static const LunaModelValue *value_of(const LunaModel *model,
                                      LunaModelId slice) {
  return &model->values.items[model->slices.items[slice].value];
}

static LunaModelId source_of(const LunaModel *model,
                             const LunaModelValue *value, uint32_t index) {
  return model->sources.items[value->first_source + index];
}

//===----------------------------------------------------------------------===//
// Homes
//===----------------------------------------------------------------------===//

static void widen_home(void *data, LunaModelId step, LunaModelId slice,
                       bool is_write) {
  (void)is_write;
  const Orderer *orderer = data;
  const LunaModelValue *value = value_of(orderer->model, slice);
  for (uint32_t i = 0; i < value->source_count; ++i) {
    LunaModelId *home = &orderer->home[source_of(orderer->model, value, i)];
    while (!luna_model_is_within(orderer->model, step, *home))
      *home = orderer->steps[orderer->steps[*home].parent].parent;
  }
}

static void note_user(void *data, LunaModelId step, LunaModelId slice,
                      bool is_write) {
  (void)is_write;
  const Orderer *orderer = data;
  const LunaModelValue *value = value_of(orderer->model, slice);
  for (uint32_t i = 0; i < value->source_count; ++i) {
    LunaModelId buffer = source_of(orderer->model, value, i), user = step;
    while (orderer->steps[user].parent != orderer->home[buffer])
      user = orderer->steps[user].parent;
    if (orderer->user[buffer] == LUNA_MODEL_NONE)
      orderer->user[buffer] = user;
    orderer->is_shared[buffer] |= orderer->user[buffer] != user;
  }
}

static void find_homes(Orderer *orderer) {
  const LunaModel *model = orderer->model;
  LunaModelId end = (LunaModelId)model->steps.count;
  for (uint32_t i = 0; i < model->buffer_count; ++i) {
    LunaModelId maker = model->values.items[i].step;
    orderer->home[i] = maker == 0 ? 0 : orderer->steps[maker].parent;
    orderer->user[i] = LUNA_MODEL_NONE;
  }
  visit_steps(model, 1, end, widen_home, orderer);
  visit_steps(model, 1, end, note_user, orderer);
}

//===----------------------------------------------------------------------===//
// The graph of a body
//===----------------------------------------------------------------------===//

static void add_edge(Graph *graph, uint32_t earlier) {
  if (earlier != graph->current)
    luna_order_add_edge(graph->graph, earlier, graph->current);
}

static void touch_place(Graph *graph, Place *place, bool is_write) {
  if (place->writer > 0)
    add_edge(graph, place->writer - 1);
  if (!is_write) {
    *LUNA_VECTOR_ADD(graph->arena, &place->readers) = graph->current;
    return;
  }
  for (uint64_t i = 0; i < place->readers.count; ++i)
    add_edge(graph, place->readers.items[i]);
  place->readers.count = 0;
  place->writer = graph->current + 1;
}

// Scratch is not made yet: a step has the least that it can do with.
static int64_t bytes_of(const LunaModel *model, LunaModelId buffer) {
  const LunaModelValue *value = &model->values.items[buffer];
  bool counts = value->is_on_chip && value->role != LUNA_MODEL_SCRATCH;
  return counts && value->bytes > 0 ? value->bytes : 0;
}

// Adds the buffers that the operator alone accesses to its own bytes.
static void add_own(void *data, LunaModelId step, LunaModelId slice,
                    bool is_write) {
  (void)step;
  (void)is_write;
  Graph *graph = data;
  const Orderer *orderer = graph->orderer;
  const LunaModelValue *value = value_of(orderer->model, slice);
  for (uint32_t i = 0; i < value->source_count; ++i) {
    LunaModelId buffer = source_of(orderer->model, value, i);
    Place *place = &graph->places[buffer];
    if (orderer->home[buffer] != graph->body || orderer->is_shared[buffer] ||
        place->value > 0)
      continue;
    graph->own_bytes += bytes_of(orderer->model, buffer);
    place->value = 1;
  }
}

// The value begins with the first operator that accesses the buffer.
static void touch_buffer(Graph *graph, LunaModelId buffer, bool is_write) {
  const Orderer *orderer = graph->orderer;
  Place *place = &graph->places[buffer];
  if (orderer->home[buffer] == graph->body && orderer->is_shared[buffer]) {
    if (place->value == 0) {
      place->maker = graph->current;
      place->value = 1 + luna_order_add_value(graph->graph,
                                              bytes_of(orderer->model, buffer),
                                              graph->current);
    } else if (place->maker != graph->current) {
      luna_order_read(graph->graph, graph->current, place->value - 1);
    }
  }
  touch_place(graph, place, is_write);
}

static void touch(void *data, LunaModelId step, LunaModelId slice,
                  bool is_write) {
  (void)step;
  Graph *graph = data;
  const LunaModel *model = graph->orderer->model;
  const LunaModelValue *value = value_of(model, slice);
  for (uint32_t i = 0; i < value->source_count; ++i)
    touch_buffer(graph, source_of(model, value, i), is_write);
  if (value->source_count > 0 && !value->has_other)
    return;
  if (value->kind == LUNA_MODEL_ARGUMENT)
    touch_place(graph, &graph->places[value - model->values.items], is_write);
  else
    graph->is_known &= value->kind == LUNA_MODEL_CONSTANT && !is_write;
}

// Returns true if nothing passes a step that is one, or has one in it.
static bool is_fence(const LunaModelStep *steps, LunaModelId id) {
  return steps[id].kind == LUNA_MODEL_LOOP && steps[id + 1].end < steps[id].end;
}

static bool is_known(const LunaModelStep *step) {
  return !step->is_opaque && step->kind != LUNA_MODEL_TRANSFER &&
         step->kind != LUNA_MODEL_AWAIT && step->kind != LUNA_MODEL_REGION;
}

static void need(Graph *graph, const LunaModelStep *step) {
  const LunaModel *model = graph->orderer->model;
  for (uint32_t i = 0; i < step->need_count; ++i) {
    LunaModelId needed = model->needs.items[step->first_need + i];
    if (needed > graph->body)
      add_edge(graph, graph->operator_of[needed]);
  }
}

// Orders the operator after the last fence and, if it is control flow, after
// that before it.
static void keep_order(Graph *graph, LunaModelId child, bool has_fence) {
  const LunaModelStep *step = &graph->orderer->steps[child];
  if (graph->fence != LUNA_MODEL_NONE)
    add_edge(graph, graph->fence);
  if (has_fence) {
    uint32_t first = graph->fence == LUNA_MODEL_NONE ? 0 : graph->fence;
    for (uint32_t i = first; i < graph->current; ++i)
      add_edge(graph, i);
    graph->fence = graph->current;
  }
  if (step->kind != LUNA_MODEL_BRANCHES && step->kind != LUNA_MODEL_LOOP)
    return;
  if (graph->control_flow != LUNA_MODEL_NONE)
    add_edge(graph, graph->control_flow);
  graph->control_flow = graph->current;
}

// Adds a step of the body, which takes `bytes` for what only lies in it.
static void add_child(Graph *graph, LunaModelId child, int64_t bytes) {
  const LunaModel *model = graph->orderer->model;
  const LunaModelStep *steps = graph->orderer->steps;
  LunaModelId end = steps[child].end;
  bool has_fence = false;
  graph->own_bytes = bytes + steps[child].scratch_bytes;
  visit_steps(model, child, end, add_own, graph);
  *LUNA_VECTOR_ADD(graph->arena, &graph->children) = child;
  graph->current = luna_order_add_operator(graph->graph, graph->own_bytes);
  for (LunaModelId id = child; id < end; ++id) {
    graph->operator_of[id] = graph->current;
    graph->is_known &= is_known(&steps[id]);
    has_fence |= is_fence(steps, id);
    need(graph, &steps[id]);
  }
  keep_order(graph, child, has_fence);
  visit_steps(model, child, end, touch, graph);
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

static int64_t order_body(Orderer *orderer, LunaModelId body);

// Orders the bodies of a step; returns the most that one of them holds.
static int64_t order_bodies(Orderer *orderer, LunaModelId id) {
  int64_t most = 0;
  if (orderer->steps[id].kind == LUNA_MODEL_SELECT)
    return 0;
  for (LunaModelId body = id + 1; body < orderer->steps[id].end;
       body = orderer->steps[body].end) {
    int64_t peak = order_body(orderer, body);
    most = peak > most ? peak : most;
  }
  return most;
}

static void add_order(Orderer *orderer, const Graph *graph,
                      const uint32_t *operators) {
  uint64_t count = graph->children.count;
  LunaModelId *steps = LUNA_ARENA_ARRAY(orderer->arena, LunaModelId, count);
  for (uint64_t i = 0; i < count; ++i)
    steps[i] = graph->children.items[operators[i]];
  *LUNA_VECTOR_ADD(orderer->arena, orderer->orders) =
      (LunaModelOrder){graph->body, steps, (uint32_t)count};
}

// Returns the bytes of buffers that only the body knows, at its peak.
static int64_t order_body(Orderer *orderer, LunaModelId body) {
  const LunaModel *model = orderer->model;
  const LunaModelStep *steps = orderer->steps;
  LunaArena scratch = {0};
  Graph graph = {
      .orderer = orderer,
      .arena = &scratch,
      .body = body,
      .graph = luna_order_create(&scratch),
      .operator_of = LUNA_ARENA_ARRAY(&scratch, uint32_t, steps[body].end),
      .places = LUNA_ARENA_ARRAY(&scratch, Place, model->values.count),
      .fence = LUNA_MODEL_NONE,
      .control_flow = LUNA_MODEL_NONE,
      .is_known = true,
  };
  for (LunaModelId id = body + 1; id < steps[body].end; id = steps[id].end)
    if (steps[id].kind != LUNA_MODEL_PASS)
      add_child(&graph, id, order_bodies(orderer, id));
  LunaOrderOptions options = {.step_budget = orderer->step_budget};
  LunaOrderSolution solution;
  int64_t peak = 0;
  if (luna_order_solve(graph.graph, &options, &solution, NULL)) {
    bool pays = graph.is_known && solution.peak_bytes < solution.given_bytes;
    peak = pays ? solution.peak_bytes : solution.given_bytes;
    if (pays)
      add_order(orderer, &graph, solution.operators);
  }
  luna_arena_destroy(&scratch);
  return peak;
}

void luna_model_orders(const LunaModel *model, uint64_t step_budget,
                       LunaArena *arena, LunaModelOrders *orders) {
  LunaArena scratch = {0};
  uint32_t count = model->buffer_count;
  Orderer orderer = {
      .model = model,
      .steps = model->steps.items,
      .arena = arena,
      .step_budget = step_budget,
      .orders = orders,
      .home = LUNA_ARENA_ARRAY(&scratch, LunaModelId, count),
      .user = LUNA_ARENA_ARRAY(&scratch, LunaModelId, count),
      .is_shared = LUNA_ARENA_ARRAY(&scratch, bool, count),
  };
  find_homes(&orderer);
  order_body(&orderer, 0);
  luna_arena_destroy(&scratch);
}
