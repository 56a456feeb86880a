// The functions of luna/core_math.h under their names in the C library, which
// compiled models call: linked before the library's own.

#include "luna/core_math.h"

#define LUNA_CORE_MATH(name)                                                   \
  float name##f(float x);                                                      \
  float name##f(float x) { return luna_##name##f(x); }
#define LUNA_CORE_MATH_OF_TWO(name)                                            \
  float name##f(float x, float y);                                             \
  float name##f(float x, float y) { return luna_##name##f(x, y); }
#include "luna/core_math.def"
