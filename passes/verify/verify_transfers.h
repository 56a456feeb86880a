#ifndef VERIFY_TRANSFERS_H
#define VERIFY_TRANSFERS_H

// Transfers in flight. From its start until it is awaited a transfer may read
// its source and write its target at any moment: nothing may access the bytes
// that it writes, nor write those that it reads.

#include "verify_machine.h"

/// A transfer in flight.
typedef struct LunaFlight {
  MlirValue owner; ///< the token by which it will be awaited
  MlirOperation start;
  LunaTerm path; ///< where it may be in flight
  const LunaPointer *reads, *writes;
} LunaFlight;

/// Immutable: states share it.
typedef struct LunaFlights {
  uint32_t count;
  LunaFlight items[];
} LunaFlights;

/// Adds the transfer of `start`, a luna.dma_start. Returns false if there may
/// be more in flight on some path than the machine has; the fault names
/// another.
bool luna_flights_start(LunaSide *side, MlirOperation start);
/// Ends the transfers that `token` owns.
void luna_flights_await(LunaSide *side, MlirValue token);
/// Makes `to` the owner of what `from` owns, if it is a token.
void luna_flights_forward(LunaSide *side, MlirValue from, MlirValue to);
/// Makes each of `count` values the owner of what the one beside it owns, all
/// at once.
void luna_flights_forward_all(LunaSide *side, const MlirValue *from,
                              const MlirValue *to, intptr_t count);
/// Returns those of `a` where `a_path` holds and those of `b` where `b_path`
/// does.
const LunaFlights *luna_flights_join(LunaSide *side, const LunaFlights *a,
                                     LunaTerm a_path, const LunaFlights *b,
                                     LunaTerm b_path);

/// Returns the first transfer in flight that an access to `place` where `path`
/// holds may meet, or NULL. Writes whether the transfer writes there.
const LunaFlight *luna_flights_meet(LunaSide *side, const LunaPlace *place,
                                    LunaTerm path, bool writes, bool *is_into);

/// What places are called in the next iteration of a loop, behind an edge to
/// its header: `to` is the memref that carries what `from` was.
typedef struct LunaRenaming {
  const LunaPlace *from, *to;
} LunaRenaming;

typedef struct LunaEdge {
  const LunaRenaming *renamings;
  intptr_t count;
  MlirOperation leaves; ///< the loop, for a back edge; null at its entry
  LunaTerm path; ///< where the transfers may be in flight behind the edge
} LunaEdge;

/// Renames the places of all transfers for an edge to the header of a loop.
void luna_flights_rename(LunaSide *side, const LunaEdge *edge);
/// Returns true if each transfer of `b` is in `a` already.
bool luna_flights_contain(const LunaFlights *a, const LunaFlights *b);

/// Checks that no path has executed another operator that `op` follows, a wait,
/// a loop or a terminator, and that takes one of the tokens that `op` takes,
/// and that no loop repeats it (verify_tokens.c). False after a fault.
bool luna_tokens_spend(LunaSide *side, MlirOperation op);
/// Checks the same of a terminator, and that it takes each token of its block
/// that owns a transfer in flight.
bool luna_tokens_end(LunaSide *side, MlirOperation end);

#endif // VERIFY_TRANSFERS_H
