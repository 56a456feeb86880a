#ifndef LUNA_TRANSFER_H
#define LUNA_TRANSFER_H

// The transfers of luna-insert-dma: finding, starting and awaiting them, and
// reading their targets.

#include <stdbool.h>
#include <stdint.h>

#include "luna/machine.h"
#include "luna/vector.h"
#include "mlir-c/IR.h"

typedef enum LunaTransferKind {
  LUNA_TRANSFER_WEIGHTS, ///< the constants of a unit operator
  LUNA_TRANSFER_COPY,    ///< a memref.copy between PSRAM and shared memory
} LunaTransferKind;

typedef struct LunaTransfer {
  LunaTransferKind kind;
  MlirOperation op; ///< the unit operator, or the copy
  MlirValue blob;   ///< weights: the blob in PSRAM
  int64_t byte_count;
} LunaTransfer;

/// Transfers in program order; `items` comes from `arena`.
typedef struct LunaTransfers {
  LunaArena *arena;
  LUNA_VECTOR(LunaTransfer);
} LunaTransfers;

/// Adds the transfers that the ops directly in `block` need. Emits an error and
/// returns false if a unit operator's constants are not packed.
bool luna_find_transfers(const LunaMachine *machine, MlirBlock block,
                         LunaTransfers *transfers);

/// Sets `*transfer` to the weights of an operator, with a null blob if it has
/// none. Emits an error and returns false if they are not packed.
bool luna_read_weights(MlirOperation op, LunaTransfer *transfer);

/// Creates a staging buffer of `byte_count` bytes in shared memory.
MlirValue luna_build_staging(MlirOperation before, int64_t byte_count);
/// Creates a luna.dma_start; returns its token.
MlirValue luna_build_dma_start(MlirOperation before, MlirValue source,
                               MlirValue target);
/// Creates a luna.dma_wait.
void luna_build_dma_wait(MlirOperation before, MlirValue token);

/// Starts the transfer of weights to the front of `staging`; returns its token.
/// Rebuilds the blob's get_global, so that the start may precede it.
MlirValue luna_start_weights(MlirOperation before, const LunaTransfer *transfer,
                             MlirValue staging);
/// Replaces the operator's constants by views of the front of `staging`.
void luna_read_from_staging(const LunaTransfer *transfer, MlirValue staging);
/// Erases the read of a blob that is replaced by transfers.
void luna_erase_read(const LunaTransfer *transfer);

#endif // LUNA_TRANSFER_H
