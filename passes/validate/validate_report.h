#ifndef VALIDATE_REPORT_H
#define VALIDATE_REPORT_H

#include "validate_pair.h"

/// Returns what the plan's first operator without a counterpart in the program
/// does otherwise: its operand, which bytes of it, what they hold, what the
/// program has there, and the path. In the arena.
const char *luna_validate_cause(const LunaPair *pair);

#endif // VALIDATE_REPORT_H
