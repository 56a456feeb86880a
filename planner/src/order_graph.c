// Building a graph, and what an order of it takes.

#include "order_graph.h"

#include <string.h>

LunaOrderGraph *luna_order_create(LunaArena *arena) {
  LunaOrderGraph *graph = LUNA_ARENA_ARRAY(arena, LunaOrderGraph, 1);
  graph->arena = arena;
  return graph;
}

static void note_mistake(LunaOrderGraph *graph, uint32_t item,
                         const char *message) {
  if (graph->mistake.code == LUNA_ERROR_NONE)
    luna_error_set(&graph->mistake, LUNA_ERROR_INPUT, item, "%s", message);
}

uint32_t luna_order_add_operator(LunaOrderGraph *graph, int64_t scratch_bytes) {
  uint32_t index = (uint32_t)graph->scratch_bytes.count;
  if (scratch_bytes < 0)
    note_mistake(graph, index, "scratch of a negative size");
  *LUNA_VECTOR_ADD(graph->arena, &graph->scratch_bytes) = scratch_bytes;
  return index;
}

uint32_t luna_order_add_value(LunaOrderGraph *graph, int64_t size_bytes,
                              uint32_t maker) {
  uint32_t index = (uint32_t)graph->values.count;
  if (size_bytes < 0)
    note_mistake(graph, index, "a value of a negative size");
  if (maker != LUNA_ORDER_START && maker >= graph->scratch_bytes.count)
    note_mistake(graph, index, "a value of an operator that does not exist");
  *LUNA_VECTOR_ADD(graph->arena, &graph->values) =
      (LunaOrderValue){.size_bytes = size_bytes, .maker = maker};
  return index;
}

void luna_order_add_edge(LunaOrderGraph *graph, uint32_t earlier,
                         uint32_t later) {
  if (earlier >= later || later >= graph->scratch_bytes.count) {
    note_mistake(graph, later, "an operator that comes before what it needs");
    return;
  }
  *LUNA_VECTOR_ADD(graph->arena, &graph->edges) =
      (LunaOrderPair){earlier, later};
}

void luna_order_read(LunaOrderGraph *graph, uint32_t reader, uint32_t value) {
  if (value >= graph->values.count || reader >= graph->scratch_bytes.count) {
    note_mistake(graph, reader, "a read of a value that does not exist");
    return;
  }
  *LUNA_VECTOR_ADD(graph->arena, &graph->reads) =
      (LunaOrderPair){reader, value};
  uint32_t maker = graph->values.items[value].maker;
  if (maker != LUNA_ORDER_START)
    luna_order_add_edge(graph, maker, reader);
}

void luna_order_keep(LunaOrderGraph *graph, uint32_t value) {
  if (value >= graph->values.count)
    note_mistake(graph, value, "keeps a value that does not exist");
  else
    graph->values.items[value].is_kept = true;
}

uint32_t luna_order_count(const LunaOrderGraph *graph) {
  return (uint32_t)graph->scratch_bytes.count;
}

//===- Lists --------------------------------------------------------------===//

// Lists the second of each pair by the first, once.
static LunaOrderLists list_pairs(const LunaOrderPair *pairs, uint64_t count,
                                 uint32_t from_count, uint32_t to_count,
                                 LunaArena *arena) {
  LunaArena scratch = {0};
  LunaOrderLists lists = {.starts =
                              LUNA_ARENA_ARRAY(arena, uint32_t, from_count + 1),
                          .items = LUNA_ARENA_ARRAY(arena, uint32_t, count)};
  uint32_t *fill = LUNA_ARENA_ARRAY(&scratch, uint32_t, from_count + 1);
  uint32_t *all = LUNA_ARENA_ARRAY(&scratch, uint32_t, count);
  uint32_t *seen_for = LUNA_ARENA_ARRAY(&scratch, uint32_t, to_count);
  for (uint64_t i = 0; i < count; ++i)
    ++fill[pairs[i].from + 1];
  for (uint32_t i = 0; i < from_count; ++i)
    fill[i + 1] += fill[i];
  for (uint64_t i = count; i-- > 0;)
    all[--fill[pairs[i].from + 1]] = pairs[i].to;
  // Now fill[i + 1] is the start of list i.
  uint32_t out = 0;
  for (uint32_t i = 0; i < from_count; ++i) {
    uint32_t end = i + 1 < from_count ? fill[i + 2] : (uint32_t)count;
    for (uint32_t k = fill[i + 1]; k < end; ++k) {
      if (seen_for[all[k]] != i + 1)
        lists.items[out++] = all[k];
      seen_for[all[k]] = i + 1;
    }
    lists.starts[i + 1] = out;
  }
  luna_arena_destroy(&scratch);
  return lists;
}

