#ifndef LUNA_PLAN_RECORD_H
#define LUNA_PLAN_RECORD_H

// A plan as a compiled function keeps it (docs/stats.md): what is known of it
// after the planner's problem is gone. Statistics and reports are made of this.
// Names and arrays belong to whoever filled the record.

#include <stdbool.h>
#include <stdint.h>

#include "luna/plan.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A buffer of the plan and where it lies.
typedef struct LunaRecordBuffer {
  uint32_t id;
  const char *name;
  LunaBufferKind kind; ///< tensor, staging or scratch
  int64_t size_bytes, offset_bytes;
  LunaLifetime live;
} LunaRecordBuffer;

/// The heaviest point, by names.
typedef struct LunaRecordWitness {
  int64_t bytes;
  const char *path;
  LunaStepId step;
  const char *const *live; ///< names of the buffers live there
  uint32_t live_count;
} LunaRecordWitness;

/// The bound of a program, by names; known before it is planned.
typedef struct LunaBoundRecord {
  int64_t total_bytes, tensor_bytes, activation_bytes;
  const char *path, *step; ///< where `total_bytes` are needed
} LunaBoundRecord;

/// What deciding about joins took.
typedef struct LunaJoinEffort {
  uint64_t drafts; ///< changed copies of the model; none of the program
  uint64_t plans; ///< drafts that the planner planned, with staging and without
} LunaJoinEffort;

/// Launches that break a rule of the vendor's library (luna/launch_rules.h).
typedef struct LunaRecordRule {
  const char *rule;
  int64_t launches;
} LunaRecordRule;

/// What of a program several of its operators share, once it is lowered.
typedef struct LunaCodeRecord {
  /// Operators of the host core, the functions that compute them, and functions
  /// that differ but had the same digest.
  int64_t kernels, unique_kernels, kernel_collisions;
  /// The same of the descriptors of calls.
  int64_t descriptors, unique_descriptors, descriptor_collisions;
  int64_t descriptor_bytes, id_bytes; ///< of the unique ones; of all ids
  int64_t port_bytes; ///< of what a port prepares for the launches, in _init
  /// Of convolutions and matrix products, and those that are a call of the
  /// vendor's library as they are; the others break some of the rules.
  int64_t launches, calls;
  const LunaRecordRule *rules;
  uint32_t rule_count;
} LunaCodeRecord;

/// How a value that control flow merges is passed on.
typedef enum LunaJoinChoice {
  LUNA_JOIN_COALESCED, ///< all of its sources are one place
  LUNA_JOIN_COPIED,    ///< to one place, from those of some sources
  LUNA_JOIN_POINTER,   ///< as a base pointer to one of several places
  LUNA_JOIN_CHOICE_COUNT
} LunaJoinChoice;

/// Returns `coalesced`, `copied` or `pointer`.
const char *luna_join_choice_name(LunaJoinChoice choice);

/// A tensor that control flow merges, and what that costs.
typedef struct LunaRecordJoin {
  const char *name; ///< "if0#1": the second result; "loop0#0": what it carries
  LunaJoinChoice choice;
  uint64_t cycles; ///< of the copies, in all iterations around them
  int64_t bytes;   ///< of its places and those copied from, beyond the largest
} LunaRecordJoin;

/// A case of the switch between versions, planned alone.
typedef struct LunaRecordCase {
  const char *name; ///< "shape=96x128", as its paths begin
  int64_t total_bytes, tensor_bytes;
} LunaRecordCase;

/// Everything about a plan.
typedef struct LunaPlanRecord {
  const char *machine;
  int64_t capacity_bytes;
  const char *strategy;
  LunaMerge merge;
  LunaPlanSize total, tensor, activation;
  int64_t scratch_bytes, staging_bytes;
  int64_t state_bytes; ///< in PSRAM, no part of the total
  bool is_optimal;
  LunaProof proof;
  uint64_t search_steps;
  LunaRecordWitness witness;
  const LunaPlanRow *rows; ///< what was tried
  uint32_t row_count;
  const LunaPathPeak *paths;
  uint32_t path_count;
  uint64_t possible_path_count; ///< as in LunaPathList
  bool is_possible_bound;
  uint32_t impossible_path_count;
  const LunaRecordBuffer *buffers;
  uint32_t buffer_count;
  /// Of each step: its name, and the decisions that lead to it.
  const char *const *step_names, *const *step_paths;
  uint32_t step_count;
  const LunaRecordJoin *joins;
  uint32_t join_count;
  const LunaRecordCase *cases; ///< of a model with versions
  uint32_t case_count;
} LunaPlanRecord;

/// Computes the memory of the path of this name, as luna_plan_paths does; its
/// arrays come from `arena`.
LunaPathPeak luna_record_path(const LunaPlanRecord *plan, const char *path,
                              LunaArena *arena);

/// Appends the number of possible paths: "7", "at most 1024".
void luna_record_print_path_count(LunaText *text, const LunaPlanRecord *plan);

/// The cycles of each iteration of a loop whose trip count depends on data.
typedef struct LunaLoopCost {
  const char *loop;
  uint64_t cycles;
} LunaLoopCost;

/// What one path is predicted to cost. cycles = compute + host + stall; bound =
/// max(compute + host, dma), the least however transfers overlap, as long as
/// the core awaits each launch of the unit. Loops whose trip count depends on
/// data make none; `loops` has them, where the path has any.
typedef struct LunaPathCost {
  const char *path; ///< as LunaPathPeak has it
  uint64_t cycles, compute, host, stall, dma, bound;
  uint64_t transfers, dma_bytes;
  const LunaLoopCost *loops;
  uint32_t loop_count;
} LunaPathCost;

/// The costs of all paths; none where they were not estimated.
typedef struct LunaCostRecord {
  const LunaPathCost *paths;
  uint32_t path_count;
  /// No run takes more cycles; those of the slowest path if that is known to be
  /// the slowest run. 0 if the trip count of a loop depends on data.
  uint64_t at_most_cycles;
} LunaCostRecord;

/// Returns the path with the most cycles, the first of several, or NULL. Loops
/// whose trip count depends on data count once.
const LunaPathCost *luna_cost_slowest(const LunaCostRecord *cost);

/// Returns the same among the paths of a case, by LunaRecordCase.name.
const LunaPathCost *luna_cost_slowest_of_case(const LunaCostRecord *cost,
                                              const char *name);

/// Appends the cycles of a path: "1287 cycles", or "1287 cycles + 408 per
/// iteration of loop0".
void luna_cost_print_cycles(LunaText *text, const LunaPathCost *cost);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_RECORD_H
