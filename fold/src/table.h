#ifndef LUNA_FOLD_TABLE_H
#define LUNA_FOLD_TABLE_H

#include "interpreter.h"

/// Returns the rule for an operator, or NULL if it cannot be interpreted.
const LunaOpRule *luna_fold_find_rule(MlirOperation op);

#endif // LUNA_FOLD_TABLE_H
