#ifndef LUNA_HOST_LOOPS_H
#define LUNA_HOST_LOOPS_H

#include "luna/arena.h"
#include "luna/vector.h"
#include "mlir-c/IR.h"

// The loops that an operator of the host core becomes, and which of them LLVM
// unrolls.

enum { LUNA_HOST_LOOPS_MAX = 64 };

/// The loops of an operator of more than one turn, outermost first.
typedef struct LunaHostLoops {
  int count;
  int64_t extents[LUNA_HOST_LOOPS_MAX];
  /// The number of the loop of each dimension, from 1; 0: it has one turn.
  int of_dim[LUNA_HOST_LOOPS_MAX];
} LunaHostLoops;

/// Returns the loops of a host operator: of linalg with maps, those that an
/// operand dimension gives, that of dimension `block_dim` with `block_turns`;
/// of a load or store of one element, none; of others, those over the elements
/// of the operand with most.
LunaHostLoops luna_host_loops(MlirOperation op, intptr_t block_dim,
                              int64_t block_turns);

/// Returns true for a load or store of one element.
bool luna_is_access(MlirOperation op);

/// Returns how often the body of loop `number` runs, from 1; 0 is outside of
/// all. At most INT64_MAX.
int64_t luna_host_loops_turns(const LunaHostLoops *loops, int number);

/// Returns the loops that move operand `index`, loop n as bit n - 1.
uint64_t luna_host_loops_moving(const LunaHostLoops *loops, MlirOperation op,
                                intptr_t index);

/// Returns true if dimension `dim` of the loops moves operand `index`.
bool luna_host_moves(MlirOperation op, intptr_t index, intptr_t dim);

/// Instructions of LLVM's IR in each turn of loop `depth`. Counted ones are
/// computed from the counters of loops alone, loop n as bit n - 1.
typedef struct LunaHostCode {
  int64_t instructions;
  int depth;
  bool is_counted;
  uint64_t counters;
} LunaHostCode;

/// All of an operator's; zero-initialise.
typedef LUNA_VECTOR(LunaHostCode) LunaHostUnrolling;

/// Adds some, which `arena` has.
void luna_host_unrolling_add(LunaHostUnrolling *unrolling, LunaArena *arena,
                             LunaHostCode code);

/// Returns those of a set that are loops 1 to `number`.
uint64_t luna_host_loops_within(uint64_t loops, int number);

/// Returns the innermost loop of `loops` that LLVM leaves a loop; 0 if it
/// unrolls all.
int luna_host_loops_rolled(const LunaHostLoops *loops,
                           const LunaHostUnrolling *unrolling);

/// Returns a * b and a + b of numbers that are not negative; INT64_MAX where
/// it is larger.
int64_t luna_host_times(int64_t a, int64_t b);
int64_t luna_host_plus(int64_t a, int64_t b);

#endif // LUNA_HOST_LOOPS_H
