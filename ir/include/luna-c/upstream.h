#ifndef LUNA_C_UPSTREAM_H
#define LUNA_C_UPSTREAM_H

//===-- luna-c/upstream.h - the upstream lowering, step by step -----------===//
//
// How upstream MLIR takes a model from TOSA to the LLVM dialect. luna-compile
// puts LUNA's passes between the steps; the reference of `lunac run --check`,
// tests and benchmarks run the steps alone. Nothing else spells them out.
//
//===----------------------------------------------------------------------===//

#ifdef __cplusplus
extern "C" {
#endif

/// The steps, in their order.
typedef enum LunaUpstreamStep {
  /// One function, its control flow in scf. Branches are numbered behind it.
  LUNA_UPSTREAM_STRUCTURE,
  /// What quantisation means, which upstream has no exact operators for: passes
  /// of ours, of which the reference needs the same.
  LUNA_UPSTREAM_QUANTIZE,
  /// Takes transposed convolutions apart, which are not lowered otherwise. Only
  /// for models that have some: the pass decomposes 1x1 depthwise convolutions
  /// as well, wrongly where they are padded.
  LUNA_UPSTREAM_DECOMPOSE,
  /// TOSA operators become linalg, arith and tensor.
  LUNA_UPSTREAM_LINALG,
  /// Tensors become memrefs, results become arguments.
  LUNA_UPSTREAM_BUFFERIZE,
  /// Loops and the LLVM dialect.
  LUNA_UPSTREAM_LLVM,
} LunaUpstreamStep;

/// Returns a step as a textual pipeline of `builtin.module`.
const char *luna_upstream_passes(LunaUpstreamStep step);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_UPSTREAM_H
