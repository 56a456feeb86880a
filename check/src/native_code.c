#include "luna/native_code.h"

#include <string.h>

#include "luna/build_id.h"
#include "luna/content.h"
#include "luna/program.h"
#include "llvm-c/BitWriter.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"

static const char object_kind[] = "object", weights_kind[] = "weights";

static void *copy_bytes(LunaArena *arena, const void *bytes, size_t length) {
  void *copy = luna_arena_alloc(arena, length, 1);
  if (length > 0)
    memcpy(copy, bytes, length);
  return copy;
}

//===- Keys ---------------------------------------------------------------===//

static LunaCacheKey key_of(const char *kind, const char *record) {
  return (LunaCacheKey){.kind = kind,
                        .record = record,
                        .record_bytes = strlen(record),
                        .is_raw = kind == weights_kind,
                        .needs_trust = true};
}

// What the object depends on besides the module: the builds of LLVM, and of the
// rest. Returns "" if they are not known.
static const char *builds_record(LunaArena *arena) {
  LunaText ids = {0};
  const char *record = "";
  if (luna_build_ids(&ids))
    record = luna_content_record(arena, "builds", ids.data, ids.length);
  luna_text_deinit(&ids);
  return record;
}

static const char *object_record(LLVMModuleRef module,
                                 const LunaObjectOptions *options,
                                 LunaArena *arena) {
  const char *builds = builds_record(arena);
  if (!*builds)
    return "";
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
  char *triple = LLVMGetDefaultTargetTriple();
  const char *content = luna_content_record(
      arena, "llvm", LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
  const char *record =
      luna_arena_printf(arena, "%s\n%s\n%s\n" LUNA_OBJECT_CPU "\n%d %d %d",
                        content, builds, triple, options->pass_level,
                        options->code_level, options->has_jit_entries);
  LLVMDisposeMessage(triple);
  LLVMDisposeMemoryBuffer(bitcode);
  return record;
}

//===- Weights ------------------------------------------------------------===//

static bool is_weights(LLVMValueRef global, const char *name) {
  static const char suffix[] = "_weights";
  size_t length = strlen(name), end = sizeof suffix - 1;
  LLVMValueRef value = LLVMGetInitializer(global);
  return length > end && strcmp(name + length - end, suffix) == 0 &&
         strncmp(name, LUNA_PROGRAM_SYMBOL_PREFIX,
                 strlen(LUNA_PROGRAM_SYMBOL_PREFIX)) == 0 &&
         LLVMGetLinkage(global) == LLVMExternalLinkage && value &&
         LLVMGetValueKind(value) == LLVMConstantDataArrayValueKind;
}

// Takes the weights out of the module, which declares them from now on.
static void take_weights(LLVMModuleRef module, LunaArena *arena,
                         LunaNativeCode *code) {
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global;
       global = LLVMGetNextGlobal(global)) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(global, &length);
    if (!is_weights(global, name))
      continue;
    const char *bytes =
        LLVMGetRawDataValues(LLVMGetInitializer(global), &length);
    code->weights = copy_bytes(arena, bytes, length);
    code->weights_bytes = length;
    code->weights_symbol = luna_arena_printf(arena, "%s", name);
    LLVMSetInitializer(global, NULL);
    return;
  }
}

//===- The cache ----------------------------------------------------------===//

// What is executed, and what it computes with, must be trusted. With `claims`
// it is computed if it is not there.
static const void *find_bytes(LunaCache *cache, const char *kind,
                              const char *record, bool claims, LunaArena *arena,
                              size_t *length) {
  LunaCacheKey key = key_of(kind, record);
  LunaCacheValue value;
  if (!*record ||
      !(claims ? luna_cache_get_or_claim : luna_cache_get)(cache, &key, &value))
    return NULL;
  *length = value.length;
  const void *bytes = copy_bytes(arena, value.bytes, value.length);
  luna_cache_value_deinit(&value);
  return bytes;
}

