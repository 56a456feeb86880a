#ifndef LUNA_REFERENCE_H
#define LUNA_REFERENCE_H

// The model as upstream MLIR computes it on this computer: tosa to linalg to
// LLVM, without anything of LUNA but the numbering of branches.

#include "jit.h"
#include "luna/program.h"
#include "session.h"

typedef struct LunacReference {
  MlirModule module;
  MlirExecutionEngine engine;
  const LunaProgramInfo *program;
  const char *entry; ///< symbol of the function to call
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

/// Computes the outputs. `decisions[0..branch_count)` are taken instead of the
/// model's own.
bool luna_reference_run(LunacReference *reference,
                        const LunacDecision *decisions, void *const *inputs,
                        void *const *outputs);

#endif // LUNA_REFERENCE_H
