#ifndef LUNA_BRUTE_FORCE_H
#define LUNA_BRUTE_FORCE_H

#include "luna/plan.h"

/// Returns the size of the smallest plan of a program of at most 8 buffers and
/// of sizes of a few bytes, or -1 if it has too many paths to list.
///
/// Tries all offsets of all buffers. A move between equal offsets does nothing,
/// others copy; the plan must leave every buffer with the contents that are
/// read later, on every path of at most five turns per loop. A step's results
/// lie apart from what it reads.
int64_t brute_force_smallest(const LunaProblem *problem);

#endif // LUNA_BRUTE_FORCE_H
