#ifndef LUNA_ALONG_AXIS_H
#define LUNA_ALONG_AXIS_H

// What walks along one dimension of a tensor, in a number of steps that does
// not depend on its elements.

#include "luna-c/build_scalar.h"

/// Builds the sum of the elements up to each along `axis`, or from it on if
/// `is_reverse`, without itself if `is_exclusive`.
MlirValue luna_running_sum(LunaBuilder *b, MlirValue value, int axis,
                           bool is_exclusive, bool is_reverse);

/// Builds the indices along `axis`, int32, of the first `count` elements in
/// order: one comes before another if `before` holds, or else if its index is
/// lower. NaN is greater than all numbers, and zeros are equal. O(count) for
/// each element.
MlirValue luna_first_places(LunaBuilder *b, MlirValue value, int axis,
                            int64_t count, LunaCompare before);
/// Builds the elements at such indices.
MlirValue luna_take_places(LunaBuilder *b, MlirValue value, int axis,
                           MlirValue places);

/// Builds integers in the order of a tensor's elements, which floats have in
/// software: those of integers are themselves.
MlirValue luna_sort_keys(LunaBuilder *b, MlirValue value);

#endif // LUNA_ALONG_AXIS_H
