#ifndef LUNA_PLAN_MERGE_H
#define LUNA_PLAN_MERGE_H

#include "plan_problem.h"
#include "plan_strategy.h"

/// The treatments of branches: each converts the program into flat problems.

/// The program restricted to some kinds of buffers, aliases as one item.
typedef struct LunaPlanProgram {
  const LunaProblem *problem;
  /// Lifetimes with gaps (treatment `path`), neighbours known.
  LunaPlanItems items;
  /// The same items with one range each, as `linear` and `none` see them.
  LunaPlanItems linear, shared;
  /// True if the treatments differ at all: there are alternatives or gaps.
  bool has_choices;
} LunaPlanProgram;

/// Builds the program of the buffers whose kind has its bit (1 << kind) set in
/// `kinds`; aliases have the kind of the first of them.
LunaPlanProgram luna_plan_program_make(const LunaProblem *problem,
                                       const LunaLifetime *lifetimes,
                                       unsigned kinds, LunaArena *arena);

/// Builds the items of `linear` and `none`, if they differ.
void luna_plan_program_merge(LunaPlanProgram *program, LunaArena *arena);

/// Places the items of `program` by a strategy under a treatment; the offsets
/// are valid for the items of `path`.
void luna_plan_program_place(const LunaPlanProgram *program, LunaMerge merge,
                             const LunaPlanStrategy *strategy,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena);

/// Finds two fixed items that overlap while both are live and writes their
/// buffers. Returns false if there are none.
bool luna_plan_program_fixed_collision(const LunaPlanProgram *program,
                                       uint32_t *item, uint32_t *other);

#endif // LUNA_PLAN_MERGE_H
