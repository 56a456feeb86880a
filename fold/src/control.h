#ifndef LUNA_FOLD_CONTROL_H
#define LUNA_FOLD_CONTROL_H

// scf control flow as upstream's lowering of operators creates it.

#include "interpreter.h"

bool luna_compile_for(LunaCompiler *compiler, MlirOperation op, LunaStep *step);
bool luna_compile_if(LunaCompiler *compiler, MlirOperation op, LunaStep *step);

#endif // LUNA_FOLD_CONTROL_H
