#ifndef LUNA_RUN_H
#define LUNA_RUN_H

#include "session.h"

/// Runs `lunac run`. Returns an exit code.
int luna_run(LunacSession *session);

#endif // LUNA_RUN_H
