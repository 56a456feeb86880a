#ifndef LUNA_LITERAL_H
#define LUNA_LITERAL_H

// The literal reference of a quantised model: what the model says, operator by
// operator, with the luna.dequantize and luna.quantize that the reader wrote.
// Each luna.quantize is judged on its own, in binary64, since it computes with
// the integers that the reference of `--check` had before it. So are outputs;
// what floats nothing fused are those of the model in binary32 bit for bit.

#include "luna/quantizer.h"
#include "luna/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An output against both functions.
typedef struct LunaLiteralOutput {
  uint64_t wrong; ///< elements, in the last run
  int64_t first;
  double found, expected;
  double bias_slack; ///< by how much a rounded bias moves the numbers
} LunaLiteralOutput;

typedef struct LunaLiteral {
  LunaReference exact;         ///< all f32 are f64
  LunaReference single;        ///< as written
  LunaQuantizer *quantizers;   ///< in program order
  LunaQuantizerTally *tallies; ///< of each; `wrong` is of the last run
  uint32_t count;
  LunaQuantizer *dequantizers;
  uint32_t dequantizer_count;
  LunaLiteralOutput *outputs; ///< by result
  uint64_t strays; ///< executions of one that only one of the two had
} LunaLiteral;

/// Returns true if a module, as it was read, has quantisation to judge and no
/// several sizes: its values are tensors.
bool luna_literal_is_for(MlirModule module);

/// Compiles the function of `module`, as it was read, which is changed.
/// `structured` is the same after LUNA_UPSTREAM_STRUCTURE, for models that need
/// that; it stays. Fails like luna_reference_create. `arena` keeps what it
/// lists.
bool luna_literal_create(MlirModule module, MlirModule structured,
                         int optimisation_level, LunaArena *arena,
                         LunaLiteral *literal, LunaError *error);

/// Returns how many luna.quantize were compared with in some run.
uint32_t luna_literal_compared(const LunaLiteral *literal);
/// Returns the values of all of them, and how they were right.
LunaQuantizerTally luna_literal_sum(const LunaLiteral *literal);

/// Frees the resources of luna_literal_create, also after it failed.
void luna_literal_destroy(LunaLiteral *literal);

#ifdef __cplusplus
}
#endif

#endif // LUNA_LITERAL_H
