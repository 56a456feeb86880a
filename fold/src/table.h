#ifndef LUNA_FOLD_TABLE_H
#define LUNA_FOLD_TABLE_H

#include "interpreter.h"

/// Returns how an operator is compiled, or NULL where it cannot be interpreted.
const LunaOpRule *luna_fold_find_rule(MlirOperation op);

#endif // LUNA_FOLD_TABLE_H
