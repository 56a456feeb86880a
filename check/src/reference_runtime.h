#ifndef LUNA_REFERENCE_RUNTIME_H
#define LUNA_REFERENCE_RUNTIME_H

// The runtime of the compiled reference: decisions, memory, copies.

#include "luna/reference.h"
#include "luna/simulator.h"

/// The function that every branch calls: the runtime's.
#define LUNA_REFERENCE_HOOK "luna_rt_branch"

/// Returns the functions for the JIT, `*count` of them.
const LunaRuntimeSymbol *luna_reference_symbols(uint64_t *count);

/// Begins a run on this thread with these decisions, by branch.
void luna_reference_begin(const LunaDecision *decisions, uint32_t count);

/// Ends the run and frees what it allocated.
void luna_reference_end(void);

#endif // LUNA_REFERENCE_RUNTIME_H
