#ifndef LUNA_MODEL_KEY_H
#define LUNA_MODEL_KEY_H

#include "session.h"

/// Appends all that the compiled model depends on to a record: the bytes of the
/// file and its suffix, the machine, every option that is not known to matter
/// only afterwards, the builds of all that is loaded. Returns false for a model
/// that is not to be kept: it cannot be read or has data in other files, its
/// plan depends on what the cache holds, or a report or a core want more of it.
bool luna_model_key(const LunacSession *session, LunaText *record);

#endif // LUNA_MODEL_KEY_H
