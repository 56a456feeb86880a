#ifndef LUNA_VERIFY_H
#define LUNA_VERIFY_H

#include "session.h"

/// Runs `lunac verify`. Returns an exit code.
int luna_verify_file(LunacSession *session);

#endif // LUNA_VERIFY_H
