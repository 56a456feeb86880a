#ifndef VERIFY_RULES_H
#define VERIFY_RULES_H

// What an operator reads and writes, and the rules for that: within its buffer,
// at addresses that the machine reaches, apart from transfers in flight and
// from its other operands, and nothing that was never written.

#include "verify_flow.h"

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

// A plan against itself, each execution of an allocation in a memory of its
// own: no operator may read in the arena what it would not read there.

/// Records what an operator of the program reads, and refuses it if nothing has
/// written that on some path; compares what an operator of the plan reads with
/// it. Returns false after a fault.
bool luna_self_check(LunaSide *side, const LunaOperandAccesses *accesses);

// Undefined behaviour: what may trap or leave its bounds in a plan does so in
// the program, too, or provably nowhere.

/// What an operator needs so as not to trap or leave its bounds: a divisor that
/// is not zero, an index below an extent.
struct LunaHazard {
  LunaTerm need; ///< equal for operators that need the same
  LunaTerm path; ///< under which the operator is executed
  MlirOperation op;
};

/// Notes what `op`, which was just executed, needs beyond what its constants
/// and the bounds of the loops around it prove.
void luna_hazards_note(LunaSide *side, MlirOperation op);

/// Strikes from the plan's notes, from `plan` on, those that notes of the
/// program from `program` on imply; and the latter, since what follows the loop
/// that they are from does not imply an iteration of it.
void luna_hazards_compare(LunaPair *pair, uint64_t program, uint64_t plan);

/// Compares the notes that are left. Records a fault at the first operator of
/// the plan whose need nothing in the program implies, and returns false.
bool luna_hazards_check(LunaPair *pair);

#endif // VERIFY_RULES_H
