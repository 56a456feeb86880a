#include "luna/compiled.h"

// Pads to the alignment, since transfers move whole granules.
static void *allocate(const LunaCompiled *compiled, LunaArena *arena,
                      int64_t bytes) {
  uintptr_t alignment = (uintptr_t)compiled->alignment_bytes;
  uintptr_t room = (uintptr_t)luna_arena_alloc(
      arena, (uint64_t)bytes + 2 * compiled->alignment_bytes, 1);
  return (void *)((room + alignment - 1) / alignment * alignment);
}

static void **allocate_tensors(const LunaCompiled *compiled,
                               const LunaProgramTensor *tensors, uint32_t count,
                               void *chip, LunaArena *arena) {
  void **pointers = LUNA_ARENA_ARRAY(arena, void *, count);
  for (uint32_t i = 0; i < count; ++i) {
    pointers[i] = luna_program_argument(&compiled->program, &tensors[i], chip);
    if (!pointers[i])
      pointers[i] = allocate(compiled, arena, tensors[i].bytes);
  }
  return pointers;
}

static LunaProgramPointers allocate_program(const LunaCompiled *compiled,
                                            LunaArena *arena) {
  const LunaProgramInfo *program = &compiled->program;
  void *chip = allocate(compiled, arena, program->arena_bytes);
  return (LunaProgramPointers){
      .inputs = allocate_tensors(compiled, program->inputs,
                                 program->input_count, chip, arena),
      .outputs = allocate_tensors(compiled, program->outputs,
                                  program->output_count, chip, arena),
      .arena = chip,
      .psram = allocate(compiled, arena,
                        program->weight_bytes + program->psram_scratch_bytes),
      .state = allocate(compiled, arena, program->state_bytes),
  };
}

static void list_arguments(LunaCompiled *compiled, LunaArena *arena) {
  const LunaProgramInfo *program = &compiled->program;
  const LunaProgramPointers *memory = &compiled->memory;
  compiled->arguments = LUNA_ARENA_ARRAY(arena, void *,
                                         (uint64_t)program->input_count +
                                             program->output_count + 3);
  void **next = compiled->arguments;
  for (uint32_t i = 0; i < program->input_count; ++i)
    *next++ = memory->inputs[i];
  for (uint32_t i = 0; i < program->output_count; ++i)
    *next++ = memory->outputs[i];
  *next++ = memory->arena;
  *next++ = memory->psram;
  *next = memory->state;
}

// Returns the function or global of the model that ends with `suffix`.
static const char *symbol_of(const char *model, const char *suffix,
                             LunaArena *arena) {
  return luna_arena_printf(arena, LUNA_PROGRAM_SYMBOL_PREFIX "%s%s", model,
                           suffix);
}

static void call(const LunaCompiled *compiled, const char *suffix,
                 void **pointers) {
  LunaArena arena = {0};
  luna_jit_call(compiled->jit,
                symbol_of(compiled->program.name, suffix, &arena), pointers);
  luna_arena_destroy(&arena);
}

bool luna_compiled_load(MlirModule module, const char *name, LunaArena *arena,
                        LunaCompiled *compiled, LunaError *error) {
  // A program runs once per path and case, and the simulator computes the
  // unit's operators: optimisation costs more than it gains.
  enum { OPTIMISATION_LEVEL = 0 };
  uint64_t count = 0;
  const LunaRuntimeSymbol *runtime = luna_simulator_symbols(&count);
  *compiled = (LunaCompiled){
      .alignment_bytes = compiled->alignment_bytes,
      .jit = luna_jit_create(module, OPTIMISATION_LEVEL, runtime, count, error),
  };
  if (!compiled->jit)
    return false;
  const int32_t *words =
      luna_jit_find(compiled->jit, symbol_of(name, "_program", arena));
  if (!words || !luna_program_read(words, luna_program_word_count(words), arena,
                                   &compiled->program, error))
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "the program has no descriptor");
  compiled->memory = allocate_program(compiled, arena);
  list_arguments(compiled, arena);
  void *pointers[] = {compiled->memory.psram, compiled->memory.state};
  call(compiled, "_init", pointers);
  return true;
}

void luna_compiled_unload(LunaCompiled *compiled) {
  luna_jit_destroy(compiled->jit);
  *compiled = (LunaCompiled){0};
}

void luna_compiled_reset(const LunaCompiled *compiled) {
  void *pointers[] = {compiled->memory.state};
  call(compiled, "_reset", pointers);
}

void luna_compiled_call(void *compiled) {
  const LunaCompiled *it = compiled;
  call(it, "", it->arguments);
}
