#ifndef LUNA_ANSWERS_H
#define LUNA_ANSWERS_H

// What the helper answers.

#include <sys/types.h>

#include "helper_message.h"
#include "recent.h"
#include "signing.h"
#include "uploads.h"
#include "waits.h"

/// What all connections share.
typedef struct LunaAnswerer {
  LunaSigner signer;
  LunaStore *store;     ///< NULL: there is no server
  LunaUploads *uploads; ///< NULL: nothing is stored there
  LunaRecent *recent;
  LunaWaits *waits;
} LunaAnswerer;

/// Writes the answer to a process's question. Its bytes are in `bytes`, to be
/// freed.
void luna_answer(LunaAnswerer *answerer, const LunaHelperMessage *question,
                 pid_t process, LunaHelperMessage *answer,
                 LunaStoreBytes *bytes);

#endif // LUNA_ANSWERS_H
