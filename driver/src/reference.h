#ifndef LUNA_REFERENCE_H
#define LUNA_REFERENCE_H

// The model as upstream MLIR computes it on this computer: tosa to linalg to
// LLVM, without anything of LUNA but the numbering of branches.

#include "jit.h"
#include "luna/program.h"
#include "session.h"

/// An argument of the reference's function: an input or output of the program,
/// or one of its state variables.
typedef struct LunacReferenceArgument {
  bool is_state;
  uint32_t index; ///< of the input, output or state variable
} LunacReferenceArgument;

/// A state variable between two calls of the reference.
typedef struct LunacReferenceState {
  LunaProgramTensor shape;
  int64_t offset_bytes; ///< in the program's state memory
  void *old_value, *new_value;
} LunacReferenceState;

typedef struct LunacReference {
  MlirModule module;
  MlirExecutionEngine engine;
  const LunaProgramInfo *program;
  const char *entry; ///< symbol of the function to call
  LunacReferenceArgument *taken, *given;
  uint32_t taken_count, given_count;
  LunacReferenceState *states;
  uint32_t state_count;
  /// Whether its branches are those of the program, so that both can be forced
  /// to the same path.
  bool can_force;
} LunacReference;

/// Compiles `module` (untouched; ownership passes on) for comparison with
/// `program`. A failure was printed.
bool luna_reference_create(LunacSession *session, MlirModule module,
                           const LunaProgramInfo *program,
                           LunacReference *reference);
/// Frees what luna_reference_create made, also after it failed.
void luna_reference_destroy(LunacReference *reference);

/// A decision from outside, by branch number.
typedef struct LunacDecision {
  bool is_forced;
  int32_t value;
} LunacDecision;

/// Gives the state variables the values that they have in the program's state
/// memory.
void luna_reference_reset(LunacReference *reference, const void *state);

/// Computes the outputs, and the state anew. `decisions[0..branch_count)` are
/// taken instead of the model's own.
bool luna_reference_run(LunacReference *reference,
                        const LunacDecision *decisions, void *const *inputs,
                        void *const *outputs);

#endif // LUNA_REFERENCE_H
