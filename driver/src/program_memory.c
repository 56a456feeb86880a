#include "program_memory.h"

enum { ALIGN_BYTES = 64 };

// Padded to the alignment, since transfers move whole granules.
static void *allocate(LunaArena *arena, int64_t bytes) {
  uintptr_t room =
      (uintptr_t)luna_arena_alloc(arena, (uint64_t)bytes + 2 * ALIGN_BYTES, 1);
  return (void *)((room + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES);
}

static void **allocate_tensors(const LunaProgramInfo *program,
                               const LunaProgramTensor *tensors, uint32_t count,
                               void *chip, LunaArena *arena) {
  void **pointers = LUNA_ARENA_ARRAY(arena, void *, count);
  for (uint32_t i = 0; i < count; ++i) {
    pointers[i] = luna_program_argument(program, &tensors[i], chip);
    if (!pointers[i])
      pointers[i] = allocate(arena, tensors[i].bytes);
  }
  return pointers;
}

void luna_memory_create(const LunaProgramInfo *program, LunaArena *arena,
                        LunacMemory *memory) {
  memory->arena = allocate(arena, program->arena_bytes);
  memory->psram =
      allocate(arena, program->weight_bytes + program->psram_scratch_bytes);
  memory->state = allocate(arena, program->state_bytes);
  memory->inputs = allocate_tensors(program, program->inputs,
                                    program->input_count, memory->arena, arena);
  memory->outputs = allocate_tensors(
      program, program->outputs, program->output_count, memory->arena, arena);
}

LunaProgramPointers luna_memory_pointers(const LunacMemory *memory) {
  return (LunaProgramPointers){
      .inputs = memory->inputs,
      .outputs = memory->outputs,
      .arena = memory->arena,
      .psram = memory->psram,
      .state = memory->state,
  };
}

void **luna_memory_arguments(const LunaProgramInfo *program,
                             const LunacMemory *memory, LunaArena *arena,
                             size_t *count) {
  *count = (size_t)program->input_count + program->output_count + 3;
  void **arguments = LUNA_ARENA_ARRAY(arena, void *, *count);
  size_t at = 0;
  for (uint32_t i = 0; i < program->input_count; ++i)
    arguments[at++] = memory->inputs[i];
  for (uint32_t i = 0; i < program->output_count; ++i)
    arguments[at++] = memory->outputs[i];
  arguments[at++] = memory->arena;
  arguments[at++] = memory->psram;
  arguments[at] = memory->state;
  return arguments;
}
