#ifndef LUNA_LITERAL_PROBE_H
#define LUNA_LITERAL_PROBE_H

// Calls at each luna.quantize and luna.dequantize, on tensors and before
// quantisation is lowered.

#include "luna-c/op_names.h"
#include "luna/quantizer.h"
#include "luna/vector.h"
#include "mlir-c/IR.h"

typedef LUNA_VECTOR(LunaQuantizer) LunaQuantizers;

/// Lists the luna.quantize, or luna.dequantize, of a module, in program order.
void luna_literal_list(MlirModule module, LunaOpName name, LunaArena *arena,
                       LunaQuantizers *quantizers);

/// Adds a call of LUNA_LITERAL_HOOK_NOTE behind each, with its result.
void luna_literal_note_values(MlirModule module);

/// Replaces each by a call of LUNA_LITERAL_HOOK_QUANTIZE or
/// LUNA_LITERAL_HOOK_DEQUANTIZE with its operands, which writes its result.
void luna_literal_replace(MlirModule module);

#endif // LUNA_LITERAL_PROBE_H
