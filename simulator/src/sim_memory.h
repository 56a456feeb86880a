#ifndef LUNA_SIM_MEMORY_H
#define LUNA_SIM_MEMORY_H

// The contents of each byte of memory: a tag identifies the buffer and content
// written there.

#include "sim_state.h"

typedef struct LunaSimWriter {
  int32_t buffer, content;
} LunaSimWriter;

/// Returns the tag of writes of `content` to `buffer`.
LunaSimTag luna_sim_tag(LunaSimulator *sim, int32_t buffer, int32_t content);

/// Returns the writer of bytes with this tag.
LunaSimWriter luna_sim_writer(const LunaSimulator *sim, LunaSimTag tag);

/// Resets every range to its initial state.
void luna_sim_reset_memory(LunaSimulator *sim);

/// Sets the tag of bytes of a range.
void luna_sim_set_tag(LunaSimRange *range, const uint8_t *low, uint64_t bytes,
                      LunaSimTag tag);

/// Marks bytes of a range as undefined.
void luna_sim_mark_undefined(LunaSimRange *range, const uint8_t *low,
                             uint64_t bytes);

/// The same, and overwrites them with a pattern.
void luna_sim_poison(LunaSimRange *range, const uint8_t *low, uint64_t bytes);

#endif // LUNA_SIM_MEMORY_H
