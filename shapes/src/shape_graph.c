#include "luna/shape_graph.h"

#include "shape_cells.h"
#include "shape_step.h"

void luna_shape_graph_init(LunaShapeGraph *graph, LunaArena *arena) {
  *graph = (LunaShapeGraph){.update_count = 0};
  luna_facts_init(&graph->facts, arena);
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
    luna_cell_set(graph, v, found == rank ? step.outs[r].dims : NULL,
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
                      luna_cell_declared(step->graph, value.decl, d));
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
      luna_cell_set(graph, v, NULL, NULL);
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
      luna_queue_op(graph, i);
    propagate(graph, &random);
    luna_facts_forget(&graph->facts);
    for (uint32_t i = 0; i < graph->ops.count; ++i)
      backward(graph, i);
    uint32_t generation = graph->facts.exprs.generation;
    failed = luna_facts_resolve(&graph->facts);
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

void luna_shape_infer(const LunaShapeOp *op, const LunaShapeDecl *operands,
                      uint32_t rank, int64_t *dims) {
  LunaArena arena = {0};
  LunaShapeGraph graph;
  luna_shape_graph_init(&graph, &arena);
  uint32_t *ids = LUNA_ARENA_ARRAY(&arena, uint32_t, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    ids[i] = luna_shape_value_add(&graph, &operands[i]);
  for (uint32_t d = 0; d < rank; ++d)
    dims[d] = LUNA_SHAPE_OPEN;
  uint32_t result = luna_shape_value_add(
      &graph, &(LunaShapeDecl){.rank = rank, .dims = dims});
  LunaShapeOp alone = *op;
  alone.operands = ids;
  alone.results = &result;
  alone.result_count = 1;
  luna_shape_op_add(&graph, &alone);
  luna_shape_solve(&graph, 0);
  for (uint32_t d = 0; d < rank; ++d)
    luna_expr_is_const(&graph.facts.exprs, luna_shape_dim(&graph, result, d),
                       &dims[d]);
  luna_arena_destroy(&arena);
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
