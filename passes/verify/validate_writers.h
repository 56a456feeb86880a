#ifndef VALIDATE_WRITERS_H
#define VALIDATE_WRITERS_H

// Who wrote the bytes of a plan's arena last, beside their values: for
// messages.

#include "validate_side.h"

/// Records that the current operator writes where `pointer` points.
void luna_writers_add(LunaSide *side, const LunaPointer *pointer);

/// Returns an operator that wrote `bytes` of the memory of `place` last, on
/// some path where `where` holds, one that wrote another buffer if there is
/// one; a null operator if that is not known.
MlirOperation luna_writers_find(LunaSide *side, const LunaPlace *place,
                                LunaPiece bytes, LunaTerm where);

#endif // VALIDATE_WRITERS_H
