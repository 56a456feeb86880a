#ifndef LUNA_SESSION_H
#define LUNA_SESSION_H

// One run of lunac: the MLIR context with the plugin loaded into it, and where
// diagnostics go.

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/machine.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "options.h"

typedef struct LunacSession {
  const LunacOptions *options;
  LunaArena *arena;
  LunaMachine machine;
  MlirContext context;
  bool has_diagnosed;      ///< an error was printed since it was last cleared
  bool is_quiet;           ///< errors are noted, not printed
  bool wants_transient;    ///< stderr is a terminal
  bool has_transient_line; ///< a progress line stands on it
} LunacSession;

/// Loads machine, plugin and dialects. Fails with LUNA_ERROR_SETUP.
bool luna_session_open(LunacSession *session, const LunacOptions *options,
                       LunaArena *arena, LunaError *error);
/// Frees what luna_session_open made, also after it failed.
void luna_session_close(LunacSession *session);

/// Runs a textual pipeline on a module. A failure was printed (or is, as
/// `otherwise`), at the op at fault.
bool luna_session_run(LunacSession *session, MlirModule module,
                      const char *pipeline, const char *otherwise);

/// Returns the version of the LLVM that this process runs on, "22.1.8".
const char *luna_llvm_version(LunaArena *arena);
/// Returns true if that is the version lunac was built for; else fails with
/// LUNA_ERROR_SETUP.
bool luna_check_llvm(LunaArena *arena, LunaError *error);

#endif // LUNA_SESSION_H
