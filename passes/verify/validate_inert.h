#ifndef VALIDATE_INERT_H
#define VALIDATE_INERT_H

// Loops whose turns change nothing, which upstream's canonicalisation removes.

#include "validate_side.h"

/// Returns true if `loop` writes no buffer but its own, and each turn gives the
/// carried values that it was given or none is used behind it. The results have
/// their meanings then, and `goes_on` the test of a while.
bool luna_inert_skip(LunaSide *side, MlirOperation loop, LunaTerm *goes_on);

/// Returns true if `plan` may be what became of `program`, an inert loop: it
/// writes nothing, or nothing but copies if a buffer for each carried memref
/// takes some.
bool luna_inert_matches(MlirOperation program, MlirOperation plan);

/// Returns true if `loop`, a scf.for, ends soon: it and those inside have
/// constant bounds and positive steps, and execute at most 2^20 operators.
bool luna_inert_ends(MlirOperation loop);

#endif // VALIDATE_INERT_H
