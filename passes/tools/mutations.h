#ifndef LUNA_MUTATIONS_H
#define LUNA_MUTATIONS_H

// Faults injected into planned functions, to test the checkers. Most are wrong
// by construction: a transfer not awaited, a buffer moved onto one that is read
// later, halves of a transfer swapped. Some may do no harm where they stand (a
// region done twice, a tile made smaller): the results tell.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"

/// Returns the number of kinds of faults; a kind is an index below it.
uint32_t luna_mutation_kind_count(void);

/// Returns the name of a kind, such as "wait-deleted".
const char *luna_mutation_name(uint32_t kind);

/// Returns true if each fault of this kind is wrong by definition: what a run
/// of the plan shows does not tell.
bool luna_mutation_is_wrong(uint32_t kind);

/// Returns true if the checker is not given the record of the program: it has
/// to see from the plan alone.
bool luna_mutation_is_bare(uint32_t kind);

/// Returns the number of possible faults of this kind in `func` and the module
/// around it.
uint32_t luna_mutation_count(MlirOperation func, uint32_t kind);

/// Injects fault `index` of a kind. Returns the path that shows it, as
/// `if0=then,if1=else` (empty if every path does), from `arena`.
const char *luna_mutation_apply(MlirOperation func, uint32_t kind,
                                uint32_t index, LunaArena *arena);

#endif // LUNA_MUTATIONS_H
