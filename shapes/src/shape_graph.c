#include "luna/shape_graph.h"

#include "shape_cells.h"
#include "shape_step.h"

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void luna_shape_graph_init(LunaShapeGraph *graph, LunaArena *arena) {
  *graph = (LunaShapeGraph){.update_count = 0};
  luna_facts_init(&graph->facts, arena);
}

uint32_t luna_shape_value_add(LunaShapeGraph *graph,
                              const LunaShapeDecl *decl) {
  LunaArena *arena = graph->facts.exprs.arena;
  LunaShapeValue value = {.decl = *decl,
                          .rank = LUNA_SHAPE_UNRANKED,
                          .filled_rank = LUNA_SHAPE_UNRANKED};
  uint32_t count = decl->element_count;
  if (decl->rank != LUNA_SHAPE_UNRANKED) {
    int64_t *dims = LUNA_ARENA_ARRAY(arena, int64_t, decl->rank);
    for (uint32_t d = 0; d < decl->rank; ++d)
      dims[d] = decl->dims[d];
    value.decl.dims = dims;
  }
  value.elements = LUNA_ARENA_ARRAY(arena, LunaExpr, count);
  for (uint32_t k = 0; k < count; ++k)
    value.elements[k] = LUNA_EXPR_NONE;
  *LUNA_VECTOR_ADD(arena, &graph->values) = value;
  return (uint32_t)graph->values.count - 1;
}

static LunaExpr add_symbol(LunaShapeGraph *graph, uint32_t v, uint32_t cell) {
  LunaExprs *exprs = &graph->facts.exprs;
  const LunaShapeValue *value = &graph->values.items[v];
  bool is_element = cell >= value->rank;
  LunaSymbol symbol = {.range = {is_element                 ? INT64_MIN
                                 : value->decl.name != NULL ? 1
                                                            : 0,
                                 INT64_MAX},
                       .order = (uint64_t)v << 16 | cell,
                       .scope = value->decl.scope};
  if (value->decl.name && !is_element)
    symbol.name =
        luna_arena_printf(exprs->arena, "%s.%u", value->decl.name, cell);
  return luna_symbol_add(exprs, &symbol);
}

LunaExpr luna_cell_symbol(LunaShapeGraph *graph, uint32_t v, uint32_t cell) {
  uint32_t *own = &graph->values.items[v].own[cell];
  if (*own == UINT32_MAX)
    *own = add_symbol(graph, v, cell);
  return luna_expr_symbol(&graph->facts.exprs, *own);
}

static void queue_op(LunaShapeGraph *graph, uint32_t op) {
  if (graph->ops.items[op].is_queued)
    return;
  graph->ops.items[op].is_queued = true;
  *LUNA_VECTOR_ADD(graph->facts.exprs.arena, &graph->queue) = op;
}

static void queue_users(LunaShapeGraph *graph, uint32_t v) {
  for (uint64_t i = 0; i < graph->values.items[v].users.count; ++i)
    queue_op(graph, graph->values.items[v].users.items[i]);
}

// Sets a cell; counts and hands on what changes.
static void set_cell(LunaShapeGraph *graph, uint32_t v, LunaExpr *cell,
                     LunaExpr expr) {
  LunaExprs *exprs = &graph->facts.exprs;
  LunaExpr resolved = luna_expr_resolve(exprs, expr);
  if (*cell != LUNA_EXPR_NONE && luna_expr_resolve(exprs, *cell) == resolved)
    return;
  graph->update_count += *cell != resolved;
  if (*cell != resolved)
    queue_users(graph, v);
  *cell = resolved;
}

// A rank that is found again finds its symbols again.
static void make_own(LunaShapeGraph *graph, LunaShapeValue *value,
                     uint32_t extents) {
  uint32_t cells = extents + value->decl.element_count;
  if (value->own && value->own_rank == extents)
    return;
  value->own_rank = extents;
  value->own = LUNA_ARENA_ARRAY(graph->facts.exprs.arena, uint32_t, cells);
  for (uint32_t i = 0; i < cells; ++i)
    value->own[i] = UINT32_MAX;
}

