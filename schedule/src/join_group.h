#ifndef LUNA_JOIN_GROUP_H
#define LUNA_JOIN_GROUP_H

// Copies in control flow that may exchange the buffers they connect.
//
// A pointer to a buffer is a variable: control flow carries it, and a copy
// exchanges two of them. That of an allocation of the home block is its own;
// those of the bodies within share what remains of time in one buffer.

#include "draft.h"
#include "luna/map.h"

/// The most branches of a loop that exchange: planning takes the square of
/// them, a second for 256.
enum { LUNA_SWAP_BRANCHES_MAX = 256 };

/// An allocation that copies of the group connect.
typedef struct LunaSwapBuffer {
  LunaValue *value;
  bool is_outer; ///< in the home block
  uint32_t variable;
} LunaSwapBuffer;

/// A group. Zero-initialise; its arena is to be destroyed.
typedef struct LunaSwapGroup {
  LunaArena arena;
  LunaBlock *home;
  LunaMap buffer_index; ///< by value
  LUNA_VECTOR(LunaSwapBuffer) buffers;
  LUNA_VECTOR(LunaOp *) copies;
  LunaMap ops;             ///< the copies, and control flow around them
  uint32_t variable_count; ///< those of the home block are the first
  LunaValue *place, *init; ///< of a chain: its place is `init` at first
  bool is_kept;            ///< which is not to be overwritten
  uint32_t next;           ///< the variable that is written next, then
} LunaSwapGroup;

/// Returns true if a value is an allocation that may be in a group.
bool draft_is_swappable(LunaValue *value);
/// Returns true if `op` copies one such buffer to another of its type, and what
/// it reads is read no more.
bool draft_may_exchange(LunaOp *op);

/// Collects the group of a copy that may exchange: those that connect the same
/// buffers. Returns false if none is within control flow of its target's block.
/// Only the copies are defined behind, in program order.
bool draft_swap_group_find(LunaSwapGroup *group, LunaOp *copy);

/// Makes it the group of those `members`, one for each copy, that may exchange;
/// all if `members` is NULL. Left out is a copy of a buffer that cannot be a
/// pointer because of some use, and what exceeds LUNA_SWAP_BRANCHES_MAX.
/// Returns false if no copy remains.
bool draft_swap_group_take(LunaSwapGroup *group, const bool *members);

/// Makes it the group of a chain, whose place is set, by all `copies` to it.
/// Returns false if some cannot exchange.
bool draft_swap_group_of_chain(LunaSwapGroup *group, LunaOp *const *copies,
                               uint64_t count);

/// Exchanges the copies of a chain: its place becomes a pointer, at first to
/// `init`, which may be itself. With `is_kept`, `init` is not overwritten: two
/// more buffers take turns. Returns false if some copy cannot be exchanged.
bool draft_exchange_chain(LunaValue *place, LunaValue *init, bool is_kept,
                          LunaOp *const *copies, uint64_t count);

/// Returns the buffer of a value, or NULL.
const LunaSwapBuffer *draft_swap_group_buffer(const LunaSwapGroup *group,
                                              LunaValue *value);
/// Returns true if `op` is a copy of the group, or control flow around one.
bool draft_swap_group_has(const LunaSwapGroup *group, LunaOp *op);

#endif // LUNA_JOIN_GROUP_H
