#ifndef LUNA_PLAN_MOVE_PLACES_H
#define LUNA_PLAN_MOVE_PLACES_H

// The places that moves connect, and which of them are never one.

#include "luna/plan_coalesce.h"
#include "plan_sharing.h"

/// Pairs of places that are kept apart, a symmetric matrix of bits.
typedef struct LunaPlanApart {
  uint64_t *bits;
  uint32_t words; ///< per row
} LunaPlanApart;

/// Two places that moves connect.
typedef struct LunaPlanMovePair {
  uint32_t a, b;   ///< indices of places, a < b
  uint64_t cycles; ///< of its moves
  LunaMoveId first_move;
} LunaPlanMovePair;

/// The places of buffers that move: buffers of one place are aliases already.
/// All pointers point into `arena`.
typedef struct LunaPlanMovePlaces {
  const LunaProblem *problem;
  const LunaCoalesceOptions *options;
  LunaArena *arena;
  uint32_t *buffers;  ///< by place: its least buffer
  uint32_t *place_of; ///< by buffer that moves
  uint32_t count;
  LunaPlanApart apart;     ///< those whose contents or shapes differ
  LunaPlanMovePair *pairs; ///< dearest first
  uint32_t pair_count;
} LunaPlanMovePlaces;

/// Finds the places of `problem`. O(b^2) in the buffers that moves connect.
LunaPlanMovePlaces luna_plan_move_places_make(
    const LunaProblem *problem, const LunaLifetime *lifetimes,
    const LunaCoalesceOptions *options, LunaArena *arena);

/// Returns a matrix in which no two places are kept apart.
LunaPlanApart luna_plan_apart_make(uint32_t place_count, LunaArena *arena);

/// Returns true if places `a` and `b` are kept apart.
bool luna_plan_are_apart(const LunaPlanApart *apart, uint32_t a, uint32_t b);

/// Keeps places `a` and `b` apart.
void luna_plan_keep_apart(LunaPlanApart *apart, uint32_t a, uint32_t b);

#endif // LUNA_PLAN_MOVE_PLACES_H
