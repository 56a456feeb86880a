#ifndef LUNA_ORDER_SEARCH_H
#define LUNA_ORDER_SEARCH_H

#include "luna/map.h"
#include "order_state.h"

/// A set of finished operators that a search has met, and how it came there:
/// from another one by running some.
typedef struct LunaOrderNode {
  const uint64_t *done;
  const uint32_t *run;
  uint32_t parent, run_count;
  int64_t live_bytes;
  uint32_t done_count;
} LunaOrderNode;

/// The sets that a search has met, each once.
typedef struct LunaOrderNodes {
  LUNA_VECTOR(LunaOrderNode);
  LunaMap known;
  LunaArena arena;
} LunaOrderNodes;

#define LUNA_ORDER_ROOT UINT32_MAX

/// Adds the set of `state`, to which its trail leads from `parent`
/// (LUNA_ORDER_ROOT: from the start). Returns false if it is known.
bool luna_order_nodes_add(LunaOrderNodes *nodes, const LunaOrderState *state,
                          uint32_t parent);

/// Writes the operators that lead to the last node, first to last.
void luna_order_nodes_trace(const LunaOrderNodes *nodes, uint32_t *operators);

/// An order under search.
typedef struct LunaOrderSearch {
  LunaOrderState state;
  /// The best order so far and its peak; no order has less than `bound_bytes`.
  uint32_t *operators;
  int64_t peak_bytes, bound_bytes;
  uint64_t states;
  /// The steps at which to stop.
  uint64_t end_step;
} LunaOrderSearch;

/// Searches exactly until `end_step`: raises the bound, and if it comes to an
/// end below the peak, replaces the order.
void luna_order_search_exact(LunaOrderSearch *search);

/// Improves the order by beams of growing width until `end_step`.
void luna_order_search_beam(LunaOrderSearch *search);

#endif // LUNA_ORDER_SEARCH_H
