#ifndef LUNA_PROGRAM_CONTENTS_H
#define LUNA_PROGRAM_CONTENTS_H

// A function of buffers as what it does to their contents.

#include "contents_pieces.h"
#include "luna/machine.h"
#include "mlir-c/IR.h"

/// What happens, in program order.
typedef enum LunaContentsKind {
  /// Structure; `op` is the branch or loop.
  LUNA_CONTENTS_BRANCHES, ///< opens alternatives
  LUNA_CONTENTS_BRANCH,   ///< opens one of them
  LUNA_CONTENTS_LOOP,     ///< opens a loop
  LUNA_CONTENTS_EXIT,     ///< the loop may end here
  LUNA_CONTENTS_END,      ///< closes any of them
  /// A step of `op` begins, or a second one while it runs.
  LUNA_CONTENTS_STEP,
  /// The step reads slice `to`, writes all of it, or changes it.
  LUNA_CONTENTS_READ,
  LUNA_CONTENTS_MAKE,
  LUNA_CONTENTS_CHANGE,
  /// The step passes the contents of `from` on to `to`.
  LUNA_CONTENTS_MOVE,
  /// The step leaves slice `to` without contents that count.
  LUNA_CONTENTS_FORGET,
  /// The step needs `bytes` of weights, or of scratch.
  LUNA_CONTENTS_WEIGHTS,
  LUNA_CONTENTS_SCRATCH,
} LunaContentsKind;

typedef struct LunaContentsEvent {
  LunaContentsKind kind;
  MlirOperation op;
  uint32_t from, to; ///< slices
  int64_t bytes;
} LunaContentsEvent;

typedef struct LunaProgramContents {
  LunaPartition partition;
  LUNA_VECTOR(LunaContentsEvent) events;
} LunaProgramContents;

/// Lists what `func` does to contents in shared memory, in `arena`. Slices are
/// those of the partition, which has a copy for each move.
LunaProgramContents luna_program_contents(MlirOperation func,
                                          const LunaMachine *machine,
                                          LunaArena *arena);

#endif // LUNA_PROGRAM_CONTENTS_H
