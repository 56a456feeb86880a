#ifndef VERIFY_WEIGHTS_H
#define VERIFY_WEIGHTS_H

#include "verify_machine.h"

/// Weights in the order in which a program has them.
typedef struct LunaPlainWeights {
  MlirType type; ///< OHWI; of a depthwise convolution HWCM
  const uint8_t *bytes;
} LunaPlainWeights;

/// Returns the weights of a product, unpacked where they are packed
/// (`weight_layout`). `bytes` is NULL if they are not constant, or if a lane
/// that only fills a block is not 0: these are no weights of a program.
LunaPlainWeights luna_verify_weights(LunaSide *side, MlirOperation op);

/// Adds operand `i` to a record if it is packed weights. Returns false if not.
bool luna_record_weights(LunaRecord *record, MlirOperation op, intptr_t i);

#endif // VERIFY_WEIGHTS_H