void luna_cell_define(LunaShapeGraph *graph, uint32_t v, uint32_t rank) {
  LunaShapeValue *value = &graph->values.items[v];
  uint32_t extents = rank == LUNA_SHAPE_UNRANKED ? 0 : rank;
  value->is_defined = true;
  value->rank = rank;
  value->dims = LUNA_ARENA_ARRAY(graph->facts.exprs.arena, LunaExpr, extents);
  for (uint32_t d = 0; d < extents; ++d)
    value->dims[d] = LUNA_EXPR_NONE;
  if (rank != LUNA_SHAPE_UNRANKED || value->decl.element_count > 0)
    make_own(graph, value, extents);
  queue_users(graph, v);
}

static LunaExpr declared(LunaShapeGraph *graph, LunaShapeDecl decl,
                         uint32_t d) {
  return decl.rank != LUNA_SHAPE_UNRANKED && decl.dims[d] != LUNA_SHAPE_OPEN
             ? luna_expr_const(&graph->facts.exprs, decl.dims[d])
             : LUNA_EXPR_NONE;
}

// Sets all cells of a value: what its type says, else what its operator says,
// else a symbol.
static void set_value(LunaShapeGraph *graph, uint32_t v, const LunaExpr *dims,
                      const LunaExpr *elements) {
  LunaShapeValue value = graph->values.items[v];
  uint32_t extents = value.rank == LUNA_SHAPE_UNRANKED ? 0 : value.rank;
  for (uint32_t d = 0; d < extents; ++d) {
    LunaExpr expr = declared(graph, value.decl, d);
    if (expr == LUNA_EXPR_NONE && dims)
      expr = dims[d];
    if (expr == LUNA_EXPR_NONE)
      expr = luna_cell_symbol(graph, v, d);
    set_cell(graph, v, &value.dims[d], expr);
  }
  for (uint32_t k = 0; k < value.decl.element_count; ++k) {
    LunaExpr expr = elements ? elements[k] : LUNA_EXPR_NONE;
    if (expr == LUNA_EXPR_NONE && !value.decl.is_tensor)
      expr = luna_cell_symbol(graph, v, extents + k);
    if (expr != LUNA_EXPR_NONE)
      set_cell(graph, v, &value.elements[k], expr);
  }
}

