#ifndef LUNA_COMPILE_H
#define LUNA_COMPILE_H

#include "luna/image.h"
#include "luna/import.h"
#include "luna/object.h"
#include "luna/plan_record.h"
#include "session.h"

/// A model in compilation.
typedef struct LunacModel {
  const char *name; ///< of the entry function
  /// The name in the symbols of its code: that of the file that it was compiled
  /// from, which is another where equal bytes were kept under another name.
  const char *symbol_name;
  MlirModule module; ///< null before luna_model_read
  /// The mode of transfers: the first to try; after luna_model_plan the one
  /// taken, if the plan records it (with --stats or --report).
  const char *dma;
  /// The plan, after luna_model_plan; the session owns its strings and arrays.
  LunaPlanRecord plan;
  LunaCostRecord cost;
  LunaJoinEffort joins_tried;
  /// What operators share, after luna_model_lower; else NULL.
  const LunaCodeRecord *code;
  /// What code is generated for, and the file of a linked program.
  const LunaObjectTarget *target;
  const char *program_path;
  const LunaImage *image; ///< of the code that was generated, or NULL
  /// The cost with synchronous transfers; empty unless a report needs it and
  /// the plan's mode differs.
  LunaCostRecord synchronous_cost;
} LunacModel;

/// Returns the name of the model in a file, a C identifier: its name without
/// folder and extension.
const char *luna_model_name(LunaArena *arena, const char *path);

/// Reads the model file at `path`. Returns an exit code; a failure has been
/// printed.
int luna_model_read(LunacSession *session, const char *path, LunacModel *model);
/// Compiles the model up to the record of its program (luna.program). Returns
/// an exit code.
int luna_model_record(LunacSession *session, LunacModel *model);
/// Returns the planned function of a module, or a null operation.
MlirOperation luna_planned_function(MlirModule module);
/// Compiles the model to its verified plan; a model with a plan keeps it.
/// Returns an exit code.
int luna_model_plan(LunacSession *session, LunacModel *model);
/// Reads plan and cost from the planned function. Returns an exit code.
int luna_model_read_plan(LunacSession *session, LunacModel *model);
/// Reads the statistics of the code from the lowered module, likewise.
int luna_model_read_code(LunacSession *session, LunacModel *model);
/// Lowers the planned model to the LLVM dialect. Returns an exit code.
int luna_model_lower(LunacSession *session, LunacModel *model);
/// Frees the module.
void luna_model_destroy(LunacModel *model);

/// Runs `lunac compile`. Returns an exit code.
int luna_compile(LunacSession *session);
/// Runs `lunac import`. Returns an exit code.
int luna_import_model(LunacSession *session);

#endif // LUNA_COMPILE_H
