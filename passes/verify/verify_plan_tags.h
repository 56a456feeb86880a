#ifndef VERIFY_PLAN_TAGS_H
#define VERIFY_PLAN_TAGS_H

// The table of luna-verify-plan's alias analysis: the tag of each value, and
// the places where each tag may be.

#include "verify_plan_values.h"

/// A value's tag; valid if found in this sweep, or permanently if it merges.
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

/// Writes the value's tag. Returns false if this sweep has not found it (yet).
bool luna_verify_lookup(const LunaVerifyValues *values, MlirValue value,
                        LunaVerifySource *source);

/// Returns true if the value is the root of a tag.
bool luna_verify_is_root(const LunaVerifyValues *values, MlirValue value);

/// Returns the sum of two positions, unknown if one of them is.
int64_t luna_verify_shift(int64_t base, int64_t by);

/// Adds a place and returns its index.
uint32_t luna_verify_add_place(LunaVerifyValues *values, LunaVerifyPlace place);

/// Binds `value` as the root of a new tag in `place`.
void luna_verify_bind_root(LunaVerifyValues *values, MlirValue value,
                           uint32_t place);

/// Binds `value` to a source, unless it is a root or merges.
void luna_verify_bind_alias(LunaVerifyValues *values, MlirValue value,
                            LunaVerifySource source);

/// Binds `value` to the common source known so far, or to a new tag.
void luna_verify_bind_merge(LunaVerifyValues *values, MlirValue value,
                            const MlirValue *sources, intptr_t count);

/// Finds the pairs of tags that luna_verify_values_apart tells.
void luna_verify_values_set_apart(LunaVerifyValues *values, MlirOperation func);

#endif // VERIFY_PLAN_TAGS_H
