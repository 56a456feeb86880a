#ifndef LUNA_APART_H
#define LUNA_APART_H

#include <stdbool.h>

#include "buffer_roots.h"

/// Returns true if two memrefs, at a point where both are visible, never refer
/// to the same buffer: they come from different allocations, or control flow
/// merges them from values that are apart on each of its edges, as where it
/// exchanges two buffers. May err on the side of false. O(pairs of values).
bool luna_are_apart(const LunaRoots *roots, MlirValue a, MlirValue b);

#endif // LUNA_APART_H
