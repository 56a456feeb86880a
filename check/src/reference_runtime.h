#ifndef LUNA_REFERENCE_RUNTIME_H
#define LUNA_REFERENCE_RUNTIME_H

// What the compiled reference calls: decisions, memory, copies.

#include "luna/reference.h"
#include "luna/simulator.h"

/// Name of the function that every branch asks: the runtime's.
#define LUNA_REFERENCE_HOOK "luna_rt_branch"

/// Returns the functions for the JIT, `*count` of them.
const LunaRuntimeSymbol *luna_reference_symbols(uint64_t *count);

/// Begins a run of this thread with these decisions, by branch.
void luna_reference_begin(const LunaDecision *decisions, uint32_t count);

/// Ends the run and frees what it allocated.
void luna_reference_end(void);

#endif // LUNA_REFERENCE_RUNTIME_H
