#ifndef VERIFY_PLAN_VALUES_H
#define VERIFY_PLAN_VALUES_H

// The memory of a memref value of a planned function: the alias analysis of
// luna-verify-plan, shared with no other pass.
//
// A *place* is a range of bytes: a planned buffer (all allocations with one
// `luna.buffer` id), or memory outside the arena (an argument, a global). A
// *tag* stands for the contents behind a root value: an allocation, or a value
// that control flow merges (result of a branch, loop-carried). A tag has one
// *home* for each place it may lie in. A *slot* is one home of one tag.

#include <stdbool.h>
#include <stdint.h>

#include "luna-c/dialect.h"
#include "luna/map.h"
#include "mlir-c/IR.h"

/// A byte position that is not known at compile time.
#define LUNA_VERIFY_UNKNOWN INT64_MIN

/// A range of bytes of one memory.
typedef struct LunaVerifyPlace {
  MlirOperation op; ///< first that names it; null for an argument
  MlirValue value;
  LunaMemoryKind memory;
  bool is_planned; ///< in the arena, at [offset_bytes, +bytes)
  bool is_staging;
  bool holds_constants; ///< a global that some op's params names
  int64_t id;           ///< `luna.buffer`, or -1
  int64_t offset_bytes, bytes;
  MlirStringRef symbol; ///< of a global; data NULL otherwise
} LunaVerifyPlace;

/// One place a tag may lie in: its byte 0 is byte `base_bytes` of the place
/// (or LUNA_VERIFY_UNKNOWN), and `bytes` of the place belong to it.
typedef struct LunaVerifyHome {
  uint32_t place;
  int64_t base_bytes, bytes;
} LunaVerifyHome;

typedef struct LunaVerifyTag {
  LUNA_VECTOR(LunaVerifyHome) homes;
  uint32_t first_slot; ///< slot of homes[0]
} LunaVerifyTag;

/// What a memref value names: bytes [lo, lo + span) counted from byte 0 of the
/// tag, or, unless `is_exact`, some of them.
typedef struct LunaVerifyRef {
  uint32_t tag;
  int64_t base_bytes; ///< of the memref descriptor's base, or unknown
  int64_t lo_bytes, span_bytes;
  bool is_exact;
  bool is_dense; ///< every byte of the range is an element
} LunaVerifyRef;

/// The bytes [lo, hi) of `place` that a value may name through one home.
typedef struct LunaVerifyExtent {
  uint32_t place, slot;
  int64_t lo, hi;
  int64_t bytes; ///< of the home
  bool is_exact, is_dense;
} LunaVerifyExtent;

typedef struct LunaVerifyValues {
  LunaArena *arena;
  LUNA_VECTOR(LunaVerifyPlace) places;
  LUNA_VECTOR(LunaVerifyTag) tags;
  uint32_t slot_count;
  uint32_t *slot_tag, *slot_place; ///< by slot
  LunaMap place_keys;              ///< ids of buffers, names of globals
  LUNA_VECTOR(uint32_t) keyed;     ///< the place of each key
  LunaMap keys;                    ///< values whose tag and base are known
  LUNA_VECTOR(struct LunaVerifyEntry) entries;
  LunaMap apart; ///< pairs of tags
  uint32_t sweep;
  bool has_changed;
} LunaVerifyValues;

/// Fills `values` (zero except `arena`) for `func`, which has one block.
/// Allocations must have passed luna_verify_placement.
void luna_verify_values_build(LunaVerifyValues *values, MlirOperation func);

/// Writes what `value` names. Returns false if it is not a memref or
/// unreachable.
bool luna_verify_values_ref(const LunaVerifyValues *values, MlirValue value,
                            LunaVerifyRef *ref);

/// Returns the bytes `ref` names through home `index` of its tag.
LunaVerifyExtent luna_verify_values_extent(const LunaVerifyValues *values,
                                           const LunaVerifyRef *ref,
                                           uint32_t index);

/// Returns true if two ranges have a byte of memory in common.
bool luna_verify_values_overlap(const LunaVerifyValues *values,
                                const LunaVerifyExtent *a,
                                const LunaVerifyExtent *b);

/// Returns true if two tags that control flow merges at one point have no byte
/// in common, whichever way it came: two buffers that branches exchange.
bool luna_verify_values_apart(const LunaVerifyValues *values, uint32_t a,
                              uint32_t b);

/// Returns true if `op` is an allocation that the plan must place.
bool luna_verify_is_planned_alloc(MlirOperation op);

/// Returns the value of a condition, through results of regions.
MlirValue luna_verify_condition(MlirValue value);

/// The values that region `region` of `op` forwards with its terminator: the
/// first forwarded operand and their number; a null terminator if the region is
/// empty.
typedef struct LunaVerifyForward {
  MlirOperation terminator;
  intptr_t first, count;
} LunaVerifyForward;
LunaVerifyForward luna_verify_forward(MlirOperation op, intptr_t region);

#endif // VERIFY_PLAN_VALUES_H
