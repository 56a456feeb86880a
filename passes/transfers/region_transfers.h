#ifndef LUNA_REGION_TRANSFERS_H
#define LUNA_REGION_TRANSFERS_H

// The transfers of a luna.region as a block of luna/transfer_schedule.h, and
// what was decided about them as ops.

#include "luna/machine.h"
#include "luna/transfer_schedule.h"
#include "program_model.h"
#include "transfer.h"

/// A function before it has transfers: its model, with the cycles and the live
/// bytes of each step.
typedef struct LunaTransferProgram {
  const LunaMachine *machine;
  LunaArena *arena;
  LunaProgramModel program;
  int64_t *live_bytes;
} LunaTransferProgram;

/// Builds the model of `func`. Emits an error and returns false if an op has no
/// cost or an allocation no size.
bool luna_transfer_program(MlirOperation func, const LunaMachine *machine,
                           LunaArena *arena, LunaTransferProgram *program);

/// A region: op `anchors[i]` is step i, the last one its terminator; transfer i
/// of the block is `found.items[i]`.
typedef struct LunaRegionTransfers {
  LunaTransferBlock block;
  MlirOperation *anchors;
  LunaTransfers found;
} LunaRegionTransfers;

/// Makes the block of the REGION `step`. Emits an error and returns false if
/// constants are not packed.
bool luna_region_transfers(const LunaTransferProgram *program, LunaModelId step,
                           LunaRegionTransfers *region);

/// Inserts starts and waits where the events of the block say. Weights have
/// staging[i % 2] if that is not NULL, else a buffer each.
void luna_insert_transfers(const LunaRegionTransfers *region,
                           const MlirValue *staging, LunaArena *arena);

#endif // LUNA_REGION_TRANSFERS_H
