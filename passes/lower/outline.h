#ifndef LUNA_OUTLINE_H
#define LUNA_OUTLINE_H

// What an operator of the host core uses, and which function computes it. For
// luna-to-llvm (outline_host_ops.c).

#include "lowering.h"

/// The largest rank of a box of the runtime API.
enum { LUNA_BOX_RANK = 6 };

/// A captured value: defined outside the operator and used in it.
typedef struct LunaCapture {
  MlirValue value;
  MlirValue address, box; ///< of a memref, and of its LunaHostOperandDesc
  MlirValue inside;       ///< its replacement in the function
  MlirType type;          ///< of that; its sizes may be arguments, too
  int32_t access;         ///< LunaAccess, 0 if only its shape is used
} LunaCapture;

typedef struct LunaOutline {
  LunaLowering *run;
  MlirOperation op;
  LUNA_VECTOR(LunaCapture) captures;
} LunaOutline;

/// Returns an operator with the values that it captures.
LunaOutline luna_outline_of(LunaLowering *run, MlirOperation op);

/// Returns true if the function of an operator has this value itself.
bool luna_is_constant(MlirValue value);

/// Notes the sizes of an operator, for luna_outline_kernel. Before any operator
/// is lowered, where functions may take sizes.
void luna_outline_note_sizes(LunaLowering *run, MlirOperation op);

/// Chooses the types of the captures in the function that computes the
/// operator, and returns its number: that of the next if there is none.
///
/// If functions may take sizes (LunaLowering.has_size_arguments), those of
/// operators that differ in nothing else do.
uint32_t luna_outline_kernel(LunaOutline *outline);

#endif // LUNA_OUTLINE_H
