#include "shape_cells.h"

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

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
  if (value->decl.name)
    symbol.name = luna_arena_printf(
        exprs->arena, is_element ? "%s[%u]" : "%s.%u", value->decl.name,
        is_element ? cell - value->rank : cell);
  return luna_symbol_add(exprs, &symbol);
}

LunaExpr luna_cell_symbol(LunaShapeGraph *graph, uint32_t v, uint32_t cell) {
  uint32_t *own = &graph->values.items[v].own[cell];
  if (*own == UINT32_MAX)
    *own = add_symbol(graph, v, cell);
  return luna_expr_symbol(&graph->facts.exprs, *own);
}

void luna_queue_op(LunaShapeGraph *graph, uint32_t op) {
  if (graph->ops.items[op].is_queued)
    return;
  graph->ops.items[op].is_queued = true;
  *LUNA_VECTOR_ADD(graph->facts.exprs.arena, &graph->queue) = op;
}

static void queue_users(LunaShapeGraph *graph, uint32_t v) {
  for (uint64_t i = 0; i < graph->values.items[v].users.count; ++i)
    luna_queue_op(graph, graph->values.items[v].users.items[i]);
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

LunaExpr luna_cell_declared(LunaShapeGraph *graph, LunaShapeDecl decl,
                            uint32_t d) {
  return decl.rank != LUNA_SHAPE_UNRANKED && decl.dims[d] != LUNA_SHAPE_OPEN
             ? luna_expr_const(&graph->facts.exprs, decl.dims[d])
             : LUNA_EXPR_NONE;
}

// Sets all cells of a value: what its type says, else what its operator says,
// else a symbol.
void luna_cell_set(LunaShapeGraph *graph, uint32_t v, const LunaExpr *dims,
                   const LunaExpr *elements) {
  LunaShapeValue value = graph->values.items[v];
  uint32_t extents = value.rank == LUNA_SHAPE_UNRANKED ? 0 : value.rank;
  for (uint32_t d = 0; d < extents; ++d) {
    LunaExpr expr = luna_cell_declared(graph, value.decl, d);
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
  luna_cell_set(graph, v, NULL, NULL);
}

//===----------------------------------------------------------------------===//
// Reading
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
