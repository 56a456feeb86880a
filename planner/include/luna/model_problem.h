#ifndef LUNA_MODEL_PROBLEM_H
#define LUNA_MODEL_PROBLEM_H

// A model, or a body of it, as a planning problem.

#include "luna/model.h"
#include "luna/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LunaModelProblemOptions {
  LunaModelId body;    ///< of the model, as if it were the program
  int64_t align_bytes; ///< of every buffer
  /// An operator that may write its output over an operand has a move from it,
  /// too, which takes no time.
  bool works_in_place;
  /// Before there is staging: each operator of the unit has its own buffer
  /// for the constants that it reads.
  bool has_staging;
} LunaModelProblemOptions;

/// A step of the model, and the first of its steps in the problem.
typedef struct LunaModelProblemStep {
  LunaModelId step;
  LunaStepId first;
} LunaModelProblemStep;

/// What gives a buffer the contents of another, or may be taken to.
typedef struct LunaModelProblemMove {
  LunaModelId step, from, to;
} LunaModelProblemMove;

#define LUNA_NO_BUFFER UINT32_MAX

/// A problem, and what of the model its parts are.
typedef struct LunaModelProblem {
  LunaArena *arena;
  const LunaModel *model;
  LunaProblem *problem;
  /// For each buffer of the model: that of the problem, or LUNA_NO_BUFFER.
  LunaBufferId *buffer_of;
  /// The steps that touch buffers, in program order.
  LUNA_VECTOR(LunaModelProblemStep) steps;
  /// The moves of the problem, by LunaMoveId.
  LUNA_VECTOR(LunaModelProblemMove) moves;
  /// True if no buffer on chip is touched that is allocated outside.
  bool is_apart;
} LunaModelProblem;

/// Makes the planning problem of a body of `model`, in `arena`.
///
/// Buffers are those on chip that are allocated in the body, named after the
/// first step that accesses them. A copy of all of one buffer to all of another
/// is a move. Fails with LUNA_ERROR_INPUT if an allocation has no size
/// (error->item: it).
bool luna_model_problem(const LunaModel *model,
                        const LunaModelProblemOptions *options,
                        LunaArena *arena, LunaModelProblem *view,
                        LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MODEL_PROBLEM_H
