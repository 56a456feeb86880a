#ifndef VALIDATE_CONSTANTS_H
#define VALIDATE_CONSTANTS_H

// Constants by their content: packing, cutting and renaming are invisible.

#include "validate_side.h"

/// A constant of the program, and the next that starts alike.
typedef struct LunaConstant {
  LunaTerm term; ///< LUNA_TERM_BYTES
  const struct LunaConstant *next;
} LunaConstant;

/// The contents of the program's globals, found by how they start.
typedef struct LunaConstants {
  LunaMap starts;
  LUNA_VECTOR(LunaConstant) first; ///< for each start
} LunaConstants;

/// Makes a memory of each global. What a plan's globals hold counts as bytes of
/// the program's constants where they are found in it, so that values that
/// control flow merges have the same names in both.
void luna_constants_load(LunaSide *side);

/// Returns true, and its memory, if there is a global of that name.
bool luna_constants_find(const LunaSide *side, MlirStringRef name,
                         uint32_t *memory);

/// Returns the bytes that `runs` hold if they are constant throughout, in one
/// array; NULL otherwise.
const uint8_t *luna_constants_bytes(LunaSide *side, const LunaRuns *runs);

#endif // VALIDATE_CONSTANTS_H
