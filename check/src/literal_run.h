#ifndef LUNA_LITERAL_RUN_H
#define LUNA_LITERAL_RUN_H

#include "luna/literal.h"

/// Calls a reference that has a literal one, then that with its integers.
bool luna_literal_run(LunaReference *reference, const LunaDecision *decisions,
                      uint32_t count);

#endif // LUNA_LITERAL_RUN_H
