#ifndef LUNA_GUARD_H
#define LUNA_GUARD_H

// A separate process for generated code: a wild access or a failed check of
// the code ends that process, and this one says where.

#include "luna/error.h"
#include "luna/simulator.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called in that process when it crashes or a check fails, before it
/// ends.
typedef struct LunaGuard {
  /// Appends the operator under execution, "operator 'conv.3': ". Not called
  /// for a failed check whose message names it.
  void (*print_operator)(void *data, LunaText *text);
  /// Appends what was run, " (path if0=then, case 0)".
  void (*print_run)(void *data, LunaText *text);
  void *data;
} LunaGuard;

typedef enum LunaGuardRole {
  LUNA_GUARD_INSIDE,  ///< the new process: run the code, then end
  LUNA_GUARD_OUTSIDE, ///< this process, after the other ended
} LunaGuardRole;

/// Forks a separate process and returns in both. In the new one
/// LUNA_GUARD_INSIDE; `guard` must stay. In this one, once that has ended,
/// LUNA_GUARD_OUTSIDE with its exit code in `*code`; if it crashed, 1, and the
/// reason in `error`, else `error` is untouched. The new process ends with
/// this one. Fails (OUTSIDE) with LUNA_ERROR_SETUP.
LunaGuardRole luna_guard_enter(const LunaGuard *guard, int *code,
                               LunaError *error);

/// Returns the `*count` functions that failed checks of the code call.
const LunaRuntimeSymbol *luna_guard_symbols(uint64_t *count);

#ifdef __cplusplus
}
#endif

#endif // LUNA_GUARD_H
