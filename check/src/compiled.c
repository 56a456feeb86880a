#include "luna/compiled.h"

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

bool luna_compiled_code(MlirModule module, LunaCache *cache, LunaArena *arena,
                        LunaNativeCode *code, LunaError *error) {
  // A program runs once per path and case, and the simulator computes the
  // unit's operators: optimisation costs more than it gains.
  const LunaObjectOptions options = {.has_jit_entries = true};
  return luna_native_create(module, &options, cache, arena, code, error);
}

bool luna_compiled_load(const LunaNativeCode *code, const char *name,
                        LunaArena *arena, LunaCompiled *compiled,
                        LunaError *error) {
  uint64_t count = 0;
  const LunaRuntimeSymbol *runtime = luna_simulator_symbols(&count);
  if (compiled->runtime) {
    runtime = compiled->runtime;
    count = compiled->runtime_count;
  }
  *compiled = (LunaCompiled){
      .alignment_bytes = compiled->alignment_bytes,
      .jit = luna_native_load(code, runtime, count, error),
  };
  if (!compiled->jit)
    return false;
  const int32_t *words =
      luna_jit_find(compiled->jit, symbol_of(name, "_program", arena));
  if (!words || !luna_program_read(words, luna_program_word_count(words), arena,
                                   &compiled->program, error))
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "the program has no descriptor");
  compiled->memory = luna_program_allocate(&compiled->program,
                                           compiled->alignment_bytes, arena);
  compiled->arguments =
      luna_program_arguments(&compiled->program, &compiled->memory, arena);
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
