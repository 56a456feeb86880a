#include "luna/jit.h"

#include <string.h>

#include "luna/arena.h"
#include "luna/core_math.h"
#include "luna/guard.h"
#include "luna/object.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/Target.h"

// Returns true without an error, else consumes it.
static bool succeeds(LLVMErrorRef failure, LunaError *error) {
  if (!failure)
    return true;
  char *message = LLVMGetErrorMessage(failure);
  luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                 "the generated code cannot be loaded: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

//===- Loading ------------------------------------------------------------===//

static LLVMOrcCSymbolMapPair *add_symbols(LLVMOrcLLJITRef jit,
                                          const LunaRuntimeSymbol *symbols,
                                          uint64_t count,
                                          LLVMOrcCSymbolMapPair *pairs) {
  for (uint64_t i = 0; i < count; ++i)
    *pairs++ = (LLVMOrcCSymbolMapPair){
        .Name = LLVMOrcLLJITMangleAndIntern(jit, symbols[i].name),
        .Sym = {.Address =
                    (LLVMOrcExecutorAddress)(uintptr_t)symbols[i].function,
                .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported |
                                          LLVMJITSymbolGenericFlagsCallable}},
    };
  return pairs;
}

// The functions of the C library that models call and every target computes
// alike.
static const LunaRuntimeSymbol math_symbols[] = {
#define LUNA_CORE_MATH(name) {#name "f", (void (*)(void))luna_##name##f},
#define LUNA_CORE_MATH_OF_TWO(name) LUNA_CORE_MATH(name)
#include "luna/core_math.def"
};
enum { MATH_COUNT = sizeof math_symbols / sizeof math_symbols[0] };

// They hide exports of the process.
static bool define_symbols(LLVMOrcLLJITRef jit,
                           const LunaRuntimeSymbol *symbols, uint64_t count,
                           LunaError *error) {
  LunaArena arena = {0};
  uint64_t guard_count = 0;
  const LunaRuntimeSymbol *guard = luna_guard_symbols(&guard_count);
  uint64_t pair_count = count + guard_count + MATH_COUNT;
  LLVMOrcCSymbolMapPair *pairs =
      LUNA_ARENA_ARRAY(&arena, LLVMOrcCSymbolMapPair, pair_count);
  LLVMOrcCSymbolMapPair *next = add_symbols(jit, symbols, count, pairs);
  next = add_symbols(jit, guard, guard_count, next);
  add_symbols(jit, math_symbols, MATH_COUNT, next);
  bool is_done =
      succeeds(LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit),
                                     LLVMOrcAbsoluteSymbols(pairs, pair_count)),
               error);
  luna_arena_destroy(&arena);
  return is_done;
}

static bool define_data(LLVMOrcLLJITRef jit, const LunaJitData *data,
                        LunaError *error) {
  if (!data)
    return true;
  LLVMOrcCSymbolMapPair pair = {
      .Name = LLVMOrcLLJITMangleAndIntern(jit, data->name),
      .Sym = {.Address = (LLVMOrcExecutorAddress)(uintptr_t)data->bytes,
              .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}},
  };
  return succeeds(LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit),
                                        LLVMOrcAbsoluteSymbols(&pair, 1)),
                  error);
}

LLVMOrcLLJITRef luna_jit_load(const void *object, size_t length,
                              const LunaJitData *data,
                              const LunaRuntimeSymbol *symbols, uint64_t count,
                              LunaError *error) {
  LLVMOrcLLJITRef jit = NULL;
  LLVMInitializeNativeTarget();
  if (!succeeds(LLVMOrcCreateLLJIT(&jit, NULL), error))
    return NULL;
  LLVMMemoryBufferRef bytes =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object, length, "model");
  if (define_symbols(jit, symbols, count, error) &&
      define_data(jit, data, error) &&
      succeeds(LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit),
                                         bytes),
               error))
    return jit;
  luna_jit_destroy(jit);
  return NULL;
}

void luna_jit_destroy(LLVMOrcLLJITRef jit) {
  if (jit)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(jit));
}

//===- Calling ------------------------------------------------------------===//

void *luna_jit_find(LLVMOrcLLJITRef jit, const char *name) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef failure = LLVMOrcLLJITLookup(jit, &address, name);
  if (failure)
    LLVMConsumeError(failure);
  return (void *)(uintptr_t)address;
}

bool luna_jit_call(LLVMOrcLLJITRef jit, const char *name, void **pointers) {
  LunaArena arena = {0};
  void *object = luna_jit_find(
      jit, luna_arena_printf(&arena, LUNA_OBJECT_JIT_ENTRY "%s", name));
  luna_arena_destroy(&arena);
  // The C API gives functions as object pointers, which POSIX allows.
  void (*entry)(void **) = NULL;
  memcpy(&entry, &object, sizeof entry);
  if (entry)
    entry(pointers);
  return entry;
}
