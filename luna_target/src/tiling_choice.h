#ifndef LUNA_TILING_CHOICE_H
#define LUNA_TILING_CHOICE_H

// The tilings of one operator that a search has found, and the one to take.

#include "tiling_search.h"

/// Zero is not valid: luna_tiling_choice.
typedef struct LunaTilingChoice {
  LunaArena arena;
  // Of those that fit, none has both fewer cycles and less scratch.
  LUNA_VECTOR(LunaTilingAnswer) found;
  uint64_t best_cycles, most_cycles; ///< the fewest, and what may be taken
  int64_t least_scratch_bytes;       ///< of those that do not fit
  bool is_found;
} LunaTilingChoice;

/// A tiling to look at.
typedef struct LunaTilingCut {
  const LunaAxis *y, *x;
  const LunaAxisClasses *y_classes, *x_classes;
  const LunaChannels *channels;
  int64_t places, columns; ///< of the largest tile
} LunaTilingCut;

/// Returns a choice without tilings; luna_tiling_choice_destroy frees it.
LunaTilingChoice luna_tiling_choice(void);
void luna_tiling_choice_destroy(LunaTilingChoice *choice);

/// Returns the bytes of scratch of a tile of `elements` with so many channels.
int64_t luna_tiling_scratch_bytes(const LunaLaunchContext *context,
                                  int64_t elements, int64_t channels);

/// Notes the scratch of a tiling that has too much of it.
void luna_tiling_note_scratch(LunaTilingChoice *choice, int64_t scratch_bytes);

/// Keeps a tiling, if its scratch is within the limit and it may be the one to
/// take. `context` is that of the problem but for how sums are finished.
void luna_tiling_consider(LunaTilingChoice *choice,
                          const LunaTilingProblem *problem,
                          const LunaLaunchContext *context,
                          const LunaTilingCut *cut);

/// Returns the tiling with the least scratch of those that may be taken.
/// Without one, its scratch is the least that there is, above the limit.
LunaTilingAnswer luna_tiling_taken(const LunaTilingChoice *choice);

/// Returns true if the weights of the operator are packed: its launches are
/// calls, or it has none.
bool luna_tiling_is_packed(const LunaTilingProblem *problem);

/// Considers the tilings whose launches are calls of the vendor's library on
/// whole planes (tiling_calls.c).
void luna_tiling_search_calls(const LunaTilingProblem *problem,
                              LunaTilingChoice *choice);

#endif // LUNA_TILING_CHOICE_H
