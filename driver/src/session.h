#ifndef LUNA_SESSION_H
#define LUNA_SESSION_H

// A session of lunac: the MLIR context with the plugin, and the destination of
// diagnostics.

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/machine.h"
#include "luna/text.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "options.h"

typedef struct LunacSession {
  const LunacOptions *options;
  LunaArena *arena;
  LunaMachine machine;
  MlirContext context;
  const char *cache_folder; ///< "" if there is no cache
  bool has_diagnosed;       ///< an error was printed since it was last cleared
  LunaText words;           ///< what was printed that is no progress
  bool is_quiet;            ///< errors are recorded, not printed
  bool wants_transient;     ///< stderr is a terminal
  bool has_transient_line;  ///< it shows a progress line
} LunacSession;

/// Loads machine, plugin and dialects. Fails with LUNA_ERROR_SETUP.
bool luna_session_open(LunacSession *session, const LunacOptions *options,
                       LunaArena *arena, LunaError *error);
/// Frees the resources of luna_session_open, also after it failed.
void luna_session_close(LunacSession *session);

/// Runs a textual pipeline on a module. A failure has been printed at the op at
/// fault, or is printed as `otherwise`.
bool luna_session_run(LunacSession *session, MlirModule module,
                      const char *pipeline, const char *otherwise);

/// The same for a pipeline that leaves the module as it is.
bool luna_session_check(LunacSession *session, MlirModule module,
                        const char *pipeline, const char *otherwise);

/// Returns the version of the LLVM that this process runs on, "22.1.8".
const char *luna_llvm_version(LunaArena *arena);
/// Returns true if that is the version that lunac was built for. Fails with
/// LUNA_ERROR_SETUP.
bool luna_check_llvm(LunaArena *arena, LunaError *error);

#endif // LUNA_SESSION_H
