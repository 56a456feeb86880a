#ifndef LUNA_INSERT_DMA_H
#define LUNA_INSERT_DMA_H

#include <stdbool.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// The modes of transfers.
typedef enum LunaTransferMode {
  LUNA_TRANSFERS_AUTO,
  LUNA_TRANSFERS_PING_PONG,
  LUNA_TRANSFERS_SYNC,
  LUNA_TRANSFER_MODES,
} LunaTransferMode;

/// Returns the name of a mode, "ping-pong" say.
const char *luna_transfer_mode_name(LunaTransferMode mode);

/// Sets the mode of this name; emits an error at `func` and returns false if
/// there is none.
bool luna_transfer_mode_read(MlirOperation func, const char *name,
                             LunaTransferMode *mode);

/// How transfers are inserted.
typedef struct LunaTransferOptions {
  LunaTransferMode mode;
  int64_t budget_bytes; ///< AUTO: that may be live, as far as can be
  bool streams;         ///< AUTO: no weights are loaded before a loop
  bool stays;           ///< AUTO: nothing starts in another region
  uint64_t late, loads; ///< found: transfers that memory delays, and all
} LunaTransferOptions;

/// Inserts the transfers of a function, as luna-insert-dma does with these
/// options. Failure means that a diagnostic was emitted.
MlirLogicalResult luna_insert_dma(MlirOperation func,
                                  const LunaMachine *machine,
                                  LunaTransferOptions *options);

#endif // LUNA_INSERT_DMA_H
