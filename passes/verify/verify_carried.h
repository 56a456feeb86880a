#ifndef VERIFY_CARRIED_H
#define VERIFY_CARRIED_H

// Memrefs that loops carry and that are another buffer in another iteration.
// Each has a memory for its contents, and an orbit: all bytes that it may be in
// any iteration. Those have other names: the buffer that it is at first, what
// the body allocates, other memrefs that the loop carries. A write by one name
// makes the contents by all others unknown, unless the two are apart: never the
// same bytes at one time, as buffers that each iteration exchanges.

#include "verify_machine.h"

/// Bytes of a memory that an allocation, an argument or a global has.
typedef struct LunaExtent {
  uint32_t memory;
  LunaPiece bytes;
  MlirOperation allocation; ///< null for others
} LunaExtent;

/// A memref that a loop carries by its contents.
typedef struct LunaCarriedName {
  uint32_t memory; ///< of its contents
  MlirOperation loop;
  const LunaPointer *initial, *back; ///< `back` is NULL until it is known
  LUNA_VECTOR(LunaExtent) orbit;
  LUNA_VECTOR(LunaExtent) bytes; ///< of the orbit, in order, each once
  uint64_t extent_count;         ///< of the orbit when these were found
} LunaCarriedName;

/// Two names, by their numbers, and whether they are apart.
typedef struct LunaCarriedPair {
  uint32_t a, b;
  bool is_apart;
} LunaCarriedPair;

/// All of them in one of the programs.
typedef struct LunaCarriedNames {
  LUNA_VECTOR(LunaCarriedName) names;
  LunaMap numbers; ///< of names, by memory
  LunaMap pair_keys;
  LUNA_VECTOR(LunaCarriedPair) pairs;    ///< that were asked for
  LunaMap lost;                          ///< terms of what writes made unknown
  LUNA_VECTOR(MlirOperation) clobberers; ///< the first write of each
  uint64_t version; ///< changes with every orbit and every pair
  bool is_settled;  ///< no edge has changed since
} LunaCarriedNames;

/// Returns the buffer of a memref that `loop` carries by its contents: of
/// `size_bytes` bytes in a memory of its own, named as what it is at first.
/// `argument` is its block argument. The first call adds the name, each sets
/// what it is at first.
const LunaBuffer *luna_carried_name(LunaSide *side, MlirOperation loop,
                                    MlirValue argument,
                                    const LunaPointer *initial,
                                    int64_t size_bytes);
/// Sets what the back edge carries to the memref of memory `memory`.
void luna_carried_set_back(LunaSide *side, uint32_t memory,
                           const LunaPointer *back);
/// Computes orbits and pairs from what the back edges carry. Returns the
/// version: what was executed under another one must be executed again.
uint64_t luna_carried_settle(LunaSide *side);

/// Returns true if two places may have a byte in common at one time.
bool luna_carried_may_share(LunaSide *side, const LunaPlace *a,
                            const LunaPlace *b);
/// Adds all bytes that `place` may be in and returns true, if it is in a memref
/// that `loop` or a loop in it carries: another one in the next iteration.
bool luna_carried_expand(LunaSide *side, MlirOperation loop,
                         const LunaPlace *place, LunaPointer *into);
/// Returns true if each address that a place may have is a multiple of `bytes`.
bool luna_carried_is_aligned(const LunaSide *side, const LunaPlace *place,
                             int64_t bytes);
/// Makes unknown what all other names of the bytes hold that were written
/// through `pointer`.
void luna_carried_lose(LunaSide *side, const LunaPointer *pointer);
/// Returns the first operator that made bytes unknown whose value is `term`, or
/// a null one if that is another value.
MlirOperation luna_carried_clobberer(const LunaSide *side, LunaTerm term);

#endif // VERIFY_CARRIED_H
