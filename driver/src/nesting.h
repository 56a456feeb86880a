#ifndef LUNAC_NESTING_H
#define LUNAC_NESTING_H

#include <stdbool.h>

#include "luna/error.h"

/// Returns true if the text of MLIR in the file nests its brackets no deeper
/// than upstream's parser and the passes can follow: they recurse, and would
/// overflow the stack. Else fails with LUNA_ERROR_INPUT and the line. A file of
/// bytecode, or one that cannot be read, is left to the parser.
bool luna_nesting_check(const char *path, LunaError *error);

#endif // LUNAC_NESTING_H
