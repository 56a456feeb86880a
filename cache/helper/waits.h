#ifndef LUNA_WAITS_H
#define LUNA_WAITS_H

// How long processes have waited for a server: each has LUNA_HELPER_SERVER_MS in
// all, whatever number of connections it makes.

#include <stdint.h>
#include <sys/types.h>

typedef struct LunaWaits LunaWaits;

/// Returns an empty table, for any number of threads; NULL if memory ran out.
LunaWaits *luna_waits_create(void);

/// Returns the milliseconds that a process may still wait.
int64_t luna_waits_left(LunaWaits *waits, pid_t process);

/// Notes that it has waited.
void luna_waits_add(LunaWaits *waits, pid_t process, int64_t milliseconds);

#endif // LUNA_WAITS_H
