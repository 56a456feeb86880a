#ifndef LUNA_TOUCHES_H
#define LUNA_TOUCHES_H

// What ops do to the contents of the memrefs that they touch.

#include "mlir-c/IR.h"

/// What an op does to the contents of a memref.
typedef enum LunaTouch {
  LUNA_TOUCH_READ,      ///< leaves them as they are
  LUNA_TOUCH_OVERWRITE, ///< writes every element, and reads none of the former
  LUNA_TOUCH_MODIFY,    ///< writes some of them, or the op is unknown
} LunaTouch;

/// Returns what `op` does to its operand `index`, a memref or a token. A
/// transfer reads its source and overwrites its target when it starts, and
/// reads both when it is awaited: they are its own until then.
LunaTouch luna_touch_of(MlirOperation op, intptr_t index);

/// Calls `visit` for every memref or token that `op` touches: its operands and
/// what the regions of a leaf operator (linalg.generic) capture. One value may
/// be touched several times.
void luna_touches(MlirOperation op,
                  void (*visit)(MlirValue value, LunaTouch touch, void *data),
                  void *data);

#endif // LUNA_TOUCHES_H
