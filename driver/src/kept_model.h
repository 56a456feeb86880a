#ifndef LUNA_KEPT_MODEL_H
#define LUNA_KEPT_MODEL_H

// Compiled models in the cache: plan and cost, the code, and the reference that
// --check compares with.

#include "compile.h"
#include "luna/native_code.h"
#include "luna/reference.h"

/// What is kept of a model. Zero-initialise.
typedef struct LunacKeptModel {
  LunaCache *cache; ///< NULL: nothing is looked up or kept
  LunaText key;     ///< empty for a model that is not kept as a whole
  LunaText own_key; ///< the key with the name of the file
  const char *path; ///< of the file
  LunaText plan;    ///< what luna_kept_model_note wrote
  LunaCacheValue reference;
} LunacKeptModel;

/// Opens the cache of the session and makes the key of its model.
void luna_kept_model_open(const LunacSession *session, LunacKeptModel *kept);

/// Frees the resources.
void luna_kept_model_close(LunacKeptModel *kept);

/// Finds the compiled model, with its code unless `code` is NULL, and, if
/// `checks`, its reference in `kept`. Returns false if one of them is not there
/// or not trusted; `model` is empty then.
bool luna_kept_model_find(LunacSession *session, LunacKeptModel *kept,
                          bool checks, LunacModel *model, LunaNativeCode *code);

/// Notes name and plan of a model that is planned and will be kept.
void luna_kept_model_note(const LunacModel *model, LunacKeptModel *kept);

/// Notes what the module says of its code once the model is lowered.
void luna_kept_model_note_code(const LunacModel *model, LunacKeptModel *kept);

/// Keeps what was noted, with the code unless it is NULL: only of a model about
/// which nothing was said, since nobody would say it when it is found.
void luna_kept_model_put(const LunacSession *session, LunacKeptModel *kept,
                         const LunaNativeCode *code);

/// Keeps what was noted with the bytes of the file --output, likewise; not if
/// they name the file of the model.
void luna_kept_model_put_output(const LunacSession *session,
                                LunacKeptModel *kept);

/// Finds an output that was kept of a model of this name. Returns false if
/// there is none; `model` is empty then. Else the bytes are appended to
/// `output`.
bool luna_kept_model_find_output(LunacSession *session, LunacKeptModel *kept,
                                 LunacModel *model, LunaText *output);

/// Keeps the reference, likewise.
void luna_kept_model_put_reference(const LunacSession *session,
                                   LunacKeptModel *kept,
                                   const LunaReference *reference);

#endif // LUNA_KEPT_MODEL_H
