#ifndef VERIFY_PLAN_STATE_H
#define VERIFY_PLAN_STATE_H

// What is known of the memory at one point of the program, on every path that
// leads there: what each slot's bytes hold, which transfers are in flight and
// which tokens are still to be awaited.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/trie.h"
#include "mlir-c/IR.h"
#include "verify_plan_slot.h"
#include "verify_plan_values.h"

/// A transfer in flight, owned by the token value that must be awaited.
typedef struct LunaVerifyTransfer {
  MlirValue token;
  MlirOperation start;
  const LunaVerifyDecision *path; ///< where it may be started or not
} LunaVerifyTransfer;

typedef enum LunaVerifyTokenStatus {
  LUNA_VERIFY_TOKEN_NONE,  ///< of no transfer, on every path
  LUNA_VERIFY_TOKEN_HELD,  ///< to be awaited
  LUNA_VERIFY_TOKEN_SPENT, ///< awaited or passed on
} LunaVerifyTokenStatus;

typedef struct LunaVerifyToken {
  MlirValue value;
  MlirBlock block; ///< at whose end it must be spent
  MlirOperation origin, spent_by;
  LunaVerifyTokenStatus status;
} LunaVerifyToken;

/// A copy that shares what it has in common with others is an assignment, but
/// for the transfers.
typedef struct LunaVerifyState {
  LunaTrie slots; ///< LunaVerifySlot by slot; NULL where it has no cover
  LunaTrie
      readable;    ///< those that can be lost, by rank: luna_verify_rank_slots
  LunaTrie splits; ///< those with a split, by slot
  LUNA_VECTOR(LunaVerifyTransfer) transfers;
  LunaTrie tokens; ///< LunaVerifyToken by number
  LunaTrie held;   ///< those to be awaited
} LunaVerifyState;

/// The slots of the arena in the order of their size classes and, within one,
/// of their addresses: those that overlap a range of bytes are found without a
/// look at the others.
typedef struct LunaVerifyRanks {
  uint32_t count;
  uint32_t *slots;      ///< by rank
  uint32_t *ranks;      ///< by slot
  uint32_t classes[65]; ///< first rank of places of 2^(i-1) to 2^i - 1 bytes
} LunaVerifyRanks;

/// Everything the operations on states need.
typedef struct LunaVerifyStates {
  LunaArena *arena;
  const LunaVerifyValues *values;
  const LunaVerifyRanks *ranks;
  LunaMap *tokens; ///< values, numbered
} LunaVerifyStates;

/// Returns the ranks of all slots.
const LunaVerifyRanks *luna_verify_rank_slots(LunaArena *arena,
                                              const LunaVerifyValues *values);
/// Moves `*rank` within size class `size_class` up to the first slot from there
/// on whose place overlaps bytes [lo, hi) of the arena and that is in `slots`.
/// 0 starts with the first. Returns false if there is none.
bool luna_verify_next_overlap(const LunaVerifyStates *states, LunaTrie slots,
                              uint32_t size_class, int64_t lo, int64_t hi,
                              uint32_t *rank);

/// Returns a slot; one without a cover where the state has none.
LunaVerifySlot luna_verify_state_slot(const LunaVerifyState *state,
                                      uint32_t index);
/// Sets a slot.
void luna_verify_state_set_slot(const LunaVerifyStates *states,
                                LunaVerifyState *state, uint32_t index,
                                LunaVerifySlot slot);

/// Returns a state that changes on its own.
LunaVerifyState luna_verify_state_clone(const LunaVerifyStates *states,
                                        const LunaVerifyState *state);

/// Changes `state` to what holds on its paths and on those of `other` alike.
/// `branch` (may be NULL) is the decision that leads to `other`; when it is
/// the `else` of an scf.if, `state` is what holds after its `then`. Gives false
/// when a token is spent on one side only, and then that token, as spent.
bool luna_verify_state_join(const LunaVerifyStates *states,
                            LunaVerifyState *state,
                            const LunaVerifyState *other,
                            const LunaVerifyDecision *branch,
                            LunaVerifyToken *conflict);

/// Keeps what holds where `condition` is true (side 0) or false (side 1).
void luna_verify_state_assume(const LunaVerifyStates *states,
                              LunaVerifyState *state, MlirValue condition,
                              intptr_t side);

/// Takes tensors that a loop's body writes, as `back` knows them at its end,
/// for written after the loop: a loop of zero trips is no path to complain of.
void luna_verify_state_credit(const LunaVerifyStates *states,
                              LunaVerifyState *state,
                              const LunaVerifyState *back);

