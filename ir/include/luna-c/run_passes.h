#ifndef LUNA_C_RUN_PASSES_H
#define LUNA_C_RUN_PASSES_H

//===-- luna-c/run_passes.h - textual pipelines ---------------------------===//

#include "luna/error.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs a textual pipeline of `builtin.module` on a module, and MLIR's verifier
/// on what it makes of it.
///
/// Fails with LUNA_ERROR_INPUT: with what is wrong with the text, or else with
/// the message `otherwise`. The diagnostics of a pass that fails went to the
/// context's handlers before.
bool luna_run_passes(MlirModule module, const char *passes,
                     const char *otherwise, LunaError *error);

/// The same for passes that leave the module as it is: MLIR's verifier does not
/// run again.
bool luna_run_checks(MlirModule module, const char *passes,
                     const char *otherwise, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_RUN_PASSES_H
