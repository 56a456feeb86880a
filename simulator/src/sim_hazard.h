#ifndef LUNA_SIM_HAZARD_H
#define LUNA_SIM_HAZARD_H

// Hazards: reports of violated rules.

#include "sim_state.h"

/// The place of a hazard.
typedef struct LunaSimPlace {
  int32_t op;
  const LunaSimRange *range; ///< or NULL
  uint64_t offset_bytes;
  int32_t buffer;
} LunaSimPlace;

/// Returns the place of a hazard that concerns no memory.
static inline LunaSimPlace luna_sim_place_of_op(int32_t op) {
  return (LunaSimPlace){.op = op, .buffer = LUNA_NO_ID};
}

/// Adds a hazard to the run. Only the first LUNA_HAZARDS_KEPT are kept; the
/// others are counted.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void luna_sim_hazard(LunaSimulator *sim, LunaHazardKind kind,
                     LunaSimPlace place, const char *format, ...);

/// Returns the name of a buffer for messages: "buffer 3 'conv1'".
const char *luna_sim_buffer_text(LunaSimulator *sim, int32_t id);

#endif // LUNA_SIM_HAZARD_H
