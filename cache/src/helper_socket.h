#ifndef LUNA_HELPER_SOCKET_H
#define LUNA_HELPER_SOCKET_H

// Messages on the socket between a cache and its helper, and the times that
// both keep.

#include "helper_message.h"

/// Returns milliseconds of a clock that nobody sets.
int64_t luna_helper_now(void);

/// Reads what there is, at most `size` bytes, once there is something. Returns
/// how many; 0 at the end, or if none came until `deadline`.
size_t luna_helper_read_some(int socket, void *bytes, size_t size,
                             int64_t deadline);

/// Writes `size` bytes until `deadline`. Returns false if fewer were taken.
bool luna_helper_write(int socket, const void *bytes, size_t size,
                       int64_t deadline);

/// Sends a message until `deadline`. Returns false if it could not be.
bool luna_helper_send(int socket, const LunaHelperMessage *message,
                      int64_t deadline);

/// Receives a message until `deadline`; its bytes lie in `body`, to be freed.
/// Returns false if none came, or one of another version.
bool luna_helper_receive(int socket, LunaHelperMessage *message, uint8_t **body,
                         int64_t deadline);

#endif // LUNA_HELPER_SOCKET_H
