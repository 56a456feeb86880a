#ifndef LUNA_OPERATOR_FAULTS_H
#define LUNA_OPERATOR_FAULTS_H

// Faults in the chains of random operators: is each one seen in the output?

#include "operator_places.h"

#include "../../passes/tools/chain_faults.h"

typedef struct FaultTally {
  int made[LUNA_CHAIN_FAULT_COUNT], seen[LUNA_CHAIN_FAULT_COUNT];
  int ties; ///< chains of operators with a tie, without their signs
} FaultTally;

/// Puts each fault into the chain of an operator, if it has one. Ends the
/// program where there is a tie, and the chain gives the `expected` bytes
/// without the calls that fix signs.
void faults_compare(FaultTally *tally, const Places *places,
                    const RandomOperator *op, const uint8_t *expected,
                    LunaArena *arena);

void faults_print(const FaultTally *tally);

#endif // LUNA_OPERATOR_FAULTS_H
