#include "luna/shape_census.h"

typedef struct Census {
  LunaShapeGraph *graph;
  bool *is_late;          // symbols that are not those of arguments
  uint32_t *makers;       // of values: the operator, or UINT32_MAX
  LunaShapeState *states; // of operators, LUNA_SHAPES_STATES if not counted
  uint32_t *parents;      // of operators, a forest of subgraphs
} Census;

static bool is_flow(const LunaShapeOp *op) {
  return op->rule == &luna_shape_merge ||
         op->rule == &luna_shape_forward_only ||
         op->rule == &luna_shape_induction;
}

static LunaShapeState state_of_expr(const Census *census, LunaExpr expr) {
  const LunaExprs *exprs = &census->graph->facts.exprs;
  int64_t number = 0;
  if (luna_expr_is_const(exprs, expr, &number))
    return LUNA_SHAPES_CONSTANT;
  for (uint32_t s = 0; s < exprs->symbols.count; ++s)
    if (census->is_late[s] && luna_expr_uses(exprs, expr, s))
      return LUNA_SHAPES_UNKNOWN;
  return LUNA_SHAPES_MIXED;
}

static LunaShapeState state_of_op(Census *census, const LunaShapeOp *op) {
  LunaShapeState state = LUNA_SHAPES_CONSTANT;
  bool has_tensor = false;
  for (uint32_t r = 0; r < op->result_count; ++r) {
    uint32_t v = op->results[r], rank = luna_shape_rank(census->graph, v);
    has_tensor |= census->graph->values.items[v].decl.is_tensor;
    if (rank == LUNA_SHAPE_UNRANKED)
      return LUNA_SHAPES_UNKNOWN;
    for (uint32_t d = 0; d < rank; ++d) {
      LunaShapeState one =
          state_of_expr(census, luna_shape_dim(census->graph, v, d));
      state = one > state ? one : state;
    }
  }
  return has_tensor ? state : LUNA_SHAPES_STATES;
}

static uint32_t root_of(uint32_t *parents, uint32_t op) {
  while (parents[op] != op)
    op = parents[op] = parents[parents[op]];
  return op;
}

static void connect(Census *census, uint32_t index) {
  const LunaShapeOp *op = &census->graph->ops.items[index];
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t maker = census->makers[op->operands[i]];
    if (maker != UINT32_MAX && census->states[maker] == census->states[index])
      census->parents[root_of(census->parents, index)] =
          root_of(census->parents, maker);
  }
}

static void find_late(Census *census, LunaArena *arena) {
  LunaShapeGraph *graph = census->graph;
  census->is_late =
      LUNA_ARENA_ARRAY(arena, bool, graph->facts.exprs.symbols.count);
  for (uint32_t v = 0; v < graph->values.count; ++v) {
    const LunaShapeValue *value = &graph->values.items[v];
    uint32_t extents = value->rank == LUNA_SHAPE_UNRANKED ? 0 : value->rank;
    for (uint32_t c = 0; value->own && !value->decl.name &&
                         c < extents + value->decl.element_count;
         ++c)
      if (value->own[c] != UINT32_MAX)
        census->is_late[value->own[c]] = true;
  }
}

LunaShapeCensus luna_shape_census(LunaShapeGraph *graph) {
  LunaArena *arena = graph->facts.exprs.arena;
  LunaShapeCensus counted = {{0}, {0}};
  Census census = {
      .graph = graph,
      .makers = LUNA_ARENA_ARRAY(arena, uint32_t, graph->values.count),
      .states = LUNA_ARENA_ARRAY(arena, LunaShapeState, graph->ops.count),
      .parents = LUNA_ARENA_ARRAY(arena, uint32_t, graph->ops.count)};
  find_late(&census, arena);
  for (uint32_t v = 0; v < graph->values.count; ++v)
    census.makers[v] = UINT32_MAX;
  for (uint32_t i = 0; i < graph->ops.count; ++i) {
    const LunaShapeOp *op = &graph->ops.items[i];
    census.states[i] =
        is_flow(op) ? LUNA_SHAPES_STATES : state_of_op(&census, op);
    census.parents[i] = i;
    for (uint32_t r = 0; r < op->result_count; ++r)
      census.makers[op->results[r]] = i;
  }
  for (uint32_t i = 0; i < graph->ops.count; ++i)
    connect(&census, i);
  for (uint32_t i = 0; i < graph->ops.count; ++i)
    if (census.states[i] != LUNA_SHAPES_STATES) {
      ++counted.operators[census.states[i]];
      counted.subgraphs[census.states[i]] += census.parents[i] == i;
    }
  return counted;
}
