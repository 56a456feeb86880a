#ifndef LUNA_CHAIN_FAULTS_H
#define LUNA_CHAIN_FAULTS_H

// Faults in chains of vector calls (luna/vector_chain.h).

#include "luna/vector_chain.h"

typedef enum LunaChainFault {
  LUNA_CHAIN_CALL_DROPPED,
  LUNA_CHAIN_CALLS_EXCHANGED, ///< two neighbours
  LUNA_CHAIN_SHIFT_CHANGED,   ///< one more or less
  LUNA_CHAIN_SCALAR_CHANGED,  ///< one more or less
  LUNA_CHAIN_SIGNS_DROPPED,   ///< both calls that fix signs
  LUNA_CHAIN_FAULT_COUNT
} LunaChainFault;

/// Returns the name of a kind: "call-dropped".
const char *luna_chain_fault_name(LunaChainFault kind);

/// Puts fault `index` of a kind into `count` calls. Returns false, with the
/// calls as they were, if there are not so many.
bool luna_chain_fault_put(LunaChainFault kind, int32_t index,
                          LunaVectorCall *calls, int32_t *count);

#endif // LUNA_CHAIN_FAULTS_H
