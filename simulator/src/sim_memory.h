#ifndef LUNA_SIM_MEMORY_H
#define LUNA_SIM_MEMORY_H

// What each byte of memory holds: a tag names the buffer and content that were
// written there.

#include "sim_state.h"

typedef struct LunaSimWriter {
  int32_t buffer, content;
} LunaSimWriter;

/// Returns the tag of what `buffer` and `content` write.
LunaSimTag luna_sim_tag(LunaSimulator *sim, int32_t buffer, int32_t content);

/// Returns who writes bytes of this tag.
LunaSimWriter luna_sim_writer(const LunaSimulator *sim, LunaSimTag tag);

/// Gives every range its first state.
void luna_sim_reset_memory(LunaSimulator *sim);

/// Notes that bytes of a range hold what `tag` names.
void luna_sim_set_tag(LunaSimRange *range, const uint8_t *low, uint64_t bytes,
                      LunaSimTag tag);

/// Notes that bytes of a range hold no value any more.
void luna_sim_mark_undefined(LunaSimRange *range, const uint8_t *low,
                             uint64_t bytes);

/// The same, and overwrites them with a pattern.
void luna_sim_poison(LunaSimRange *range, const uint8_t *low, uint64_t bytes);

#endif // LUNA_SIM_MEMORY_H
