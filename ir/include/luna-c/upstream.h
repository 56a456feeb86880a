#ifndef LUNA_C_UPSTREAM_H
#define LUNA_C_UPSTREAM_H

//===-- luna-c/upstream.h - the upstream lowering, step by step -----------===//
//
// How upstream MLIR lowers a model from TOSA to the LLVM dialect, with passes
// of ours where it cannot. luna-compile runs LUNA's passes between the steps,
// and in place of one. The reference of `lunac run --check`, tests and
// benchmarks run the steps alone, and so share what they have of ours. They are
// listed nowhere else.
//
//===----------------------------------------------------------------------===//

/// Canonicalisation and inlining where types are open: what a loop carries may
/// grow, upstream's ForOpTensorCastFolder gives it the size that it starts
/// with.
#define LUNA_UPSTREAM_CANONICALIZE                                             \
  "canonicalize{disable-patterns=\"(anonymous "                                \
  "namespace)::ForOpTensorCastFolder\"}"
#define LUNA_UPSTREAM_INLINE                                                   \
  "inline{default-pipeline=" LUNA_UPSTREAM_CANONICALIZE "}"

#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The steps, in their order.
typedef enum LunaUpstreamStep {
  /// One function with its control flow in scf. Branches are numbered after
  /// this step.
  LUNA_UPSTREAM_STRUCTURE,
  /// Quantisation, which upstream has no exact operators for: passes of ours,
  /// which the reference runs too, with the constants that they look for
  /// folded.
  LUNA_UPSTREAM_QUANTIZE,
  /// What is quantised and dequantised alone, with the rounding of its
  /// definition: luna-compile runs this pass with integers for the machine.
  LUNA_UPSTREAM_ROUND,
  /// The unit's operators as linalg: for the reference, since luna-compile
  /// leaves them to the unit.
  LUNA_UPSTREAM_UNIT,
  /// Decomposes transposed convolutions, which upstream does not lower: a pass
  /// of ours, since upstream's also decomposes 1x1 depthwise convolutions,
  /// wrongly if they are padded.
  LUNA_UPSTREAM_DECOMPOSE,
  /// TOSA operators become linalg, arith and tensor.
  LUNA_UPSTREAM_LINALG,
  /// Tensors become memrefs, results become arguments.
  LUNA_UPSTREAM_BUFFERIZE,
  /// Folds what bufferisation leaves: casts, branches that only yield.
  LUNA_UPSTREAM_SIMPLIFY,
  /// Loops, control flow of blocks, and functions of the C library.
  LUNA_UPSTREAM_LOOPS,
  /// The LLVM dialect.
  LUNA_UPSTREAM_LLVM,
  /// Of the literal reference, in place of steps above: nothing is folded,
  /// fused or combined, and what is quantised stays as the model has it. The
  /// structure is for models of static shapes whose control flow is in scf;
  /// others take that above.
  LUNA_LITERAL_STRUCTURE,
  LUNA_LITERAL_DECOMPOSE,
  LUNA_LITERAL_BUFFERIZE,
} LunaUpstreamStep;

/// Returns a step as a textual pipeline of `builtin.module`.
const char *luna_upstream_passes(LunaUpstreamStep step);

/// Appends the names of our own passes that the reference shares with
/// luna-compile, with commas between.
void luna_upstream_shared_passes(LunaText *names);

/// The functions that luna-plan-to-host has transfers call, values of type
/// index: (source, target, bytes) gives a token other than 0; (token) gives
/// anything.
#define LUNA_HOST_DMA_START "luna_host_dma_start"
#define LUNA_HOST_DMA_WAIT "luna_host_dma_wait"

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_UPSTREAM_H
