#ifndef LUNA_C_PASS_H
#define LUNA_C_PASS_H

//===-- luna-c/pass.h - passes and pipelines written in C -----------------===//
//
// MLIR's C API can neither register a pass by name nor give it options. A pass
// here is a constant descriptor; the adaptor turns it into an mlir::Pass with
// options, --help text and a line in --dump-pass-pipeline.
//
//===----------------------------------------------------------------------===//

#include "luna/error.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LunaOptionKind {
  LUNA_OPTION_INT64,
  LUNA_OPTION_BOOL,
  LUNA_OPTION_STRING,
  LUNA_OPTION_RESOURCE, ///< a name; the pass is given what it names
} LunaOptionKind;

/// What an option may name, e.g. a machine: read and checked once, before the
/// pass sees its first op, and shared by the threads that run it.
typedef struct LunaResourceDesc {
  /// Returns what `name` stands for, or NULL with `error` set, which is then
  /// the one diagnostic of the pipeline.
  const void *(*load)(const char *name, LunaError *error);
  /// Frees what `load` returned.
  void (*unload)(const void *resource);
} LunaResourceDesc;

/// One option of a pass or pipeline, written `name=value` in its braces.
typedef struct LunaOptionDesc {
  const char *name;
  const char *help;
  LunaOptionKind kind;
  int64_t int_default;              ///< INT64, and BOOL as 0 or 1
  const char *string_default;       ///< STRING and RESOURCE; NULL is ""
  const LunaResourceDesc *resource; ///< RESOURCE; options of passes only
} LunaOptionDesc;

/// The value of an option: `integer` for INT64 and BOOL, `string` for STRING
/// (never NULL), `resource` for RESOURCE; pointers are alive during the run.
typedef struct LunaOptionValue {
  int64_t integer;
  const char *string;
  const void *resource;
} LunaOptionValue;

/// A pass. All strings and arrays are constant and live for ever.
typedef struct LunaPassDesc {
  const char *argument; ///< name in pipelines
  const char *summary;
  const char *anchor; ///< the op it runs on, e.g. "func.func"
  const LunaOptionDesc *options;
  size_t option_count;
  /// Namespaces of the dialects whose ops the pass creates, NULL-terminated;
  /// may be NULL. Known: arith, affine, bufferization, cf, func, linalg, llvm,
  /// luna, memref, scf, tensor, tosa.
  const char *const *dependent_dialects;
  /// Rewrites `op`; option values in the order of `options`. A failure means
  /// that a diagnostic was emitted. Called from several threads at once on
  /// different ops.
  MlirLogicalResult (*run)(MlirOperation op, const LunaOptionValue *options);
} LunaPassDesc;

/// A pipeline: its options and the textual pipeline they expand to.
typedef struct LunaPipelineDesc {
  const char *argument;
  const char *summary;
  const LunaOptionDesc *options;
  size_t option_count;
  /// Appends the text (passes of `builtin.module`) through `append`.
  void (*expand)(const LunaOptionValue *options,
                 void (*append)(const char *text, void *data), void *data);
} LunaPipelineDesc;

/// Makes a pass known by its argument to every pipeline parsed in this
/// process. Registering one twice does nothing.
void luna_register_pass(const LunaPassDesc *desc);

/// Makes a pipeline known by its argument.
void luna_register_pipeline(const LunaPipelineDesc *desc);

/// Makes pipelines that use the earlier argument of a pass fail with an error
/// that names the current one. Both strings are constant.
void luna_register_renamed(const char *earlier, const char *current);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_PASS_H
