#ifndef LUNA_REFERENCE_LOAD_H
#define LUNA_REFERENCE_LOAD_H

#include "luna/reference.h"

/// Loads the code of a reference that is otherwise complete, and resets its
/// state. Fails like luna_native_load.
bool luna_reference_load(LunaReference *reference, LunaError *error);

#endif // LUNA_REFERENCE_LOAD_H
