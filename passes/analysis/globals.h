#ifndef GLOBALS_H
#define GLOBALS_H

// The constants of a module, by name.

#include "luna/map.h"
#include "mlir-c/IR.h"

/// An index of the memref.globals of a module.
typedef struct LunaGlobals {
  LunaArena *arena;
  MlirBlock body; ///< of the module
  LunaMap names;
  LUNA_VECTOR(MlirOperation) ops; ///< by index of the name
} LunaGlobals;

/// Returns the index of `module`, in `arena`.
LunaGlobals luna_globals_of(MlirOperation module, LunaArena *arena);

/// Returns the memref.global of this name, or a null op.
MlirOperation luna_globals_find(const LunaGlobals *globals, MlirStringRef name);

/// Returns the memref.get_global that a value is all of, perhaps reshaped or
/// cast, or a null op.
MlirOperation luna_get_global_of(MlirValue value);

/// Returns the dense value of a constant in memref form, through reshapes, or
/// null.
MlirAttribute luna_globals_value(const LunaGlobals *globals, MlirValue value);

/// Returns `prefix` with the first number from `*next` on that makes it a name
/// no global has; `*next` becomes the number behind.
const char *luna_globals_free_name(const LunaGlobals *globals,
                                   const char *prefix, int *next);

/// Adds a memref.global at the start of the module. `name` is that of the op
/// and lives as long as the arena.
void luna_globals_add(LunaGlobals *globals, const char *name, MlirOperation op);

/// Adds a private constant of these bytes, named as luna_globals_free_name
/// says, and a memref.get_global of it before `before`. Returns its value, of
/// `type`, a contiguous memref.
MlirValue luna_globals_build(LunaGlobals *globals, MlirOperation before,
                             const char *prefix, int *next, MlirType type,
                             const void *bytes);

#endif // GLOBALS_H
