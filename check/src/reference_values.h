#ifndef LUNA_REFERENCE_VALUES_H
#define LUNA_REFERENCE_VALUES_H

#include "luna/reference.h"

/// Lists the arguments and results of the function and makes room for their
/// values. False for one that is not a tensor of static shape, or whose
/// luna.initial does not fit it.
bool luna_reference_list_values(MlirOperation func, LunaReference *reference);

#endif // LUNA_REFERENCE_VALUES_H