static LunaOrderLists list_makes(const LunaOrderGraph *graph,
                                 uint32_t operator_count, LunaArena *arena) {
  LunaArena scratch = {0};
  uint32_t count = (uint32_t)graph->values.count, kept = 0;
  LunaOrderPair *pairs = LUNA_ARENA_ARRAY(&scratch, LunaOrderPair, count);
  for (uint32_t i = 0; i < count; ++i)
    if (graph->values.items[i].maker != LUNA_ORDER_START)
      pairs[kept++] = (LunaOrderPair){graph->values.items[i].maker, i};
  LunaOrderLists lists = list_pairs(pairs, kept, operator_count, count, arena);
  luna_arena_destroy(&scratch);
  return lists;
}

LunaOrderIndex luna_order_index_make(const LunaOrderGraph *graph,
                                     LunaArena *arena) {
  uint32_t operators = (uint32_t)graph->scratch_bytes.count;
  uint32_t values = (uint32_t)graph->values.count;
  LunaOrderIndex index = {
      .operator_count = operators,
      .value_count = values,
      .values = graph->values.items,
      .scratch_bytes = graph->scratch_bytes.items,
      .reads = list_pairs(graph->reads.items, graph->reads.count, operators,
                          values, arena),
      .makes = list_makes(graph, operators, arena),
      .successors = list_pairs(graph->edges.items, graph->edges.count,
                               operators, operators, arena),
      .predecessor_counts = LUNA_ARENA_ARRAY(arena, uint32_t, operators),
      .reader_counts = LUNA_ARENA_ARRAY(arena, uint32_t, values),
      .made_bytes = LUNA_ARENA_ARRAY(arena, int64_t, operators)};
  for (uint32_t i = 0; i < index.successors.starts[operators]; ++i)
    ++index.predecessor_counts[index.successors.items[i]];
  for (uint32_t i = 0; i < index.reads.starts[operators]; ++i)
    ++index.reader_counts[index.reads.items[i]];
  for (uint32_t i = 0; i < values; ++i) {
    const LunaOrderValue *value = &graph->values.items[i];
    if (value->is_kept || index.reader_counts[i] == 0)
      ++index.reader_counts[i];
    if (value->maker == LUNA_ORDER_START)
      index.start_bytes += value->size_bytes;
    else
      index.made_bytes[value->maker] += value->size_bytes;
  }
  return index;
}

//===- Peaks --------------------------------------------------------------===//

// What has run of an order.
typedef struct Run {
  const LunaOrderIndex *index;
  uint32_t *missing, *unread;
  int64_t live, peak;
} Run;

// Runs an operator. Returns false if it ran before or lacks something.
static bool run_operator(Run *run, uint32_t op) {
  const LunaOrderIndex *index = run->index;
  if (op >= index->operator_count || run->missing[op] != 0)
    return false;
  run->missing[op] = UINT32_MAX;
  run->live += index->made_bytes[op];
  int64_t need = run->live + index->scratch_bytes[op];
  run->peak = need > run->peak ? need : run->peak;
  for (uint32_t i = index->reads.starts[op]; i < index->reads.starts[op + 1];
       ++i)
    if (--run->unread[index->reads.items[i]] == 0)
      run->live -= index->values[index->reads.items[i]].size_bytes;
  for (uint32_t i = index->successors.starts[op];
       i < index->successors.starts[op + 1]; ++i)
    --run->missing[index->successors.items[i]];
  return true;
}

bool luna_order_index_peak(const LunaOrderIndex *index,
                           const uint32_t *operators, int64_t *peak_bytes) {
  LunaArena scratch = {0};
  Run run = {.index = index,
             .missing =
                 LUNA_ARENA_ARRAY(&scratch, uint32_t, index->operator_count),
             .unread = LUNA_ARENA_ARRAY(&scratch, uint32_t, index->value_count),
             .live = index->start_bytes,
             .peak = index->start_bytes};
  memcpy(run.missing, index->predecessor_counts,
         sizeof(uint32_t) * index->operator_count);
  memcpy(run.unread, index->reader_counts,
         sizeof(uint32_t) * index->value_count);
  bool ok = true;
  for (uint32_t i = 0; ok && i < index->operator_count; ++i)
    ok = run_operator(&run, operators[i]);
  *peak_bytes = run.peak;
  luna_arena_destroy(&scratch);
  return ok;
}

bool luna_order_peak(const LunaOrderGraph *graph, const uint32_t *operators,
                     int64_t *peak_bytes) {
  LunaArena scratch = {0};
  LunaOrderIndex index = luna_order_index_make(graph, &scratch);
  bool ok = luna_order_index_peak(&index, operators, peak_bytes);
  luna_arena_destroy(&scratch);
  return ok;
}
