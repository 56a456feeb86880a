#include "sim_memory.h"

#include <string.h> // The pattern of undefined memory.
enum { POISON = 0xa5 };

//===- Writers ------------------------------------------------------------===//

LunaSimTag luna_sim_tag(LunaSimulator *sim, int32_t buffer, int32_t content) {
  uint64_t writer = (uint64_t)(uint32_t)buffer << 32 | (uint32_t)content;
  return 1 + luna_map_add(&sim->writers, &sim->setup_arena,
                          luna_map_number(writer));
}

LunaSimWriter luna_sim_writer(const LunaSimulator *sim, LunaSimTag tag) {
  if (tag == LUNA_SIM_TAG_UNDEFINED)
    return (LunaSimWriter){LUNA_NO_ID, LUNA_NO_ID};
  uint64_t writer = sim->writers.keys.items[tag - 1].number;
  return (LunaSimWriter){
      .buffer = (int32_t)(uint32_t)(writer >> 32),
      .content = (int32_t)(uint32_t)writer,
  };
}

//===- First state --------------------------------------------------------===//

void luna_sim_set_tag(LunaSimRange *range, const uint8_t *low, uint64_t bytes,
                      LunaSimTag tag) {
  LunaSimTag *tags = range->tags + (low - range->base);
  for (uint64_t i = 0; i < bytes; ++i)
    tags[i] = tag;
}

static void poison_undefined(LunaSimRange *range) {
  for (uint64_t i = 0; i < range->bytes; ++i)
    if (range->tags[i] == LUNA_SIM_TAG_UNDEFINED)
      range->base[i] = POISON;
}

void luna_sim_reset_memory(LunaSimulator *sim) {
  LunaSimRange *ranges = sim->ranges.items;
  LunaSimTag unnamed = luna_sim_tag(sim, LUNA_NO_ID, LUNA_NO_ID);
  for (uint64_t i = 0; i < sim->ranges.count; ++i)
    luna_sim_set_tag(&ranges[i], ranges[i].base, ranges[i].bytes,
                     ranges[i].is_initialised ? unnamed
                                              : LUNA_SIM_TAG_UNDEFINED);
  const LunaSimValue *values = sim->values.items;
  for (uint64_t i = 0; i < sim->values.count; ++i) {
    const LunaSimValue *value = &values[i];
    LunaSimRange *range =
        luna_sim_find_range(sim, value->base, (int64_t)value->bytes);
    luna_sim_set_tag(range, value->base, value->bytes,
                     luna_sim_tag(sim, value->buffer, value->content));
  }
  for (uint64_t i = 0; i < sim->ranges.count; ++i)
    poison_undefined(&ranges[i]);
}

void luna_sim_mark_undefined(LunaSimRange *range, const uint8_t *low,
                             uint64_t bytes) {
  luna_sim_set_tag(range, low, bytes, LUNA_SIM_TAG_UNDEFINED);
}

void luna_sim_poison(LunaSimRange *range, const uint8_t *low, uint64_t bytes) {
  luna_sim_mark_undefined(range, low, bytes);
  memset(range->base + (low - range->base), POISON, (size_t)bytes);
}
