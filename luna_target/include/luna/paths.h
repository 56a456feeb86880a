#ifndef LUNA_PATHS_H
#define LUNA_PATHS_H

// Running a program down every path of its control flow.
//
//   LunaPathWalk walk = {.program = &program};
//   while (luna_paths_next(&walk, simulator)) {
//     luna_simulator_begin_run(simulator);
//     model(…);
//     const LunaRunResult *result = luna_simulator_end_run(simulator);
//     luna_paths_note(&walk, simulator);
//   }
//   luna_paths_deinit(&walk);

#include <stdbool.h>
#include <stdint.h>

#include "luna/simulator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Paths that are run where no limit is given.
#define LUNA_PATHS_LIMIT 64

/// The paths seen and those still to come. Zero-initialise but for the fields
/// before `arena`, and keep in place; luna_paths_deinit frees it.
///
/// A path is a sequence of decisions, each branch by its first one; within a
/// run a branch is forced the same way every time. The first path is the one
/// that the data takes. Branches that are forced when the walk starts stay so.
typedef struct LunaPathWalk {
  const LunaProgramInfo *program; ///< the program bound
  uint64_t limit;                 ///< paths to run; 0 means LUNA_PATHS_LIMIT
  LunaArena arena;
  struct LunaPathPrefix *pending; ///< paths known and not yet run, in order
  struct LunaPathPrefix *current;
  struct LunaPathAlternative *taken; ///< alternatives that some path took
  bool *is_fixed;                    ///< by branch: forced before the walk
  uint64_t run_count;
} LunaPathWalk;

/// Forces the branches of the next path; false when every path was run, or as
/// many as the limit. While alternatives are left that no path took, paths that
/// take one go first, so that a limit leaves out as few as it can.
bool luna_paths_next(LunaPathWalk *walk, LunaSimulator *simulator);

/// Takes note of the run that has just ended: the paths that leave it.
void luna_paths_note(LunaPathWalk *walk, const LunaSimulator *simulator);

/// Says whether paths are left that were not run.
bool luna_paths_are_left(const LunaPathWalk *walk);

/// Frees what the walk holds. Branches stay forced as they were last, until
/// luna_simulator_force_branch says otherwise.
void luna_paths_deinit(LunaPathWalk *walk);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PATHS_H
