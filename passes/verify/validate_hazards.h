#ifndef VALIDATE_HAZARDS_H
#define VALIDATE_HAZARDS_H

// Undefined behaviour: what may trap or leave its bounds in a plan does so in
// the program, too, or provably nowhere.

#include "validate_pair.h"

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

#endif // VALIDATE_HAZARDS_H
