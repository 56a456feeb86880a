#ifndef LUNA_BUFFER_KIND_H
#define LUNA_BUFFER_KIND_H

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of a buffer, in the planner and in the descriptor of a compiled
/// program, which stores these values. The planner places the first three
/// kinds.
typedef enum LunaBufferKind {
  /// Activations and other computed tensors.
  LUNA_BUFFER_TENSOR = 0,
  /// Weights in transit or resident.
  LUNA_BUFFER_STAGING = 1,
  /// Working memory of one operator.
  LUNA_BUFFER_SCRATCH = 2,
  /// A part of the weight image, in PSRAM.
  LUNA_BUFFER_WEIGHT = 3,
  /// A model input or output.
  LUNA_BUFFER_IO = 4,
  /// A state variable.
  LUNA_BUFFER_STATE = 5,
} LunaBufferKind;

#ifdef __cplusplus
}
#endif

#endif // LUNA_BUFFER_KIND_H
