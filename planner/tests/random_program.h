#ifndef LUNA_RANDOM_PROGRAM_H
#define LUNA_RANDOM_PROGRAM_H

#include "luna/plan.h"

/// A small generator of random numbers: the same on every machine.
typedef struct Random {
  uint64_t state;
} Random;

/// Returns a number below `limit` (> 0).
uint32_t random_below(Random *random, uint32_t limit);

/// Makes a random program of `buffer_count` buffers: nested branches and
/// loops, any touches anywhere, some fixed offsets (apart from each other),
/// alignments, live ranges and kinds; two share a place if `has_alias`.
LunaProblem *random_program(LunaArena *arena, Random *random,
                            uint32_t buffer_count, bool has_alias);

/// Makes a random program of buffers of two sizes with more moves than the
/// other has, without fixed offsets, live ranges and aliases. If
/// `always_holds`, each buffer is defined first and none discarded.
LunaProblem *random_program_of_moves(LunaArena *arena, Random *random,
                                     uint32_t buffer_count, bool always_holds);

#endif // LUNA_RANDOM_PROGRAM_H
