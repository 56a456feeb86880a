#ifndef LUNA_MEMORY_PROBLEM_H
#define LUNA_MEMORY_PROBLEM_H

// A function as a planning problem.

#include "luna/model_problem.h"
#include "program_model.h"

/// A function, its model, and the planning problem of that.
typedef struct LunaMemoryProblem {
  LunaProgramModel program;
  LunaModelProblem view;
} LunaMemoryProblem;

/// Makes the problem of the model that is there. Emits an error and returns
/// false for an allocation of dynamic shape.
bool luna_memory_problem_of(LunaMemoryProblem *memory,
                            const LunaModelProblemOptions *options,
                            LunaArena *arena);

/// Builds the model of `func`, where no operator may work in place, and the
/// problem of all of it, in `arena`. Emits an error and returns false for
/// unstructured control flow, too.
bool luna_memory_problem_create(MlirOperation func,
                                const LunaModelProblemOptions *options,
                                LunaArena *arena, LunaMemoryProblem *memory);

/// Returns the body of the model that a region of `op` is, or LUNA_MODEL_NONE.
LunaModelId luna_memory_body(const LunaProgramModel *program, MlirOperation op,
                             intptr_t region);

#endif // LUNA_MEMORY_PROBLEM_H
