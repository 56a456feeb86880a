#ifndef LUNA_LINGER_TABLE_H
#define LUNA_LINGER_TABLE_H

// LUNA's operators as tables for the ONNX reader.

#include "onnx_table.h"

/// LUNA's operators under the names of the domain "thinker", and also under
/// those that linger gives them from version 3 on, in a domain of its own.
extern const LunaOnnxTable luna_linger_operators, luna_linger_renamed_operators;

/// Operators of ONNX that become part of one of LUNA's before them.
extern const LunaOnnxTable luna_linger_clamps;

#endif // LUNA_LINGER_TABLE_H
