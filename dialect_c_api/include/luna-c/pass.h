#ifndef LUNA_C_PASS_H
#define LUNA_C_PASS_H

//===-- luna-c/pass.h - passes and pipelines written in C -----------------===//
//
// MLIR's C API can neither register a pass by name nor give it options. Here a
// pass is a constant descriptor; the adaptor turns it into an mlir::Pass with
// options, --help text and a line in --dump-pass-pipeline.
//
//===----------------------------------------------------------------------===//

#include "luna/error.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

struct LunaPlanSource; // luna/plan_source.h

typedef enum LunaOptionKind {
  LUNA_OPTION_INT64,
  LUNA_OPTION_BOOL,
  LUNA_OPTION_STRING,
  LUNA_OPTION_RESOURCE, ///< a name; the pass receives the named resource
} LunaOptionKind;

/// A resource that an option names, e.g. a machine. It is loaded and checked
/// once a context, before the first pass that names it runs, and shared by
/// passes and threads.
typedef struct LunaResourceDesc {
  /// Returns the resource `name`, or NULL with `error` set, which becomes the
  /// only diagnostic of the pipeline.
  const void *(*load)(const char *name, LunaError *error);
  /// Frees a resource that `load` returned.
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
/// (never NULL), `resource` for RESOURCE. Pointers are valid during the run.
typedef struct LunaOptionValue {
  int64_t integer;
  const char *string;
  const void *resource;
} LunaOptionValue;

/// A pass. All strings and arrays are constants of static lifetime.
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
  /// Rewrites `op`, which has a body if it is a function; option values are in
  /// the order of `options`. Failure means that a diagnostic was emitted.
  /// Called concurrently on different ops.
  MlirLogicalResult (*run)(MlirOperation op, const LunaOptionValue *options);
  /// In place of `run`, of a pass without options: rewrites each op in `op`, in
  /// the order of luna_walk, as whose `visit` it is called without data.
  bool (*visit)(MlirOperation op, void *data);
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

/// Sets the source of known plans for the passes of a context, and a place for
/// new ones; borrowed, NULL for none. For a program that runs passes one at a
/// time: the source need not be safe for threads.
void luna_set_plan_source(MlirContext context,
                          const struct LunaPlanSource *source);

/// Returns the source that was set, or NULL.
const struct LunaPlanSource *luna_plan_source(MlirContext context);

/// Runs `run`, which changes `op`, on trial. Returns true if it succeeded; else
/// `op` is as it was, but for the attribute `keeps` (may be NULL), which stays
/// as `run` left it, and the diagnostics of this thread are dropped.
bool luna_attempt(MlirOperation op, const char *keeps,
                  MlirLogicalResult (*run)(void *data), void *data);

/// Registers a pass under its argument in this process. Registering it again
/// has no effect.
void luna_register_pass(const LunaPassDesc *desc);

/// Registers a pipeline under its argument.
void luna_register_pipeline(const LunaPipelineDesc *desc);

/// Registers the earlier argument of a pass: pipelines with it fail with an
/// error that names the current one. Both strings are constants.
void luna_register_renamed(const char *earlier, const char *current);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_PASS_H
