#ifndef LUNA_LITERAL_H
#define LUNA_LITERAL_H

// The literal reference of a quantised model: what the model says, operator by
// operator and in binary64, with the luna.dequantize and luna.quantize that the
// reader wrote. Each luna.quantize is judged on its own, since it computes with
// the integers that the reference of `--check` had before it.

#include "luna/quantizer.h"
#include "luna/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LunaLiteral {
  LunaReference function;      ///< all f32 are f64
  LunaQuantizer *quantizers;   ///< in program order
  LunaQuantizerTally *tallies; ///< of each; `wrong` is of the last run
  uint32_t count;
  uint64_t strays; ///< executions of one that only one of the two had
} LunaLiteral;

/// Compiles the function of `module`, which is on tensors, with its control
/// flow in scf, and is changed. Fails like luna_reference_create. `arena` keeps
/// what it lists.
bool luna_literal_create(MlirModule module, int optimisation_level,
                         LunaArena *arena, LunaLiteral *literal,
                         LunaError *error);

/// Returns how many luna.quantize were compared with in some run.
uint32_t luna_literal_compared(const LunaLiteral *literal);
/// Returns how many values were right on either side of a tie.
uint64_t luna_literal_ties(const LunaLiteral *literal);

/// Frees the resources of luna_literal_create, also after it failed.
void luna_literal_destroy(LunaLiteral *literal);

#ifdef __cplusplus
}
#endif

#endif // LUNA_LITERAL_H
