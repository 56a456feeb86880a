#ifndef LUNA_UPLOADS_H
#define LUNA_UPLOADS_H

// Entries on their way to the server: who puts one does not wait.

#include "store.h"

/// What may wait at a time; more is dropped.
#define LUNA_UPLOADS_BYTES ((size_t)256 << 20)

typedef struct LunaUploads LunaUploads;

/// Starts a thread that sends. Returns NULL if that is not possible.
LunaUploads *luna_uploads_create(LunaStore *store);

/// Sends an entry soon; takes its bytes.
void luna_uploads_add(LunaUploads *uploads, const char *name,
                      LunaStoreBytes owned);

/// Returns true if nothing waits.
bool luna_uploads_are_done(LunaUploads *uploads);

/// Waits until nothing does, or until `deadline`. Returns true if all that was
/// added since the last call has been sent.
bool luna_uploads_flush(LunaUploads *uploads, int64_t deadline);

#endif // LUNA_UPLOADS_H
