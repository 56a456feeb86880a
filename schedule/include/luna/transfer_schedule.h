#ifndef LUNA_TRANSFER_SCHEDULE_H
#define LUNA_TRANSFER_SCHEDULE_H

// When the transfers of straight-line code start, and when they are awaited.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/model.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LunaBlockTransferKind {
  LUNA_BLOCK_WEIGHTS, ///< of the operator at `step`, to a buffer of its own
  LUNA_BLOCK_LOAD,    ///< to a buffer that is live from `step` on
  LUNA_BLOCK_STORE,   ///< from a buffer that is live until `step`
} LunaBlockTransferKind;

/// A transfer; steps say before which it starts or is awaited.
typedef struct LunaBlockTransfer {
  LunaBlockTransferKind kind;
  int64_t cycles; ///< of the engine
  int64_t bytes;  ///< of its buffer on chip
  uint32_t step;
  uint32_t earliest; ///< it may start
  uint32_t latest;   ///< it must be awaited; step_count for the end
  bool is_late;      ///< decided: memory keeps it from starting in time
} LunaBlockTransfer;

/// A start or wait, before a step; step_count for the end.
typedef struct LunaTransferEvent {
  uint32_t step, transfer;
  bool is_start;
} LunaTransferEvent;

/// Straight-line code, one step after the other, and its transfers.
typedef struct LunaTransferBlock {
  uint32_t step_count;
  const int64_t *cycles;     ///< by step, of core and unit
  const int64_t *live_bytes; ///< by step, without buffers of weights
  LUNA_VECTOR(LunaBlockTransfer) transfers; ///< in order of `step`
  LUNA_VECTOR(LunaTransferEvent) events;    ///< decided: in program order
} LunaTransferBlock;

/// What the engine and the memory allow.
typedef struct LunaTransferLimits {
  int64_t bytes;        ///< that may be live at a step
  uint32_t outstanding; ///< transfers started and not awaited
  int64_t start_cycles; ///< of the core, for each
} LunaTransferLimits;

/// Decides the events of a block, in `arena`.
///
/// Each load starts in time, as late as that allows: so that its cycles and
/// those of the loads behind it end before they are needed, the engine making
/// one transfer after the other. What does not fit yet waits for memory. Stores
/// start when they are ready and no load is due meanwhile; they are awaited
/// once they have ended. Waits are in the order of starts. What does not fit
/// even at its operator starts there. O(steps + transfers * steps of a
/// transfer).
void luna_schedule_transfers(LunaTransferBlock *block,
                             const LunaTransferLimits *limits,
                             LunaArena *arena);

/// Sets `*earliest` and `*latest` of the copy `steps[index]` of a model, a
/// transfer: it may start before steps[*earliest] and is awaited before
/// steps[*latest], `count` for none. A step before it that `is_transfer` is not
/// passed.
void luna_transfer_span(const LunaModel *model, const LunaModelId *steps,
                        uint32_t count, uint32_t index, const bool *is_transfer,
                        uint32_t *earliest, uint32_t *latest);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TRANSFER_SCHEDULE_H
