#ifndef LUNA_REFERENCE_VALUES_H
#define LUNA_REFERENCE_VALUES_H

#include "luna/reference.h"

/// Lists the arguments and results of the function and allocates their values.
/// The last argument of a planned one is its arena. Returns false if one is not
/// a tensor or memref of static shape, or if its luna.initial does not fit.
bool luna_reference_list_values(MlirOperation func, bool is_planned,
                                LunaReference *reference);

/// Points the descriptor, of `descriptor_bytes`, to the data. Returns false if
/// it is no descriptor.
bool luna_reference_point_to_data(LunaReferenceValue *value);

#endif // LUNA_REFERENCE_VALUES_H
