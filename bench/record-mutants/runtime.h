#ifndef LUNA_MUTANT_RUNTIME_H
#define LUNA_MUTANT_RUNTIME_H

// The runtime API that a compiled program calls, with one fault in the record
// of one product or in the chain of one sum: the simulator's, which compares
// the record with the descriptor, or one as on a chip, which checks nothing.

#include "luna/eltwise_chain.h"
#include "luna/simulator.h"
#include "luna/vector.h"
#include "record_faults.h"

/// What a fault is put into: the record of a product, or the descriptor of a
/// sum that has a chain. Equal operators share one.
typedef struct Target {
  const LunaProductRecord *record; ///< or NULL
  const LunaEltwiseDesc *sum;
} Target;

typedef struct Runtime {
  bool is_checked;
  /// Takes the way of each branch that this number stands for.
  int path;
  const LunaProgramInfo *program;
  LunaArena *arena;
  LUNA_VECTOR(Target) targets; ///< of all calls, if `notes`
  bool notes;
  // The fault; none without a target.
  Target target;
  LunaProductRecord *faulty_record;
  LunaEltwiseChain faulty_sum;
} Runtime;

/// Makes it the one that is called; it must outlive the calls.
void runtime_set(Runtime *runtime);

/// Returns the functions of the runtime API, of which `count` there are.
const LunaRuntimeSymbol *runtime_symbols(uint64_t *count);

#endif // LUNA_MUTANT_RUNTIME_H
