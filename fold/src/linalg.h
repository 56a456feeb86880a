#ifndef LUNA_FOLD_LINALG_H
#define LUNA_FOLD_LINALG_H

#include "interpreter.h"

/// Compiles structured linalg operators on tensors of static shape.
bool luna_compile_linalg(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step);
bool luna_compile_linalg_index(LunaCompiler *compiler, MlirOperation op,
                               LunaStep *step);

#endif // LUNA_FOLD_LINALG_H
