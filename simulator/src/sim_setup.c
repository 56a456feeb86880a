#include <string.h>

#include "luna/checked.h"
#include "sim_state.h"

// The memory that a program may access: ranges, buffers and values, registered
// one by one or from a program descriptor.

enum { BASE_ALIGN = 16 };

//===- Registering --------------------------------------------------------===//

static bool check_range(const LunaSimulator *sim, const LunaMemoryRange *range,
                        LunaError *error) {
  const LunaMemory *memory = range->space == LUNA_SPACE_SHARED
                                 ? &sim->machine.shared
                                 : &sim->machine.psram;
  uintptr_t base = (uintptr_t)range->base;
  if (base % BASE_ALIGN != 0)
    return luna_error_set(
        error, LUNA_ERROR_INPUT, sim->ranges.count,
        "memory '%s' does not start at a multiple of %d bytes", range->name,
        BASE_ALIGN);
  if (range->bytes > memory->bytes)
    return luna_error_set(error, LUNA_ERROR_CAPACITY, sim->ranges.count,
                          "memory '%s' needs %llu bytes, machine '%s' has %llu",
                          range->name, (unsigned long long)range->bytes,
                          sim->machine.name, (unsigned long long)memory->bytes);
  const LunaSimRange *ranges = sim->ranges.items;
  for (uint64_t i = 0; i < sim->ranges.count; ++i) {
    uintptr_t other = (uintptr_t)ranges[i].base;
    if (base < other + ranges[i].bytes && other < base + range->bytes)
      return luna_error_set(error, LUNA_ERROR_INPUT, sim->ranges.count,
                            "memory '%s' overlaps memory '%s'", range->name,
                            ranges[i].name);
  }
  return true;
}

bool luna_simulator_add_range(LunaSimulator *sim, const LunaMemoryRange *range,
                              LunaError *error) {
  if (!check_range(sim, range, error))
    return false;
  LunaArena *arena = &sim->setup_arena;
  LunaSimRange *added = LUNA_VECTOR_ADD(arena, &sim->ranges);
  *added = (LunaSimRange){
      .name = luna_arena_strndup(arena, range->name, strlen(range->name)),
      .space = range->space,
      .base = range->base,
      .bytes = range->bytes,
      .is_initialised = range->is_initialised,
      .is_read_only = range->is_read_only,
      .tags = LUNA_ARENA_ARRAY(arena, LunaSimTag, range->bytes),
  };
  return true;
}

bool luna_simulator_add_buffer(LunaSimulator *sim, int32_t id, const void *base,
                               uint64_t bytes, const char *name,
                               LunaError *error) {
  if (id < 0 || luna_sim_find_buffer(sim, id))
    return luna_error_set(error, LUNA_ERROR_INPUT, sim->buffers.count,
                          "buffer '%s' has id %d, must be new and at least 0",
                          name, id);
  LunaArena *arena = &sim->setup_arena;
  LUNA_VECTOR_ADD(arena, &sim->buffers);
  LunaSimBuffer *buffers = sim->buffers.items;
  uint64_t at = sim->buffers.count - 1;
  for (; at > 0 && buffers[at - 1].id > id; --at)
    buffers[at] = buffers[at - 1];
  buffers[at] = (LunaSimBuffer){
      .id = id,
      .base = base,
      .bytes = bytes,
      .name = luna_arena_strndup(arena, name, strlen(name)),
  };
  return true;
}

static bool add_value(LunaSimulator *sim, LunaSimValues *list,
                      const LunaSimValue *value, LunaError *error) {
  if (!luna_sim_find_range(sim, value->base, (int64_t)value->bytes))
    return luna_error_set(error, LUNA_ERROR_INPUT, list->count,
                          "value of %llu bytes is not in a registered memory",
                          (unsigned long long)value->bytes);
  *LUNA_VECTOR_ADD(&sim->setup_arena, list) = *value;
  return true;
}

bool luna_simulator_add_value(LunaSimulator *sim, void *base, uint64_t bytes,
                              int32_t buffer, int32_t content,
                              LunaError *error) {
  const LunaSimValue value = {
      .base = base, .bytes = bytes, .buffer = buffer, .content = content};
  return add_value(sim, &sim->values, &value, error);
}

//===- Binding a program --------------------------------------------------===//

static uint64_t padded(int64_t bytes) {
  return (uint64_t)luna_align_up(bytes, BASE_ALIGN);
}

