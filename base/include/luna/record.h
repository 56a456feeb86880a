#ifndef LUNA_RECORD_H
#define LUNA_RECORD_H

// Records: byte strings that say all that matters about a thing, so that two
// things are interchangeable exactly if their records are equal. They are the
// same on every machine: numbers are little-endian, texts follow their length.

#include "luna/map.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Appends a number, 8 bytes.
void luna_record_number(LunaText *record, uint64_t number);

/// Appends `length` bytes, after their number.
void luna_record_bytes(LunaText *record, const void *bytes, uint64_t length);

/// The XXH3-128 of some bytes, in canonical order.
typedef struct LunaDigest {
  uint8_t bytes[16];
} LunaDigest;

LunaDigest luna_digest(const void *bytes, uint64_t length);

/// A set of records, numbered 0, 1, 2, … in the order in which they were added.
/// A digest finds a record; what is equal is decided by all its bytes.
///
/// Zero-initialise; nothing is to be freed.
typedef struct LunaRecordSet {
  LunaMap digests;
  LUNA_VECTOR(LunaMapKey) records;
  uint64_t added;      ///< calls of luna_record_add
  uint64_t collisions; ///< equal digests of records that differ
  LunaDigest (*digest)(const void *bytes, uint64_t length); ///< NULL: XXH3
} LunaRecordSet;

/// Returns the index of a record, which is copied and added to the end if it is
/// new. The set always gets the same `arena`. Amortised O(length).
uint32_t luna_record_add(LunaRecordSet *set, LunaArena *arena,
                         const void *bytes, uint64_t length);

#ifdef __cplusplus
}
#endif

#endif // LUNA_RECORD_H
