#ifndef LUNA_NATIVE_CODE_H
#define LUNA_NATIVE_CODE_H

// The machine code of a module as bytes, from a cache where it was generated
// before.

#include "luna/arena.h"
#include "luna/cache.h"
#include "luna/jit.h"
#include "luna/object.h"
#include "luna/record_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An object file, and the model's weights, which it refers to by their symbol:
/// they are most of its bytes, and the same under any plan.
typedef struct LunaNativeCode {
  const void *object;
  size_t object_bytes;
  /// NULL if the model has no weights.
  const char *weights_symbol;
  const void *weights;
  size_t weights_bytes;
  /// What both are found by in a cache; empty without one.
  const char *object_record, *weights_record;
} LunaNativeCode;

/// Generates the code of a module of the LLVM dialect, in `arena`. With a cache
/// it is taken from there, if the folder is trusted, or kept there: under the
/// digest of the LLVM IR, with weights declared only, the triple, processor,
/// features and level, and the builds of all that is loaded. Fails like
/// luna_object_emit.
bool luna_native_create(MlirModule module, const LunaObjectOptions *options,
                        LunaCache *cache, LunaArena *arena,
                        LunaNativeCode *code, LunaError *error);

/// Appends what luna_native_find needs to a record.
void luna_native_note(const LunaNativeCode *code, LunaText *record);

/// Finds the code that luna_native_note noted, in `arena`. Returns false if it
/// is not there any more, not trusted, or was not noted.
bool luna_native_find(LunaCache *cache, LunaRecordReader *record,
                      LunaArena *arena, LunaNativeCode *code);

/// Loads the code as luna_jit_load does; the weights must outlive the result.
LLVMOrcLLJITRef luna_native_load(const LunaNativeCode *code,
                                 const LunaRuntimeSymbol *symbols,
                                 uint64_t count, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_NATIVE_CODE_H
