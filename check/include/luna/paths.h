#ifndef LUNA_PATHS_H
#define LUNA_PATHS_H

#include "luna/program.h"
#include "luna/reference.h"
#include "luna/simulator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A path through the control flow: the forced decisions.
typedef struct LunaPath {
  const char *name;        ///< "if0=then/if1=else", "straight", or "as decided"
  LunaDecision *decisions; ///< by branch number
} LunaPath;

/// Parses `text`, decisions NAME=WAY separated by ',' or '/'; "straight" and ""
/// force none. Fails with LUNA_ERROR_INPUT for unknown names and for a branch
/// that is forced two ways.
bool luna_path_read(const LunaProgramInfo *program, const char *text,
                    LunaArena *arena, LunaPath *path, LunaError *error);

/// Forces the decisions of a path in every run of the simulator.
bool luna_path_force(LunaSimulator *simulator, const LunaProgramInfo *program,
                     const LunaPath *path, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PATHS_H
