#ifndef LUNA_SERVE_H
#define LUNA_SERVE_H

#include "answers.h"

/// Answers on the socket `name` in `folder`, a descriptor, one thread for each
/// connection, until nobody has asked for a minute and nothing waits to be
/// sent, or the socket has gone.
void luna_serve(LunaAnswerer *answerer, int socket, int folder,
                const char *name);

#endif // LUNA_SERVE_H