static void keep_bytes(LunaCache *cache, const char *kind, const char *record,
                       const void *bytes, size_t length) {
  LunaCacheKey key = key_of(kind, record);
  if (*record)
    luna_cache_put(cache, &key, bytes, length);
}

//===- Generating ---------------------------------------------------------===//

static bool emit(LLVMModuleRef module, const LunaObjectOptions *options,
                 LunaArena *arena, LunaNativeCode *code, LunaError *error) {
  LLVMMemoryBufferRef object = luna_object_emit(module, options, error);
  if (!object)
    return false;
  code->object_bytes = LLVMGetBufferSize(object);
  code->object =
      copy_bytes(arena, LLVMGetBufferStart(object), code->object_bytes);
  LLVMDisposeMemoryBuffer(object);
  return true;
}

static bool generate(LLVMModuleRef module, const LunaObjectOptions *options,
                     LunaCache *cache, LunaArena *arena, LunaNativeCode *code,
                     LunaError *error) {
  if (!cache)
    return emit(module, options, arena, code, error);
  take_weights(module, arena, code);
  code->object_record = object_record(module, options, arena);
  code->object = find_bytes(cache, object_kind, code->object_record, true,
                            arena, &code->object_bytes);
  if (!code->object) {
    if (!emit(module, options, arena, code, error))
      return false;
    keep_bytes(cache, object_kind, code->object_record, code->object,
               code->object_bytes);
  }
  if (!code->weights_symbol)
    return true;
  code->weights_record =
      luna_content_record(arena, "weights", code->weights, code->weights_bytes);
  size_t length = 0;
  LunaArena found = {0};
  if (!find_bytes(cache, weights_kind, code->weights_record, true, &found,
                  &length))
    keep_bytes(cache, weights_kind, code->weights_record, code->weights,
               code->weights_bytes);
  luna_arena_destroy(&found);
  return true;
}

bool luna_native_create(MlirModule module, const LunaObjectOptions *options,
                        LunaCache *cache, LunaArena *arena,
                        LunaNativeCode *code, LunaError *error) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef translated =
      luna_object_translate(module, "model", context, error);
  *code = (LunaNativeCode){.object_record = "", .weights_record = ""};
  bool is_done =
      translated && generate(translated, options, cache, arena, code, error);
  if (translated)
    LLVMDisposeModule(translated);
  LLVMContextDispose(context);
  return is_done;
}

//===- Finding ------------------------------------------------------------===//

void luna_native_note(const LunaNativeCode *code, LunaText *record) {
  luna_record_string(record, code->object_record);
  luna_record_string(record, code->weights_symbol);
  luna_record_string(record, code->weights_record);
}

bool luna_native_find(LunaCache *cache, LunaRecordReader *record,
                      LunaArena *arena, LunaNativeCode *code) {
  *code = (LunaNativeCode){0};
  code->object_record = luna_record_read_string(record, arena);
  code->weights_symbol = luna_record_read_string(record, arena);
  code->weights_record = luna_record_read_string(record, arena);
  if (record->is_damaged || !code->object_record || !code->weights_record)
    return false;
  code->object = find_bytes(cache, object_kind, code->object_record, false,
                            arena, &code->object_bytes);
  if (code->object && code->weights_symbol)
    code->weights = find_bytes(cache, weights_kind, code->weights_record, false,
                               arena, &code->weights_bytes);
  return code->object && (!code->weights_symbol || code->weights);
}

LLVMOrcLLJITRef luna_native_load(const LunaNativeCode *code,
                                 const LunaRuntimeSymbol *symbols,
                                 uint64_t count, LunaError *error) {
  const LunaJitData weights = {code->weights_symbol, code->weights};
  return luna_jit_load(code->object, code->object_bytes,
                       code->weights_symbol ? &weights : NULL, symbols, count,
                       error);
}
