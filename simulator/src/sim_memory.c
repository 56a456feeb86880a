#include "sim_memory.h"

#include <string.h> // The pattern of undefined memory.
enum { POISON = 0xa5 };

//===- Writers ------------------------------------------------------------===//

static uint64_t writer_hash(LunaSimWriter writer) {
  uint64_t key = (uint64_t)(uint32_t)writer.buffer << 32 |
                 (uint64_t)(uint32_t)writer.content;
  return key * 0x9e3779b97f4a7c15u >> 20;
}

static void insert_writer(LunaSimulator *sim, LunaSimTag tag) {
  const LunaSimWriter *writers = sim->writers.items;
  uint64_t mask = sim->writer_table_size - 1;
  uint64_t slot = writer_hash(writers[tag]) & mask;
  while (sim->writer_table[slot] != LUNA_SIM_TAG_UNDEFINED)
    slot = (slot + 1) & mask;
  sim->writer_table[slot] = tag;
}

static void grow_writer_table(LunaSimulator *sim) {
  sim->writer_table_size =
      sim->writer_table_size ? 2 * sim->writer_table_size : 1024;
  sim->writer_table =
      LUNA_ARENA_ARRAY(&sim->setup_arena, LunaSimTag, sim->writer_table_size);
  for (uint64_t tag = 1; tag < sim->writers.count; ++tag)
    insert_writer(sim, (LunaSimTag)tag);
}

LunaSimTag luna_sim_tag(LunaSimulator *sim, int32_t buffer, int32_t content) {
  if (sim->writers.count == 0) // Tag 0: undefined.
    luna_sim_append(&sim->setup_arena, &sim->writers, sizeof(LunaSimWriter));
  if (2 * sim->writers.count >= sim->writer_table_size)
    grow_writer_table(sim);
  const LunaSimWriter key = {.buffer = buffer, .content = content};
  const LunaSimWriter *writers = sim->writers.items;
  uint64_t mask = sim->writer_table_size - 1;
  for (uint64_t slot = writer_hash(key) & mask;; slot = (slot + 1) & mask) {
    LunaSimTag tag = sim->writer_table[slot];
    if (tag == LUNA_SIM_TAG_UNDEFINED)
      break;
    if (writers[tag].buffer == buffer && writers[tag].content == content)
      return tag;
  }
  LunaSimTag tag = (LunaSimTag)sim->writers.count;
  *(LunaSimWriter *)luna_sim_append(&sim->setup_arena, &sim->writers,
                                    sizeof(LunaSimWriter)) = key;
  insert_writer(sim, tag);
  return tag;
}

LunaSimWriter luna_sim_writer(const LunaSimulator *sim, LunaSimTag tag) {
  return ((const LunaSimWriter *)sim->writers.items)[tag];
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
