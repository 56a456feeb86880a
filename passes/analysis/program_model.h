#ifndef LUNA_PROGRAM_MODEL_H
#define LUNA_PROGRAM_MODEL_H

#include "buffer_roots.h"
#include "luna/machine.h"
#include "luna/model.h"

/// A function as a model, and which op each step comes from.
typedef struct LunaProgramModel {
  LunaModel model;
  LunaRoots *roots; ///< root i is value i of the model
  LUNA_VECTOR(MlirOperation) ops;
  LUNA_VECTOR(MlirValue) values; ///< the first that names each slice
  LUNA_VECTOR(MlirType) types;   ///< by the number that slices have
} LunaProgramModel;

/// Builds the model of `func`, in `arena`. What depends on a machine (which
/// operators may work in place, their working memory) is left out if `machine`
/// is NULL. Emits an error and returns false for unstructured control flow. The
/// function must not change while the model is used. O(n * loop depth).
bool luna_program_model_build(MlirOperation func, const LunaMachine *machine,
                              LunaArena *arena, LunaProgramModel *program);

#endif // LUNA_PROGRAM_MODEL_H
