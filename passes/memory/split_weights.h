#ifndef LUNA_SPLIT_WEIGHTS_H
#define LUNA_SPLIT_WEIGHTS_H

#include "globals.h"
#include "luna/machine.h"

/// Splits each luna.conv2d and luna.matmul with more than `max_bytes` of
/// constant weights into several, each with its slice of weight, bias and table
/// (new globals, which are added to `globals`) and a subview of the output.
///
/// Their transfers are smaller, need smaller staging buffers and overlap each
/// other's computation. Results are equal bit for bit, since no sum is split.
void luna_split_weights(MlirOperation module, const LunaMachine *machine,
                        int64_t max_bytes, LunaGlobals *globals,
                        LunaArena *arena);

#endif // LUNA_SPLIT_WEIGHTS_H
