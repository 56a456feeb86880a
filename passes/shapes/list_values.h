#ifndef LIST_VALUES_H
#define LIST_VALUES_H

// A list that holds a value of several shapes: its elements come first, without
// gaps.

#include "luna-c/build_scalar.h"

/// Returns the number of elements of a value, or -1 if an int64 cannot hold it.
int64_t luna_list_elements(MlirValue value);

/// Replaces `old` by the start of `list`. What reshapes it takes the list, so
/// that versions of a program may be equal.
void luna_list_unpack(const LunaBuilder *b, MlirValue list, MlirValue old);

/// Returns the elements of a value as a list.
MlirValue luna_list_flatten(const LunaBuilder *b, MlirValue value);

/// Returns the first `count` elements of a memref that is a list.
MlirValue luna_list_start(const LunaBuilder *b, MlirValue list, int64_t count);

#endif // LIST_VALUES_H
