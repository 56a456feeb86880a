#ifndef VERIFY_PLAN_TAGS_H
#define VERIFY_PLAN_TAGS_H

// The table of luna-verify-plan's alias analysis: which tag each value has, and
// which places each tag may lie in.

#include "verify_plan_values.h"

/// A value's tag; valid if found in this sweep, or for ever when it merges.
typedef struct LunaVerifyEntry {
  MlirValue value;
  uint32_t tag, sweep;
  int64_t base_bytes;
  bool is_merge, is_root;
  LunaVerifyRef ref; ///< once all is bound
} LunaVerifyEntry;

/// Where in a tag a value begins.
typedef struct LunaVerifySource {
  uint32_t tag;
  int64_t base_bytes;
} LunaVerifySource;

/// Returns the value's entry, or NULL.
LunaVerifyEntry *luna_verify_entry(const LunaVerifyValues *values,
                                   MlirValue value);

/// Gives the value's tag; false where this sweep has not found it (yet).
bool luna_verify_lookup(const LunaVerifyValues *values, MlirValue value,
                        LunaVerifySource *source);

/// Returns true if the value is the root of a tag.
bool luna_verify_is_root(const LunaVerifyValues *values, MlirValue value);

/// The sum of two positions; unknown where one of them is.
int64_t luna_verify_shift(int64_t base, int64_t by);

/// Adds a place; gives its index.
uint32_t luna_verify_add_place(LunaVerifyValues *values, LunaVerifyPlace place);

/// Makes `value` the root of a new tag in `place`.
void luna_verify_bind_root(LunaVerifyValues *values, MlirValue value,
                           uint32_t place);

/// Binds `value` to a source, unless it is a root or merges.
void luna_verify_bind_alias(LunaVerifyValues *values, MlirValue value,
                            LunaVerifySource source);

/// Binds `value` to what all sources known so far agree on, or makes it a tag
/// of its own.
void luna_verify_bind_merge(LunaVerifyValues *values, MlirValue value,
                            const MlirValue *sources, intptr_t count);

#endif // VERIFY_PLAN_TAGS_H
