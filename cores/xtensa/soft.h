#ifndef LUNA_SOFT_H
#define LUNA_SOFT_H

// Routines that compilers call for what a core's instructions lack. Elsewhere
// they have names of their own, so that a test can compare them with the
// processor.

#include <stdint.h>

#ifdef __xtensa__
#define LUNA_SOFT(name) __##name
#else
#define LUNA_SOFT(name) luna_soft_##name
#endif

#endif // LUNA_SOFT_H
