#ifndef LUNA_RECENT_H
#define LUNA_RECENT_H

// The entries that were put or fetched last, in memory: for processes without a
// folder in common, and until what was put has been sent.

#include "store.h"

enum { LUNA_RECENT_ENTRIES = 256 };
#define LUNA_RECENT_BYTES ((size_t)64 << 20)

typedef struct LunaRecent LunaRecent;

/// Returns an empty memory, for any number of threads; NULL if there is none.
LunaRecent *luna_recent_create(void);

/// Forgets all and frees it.
void luna_recent_destroy(LunaRecent *recent);

/// Remembers a copy of an entry, in place of those used longest ago.
void luna_recent_put(LunaRecent *recent, const char *name,
                     const LunaStoreBytes *bytes);

/// Returns a copy, to be freed, or no bytes.
LunaStoreBytes luna_recent_get(LunaRecent *recent, const char *name);

#endif // LUNA_RECENT_H
