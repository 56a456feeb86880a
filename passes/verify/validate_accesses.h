#ifndef VALIDATE_ACCESSES_H
#define VALIDATE_ACCESSES_H

// What an operator reads and writes, and the rules for that: within its buffer,
// at addresses that the machine reaches, apart from transfers in flight and
// from its other operands, and nothing that was never written.

#include "validate_side.h"

/// One operand of an operator, or one element of it.
typedef struct LunaOperandAccess {
  MlirValue value;
  const LunaPointer *pointer;
  bool reads, writes;
  bool is_captured; ///< read by the body of the operator, in any order
} LunaOperandAccess;

typedef LUNA_VECTOR(LunaOperandAccess) LunaOperandAccesses;

/// Returns true if the current operator of the side may access these; else the
/// fault says why not. To be called before the operator is executed.
bool luna_accesses_check(LunaSide *side, const LunaOperandAccesses *accesses);

/// Returns true unless an operand that is read has no defined byte on some
/// path; else the fault says so.
bool luna_accesses_are_written(LunaSide *side,
                               const LunaOperandAccesses *accesses);

/// Returns true if the operator computes each element of operand `b` from those
/// at the same place of operand `a`, one after the other: both may be one
/// buffer.
bool luna_accesses_may_be_one(const LunaSide *side, const LunaOperandAccess *a,
                              const LunaOperandAccess *b);

#endif // VALIDATE_ACCESSES_H
