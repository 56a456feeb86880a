#ifndef LUNA_SIM_ACCESS_H
#define LUNA_SIM_ACCESS_H

// Reads and writes of memory, checked against its contents and the transfers in
// flight.

#include "sim_box.h"
#include "sim_state.h"

/// One access to memory, for the checks.
typedef struct LunaSimAccess {
  int32_t op;
  const char *role; ///< "input"
  LunaSimBox box;
  LunaSimRange *range; ///< NULL: not registered, must not be accessed
  int32_t buffer, content;
  int64_t granule_bytes; ///< bytes up to this multiple are padding
} LunaSimAccess;

/// Finds the range of the access. Adds a hazard if it is outside every range or
/// outside its buffer. Updates the high-water mark.
void luna_sim_locate(LunaSimulator *sim, LunaSimAccess *access);

/// Adds a hazard for bytes that hold another value than the access names, or
/// none, or are in flight; at most one per access.
void luna_sim_check_read(LunaSimulator *sim, const LunaSimAccess *access);

/// Adds a hazard for bytes in flight, whatever they hold.
void luna_sim_check_arrived(LunaSimulator *sim, const LunaSimAccess *access);

/// Returns true if all bytes hold the value that the access names.
bool luna_sim_is_defined(const LunaSimulator *sim, const LunaSimAccess *access);

/// Adds a hazard for bytes in flight or read-only.
void luna_sim_check_write(LunaSimulator *sim, const LunaSimAccess *access);

/// Returns, for a read of one run, which bytes of the last granule hold no
/// value of the access: bit i is the i-th byte from the end, counted from 1.
uint64_t luna_sim_undefined_tail(const LunaSimulator *sim,
                                 const LunaSimAccess *access);

/// Records that the access wrote its bytes.
void luna_sim_mark_written(LunaSimulator *sim, const LunaSimAccess *access);

#endif // LUNA_SIM_ACCESS_H
