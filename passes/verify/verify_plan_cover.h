#ifndef VERIFY_PLAN_COVER_H
#define VERIFY_PLAN_COVER_H

// What the bytes of one buffer hold: the lattice of luna-verify-plan.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"

/// What bytes hold, from best to worst; paths join to the worse.
typedef enum LunaVerifyHold {
  LUNA_VERIFY_WRITTEN,   ///< the contents of the slot's tag
  LUNA_VERIFY_UNWRITTEN, ///< nothing since the allocation
  LUNA_VERIFY_CLOBBERED, ///< what was written through another buffer
} LunaVerifyHold;

/// Contents that no transfer, or that different transfers on different paths,
/// brought; otherwise the place they came from.
enum { LUNA_VERIFY_COMPUTED = -1, LUNA_VERIFY_MIXED = -2 };

/// The decision `region` of branch operator `op`.
typedef struct LunaVerifyDecision {
  MlirOperation op;
  intptr_t region;
  const struct LunaVerifyDecision *next;
} LunaVerifyDecision;

/// Bytes [lo, hi) of a place: what they hold, and why.
typedef struct LunaVerifySegment {
  int64_t lo, hi;
  LunaVerifyHold hold;
  int64_t content;     ///< place, or one of the two above
  MlirOperation cause; ///< that clobbered it; null where not clobbered
  /// For unwritten bytes: the branch that left them so; op null for none.
  LunaVerifyDecision branch;
} LunaVerifySegment;

/// All bytes of a slot, in order; never changed once made.
typedef struct LunaVerifyCover {
  uint32_t count;
  LunaVerifySegment segments[];
} LunaVerifyCover;

/// Returns a cover of `bytes` that nothing has written.
const LunaVerifyCover *luna_verify_cover_new(LunaArena *arena, int64_t bytes);

/// Bytes [lo, hi) are written with `content`.
const LunaVerifyCover *luna_verify_cover_write(LunaArena *arena,
                                               const LunaVerifyCover *cover,
                                               int64_t lo, int64_t hi,
                                               int64_t content);

/// Some bytes are written: those that nothing had written count as written,
/// those that were lost stay lost.
const LunaVerifyCover *luna_verify_cover_touch(LunaArena *arena,
                                               const LunaVerifyCover *cover,
                                               int64_t content);

/// `op` writes another buffer's contents to bytes [lo, hi).
const LunaVerifyCover *luna_verify_cover_clobber(LunaArena *arena,
                                                 const LunaVerifyCover *cover,
                                                 int64_t lo, int64_t hi,
                                                 MlirOperation op);

/// What holds on two paths alike: the worse of each byte. NULL, of a path on
/// which the tag lies elsewhere, gives the other; `branch` (may be NULL) is the
/// decision that leads to `b`.
const LunaVerifyCover *luna_verify_cover_meet(LunaArena *arena,
                                              const LunaVerifyCover *a,
                                              const LunaVerifyCover *b,
                                              const LunaVerifyDecision *branch);

/// `a`, but written where nothing has written it and `b` is written.
const LunaVerifyCover *luna_verify_cover_credit(LunaArena *arena,
                                                const LunaVerifyCover *a,
                                                const LunaVerifyCover *b);

/// Returns true if some byte in [lo, hi) of a cover (may be NULL) is written.
bool luna_verify_cover_is_written(const LunaVerifyCover *cover, int64_t lo,
                                  int64_t hi);

/// Returns true if two covers (may be NULL) hold the same everywhere.
bool luna_verify_cover_equal(const LunaVerifyCover *a,
                             const LunaVerifyCover *b);

#endif // VERIFY_PLAN_COVER_H
