#ifndef VERIFY_OPERATORS_H
#define VERIFY_OPERATORS_H

#include "verify_machine.h"

/// Executes an operator without control flow on the abstract machine of `side`.
/// Returns false, with an error, if its semantics are unknown.
bool luna_verify_operator(LunaSide *side, MlirOperation op);

/// Executes a product one output channel at a time, so that an operator and
/// the operators it was split into have equal results. Returns false, having
/// done nothing, unless its output channels are independent of each other and
/// its weights are constant.
bool luna_verify_channels(LunaSide *side, MlirOperation op);

// Constants by content, so that packed, split and renamed ones compare equal.

enum { LUNA_CONSTANT_HASHES = 1 << 16 };

/// A constant of the program, and the next with the same first bytes.
typedef struct LunaConstant {
  LunaTerm term; ///< LUNA_TERM_BYTES
  const struct LunaConstant *next;
} LunaConstant;

/// The contents of the program's globals, indexed by their first bytes.
typedef struct LunaConstants {
  LunaMap starts;
  /// A bit for each hash of a start: most positions have none.
  uint64_t hashes[LUNA_CONSTANT_HASHES / 64];
  LUNA_VECTOR(LunaConstant) first; ///< for each start
} LunaConstants;

/// Adds a memory for each global. Bytes of a plan's global that are found in a
/// constant of the program have the term of that constant, so that a merge of
/// constants has the same term in both.
void luna_constants_load(LunaSide *side);

/// Returns the bytes of `runs` in one array if all are constant, else NULL.
const uint8_t *luna_constants_bytes(LunaSide *side, const LunaRuns *runs);

#endif // VERIFY_OPERATORS_H
