#ifndef LUNA_PLACE_ARGUMENTS_H
#define LUNA_PLACE_ARGUMENTS_H

#include "luna-c/dialect.h"
#include "mlir-c/IR.h"

/// Sets the type of `value`, a result or argument of `op`, to one in the memory
/// `kind`.
/// What is not a memref stays.
void luna_set_memory(MlirOperation op, MlirValue value, LunaMemoryKind kind);

/// Allocates a buffer on chip of the type `like`, in front of `before`. `kind`
/// is what it is for, or NULL.
MlirValue luna_build_on_chip(MlirOperation before, MlirType like,
                             const char *kind);

/// Puts the arguments of a function in PSRAM and copies them: inputs on chip,
/// right before their first use or, with `on_chip`, at entry; outputs that are
/// computed into, or written and read, from a buffer on chip at the end. An
/// input that is only loaded from stays.
void luna_place_arguments(MlirOperation func, bool on_chip);

#endif // LUNA_PLACE_ARGUMENTS_H
