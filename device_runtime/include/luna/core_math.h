#ifndef LUNA_CORE_MATH_H
#define LUNA_CORE_MATH_H

// Functions of the C library that compiled models call, alike on every target:
// they round as sums, products and quotients of binary64 do, each on its own.
// Within 0.51 units in the last place. A library's own differ from each other.

#ifdef __cplusplus
extern "C" {
#endif

#define LUNA_CORE_MATH(name) float luna_##name##f(float x);
#define LUNA_CORE_MATH_OF_TWO(name) float luna_##name##f(float x, float y);
#include "luna/core_math.def"

#ifdef __cplusplus
}
#endif

#endif // LUNA_CORE_MATH_H
