#ifndef LUNA_ORDER_GRAPH_H
#define LUNA_ORDER_GRAPH_H

#include "luna/order.h"
#include "luna/vector.h"

/// The definition of LunaOrderGraph, and its lists by operator.

typedef struct LunaOrderValue {
  int64_t size_bytes;
  uint32_t maker;
  bool is_kept;
} LunaOrderValue;

/// An operator and a value that it reads, or an operator after it.
typedef struct LunaOrderPair {
  uint32_t from, to;
} LunaOrderPair;

struct LunaOrderGraph {
  LunaArena *arena;
  LUNA_VECTOR(int64_t) scratch_bytes;
  LUNA_VECTOR(LunaOrderValue) values;
  LUNA_VECTOR(LunaOrderPair) reads, edges;
  LunaError mistake;
};

/// Lists by index: those of i are items[starts[i] .. starts[i + 1]).
typedef struct LunaOrderLists {
  uint32_t *starts, *items;
} LunaOrderLists;

/// A graph ready to be searched. Pairs occur once.
typedef struct LunaOrderIndex {
  uint32_t operator_count, value_count;
  const LunaOrderValue *values;
  const int64_t *scratch_bytes;
  /// By operator: the values that it reads, those that it makes, and the
  /// operators that need it.
  LunaOrderLists reads, makes, successors;
  /// How many operators each needs; how many read each value, one more for one
  /// that stays to the end.
  uint32_t *predecessor_counts, *reader_counts;
  /// The bytes that each operator makes; those live at the start.
  int64_t *made_bytes;
  int64_t start_bytes;
} LunaOrderIndex;

/// Indexes a graph without mistakes, in `arena`.
LunaOrderIndex luna_order_index_make(const LunaOrderGraph *graph,
                                     LunaArena *arena);

/// luna_order_peak of an indexed graph.
bool luna_order_index_peak(const LunaOrderIndex *index,
                           const uint32_t *operators, int64_t *peak_bytes);

#endif // LUNA_ORDER_GRAPH_H