/// Changes `state` to what holds of it and of what `head` lost since it was
/// `entry`: tokens too may be of a transfer where they were of none.
void luna_verify_state_resume(const LunaVerifyStates *states,
                              LunaVerifyState *state,
                              const LunaVerifyState *entry,
                              const LunaVerifyState *head);

/// Returns true if two states know the same.
bool luna_verify_state_equal(const LunaVerifyState *a,
                             const LunaVerifyState *b);

/// Resets the slot of an executed allocation: nothing is written.
void luna_verify_state_allocate(const LunaVerifyStates *states,
                                LunaVerifyState *state, uint32_t slot);

/// A write at `op` of `content`, to every element or to some.
typedef struct LunaVerifyWrite {
  MlirOperation op;
  int64_t content;
  bool is_whole;
} LunaVerifyWrite;

/// Writes through `ref`: its bytes hold the contents of its tag, and what other
/// buffers had there is gone.
void luna_verify_state_write(const LunaVerifyStates *states,
                             LunaVerifyState *state, const LunaVerifyRef *ref,
                             const LunaVerifyWrite *write);

/// Finds the first bytes within [lo, hi) of a slot that do not hold its tag's
/// contents; NULL when all do.
const LunaVerifySegment *
luna_verify_state_unreadable(const LunaVerifyState *state,
                             const LunaVerifyExtent *extent);

/// Returns what transfers brought into the bytes of `extent`: a place,
/// LUNA_VERIFY_COMPUTED or LUNA_VERIFY_MIXED.
int64_t luna_verify_state_content(const LunaVerifyState *state,
                                  const LunaVerifyExtent *extent);

/// An edge of the control flow: at `op`, `from[i]` becomes `to[i]`, all at
/// once. `leaves` is the block whose scope ends (null for none), `enters` the
/// one in which the tokens handed on must be spent.
typedef struct LunaVerifyEdge {
  MlirOperation op;
  const MlirValue *from, *to;
  intptr_t count;
  MlirBlock leaves, enters;
} LunaVerifyEdge;

/// A value that is one of several: the first where `condition` (null where
/// nothing decides) is true, the second where it is false.
typedef struct LunaVerifyMerge {
  MlirValue result;
  const MlirValue *sources;
  intptr_t count;
  MlirValue condition;
} LunaVerifyMerge;

/// Sets the contents of the result of a merge from its sources.
void luna_verify_state_merge(const LunaVerifyStates *states,
                             LunaVerifyState *state,
                             const LunaVerifyMerge *merge);

typedef enum LunaVerifyEdgeResult {
  LUNA_VERIFY_EDGE_OK,
  LUNA_VERIFY_EDGE_SPENT, ///< forwards a token that was spent before
  LUNA_VERIFY_EDGE_HELD,  ///< leaves behind a token that is still held
} LunaVerifyEdgeResult;

/// Hands contents and tokens on along an edge; `*token` is the one at fault.
LunaVerifyEdgeResult luna_verify_state_follow(const LunaVerifyStates *states,
                                              LunaVerifyState *state,
                                              const LunaVerifyEdge *edge,
                                              LunaVerifyToken *token);

/// Returns the record of a token value, or NULL.
const LunaVerifyToken *luna_verify_state_token(const LunaVerifyStates *states,
                                               const LunaVerifyState *state,
                                               MlirValue value);
/// Adds a token (its value must not have a record yet, or the old one is
/// overwritten).
void luna_verify_state_add_token(const LunaVerifyStates *states,
                                 LunaVerifyState *state, LunaVerifyToken token);
/// Marks a token as awaited or passed on at `spent_by`.
void luna_verify_state_spend_token(const LunaVerifyStates *states,
                                   LunaVerifyState *state,
                                   LunaVerifyToken token,
                                   MlirOperation spent_by);
/// Returns false when a token of `block` is still held, and then it.
bool luna_verify_state_close(const LunaVerifyState *state, MlirBlock block,
                             LunaVerifyToken *held);

/// Adds a transfer in flight.
void luna_verify_state_add_transfer(const LunaVerifyStates *states,
                                    LunaVerifyState *state,
                                    LunaVerifyTransfer transfer);
/// Ends the transfers that `token` owns.
void luna_verify_state_end_transfers(LunaVerifyState *state, MlirValue token);
/// Marks the transfers that `before` has not as started under `decision`.
void luna_verify_state_mark_new(const LunaVerifyStates *states,
                                LunaVerifyState *state,
                                const LunaVerifyState *before,
                                const LunaVerifyDecision *decision);
/// Discards the decisions of transfers: on a back edge they belong to another
/// iteration.
void luna_verify_state_forget_paths(LunaVerifyState *state);
/// Returns the largest number of transfers that one path has in flight.
uint32_t luna_verify_state_in_flight(const LunaVerifyState *state);

#endif // VERIFY_PLAN_STATE_H
