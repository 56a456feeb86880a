#ifndef LUNA_COMPILE_H
#define LUNA_COMPILE_H

#include "luna/plan_record.h"
#include "session.h"

/// A model on its way through the compiler.
typedef struct LunacModel {
  const char *name;  ///< of the entry function
  MlirModule module; ///< null before luna_model_read
  /// Mode of transfers: the first to try; from luna_model_plan on the one that
  /// was taken, where the plan records it (with --stats or --report).
  const char *dma;
  /// From luna_model_plan on; strings and arrays are the session's.
  LunaPlanRecord plan;
  LunaCostRecord cost;
  /// With synchronous transfers instead; empty unless a report wants it and
  /// the plan's are others.
  LunaCostRecord synchronous_cost;
} LunacModel;

/// Reads the model file. Gives an exit code; a failure was printed.
int luna_model_read(LunacSession *session, LunacModel *model);
/// Takes the model to its verified plan; one that has a plan keeps it. Gives an
/// exit code.
int luna_model_plan(LunacSession *session, LunacModel *model);
/// Takes the planned model to the LLVM dialect. Gives an exit code.
int luna_model_lower(LunacSession *session, LunacModel *model);
/// Frees the module.
void luna_model_destroy(LunacModel *model);

/// `lunac compile`. Gives an exit code.
int luna_compile(LunacSession *session);
/// `lunac import`. Gives an exit code.
int luna_import_model(LunacSession *session);

#endif // LUNA_COMPILE_H
