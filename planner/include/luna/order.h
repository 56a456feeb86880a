#ifndef LUNA_ORDER_H
#define LUNA_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The order of operators that needs the least memory.
///
/// Operators make and read values. A value is live from the operator that makes
/// it to its last reader, or to the end if it is kept or nobody reads it; while
/// an operator runs, what it reads and what it makes are live together. The
/// peak of an order is the largest sum of the sizes of live tensors:
///
///     LunaOrderGraph *graph = luna_order_create(&arena);
///     uint32_t load = luna_order_add_operator(graph, 0);
///     uint32_t image = luna_order_add_value(graph, 3072, load);
///     uint32_t conv = luna_order_add_operator(graph, 512);
///     luna_order_read(graph, conv, image);
///     luna_order_add_value(graph, 4096, conv);
///     LunaOrderSolution solution;
///     if (luna_order_solve(graph, NULL, &solution, &error))
///       use(solution.operators, solution.peak_bytes);
///
/// The first error in building is reported by luna_order_solve. Where memory
/// runs out in building, the innermost luna_arena_guard returns, or the process
/// ends.
typedef struct LunaOrderGraph LunaOrderGraph;

/// "No operator": of a value that is live from the start.
#define LUNA_ORDER_START UINT32_MAX

/// Creates an empty graph in `arena`.
LunaOrderGraph *luna_order_create(LunaArena *arena);

/// Adds an operator, which takes `scratch_bytes` while it runs, and returns its
/// index. The order of insertion is the one that is to be improved: an operator
/// reads what is there already.
uint32_t luna_order_add_operator(LunaOrderGraph *graph, int64_t scratch_bytes);

/// Adds a value that `maker` makes (or LUNA_ORDER_START) and returns its index.
uint32_t luna_order_add_value(LunaOrderGraph *graph, int64_t size_bytes,
                              uint32_t maker);

/// Records that an operator reads a value.
void luna_order_read(LunaOrderGraph *graph, uint32_t reader, uint32_t value);

/// Keeps a value live to the end.
void luna_order_keep(LunaOrderGraph *graph, uint32_t value);

/// Records that `later` must come after `earlier`, an operator before it.
void luna_order_add_edge(LunaOrderGraph *graph, uint32_t earlier,
                         uint32_t later);

/// Returns the number of operators.
uint32_t luna_order_count(const LunaOrderGraph *graph);

/// Computes the peak of an order of all operators. Returns false if it is none:
/// an operator is missing, or comes before what it needs. O(operators + reads).
bool luna_order_peak(const LunaOrderGraph *graph, const uint32_t *operators,
                     int64_t *peak_bytes);

/// How long to search. Zero-initialised: the default.
typedef struct LunaOrderOptions {
  /// Operators that exact search may look at, and then beam search again; 0:
  /// LUNA_ORDER_STEPS.
  uint64_t step_budget;
  /// As in LunaPlanOptions.
  const char *without;
} LunaOrderOptions;

enum { LUNA_ORDER_STEPS = 400000000 };

/// An order.
typedef struct LunaOrderSolution {
  /// The operators, the first to run first; in the graph's arena.
  const uint32_t *operators;
  int64_t peak_bytes;
  /// The peak of the order of insertion.
  int64_t given_bytes;
  /// No order has a smaller peak.
  int64_t lower_bound_bytes;
  /// True if `peak_bytes` equals the bound.
  bool is_optimal;
  /// The different sets of finished operators that exact search met.
  uint64_t states;
  uint64_t steps;
} LunaOrderSolution;

/// Finds the order with the smallest peak.
///
/// Exact search goes through sets of finished operators, each once: from the
/// least memory that any operator needs upwards, it follows all steps within
/// that much, until it comes to the end; if it does not, the least step that
/// needs more says how much to allow next. Operators and chains of them that do
/// not raise what is live are taken at once: to do so loses nothing. Where
/// steps run out, beam search improves the best order known. The order of
/// insertion is the answer where no other is better; deterministic. `options`
/// may be NULL. Fails with LUNA_ERROR_INPUT for a graph that is malformed
/// (error->item: the operator or value), with LUNA_ERROR_MEMORY where memory
/// ran out. Source: downsets after Ahn et al. (SERENITY, MLSys 2020).
bool luna_order_solve(LunaOrderGraph *graph, const LunaOrderOptions *options,
                      LunaOrderSolution *solution, LunaError *error);

/// Reads a graph of operators with one value each: the number of operators,
/// then a line for each: the bytes of its value, the number of values that it
/// reads, and the operators that make them, by index, smaller than its own.
/// Fails with LUNA_ERROR_INPUT and `file:line: message`.
bool luna_order_read_text(const char *bytes, size_t length,
                          const char *file_name, LunaArena *arena,
                          LunaOrderGraph **graph, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_ORDER_H