void luna_step_fill_rank(LunaShapeStep *step, uint32_t i, uint32_t rank) {
  LunaShapeGraph *graph = step->graph;
  if (i >= step->op->operand_count || rank == LUNA_SHAPE_UNRANKED)
    return;
  uint32_t v = step->op->operands[i];
  if (graph->values.items[v].rank != LUNA_SHAPE_UNRANKED)
    return;
  graph->values.items[v].filled_rank = rank;
  luna_cell_define(graph, v, rank);
  set_value(graph, v, NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

uint32_t luna_shape_op_add(LunaShapeGraph *graph, const LunaShapeOp *op) {
  *LUNA_VECTOR_ADD(graph->facts.exprs.arena, &graph->ops) = *op;
  return (uint32_t)graph->ops.count - 1;
}

static bool is_ready(const LunaShapeGraph *graph, const LunaShapeOp *op) {
  bool is_merge = op->rule == &luna_shape_merge;
  uint32_t defined = 0;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    defined += graph->values.items[op->operands[i]].is_defined;
  return defined >= (is_merge ? 1 : op->operand_count);
}

// Evaluates the rule of an operator.
static LunaShapeStep take_step(LunaShapeGraph *graph, uint32_t index) {
  LunaArena *arena = graph->facts.exprs.arena;
  const LunaShapeOp *op = &graph->ops.items[index];
  LunaShapeStep step = {
      graph, &graph->facts.exprs, op, index,
      LUNA_ARENA_ARRAY(arena, LunaShapeOut, op->result_count)};
  for (uint32_t r = 0; r < op->result_count; ++r) {
    uint32_t count = graph->values.items[op->results[r]].decl.element_count;
    step.outs[r].rank = LUNA_SHAPE_UNRANKED;
    step.outs[r].elements = LUNA_ARENA_ARRAY(arena, LunaExpr, count);
    for (uint32_t k = 0; k < count; ++k)
      step.outs[r].elements[k] = LUNA_EXPR_NONE;
  }
  op->rule->forward(&step);
  op->rule->value(&step);
  return step;
}

// The rank of a result: of its type, of its rule, or what its users ask for.
static uint32_t rank_of(const LunaShapeValue *value, uint32_t found) {
  if (value->decl.rank != LUNA_SHAPE_UNRANKED)
    return value->decl.rank;
  return found == LUNA_SHAPE_UNRANKED ? value->filled_rank : found;
}

static void forward(LunaShapeGraph *graph, uint32_t index) {
  if (!is_ready(graph, &graph->ops.items[index]))
    return;
  LunaShapeStep step = take_step(graph, index);
  for (uint32_t r = 0; r < step.op->result_count; ++r) {
    uint32_t v = step.op->results[r], found = step.outs[r].rank;
    const LunaShapeValue *value = &graph->values.items[v];
    uint32_t rank = rank_of(value, found);
    if (!value->is_defined || value->rank != rank)
      luna_cell_define(graph, v, rank);
    set_value(graph, v, found == rank ? step.outs[r].dims : NULL,
              step.outs[r].elements);
  }
}

// A result has the extents that its type states.
static void require_declared(LunaShapeStep *step, uint32_t r) {
  LunaShapeValue value = step->graph->values.items[step->op->results[r]];
  LunaShapeOut out = step->outs[r];
  if (out.rank == LUNA_SHAPE_UNRANKED || value.rank == LUNA_SHAPE_UNRANKED)
    return;
  if (out.rank != value.rank) {
    luna_step_require(step, LUNA_CONSTRAINT_EQUAL,
                      luna_step_const(step, out.rank),
                      luna_step_const(step, value.rank));
    return;
  }
  for (uint32_t d = 0; d < out.rank; ++d)
    luna_step_require(step, LUNA_CONSTRAINT_EQUAL, out.dims[d],
                      declared(step->graph, value.decl, d));
}

static void backward(LunaShapeGraph *graph, uint32_t index) {
  if (graph->ops.items[index].rule == &luna_shape_merge ||
      !is_ready(graph, &graph->ops.items[index]))
    return;
  LunaShapeStep step = take_step(graph, index);
  for (uint32_t r = 0; r < step.op->result_count; ++r)
    require_declared(&step, r);
  step.op->rule->backward(&step);
}

//===----------------------------------------------------------------------===//
// The fixed point
//===----------------------------------------------------------------------===//

static void define_arguments(LunaShapeGraph *graph) {
  LunaArena *arena = graph->facts.exprs.arena;
  bool *is_result = LUNA_ARENA_ARRAY(arena, bool, graph->values.count);
  for (uint32_t i = 0; i < graph->ops.count; ++i) {
    const LunaShapeOp *op = &graph->ops.items[i];
    for (uint32_t r = 0; r < op->result_count; ++r)
      is_result[op->results[r]] = true;
    for (uint32_t k = 0; k < op->operand_count; ++k)
      *LUNA_VECTOR_ADD(arena, &graph->values.items[op->operands[k]].users) = i;
  }
  for (uint32_t v = 0; v < graph->values.count; ++v)
    if (!is_result[v]) {
      luna_cell_define(graph, v, graph->values.items[v].decl.rank);
      set_value(graph, v, NULL, NULL);
    }
}

// Empties the queue, first in first out, or in a random order.
static void propagate(LunaShapeGraph *graph, uint32_t *random) {
  for (uint64_t next = 0; next < graph->queue.count; ++next) {
    if (*random != 0) {
      *random = *random * 1664525u + 1013904223u;
      uint64_t other = next + (*random >> 8) % (graph->queue.count - next);
      uint32_t op = graph->queue.items[other];
      graph->queue.items[other] = graph->queue.items[next];
      graph->queue.items[next] = op;
    }
    uint32_t op = graph->queue.items[next];
    graph->ops.items[op].is_queued = false;
    forward(graph, op);
  }
  graph->queue.count = 0;
}

static void count_cells(LunaShapeGraph *graph) {
  graph->cell_count = 0;
  for (uint32_t v = 0; v < graph->values.count; ++v) {
    const LunaShapeValue *value = &graph->values.items[v];
    graph->cell_count += value->decl.element_count;
    graph->cell_count += value->rank == LUNA_SHAPE_UNRANKED ? 0 : value->rank;
  }
}

uint32_t luna_shape_solve(LunaShapeGraph *graph, uint32_t seed) {
  enum { ROUNDS = 8 };
  uint32_t random = seed, failed = LUNA_NO_CONSTRAINT;
  define_arguments(graph);
  for (int round = 0; round < ROUNDS; ++round) {
    for (uint32_t i = 0; i < graph->ops.count; ++i)
      queue_op(graph, i);
    propagate(graph, &random);
    luna_facts_forget(&graph->facts);
    for (uint32_t i = 0; i < graph->ops.count; ++i)
      backward(graph, i);
    uint32_t generation = graph->facts.exprs.generation;
    failed = luna_facts_settle(&graph->facts);
    if (failed != LUNA_NO_CONSTRAINT)
      break;
    bool has_learned = generation != graph->facts.exprs.generation;
    has_learned |= luna_shape_solve_merges(graph);
    if (!has_learned && graph->queue.count == 0)
      break;
  }
  count_cells(graph);
  return failed;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

uint32_t luna_shape_rank(const LunaShapeGraph *graph, uint32_t value) {
  return graph->values.items[value].rank;
}

LunaExpr luna_shape_dim(LunaShapeGraph *graph, uint32_t value, uint32_t d) {
  return luna_expr_resolve(&graph->facts.exprs,
                           graph->values.items[value].dims[d]);
}

LunaExpr luna_shape_element(LunaShapeGraph *graph, uint32_t value, uint32_t i) {
  return luna_expr_resolve(&graph->facts.exprs,
                           graph->values.items[value].elements[i]);
}

// Returns true if an element is an expression of sizes, not a symbol of its
// own.
static bool is_known(LunaShapeGraph *graph, uint32_t v, uint32_t k) {
  LunaShapeValue value = graph->values.items[v];
  uint32_t symbol = 0;
  LunaExpr element = luna_shape_element(graph, v, k);
  if (element == LUNA_EXPR_NONE)
    return false;
  if (!luna_expr_is_symbol(&graph->facts.exprs, element, &symbol))
    return true;
  uint32_t extents = value.rank == LUNA_SHAPE_UNRANKED ? 0 : value.rank;
  return symbol != value.own[extents + k];
}

LunaShapeClass luna_shape_class_of(LunaShapeGraph *graph, uint32_t index) {
  LunaShapeOp op = graph->ops.items[index];
  if (op.rule->shape_class != LUNA_ISVDOS)
    return op.rule->shape_class;
  for (uint32_t i = 0; i < op.operand_count; ++i) {
    uint32_t count = graph->values.items[op.operands[i]].decl.element_count;
    for (uint32_t k = 0; k < count; ++k)
      if ((op.rule->value_operands >> (i < 31 ? i : 31) & 1) != 0 &&
          !is_known(graph, op.operands[i], k))
        return LUNA_ISVDOS;
  }
  return LUNA_ISDOS;
}

void luna_shape_name_symbols(LunaShapeGraph *graph) {
  LunaExprs *exprs = &graph->facts.exprs;
  uint32_t number = 0, symbol = 0;
  for (uint32_t v = 0; v < graph->values.count; ++v) {
    LunaShapeValue value = graph->values.items[v];
    uint32_t extents = value.rank == LUNA_SHAPE_UNRANKED ? 0 : value.rank;
    for (uint32_t c = 0; c < extents + value.decl.element_count; ++c) {
      LunaExpr cell = c < extents ? value.dims[c] : value.elements[c - extents];
      if (luna_expr_is_symbol(exprs, luna_expr_resolve(exprs, cell), &symbol) &&
          symbol == value.own[c] && !exprs->symbols.items[symbol].name)
        exprs->symbols.items[symbol].name =
            luna_arena_printf(exprs->arena, "u%u", number++);
    }
  }
}
