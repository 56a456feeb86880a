// Where control flow meets. A merged size is a symbol of its own. All of them
// are taken to be what enters first, and those for which this does not hold,
// given the others, are taken back until none is left: so a loop that hands
// its sizes on, even in turn, leaves them as they are. A symbol of a region
// does not leave it: there it may have another value each time.

#include "shape_cells.h"

typedef struct Merge {
  uint32_t symbol;
  const LunaShapeOp *op;
  uint32_t cell; // an extent, or behind the rank an element
} Merge;

typedef struct Merges {
  LunaShapeGraph *graph;
  LUNA_VECTOR(Merge) items;
} Merges;

static LunaExpr incoming(const Merges *merges, const Merge *merge, uint32_t i) {
  LunaShapeGraph *graph = merges->graph;
  uint32_t v = merge->op->operands[i];
  uint32_t rank = graph->values.items[merge->op->results[0]].rank;
  const LunaShapeValue *value = &graph->values.items[v];
  if (!value->is_defined)
    return LUNA_EXPR_NONE;
  if (rank != LUNA_SHAPE_UNRANKED && merge->cell < rank)
    return value->rank == rank ? luna_shape_dim(graph, v, merge->cell)
                               : LUNA_EXPR_NONE;
  uint32_t k = merge->cell - (rank == LUNA_SHAPE_UNRANKED ? 0 : rank);
  return k < value->decl.element_count ? luna_shape_element(graph, v, k)
                                       : LUNA_EXPR_NONE;
}

static void collect(Merges *merges, uint32_t index) {
  LunaShapeGraph *graph = merges->graph;
  LunaExprs *exprs = &graph->facts.exprs;
  const LunaShapeOp *op = &graph->ops.items[index];
  LunaShapeValue result = graph->values.items[op->results[0]];
  uint32_t extents = result.rank == LUNA_SHAPE_UNRANKED ? 0 : result.rank;
  for (uint32_t c = 0;
       result.is_defined && c < extents + result.decl.element_count; ++c) {
    uint32_t own = result.own[c];
    if (own != UINT32_MAX && exprs->symbols.items[own].value == LUNA_EXPR_NONE)
      *LUNA_VECTOR_ADD(exprs->arena, &merges->items) = (Merge){own, op, c};
  }
}

static void assume(Merges *merges) {
  LunaExprs *exprs = &merges->graph->facts.exprs;
  LunaExpr *values =
      LUNA_ARENA_ARRAY(exprs->arena, LunaExpr, merges->items.count);
  for (uint64_t m = 0; m < merges->items.count; ++m) {
    const Merge *merge = &merges->items.items[m];
    values[m] = incoming(merges, merge, 0);
    // What enters comes from before, so it has lower symbols alone.
    if (luna_expr_uses(exprs, values[m], merge->symbol))
      values[m] = LUNA_EXPR_NONE;
  }
  for (uint64_t m = 0; m < merges->items.count; ++m)
    exprs->symbols.items[merges->items.items[m].symbol].value = values[m];
  ++exprs->generation;
}

static bool holds(const Merges *merges, const Merge *merge) {
  LunaExprs *exprs = &merges->graph->facts.exprs;
  LunaExpr value =
      luna_expr_resolve(exprs, exprs->symbols.items[merge->symbol].value);
  for (uint32_t i = 0; i < merge->op->operand_count; ++i)
    if (value == LUNA_EXPR_NONE || incoming(merges, merge, i) != value)
      return false;
  return luna_expr_is_visible(&merges->graph->facts, value, merge->op->scope);
}

// Takes back what does not hold; returns true if there was anything.
static bool take_back(Merges *merges) {
  LunaExprs *exprs = &merges->graph->facts.exprs;
  LUNA_VECTOR(uint32_t) failed = {0};
  for (uint64_t m = 0; m < merges->items.count; ++m) {
    const Merge *merge = &merges->items.items[m];
    if (exprs->symbols.items[merge->symbol].value != LUNA_EXPR_NONE &&
        !holds(merges, merge))
      *LUNA_VECTOR_ADD(exprs->arena, &failed) = merge->symbol;
  }
  for (uint64_t i = 0; i < failed.count; ++i)
    exprs->symbols.items[failed.items[i]].value = LUNA_EXPR_NONE;
  exprs->generation += failed.count > 0;
  return failed.count > 0;
}

// A merged size lies within the bounds of all that enters.
static void bound(Merges *merges, const Merge *merge) {
  LunaExprs *exprs = &merges->graph->facts.exprs;
  LunaInterval hull = {INT64_MAX, INT64_MIN};
  if (exprs->symbols.items[merge->symbol].value != LUNA_EXPR_NONE)
    return;
  for (uint32_t i = 0; i < merge->op->operand_count; ++i) {
    LunaInterval range = luna_expr_range(exprs, incoming(merges, merge, i));
    hull.min = range.min < hull.min ? range.min : hull.min;
    hull.max = range.max > hull.max ? range.max : hull.max;
  }
  LunaInterval *range = &exprs->symbols.items[merge->symbol].range;
  if (hull.min <= range->min && hull.max >= range->max)
    return;
  range->min = hull.min > range->min ? hull.min : range->min;
  range->max = hull.max < range->max ? hull.max : range->max;
  ++exprs->generation;
}

bool luna_shape_solve_merges(LunaShapeGraph *graph) {
  LunaExprs *exprs = &graph->facts.exprs;
  Merges merges = {.graph = graph};
  bool has_learned = false;
  for (uint32_t i = 0; i < graph->ops.count; ++i)
    if (graph->ops.items[i].rule == &luna_shape_merge)
      collect(&merges, i);
  if (merges.items.count == 0)
    return false;
  assume(&merges);
  while (take_back(&merges))
    ;
  for (uint64_t m = 0; m < merges.items.count; ++m)
    has_learned |= exprs->symbols.items[merges.items.items[m].symbol].value !=
                   LUNA_EXPR_NONE;
  uint32_t generation = exprs->generation;
  for (uint64_t m = 0; m < merges.items.count; ++m)
    bound(&merges, &merges.items.items[m]);
  return has_learned || generation != exprs->generation;
}