static bool bind_memories(LunaSimulator *sim, const LunaProgramInfo *program,
                          const LunaProgramPointers *pointers,
                          LunaError *error) {
  uint8_t *scratch = pointers->psram
                         ? (uint8_t *)pointers->psram + program->weight_bytes
                         : NULL;
  const LunaMemoryRange ranges[] = {
      {.name = "arena",
       .space = LUNA_SPACE_SHARED,
       .base = pointers->arena,
       .bytes = (uint64_t)program->arena_bytes},
      {.name = "weights",
       .space = LUNA_SPACE_PSRAM,
       .base = pointers->psram,
       .bytes = (uint64_t)program->weight_bytes,
       .is_initialised = true,
       .is_read_only = true},
      {.name = "psram scratch",
       .space = LUNA_SPACE_PSRAM,
       .base = scratch,
       .bytes = (uint64_t)program->psram_scratch_bytes},
      {.name = "state",
       .space = LUNA_SPACE_PSRAM,
       .base = pointers->state,
       .bytes = (uint64_t)program->state_bytes,
       .is_initialised = true},
  };
  for (int i = 0; i < 4; ++i)
    if (ranges[i].bytes > 0 &&
        !luna_simulator_add_range(sim, &ranges[i], error))
      return false;
  return true;
}

// Registers an input or output: as part of the arena if it is on chip, else as
// its own range.
static bool bind_tensor(LunaSimulator *sim, const LunaProgramTensor *tensor,
                        void *data, bool is_input, LunaError *error) {
  const LunaMemoryRange range = {
      .name = tensor->name,
      .space = LUNA_SPACE_PSRAM,
      .base = data,
      .bytes = padded(tensor->bytes),
      .is_read_only = is_input,
  };
  const LunaProgramBuffer *buffer =
      luna_program_buffer(sim->program, tensor->buffer);
  bool is_on_chip = buffer && buffer->memory == LUNA_PROGRAM_ARENA;
  if (tensor->bytes == 0)
    return true;
  if (!is_on_chip && !luna_simulator_add_range(sim, &range, error))
    return false;
  const LunaSimValue value = {
      .base = data,
      .bytes = (uint64_t)tensor->bytes,
      .buffer = tensor->buffer,
      .content = LUNA_NO_ID,
      .tensor = tensor,
  };
  return add_value(sim, is_input ? &sim->values : &sim->results, &value, error);
}

static bool bind_tensors(LunaSimulator *sim, const LunaProgramInfo *program,
                         const LunaProgramPointers *pointers,
                         LunaError *error) {
  for (uint32_t i = 0; i < program->input_count; ++i)
    if (!bind_tensor(sim, &program->inputs[i], pointers->inputs[i], true,
                     error))
      return false;
  for (uint32_t i = 0; i < program->output_count; ++i)
    if (!bind_tensor(sim, &program->outputs[i], pointers->outputs[i], false,
                     error))
      return false;
  return true;
}

static const uint8_t *memory_base(const LunaProgramPointers *pointers,
                                  const LunaProgramBuffer *buffer) {
  switch ((LunaProgramMemory)buffer->memory) {
  case LUNA_PROGRAM_ARENA:
    return pointers->arena;
  case LUNA_PROGRAM_PSRAM:
    return pointers->psram;
  case LUNA_PROGRAM_STATE:
    return pointers->state;
  case LUNA_PROGRAM_INPUT:
    return pointers->inputs[buffer->argument];
  case LUNA_PROGRAM_OUTPUT:
    return pointers->outputs[buffer->argument];
  }
  return NULL;
}

static bool bind_buffers(LunaSimulator *sim, const LunaProgramInfo *program,
                         const LunaProgramPointers *pointers,
                         LunaError *error) {
  for (uint32_t i = 0; i < program->buffer_count; ++i) {
    const LunaProgramBuffer *buffer = &program->buffers[i];
    if (buffer->bytes > 0 &&
        !luna_simulator_add_buffer(
            sim, buffer->id,
            memory_base(pointers, buffer) + buffer->offset_bytes,
            (uint64_t)buffer->bytes, buffer->name, error))
      return false;
  }
  return true;
}

static bool bind_contents(LunaSimulator *sim, const LunaProgramInfo *program,
                          const LunaProgramPointers *pointers,
                          LunaError *error) {
  for (uint32_t i = 0; i < program->content_count; ++i) {
    const LunaProgramContent *content = &program->contents[i];
    if (content->bytes > 0 &&
        !luna_simulator_add_value(
            sim, (uint8_t *)pointers->psram + content->offset_bytes,
            (uint64_t)content->bytes, LUNA_NO_ID, content->id, error))
      return false;
  }
  return true;
}

bool luna_simulator_bind(LunaSimulator *sim, const LunaProgramInfo *program,
                         const LunaProgramPointers *pointers,
                         LunaError *error) {
  luna_sim_reset_setup(sim);
  sim->program = program;
  sim->forced =
      LUNA_ARENA_ARRAY(&sim->setup_arena, LunaSimForced, program->branch_count);
  return bind_memories(sim, program, pointers, error) &&
         bind_tensors(sim, program, pointers, error) &&
         bind_buffers(sim, program, pointers, error) &&
         bind_contents(sim, program, pointers, error);
}
