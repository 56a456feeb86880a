#ifndef LUNA_PLAN_MERGE_H
#define LUNA_PLAN_MERGE_H

#include "plan_problem.h"
#include "plan_strategy.h"

/// The treatments of branches: each turns the program into flat problems.

/// The program with some kinds of buffers, as one item per place.
typedef struct PlanProgram {
  const LunaProblem *problem;
  /// Lifetimes with gaps (treatment `path`), neighbours known.
  PlanItems items;
  /// The same items with one range each, as `linear` and `none` see them.
  PlanItems linear, shared;
  /// Whether the treatments differ at all: there are alternatives or gaps.
  bool has_choices;
} PlanProgram;

/// Makes the program of the buffers whose kind has its bit (1 << kind) set in
/// `kinds`; aliases count with the kind of the first of them.
PlanProgram plan_program_make(const LunaProblem *problem,
                              const LunaLifetime *lifetimes, unsigned kinds,
                              LunaArena *arena);

/// Makes the items of `linear` and `none`, where they differ.
void plan_program_merge(PlanProgram *program, LunaArena *arena);

/// Places the items of `program` by a strategy under a treatment; the offsets
/// are valid for the items of `path`.
void plan_program_place(const PlanProgram *program, LunaMerge merge,
                        const PlanStrategy *strategy, PlanContext *context,
                        int64_t *offsets, LunaArena *arena);

/// Looks for two fixed items that overlap while both are live and writes the
/// buffers that they stand for; false when there are none.
bool plan_program_fixed_collision(const PlanProgram *program, uint32_t *item,
                                  uint32_t *other);

#endif // LUNA_PLAN_MERGE_H
