#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include "verify_flow.h"

/// Returns the name of a buffer: `buffer 3 'x'`, `@weights`, `argument 0`.
const char *luna_side_buffer_name(LunaSide *side, const LunaBuffer *buffer);
/// Returns the decisions that are certain where `where` holds, in the order of
/// execution, ` on path if0=then/if1=else`; an empty string if there are none.
const char *luna_side_path_name(LunaSide *side, LunaTerm where);
/// Returns a place to which a pointer points on some path where `where` holds.
const LunaPlace *luna_side_place_where(LunaSide *side,
                                       const LunaPointer *pointer,
                                       LunaTerm where);

/// Returns what bytes of a value are called in the program: `bytes [0, 4) of
/// argument 1`, or what they are if it does not have them.
const char *luna_pair_value_name(const LunaPair *pair, LunaByte value,
                                 int64_t byte_count);
/// Returns what the plan's first operator without a counterpart in the program
/// does otherwise: its operand, which bytes of it, what they hold, what the
/// program has there, and the path. In the arena.
const char *luna_pair_cause(const LunaPair *pair);

// Errors of the checks that examine the structure of a plan.

#endif // VERIFY_REPORT_H
