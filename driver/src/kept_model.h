#ifndef LUNA_KEPT_MODEL_H
#define LUNA_KEPT_MODEL_H

// Compiled models in the cache: plan and cost, the code, and the reference that
// --check compares with; or that the model was refused.

#include "compile.h"
#include "luna/native_code.h"
#include "luna/reference.h"
#include "luna/store.h"

/// What is kept of a model. Zero-initialise: nothing is looked up or kept.
typedef struct LunacKeptModel {
  LunaCache *cache;
  LunaStore store;
  const char *kind, *name; ///< of the result in the store
  LunaStored noted;        ///< what luna_kept_model_note noted
  size_t words_kept;       ///< of the session's, with the result
  LunaStored found, reference;
} LunacKeptModel;

/// Opens the cache of the session and makes the key of its model. What is kept
/// is the file --output if `is_output`, else the code, if any.
void luna_kept_model_open(const LunacSession *session, bool is_output,
                          LunacKeptModel *kept);

/// Frees the resources.
void luna_kept_model_close(LunacKeptModel *kept);

/// Finds in `kept` what came of the model, and says what was said: `found` has
/// the exit code, and the bytes of the output. Unless it was refused, restores
/// `model`, its code unless `code` is NULL, and, if `checks`, finds its
/// reference. Returns false if one of them is not there or not trusted; `model`
/// is empty then.
bool luna_kept_model_find(LunacSession *session, LunacKeptModel *kept,
                          bool checks, LunacModel *model, LunaNativeCode *code);

/// Notes name and plan of a model that is planned and will be kept.
void luna_kept_model_note(const LunacSession *session, const LunacModel *model,
                          LunacKeptModel *kept);

/// Notes what the module says of its code once the model is lowered.
void luna_kept_model_note_code(const LunacSession *session,
                               const LunacModel *model, LunacKeptModel *kept);

/// Keeps what was noted, with the code unless it is NULL.
void luna_kept_model_put(const LunacSession *session, LunacKeptModel *kept,
                         const LunaNativeCode *code);

/// Keeps what was noted with the bytes of the file --output.
void luna_kept_model_put_output(const LunacSession *session,
                                LunacKeptModel *kept);

/// Keeps that the model was refused, with this exit code.
void luna_kept_model_put_refusal(const LunacSession *session,
                                 LunacKeptModel *kept, int exit_code);

/// Keeps the reference of a model that was kept.
void luna_kept_model_put_reference(const LunacSession *session,
                                   LunacKeptModel *kept,
                                   const LunaReference *reference);

#endif // LUNA_KEPT_MODEL_H
