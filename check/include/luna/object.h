#ifndef LUNA_OBJECT_H
#define LUNA_OBJECT_H

// From a module of the LLVM dialect to assembly or an object file, for this
// computer or a chip's core.

#include <stdbool.h>

#include "luna/error.h"
#include "mlir-c/IR.h"
#include "llvm-c/Types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Translates a module of the LLVM dialect. The caller disposes of the result,
/// which is called `name`. Returns NULL, with `error` set, if it has operations
/// of other dialects; a diagnostic may have details.
LLVMModuleRef luna_object_translate(MlirModule module, const char *name,
                                    LLVMContextRef context, LunaError *error);

/// The same with debug lines (DWARF 4): lines of the file `path`, of which the
/// name alone is kept, and what is of an operator with a name as if a function
/// of that name were inlined. Changes locations in `module`.
LLVMModuleRef luna_object_translate_lines(MlirModule module, const char *name,
                                          const char *path,
                                          LLVMContextRef context,
                                          LunaError *error);

/// What code is generated for.
typedef struct LunaObjectTarget {
  const char *name; ///< "riscv32"
  /// NULL for this computer's.
  const char *triple;
  const char *cpu, *features, *abi;
  /// True if LLVM writes assembly alone, for the core's own assembler, which
  /// knows no tables of frames.
  bool is_assembled;
} LunaObjectTarget;

/// Returns the targets, `count` of them: "host" first, then the chips' cores.
const LunaObjectTarget *luna_object_targets(int *count);

/// Returns the target of this name, or NULL.
const LunaObjectTarget *luna_object_target(const char *name);

/// Sets the triple and the data layout of the module to those of `target`.
/// Fails with LUNA_ERROR_SETUP.
bool luna_object_set_target(LLVMModuleRef module,
                            const LunaObjectTarget *target, LunaError *error);

typedef struct LunaObjectOptions {
  const LunaObjectTarget *target; ///< NULL is "host"
  bool is_assembly;               ///< text in place of an object file
  /// LLVM's passes, 0 (none) to 3.
  int pass_level;
  /// Code generation, 0 (fast) to 3.
  int code_level;
  /// Adds what luna_jit_call calls: for each function `f` on pointers alone,
  /// one that takes an array of them.
  bool has_jit_entries;
} LunaObjectOptions;

/// The processor that code is generated for.
#define LUNA_OBJECT_CPU "generic"

/// What the name of such a function starts with.
#define LUNA_OBJECT_JIT_ENTRY "luna_jit_entry_"

/// Compiles `module`, which is modified, to a relocatable object file, or to
/// assembly: position-independent and for any processor of this computer's
/// architecture, or for a core. The caller disposes of the result. Returns
/// NULL, with `error` set, if LLVM refuses it.
LLVMMemoryBufferRef luna_object_emit(LLVMModuleRef module,
                                     const LunaObjectOptions *options,
                                     LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_OBJECT_H
