#include "luna/simulator.h"

// The memories of a program, for whoever calls it.

// Pads to the alignment, since transfers move whole granules.
static void *allocate(LunaArena *arena, int64_t bytes, uint64_t alignment) {
  uintptr_t step = (uintptr_t)alignment;
  uintptr_t room =
      (uintptr_t)luna_arena_alloc(arena, (uint64_t)bytes + 2 * alignment, 1);
  return (void *)((room + step - 1) / step * step);
}

static void **allocate_tensors(const LunaProgramInfo *program,
                               const LunaProgramTensor *tensors, uint32_t count,
                               void *chip, uint64_t alignment,
                               LunaArena *arena) {
  void **pointers = LUNA_ARENA_ARRAY(arena, void *, count);
  for (uint32_t i = 0; i < count; ++i) {
    pointers[i] = luna_program_argument(program, &tensors[i], chip);
    if (!pointers[i])
      pointers[i] = allocate(arena, tensors[i].bytes, alignment);
  }
  return pointers;
}

LunaProgramPointers luna_program_allocate(const LunaProgramInfo *program,
                                          uint64_t alignment_bytes,
                                          LunaArena *arena) {
  void *chip = allocate(arena, program->arena_bytes, alignment_bytes);
  return (LunaProgramPointers){
      .inputs = allocate_tensors(program, program->inputs, program->input_count,
                                 chip, alignment_bytes, arena),
      .outputs =
          allocate_tensors(program, program->outputs, program->output_count,
                           chip, alignment_bytes, arena),
      .arena = chip,
      .psram =
          allocate(arena, program->weight_bytes + program->psram_scratch_bytes,
                   alignment_bytes),
      .state = allocate(arena, program->state_bytes, alignment_bytes),
  };
}

void **luna_program_arguments(const LunaProgramInfo *program,
                              const LunaProgramPointers *pointers,
                              LunaArena *arena) {
  void **arguments = LUNA_ARENA_ARRAY(arena, void *,
                                      (uint64_t)program->input_count +
                                          program->output_count + 3);
  void **next = arguments;
  for (uint32_t i = 0; i < program->input_count; ++i)
    *next++ = pointers->inputs[i];
  for (uint32_t i = 0; i < program->output_count; ++i)
    *next++ = pointers->outputs[i];
  *next++ = pointers->arena;
  *next++ = pointers->psram;
  *next = pointers->state;
  return arguments;
}
