#ifndef LUNA_PLAN_RUN_H
#define LUNA_PLAN_RUN_H

#include "plan_merge.h"

/// A part of the program (by kinds of buffers) and its best plan so far.
typedef struct LunaPlanPart {
  /// The kinds of its buffers, as bits.
  unsigned kinds;
  LunaPlanProgram program;
  LunaPlanBound bound;
  /// No plan is smaller: the bound, or what search has proven.
  int64_t proven_bytes;
  bool is_planned;
  int64_t best_bytes;
  int64_t *best_offsets, *offsets;
  const LunaPlanStrategy *strategy;
  LunaMerge merge;
} LunaPlanPart;

/// The parts; `tensor` is with scratch, `activation` without.
enum {
  PLAN_TOTAL,
  PLAN_TENSOR,
  PLAN_ACTIVATION,
  PLAN_SCRATCH,
  PLAN_STAGING,
  PLAN_PART_COUNT,
};

/// The state of one call of luna_plan_solve.
typedef struct LunaPlanRun {
  LunaProblem *problem;
  LunaPlanOptions options;
  /// NULL means all.
  const LunaPlanStrategy *strategy;
  LunaPlanWithout without;
  LunaPlanPart parts[PLAN_PART_COUNT];
  /// The plan to start from, by item; NULL if there is none.
  int64_t *hints;
  LunaPlanPulse pulse;
  uint64_t search_steps;
  LunaPathCover cover;
  /// True if all buffers are tensors or scratch; if all of those are
  /// activations.
  bool is_tensor_only, is_activation_only;
  /// True if the table is to be filled: not where no plan fits.
  bool compares;
  LunaPlanRow *rows;
  uint32_t row_count;
  LunaArena arena;
} LunaPlanRun;

/// Copies the options that the caller knows; the others are zero. Fails with
/// LUNA_ERROR_INPUT if the caller knows more than there are.
bool luna_plan_read_options(const LunaPlanOptions *given, LunaPlanOptions *own,
                            LunaError *error);

/// Builds the parts, with bounds and without plans. Fails with LUNA_ERROR_INPUT
/// for a malformed program, an unknown strategy, or fixed offsets that collide.
bool luna_plan_run_begin(LunaPlanRun *run, LunaProblem *problem,
                         const LunaPlanOptions *options, LunaError *error);

/// Fills the solution, in the problem's arena. Fails with LUNA_ERROR_CAPACITY
/// if the plan is too large; the solution is valid then, too.
bool luna_plan_run_fill(const LunaPlanRun *run, LunaSolution *solution,
                        LunaError *error);

/// Returns the offsets of a part by buffer, in the problem's arena: aliases
/// have that of their item, buffers of other kinds 0.
const int64_t *luna_plan_part_offsets(const LunaPlanRun *run,
                                      const LunaPlanPart *part);

/// Frees the scratch memory, also after luna_plan_run_begin failed.
void luna_plan_run_end(LunaPlanRun *run);

#endif // LUNA_PLAN_RUN_H
